/** The schema of one project file, made of the same types as the resources that it declares. */

import { z } from "zod";
import { foldName, OWNER_ROLES } from "../provider/access/person";
import { checkedAs } from "../provider/resources/contract/border";
import type { LocatedFailure } from "../provider/resources/contract/check";
import { nameText } from "../provider/resources/contract/fields";
import { roleFailures, roleList } from "../provider/resources/contract/people-inputs";
import { pathText } from "../provider/resources/contract/property-path";
import { isRecord, type Properties } from "../provider/resources/contract/values";
import { nestedInMappings } from "../provider/resources/managed/group-mappings";
import { projectInputs, setFailures } from "../provider/resources/project/inputs";
import { memberFailures, projectMembersInputs } from "../provider/resources/project-members/inputs";
import {
  type DeclaredFile,
  type Draft,
  type FileKind,
  fileProperties,
  LOST_NAME,
  missingNameFaults,
  organizationOf,
  orgIdOfFile,
  sharedFaults,
  sharedKeyFaults,
} from "./declared-file";
import { type Fault, locationText } from "./faults";
import { at, keyLocationOf, type LocatedMap, locationOf } from "./located";
import { minOwnersFaults, minOwnersInput, ownersIn } from "./owners";

const { projectId: _byImportOnly, onDestroy: _withADefault, ...projectProperties } = projectInputs.shape;
const { members, ignoreUsers, maxRemovals, removeUnlisted } = projectMembersInputs.shape;

/** Every property is optional in one file: a file that it extends may have it. */
export const projectFileSource = z.strictObject({
  ...fileProperties("project"),
  ...projectProperties,
  name: projectProperties.name.meta({
    defaultText: "`key`, where that is written",
    description:
      "Name of the project in the service; not inherited. Required without `key`, to distinguish a renamed file from a new project.",
  }),
  orgId: projectProperties.orgId.meta(orgIdOfFile),
  onDestroy: z.enum(["release", "delete"], 'must be "release" or "delete"').optional().meta({
    defaultText: "`release`",
    description:
      "What happens after the file is deleted: `release` leaves the project and its people in the service, `delete` deletes the project there.",
  }),
  members: members.optional().meta({
    description: `${members.meta()?.description ?? ""} Left out means not managed.`,
  }),
  membership: z.enum(["exclusive", "additive"], 'must be "exclusive" or "additive"').optional().meta({
    defaultText: "`exclusive`",
    description:
      "Whether `members` is the one list of the project's people (`exclusive`, a ProjectMembers), or some beside others (`additive`, one ProjectMember each). With `exclusive`, other people are drift, and `removeUnlisted` removes them. With `additive`, people whose names leave `members` are removed from the project, also if you delete `members` as a whole. To release them instead, write `exclusive` and run `pulumi up` first.",
  }),
  ignoreUsers,
  maxRemovals,
  removeUnlisted,
  minOwners: minOwnersInput("project"),
  teams: rolesOf("team").meta({
    description:
      "Teams of the folder in the project: a set of roles by the `name` of the team's file, a ProjectTeam each. Other teams stay. A team that leaves `teams` is removed from the project.",
  }),
  externalTeams: rolesOf("team").meta({
    description:
      "Teams that no file of the folder declares: a set of roles by the name or the ID of the team, a ProjectTeam each. A team that leaves `externalTeams` is removed from the project.",
  }),
  apiKeys: rolesOf("key").meta({
    description:
      "API keys of the folder with roles in the project: a set of roles by the name of the key in the file of the project's organization, a ProjectApiKey each. Other keys stay. A key that leaves `apiKeys` loses its roles in the project.",
  }),
  externalApiKeys: rolesOf("key").meta({
    description:
      "API keys that no file of the folder declares: a set of roles by the public key or the ID of the key, a ProjectApiKey each. A key that leaves `externalApiKeys` loses its roles in the project.",
  }),
});

