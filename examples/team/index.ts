import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";
import { people } from "./people";

const config = new pulumi.Config();

const payments = new opsmanager.Project("payments", {
  orgId: config.require("orgId"),
  name: "payments",
  tags: ["PROD", "TEAM_PAYMENTS"],
});

// Whoever has no account yet is invited; once they accept they are the same resource, and are not invited again.
// People with access to the project through other sources are left unchanged.
const members = people.map(
  ({ username, roles }) =>
    new opsmanager.ProjectMember(
      username,
      { projectId: payments.projectId, username, roles },
      // Destroying the stack deletes the project with everyone in it. Without this, people would be removed one by
      // one before, and the service refuses to let the last owner go.
      { deletedWith: payments },
    ),
);

export const projectId = payments.projectId;

// Who has not accepted yet, as of this run.
export const pending = pulumi
  .output(members.map(({ username, status }) => ({ username, status })))
  .apply((everybody) =>
    everybody.filter(({ status }) => status === "pending").map(({ username }) => username),
  );
