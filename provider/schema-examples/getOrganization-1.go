package main

import (
	"github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found := opsmanager.LookupOrganizationOutput(ctx, opsmanager.LookupOrganizationOutputArgs{
			Name: pulumi.String("Example Org"),
		})
		ctx.Export("orgId", found.OrgId())
		return nil
	})
}
