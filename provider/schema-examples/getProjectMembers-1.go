package main

import (
	"github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		people, err := opsmanager.LookupProjectMembers(ctx, &opsmanager.LookupProjectMembersArgs{
			ProjectId:       "5f0000000000000000000002",
			IncludeIndirect: pulumi.BoolRef(true),
		})
		if err != nil {
			return err
		}
		ctx.Export("members", pulumi.ToOutput(people.Members))
		return nil
	})
}
