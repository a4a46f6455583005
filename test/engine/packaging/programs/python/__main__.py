import pulumi
import pulumi_opsmanager as opsmanager

payments = opsmanager.Project(
    "payments",
    org_id=pulumi.Config().require("orgId"),
    name="payments",
    tags=["PROD"],
)

pulumi.export("projectId", payments.project_id)