/** @param noun of the holders of the roles */
function rolesOf(noun: string) {
  return z.record(nameText(), roleList(`a ${noun}`), `must be a map from ${noun} to roles`).optional();
}

/**
 * One project file with the files that it extends and with defaults: checked and complete. Its
 * lists have the types of the resources' arguments.
 */
export interface ProjectFile extends DeclaredFile {
  readonly name: string;
  /** An absent property is not managed, here and below. */
  readonly tags?: string[];
  readonly ldapGroupMappings?: { roleName: string; ldapGroups: string[] }[];
  readonly idpGroupMappings?: { roleName: string; idpGroups: string[] }[];
  readonly ignoreTags?: string[];
  readonly withDefaultAlertsSettings?: boolean;
  readonly projectOwnerId?: string;
  readonly onDestroy: "release" | "delete";
  /** Roles by username. */
  readonly members?: Record<string, string[]>;
  readonly membership: "exclusive" | "additive";
  readonly ignoreUsers?: string[];
  readonly maxRemovals?: number;
  readonly removeUnlisted?: boolean;
  readonly minOwners?: number;
  /** Roles by the name of a team of the folder. */
  readonly teams?: Record<string, string[]>;
  /** Roles by the name or the ID of another team. */
  readonly externalTeams?: Record<string, string[]>;
  /** Roles by the name of an API key in the file of the organization. */
  readonly apiKeys?: Record<string, string[]>;
  /** Roles by the public key or the ID of another API key. */
  readonly externalApiKeys?: Record<string, string[]>;
}

/** The properties that name what the folder declares, each with the one for everything else. */
export const EXTERNAL = { teams: "externalTeams", apiKeys: "externalApiKeys" } as const;

/** Who has roles in a project beside its people. */
const HOLDERS = ["teams", "externalTeams", "apiKeys", "externalApiKeys"] as const;

export const projectKind: FileKind<ProjectFile> = {
  noun: "project",
  folder: "projects",
  sample: "name: payments",
  source: projectFileSource,
  endable: [
    { property: "members", value: "roles" },
    ...HOLDERS.map((property) => ({ property, value: "roles" }) as const),
  ],
  nested: nestedInMappings,
  failuresIn: (values) => [
    ...setFailures(values),
    ...memberFailures(values),
    ...HOLDERS.flatMap((property) => mapFailures(property, values)),
  ],
  noteOn: otherSpelling,
  faultsIn: (draft, values) => [
    ...peopleSettingsFaults(draft.content, values, draft.file),
    ...lostNameFaults(draft.content, values),
    ...minOwnersFaults(draft, values, "project"),
    ...ownerlessFaults(draft, values),
    ...namedTwiceFaults(draft.content, values),
    ...emptyMembersFaults(draft, values, "To leave the project's people unmanaged, remove members."),
    ...missingNameFaults("project", draft, values),
  ],
  toFile: (declared, { key, ...facts }) => {
    const defaults = { name: key, onDestroy: "release", membership: "exclusive" };
    return checkedAs<ProjectFile>({ ...defaults, ...declared, ...facts, key });
  },
  shared: (files, locate) => [
    ...sharedKeyFaults(files, locate),
    ...sharedFaults(files, {
      identity: (project) => `${project.name} in ${organizationOf(project)}`,
      locationOf: (file) => locate(file, ["name"]),
      reason: ({ name }, other) =>
        `The project "${name}" is also declared by ${other}. Keep one file for each project.`,
    }),
  ],
};

function mapFailures(property: (typeof HOLDERS)[number], values: Properties): LocatedFailure[] {
  const rolesByName = values[property];
  if (!isRecord(rolesByName)) return [];
  return Object.entries(rolesByName).flatMap(([name, roles]) => roleFailures(roles, [property, name]));
}

