/** Which events fit a difference: their types, what they are about, and which list has them. Pure. */

import { sameName } from "../../provider/access/person";
import type { Access, Holder, Place } from "../../provider/access/places";
import { knownTexts } from "../../provider/resources/contract/canonical";
import { parsePath } from "../../provider/resources/contract/property-path";
import { splitId } from "../../provider/text/object-id";
import { own } from "../../provider/text/own";
import { accessBy, type OwnedResource } from "./access/declared";
import {
  ACCESS_LIST_OF_KEY,
  aboutTeam,
  allOf,
  anyOf,
  anyTarget,
  CHANGES_OF_PROJECT,
  changeOfPeople,
  changeOfTeam,
  type Direction,
  deletionOf,
  type EventTypes,
  joined,
  type OrganizationOf,
  type Subject,
  subjectOfAccess,
  TEAMS,
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
  readonly what: "person" | "team" | "key" | "service account" | "group";
  /** A username, a public key, or a client ID. */
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
  readonly orgId?: string | undefined;
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
  if (object !== undefined) return subjectOfObject(object, placeId, orgOf) ?? "undocumented";
  const isInvited = (username = "") =>
    invitationsOf(type, resource?.recorded ?? resource?.outputs ?? {}).some((invitation) =>
      invitation.names.some((each) => sameName(each, username)),
    );
  const [top, entry, ...within] = parsePath(property);
  if (propertiesWithPeople.has(String(top)) && [declared, live].includes(SECRET)) return undefined;
  // A property of an object that is there changes it.
  const direction = property === "" ? directionOf(kind) : "changed";
  const of = (access: Access | undefined, way: Direction = direction): Subject | undefined => {
    const subject = access && subjectOfAccess(access, way, orgOf);
    const isInvitation =
      way === "removed" && access?.holder.kind === "person" && isInvited(access.holder.username);
    return subject && isInvitation ? ofInvitation(subject) : subject;
  };
  const declaredOne = () => of(accessBy({ ...resource, type, id })[0]?.access);
  switch (kindOf(type)) {
    case "Project": {
      if (kind === "deleted") return deletionOf(placeId, orgOf);
      const changes = CHANGES_OF_PROJECT.get(top);
      return changes ? { ...changes, place: { projectId: placeId }, isTarget: anyTarget } : "undocumented";
    }
    case "ProjectMembers":
      // The list of all people is deleted with its project only.
      if (kind === "deleted") return deletionOf(placeId, orgOf);
      if (typeof entry !== "string") return changeOfPeople(placeId);
      return of(
        { holder: { kind: "person", username: entry }, place: { kind: "project", id: placeId } },
        within.length === 0 ? directionOf(kind) : "changed",
      );
    case "ProjectMember":
    case "OrganizationMember":
    case "ProjectTeam":
    case "ProjectApiKey":
      return declaredOne();
    case "Team": {
      if (top === undefined && direction === "changed") return changeOfTeam(placeId, name);
      const list = { orgId: placeId };
      if (top !== "usernames") return { ...TEAMS[direction], place: list, isTarget: aboutTeam(name) };
      const team = { kind: "team", id: name, orgId: placeId } as const;
      const people = (value: unknown, way: Direction) =>
        knownTexts([value].flat()).flatMap(
          (username) => subjectOfAccess({ holder: { kind: "person", username }, place: team }, way) ?? [],
        );
      return anyOf(list, [...people(declared, "removed"), ...people(live, "added")]);
    }
    case "ApiKey": {
      const subject = declaredOne();
      if (subject === undefined || top === undefined || top === "roles") return subject;
      const changes = otherChangesOfKey(finding);
      return changes ? { ...subject, ...changes } : "undocumented";
    }
    case "Organization":
      if (top !== "name") return "undocumented";
      return { ...types(["ORG_RENAMED"]), place: { orgId: placeId }, isTarget: anyTarget };
    default:
      return "undocumented";
  }
}

/** @returns `undefined` for a property of which no document has an event */
function otherChangesOfKey(finding: Difference): EventTypes | undefined {
  const [top] = parsePath(finding.property);
  if (top === "description") return types([], ["API_KEY_DESCRIPTION_CHANGED"]);
  if (top !== "accessList") return undefined;
  return joined(directionsOfSet(finding).map((each) => ACCESS_LIST_OF_KEY[each]));
}

/**
 * @param orgOfObject if it does not name its organization
 * @returns `undefined` for a group: no event is about one
 */
function subjectOfObject(
  object: UndeclaredObject,
  orgOfObject: string,
  orgOf: OrganizationOf,
): Subject | undefined {
  const { what, name, id, status, in: kind, containerId, orgId = orgOfObject } = object;
  const holders: Readonly<Record<UndeclaredObject["what"], Holder | undefined>> = {
    person: { kind: "person", username: name },
    team: { kind: "team", teamId: id ?? name },
    key: { kind: "API key", publicKey: name },
    "service account": { kind: "service account", clientId: name },
    group: undefined,
  };
  const holder = holders[what];
  if (holder === undefined) return undefined;
  const placeOf = (): Place => {
    if (kind !== "team") return { kind, id: containerId };
    // An invitation to the organization names the teams of the person.
    return status === "pending" ? { kind: "organization", id: orgId } : { kind, id: containerId, orgId };
  };
  return subjectOfAccess({ holder, place: placeOf() }, "added", orgOf);
}

const OF_UNMANAGED: Readonly<Record<string, Pick<UndeclaredObject, "what" | "in">>> = {
  people: { what: "person", in: "project" },
  teams: { what: "team", in: "project" },
  keys: { what: "key", in: "project" },
  serviceAccounts: { what: "service account", in: "project" },
  owners: { what: "person", in: "organization" },
  ownerKeys: { what: "key", in: "organization" },
  ownerServiceAccounts: { what: "service account", in: "organization" },
  teamPeople: { what: "person", in: "team" },
};

/** The people, teams, keys and service accounts among the unmanaged objects. */
export function subjectOfUnmanaged(
  { kind, holder: { id: name }, orgId = "", place }: Unmanaged,
  orgOf: OrganizationOf,
): Subject | undefined {
  const found = own(OF_UNMANAGED, kind);
  return found && subjectOfObject({ ...found, name, containerId: place.id }, orgId, orgOf);
}
