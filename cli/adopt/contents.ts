/** What the new file of each kind has, and which of it a file may do without. Pure. */
import { fileKinds } from "../../projects/access-files";
import type { DeclaredFile, FileKind } from "../../projects/declared-file";
import type { OrganizationFile } from "../../projects/organization-file";
import { EXTERNAL, type ProjectFile } from "../../projects/project-file";
import type { TeamFile } from "../../projects/team-file";
import { foldName } from "../../provider/access/person";
import { inOrder } from "../../provider/resources/contract/values";
import { faultsOfName } from "../../provider/text/names";
import { OBJECT_ID } from "../../provider/text/object-id";
import { type EntriesOf, organizationEntries, projectEntries, teamEntries } from "./import-entries";
import type { Access, AccessKey, AccessTeam, AdoptedObject } from "./objects";
import { uniqueSlug } from "./slug";

/** The properties of a file beside its key, its organization and its name, in their order. */
export type Content = Readonly<Record<string, unknown>>;

/** A part of a file that it may do without, because it then says nothing wrong about the object. */
export interface Part {
  /** The first one names it in messages. */
  readonly properties: readonly [string, ...string[]];
  /** These entries of the property; absent: the property as a whole. */
  readonly names?: readonly string[];
}

/** What `adopt` needs to know of a kind of files. */
export interface AdoptedKind<File extends DeclaredFile> {
  readonly files: FileKind<File>;
  /** The last line of a new file's header. */
  readonly unmanaged: string;
  /** Whether a file has the name of its object. */
  readonly isNamed: boolean;
  content(object: AdoptedObject, access: Access): Content;
  /** Smaller parts first. */
  parts(content: Content): readonly Part[];
  /** What the import list has for a file. */
  readonly entries: EntriesOf<File>;
}

const projects: AdoptedKind<ProjectFile> = {
  files: fileKinds.projects,
  unmanaged: "Properties that are not in this file are not managed.",
  isNamed: true,
  content: projectContent,
  // Entries are no parts: half of a list would look like all of it.
  parts: () => [
    { properties: ["tags"] },
    { properties: ["ldapGroupMappings"] },
    { properties: ["idpGroupMappings"] },
    { properties: ["members", "membership"] },
    { properties: ["teams"] },
    { properties: ["externalTeams"] },
    { properties: ["apiKeys"] },
    { properties: ["externalApiKeys"] },
  ],
  entries: projectEntries,
};

const teams: AdoptedKind<TeamFile> = {
  files: fileKinds.teams,
  unmanaged: "People who leave the list leave the team.",
  isNamed: true,
  content: (_, { people = [] }) => ({ usernames: people.map(({ username }) => username).sort(inOrder) }),
  parts: () => [],
  entries: teamEntries,
};

const organizations: AdoptedKind<OrganizationFile> = {
  files: fileKinds.organizations,
  unmanaged:
    "People and API keys that are not in this file are not managed. Those that leave it are removed.",
  isNamed: false,
  content: organizationContent,
  parts: (content) => [
    ...(["ldapGroupMappings", "idpGroupMappings"] as const)
      .filter((list) => content[list] !== undefined)
      .map((list): Part => ({ properties: [list] })),
    // Two spellings of one name are the same person to the service, and neither may be declared beside the other.
    ...[...Map.groupBy(namesIn(content.members), foldName).values()].map((names): Part => {
      return { properties: ["members"], names };
    }),
    ...namesIn(content.apiKeys).map((name): Part => ({ properties: ["apiKeys"], names: [name] })),
  ],
  entries: organizationEntries,
};

export const adoptedKinds = { projects, teams, organizations };

/** The names in a property that is a map. */
export function namesIn(property: unknown): string[] {
  return typeof property === "object" && property !== null ? Object.keys(property) : [];
}

/** The part alone, with everything that is no part. */
export function alone(content: Content, part: Part, parts: readonly Part[]): Content {
  const optional = new Set(parts.flatMap(({ properties }) => properties));
  const isKept = (property: string) => !optional.has(property) || part.properties.includes(property);
  const kept = Object.entries(content).filter(([property]) => isKept(property));
  return part.names === undefined
    ? Object.fromEntries(kept)
    : withNames(Object.fromEntries(kept), part.properties[0], (name) => part.names?.includes(name) === true);
}

export function without(content: Content, { properties, names }: Part): Content {
  return names === undefined
    ? Object.fromEntries(Object.entries(content).filter(([property]) => !properties.includes(property)))
    : withNames(content, properties[0], (name) => !names.includes(name));
}

