// A team takes only people who have accepted an invitation to the organization, and no resource sends such an invitation.
// In a new organization, first invite ada@example.com and bob@example.com in Ops Manager: Organization, Access Manager.
// Until both have accepted, `pulumi up` fails and names who is missing. Run it again then: it completes the rest.
import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";

const config = new pulumi.Config();
const orgId = config.require("orgId");

const payments = new opsmanager.Project("payments", {
  orgId,
  name: "payments",
  tags: ["PROD", "TEAM_PAYMENTS"],
});

// To give the team another project, declare another `ProjectTeam`.
const operators = new opsmanager.Team("operators", {
  orgId,
  name: "operators",
  usernames: ["ada@example.com", "bob@example.com"],
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
