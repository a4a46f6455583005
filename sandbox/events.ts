import type { EventFacts } from "./event-log";
import type {
  Account,
  ApiKey,
  Caller,
  Invitation,
  Org,
  Project,
  RoleGrant,
  ServiceAccount,
  Team,
} from "./model";
import type { Store } from "./store";

/** The events that the change of a row means. */

/** The events of one kind of row: when it is made, changed and deleted. Each takes the time of reading the row. */
interface EventRules<T> {
  made(row: T): EventFacts[];
  changed(before: T, after: T): EventFacts[];
  deleted(row: T): EventFacts[];
}

/** Elements of the second list that the first one lacks. */
function added<T>(before: readonly T[], after: readonly T[]): T[] {
  const known = new Set(before);
  return after.filter((element) => !known.has(element));
}

const areEqual = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join() === [...other].sort().join();

interface RoleChange {
  readonly groupId: string | undefined;
  readonly orgId: string | undefined;
  readonly before: string[];
  readonly after: string[];
}

const targetId = ({ groupId, orgId }: RoleGrant): string => groupId ?? orgId ?? "";

/** The projects and organizations in which the roles differ. A global role is in neither. */
function roleChanges(before: readonly RoleGrant[], after: readonly RoleGrant[]): RoleChange[] {
  const changes = new Map<string, RoleChange>();
  // A change leaves the other grants in front, in their order: accounts with thousands of projects stay fast.
  const start = before.findIndex((grant, index) => grant !== after[index]);
  const first = start === -1 ? before.length : start;
  const [was, is] = [before.slice(first), after.slice(first)];
  for (const grant of [...added(is, was), ...added(was, is)]) {
    const { groupId, orgId } = grant;
    if (groupId !== undefined || orgId !== undefined)
      changes.set(targetId(grant), { groupId, orgId, before: [], after: [] });
  }
  if (changes.size === 0) return [];
  for (const grant of before) changes.get(targetId(grant))?.before.push(grant.roleName);
  for (const grant of after) changes.get(targetId(grant))?.after.push(grant.roleName);
  return [...changes.values()].filter((change) => !areEqual(change.before, change.after));
}

/** Event names of roles that are gained, lost and changed. */
type RoleEventNames = readonly [gained: string, lost: string, changed: string];

/** Each changed project and organization. Roles in a project that no longer exists have no event. */
function roleEvents(
  { projects }: Store,
  changes: readonly RoleChange[],
  inProject: RoleEventNames,
  inOrganization: RoleEventNames,
): EventFacts[] {
  return changes.flatMap(({ groupId, orgId: ownOrgId, before, after }) => {
    const orgId = groupId === undefined ? ownOrgId : projects.get(groupId)?.orgId;
    if (orgId === undefined) return [];
    const [gained, lost, changed] = groupId === undefined ? inOrganization : inProject;
    const eventTypeName = before.length === 0 ? gained : after.length === 0 ? lost : changed;
    return [{ eventTypeName, groupId, orgId }];
  });
}

function accountRules(store: Store): EventRules<Account> {
  const changedRoles = (before: readonly RoleGrant[], { roles, username }: Account): EventFacts[] =>
    roleEvents(
      store,
      roleChanges(before, roles),
      ["JOINED_GROUP", "REMOVED_FROM_GROUP", "USER_ROLES_CHANGED_AUDIT"],
      ["JOINED_ORG", "REMOVED_FROM_ORG", "USER_ROLES_CHANGED_AUDIT"],
    ).map((event) => ({ ...event, targetUsername: username }));
  return {
    made: (account) => {
      const events = changedRoles([], account);
      const orgId = events[0]?.orgId;
      const created = { eventTypeName: "USER_CREATED_AUDIT", orgId, targetUsername: account.username };
      return orgId === undefined ? [] : [created, ...events];
    },
    changed: (before, after) => changedRoles(before.roles, after),
    deleted: (account) => changedRoles(account.roles, { ...account, roles: [] }),
  };
}

const of = ({ id, orgId }: Project) => ({ groupId: id, orgId });

const teamEvents = (project: Project, eventTypeName: string, teamIds: readonly string[]): EventFacts[] =>
  teamIds.map((teamId) => ({ eventTypeName, ...of(project), teamId }));

function changedTeams(before: Project, after: Project): EventFacts[] {
  const [was, is] = [before, after].map(
    ({ teams }) => new Map(teams.map(({ teamId, roleNames }) => [teamId, roleNames])),
  ) as [Map<string, readonly string[]>, Map<string, readonly string[]>];
  const modified = [...is].filter(([id, names]) => !areEqual(names, was.get(id) ?? names));
  return [
    ...teamEvents(after, "TEAM_REMOVED_FROM_GROUP", added([...is.keys()], [...was.keys()])),
    ...teamEvents(after, "TEAM_ADDED_TO_GROUP", added([...was.keys()], [...is.keys()])),
    ...teamEvents(
      after,
      "TEAM_ROLES_MODIFIED",
      modified.map(([id]) => id),
    ),
  ];
}