/** A property of which nothing is left is left out. */
function withNames(content: Content, property: string, isKept: (name: string) => boolean): Content {
  return Object.fromEntries(
    Object.entries(content).flatMap(([each, value]) => {
      if (each !== property || typeof value !== "object" || value === null) return [[each, value]];
      const kept = Object.entries(value).filter(([name]) => isKept(name));
      return kept.length === 0 ? [] : [[each, Object.fromEntries(kept)]];
    }),
  );
}

function projectContent(
  { tags = [], ldapGroupMappings = [], idpGroupMappings = [] }: AdoptedObject,
  { people = [], teams: all = [], keys = [] }: Access,
): Content {
  const direct = people.filter(({ status, roles }) => status !== "indirect" && roles.length > 0);
  const withRoles = all.filter(({ roles }) => roles.length > 0);
  // A login adds every user of the mapped groups, so an exclusive list would be incomplete.
  const isAdditive = ldapGroupMappings.length + idpGroupMappings.length > 0;
  return {
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(ldapGroupMappings.length > 0 && { ldapGroupMappings }),
    ...(idpGroupMappings.length > 0 && { idpGroupMappings }),
    ...(direct.length > 0 && isAdditive && { membership: "additive" }),
    ...(direct.length > 0 && { members: memberRoles(direct) }),
    ...ownAndExternal("teams", withRoles, teamKey),
    ...ownAndExternal("apiKeys", [...keys].sort(byPublicKey), keyName),
  };
}

function organizationContent(
  { ldapGroupMappings = [], idpGroupMappings = [] }: AdoptedObject,
  { people = [], keys = [] }: Access,
): Content {
  return {
    ...(ldapGroupMappings.length > 0 && { ldapGroupMappings }),
    ...(idpGroupMappings.length > 0 && { idpGroupMappings }),
    ...(people.length > 0 && { members: memberRoles(people) }),
    ...(keys.length > 0 && { apiKeys: organizationKeys(keys) }),
  };
}

function memberRoles(people: NonNullable<Access["people"]>): Record<string, readonly string[]> {
  const sorted = [...people].sort((one, other) => inOrder(one.username, other.username));
  return Object.fromEntries(sorted.map(({ username, roles }) => [username, [...roles].sort(inOrder)]));
}

/** The roles of those that the folder declares, and of all others. */
function ownAndExternal<Holder extends AccessTeam | AccessKey>(
  property: keyof typeof EXTERNAL,
  holders: readonly Holder[],
  nameOf: (holder: Holder) => string,
): Content {
  const roles = (isOwn: boolean) => {
    const some = holders.filter(({ nameInFolder }) => (nameInFolder !== undefined) === isOwn);
    return Object.fromEntries(some.map((holder) => [nameOf(holder), holder.roles]));
  };
  const parts = { [property]: roles(true), [EXTERNAL[property]]: roles(false) };
  return Object.fromEntries(Object.entries(parts).filter(([, each]) => Object.keys(each).length > 0));
}

function byPublicKey(one: AccessKey, other: AccessKey): number {
  return inOrder(one.publicKey, other.publicKey);
}

function organizationKeys(keys: readonly AccessKey[]): Record<string, object> {
  return Object.fromEntries(
    [...namesOfKeys(keys)].map(([name, { description = "", roles, accessList = [] }]) => [
      name,
      { description, roles, ...(accessList.length > 0 && { accessList: [...accessList].sort(inOrder) }) },
    ]),
  );
}

/** The keys by the names that a file gives them: made of what they are for. */
export function namesOfKeys(keys: readonly AccessKey[]): Map<string, AccessKey> {
  const ordered = [...keys].sort(
    (one, other) =>
      inOrder(one.description ?? "", other.description ?? "") || inOrder(one.keyId, other.keyId),
  );
  const named = new Map<string, AccessKey>();
  for (const key of ordered) {
    const facts = { name: key.description ?? "", id: key.keyId, noun: "key" };
    named.set(
      uniqueSlug(facts, (name) => named.has(name)),
      key,
    );
  }
  return named;
}

/** No map in YAML has it as the name of an entry. */
export const MERGE_KEY = "<<";

/** How a project file names an API key. */
export function keyName({ nameInFolder, publicKey }: AccessKey): string {
  return nameInFolder ?? publicKey;
}

/**
 * How a project file names a team: by its name, or an external one by its ID if the service does not show the
 * name, or a file cannot have it. A name in the form of an ID would mean the team with this ID.
 */
export function teamKey({ nameInFolder, teamId, name }: AccessTeam): string {
  if (nameInFolder !== undefined) return nameInFolder;
  const isUsable =
    name !== undefined && !OBJECT_ID.test(name) && name !== MERGE_KEY && faultsOfName(name).length === 0;
  return isUsable ? name : teamId;
}
