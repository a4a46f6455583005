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

export interface GroupView {
  readonly name: string;
  readonly role: string;
  readonly property: "ldapGroupMappings" | "idpGroupMappings";
}

export interface ProjectView {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly ldapGroupMappings: string;
  readonly idpGroupMappings: string;
  /** Groups of either kind with their roles. */
  readonly groups: readonly GroupView[];
  /** Roles by account id. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** Only those that can be accepted. */
  readonly invitations: readonly InvitationView[];
  /** Roles by team id. */
  readonly teams: ReadonlyMap<string, readonly string[]>;
  /** By account id: the roles of its teams, if the service shows them among those of the account. */
  readonly shownOfTeams: ReadonlyMap<string, readonly string[]>;
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
  readonly privateKey: string;
}

export type ServiceAccountView = Pick<ApiKeyView, "orgRoles" | "projectRoles">;

/** A person of the organization. */
export interface OrganizationPersonView {
  /** `undefined` while the person has no account. */
  readonly account: string | undefined;
  /** The present one. */
  readonly name: string;
  readonly status: "active" | "pending";
  /** Those in the organization, or of the newest invitation. */
  readonly roles: readonly string[];
  /** All that are pending, also beside a membership, and under other names. */
  readonly invitations: readonly { readonly name: string; readonly roles: readonly string[] }[];
}

export interface ServiceView {
  readonly projects: ReadonlyMap<string, ProjectView>;
  /** Current names by account id. */
  readonly names: ReadonlyMap<string, string>;
  readonly teams: ReadonlyMap<string, TeamView>;
  /** API keys by id, the provider's own among them. */
  readonly apiKeys: ReadonlyMap<string, ApiKeyView>;
  /** By client ID; empty where the service does not list them. */
  readonly serviceAccounts: ReadonlyMap<string, ServiceAccountView>;
  /** The first organization, which has all keys and service accounts. */
  readonly orgId: string;
  readonly orgFields: {
    readonly name: string;
    readonly ldapGroupMappings: string;
    readonly idpGroupMappings: string;
    readonly groups: ProjectView["groups"];
  };
  /** People of the first organization by account, or by name if they have none. */
  readonly organization: ReadonlyMap<string, OrganizationPersonView>;
}

export const fold = (name: string): string => name.toLowerCase();
export const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort();
export const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  sorted(one).join("\n") === sorted(other).join("\n");

/** The service adds ORG_MEMBER to the roles of some people and keys. */
export const hasRoles = (live: readonly string[], declared: readonly string[]): boolean =>
  sameSet(live, declared) ||
  (!declared.includes("ORG_MEMBER") &&
    sameSet(
      live.filter((role) => role !== "ORG_MEMBER"),
      declared,
    ));

/** Entries of an access list without the prefix length of a single address, sorted. */
export const accessEntries = (entries: readonly string[]): readonly string[] =>
  sorted(
    entries.map((entry) =>
      entry.replace(/\/(32|128)$/, (bits) => (bits === "/32" && entry.includes(":") ? bits : "")),
    ),
  );

export function viewService({ state, time, switches }: Sandbox): ServiceView {
  const now = Date.parse(time);
  const projects = state.projects.map((project): ProjectView => {
    const { id, orgId, name, tags, ldapGroupMappings, idpGroupMappings, teams, agentKeys } = project;
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
    const ofTeams = (account: string) =>
      teams.flatMap(({ teamId, roleNames }) => {
        const team = state.teams.find((one) => one.id === teamId);
        return team?.userIds.includes(account) ? roleNames : [];
      });
    return {
      id,
      orgId,
      name,
      tags: sorted(tags),
      ldapGroupMappings: mappingsText(ldapGroupMappings),
      idpGroupMappings: mappingsText(idpGroupMappings ?? []),
      groups: groupsIn(project),
      members: new Map(members),
      invitations,
      teams: new Map(teams.map(({ teamId, roleNames }) => [teamId, sorted(roleNames)])),
      shownOfTeams: new Map(
        switches.teamRolesInUsers ? members.map(([account]) => [account, ofTeams(account)]) : [],
      ),
      agentKeys: new Map(agentKeys.map(({ id: keyId, desc }) => [keyId, desc])),
    };
  });
  return {
    projects: new Map(projects.map((project) => [project.id, project])),
    names: new Map(state.users.map(({ id, username }) => [id, fold(username)])),
    teams: new Map(state.teams.map((team) => [team.id, team])),
    apiKeys: new Map(state.keys.map((key) => [key.id, viewKey(key, switches.orgMemberOfKeys)])),
    serviceAccounts: new Map(
      state.serviceAccounts.map(({ clientId, roles }) => [clientId, rolesByPlace(roles)]),
    ),
    orgId: state.orgs[0]?.id ?? "",
    orgFields: {
      name: state.orgs[0]?.name ?? "",
      ldapGroupMappings: mappingsText(state.orgs[0]?.ldapGroupMappings ?? []),
      idpGroupMappings: mappingsText(state.orgs[0]?.idpGroupMappings ?? []),
      groups: groupsIn(state.orgs[0] ?? {}),
    },
    organization: viewOrganization({ state, time }),
  };
}

