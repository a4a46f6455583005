//go:build wrong

package types

import (
	"github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Each line that is marked must be an error, and no other.
var (
	_ = opsmanager.ProjectArgs{Nmae: text}                                     // wrong
	_ = opsmanager.ProjectArgs{Name: pulumi.Int(7)}                            // wrong
	_ = opsmanager.ProjectArgs{Tags: pulumi.String("PROD")}                    // wrong
	_ = opsmanager.ProjectArgs{LdapGroupMappings: pulumi.StringArray{text}}    // wrong
	_ = opsmanager.LdapGroupMappingArgs{RoleName: pulumi.Int(7)}               // wrong
	_ = opsmanager.ProjectMemberArgs{Roles: pulumi.StringArray{pulumi.Int(7)}} // wrong
	_ = opsmanager.ProjectMemberArgs{Roles: []string{"GROUP_OWNER"}}           // wrong
	_ = opsmanager.ProjectMembersArgs{Members: pulumi.StringArray{text}}       // wrong
	_ = opsmanager.ProviderArgs{MaxRetries: pulumi.String("four")}             // wrong
	_ = opsmanager.LookupProjectArgs{Name: "payments"}                         // wrong
	_ = opsmanager.ProjectRoleMaster                                           // wrong
	_ = opsmanager.Project{}.AgentApiKey                                       // wrong
	_ = opsmanager.ProjectMemberArgs{Roles: pulumi.StringArray{pulumi.String("GROUP_A_ROLE_OF_TOMORROW")}}
)
