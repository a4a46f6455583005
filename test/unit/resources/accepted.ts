/** Inputs of each kind with most of its properties, for Check. */
import { type Properties, UNKNOWN } from "../../../provider/resources/contract/values";
import type { ResourceKind } from "../../../provider/resources/kinds";

export const projectId = "5f00000000000000000000a1";
export const orgId = "5f00000000000000000000b1";
export const id = "5f00000000000000000000c1";
const upper = (text: string) => text.toUpperCase();

/** Inputs of each kind without a fault, and their one form. */
export const accepted = {
  Project: {
    given: {
      projectId: upper(projectId),
      orgId: upper(orgId),
      name: "payments",
      tags: ["PROD", "A"],
      ignoreTags: ["Z*", "K*"],
      ldapGroupMappings: [
        { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=b", "cn=a"] },
        { roleName: "GROUP_OWNER", ldapGroups: ["cn=o"] },
      ],
      onDestroy: "release",
    },
    form: {
      projectId,
      orgId,
      tags: ["A", "PROD"],
      ignoreTags: ["K*", "Z*"],
      ldapGroupMappings: [
        { roleName: "GROUP_OWNER", ldapGroups: ["cn=o"] },
        { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=a", "cn=b"] },
      ],
    },
  },
  ProjectMember: {
    given: {
      projectId: upper(projectId),
      username: "Ada@Example.com",
      userId: upper(id),
      invitationId: upper(id),
      roles: ["GROUP_READ_ONLY", UNKNOWN, "GROUP_OWNER"],
      onDestroy: "release",
    },
    form: { projectId, userId: id, invitationId: id, roles: ["GROUP_OWNER", "GROUP_READ_ONLY", UNKNOWN] },
  },
  ProjectMembers: {
    given: {
      projectId: upper(projectId),
      members: {
        "grace@example.com": ["GROUP_READ_ONLY", "GROUP_OWNER"],
        "Ada@example.com": ["GROUP_READ_ONLY"],
      },
      ignoreUsers: ["svc-*", "ops-*"],
      maxRemovals: 0,
      removeUnlisted: true,
      onDestroy: "remove",
    },
    form: {
      projectId,
      members: {
        "Ada@example.com": ["GROUP_READ_ONLY"],
        "grace@example.com": ["GROUP_OWNER", "GROUP_READ_ONLY"],
      },
      ignoreUsers: ["ops-*", "svc-*"],
    },
  },
  Team: {
    given: {
      teamId: upper(id),
      orgId: upper(orgId),
      name: "Operators",
      usernames: ["grace@example.com", "Ada@example.com"],
      maxRemovals: 0,
      removeUnlisted: true,
      onDestroy: "release",
    },
    form: { teamId: id, orgId, usernames: ["Ada@example.com", "grace@example.com"] },
  },
  ProjectTeam: {
    given: {
      projectId: upper(projectId),
      teamId: upper(id),
      roles: ["GROUP_READ_ONLY", "GROUP_OWNER"],
      onDestroy: "release",
    },
    form: { projectId, teamId: id, roles: ["GROUP_OWNER", "GROUP_READ_ONLY"] },
  },
  ApiKey: {
    given: {
      orgId: upper(orgId),
      description: "ci",
      roles: ["ORG_READ_ONLY", "ORG_MEMBER"],
      accessList: ["2001:DB8:0::/32", "192.0.2.7/32"],
      triggers: { b: "2", a: null, c: "1" },
      onDestroy: "release",
    },
    form: {
      orgId,
      roles: ["ORG_MEMBER", "ORG_READ_ONLY"],
      accessList: ["192.0.2.7", "2001:db8::/32"],
      triggers: { b: "2", c: "1" },
    },
  },
  ProjectApiKey: {
    given: {
      projectId: upper(projectId),
      keyId: upper(id),
      roles: ["GROUP_READ_ONLY", "GROUP_OWNER"],
      onDestroy: "remove",
    },
    form: { projectId, keyId: id, roles: ["GROUP_OWNER", "GROUP_READ_ONLY"] },
  },
  AgentApiKey: {
    given: {
      projectId: upper(projectId),
      description: "agents",
      triggers: { date: "2026-11" },
      onDestroy: "remove",
    },
    form: { projectId },
  },
  OrganizationMember: {
    given: {
      orgId: upper(orgId),
      username: "Ada@example.com",
      roles: ["ORG_READ_ONLY", "ORG_MEMBER"],
      onDestroy: "remove",
    },
    form: { orgId, roles: ["ORG_MEMBER", "ORG_READ_ONLY"] },
  },
  Organization: {
    given: {
      orgId: upper(orgId),
      name: "Example",
      idpGroupMappings: [
        { roleName: "ORG_READ_ONLY", idpGroups: ["staff", "auditors"] },
        { roleName: "ORG_OWNER", idpGroups: ["owners"] },
      ],
    },
    form: {
      orgId,
      idpGroupMappings: [
        { roleName: "ORG_OWNER", idpGroups: ["owners"] },
        { roleName: "ORG_READ_ONLY", idpGroups: ["auditors", "staff"] },
      ],
    },
  },
} satisfies Record<ResourceKind, { given: Properties; form: Properties }>;

export type Kind = keyof typeof accepted;
