/** Which events fit a difference: their types, what they are about, and which list has them. Pure. */
import type { EventPlace, EventResponse } from "../../provider/api/events";
import { knownTexts } from "../../provider/resources/contract/canonical";
import { parsePath } from "../../provider/resources/contract/property-path";
import { foldName } from "../../provider/resources/people/person";
import { OBJECT_ID, splitId } from "../../provider/text/object-id";
import { own } from "../../provider/text/own";
import { kindOf, propertiesWithPeople } from "../own-resources";
import { SECRET } from "../value-differences";
import type { OwnedResource } from "./ownership";
import type { Finding, Unmanaged, UnmanagedEntry } from "./report";

/** The types of events about one kind of change. */
interface EventTypes {
  /** Documented for Ops Manager (types of alerts, page "Audit Events"). */
  readonly documented: readonly string[];
  /** Only in the list of Atlas events. A version of Ops Manager may have them. */
  readonly others: readonly string[];
}

const PROJECT_NAME: EventTypes = { documented: [], others: ["GROUP_NAME_CHANGED"] };
const PROJECT_TAGS: EventTypes = { documented: [], others: ["GROUP_TAGS_MODIFIED", "TAGS_MODIFIED"] };
const PROJECT_ORGANIZATION: EventTypes = { documented: [], others: ["GROUP_MOVED"] };
const PROJECT_DELETED: EventTypes = { documented: ["GROUP_DELETED", "FLUSHED"], others: ["GROUP_FLUSHED"] };
const PEOPLE_OF_PROJECT: EventTypes = {
  documented: [
    "INVITED_TO_GROUP",
    "JOINED_GROUP",
    "REMOVED_FROM_GROUP",
    "USER_ROLES_CHANGED_AUDIT",
    "JOIN_GROUP_REQUEST_APPROVED_AUDIT",
  ],
  others: ["GROUP_INVITATION_DELETED"],
};
const PEOPLE_OF_ORGANIZATION: EventTypes = {
  documented: ["INVITED_TO_ORG", "JOINED_ORG", "REMOVED_FROM_ORG", "USER_ROLES_CHANGED_AUDIT"],
  others: ["ORG_INVITATION_DELETED"],
};
const TEAMS_OF_PROJECT: EventTypes = {
  documented: ["TEAM_ADDED_TO_GROUP", "TEAM_REMOVED_FROM_GROUP", "TEAM_ROLES_MODIFIED"],
  others: [],
};
const TEAM: EventTypes = { documented: ["TEAM_DELETED", "TEAM_NAME_CHANGED", "TEAM_UPDATED"], others: [] };
const PEOPLE_OF_TEAM: EventTypes = {
  documented: ["USER_ADDED_TO_TEAM", "JOINED_TEAM", "REMOVED_FROM_TEAM"],
  others: [],
};
/**
 * Two documents name the same events differently. Changes of an existing key are only in one of
 * them. The creation of a key is no change of it, and gives it no documented role in a project.
 */
const KEY_DELETED: EventTypes = { documented: ["ORG_API_KEY_DELETED"], others: ["API_KEY_DELETED"] };
const KEY_ROLES: EventTypes = {
  documented: [],
  others: ["API_KEY_ROLES_CHANGED", "API_KEY_ADDED_TO_GROUP", "API_KEY_REMOVED_FROM_GROUP"],
};
const KEY_OF_ORGANIZATION: EventTypes = {
  documented: ["ORG_API_KEY_ADDED"],
  others: ["API_KEY_CREATED", "API_KEY_ROLES_CHANGED"],
};
const KEY_CHANGES: Readonly<Record<string, EventTypes>> = {
  roles: KEY_ROLES,
  description: { documented: [], others: ["API_KEY_DESCRIPTION_CHANGED"] },
  accessList: {
    documented: [],
    others: ["API_KEY_ACCESS_LIST_ENTRY_ADDED", "API_KEY_ACCESS_LIST_ENTRY_DELETED"],
  },
};
/**
 * A deleted key has no roles in the project either. The removal of a key from one project has no
 * documented event, so it is not proven by the lack of an event.
 */
const KEY_REMOVED_FROM_PROJECT: EventTypes = {
  documented: [],
  others: [...KEY_ROLES.others, ...KEY_DELETED.documented, ...KEY_DELETED.others],
};

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

