"""Programs that use the SDK, for a type checker. The file is checked and never run. The examples of the package schema, which
are checked with it, use every resource and lookup.

A wrong use carries `type: ignore` with its error: the checker complains of each that is not needed.
"""

from typing import Mapping, Optional, Sequence

import pulumi
import pulumi_opsmanager as opsmanager
from pulumi_opsmanager import ProjectRole, outputs

text: pulumi.Output[str] = pulumi.Output.from_input("text")

# Classes, dictionaries, plain values, outputs, and roles that the SDK does not know.
project = opsmanager.Project(
    "payments",
    ldap_group_mappings=[
        opsmanager.LdapGroupMappingArgs(role_name=ProjectRole.READ_ONLY, ldap_groups=[text]),
        opsmanager.LdapGroupMappingArgs(role_name="GROUP_A_ROLE_OF_TOMORROW", ldap_groups=["cn=all"]),
        {"role_name": "GROUP_OWNER", "ldap_groups": ["cn=admins"]},
    ],
    on_destroy=opsmanager.OnDestroy.RELEASE,
    org_id=text,
    tags=["PROD", text],
)
adopted = opsmanager.Project("adopted", opsmanager.ProjectArgs(project_id=text))
member = opsmanager.ProjectMember(
    "ada",
    project_id=project.project_id,
    username="ada@example.com",
    roles=[ProjectRole.OWNER, "GROUP_A_ROLE_OF_TOMORROW", text],
    on_destroy=opsmanager.AccessOnDestroy.RELEASE,
)
members = opsmanager.ProjectMembers(
    "allMembers",
    project_id=project.project_id,
    members={"ada@example.com": [ProjectRole.OWNER], "bob@example.com": ["GROUP_READ_ONLY"]},
    max_removals=3,
)

tags: pulumi.Output[Optional[Sequence[str]]] = project.tags
tags_visible: pulumi.Output[bool] = project.tags_visible
mappings: pulumi.Output[Optional[Sequence[outputs.LdapGroupMapping]]] = project.ldap_group_mappings
user_id: pulumi.Output[Optional[str]] = member.user_id
allMembers: pulumi.Output[Mapping[str, Sequence[str]]] = members.members
pending: pulumi.Output[list[str]] = members.member_details.apply(
    lambda details: [detail.username for detail in details if detail.status == "pending"]
)
found = opsmanager.get_project(org_id="5f0000000000000000000001", name="payments")
hosts: Optional[Mapping[str, int]] = found.host_counts
shards: Optional[int] = found.shard_count
projects: Sequence[outputs.ProjectSummary] = opsmanager.get_projects(tags=["PROD"]).projects
people: pulumi.Output[Sequence[outputs.ProjectPerson]] = opsmanager.get_project_members_output(
    project_id=project.project_id
).members

# What is wrong.
opsmanager.Project("wrong", nmae="payments")  # type: ignore[call-overload]
opsmanager.Project("wrong", name=7)  # type: ignore[call-overload]
opsmanager.ProjectArgs(project=text)  # type: ignore[call-arg]
opsmanager.ProjectMemberArgs(username="ada@example.com")  # type: ignore[call-arg]
opsmanager.ProjectMemberArgs(project_id=text, roles=[7])  # type: ignore[list-item]
opsmanager.ProjectMembersArgs(project_id=text, members=["ada@example.com"])  # type: ignore[arg-type]
opsmanager.LdapGroupMappingArgs(role_name=7, ldap_groups=[])  # type: ignore[arg-type]
opsmanager.Provider("wrong", max_retries="four")  # type: ignore[call-overload]
opsmanager.get_project(id="5f0000000000000000000001")  # type: ignore[call-arg]
ProjectRole.MASTER  # type: ignore[attr-defined]
project.agent_api_key  # type: ignore[attr-defined]
member.roles = text  # type: ignore[misc]
