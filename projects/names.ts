/**
 * The teams and API keys that project files name. `teams` and `apiKeys` name those of the folder, by the names that its
 * files give them in the project's organization; `externalTeams` and `externalApiKeys` name any other, as the service knows
 * it. Pure.
 */

import { pathText } from "../provider/resources/contract/property-path";
import { shortList } from "../provider/text/list";
import { nearest } from "../provider/text/nearest";
import { own } from "../provider/text/own";
import type { AccessFiles, FileKindName } from "./access-files";
import { type DeclaredFile, type Locate, organizationOf, sameOrganization } from "./declared-file";
import type { Fault } from "./faults";
import { at, type LocatedMap } from "./located";
import type { OrganizationFile } from "./organization-file";
import { EXTERNAL, type ProjectFile } from "./project-file";

type Named = keyof typeof EXTERNAL;

const PROPERTIES = ["teams", "apiKeys"] as const satisfies Named[];

/** What files of one folder declare, by name. */
interface Declared {
  readonly noun: string;
  readonly folder: FileKindName;
  /** How the service knows it. */
  readonly byWhat: string;
  readonly files: readonly { readonly file: DeclaredFile; readonly names: readonly string[] }[];
}

function declaredIn({ teams, organizations }: AccessFiles): Readonly<Record<Named, Declared>> {
  return {
    teams: {
      noun: "team",
      folder: "teams",
      byWhat: "its name or ID",
      files: teams.map((file) => ({ file, names: [file.name] })),
    },
    apiKeys: {
      noun: "API key",
      folder: "organizations",
      byWhat: "its public key or ID",
      files: organizations.map((file) => ({ file, names: Object.keys(file.apiKeys ?? {}) })),
    },
  };
}

/** The file of the organization of another file. */
export function organizationFileOf(
  file: DeclaredFile,
  { organizations }: Pick<AccessFiles, "organizations">,
): OrganizationFile | undefined {
  return organizations.find((organization) => sameOrganization(organization, file));
}

/**
 * Names that no file of the project's organization declares.
 *
 * @param isWhole whether all files of a folder are there: otherwise a faulty one may declare the name
 */
export function nameFaults(
  files: AccessFiles,
  isWhole: (folder: FileKindName) => boolean,
  locate: Locate,
): Fault[] {
  const declared = declaredIn(files);
  return PROPERTIES.flatMap((property) => {
    if (!isWhole(declared[property].folder)) return [];
    const byOrganization = Map.groupBy(declared[property].files, ({ file }) => organizationOf(file));
    const namesOf = new Map(
      [...byOrganization].map(([orgId, own]) => [orgId, new Set(own.flatMap(({ names }) => names))]),
    );
    return files.projects.flatMap((project) => {
      const names = namesOf.get(organizationOf(project)) ?? new Set();
      return Object.keys(project[property] ?? {})
        .filter((name) => !names.has(name))
        .map((name) => ({
          location: locate(project, [property, name]),
          reason: reasonOf(project, [property, name], [...names], declared[property]),
        }));
    });
  });
}

function reasonOf(
  project: ProjectFile,
  [property, name]: readonly [Named, string],
  names: readonly string[],
  { noun, folder, byWhat, files }: Declared,
): string {
  const path = pathText([property, name]);
  const elsewhere = files.find((each) => each.names.includes(name))?.file;
  if (elsewhere !== undefined) {
    const isUnsure = (elsewhere.orgId === undefined) !== (project.orgId === undefined);
    const why = isUnsure
      ? "Only one of the two files names its organization. Write orgId into both, or into neither."
      : "A project's teams and API keys are those of its own organization.";
    return `${path} is ${articled(noun)} of ${elsewhere.file}. ${why}`;
  }
  const meant = nearest(name, names);
  const known =
    meant !== undefined
      ? ` Did you mean ${meant}?`
      : names.length > 0
        ? ` There are: ${shortList([...names].sort(), MOST_NAMES)}.`
        : "";
  const otherwise = meant === undefined ? "Remove it" : "Otherwise remove it";
  return `${path}: no file of ${folder}/ declares this ${noun} for the project's organization.${known} ${otherwise}, or name ${articled(noun)} from elsewhere in ${EXTERNAL[property]}, by ${byWhat}.`;
}

function articled(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** More would not be read. */
const MOST_NAMES = 5;

/**
 * What the folder declares and project files name as external, such as after `adopt` has given a team its file.
 *
 * @returns by the property to which it belongs
 */
export function ownAsExternal(files: AccessFiles): ReadonlyMap<Named, readonly string[]> {
  const declared = declaredIn(files);
  const namedAs = (property: Named) =>
    files.projects.flatMap((project) =>
      Object.keys(project[EXTERNAL[property]] ?? {})
        .filter((name) =>
          declared[property].files.some(
            ({ file, names }) => names.includes(name) && sameOrganization(file, project),
          ),
        )
        .map((name) => `${pathText([EXTERNAL[property], name])} of ${project.file}`),
    );
  return new Map(PROPERTIES.map((property) => [property, namedAs(property)]));
}

/** With the ends of API keys: a key takes its roles in projects along, so of two days the earlier one counts. */
export function withEndsOfKeys(files: AccessFiles): AccessFiles {
  const projects = files.projects.map((file): ProjectFile => {
    const { ends: all = [] } = organizationFileOf(file, files) ?? {};
    const given = file.ends ?? [];
    const sooner = all.flatMap((end) => {
      if (end.property !== "apiKeys" || !Object.hasOwn(file.apiKeys ?? {}, end.name)) return [];
      const before = given.find(({ property, name }) => property === end.property && name === end.name);
      return before !== undefined && before.until <= end.until ? [] : [{ ...end, before, isOfKey: true }];
    });
    if (sooner.length === 0) return file;
    const replaced = new Set(sooner.map(({ before }) => before));
    const ends = [
      ...given.filter((end) => !replaced.has(end)),
      ...sooner.map(({ before: _, ...end }) => end),
    ];
    return { ...file, ends };
  });
  return { ...files, projects };
}

/** The path in a file of a team or an API key that a logical name ends with: it may be one of the folder or an external one. */
export function writtenPath(content: LocatedMap, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const [property, ...rest] = path;
  const external = [own(EXTERNAL, String(property)) ?? "", ...rest];
  return at(content, path) === undefined && at(content, external) !== undefined ? external : path;
}

/** API keys of files that another stack declares: only the stack of a key knows its ID. */
export function keysElsewhere(selected: AccessFiles, all: AccessFiles): Fault[] {
  return selected.projects.flatMap((project) => {
    const organization = organizationFileOf(project, all);
    if (organization === undefined || selected.organizations.includes(organization)) return [];
    return Object.keys(project.apiKeys ?? {}).map((name) => ({
      location: { file: project.file },
      reason: `${pathText(["apiKeys", name])} is an API key of ${organization.file}, which select leaves to another stack. Write it into ${EXTERNAL.apiKeys}, by its public key or ID.`,
    }));
  });
}
