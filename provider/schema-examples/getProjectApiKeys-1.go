package main

import (
	"github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found := opsmanager.GetProjectApiKeysOutput(ctx, opsmanager.GetProjectApiKeysOutputArgs{
			ProjectId: pulumi.String("5f0000000000000000000002"),
		})
		ctx.Export("keys", found.Keys())
		return nil
	})
}
