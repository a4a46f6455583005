import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";

const config = new pulumi.Config();

const payments = new opsmanager.Project("payments", {
  orgId: config.require("orgId"),
  name: "payments",
  tags: ["PROD", "TEAM_PAYMENTS"],
});

new opsmanager.ProjectMembers(
  "people",
  {
    projectId: payments.projectId,
    members: { "ada@example.com": ["GROUP_OWNER"], "bob@example.com": ["GROUP_READ_ONLY"] },
    ignoreUsers: ["owner@example.com"],
    removeUnlisted: true,
  },
  { deletedWith: payments },
);

export const projectId = payments.projectId;
