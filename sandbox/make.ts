import { newAgentApiKey, newClientCredentials, newId, newKeyPair } from "./ids";
import type {
  Account,
  AgentKey,
  ApiKey,
  ClientSecret,
  IdpGroupMapping,
  LdapGroupMapping,
  Org,
  Project,
  ProjectTeam,
  RoleGrant,
  ServiceAccount,
  Team,
} from "./model";

/** Functions that make complete objects from a few given fields. Omitted fields get the default noted here. */

type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Fields of a project; default: no tags, no mappings, no hosts, API enabled. */
export interface ProjectFacts {
  id?: string | undefined;
  name: string;
  orgId: string;
  tags?: readonly string[] | undefined;
  ldapGroupMappings?: readonly LdapGroupMapping[] | undefined;
  idpGroupMappings?: readonly IdpGroupMapping[] | undefined;
  hostCounts?: Readonly<Record<string, number>> | undefined;
  lastActiveAgent?: string | undefined;
  activeAgentCount?: number | undefined;
  replicaSetCount?: number | undefined;
  shardCount?: number | undefined;
  publicApiEnabled?: boolean | undefined;
  agentApiKey?: string | undefined;
  agentKeys?: readonly AgentKey[] | undefined;
  hasBackups?: boolean | undefined;
  teams?: readonly ProjectTeam[] | undefined;
}

/** Fields of an account; default: the username is the e-mail address, no roles. */
export type AccountFacts = Given<Omit<Account, "username">> & { username: string };

/** Fields of an organization. */
export type OrgFacts = Given<Org>;

/** Fields of a team. */
export type TeamFacts = Given<Omit<Team, "orgId">> & { orgId: string };

/** Fields of an agent key; default: random, without a description, made by a user. */
export type AgentKeyFacts = Given<AgentKey>;

/** Fields of an API key; default: a random pair, no roles, allowed from everywhere. */
export type KeyFacts = Given<ApiKey>;

/**
 * Fields of a service account; default: a random ID, one random secret, a name, no roles, allowed from everywhere, not
 * managed by the service.
 */
export type ServiceAccountFacts = Given<ServiceAccount>;

/** The object without the entries that are undefined, so that they do not hide a default. */
export function defined<T extends object>(facts: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

const noHosts = { arbiter: 0, config: 0, master: 0, mongos: 0, primary: 0, secondary: 0, slave: 0 };

/** `now` becomes lastActiveAgent where none is given. */
export function newProject(facts: ProjectFacts, now: string): Project {
  const { agentApiKey = newAgentApiKey() } = facts;
  return {
    id: newId(),
    tags: [],
    ldapGroupMappings: [],
    idpGroupMappings: [],
    hostCounts: noHosts,
    lastActiveAgent: now,
    activeAgentCount: 0,
    replicaSetCount: 0,
    shardCount: 0,
    publicApiEnabled: true,
    agentApiKey,
    agentKeys: [newAgentKey({ key: agentApiKey, createdBy: "PROVISIONING" })],
    hasBackups: false,
    teams: [],
    ...defined(facts),
  };
}

export const newAgentKey = (facts: AgentKeyFacts): AgentKey => ({
  id: newId(),
  key: newAgentApiKey(),
  desc: "",
  createdBy: "USER",
  createdTime: Date.now(),
  ...defined(facts),
});

export function newAccount(facts: AccountFacts): Account {
  const local = facts.username.split("@")[0] ?? "";
  return {
    id: newId(),
    emailAddress: facts.username,
    firstName: local,
    lastName: "Example",
    mobileNumber: "",
    country: "IE",
    roles: [],
    ...defined(facts),
  };
}

export const newOrg = (facts: OrgFacts): Org => ({ id: newId(), name: "Example Org", ...defined(facts) });

export const newTeam = (facts: TeamFacts): Team => ({
  id: newId(),
  name: "Team",
  userIds: [],
  ...defined(facts),
});

const newCaller = () => ({ id: newId(), desc: "", roles: [], ipAllowed: true, accessList: [] });

export const newKey = (facts: KeyFacts): ApiKey => ({ ...newCaller(), ...newKeyPair(), ...defined(facts) });

export const newServiceAccount = (facts: ServiceAccountFacts, now = Date.now()): ServiceAccount => ({
  ...newCaller(),
  ...newClientCredentials(),
  name: "Service account",
  createdAt: new Date(now).toISOString(),
  secrets: [newClientSecret(now)],
  isSystemManaged: false,
  ...defined(facts),
});

const DAY_MS = 24 * 60 * 60 * 1000;

/** A secret with the longest life, a year. */
export const newClientSecret = (now = Date.now()): ClientSecret => ({
  id: newId(),
  createdAt: new Date(now).toISOString(),
  expiresAt: new Date(now + 365 * DAY_MS).toISOString(),
});

/** The roles of the default key: everything works with it. */
export const fullRoles = (orgId: string): RoleGrant[] => [
  { roleName: "GLOBAL_OWNER" },
  { orgId, roleName: "ORG_OWNER" },
];
