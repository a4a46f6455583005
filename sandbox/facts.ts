import type { Fields } from "./fields";
import type {
  AccountFacts,
  AgentKeyFacts,
  KeyFacts,
  OrgFacts,
  ProjectFacts,
  ServiceAccountFacts,
  TeamFacts,
} from "./make";
import { defined, newAgentKey } from "./make";
import type { FederatedRoles, IdpGroupMapping, LdapGroupMapping, ProjectTeam, RoleGrant } from "./model";

/** Reads the fields of the seed file and of the control address. Every field is optional here. */

type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

export type ProjectChange = Changes<ProjectFacts>;
export type AccountChange = Changes<AccountFacts>;
export type TeamChange = Changes<TeamFacts>;

export function readGrant(fields: Fields): RoleGrant {
  const groupId = fields.text("groupId");
  const orgId = fields.text("orgId");
  const roleName = fields.required("roleName", fields.text("roleName"));
  return {
    ...(groupId === undefined ? {} : { groupId }),
    ...(orgId === undefined ? {} : { orgId }),
    roleName,
  };
}

/** Reads `ldapGroupMappings`; undefined when it is not there. */
export function readMappings(fields: Fields): LdapGroupMapping[] | undefined {
  return fields.items("ldapGroupMappings", (item) => ({
    roleName: item.required("roleName", item.text("roleName")),
    ldapGroups: item.required("ldapGroups", item.texts("ldapGroups")),
  }));
}

/** Reads `idpGroupMappings`; undefined when it is not there. */
export function readIdpMappings(fields: Fields): IdpGroupMapping[] | undefined {
  return fields.items("idpGroupMappings", (item) => ({
    roleName: item.required("roleName", item.text("roleName")),
    idpGroups: item.required("idpGroups", item.texts("idpGroups")),
  }));
}

function readFederatedRoles(fields: Fields): FederatedRoles[] | undefined {
  return fields.items("roleMappings", (item) => ({
    externalGroupName: item.required("externalGroupName", item.text("externalGroupName")),
    roleAssignments: item.required(
      "roleAssignments",
      item.items("roleAssignments", (one) => {
        const role = one.required("role", one.text("role"));
        return { role, ...defined({ orgId: one.text("orgId"), groupId: one.text("groupId") }) };
      }),
    ),
  }));
}

export const readProjectTeam = (fields: Fields): ProjectTeam => ({
  teamId: fields.required("teamId", fields.text("teamId")),
  roleNames: fields.required("roleNames", fields.texts("roleNames")),
});

export const readAgentKey = (fields: Fields): AgentKeyFacts => ({
  id: fields.text("id"),
  key: fields.text("key"),
  desc: fields.text("desc"),
  createdBy: fields.text("createdBy"),
  createdTime: fields.number("createdTime"),
  createdIpAddr: fields.text("createdIpAddr"),
});

export const readProjectChange = (fields: Fields): ProjectChange => ({
  id: fields.text("id"),
  name: fields.text("name"),
  orgId: fields.text("orgId"),
  tags: fields.texts("tags"),
  ldapGroupMappings: readMappings(fields),
  idpGroupMappings: readIdpMappings(fields),
  hostCounts: fields.numbers("hostCounts"),
  lastActiveAgent: fields.text("lastActiveAgent"),
  activeAgentCount: fields.number("activeAgentCount"),
  replicaSetCount: fields.number("replicaSetCount"),
  shardCount: fields.number("shardCount"),
  publicApiEnabled: fields.flag("publicApiEnabled"),
  agentApiKey: fields.text("agentApiKey"),
  agentKeys: fields.items("agentKeys", (item) => newAgentKey(readAgentKey(item))),
  hasBackups: fields.flag("hasBackups"),
  teams: fields.items("teams", readProjectTeam),
});

export const readAccountChange = (fields: Fields): AccountChange => ({
  id: fields.text("id"),
  username: fields.text("username"),
  emailAddress: fields.text("emailAddress"),
  firstName: fields.text("firstName"),
  lastName: fields.text("lastName"),
  mobileNumber: fields.text("mobileNumber"),
  country: fields.text("country"),
  roles: fields.items("roles", readGrant),
  ldapGroups: fields.texts("ldapGroups"),
});

export const readOrg = (fields: Fields): OrgFacts => ({
  id: fields.text("id"),
  name: fields.text("name"),
  isDeleted: fields.flag("isDeleted"),
  ldapGroupMappings: readMappings(fields),
  idpGroupMappings: readIdpMappings(fields),
  federationId: fields.text("federationId"),
  roleMappings: readFederatedRoles(fields),
  postAuthRoleGrants: fields.texts("postAuthRoleGrants"),
});

export const readTeamChange = (fields: Fields): TeamChange => ({
  id: fields.text("id"),
  orgId: fields.text("orgId"),
  name: fields.text("name"),
  userIds: fields.texts("userIds"),
});

export const readKey = (fields: Fields): KeyFacts => ({
  ...readCaller(fields),
  publicKey: fields.text("publicKey"),
  privateKey: fields.text("privateKey"),
});

export const readServiceAccount = (fields: Fields): ServiceAccountFacts => ({
  ...readCaller(fields),
  clientId: fields.text("clientId"),
  clientSecret: fields.text("clientSecret"),
  name: fields.text("name"),
  createdAt: fields.text("createdAt"),
  secrets: fields.items("secrets", (item) => ({
    id: item.required("id", item.text("id")),
    createdAt: item.required("createdAt", item.text("createdAt")),
    expiresAt: item.required("expiresAt", item.text("expiresAt")),
    ...defined({ lastUsedAt: item.text("lastUsedAt") }),
  })),
  isSystemManaged: fields.flag("isSystemManaged"),
});

const readCaller = (fields: Fields) => ({
  id: fields.text("id"),
  desc: fields.text("desc"),
  roles: fields.items("roles", readGrant),
  orgId: fields.text("orgId"),
  ipAllowed: fields.flag("ipAllowed"),
  accessList: fields.items("accessList", (item) => ({
    cidrBlock: item.required("cidrBlock", item.text("cidrBlock")),
    created: item.text("created") ?? new Date().toISOString(),
  })),
});
