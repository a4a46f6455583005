/** The schema of one project file, made of the same types as the resources that it declares. */

import { z } from "zod";
import { foldName } from "../provider/access/person";
import { checkedAs } from "../provider/resources/contract/border";
import { type LocatedFailure, locatedShapeFailures } from "../provider/resources/contract/check";
import { nameText } from "../provider/resources/contract/fields";
import { pathText } from "../provider/resources/contract/property-path";
import { isRecord, type Properties } from "../provider/resources/contract/values";
import { roleFailures, roleList } from "../provider/resources/people/inputs";
import {
  idpGroupMappingFields,
  ldapGroupMappingFields,
  projectInputs,
  setFailures,
} from "../provider/resources/project/inputs";
import { memberFailures, projectMembersInputs } from "../provider/resources/project-members/inputs";
import { fold, nearest } from "../provider/text/nearest";
import { own } from "../provider/text/own";
import { type Fault, type FileLocation, locationText } from "./faults";
import { at, keyLocationOf, type Located, type LocatedMap, locationOf, plainOf } from "./located";

const { projectId: _byImportOnly, onDestroy: _withADefault, ...projectProperties } = projectInputs.shape;
const { members, ignoreUsers, maxRemovals, removeUnlisted } = projectMembersInputs.shape;

/**
 * Text that is valid in a logical name. It ends a URN, and is the first half of the logical names
 * of people.
 */
const keyText = () =>
  nameText()
    .refine((key) => key.trim() === key, "must not begin or end with blanks")
    .refine((key) => !/::|[/\\]/.test(key), "must not contain ::, / or \\")
    .refine((key) => key !== LOST_NAME, "must not be __proto__, which the Node.js SDK of Pulumi loses");

/** Pulumi's Node.js SDK copies a map into an object, in which an entry with this name is lost and spoils the others. */
const LOST_NAME = "__proto__";

const path = () => z.string("must be the path of a file").min(1, "must be the path of a file");

/** Every property is optional in one file: a file that it extends may have it. */
export const projectFileSource = z.strictObject({
  $schema: z.string("must be text").optional().meta({
    description: "For editors, in JSON: the address of this schema. It does not change the project.",
  }),
  key: keyText().optional().meta({
    defaultText: "the file's name without its extension",
    description:
      "Logical name of the project in the stack; not inherited. If you rename the file, write the old name here to keep the project.",
  }),
  extends: z
    .union([path(), z.array(path()).min(1)])
    .optional()
    .meta({
      description:
        "File, or list of files, whose properties this one inherits; paths are relative to this file. The nearer file decides, in a list the later one. Maps such as `members` are merged name by name, lists are replaced.",
    }),
  ...projectProperties,
  name: projectProperties.name.meta({
    defaultText: "`key`, where that is written",
    description:
      "Name of the project in the service; not inherited. Required without `key`, to distinguish a renamed file from a new project.",
  }),
  orgId: projectProperties.orgId.meta({
    description:
      "Id of the organization, 24 hexadecimal digits. Needed, here or in a file that this one extends.",
  }),
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
  apiKeys: z.record(nameText(), roleList("a key"), "must be a map from API key to roles").optional().meta({
    description:
      "API keys of the organization with roles in the project: roles by the public key or the id of the key, a ProjectApiKey each. Each key has a set of roles with at least one entry. Other keys stay. A key that leaves `apiKeys` loses its roles in the project.",
  }),
  teams: z.record(nameText(), roleList("a team"), "must be a map from team to roles").optional().meta({
    description:
      "The teams of the project: roles by the name or the id of the team, a ProjectTeam each. Each team has a set of roles with at least one entry. Other teams stay. A team that leaves `teams` is removed from the project.",
  }),
});

/**
 * One project file with the files that it extends and with defaults: checked and complete. Its
 * lists have the types of the resources' arguments.
 */
