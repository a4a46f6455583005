package main

import (
	"github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		conf := config.New(ctx, "")

		payments, err := opsmanager.NewProject(ctx, "payments", &opsmanager.ProjectArgs{
			OrgId: pulumi.String(conf.Require("orgId")),
			Name:  pulumi.String("payments"),
			Tags:  pulumi.StringArray{pulumi.String("PROD"), pulumi.String("TEAM_PAYMENTS")},
			LdapGroupMappings: opsmanager.LdapGroupMappingArray{
				&opsmanager.LdapGroupMappingArgs{
					RoleName:   opsmanager.ProjectRoleOwner,
					LdapGroups: pulumi.StringArray{pulumi.String("cn=developers,dc=example,dc=com")},
				},
			},
		})
		if err != nil {
			return err
		}

		ada, err := opsmanager.NewProjectMember(ctx, "ada", &opsmanager.ProjectMemberArgs{
			ProjectId: payments.ProjectId,
			Username:  pulumi.String("ada@example.com"),
			Roles:     pulumi.StringArray{opsmanager.ProjectRoleOwner},
		}, pulumi.DeletedWith(payments))
		if err != nil {
			return err
		}

		emea, err := opsmanager.NewProvider(ctx, "emea", &opsmanager.ProviderArgs{
			BaseUrl:             pulumi.String(conf.Require("baseUrl")),
			PublicKey:           pulumi.String(conf.Require("publicKey")),
			PrivateKey:          conf.RequireSecret("privateKey"),
			MaxRetries:          pulumi.Int(1),
			RefreshBeforeUpdate: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}
		billing, err := opsmanager.NewProjectMembers(ctx, "billing", &opsmanager.ProjectMembersArgs{
			ProjectId: pulumi.String(conf.Require("billingId")),
			Members: pulumi.StringArrayMap{
				"ada_Lovelace@example.com": pulumi.StringArray{
					pulumi.String("GROUP_READ_ONLY"), opsmanager.ProjectRoleDataAccessReadOnly,
				},
				"bob@example.com":        pulumi.StringArray{opsmanager.ProjectRoleOwner},
				"svc-backup@example.com": pulumi.StringArray{opsmanager.ProjectRoleBackupAdmin},
			},
			MaxRemovals: pulumi.Int(0),
		}, pulumi.Provider(emea))
		if err != nil {
			return err
		}

		people := opsmanager.LookupProjectMembersOutput(ctx, opsmanager.LookupProjectMembersOutputArgs{
			ProjectId: payments.ProjectId,
		}, pulumi.DependsOn([]pulumi.Resource{ada}))
		named, err := opsmanager.LookupProject(ctx, &opsmanager.LookupProjectArgs{
			OrgId: pulumi.StringRef(conf.Require("orgId")),
			Name:  pulumi.StringRef("billing"),
		})
		if err != nil {
			return err
		}

		ctx.Export("projectId", payments.ProjectId)
		ctx.Export("people", people.Members().ApplyT(func(allMembers []opsmanager.ProjectPerson) map[string][]string {
			roles := map[string][]string{}
			for _, person := range allMembers {
				roles[person.Username] = person.Roles
			}
			return roles
		}))
		ctx.Export("billing", billing.Members)
		ctx.Export("billingName", pulumi.String(named.Name))
		return nil
	})
}
