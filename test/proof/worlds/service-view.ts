/** What the service holds: projects, the people in them and invitations, as plain values that can be compared. */
import type { Sandbox } from "../../../sandbox";

export interface InvitationView {
  readonly id: string;
  readonly name: string;
  /** The account that the service invited, if it had one when it was invited. */
  readonly account: string | undefined;
  readonly roles: readonly string[];
  /** User or API key that sent it. */
  readonly inviter: string;
}

export interface ProjectView {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly ldapGroupMappings: string;
  /** Roles by account id. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** Only those that can be accepted. */
  readonly invitations: readonly InvitationView[];
  /** Roles by team id. */
  readonly teams: ReadonlyMap<string, readonly string[]>;
  /** Descriptions by id of the agent API key. */
  readonly agentKeys: ReadonlyMap<string, string>;
}

export interface TeamView {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly userIds: readonly string[];
}

export interface ApiKeyView {
  readonly id: string;
  readonly publicKey: string;
  readonly description: string;
  readonly orgRoles: readonly string[];
  /** Roles by project id. */
  readonly projectRoles: ReadonlyMap<string, readonly string[]>;
  readonly accessList: readonly string[];
}

export interface ServiceView {
  readonly projects: ReadonlyMap<string, ProjectView>;
  /** Current names by account id. */
  readonly names: ReadonlyMap<string, string>;
  readonly teams: ReadonlyMap<string, TeamView>;
  /** API keys by id, the provider's own among them. */
  readonly apiKeys: ReadonlyMap<string, ApiKeyView>;
}

export const fold = (name: string): string => name.toLowerCase();
export const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort();
export const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  sorted(one).join("\n") === sorted(other).join("\n");

/** Entries of an access list without the prefix length of a single address, sorted. */
export const accessEntries = (entries: readonly string[]): readonly string[] =>
  sorted(
    entries.map((entry) =>
      entry.replace(/\/(32|128)$/, (bits) => (bits === "/32" && entry.includes(":") ? bits : "")),
    ),
  );

export function viewService({ state, time }: Sandbox): ServiceView {
  const now = Date.parse(time);
  const projects = state.projects.map((project): ProjectView => {
    const { id, orgId, name, tags, ldapGroupMappings, teams, agentKeys } = project;
    const rolesOf = (account: (typeof state.users)[number]) =>
      account.roles.filter(({ groupId }) => groupId === id).map(({ roleName }) => roleName);
    const members = state.users.flatMap((account): [string, readonly string[]][] => {
      const roles = sorted(rolesOf(account));
      return roles.length === 0 ? [] : [[account.id, roles]];
    });
    const invitations = state.invitations
      .filter(({ groupId, expiresAt }) => groupId === id && Date.parse(expiresAt) > now)
      .map((invitation) => ({
        id: invitation.id,
        name: fold(invitation.username),
        account: invitation.userId,
        roles: sorted(invitation.roles),
        inviter: invitation.inviterUsername,
      }));
    return {
      id,
      orgId,
      name,
      tags: sorted(tags),
      ldapGroupMappings: mappingsText(ldapGroupMappings),
      members: new Map(members),
      invitations,
      teams: new Map(teams.map(({ teamId, roleNames }) => [teamId, sorted(roleNames)])),
      agentKeys: new Map(agentKeys.map(({ id: keyId, desc }) => [keyId, desc])),
    };
  });
  return {
    projects: new Map(projects.map((project) => [project.id, project])),
    names: new Map(state.users.map(({ id, username }) => [id, fold(username)])),
    teams: new Map(state.teams.map((team) => [team.id, team])),
    apiKeys: new Map(state.keys.map((key) => [key.id, viewKey(key)])),
  };
}

function viewKey({ id, publicKey, desc, roles, accessList }: Sandbox["state"]["keys"][number]): ApiKeyView {
  const inProjects = Map.groupBy(
    roles.filter(({ groupId }) => groupId !== undefined),
    ({ groupId = "" }) => groupId,
  );
  return {
    id,
    publicKey,
    description: desc,
    orgRoles: sorted(roles.filter(({ orgId }) => orgId !== undefined).map(({ roleName }) => roleName)),
    projectRoles: new Map(
      [...inProjects].map(([projectId, grants]) => [
        projectId,
        sorted(grants.map(({ roleName }) => roleName)),
      ]),
    ),
    accessList: accessEntries(accessList.map(({ cidrBlock }) => cidrBlock)),
  };
}

export function mappingsText(
  mappings: readonly { readonly roleName: string; readonly ldapGroups: readonly string[] }[],
): string {
  return sorted(mappings.map(({ roleName, ldapGroups }) => `${roleName}=${sorted(ldapGroups)}`)).join(";");
}

export const ownersOf = ({ members }: ProjectView): readonly string[] =>
  [...members].filter(([, roles]) => roles.includes("GROUP_OWNER")).map(([id]) => id);

export const accountNamed = ({ names }: ServiceView, name: string): string | undefined =>
  [...names].find(([, current]) => current === fold(name))?.[0];
