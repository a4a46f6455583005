/**
 * Which events show how someone or something got access, lost it, or changed: their types, what they are
 * about, and which list has them. Pure.
 */
import { foldName } from "../../provider/access/person";
import type { Access, Holder, Place } from "../../provider/access/places";
import type { EventPlace, EventResponse } from "../../provider/api/events";

/** The types of events about one kind of change. */
export interface EventTypes {
  /** Documented for Ops Manager (types of alerts, page "Audit Events"). */
  readonly documented: readonly string[];
  /** Only in the list of Atlas events. A version of Ops Manager may have them. */
  readonly others: readonly string[];
}

/** How the live object differs from the declared one. An event of another direction explains no difference. */
export type Direction = "added" | "removed" | "changed";
type ByDirection = Readonly<Record<Direction, EventTypes>>;

export function types(documented: readonly string[], others: readonly string[] = []): EventTypes {
  return { documented, others };
}

export const TEAMS: ByDirection = {
  added: types(["TEAM_CREATED"]),
  removed: types(["TEAM_DELETED"]),
  changed: types(["TEAM_NAME_CHANGED", "TEAM_UPDATED"]),
};
/** Two documents name the same events differently. Changes of an existing key are only in one of them. */
export const KEYS: ByDirection = {
  added: types(["ORG_API_KEY_ADDED"], ["API_KEY_CREATED"]),
  removed: types(["ORG_API_KEY_DELETED"], ["API_KEY_DELETED"]),
  changed: types([], ["API_KEY_ROLES_CHANGED"]),
};
/** Only the list of Atlas has these, and no field of them names the service account. */
export const SERVICE_ACCOUNTS: ByDirection = {
  added: types([], ["SERVICE_ACCOUNT_CREATED"]),
  removed: types([], ["SERVICE_ACCOUNT_DELETED"]),
  changed: types([], ["SERVICE_ACCOUNT_ROLES_CHANGED"]),
};
/** Whoever acted knows a secret: the service shows it once, to them. */
export const NEW_SECRETS: EventTypes = joined([
  SERVICE_ACCOUNTS.added,
  types([], ["SERVICE_ACCOUNT_SECRET_ADDED"]),
]);

/** The events of each access that has some. New roles may be how someone got in. */
const OF_ACCESS: Readonly<Partial<Record<`${Holder["kind"]} in ${Place["kind"]}`, ByDirection>>> = {
  "person in project": {
    added: types([
      "INVITED_TO_GROUP",
      "JOINED_GROUP",
      "JOIN_GROUP_REQUEST_APPROVED_AUDIT",
      "USER_ROLES_CHANGED_AUDIT",
    ]),
    removed: types(["REMOVED_FROM_GROUP"], ["GROUP_INVITATION_DELETED"]),
    changed: types(["USER_ROLES_CHANGED_AUDIT"]),
  },
  "person in organization": {
    added: types(["INVITED_TO_ORG", "JOINED_ORG", "USER_ROLES_CHANGED_AUDIT"]),
    removed: types(["REMOVED_FROM_ORG"], ["ORG_INVITATION_DELETED"]),
    changed: types(["USER_ROLES_CHANGED_AUDIT"]),
  },
  "person in team": {
    added: types(["USER_ADDED_TO_TEAM", "JOINED_TEAM"]),
    removed: types(["REMOVED_FROM_TEAM"]),
    changed: types([]),
  },
  "team in project": {
    added: types(["TEAM_ADDED_TO_GROUP", "TEAM_ROLES_MODIFIED"]),
    removed: types(["TEAM_REMOVED_FROM_GROUP"]),
    changed: types(["TEAM_ROLES_MODIFIED"]),
  },
  "API key in organization": { ...KEYS, added: joined([KEYS.added, KEYS.changed]) },
  /**
   * The creation of a key gives it no documented role in a project. A deleted key has no roles in the
   * project either. The removal of a key from one project has no documented event, so it is not proven by
   * the lack of an event.
   */
  "API key in project": {
    added: types([], ["API_KEY_ADDED_TO_GROUP", ...allOf(KEYS.changed)]),
    removed: types([], ["API_KEY_REMOVED_FROM_GROUP", ...allOf(KEYS.removed)]),
    changed: KEYS.changed,
  },
  "service account in organization": {
    ...SERVICE_ACCOUNTS,
    added: joined([SERVICE_ACCOUNTS.added, SERVICE_ACCOUNTS.changed]),
  },
  "service account in project": {
    added: types([], ["SERVICE_ACCOUNT_ADDED_TO_GROUP", ...allOf(SERVICE_ACCOUNTS.changed)]),
    removed: types([], ["SERVICE_ACCOUNT_REMOVED_FROM_GROUP"]),
    changed: SERVICE_ACCOUNTS.changed,
  },
};
export const ACCESS_LIST_OF_KEY: ByDirection = {
  added: types([], ["API_KEY_ACCESS_LIST_ENTRY_ADDED"]),
  removed: types([], ["API_KEY_ACCESS_LIST_ENTRY_DELETED"]),
  changed: types([]),
};
const PROJECT_DELETED = types(["GROUP_DELETED", "FLUSHED"], ["GROUP_FLUSHED"]);