/** @param projects those that no resource owns */
export function organizationOf(
  resources: readonly OwnedResource[],
  projects: Unmanaged["projects"] = [],
): OrganizationOf {
  const known = new Map([
    ...projects.map(({ projectId, orgId }) => [projectId, orgId] as const),
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

const personInProject = (projectId: string, name?: string): Subject => ({
  ...PEOPLE_OF_PROJECT,
  place: { projectId },
  isTarget: name === undefined ? anyTarget : aboutPerson(name),
});

const personInOrganization = (orgId: string, name: string): Subject => ({
  ...PEOPLE_OF_ORGANIZATION,
  place: { orgId },
  isTarget: all(notOtherProject(), aboutPerson(name)),
});

const teamInProject = (projectId: string, teamId: string): Subject => ({
  ...TEAMS_OF_PROJECT,
  place: { projectId },
  isTarget: aboutTeam(teamId),
});

const personInTeam = (orgId: string, teamId: string, ...names: readonly string[]): Subject => ({
  ...PEOPLE_OF_TEAM,
  place: { orgId },
  isTarget: all(aboutTeam(teamId), aboutPerson(...names)),
});

const deletionOf = (projectId: string, orgOf: OrganizationOf): Subject => ({
  ...PROJECT_DELETED,
  place: placeAbove(projectId, orgOf),
  isTarget: (event) => event.projectId?.toLowerCase() === projectId,
  deletedProject: projectId,
});

const keyInProject = (
  types: EventTypes,
  projectId: string,
  publicKey: string,
  orgOf: OrganizationOf,
): Subject => ({
  ...types,
  place: placeAbove(projectId, orgOf),
  isTarget: all(notOtherProject(projectId), aboutKey(publicKey)),
});

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
  if (object?.in === "team") return personInTeam(object.orgId ?? ownerId, object.containerId, object.name);
  if (object?.what === "person") return personInProject(object.containerId, object.name);
  if (object?.what === "team") return teamInProject(object.containerId, object.id ?? object.name);
  if (object?.what === "group") return "undocumented";
  if (object?.what === "key") return keyInProject(KEY_ROLES, object.containerId, object.name, orgOf);
  const recorded = (output: string): string | undefined => {
    const value = own(resource?.outputs, output) ?? own(resource?.inputs, output);
    return typeof value === "string" ? value : undefined;
  };
  const username = recorded("username") ?? (OBJECT_ID.test(name) ? undefined : name);
  const teamId = recorded("teamId") ?? name;
  const publicKey = recorded("publicKey");
  const [top, entry] = parsePath(property);
  if (propertiesWithPeople.has(String(top)) && [declared, live].includes(SECRET)) return undefined;
  switch (kindOf(type)) {
    case "Project": {
      if (kind === "deleted") return deletionOf(ownerId, orgOf);
      const types = own({ name: PROJECT_NAME, tags: PROJECT_TAGS, orgId: PROJECT_ORGANIZATION }, String(top));
      return types ? { ...types, place: { projectId: ownerId }, isTarget: anyTarget } : "undocumented";
    }
    case "ProjectMember":
      return username === undefined ? undefined : personInProject(ownerId, username);
    case "ProjectMembers":
      // The list of all people is deleted with its project only.
      if (kind === "deleted") return deletionOf(ownerId, orgOf);
      return personInProject(ownerId, typeof entry === "string" ? entry : undefined);
    case "ProjectTeam":
      return teamInProject(ownerId, teamId);
    case "Team":
      return top === "usernames"
        ? personInTeam(ownerId, teamId, ...[declared, live].flatMap(knownTexts))
        : { ...TEAM, place: { orgId: ownerId }, isTarget: aboutTeam(teamId) };
    case "OrganizationMember":
      return username === undefined ? undefined : personInOrganization(ownerId, username);
    case "ApiKey": {
      if (publicKey === undefined) return undefined;
      const types = kind === "deleted" ? KEY_DELETED : own(KEY_CHANGES, String(top));
      const isTarget = all(notOtherProject(), aboutKey(publicKey));
      return types ? { ...types, place: { orgId: ownerId }, isTarget } : "undocumented";
    }
    case "ProjectApiKey": {
      if (publicKey === undefined) return undefined;
      const types = kind === "deleted" ? KEY_REMOVED_FROM_PROJECT : own(KEY_CHANGES, String(top));
      return types ? keyInProject(types, ownerId, publicKey, orgOf) : "undocumented";
    }
    default:
      return "undocumented";
  }
}

/** The people, teams and keys among the unmanaged objects. */
export function subjectOfUnmanaged(
  { kind, id, orgId = "", container }: UnmanagedEntry,
  orgOf: OrganizationOf,
): Subject | undefined {
  switch (kind) {
    case "people":
      return personInProject(container.id, id);
    case "teams":
      return teamInProject(container.id, id);
    case "keys":
      return keyInProject(KEY_ROLES, container.id, id, orgOf);
    case "owners":
      return personInOrganization(container.id, id);
    case "ownerKeys":
      return {
        ...KEY_OF_ORGANIZATION,
        place: { orgId: container.id },
        isTarget: all(notOtherProject(), aboutKey(id)),
      };
    case "teamPeople":
      return personInTeam(orgId, container.id, id);
    default:
      return undefined;
  }
}