export interface ProjectFile {
  /** The file, relative to the working directory if it is below it. */
  readonly file: string;
  /** Logical name. */
  readonly key: string;
  readonly orgId: string;
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
  /** Roles by the name or the id of a team. */
  readonly teams?: Record<string, string[]>;
  /** Roles by the public key or the id of an API key. */
  readonly apiKeys?: Record<string, string[]>;
}

/** Properties that are not inherited. */
export const OWN_PROPERTIES = ["key", "name", "extends", "$schema"];

const PROPERTIES = Object.keys(projectFileSource.shape).filter((name) => name !== "$schema");

const MAPPING_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  ldapGroupMappings: Object.keys(ldapGroupMappingFields.shape),
  idpGroupMappings: Object.keys(idpGroupMappingFields.shape),
};

interface Draft {
  /** The file itself, for messages. */
  readonly file: string;
  readonly defaultKey: string;
  /** The content merged with everything that the file extends. */
  readonly content: LocatedMap;
  /**
   * `false` if a file that it extends could not be read. Then no property is known to be missing.
   */
  readonly isComplete: boolean;
}

/** @returns the project, if it has no fault */
export function checkProjectFile(draft: Draft): { project?: ProjectFile; faults: Fault[] } {
  const { content, file, defaultKey } = draft;
  const values = plainOf(content) as Properties;
  // The loader has resolved `extends`; `$schema` is for editors.
  const { extends: _, $schema: __, ...declared } = values;
  const faults = [
    ...shapeFaults(content, declared),
    ...[
      ...setFailures(values),
      ...memberFailures(values),
      ...mapFailures("teams", values),
      ...mapFailures("apiKeys", values),
    ].map(({ path, reason }) => ({
      location: locationOf(content, path),
      reason: `${reason}${otherSpelling(content, path)}`,
    })),
    ...peopleSettingsFaults(content, values, file),
    ...lostNameFaults(content, values),
    ...missingFaults(draft, values),
  ];
  if (faults.length > 0 || !draft.isComplete) return { faults };
  const key = (values.key as string | undefined) ?? defaultKey;
  const defaults = { name: key, onDestroy: "release", membership: "exclusive" };
  return { project: checkedAs<ProjectFile>({ ...defaults, ...declared, file, key }), faults };
}

function mapFailures(property: "teams" | "apiKeys", values: Properties): LocatedFailure[] {
  const rolesByName = values[property];
  if (!isRecord(rolesByName)) return [];
  return Object.entries(rolesByName as Properties).flatMap(([name, roles]) =>
    roleFailures(roles, [property, name]),
  );
}

function shapeFaults(content: LocatedMap, values: Properties): Fault[] {
  return locatedShapeFailures(projectFileSource, values).flatMap(({ path, reason }) => {
    const located = at(content, path);
    // A line without a value is a fault of its own.
    if (located?.kind === "scalar" && located.value === null) return [];
    const name = String(path.at(-1));
    if (reason.startsWith(`${name} is not a property`)) {
      const names = path.length === 1 ? PROPERTIES : (own(MAPPING_PROPERTIES, String(path[0])) ?? []);
      const suggestion = reason.endsWith("?") ? "" : ` ${unknownProperty(name, names)}`;
      return [{ location: keyLocationOf(content, path), reason: `${reason}${suggestion}` }];
    }
    return [{ location: locationOf(content, path), reason: `${reason}${quotesHint(located, reason)}` }];
  });
}

/** Advises quotes: YAML does not read an id of digits only, `no` and `1.0` as text. */
function quotesHint(located: Located | undefined, reason: string): string {
  if (!reason.endsWith(" must be text.") || located?.kind !== "scalar") return "";
  return ` ${located.source} is a ${typeof located.value} to YAML. Put it in quotes.`;
}

