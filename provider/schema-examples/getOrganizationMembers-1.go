package main

import (
	"github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found := opsmanager.GetOrganizationMembersOutput(ctx, opsmanager.GetOrganizationMembersOutputArgs{
			OrgId: pulumi.String("5f0000000000000000000001"),
		})
		ctx.Export("members", found.Members())
		return nil
	})
}
