/** Which events fit a difference: their types, what they are about, and which list has them. Pure. */

import { foldName, sameName } from "../../provider/access/person";
import type { EventPlace, EventResponse } from "../../provider/api/events";
import { knownTexts } from "../../provider/resources/contract/canonical";
import { parsePath } from "../../provider/resources/contract/property-path";
import { OBJECT_ID, splitId } from "../../provider/text/object-id";
import { own } from "../../provider/text/own";
import { kindOf, propertiesWithPeople, treatmentOf } from "../lib/own-resources";
import type { OwnedResource } from "../lib/ownership";
import { SECRET } from "../lib/value-differences";
import type { Finding, UnmanagedRow } from "./report/model";

/** The types of events about one kind of change. */
interface EventTypes {
  /** Documented for Ops Manager (types of alerts, page "Audit Events"). */
  readonly documented: readonly string[];
  /** Only in the list of Atlas events. A version of Ops Manager may have them. */
  readonly others: readonly string[];
}

/** How the live object differs from the declared one. An event of another direction explains no difference. */
type Direction = "added" | "removed" | "changed";
type ByDirection = Readonly<Record<Direction, EventTypes>>;

function types(documented: readonly string[], others: readonly string[] = []): EventTypes {
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
const TEAMS: ByDirection = {
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
const KEYS: ByDirection = {
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
const ACCESS_LIST_OF_KEY: ByDirection = {
  added: types([], ["API_KEY_ACCESS_LIST_ENTRY_ADDED"]),
  removed: types([], ["API_KEY_ACCESS_LIST_ENTRY_DELETED"]),
  changed: types([]),
};
const PROJECT_DELETED = types(["GROUP_DELETED", "FLUSHED"], ["GROUP_FLUSHED"]);

const CHANGES_OF_PROJECT: ReadonlyMap<unknown, EventTypes> = new Map([
  ["name", types([], ["GROUP_NAME_CHANGED"])],
  ["tags", types([], ["GROUP_TAGS_MODIFIED", "TAGS_MODIFIED"])],
  ["orgId", types([], ["GROUP_MOVED"])],
]);

function joined(several: readonly EventTypes[]): EventTypes {
  return types(
    several.flatMap(({ documented }) => documented),
    several.flatMap(({ others }) => others),
  );
}

function allOf({ documented, others }: EventTypes): readonly string[] {
  return [...documented, ...others];
}

/** The direction of a difference of a whole object. */
function directionOf(kind: Finding["kind"]): Direction {
  switch (kind) {
    case "changed":
      return "changed";
    case "added":
    case "undeclared":
      return "added";
    case "removed":
    case "deleted":
      return "removed";
  }
}

/** The directions of a difference of a set: the declared entries are missing, the live ones are additional. */
function directionsOfSet({ declared, live }: Finding): Direction[] {
  const isEntry = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return [...(isEntry(declared) ? ["removed" as const] : []), ...(isEntry(live) ? ["added" as const] : [])];
}

/** What an event must be about. */
export interface Subject extends EventTypes {
  readonly place: EventPlace;
  isTarget(event: EventResponse): boolean;
  /** The project whose deletion is sought. */
  readonly deletedProject?: string;
}

type IsTarget = Subject["isTarget"];

const anyTarget: IsTarget = () => true;

const all =
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
function notOtherProject(id?: string): IsTarget {
  return ({ projectId }) => projectId === undefined || projectId.toLowerCase() === id;
}

function aboutTeam(id: string): IsTarget {
  return ({ teamId }) => teamId?.toLowerCase() === id.toLowerCase();
}

function aboutKey(publicKey: string): IsTarget {
  return ({ targetPublicKey }) => targetPublicKey === publicKey;
}

/** Where a project's organization is recorded. */
type OrganizationOf = (projectId: string) => string | undefined;

/** @param unmanaged what no resource owns, projects among it */
export function organizationOf(
  resources: readonly OwnedResource[],
  unmanaged: readonly UnmanagedRow[] = [],
): OrganizationOf {
  const known = new Map([
    ...unmanaged.flatMap(({ kind, holder, orgId }) =>
      kind === "projects" && orgId !== undefined ? [[holder.id, orgId] as const] : [],
    ),
    ...resources.flatMap(({ id = "", outputs }) =>
      typeof outputs?.orgId === "string" ? [[splitId(id).ownerId, outputs.orgId] as const] : [],
    ),
  ]);
  return (projectId) => known.get(projectId);
}

/** The list of the organization, if it is known: a deleted project has none, and keys are made in the organization. */
function placeAbove(projectId: string, orgOf: OrganizationOf): EventPlace {
  const orgId = orgOf(projectId);
  return orgId === undefined ? { projectId } : { orgId };
}

const personInProject = (direction: Direction, projectId: string, name?: string): Subject => ({
  ...PEOPLE_OF_PROJECT[direction],
  place: { projectId },
  isTarget: name === undefined ? anyTarget : aboutPerson(name),
});

const personInOrganization = (direction: Direction, orgId: string, name: string): Subject => ({
  ...PEOPLE_OF_ORGANIZATION[direction],
  place: { orgId },
  isTarget: all(notOtherProject(), aboutPerson(name)),
});

const teamInProject = (direction: Direction, projectId: string, teamId: string): Subject => ({
  ...TEAMS_OF_PROJECT[direction],
  place: { projectId },
  isTarget: aboutTeam(teamId),
});

/** @param names of the people by direction */
function peopleInTeam(
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

const deletionOf = (projectId: string, orgOf: OrganizationOf): Subject => ({
  ...PROJECT_DELETED,
  place: placeAbove(projectId, orgOf),
  isTarget: (event) => event.projectId?.toLowerCase() === projectId,
  deletedProject: projectId,
});

const keyInProject = (
  direction: Direction,
  projectId: string,
  publicKey: string,
  orgOf: OrganizationOf,
): Subject => ({
  ...KEYS_OF_PROJECT[direction],
  place: placeAbove(projectId, orgOf),
  isTarget: all(notOtherProject(projectId), aboutKey(publicKey)),
});

/** The deletion of an invitation has no documented event, so it is not proven by the lack of an event. */
function ofInvitation(subject: Subject): Subject {
  return { ...subject, ...types([], allOf(subject)) };
}

/** The projects of which the report proves that they no longer exist. */
export function deletedProjects(findings: readonly Finding[]): ReadonlySet<string> {
  const deleted = findings.filter(
    ({ kind, type }) => kind === "deleted" && ["Project", "ProjectMembers"].includes(kindOf(type) ?? ""),
  );
  return new Set(deleted.map(({ id = "" }) => splitId(id).ownerId));
}

/**
 * The deletion of the project for what was in a deleted project: earlier events, such as an
 * invitation by Pulumi, do not explain that it no longer exists. The list of the project can no
 * longer be read.
 */
export function inDeletedProject(
  subject: Subject,
  deleted: ReadonlySet<string>,
  orgOf: OrganizationOf,
): Subject {
  const { place } = subject;
  if (!("projectId" in place) || !deleted.has(place.projectId)) return subject;
  return deletionOf(place.projectId, orgOf);
}

/** @returns `undefined` if the people or the key are a secret: an event could show a name of them */
export function subjectOf(
  finding: Finding,
  resource: OwnedResource | undefined,
  orgOf: OrganizationOf,
): Subject | "undocumented" | undefined {
  const { id = "", property, object, kind, type, declared, live } = finding;
  const { ownerId, name } = splitId(id);
  if (object !== undefined) return subjectOfUndeclared(object, ownerId, orgOf);
  const recorded = (output: string): string | undefined => {
    const value = own(resource?.outputs, output) ?? own(resource?.inputs, output);
    return typeof value === "string" ? value : undefined;
  };
  const isInvited = (username: string) =>
    treatmentOf(type)
      ?.invitations(resource?.recorded ?? resource?.outputs ?? {})
      .some((invitation) => invitation.names.some((each) => sameName(each, username))) === true;
  const username = recorded("username") ?? (OBJECT_ID.test(name) ? undefined : name);
  const teamId = recorded("teamId") ?? name;
  const publicKey = recorded("publicKey");
  const [top, entry, ...within] = parsePath(property);
  if (propertiesWithPeople.has(String(top)) && [declared, live].includes(SECRET)) return undefined;
  // A property of an object that is there changes it.
  const direction = property === "" ? directionOf(kind) : "changed";
  const ofPerson = (subject: Subject, person: string, way: Direction) =>
    way === "removed" && isInvited(person) ? ofInvitation(subject) : subject;
  switch (kindOf(type)) {
    case "Project": {
      if (kind === "deleted") return deletionOf(ownerId, orgOf);
      const changes = CHANGES_OF_PROJECT.get(top);
      return changes ? { ...changes, place: { projectId: ownerId }, isTarget: anyTarget } : "undocumented";
    }
    case "ProjectMember":
      if (username === undefined) return undefined;
      return ofPerson(personInProject(direction, ownerId, username), username, direction);
    case "ProjectMembers": {
      // The list of all people is deleted with its project only.
      if (kind === "deleted") return deletionOf(ownerId, orgOf);
      if (typeof entry !== "string") return personInProject("changed", ownerId);
      const way = within.length === 0 ? directionOf(kind) : "changed";
      return ofPerson(personInProject(way, ownerId, entry), entry, way);
    }
    case "ProjectTeam":
      return teamInProject(direction, ownerId, teamId);
    case "Team":
      return top === "usernames"
        ? peopleInTeam(ownerId, teamId, { removed: namesIn(declared), added: namesIn(live) })
        : { ...TEAMS[direction], place: { orgId: ownerId }, isTarget: aboutTeam(teamId) };
    case "OrganizationMember":
      if (username === undefined) return undefined;
      return ofPerson(personInOrganization(direction, ownerId, username), username, direction);
    case "ApiKey": {
      if (publicKey === undefined) return undefined;
      const changes = changesOfKey(finding, direction);
      const isTarget = all(notOtherProject(), aboutKey(publicKey));
      return changes ? { ...changes, place: { orgId: ownerId }, isTarget } : "undocumented";
    }
    case "ProjectApiKey":
      return publicKey === undefined ? undefined : keyInProject(direction, ownerId, publicKey, orgOf);
    default:
      return "undocumented";
  }
}

function namesIn(value: unknown): readonly string[] {
  return knownTexts([value].flat());
}

/** @returns `undefined` for a property of which no document has an event */
function changesOfKey(finding: Finding, direction: Direction): EventTypes | undefined {
  const [top] = parsePath(finding.property);
  switch (top) {
    case undefined:
      return KEYS[direction];
    case "roles":
      return KEYS.changed;
    case "description":
      return types([], ["API_KEY_DESCRIPTION_CHANGED"]);
    case "accessList":
      return joined(directionsOfSet(finding).map((each) => ACCESS_LIST_OF_KEY[each]));
    default:
      return undefined;
  }
}

/** Someone or something is there that is not declared. */
function subjectOfUndeclared(
  object: NonNullable<Finding["object"]>,
  ownerId: string,
  orgOf: OrganizationOf,
): Subject | "undocumented" {
  const { what, status, containerId, orgId = ownerId, id, name } = object;
  if (object.in === "team") {
    // An invitation to the organization names the teams of the person.
    return status === "pending"
      ? personInOrganization("added", orgId, name)
      : peopleInTeam(orgId, containerId, { added: [name] });
  }
  if (object.in === "organization") {
    return what === "key"
      ? ownerKeyInOrganization(containerId, name)
      : personInOrganization("added", containerId, name);
  }
  switch (what) {
    case "person":
      return personInProject("added", containerId, name);
    case "team":
      return teamInProject("added", containerId, id ?? name);
    case "key":
      return keyInProject("added", containerId, name, orgOf);
    case "group":
      return "undocumented";
  }
}

/** A key that owns an organization was created with that right, or got it later. */
function ownerKeyInOrganization(orgId: string, publicKey: string): Subject {
  return {
    ...joined([KEYS.added, KEYS.changed]),
    place: { orgId },
    isTarget: all(notOtherProject(), aboutKey(publicKey)),
  };
}

/** The people, teams and keys among the unmanaged objects. */
export function subjectOfUnmanaged(
  { kind, holder: { id }, orgId = "", place }: UnmanagedRow,
  orgOf: OrganizationOf,
): Subject | undefined {
  switch (kind) {
    case "people":
      return personInProject("added", place.id, id);
    case "teams":
      return teamInProject("added", place.id, id);
    case "keys":
      return keyInProject("added", place.id, id, orgOf);
    case "owners":
      return personInOrganization("added", place.id, id);
    case "ownerKeys":
      return ownerKeyInOrganization(place.id, id);
    case "teamPeople":
      return peopleInTeam(orgId, place.id, { added: [id] });
    default:
      return undefined;
  }
}
