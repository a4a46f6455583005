import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";
import { people } from "./people";

const config = new pulumi.Config();

const payments = new opsmanager.Project("payments", {
  orgId: config.require("orgId"),
  name: "payments",
  tags: ["PROD", "TEAM_PAYMENTS"],
});

// People without an account are invited. When they accept, they are the same resource and are not invited again.
// Other people in the project are left unchanged.
const members = people.map(
  ({ username, roles }) =>
    new opsmanager.ProjectMember(
      username,
      { projectId: payments.projectId, username, roles },
      // Destroying the stack deletes the project with everyone in it. Without this, Pulumi removes the people first, and
      // Ops Manager refuses to remove the last owner.
      { deletedWith: payments },
    ),
);

export const projectId = payments.projectId;

// People who have not accepted yet, as of this run.
export const pending = pulumi
  .output(members.map(({ username, status }) => ({ username, status })))
  .apply((everybody) =>
    everybody.filter(({ status }) => status === "pending").map(({ username }) => username),
  );
