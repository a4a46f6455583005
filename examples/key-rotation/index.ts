import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";

type Issued = Record<string, { until?: string }>;

/** The keys by the month they were issued in, each with its last day. A rotation changes this line. */
const issued: Issued = { "2026-01": {} };

const config = new pulumi.Config();

function issue(month: string, { until }: { until?: string }) {
  const name = `pipeline-${month}`;
  const { keyId, publicKey, privateKey } = new opsmanager.ApiKey(name, {
    orgId: config.require("orgId"),
    description: `pipeline, issued ${month}`,
    roles: [opsmanager.OrganizationRole.Member],
    until,
  });
  new opsmanager.ProjectApiKey(name, {
    projectId: config.require("projectId"),
    keyId,
    roles: [opsmanager.ProjectRole.AutomationAdmin],
    until,
  });
  return { publicKey, privateKey };
}

/** For the clients: `pulumi stack output keys --show-secrets`. */
export const keys = Object.fromEntries(
  Object.entries(issued).map(([month, end]) => [month, issue(month, end)]),
);
