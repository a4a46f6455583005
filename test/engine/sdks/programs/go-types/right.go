// Package types holds compiler errors of programs that use the SDK. It is compiled and never run.
package types

import (
	"github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

var text = pulumi.String("text").ToStringOutput()

// Every argument of every resource, as plain values and outputs.
func resources(ctx *pulumi.Context) error {
	provider, err := opsmanager.NewProvider(ctx, "emea", &opsmanager.ProviderArgs{
		AllowInsecureHttp:     pulumi.Bool(false),
		BaseUrl:               text,
		CaCert:                pulumi.String("ca.pem"),
		ClientCert:            pulumi.String("client.pem"),
		ClientKey:             pulumi.StringPtr("key"),
		MaxConcurrentRequests: pulumi.Int(4),
		MaxRetries:            pulumi.Int(0),
		PrivateKey:            text,
		ProxyUrl:              pulumi.String("http://proxy.example.com:3128"),
		PublicKey:             pulumi.String("abcdefgh"),
		ReadCacheSeconds:      pulumi.Int(0),
		RefreshBeforeUpdate:   pulumi.Bool(true),
		RequestTimeoutSeconds: pulumi.Int(30),
		RequestsPerSecond:     pulumi.Float64(0.5),
		SkipTlsVerification:   pulumi.Bool(false),
	})
	if err != nil {
		return err
	}
	project, err := opsmanager.NewProject(ctx, "payments", &opsmanager.ProjectArgs{
		IgnoreTags: pulumi.ToStringArray([]string{"K8S_*"}),
		LdapGroupMappings: opsmanager.LdapGroupMappingArray{
			opsmanager.LdapGroupMappingArgs{
				RoleName:   opsmanager.ProjectRoleReadOnly,
				LdapGroups: pulumi.StringArray{text},
			},
			&opsmanager.LdapGroupMappingArgs{
				RoleName:   pulumi.String("GROUP_A_ROLE_OF_TOMORROW"),
				LdapGroups: pulumi.StringArray{pulumi.String("cn=all")},
			},
		},
		Name:                      pulumi.String("payments"),
		OnDestroy:                 opsmanager.OnDestroyRelease,
		OrgId:                     text,
		ProjectId:                 text,
		ProjectOwnerId:            pulumi.StringPtr("5f0000000000000000000001"),
		Tags:                      pulumi.StringArray{pulumi.String("PROD"), text},
		WithDefaultAlertsSettings: pulumi.Bool(false),
	}, pulumi.Provider(provider), pulumi.Protect(true))
	if err != nil {
		return err
	}
	member, err := opsmanager.NewProjectMember(ctx, "ada", &opsmanager.ProjectMemberArgs{
		InvitationId: text,
		OnDestroy:    opsmanager.AccessOnDestroyRelease,
		ProjectId:    project.ProjectId,
		Roles: pulumi.StringArray{
			opsmanager.ProjectRoleOwner, pulumi.String("GROUP_A_ROLE_OF_TOMORROW"), text,
		},
		UserId:   text,
		Username: pulumi.String("ada@example.com"),
	})
	if err != nil {
		return err
	}
	members, err := opsmanager.NewProjectMembers(ctx, "allMembers", &opsmanager.ProjectMembersArgs{
		IgnoreUsers: pulumi.StringArray{pulumi.String("svc-*")},
		MaxRemovals: pulumi.Int(3),
		Members: pulumi.StringArrayMap{
			"ada@example.com": pulumi.StringArray{opsmanager.ProjectRoleOwner},
			"bob@example.com": pulumi.ToStringArray([]string{"GROUP_READ_ONLY"}),
		},
		OnDestroy:      opsmanager.AccessOnDestroyRemove,
		ProjectId:      project.ProjectId,
		RemoveUnlisted: pulumi.Bool(false),
	})
	if err != nil {
		return err
	}
	known, err := opsmanager.GetProject(ctx, "known", pulumi.ID("5f0000000000000000000001"), nil)
	if err != nil {
		return err
	}

	var (
		_ pulumi.StringOutput                       = project.ProjectId
		_ pulumi.StringArrayOutput                  = project.Tags
		_ pulumi.BoolOutput                         = project.TagsVisible
		_ opsmanager.LdapGroupMappingArrayOutput    = project.LdapGroupMappings
		_ pulumi.StringOutput                       = known.Name
		_ pulumi.StringOutput                       = member.Status
		_ pulumi.StringPtrOutput                    = member.UserId
		_ pulumi.StringArrayMapOutput               = members.Members
		_ opsmanager.ProjectMemberDetailArrayOutput = members.MemberDetails
	)
	return nil
}

// Every lookup, at once and with outputs.
func lookups(ctx *pulumi.Context) error {
	project, err := opsmanager.LookupProject(ctx, &opsmanager.LookupProjectArgs{
		OrgId: pulumi.StringRef("5f0000000000000000000001"), Name: pulumi.StringRef("payments"),
	})
	if err != nil {
		return err
	}
	projects, err := opsmanager.GetProjects(ctx, &opsmanager.GetProjectsArgs{Tags: []string{"PROD"}})
	if err != nil {
		return err
	}
	people, err := opsmanager.LookupProjectMembers(ctx, &opsmanager.LookupProjectMembersArgs{
		ProjectId: project.ProjectId, IncludeIndirect: pulumi.BoolRef(true),
	})
	if err != nil {
		return err
	}
	invitations, err := opsmanager.GetProjectInvitations(ctx, &opsmanager.GetProjectInvitationsArgs{
		ProjectId: project.ProjectId, Username: pulumi.StringRef("ada@example.com"),
	})
	if err != nil {
		return err
	}
	invitation, err := opsmanager.GetProjectInvitation(ctx, &opsmanager.GetProjectInvitationArgs{
		ProjectId: project.ProjectId, InvitationId: "5f0000000000000000000002",
	})
	if err != nil {
		return err
	}

	var (
		_ *int                           = project.ShardCount
		_ map[string]int                 = project.HostCounts
		_ []opsmanager.ProjectSummary    = projects.Projects
		_ []opsmanager.ProjectPerson     = people.Members
		_ []opsmanager.ProjectInvitation = invitations.Invitations
		_ []string                       = invitation.Roles

		_ pulumi.StringOutput = opsmanager.LookupProjectOutput(ctx, opsmanager.LookupProjectOutputArgs{
			ProjectId: text,
		}).Name()
		_ opsmanager.ProjectSummaryArrayOutput = opsmanager.GetProjectsOutput(ctx,
			opsmanager.GetProjectsOutputArgs{OrgId: text}).Projects()
		_ opsmanager.ProjectPersonArrayOutput = opsmanager.LookupProjectMembersOutput(ctx,
			opsmanager.LookupProjectMembersOutputArgs{ProjectId: text}).Members()
		_ opsmanager.ProjectInvitationArrayOutput = opsmanager.GetProjectInvitationsOutput(ctx,
			opsmanager.GetProjectInvitationsOutputArgs{ProjectId: text}).Invitations()
		_ pulumi.StringOutput = opsmanager.GetProjectInvitationOutput(ctx,
			opsmanager.GetProjectInvitationOutputArgs{ProjectId: text, InvitationId: text}).ExpiresAt()
	)
	return nil
}

var _ = []any{resources, lookups}
