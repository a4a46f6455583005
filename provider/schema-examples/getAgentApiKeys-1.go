package main

import (
	"github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		legacy, err := opsmanager.NewProject(ctx, "legacy", &opsmanager.ProjectArgs{
			ProjectId: pulumi.String("5f0000000000000000000002"),
		})
		if err != nil {
			return err
		}
		found := opsmanager.GetAgentApiKeysOutput(ctx, opsmanager.GetAgentApiKeysOutputArgs{
			ProjectId: legacy.ProjectId,
		})
		ctx.Export("keys", found.Keys())
		return nil
	})
}
