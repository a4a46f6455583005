/**
 * Which events show how someone or something got access, lost it, or changed: their types, what they are
 * about, and which list has them. Pure.
 */
import { foldName } from "../../provider/access/person";
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

/** New roles may be how someone got in. */
const PEOPLE_OF_PROJECT: ByDirection = {
  added: types([
    "INVITED_TO_GROUP",
    "JOINED_GROUP",
    "JOIN_GROUP_REQUEST_APPROVED_AUDIT",
    "USER_ROLES_CHANGED_AUDIT",
  ]),
  removed: types(["REMOVED_FROM_GROUP"], ["GROUP_INVITATION_DELETED"]),
  changed: types(["USER_ROLES_CHANGED_AUDIT"]),
};
const PEOPLE_OF_ORGANIZATION: ByDirection = {
  added: types(["INVITED_TO_ORG", "JOINED_ORG", "USER_ROLES_CHANGED_AUDIT"]),
  removed: types(["REMOVED_FROM_ORG"], ["ORG_INVITATION_DELETED"]),
  changed: types(["USER_ROLES_CHANGED_AUDIT"]),
};
const TEAMS_OF_PROJECT: ByDirection = {
  added: types(["TEAM_ADDED_TO_GROUP", "TEAM_ROLES_MODIFIED"]),
  removed: types(["TEAM_REMOVED_FROM_GROUP"]),
  changed: types(["TEAM_ROLES_MODIFIED"]),
};
export const TEAMS: ByDirection = {
  added: types(["TEAM_CREATED"]),
  removed: types(["TEAM_DELETED"]),
  changed: types(["TEAM_NAME_CHANGED", "TEAM_UPDATED"]),
};
const PEOPLE_OF_TEAM: ByDirection = {
  added: types(["USER_ADDED_TO_TEAM", "JOINED_TEAM"]),
  removed: types(["REMOVED_FROM_TEAM"]),
  changed: types([]),
};
/**
 * Two documents name the same events differently. Changes of an existing key are only in one of
 * them.
 */
export const KEYS: ByDirection = {
  added: types(["ORG_API_KEY_ADDED"], ["API_KEY_CREATED"]),
  removed: types(["ORG_API_KEY_DELETED"], ["API_KEY_DELETED"]),
  changed: types([], ["API_KEY_ROLES_CHANGED"]),
};
/**
 * The creation of a key gives it no documented role in a project. A deleted key has no roles in the
 * project either. The removal of a key from one project has no documented event, so it is not proven by
 * the lack of an event.
 */
const KEYS_OF_PROJECT: ByDirection = {
  added: types([], ["API_KEY_ADDED_TO_GROUP", "API_KEY_ROLES_CHANGED"]),
  removed: types([], ["API_KEY_REMOVED_FROM_GROUP", ...KEYS.removed.documented, ...KEYS.removed.others]),
  changed: types([], ["API_KEY_ROLES_CHANGED"]),
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

export const all =
  (...conditions: readonly IsTarget[]): IsTarget =>
  (event) =>
    conditions.every((holds) => holds(event));

/** Who joins may be named as the person who acts. Of another event without a target, the person is not known. */
function aboutPerson(...names: readonly string[]): IsTarget {
  const folded = new Set(names.map(foldName));
  return ({ type, targetUsername, username }) => {
    const target = targetUsername ?? (type.startsWith("JOINED_") ? username : undefined);
    return target !== undefined && folded.has(foldName(target));
  };
}

/** About this project, or about none. */
export function notOtherProject(id?: string): IsTarget {
  return ({ projectId }) => projectId === undefined || projectId.toLowerCase() === id;
}

export function aboutTeam(id: string): IsTarget {
  return ({ teamId }) => teamId?.toLowerCase() === id.toLowerCase();
}

export function aboutKey(publicKey: string): IsTarget {
  return ({ targetPublicKey }) => targetPublicKey === publicKey;
}

/** Where a project's organization is recorded. */
export type OrganizationOf = (projectId: string) => string | undefined;

/** The list of the organization, if it is known: a deleted project has none, and keys are made in the organization. */
function placeAbove(projectId: string, orgOf: OrganizationOf): EventPlace {
  const orgId = orgOf(projectId);
  return orgId === undefined ? { projectId } : { orgId };
}

export const personInProject = (direction: Direction, projectId: string, name?: string): Subject => ({
  ...PEOPLE_OF_PROJECT[direction],
  place: { projectId },
  isTarget: name === undefined ? anyTarget : aboutPerson(name),
});

export const personInOrganization = (direction: Direction, orgId: string, name: string): Subject => ({
  ...PEOPLE_OF_ORGANIZATION[direction],
  place: { orgId },
  isTarget: all(notOtherProject(), aboutPerson(name)),
});

export const teamInProject = (direction: Direction, projectId: string, teamId: string): Subject => ({
  ...TEAMS_OF_PROJECT[direction],
  place: { projectId },
  isTarget: aboutTeam(teamId),
});

/** @param names of the people by direction */
export function peopleInTeam(
  orgId: string,
  teamId: string,
  names: Readonly<Partial<Record<"added" | "removed", readonly string[]>>>,
): Subject {
  const { added = [], removed = [] } = names;
  const isRemoval: IsTarget = ({ type }) => allOf(PEOPLE_OF_TEAM.removed).includes(type);
  const [isAdded, isRemoved] = [aboutPerson(...added), aboutPerson(...removed)];
  return {
    ...joined([
      ...(added.length > 0 ? [PEOPLE_OF_TEAM.added] : []),
      ...(removed.length > 0 ? [PEOPLE_OF_TEAM.removed] : []),
    ]),
    place: { orgId },
    isTarget: all(aboutTeam(teamId), (event) => (isRemoval(event) ? isRemoved : isAdded)(event)),
  };
}

export const deletionOf = (projectId: string, orgOf: OrganizationOf): Subject => ({
  ...PROJECT_DELETED,
  place: placeAbove(projectId, orgOf),
  isTarget: (event) => event.projectId?.toLowerCase() === projectId,
  deletedProject: projectId,
});

export const keyInProject = (
  direction: Direction,
  projectId: string,
  publicKey: string,
  orgOf: OrganizationOf,
): Subject => ({
  ...KEYS_OF_PROJECT[direction],
  place: placeAbove(projectId, orgOf),
  isTarget: all(notOtherProject(projectId), aboutKey(publicKey)),
});

/** A new key of an organization, or new roles of one there. */
export const keyInOrganization = (orgId: string, publicKey: string): Subject => ({
  ...joined([KEYS.added, KEYS.changed]),
  place: { orgId },
  isTarget: all(notOtherProject(), aboutKey(publicKey)),
});