const groupsIn = ({
  ldapGroupMappings = [],
  idpGroupMappings = [],
}: Pick<Sandbox["state"]["orgs"][number], "ldapGroupMappings" | "idpGroupMappings">): GroupView[] => [
  ...ldapGroupMappings.flatMap(({ roleName: role, ldapGroups }) =>
    ldapGroups.map((name) => ({ name, role, property: "ldapGroupMappings" }) as const),
  ),
  ...idpGroupMappings.flatMap(({ roleName: role, idpGroups }) =>
    idpGroups.map((name) => ({ name, role, property: "idpGroupMappings" }) as const),
  ),
];

function viewOrganization({
  state,
  time,
}: Pick<Sandbox, "state" | "time">): ReadonlyMap<string, OrganizationPersonView> {
  const [{ id } = { id: "" }] = state.orgs;
  const people = new Map<string, OrganizationPersonView>();
  for (const account of state.users) {
    const roles = account.roles.filter(({ orgId }) => orgId === id).map(({ roleName }) => roleName);
    if (roles.length === 0) continue;
    const facts = { account: account.id, name: fold(account.username), roles: sorted(roles) };
    people.set(account.id, { ...facts, status: "active", invitations: [] });
  }
  for (const { orgId, username, userId, roles, expiresAt } of state.invitations) {
    if (orgId !== id || Date.parse(expiresAt) <= Date.parse(time)) continue;
    const account = userId ?? state.users.find((user) => fold(user.username) === fold(username))?.id;
    const key = account ?? fold(username);
    const before = people.get(key);
    const invitation = { name: fold(username), roles: sorted(roles) };
    const invitations = [...(before?.invitations ?? []), invitation];
    const isMember = before?.status === "active";
    const invited = { account, ...invitation, status: "pending" } as const;
    people.set(key, { ...(isMember ? before : invited), invitations });
  }
  return people;
}

/** @param isMember whether the service shows ORG_MEMBER in any case */
function viewKey(
  { id, publicKey, privateKey, desc, roles, accessList }: Sandbox["state"]["keys"][number],
  isMember: boolean,
): ApiKeyView {
  const { orgRoles, projectRoles } = rolesByPlace(roles);
  return {
    id,
    publicKey,
    privateKey,
    description: desc,
    orgRoles: sorted([...new Set([...orgRoles, ...(isMember ? ["ORG_MEMBER"] : [])])]),
    projectRoles,
    accessList: accessEntries(accessList.map(({ cidrBlock }) => cidrBlock)),
  };
}

function rolesByPlace(roles: Sandbox["state"]["keys"][number]["roles"]): ServiceAccountView {
  const inProjects = Map.groupBy(
    roles.filter(({ groupId }) => groupId !== undefined),
    ({ groupId = "" }) => groupId,
  );
  return {
    orgRoles: sorted(roles.filter(({ orgId }) => orgId !== undefined).map(({ roleName }) => roleName)),
    projectRoles: new Map(
      [...inProjects].map(([projectId, grants]) => [
        projectId,
        sorted(grants.map(({ roleName }) => roleName)),
      ]),
    ),
  };
}

export function mappingsText(
  mappings: readonly {
    readonly roleName: string;
    readonly ldapGroups?: readonly string[];
    readonly idpGroups?: readonly string[];
  }[],
): string {
  return sorted(
    mappings.map(
      ({ roleName, ldapGroups, idpGroups }) => `${roleName}=${sorted(ldapGroups ?? idpGroups ?? [])}`,
    ),
  ).join(";");
}

export const ownersOf = ({ members }: ProjectView): readonly string[] =>
  [...members].filter(([, roles]) => roles.includes("GROUP_OWNER")).map(([id]) => id);

export const accountNamed = ({ names }: ServiceView, name: string): string | undefined =>
  [...names].find(([, current]) => current === fold(name))?.[0];
