import pulumi
import pulumi_opsmanager as opsmanager

config = pulumi.Config()

payments = opsmanager.Project(
    "payments",
    org_id=config.require("orgId"),
    name="payments",
    tags=["PROD", "TEAM_PAYMENTS"],
    ldap_group_mappings=[
        opsmanager.LdapGroupMappingArgs(
            role_name=opsmanager.ProjectRole.OWNER, ldap_groups=["cn=developers,dc=example,dc=com"]
        )
    ],
)

ada = opsmanager.ProjectMember(
    "ada",
    project_id=payments.project_id,
    username="ada@example.com",
    roles=[opsmanager.ProjectRole.OWNER],
    opts=pulumi.ResourceOptions(deleted_with=payments),
)

emea = opsmanager.Provider(
    "emea",
    base_url=config.require("baseUrl"),
    public_key=config.require("publicKey"),
    private_key=config.require_secret("privateKey"),
    max_retries=1,
    refresh_before_update=True,
)

# The SDK gives properties Python's names (`project_id`); keys of a dictionary are data, and stay as they are.
billing = opsmanager.ProjectMembers(
    "billing",
    project_id=config.require("billingId"),
    members={
        "ada_Lovelace@example.com": ["GROUP_READ_ONLY", opsmanager.ProjectRole.DATA_ACCESS_READ_ONLY],
        "bob@example.com": [opsmanager.ProjectRole.OWNER],
        "svc-backup@example.com": [opsmanager.ProjectRole.BACKUP_ADMIN],
    },
    max_removals=0,
    opts=pulumi.ResourceOptions(provider=emea),
)

people = opsmanager.get_project_members_output(
    project_id=payments.project_id, opts=pulumi.InvokeOutputOptions(depends_on=[ada])
)
named = opsmanager.get_project(org_id=config.require("orgId"), name="billing")

pulumi.export("projectId", payments.project_id)
pulumi.export(
    "people",
    people.members.apply(lambda allMembers: {person.username: person.roles for person in allMembers}),
)
pulumi.export("billing", billing.members)
pulumi.export("billingName", named.name)
