import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";

/** The keys that work, by the month they were issued in. Each commit of a rotation changes this line. */
const issued = ["2026-01"];

const config = new pulumi.Config();

function issue(month: string) {
  const name = `pipeline-${month}`;
  const { keyId, publicKey, privateKey } = new opsmanager.ApiKey(name, {
    orgId: config.require("orgId"),
    description: `pipeline, issued ${month}`,
    roles: [opsmanager.OrganizationRole.Member],
  });
  new opsmanager.ProjectApiKey(name, {
    projectId: config.require("projectId"),
    keyId,
    roles: [opsmanager.ProjectRole.AutomationAdmin],
  });
  return { publicKey, privateKey };
}

/** For the clients: `pulumi stack output keys --show-secrets`. */
export const keys = Object.fromEntries(issued.map((month) => [month, issue(month)]));
