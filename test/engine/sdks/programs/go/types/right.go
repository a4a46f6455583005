// Package types holds compiler errors of programs that use the SDK. It is compiled and never run. The examples of the package
// schema, which are compiled with it, use every resource and lookup.
package types

import (
	"github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

var text = pulumi.String("text").ToStringOutput()

// Plain values, outputs, and roles that the SDK does not know.
var (
	_ = opsmanager.ProjectArgs{
		LdapGroupMappings: opsmanager.LdapGroupMappingArray{
			opsmanager.LdapGroupMappingArgs{
				RoleName: opsmanager.ProjectRoleReadOnly, LdapGroups: pulumi.StringArray{text},
			},
			&opsmanager.LdapGroupMappingArgs{
				RoleName: pulumi.String("GROUP_A_ROLE_OF_TOMORROW"), LdapGroups: pulumi.StringArray{pulumi.String("cn=all")},
			},
		},
		OnDestroy:      opsmanager.OnDestroyRelease,
		OrgId:          text,
		ProjectOwnerId: pulumi.StringPtr("5f0000000000000000000001"),
		Tags:           pulumi.StringArray{pulumi.String("PROD"), text},
	}
	_ = opsmanager.ProjectMemberArgs{
		OnDestroy: opsmanager.AccessOnDestroyRelease,
		Roles: pulumi.StringArray{
			opsmanager.ProjectRoleOwner, pulumi.String("GROUP_A_ROLE_OF_TOMORROW"), text,
		},
	}
	_ = opsmanager.ProjectMembersArgs{
		MaxRemovals: pulumi.Int(3),
		Members: pulumi.StringArrayMap{
			"ada@example.com": pulumi.StringArray{opsmanager.ProjectRoleOwner},
			"bob@example.com": pulumi.ToStringArray([]string{"GROUP_READ_ONLY"}),
		},
	}
)

func outputs(
	ctx *pulumi.Context, project *opsmanager.Project, member *opsmanager.ProjectMember,
	members *opsmanager.ProjectMembers, found *opsmanager.LookupProjectResult, listed *opsmanager.GetProjectsResult,
) {
	var (
		_ pulumi.StringArrayOutput                  = project.Tags
		_ pulumi.BoolOutput                         = project.TagsVisible
		_ opsmanager.LdapGroupMappingArrayOutput    = project.LdapGroupMappings
		_ pulumi.StringPtrOutput                    = member.UserId
		_ pulumi.StringArrayMapOutput               = members.Members
		_ opsmanager.ProjectMemberDetailArrayOutput = members.MemberDetails
		_ *int                                      = found.ShardCount
		_ map[string]int                            = found.HostCounts
		_ []opsmanager.ProjectSummary               = listed.Projects
		_ opsmanager.ProjectPersonArrayOutput       = opsmanager.LookupProjectMembersOutput(ctx,
			opsmanager.LookupProjectMembersOutputArgs{ProjectId: text}).Members()
	)
}