/** Names the location of the other spelling of the same username, which may be in another file. */
function otherSpelling(content: LocatedMap, path: readonly PropertyKey[]): string {
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
  return ["membership", "ignoreUsers", "maxRemovals", "removeUnlisted"].flatMap((property) => {
    const location = keyLocationOf(content, [property]);
    if (!Object.hasOwn(values, property) || location.file !== file) return [];
    if (values.members === undefined) {
      const reason = `${property} has no effect without members. Add members, or remove ${property}.`;
      return [{ location, reason }];
    }
    if (values.membership !== "additive" || property === "membership") return [];
    const reason = `${property} requires membership: exclusive. additive removes no other people.`;
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

function missingFaults({ content, file, defaultKey, isComplete }: Draft, values: Properties): Fault[] {
  const faults: Fault[] = [];
  const refuse = (location: FileLocation, reason: string) => faults.push({ location, reason });
  const beginning = { ...content.location, file };
  if (values.orgId === undefined && isComplete) {
    refuse(beginning, "orgId is missing. Set it here or in a file that this one extends.");
  }
  if (isRecord(values.members) && Object.keys(values.members).length === 0) {
    const reason = "members must not be empty. To leave the project's people unmanaged, remove members.";
    refuse(locationOf(content, ["members"]), reason);
  }
  // If the file's name were both key and name, a renamed file would declare a new project and
  // release the old one.
  if (values.key === undefined && values.name === undefined) {
    refuse(beginning, `name is missing. Set the project's name in the service, such as name: ${defaultKey}.`);
  }
  const key = keyText().safeParse(defaultKey);
  if (values.key === undefined && !key.success) {
    const reason = `The name of the file is the project's key, which ${key.error.issues[0]?.message}. Rename the file, or set key.`;
    refuse({ file }, reason);
  }
  return faults;
}

/**
 * Reports what more than one file declares.
 *
 * @param locate where a property of a project is written; the beginning of the file if it is not
 */
export function sharedBetweenFiles(projects: readonly ProjectFile[], locate: Locate): Fault[] {
  const identity = ({ orgId, name }: ProjectFile) => `${name} in ${orgId.toLowerCase()}`;
  return [
    ...sharedFaults(
      projects,
      ({ key }) => key,
      (project) => locate(project, "key"),
      (key, other) => `The key "${key}" is also the key of ${other}. Set another key in one of them.`,
    ),
    ...sharedFaults(
      projects,
      identity,
      (project) => locate(project, "name"),
      (_, other, { name, orgId }) =>
        `The project "${name}" of organization ${orgId} is also declared by ${other}. Keep one file for each project.`,
    ),
  ];
}

type Locate = (project: ProjectFile, property: "key" | "name") => FileLocation;

function sharedFaults(
  projects: readonly ProjectFile[],
  textOf: (project: ProjectFile) => string,
  locationOfFault: (project: ProjectFile) => FileLocation,
  reasonOf: (text: string, other: string, project: ProjectFile) => string,
): Fault[] {
  return [...Map.groupBy(projects, textOf)].flatMap(([text, [first, ...others]]) => {
    return others.map((project) => ({
      location: locationOfFault(project),
      reason: reasonOf(text, first?.file ?? "", project),
    }));
  });
}

// Suggestions for unknown property names.

/** Names of the same property in other tools and in the service's own API. */
const otherWords: Readonly<Record<string, string>> = {
  organization: "orgId",
  organizationid: "orgId",
  org: "orgId",
  users: "members",
  people: "members",
  ldapmappings: "ldapGroupMappings",
  idpmappings: "idpGroupMappings",
  oidcmappings: "idpGroupMappings",
  samlmappings: "idpGroupMappings",
  keys: "apiKeys",
  extend: "extends",
  projectname: "name",
};

/** @returns the sentence that follows "x is not a property." */
function unknownProperty(name: string, known: readonly string[]): string {
  const folded = fold(name);
  if (folded === "projectid") {
    return "A project file identifies a project by orgId and name. For an existing project, run opsmanager adopt and pulumi import.";
  }
  const other = own(otherWords, folded);
  if (other !== undefined && known.includes(other)) return `Did you mean ${other}?`;
  const meant = nearest(name, known);
  return meant === undefined ? `Properties are: ${[...known].sort().join(", ")}.` : `Did you mean ${meant}?`;
}
