import { canSeeTags } from "./access";
import { isLdapBacked } from "./ldap-people";
import type { Account, Invitation, Org, Project, ProjectTeam } from "./model";
import { teamIdsOf } from "./people";
import type { Call } from "./router";

/** The form of stored objects in answers. */

type Json = Record<string, unknown>;

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
    ...(world.switches.samlMappings === "present" ? { samlGroupMappings: [] } : {}),
    links: selfLink(call, `/groups/${project.id}`),
  };
}

/** A project with its agentApiKey, as the answers to POST, PATCH and byName have it. */
export const projectViewWithKey = (call: Call, project: Project): Json => ({
  ...projectView(call, project),
  agentApiKey: project.agentApiKey,
});

/** A project as an entry of its organization's list. */
export function orgProjectView(call: Call, project: Project): Json {
  const { tags, ldapGroupMappings, ...others } = projectView(call, project);
  return call.world.switches.orgProjectFields === "all" ? projectView(call, project) : others;
}

export function orgView(call: Call, { isDeleted = false, ...org }: Org): Json {
  return { id: org.id, name: org.name, isDeleted, links: selfLink(call, `/orgs/${org.id}`) };
}

/** An account with all its roles, everywhere. */
export function accountView(call: Call, account: Account): Json {
  const { id, username, emailAddress, firstName, lastName, mobileNumber, country, roles } = account;
  const teamIds = teamIdsOf(call.world.store, id);
  return {
    id,
    username,
    emailAddress,
    firstName,
    lastName,
    ...(mobileNumber === "" ? {} : { mobileNumber }),
    country,
    roles,
    teamIds,
    links: selfLink(call, `/users/${id}`),
  };
}

/** An invitation; `groupName` is the project's name of today. */
export function invitationView(call: Call, invitation: Invitation): Json {
  const { id, groupId, username, roles, teamIds, createdAt, expiresAt, inviterUsername } = invitation;
  const groupName = call.world.store.projects.get(groupId)?.name ?? "";
  return { id, groupId, groupName, createdAt, expiresAt, inviterUsername, roles, username, teamIds };
}

export const projectTeamView = (team: ProjectTeam): Json => ({
  teamId: team.teamId,
  roleNames: team.roleNames,
  links: [],
});
