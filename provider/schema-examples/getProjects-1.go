package main

import (
	"github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		production, err := opsmanager.GetProjects(ctx, &opsmanager.GetProjectsArgs{
			OrgId: pulumi.StringRef("5f0000000000000000000001"),
			Tags:  []string{"PROD"},
		})
		if err != nil {
			return err
		}
		ctx.Export("projects", pulumi.ToOutput(production.Projects))
		return nil
	})
}
