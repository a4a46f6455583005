import * as pulumi from "@pulumi/pulumi";
import { Project } from "pulumi-opsmanager/dynamic";

const config = new pulumi.Config();

const billing = new Project("billing", {
  orgId: config.require("orgId"),
  name: "billing",
  tags: ["PROD", "TEAM_BILLING"],
});

const legacy = new Project("legacy", {
  projectId: config.require("legacyProjectId"),
  tags: ["PROD", "TEAM_LEGACY"],
});

export const billingId = billing.projectId;
export const legacyName = legacy.name;
