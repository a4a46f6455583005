"""Programs that use the SDK, for a type checker. The file is checked and never run.

A wrong use carries `type: ignore` with its error: the checker complains of each that is not needed.
"""

from typing import Mapping, Optional, Sequence, Union

import pulumi
import pulumi_opsmanager as opsmanager
from pulumi_opsmanager import ProjectRole, outputs

text: pulumi.Output[str] = pulumi.Output.from_input("text")

# Every argument of every resource, as classes, dictionaries, plain values and outputs.
provider = opsmanager.Provider(
    "emea",
    allow_insecure_http=False,
    base_url=text,
    ca_cert="ca.pem",
    client_cert="client.pem",
    client_key=pulumi.Output.secret("key"),
    max_concurrent_requests=4,
    max_retries=0,
    private_key=pulumi.Output.secret("key"),
    proxy_url="http://proxy.example.com:3128",
    public_key="abcdefgh",
    read_cache_seconds=0,
    refresh_before_update=True,
    request_timeout_seconds=30,
    requests_per_second=0.5,
    skip_tls_verification=False,
)
project = opsmanager.Project(
    "payments",
    ignore_tags=["K8S_*"],
    ldap_group_mappings=[
        opsmanager.LdapGroupMappingArgs(role_name=ProjectRole.READ_ONLY, ldap_groups=[text]),
        opsmanager.LdapGroupMappingArgs(role_name="GROUP_A_ROLE_OF_TOMORROW", ldap_groups=["cn=all"]),
        {"role_name": "GROUP_OWNER", "ldap_groups": ["cn=admins"]},
    ],
    name="payments",
    on_destroy=opsmanager.OnDestroy.RELEASE,
    org_id=text,
    project_owner_id="5f0000000000000000000001",
    tags=["PROD", text],
    with_default_alerts_settings=False,
    opts=pulumi.ResourceOptions(provider=provider, protect=True),
)
adopted = opsmanager.Project("adopted", opsmanager.ProjectArgs(project_id=text))
member = opsmanager.ProjectMember(
    "ada",
    project_id=project.project_id,
    username="ada@example.com",
    roles=[ProjectRole.OWNER, "GROUP_A_ROLE_OF_TOMORROW", text],
    on_destroy=opsmanager.AccessOnDestroy.RELEASE,
)
invited = opsmanager.ProjectMember("invited", project_id=text, invitation_id=text, user_id=text)
members = opsmanager.ProjectMembers(
    "allMembers",
    project_id=project.project_id,
    members={"ada@example.com": [ProjectRole.OWNER], "bob@example.com": ["GROUP_READ_ONLY"]},
    ignore_users=["svc-*"],
    max_removals=3,
    remove_unlisted=False,
    on_destroy=opsmanager.AccessOnDestroy.REMOVE,
)

# Outputs of resources.
project_id: pulumi.Output[str] = project.project_id
tags: pulumi.Output[Optional[Sequence[str]]] = project.tags
tags_visible: pulumi.Output[bool] = project.tags_visible
mappings: pulumi.Output[Optional[Sequence[outputs.LdapGroupMapping]]] = project.ldap_group_mappings
status: pulumi.Output[str] = member.status
user_id: pulumi.Output[Optional[str]] = member.user_id
roles: pulumi.Output[Optional[Sequence[str]]] = member.roles
allMembers: pulumi.Output[Mapping[str, Sequence[str]]] = members.members
pending: pulumi.Output[list[str]] = members.member_details.apply(
    lambda details: [detail.username for detail in details if detail.status == "pending"]
)
known = opsmanager.Project.get("known", "5f0000000000000000000001").name

# Results of functions.
found = opsmanager.get_project(org_id="5f0000000000000000000001", name="payments")
hosts: Optional[Mapping[str, int]] = found.host_counts
shards: Optional[int] = found.shard_count
by_id: pulumi.Output[str] = opsmanager.get_project_output(project_id=project.project_id).name
projects: Sequence[outputs.ProjectSummary] = opsmanager.get_projects(org_id="5f0000000000000000000001", tags=["PROD"]).projects
all_projects: pulumi.Output[Sequence[outputs.ProjectSummary]] = opsmanager.get_projects_output().projects
people: Sequence[outputs.ProjectPerson] = opsmanager.get_project_members(
    project_id="5f0000000000000000000001", include_indirect=True
).members
people_later = opsmanager.get_project_members_output(project_id=project.project_id).members
invitation: pulumi.Output[str] = opsmanager.get_project_invitation_output(
    project_id=project.project_id, invitation_id="5f0000000000000000000002"
).expires_at
invitations: Sequence[outputs.ProjectInvitation] = opsmanager.get_project_invitations(
    project_id="5f0000000000000000000001", username="ada@example.com"
).invitations
invitations_later = opsmanager.get_project_invitations_output(project_id=text).invitations

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
