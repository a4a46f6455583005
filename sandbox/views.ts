import { canSeeTags } from "./access";
import type { Actor, RecordedEvent } from "./event-log";
import { isLdapBacked } from "./ldap-people";
import type {
  Account,
  AgentKey,
  ApiKey,
  IdpGroupMapping,
  Invitation,
  Org,
  Project,
  ProjectTeam,
  RoleGrant,
  ServiceAccount,
  Team,
} from "./model";
import { teamIdsOf, teamRolesOf } from "./people";
import type { Call } from "./router";

/** The form of stored objects in responses. */

type Json = Record<string, unknown>;

/** The field of the groups of SAML and OIDC, if the service knows it. */
const idpMappings = ({ world }: Call, idpGroupMappings: readonly IdpGroupMapping[]): Json =>
  world.switches.idpMappings === "absent" ? {} : { idpGroupMappings };

const selfLink = (call: Call, path: string) => [{ rel: "self", href: `${call.apiUrl}${path}` }];

/** A project, without its agentApiKey. Tags only for keys that may see them, mappings only with LDAP. */
export function projectView(call: Call, project: Project): Json {
  const { world, key } = call;
  const { lastActiveAgent, masterSlaveCounts } = world.switches;
  const showsAgent = lastActiveAgent === "always" || project.activeAgentCount > 0;
  const { master: _master, slave: _slave, ...documentedCounts } = project.hostCounts;
  return {
    id: project.id,
    name: project.name,
    orgId: project.orgId,
    activeAgentCount: project.activeAgentCount,
    hostCounts: masterSlaveCounts ? project.hostCounts : documentedCounts,
    ...(showsAgent ? { lastActiveAgent: project.lastActiveAgent } : {}),
    replicaSetCount: project.replicaSetCount,
    shardCount: project.shardCount,
    publicApiEnabled: project.publicApiEnabled,
    ...(canSeeTags(world, key, project) ? { tags: project.tags } : {}),
    ...(isLdapBacked(world) ? { ldapGroupMappings: project.ldapGroupMappings } : {}),
    ...idpMappings(call, project.idpGroupMappings),
    links: selfLink(call, `/groups/${project.id}`),
  };
}

/** A project with its agentApiKey, as the responses to POST, PATCH and byName have it. */
export const projectViewWithKey = (call: Call, project: Project): Json => ({
  ...projectView(call, project),
  agentApiKey: project.agentApiKey,
});

/** A project as an entry of its organization's list. */
export function orgProjectView(call: Call, project: Project): Json {
  const { tags, ldapGroupMappings, ...others } = projectView(call, project);
  return call.world.switches.orgProjectFields === "all" ? projectView(call, project) : others;
}

/** The private key as every response but that of its creation shows it. */
function maskedKey({ world }: Call, { privateKey }: ApiKey): string | undefined {
  const hidden = (mark: string) => privateKey.replace(/[^-]/g, mark);
  const shown = {
    documented: () => `********-****-****-${privateKey.slice(-12)}`,
    x: () => hidden("x"),
    stars: () => hidden("*"),
    absent: () => undefined,
  };
  return shown[world.switches.apiKeyMask]();
}

/** An API key with its roles everywhere. Without `privateKey` it is masked. */
export function apiKeyView(call: Call, key: ApiKey, privateKey?: string): Json {
  const { id, desc, publicKey, roles } = key;
  const orgId = key.orgId ?? roles.find((grant) => grant.orgId !== undefined)?.orgId;
  const isAdded =
    call.world.switches.orgMemberOfKeys &&
    orgId !== undefined &&
    !roles.some((grant) => grant.orgId === orgId && grant.roleName === "ORG_MEMBER");
  const added = isAdded ? [{ orgId, roleName: "ORG_MEMBER" }] : [];
  return {
    id,
    desc,
    publicKey,
    privateKey: privateKey ?? maskedKey(call, key),
    roles: [...roles, ...added],
    links: selfLink(call, `/orgs/${orgId ?? ""}/apiKeys/${id}`),
  };
}

/** A service account. @param roles those that the list shows */
export function serviceAccountView(
  { world }: Call,
  { clientId, name, desc, createdAt, secrets, clientSecret }: ServiceAccount,
  roles: readonly RoleGrant[],
): Json {
  const maskedSecretValue = `mdb_sa_sk_...${clientSecret.slice(-4)}`;
  return {
    clientId,
    name,
    description: desc,
    createdAt,
    roles: world.switches.serviceAccountRoles === "text" ? roles.map(({ roleName }) => roleName) : roles,
    secrets: secrets.map((secret) => ({ ...secret, maskedSecretValue })),
  };
}