function changedAgentKeys(before: Project, after: Project): EventFacts[] {
  const [was, is] = [before, after].map(({ agentKeys }) => agentKeys.map(({ id }) => id)) as [
    string[],
    string[],
  ];
  return [
    ...added(is, was).map(() => ({ eventTypeName: "AGENT_API_KEY_DELETED", ...of(after) })),
    ...added(was, is).map(() => ({ eventTypeName: "AGENT_API_KEY_CREATED", ...of(after) })),
  ];
}

const projectRules: EventRules<Project> = {
  made: (project) => [
    { eventTypeName: "GROUP_CREATED", ...of(project) },
    ...changedTeams({ ...project, teams: [] }, project),
  ],
  changed: (before, after) => [
    ...(before.name === after.name ? [] : [{ eventTypeName: "GROUP_NAME_CHANGED", ...of(after) }]),
    ...(areEqual(before.tags, after.tags) ? [] : [{ eventTypeName: "GROUP_TAGS_MODIFIED", ...of(after) }]),
    ...(before.teams === after.teams ? [] : changedTeams(before, after)),
    ...(before.agentKeys === after.agentKeys ? [] : changedAgentKeys(before, after)),
  ],
  deleted: (project) => [{ eventTypeName: "GROUP_DELETED", ...of(project) }],
};

function teamRules({ users }: Store): EventRules<Team> {
  const about = ({ id, orgId }: Team, eventTypeName: string): EventFacts => ({
    eventTypeName,
    orgId,
    teamId: id,
  });
  const changedUsers = (before: readonly string[], after: Team): EventFacts[] => {
    const named = (eventTypeName: string, ids: readonly string[]): EventFacts[] =>
      ids.map((id) => ({ ...about(after, eventTypeName), targetUsername: users.get(id)?.username }));
    return [
      ...named("REMOVED_FROM_TEAM", added(after.userIds, before)),
      ...named("USER_ADDED_TO_TEAM", added(before, after.userIds)),
    ];
  };
  return {
    made: (team) => [about(team, "TEAM_CREATED"), ...changedUsers([], team)],
    changed: (before, after) => [
      ...(before.name === after.name ? [] : [about(after, "TEAM_NAME_CHANGED")]),
      ...changedUsers(before.userIds, after),
    ],
    deleted: (team) => [about(team, "TEAM_DELETED")],
  };
}

function invitationRules({ projects, users }: Store): EventRules<Invitation> {
  const about = ({ groupId, orgId, username }: Invitation, [inProject, inOrganization]: string[]) => {
    const at = groupId === undefined ? orgId : projects.get(groupId)?.orgId;
    const eventTypeName = (groupId === undefined ? inOrganization : inProject) ?? "";
    return at === undefined ? [] : [{ eventTypeName, groupId, orgId: at, targetUsername: username }];
  };
  /** An accepted invitation names the account that joined. */
  const isAccepted = ({ userId, groupId, orgId }: Invitation): boolean =>
    userId !== undefined &&
    users.get(userId)?.roles.some((grant) => grant.groupId === groupId && grant.orgId === orgId) === true;
  return {
    made: (invitation) => about(invitation, ["INVITED_TO_GROUP", "INVITED_TO_ORG"]),
    changed: () => [],
    deleted: (invitation) =>
      isAccepted(invitation) ? [] : about(invitation, ["GROUP_INVITATION_DELETED", "ORG_INVITATION_DELETED"]),
  };
}

/** The names of the events of one kind of caller, and the part of an event that names it. */
interface CallerEvents<T> {
  /** Before the names that all kinds have: `API_KEY_ROLES_CHANGED`. */
  readonly prefix: string;
  readonly made: string;
  readonly deleted: string;
  readonly described: string;
  readonly targetOf: (caller: T) => Partial<EventFacts>;
  /** What the event "described" is about. */
  readonly descriptionOf: (caller: T) => readonly string[];
}

