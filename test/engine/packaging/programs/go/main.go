package main

import (
	"github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		payments, err := opsmanager.NewProject(ctx, "payments", &opsmanager.ProjectArgs{
			OrgId: pulumi.String(config.Require(ctx, "orgId")),
			Name:  pulumi.String("payments"),
			Tags:  pulumi.ToStringArray([]string{"PROD"}),
		})
		if err != nil {
			return err
		}
		ctx.Export("projectId", payments.ProjectId)
		return nil
	})
}
