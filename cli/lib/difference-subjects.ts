/** Which events fit a difference: their types, what they are about, and which list has them. Pure. */

import { sameName } from "../../provider/access/person";
import { knownTexts } from "../../provider/resources/contract/canonical";
import { parsePath } from "../../provider/resources/contract/property-path";
import { OBJECT_ID, splitId } from "../../provider/text/object-id";
import { own } from "../../provider/text/own";
import type { OwnedResource } from "./access/declared";
import {
  ACCESS_LIST_OF_KEY,
  aboutKey,
  aboutTeam,
  all,
  allOf,
  anyTarget,
  CHANGES_OF_PROJECT,
  type Direction,
  deletionOf,
  type EventTypes,
  joined,
  KEYS,
  keyInOrganization,
  keyInProject,
  notOtherProject,
  type OrganizationOf,
  peopleInTeam,
  personInOrganization,
  personInProject,
  type Subject,
  TEAMS,
  teamInProject,
  types,
} from "./event-subjects";
import { invitationsOf, kindOf, propertiesWithPeople } from "./own-resources";
import { SECRET } from "./value-differences";

/** How a live object differs from the declared one. */
export interface Difference {
  /** Of the resource, with its type token. */
  readonly id?: string | undefined;
  readonly type: string;
  /** `deleted`: the whole object no longer exists. `undeclared`: `object` is there, and nothing declares it. */
  readonly kind: Direction | "deleted" | "undeclared";
  /** The path; empty for the object as a whole. */
  readonly property: string;
  readonly declared?: unknown;
  readonly live?: unknown;
  readonly object?: UndeclaredObject | undefined;
}

interface UndeclaredObject {
  readonly what: "person" | "team" | "key" | "group";
  /** A username, or a public key. */
  readonly name: string;
  /** Of a team. */
  readonly id?: string | undefined;
  readonly status?: "active" | "pending" | undefined;
  readonly in: "project" | "team" | "organization";
  readonly containerId: string;
  readonly orgId?: string | undefined;
}

/** What no resource owns, as a row of the drift report. */
interface Unmanaged {
  readonly kind: string;
  readonly holder: { readonly id: string };
  readonly place: { readonly id: string };
  readonly orgId?: string;
}

/** The direction of a difference of a whole object. */
function directionOf(kind: Difference["kind"]): Direction {
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
function directionsOfSet({ declared, live }: Difference): Direction[] {
  const isEntry = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return [...(isEntry(declared) ? ["removed" as const] : []), ...(isEntry(live) ? ["added" as const] : [])];
}

/** @param unmanaged what no resource owns, projects among it */
export function organizationOf(
  resources: readonly OwnedResource[],
  unmanaged: readonly Unmanaged[] = [],
): OrganizationOf {
  const known = new Map([
    ...unmanaged.flatMap(({ kind, holder, orgId }) =>
      kind === "projects" && orgId !== undefined ? [[holder.id, orgId] as const] : [],
    ),
    ...resources.flatMap(({ id = "", outputs }) =>
      typeof outputs?.orgId === "string" ? [[splitId(id).placeId, outputs.orgId] as const] : [],
    ),
  ]);
  return (projectId) => known.get(projectId);
}

/** The deletion of an invitation has no documented event, so it is not proven by the lack of an event. */
function ofInvitation(subject: Subject): Subject {
  return { ...subject, ...types([], allOf(subject)) };
}

/** The projects of which the report proves that they no longer exist. */
export function deletedProjects(findings: readonly Difference[]): ReadonlySet<string> {
  const deleted = findings.filter(
    ({ kind, type }) => kind === "deleted" && ["Project", "ProjectMembers"].includes(kindOf(type) ?? ""),
  );
  return new Set(deleted.map(({ id = "" }) => splitId(id).placeId));
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
  finding: Difference,
  resource: OwnedResource | undefined,
  orgOf: OrganizationOf,
): Subject | "undocumented" | undefined {
  const { id = "", property, object, kind, type, declared, live } = finding;
  const { placeId, name } = splitId(id);
  if (object !== undefined) return subjectOfUndeclared(object, placeId, orgOf);
  const recorded = (output: string): string | undefined => {
    const value = own(resource?.outputs, output) ?? own(resource?.inputs, output);
    return typeof value === "string" ? value : undefined;
  };
  const isInvited = (username: string) =>
    invitationsOf(type, resource?.recorded ?? resource?.outputs ?? {}).some((invitation) =>
      invitation.names.some((each) => sameName(each, username)),
    );
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
      if (kind === "deleted") return deletionOf(placeId, orgOf);
      const changes = CHANGES_OF_PROJECT.get(top);
      return changes ? { ...changes, place: { projectId: placeId }, isTarget: anyTarget } : "undocumented";
    }
    case "ProjectMember":
      if (username === undefined) return undefined;
      return ofPerson(personInProject(direction, placeId, username), username, direction);
    case "ProjectMembers": {
      // The list of all people is deleted with its project only.
      if (kind === "deleted") return deletionOf(placeId, orgOf);
      if (typeof entry !== "string") return personInProject("changed", placeId);
      const way = within.length === 0 ? directionOf(kind) : "changed";
      return ofPerson(personInProject(way, placeId, entry), entry, way);
    }
    case "ProjectTeam":
      return teamInProject(direction, placeId, teamId);
    case "Team":
      return top === "usernames"
        ? peopleInTeam(placeId, teamId, { removed: namesIn(declared), added: namesIn(live) })
        : { ...TEAMS[direction], place: { orgId: placeId }, isTarget: aboutTeam(teamId) };
    case "OrganizationMember":
      if (username === undefined) return undefined;
      return ofPerson(personInOrganization(direction, placeId, username), username, direction);
    case "ApiKey": {
      if (publicKey === undefined) return undefined;
      const changes = changesOfKey(finding, direction);
      const isTarget = all(notOtherProject(), aboutKey(publicKey));
      return changes ? { ...changes, place: { orgId: placeId }, isTarget } : "undocumented";
    }
    case "ProjectApiKey":
      return publicKey === undefined ? undefined : keyInProject(direction, placeId, publicKey, orgOf);
    default:
      return "undocumented";
  }
}

function namesIn(value: unknown): readonly string[] {
  return knownTexts([value].flat());
}

/** @returns `undefined` for a property of which no document has an event */
function changesOfKey(finding: Difference, direction: Direction): EventTypes | undefined {
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
  object: UndeclaredObject,
  placeId: string,
  orgOf: OrganizationOf,
): Subject | "undocumented" {
  const { what, status, containerId, orgId = placeId, id, name } = object;
  if (object.in === "team") {
    // An invitation to the organization names the teams of the person.
    return status === "pending"
      ? personInOrganization("added", orgId, name)
      : peopleInTeam(orgId, containerId, { added: [name] });
  }
  if (object.in === "organization") {
    return what === "key"
      ? keyInOrganization(containerId, name)
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

/** The people, teams and keys among the unmanaged objects. */
export function subjectOfUnmanaged(
  { kind, holder: { id }, orgId = "", place }: Unmanaged,
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
      return keyInOrganization(place.id, id);
    case "teamPeople":
      return peopleInTeam(orgId, place.id, { added: [id] });
    default:
      return undefined;
  }
}
