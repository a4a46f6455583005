import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";

const payments = new opsmanager.Project("payments", {
  orgId: new pulumi.Config().require("orgId"),
  name: "payments",
  tags: ["PROD", "TEAM_PAYMENTS"],
});
new opsmanager.ProjectMembers("payments", {
  projectId: payments.projectId,
  members: { "ada@example.com": ["GROUP_OWNER"], "bob@example.com": ["GROUP_READ_ONLY"] },
});