/** An agent key. @param key as the response shows it; `undefined` leaves it out */
export function agentKeyView({ world }: Call, agentKey: AgentKey, key: string | undefined): Json {
  const { agentKeyId, agentKeyTime, originalAgentKey } = world.switches;
  const { id, desc, createdBy, createdTime, createdIpAddr } = agentKey;
  return {
    [agentKeyId]: id,
    ...(key === undefined ? {} : { key }),
    desc,
    createdBy: createdBy === "PROVISIONING" ? originalAgentKey : createdBy,
    createdTime: agentKeyTime === "number" ? createdTime : new Date(createdTime).toISOString(),
    ...(createdIpAddr === undefined ? {} : { createdIpAddr }),
  };
}

/** @param isPatched the response to a PATCH, which shows the mappings also where others do not */
export function orgView(call: Call, { isDeleted = false, ...org }: Org, isPatched = false): Json {
  const { orgMappings } = call.world.switches;
  const showsMappings = orgMappings === "shown" || (orgMappings === "patch-only" && isPatched);
  return {
    id: org.id,
    name: org.name,
    isDeleted,
    ...(showsMappings && isLdapBacked(call.world) ? { ldapGroupMappings: org.ldapGroupMappings ?? [] } : {}),
    ...(showsMappings ? idpMappings(call, org.idpGroupMappings ?? []) : {}),
    links: selfLink(call, `/orgs/${org.id}`),
  };
}

/** An account with all its roles, everywhere. */
export function accountView(call: Call, account: Account): Json {
  const { id, username, emailAddress, firstName, lastName, mobileNumber, country } = account;
  const teamIds = teamIdsOf(call.world.store, id);
  return {
    id,
    username,
    emailAddress,
    firstName,
    lastName,
    ...(mobileNumber === "" ? {} : { mobileNumber }),
    country,
    roles: rolesShown(call, account),
    teamIds,
    links: selfLink(call, `/users/${id}`),
  };
}

/** An invitation; `groupName` or `orgName` is the present name of the project or organization. */
export function invitationView(call: Call, invitation: Invitation): Json {
  const { id, groupId, orgId, username, roles, teamIds, createdAt, expiresAt, inviterUsername } = invitation;
  const { orgs, projects } = call.world.store;
  const target =
    orgId === undefined
      ? { groupId, groupName: projects.get(groupId ?? "")?.name ?? "" }
      : { orgId, orgName: orgs.get(orgId)?.name ?? "" };
  return { id, ...target, createdAt, expiresAt, inviterUsername, roles, username, teamIds };
}

/** The roles of the account; with the switch `teamRolesInUsers` also those that come through teams. */
function rolesShown({ world }: Call, { id, roles }: Account): RoleGrant[] {
  const through = world.switches.teamRolesInUsers ? teamRolesOf(world.store, id) : [];
  const isOwn = (grant: RoleGrant) =>
    roles.some(({ groupId, roleName }) => groupId === grant.groupId && roleName === grant.roleName);
  return [...roles, ...through.filter((grant) => !isOwn(grant))];
}

export function teamView(call: Call, { id, name, orgId }: Team): Json {
  return { id, name, links: selfLink(call, `/orgs/${orgId}/teams/${id}`) };
}

/** A team in a project; its name is not part of it. */
export function projectTeamView(call: Call, { teamId, roleNames }: ProjectTeam): Json {
  return { teamId, roleNames, links: selfLink(call, `/groups/${call.param("groupId")}/teams/${teamId}`) };
}

/** The part of an event that names who made the change: a person or a key, never both. */
function actorView({ world }: Call, { userId, username, apiKeyId, publicKey }: Actor): Json {
  if (world.switches.eventActor === "missing") return {};
  return apiKeyId === undefined ? { userId, username } : { apiKeyId, publicKey };
}

/** The source of an event as far as clients show it. It holds no secret. */
const rawView = (call: Call, event: RecordedEvent): Json => ({
  _t: event.targetUsername === undefined ? "AUDIT" : "USER_AUDIT",
  cid: event.groupId ?? null,
  orgId: event.orgId ?? null,
  cre: event.created,
  et: event.eventTypeName,
  hidden: false,
  isMmsAdmin: event.isGlobalAdmin ?? false,
  severity: "INFO",
  source: "USER",
  targetUsername: event.targetUsername,
  un: actorView(call, event).username,
  userId: actorView(call, event).userId,
  remoteAddr: event.remoteAddress,
});

/** An event with its documented fields; the raw part only if it was requested. */
export const eventView = (call: Call, event: RecordedEvent, path: string, withRaw: boolean): Json => ({
  id: event.id,
  created: event.created,
  eventTypeName: event.eventTypeName,
  isGlobalAdmin: event.isGlobalAdmin ?? false,
  groupId: event.groupId,
  orgId: event.orgId,
  teamId: event.teamId,
  targetUsername: event.targetUsername,
  targetPublicKey: event.targetPublicKey,
  accessListEntry: event.accessListEntry,
  ...actorView(call, event),
  remoteAddress: event.remoteAddress,
  ...(withRaw ? { raw: rawView(call, event) } : {}),
  links: selfLink(call, path),
});
