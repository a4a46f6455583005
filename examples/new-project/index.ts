// It also runs in a new organization: `OrganizationMember` invites the people. A team takes only people who have accepted,
// so run `pulumi up` again when they have: it adds them to the team.
import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";

const config = new pulumi.Config();
const orgId = config.require("orgId");
// A person who is in the organization already, such as yourself: a team needs someone in it.
const lead = config.require("lead");

const payments = new opsmanager.Project("payments", {
  orgId,
  name: "payments",
  tags: ["PROD", "TEAM_PAYMENTS"],
});

// The people stay in the organization if the stack is destroyed.
const people = ["ada@example.com", "bob@example.com"].map(
  (username) =>
    new opsmanager.OrganizationMember(username, {
      orgId,
      username,
      roles: ["ORG_MEMBER"],
      onDestroy: "release",
    }),
);
const accepted = pulumi
  .all(people.map(({ username, status }) => pulumi.all([username, status])))
  .apply((all) => all.flatMap(([username, status]) => (status === "active" ? [username] : [])));

// To give the team another project, declare another `ProjectTeam`.
const operators = new opsmanager.Team("operators", {
  orgId,
  name: "operators",
  usernames: accepted.apply((usernames) => [lead, ...usernames]),
});

new opsmanager.ProjectTeam("operators-in-payments", {
  projectId: payments.projectId,
  teamId: operators.teamId,
  roles: ["GROUP_AUTOMATION_ADMIN", "GROUP_MONITORING_ADMIN"],
});

// The key with which the agents on the hosts join the project. Deleting the project deletes it.
const agents = new opsmanager.AgentApiKey(
  "agents",
  { projectId: payments.projectId, description: "agents of payments" },
  { deletedWith: payments },
);

export const projectId = payments.projectId;

// A secret: `pulumi stack output agentApiKey --show-secrets` prints it.
export const agentApiKey = agents.key;
