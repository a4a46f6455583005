import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";

const config = new pulumi.Config();

// A project that this stack creates; destroying the stack deletes it.
const payments = new opsmanager.Project("payments", {
  orgId: config.require("orgId"),
  name: "payments",
  tags: ["PROD", "TEAM_PAYMENTS"],
  // Only if Ops Manager is LDAP-backed. A list needs an entry for GROUP_OWNER.
  ldapGroupMappings: [
    { roleName: "GROUP_OWNER", ldapGroups: ["cn=platform,dc=example,dc=com"] },
    { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=developers,dc=example,dc=com"] },
  ],
});

// A project that exists already; destroying the stack leaves it unchanged.
const legacy = new opsmanager.Project("legacy", {
  projectId: config.require("legacyProjectId"),
  tags: ["PROD", "TEAM_LEGACY"],
});

// Functions read invitations and never change them.
const invitation = opsmanager.getProjectInvitationOutput({
  projectId: legacy.projectId,
  invitationId: config.require("invitationId"),
});

export const paymentsId = payments.projectId;
export const legacyName = legacy.name;
export const invited = pulumi.interpolate`${invitation.username} as ${invitation.roles[0]}`;