export const CHANGES_OF_PROJECT: ReadonlyMap<unknown, EventTypes> = new Map([
  ["name", types([], ["GROUP_NAME_CHANGED"])],
  ["tags", types([], ["GROUP_TAGS_MODIFIED", "TAGS_MODIFIED"])],
  ["orgId", types([], ["GROUP_MOVED"])],
]);

export function joined(several: readonly EventTypes[]): EventTypes {
  return types(
    several.flatMap(({ documented }) => documented),
    several.flatMap(({ others }) => others),
  );
}

export function allOf({ documented, others }: EventTypes): readonly string[] {
  return [...documented, ...others];
}

/** What an event must be about. */
export interface Subject extends EventTypes {
  readonly place: EventPlace;
  isTarget(event: EventResponse): boolean;
  /** The project whose deletion is sought. */
  readonly deletedProject?: string;
}

type IsTarget = Subject["isTarget"];

export const anyTarget: IsTarget = () => true;

const all =
  (...conditions: readonly IsTarget[]): IsTarget =>
  (event) =>
    conditions.every((holds) => holds(event));

/** Who joins may be named as the person who acts. Of another event without a target, the person is not known. */
function aboutPerson(name: string): IsTarget {
  const folded = foldName(name);
  return ({ type, targetUsername, username }) => {
    const target = targetUsername ?? (type.startsWith("JOINED_") ? username : undefined);
    return target !== undefined && foldName(target) === folded;
  };
}

/** About this project, or about none. */
function notOtherProject(id?: string): IsTarget {
  return ({ projectId }) => projectId === undefined || projectId.toLowerCase() === id;
}

export function aboutTeam(id: string | undefined): IsTarget {
  return ({ teamId }) => teamId !== undefined && teamId.toLowerCase() === id?.toLowerCase();
}

function aboutKey(publicKey: string): IsTarget {
  return ({ targetPublicKey }) => targetPublicKey === publicKey;
}

/** Where a project's organization is recorded. */
export type OrganizationOf = (projectId: string) => string | undefined;

/** The list of the organization, if it is known: a deleted project has none, and keys are made in the organization. */
function placeAbove(projectId: string, orgOf: OrganizationOf): EventPlace {
  const orgId = orgOf(projectId);
  return orgId === undefined ? { projectId } : { orgId };
}

/** An event about the holder; `undefined` without a name or ID that events have. */
function aboutHolder(holder: Holder): IsTarget | undefined {
  switch (holder.kind) {
    case "person":
      return holder.username === undefined ? undefined : aboutPerson(holder.username);
    case "team":
      return holder.teamId === undefined ? undefined : aboutTeam(holder.teamId);
    case "API key":
      return holder.publicKey === undefined ? undefined : aboutKey(holder.publicKey);
    case "service account":
      return anyTarget;
    case "agent API key":
    case "group":
      return undefined;
  }
}

/**
 * How a holder got, lost or changed an access.
 *
 * @returns `undefined` if no document has events about such access, or if the holder has no name that events have
 */
export function subjectOfAccess(
  { holder, place }: Access,
  direction: Direction,
  orgOf: OrganizationOf = () => undefined,
): Subject | undefined {
  const of = OF_ACCESS[`${holder.kind} in ${place.kind}`];
  const isHolder = aboutHolder(holder);
  if (of === undefined || isHolder === undefined) return undefined;
  const within = (list: EventPlace, isThere: IsTarget) => {
    return { ...of[direction], place: list, isTarget: all(isThere, isHolder) };
  };
  if (place.kind === "team") return within({ orgId: place.orgId }, aboutTeam(place.id));
  if (place.kind === "organization") return within({ orgId: place.id }, notOtherProject());
  const { id, orgId } = place;
  if (holder.kind !== "API key") return within({ projectId: id }, anyTarget);
  return within(orgId === undefined ? placeAbove(id, orgOf) : { orgId }, notOtherProject(id));
}

/** Any change of who is in a project, and with which roles. */
export function changeOfPeople(projectId: string): Subject {
  const changes = joined(Object.values(OF_ACCESS["person in project"] ?? {}));
  return { ...changes, place: { projectId }, isTarget: anyTarget };
}

/** Any change of a team and of who is in it. */
export function changeOfTeam(orgId: string, teamId: string | undefined): Subject {
  const changes = joined([TEAMS.changed, ...Object.values(OF_ACCESS["person in team"] ?? {})]);
  return { ...changes, place: { orgId }, isTarget: aboutTeam(teamId) };
}

/** @param subjects of one list of events */
export function anyOf(place: EventPlace, subjects: readonly Subject[]): Subject {
  const isTarget: IsTarget = (event) =>
    subjects.some((subject) => allOf(subject).includes(event.type) && subject.isTarget(event));
  return { ...joined(subjects), place, isTarget };
}

export const deletionOf = (projectId: string, orgOf: OrganizationOf): Subject => ({
  ...PROJECT_DELETED,
  place: placeAbove(projectId, orgOf),
  isTarget: (event) => event.projectId?.toLowerCase() === projectId,
  deletedProject: projectId,
});