function callerRules<T extends Caller>(store: Store, names: CallerEvents<T>): EventRules<T> {
  const { prefix, made, deleted, described, targetOf, descriptionOf } = names;
  const about = (caller: T, eventTypeName: string, more?: Partial<EventFacts>): EventFacts[] => {
    const orgId = orgIdOf(store, caller);
    return orgId === undefined ? [] : [{ eventTypeName, orgId, ...targetOf(caller), ...more }];
  };
  const rolesChanged = `${prefix}_ROLES_CHANGED`;
  const changedRoles = (before: readonly RoleGrant[], after: T): EventFacts[] =>
    roleEvents(
      store,
      roleChanges(before, after.roles),
      [`${prefix}_ADDED_TO_GROUP`, `${prefix}_REMOVED_FROM_GROUP`, rolesChanged],
      [rolesChanged, rolesChanged, rolesChanged],
    ).map((event) => ({ ...event, ...targetOf(after) }));
  const changedEntries = (before: T, after: T): EventFacts[] => {
    const [was, is] = [before, after].map(({ accessList }) =>
      accessList.map(({ cidrBlock }) => cidrBlock),
    ) as [string[], string[]];
    const each = (entries: readonly string[], name: string) =>
      entries.flatMap((accessListEntry) =>
        about(after, `${prefix}_ACCESS_LIST_ENTRY_${name}`, { accessListEntry }),
      );
    return [...each(added(is, was), "DELETED"), ...each(added(was, is), "ADDED")];
  };
  return {
    made: (caller) => [
      ...about(caller, made),
      ...changedRoles([], caller).filter(({ groupId }) => groupId !== undefined),
    ],
    changed: (before, after) => [
      ...(areEqual(descriptionOf(before), descriptionOf(after)) ? [] : about(after, described)),
      ...changedRoles(before.roles, after),
      ...changedEntries(before, after),
    ],
    deleted: (caller) => about(caller, deleted),
  };
}

function orgIdOf(store: Store, { orgId, roles }: Caller): string | undefined {
  const [first] = roles.filter((grant) => targetId(grant) !== "");
  return orgId ?? first?.orgId ?? store.projects.get(first?.groupId ?? "")?.orgId;
}

const apiKeyRules = (store: Store): EventRules<ApiKey> =>
  callerRules<ApiKey>(store, {
    prefix: "API_KEY",
    made: "ORG_API_KEY_ADDED",
    deleted: "ORG_API_KEY_DELETED",
    described: "API_KEY_DESCRIPTION_CHANGED",
    targetOf: ({ publicKey: targetPublicKey }) => ({ targetPublicKey }),
    descriptionOf: ({ desc }) => [desc],
  });

/** No field of an event names the service account. */
function serviceAccountRules(store: Store): EventRules<ServiceAccount> {
  const rules = callerRules<ServiceAccount>(store, {
    prefix: "SERVICE_ACCOUNT",
    made: "SERVICE_ACCOUNT_CREATED",
    deleted: "SERVICE_ACCOUNT_DELETED",
    described: "SERVICE_ACCOUNT_DETAILS_CHANGED",
    targetOf: () => ({}),
    descriptionOf: ({ name, desc }) => [`name ${name}`, `description ${desc}`],
  });
  const idsOf = ({ secrets }: ServiceAccount) => secrets.map(({ id }) => id);
  return {
    ...rules,
    changed: (before, after) => {
      const orgId = orgIdOf(store, after);
      const [was, is] = [idsOf(before), idsOf(after)];
      const gone = added(is, was).map(() => "SERVICE_ACCOUNT_SECRET_DELETED");
      const fresh = added(was, is).map(() => "SERVICE_ACCOUNT_SECRET_ADDED");
      const ofSecrets = orgId === undefined ? [] : [...fresh, ...gone];
      return [
        ...rules.changed(before, after),
        ...ofSecrets.map((eventTypeName) => ({ eventTypeName, orgId })),
      ];
    },
  };
}

const orgRules: EventRules<Org> = {
  made: () => [],
  changed: (before, after) =>
    before.name === after.name ? [] : [{ eventTypeName: "ORG_RENAMED", orgId: after.id }],
  deleted: () => [],
};

/** Reports the events of each change of the store from now on. */
export function observeEvents(store: Store, record: (events: readonly EventFacts[]) => void): void {
  const observe =
    <T>({ made, changed, deleted }: EventRules<T>) =>
    (before: T | undefined, after: T | undefined): void => {
      if (after === undefined) record(before === undefined ? [] : deleted(before));
      else record(before === undefined ? made(after) : changed(before, after));
    };
  store.orgs.onChange = observe(orgRules);
  store.projects.onChange = observe(projectRules);
  store.users.onChange = observe(accountRules(store));
  store.teams.onChange = observe(teamRules(store));
  store.invitations.onChange = observe(invitationRules(store));
  store.keys.onChange = observe(apiKeyRules(store));
  store.serviceAccounts.onChange = observe(serviceAccountRules(store));
}