/** Names the location of the other spelling of the same username, which may be in another file. */
export function otherSpelling(content: LocatedMap, path: readonly PropertyKey[]): string {
  const [property, name] = path;
  const people = at(content, ["members"]);
  if (property !== "members" || path.length !== 2 || people?.kind !== "map") return "";
  const same = [...people.entries].find(
    ([other]) => other !== name && foldName(other) === foldName(String(name)),
  );
  return same ? ` The other is in ${locationText(same[1].keyLocation)}.` : "";
}

/**
 * Reports people settings without members. A file that others extend may have them; in a project
 * file without members they would have no effect.
 */
function peopleSettingsFaults(content: LocatedMap, values: Properties, file: string): Fault[] {
  return ["membership", "minOwners", "ignoreUsers", "maxRemovals", "removeUnlisted"].flatMap((property) => {
    const location = keyLocationOf(content, [property]);
    if (!Object.hasOwn(values, property) || location.file !== file) return [];
    if (values.members === undefined) {
      const reason = `${property} has no effect without members. Add members, or remove ${property}.`;
      return [{ location, reason }];
    }
    if (values.membership !== "additive" || ["membership", "minOwners"].includes(property)) return [];
    const reason = `${property} requires membership: exclusive, because additive never removes anyone else.`;
    return [{ location, reason }];
  });
}

/** With `additive`, each name is a text of a resource of its own. */
function lostNameFaults(content: LocatedMap, { members: people, membership }: Properties): Fault[] {
  if (membership === "additive" || !isRecord(people) || !Object.hasOwn(people, LOST_NAME)) return [];
  const path = ["members", LOST_NAME];
  const reason = `${pathText(path)}: the Node.js SDK of Pulumi loses an entry with this name. Write membership: additive, which declares each person alone.`;
  return [{ location: keyLocationOf(content, path), reason }];
}

/**
 * A list that removes everyone else, and with them every owner: the last one stays, with an error in each run.
 * `minOwners` says that this is meant, for a project that has no direct owner.
 */
function ownerlessFaults({ content, isSound = () => true }: Draft, values: Properties): Fault[] {
  const {
    members: people,
    membership,
    removeUnlisted: isWhole,
    ignoreUsers: kept,
    minOwners,
    teams,
    externalTeams,
  } = values;
  const mayBeLeft =
    membership === "additive" || isWhole !== true || kept !== undefined || minOwners !== undefined;
  if (mayBeLeft || !isRecord(people) || Object.keys(people).length === 0) return [];
  if (!["members", "teams", "externalTeams"].every(isSound)) return [];
  if ([people, teams, externalTeams].some((holders) => ownersIn(holders, OWNER_ROLES.project).length > 0))
    return [];
  const reason = `removeUnlisted: true removes every owner, because nobody in members has ${OWNER_ROLES.project}. Name an owner, or write minOwners: 0 if the project has none.`;
  return [{ location: keyLocationOf(content, ["members"]), reason }];
}

/** Two entries would have one logical name. */
function namedTwiceFaults(content: LocatedMap, values: Properties): Fault[] {
  return (["teams", "apiKeys"] as const).flatMap((property) => {
    const [own, others] = [values[property], values[EXTERNAL[property]]];
    if (!isRecord(own) || !isRecord(others)) return [];
    const names = Object.keys(others).filter((name) => Object.hasOwn(own, name));
    return names.map((name) => ({
      location: keyLocationOf(content, [EXTERNAL[property], name]),
      reason: `${pathText([EXTERNAL[property], name])} is in ${property} as well. Remove one of them.`,
    }));
  });
}

/** @param advice what to do instead */
export function emptyMembersFaults(
  { content, isSound = () => true }: Draft,
  { members: people }: Properties,
  advice: string,
): Fault[] {
  if (!isRecord(people) || Object.keys(people).length > 0 || !isSound("members")) return [];
  return [{ location: locationOf(content, ["members"]), reason: `members must not be empty. ${advice}` }];
}
