package main

import (
	"github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		payments, err := opsmanager.LookupProject(ctx, &opsmanager.LookupProjectArgs{
			OrgId: pulumi.StringRef("5f0000000000000000000001"),
			Name:  pulumi.StringRef("payments"),
		})
		if err != nil {
			return err
		}
		_, err = opsmanager.NewProjectMember(ctx, "ada", &opsmanager.ProjectMemberArgs{
			ProjectId: pulumi.String(payments.ProjectId),
			Username:  pulumi.String("ada@example.com"),
			Roles: pulumi.StringArray{
				pulumi.String(opsmanager.ProjectRoleReadOnly),
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
