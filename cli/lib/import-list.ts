/** The list for `pulumi import --file`. */
import { z } from "zod";
import type { FileKindName } from "../../projects/access-files";
import { ACCESS_FOLDER_TYPE, ORGANIZATION_FILE_TYPE } from "../../provider/component";
import { RefusedError } from "../../provider/text/errors";
import { joinId, splitId } from "../../provider/text/object-id";
import { partsOfUrn } from "../../provider/text/urn";
import { visibleLines } from "../../provider/text/visible-text";
import { fileOf, nameInFile, type OwnFile, pluginType, typesInFiles } from "./own-resources";

/** Where `adopt` writes the list and `import` reads it, unless another file is named. */
export const DEFAULT_LIST = "import.json";

/** The name of the folder within the list. */
const FOLDER = "folder";

const importEntry = z.looseObject({
  type: z.string(),
  /** Name in the list, which `parent` refers to. */
  name: z.string(),
  /** Name in the program. */
  logicalName: z.string().optional(),
  id: z.string().optional(),
  parent: z.string().optional(),
});

export type ImportEntry = z.output<typeof importEntry>;

const COMPONENTS = [ACCESS_FOLDER_TYPE, ORGANIZATION_FILE_TYPE];
const OWN_TYPES: readonly string[] = [...COMPONENTS, ...typesInFiles()];

/**
 * Accepts only what `adopt` writes: the list is written again, and other content would be lost.
 */
const importList = z.strictObject({
  resources: z.array(importEntry.refine(({ type }) => OWN_TYPES.includes(type))),
});

/**
 * Reads the entries of a list that an earlier run wrote for this component in the same form.
 *
 * @throws RefusedError if the text is something else: it would be lost when the list is written
 * again
 */
export function parseImportList(text: string, path: string, component: string): ImportEntry[] {
  const entries = entriesIfWhole(text);
  if (entries === undefined) {
    throw new RefusedError(
      `${path} was left unchanged, because it is not a list that adopt wrote. Name another file with --import-file, or move this one.`,
    );
  }
  if (importListText(component, entries) === text) return entries;
  throw new RefusedError(
    `${path} was left unchanged, because it was edited, or written for another --component than ${component}. Import it first and delete it, or name another file with --import-file.`,
  );
}

/** @param component name of the component of the files in the program */
export function importListText(component: string, entries: readonly ImportEntry[]): string {
  const folder = { type: ACCESS_FOLDER_TYPE, name: FOLDER, logicalName: component, component: true };
  // In the order in which a list is parsed, so that an unchanged one has the same text again.
  const placed = entries.map((entry, index) => {
    const { type, logicalName, id, name: _, parent: __, ...more } = entry;
    const parent = parentIn(entryFile(entry));
    return { type, name: `resource${index + 1}`, logicalName, id, parent, ...more };
  });
  const resources = [folder, ...organizationsOf(entries), ...placed];
  return visibleLines(`${JSON.stringify({ resources }, null, 2)}\n`);
}

/**
 * Names within the list are identifiers: `pulumi import` uses them as variables in generated code.
 * What an organization file declares is below a component of its own.
 */
function parentIn(file: OwnFile | undefined): string {
  return file?.of === "organizations" ? `organization${file.id}` : FOLDER;
}

function organizationsOf(entries: readonly ImportEntry[]): object[] {
  const files = entries.map(entryFile).filter((file) => file?.of === "organizations");
  const byName = new Map(files.map((file) => [parentIn(file), file?.key]));
  return [...byName].map(([name, logicalName]) => {
    return { type: ORGANIZATION_FILE_TYPE, name, logicalName, parent: FOLDER, component: true };
  });
}

/** The entries without the components; `undefined` for another text than a list, such as half of one. */
export function entriesIfWhole(text: string): ImportEntry[] | undefined {
  try {
    const { resources } = importList.parse(JSON.parse(text));
    return resources.filter(({ type }) => !COMPONENTS.includes(type));
  } catch {
    return undefined;
  }
}

/** The component of a list that `adopt` wrote, and where the program must declare its entries. */
export interface ListPlaces {
  /** Absent for a list written by hand without one. */
  readonly component: string | undefined;
  /** As the end of a URN: the types of the parents and of the entry, and its name. */
  placeOf(entry: ImportEntry): string;
}

export function placesIn(text: string): ListPlaces {
  const { resources } = importList.parse(JSON.parse(text));
  const byName = new Map(resources.map((entry) => [entry.name, entry]));
  const typesOf = ({ type, parent }: ImportEntry): string => {
    const above = parent === undefined ? undefined : byName.get(parent);
    return above === undefined ? type : `${typesOf(above)}$${type}`;
  };
  const folder = resources.find(({ type }) => type === ACCESS_FOLDER_TYPE);
  return {
    component: folder && (folder.logicalName ?? folder.name),
    placeOf: (entry) => `${typesOf(entry)}::${entry.logicalName ?? entry.name}`,
  };
}

/** The end of a URN: the types of the parents and of the resource, and its name. */
export function placeOfUrn(urn: string): string {
  const { types, name } = partsOfUrn(urn);
  return `${types}::${name}`;
}

/** What the engine imports: these entries of the list, with its components. */
export function partOfList(text: string, entries: readonly ImportEntry[]): string {
  const kept = new Set(entries.map(({ name }) => name));
  const { resources } = importList.parse(JSON.parse(text));
  const hasFiles = resources.some(({ type }) => type === ACCESS_FOLDER_TYPE);
  const part = resources.filter(({ type, name }) => COMPONENTS.includes(type) || kept.has(name));
  return JSON.stringify({ resources: hasFiles ? part.map((entry) => asInFile(entry, resources)) : part });
}

/**
 * Imported by the name that the file has for it, a team or an API key has the inputs that the program gives it. Otherwise, the
 * first `up` would write the state for each of them. The list has the ID, by which it is compared with a stack, and which the
 * program gives for a key of the folder.
 */
function asInFile(entry: ImportEntry, all: readonly ImportEntry[]): ImportEntry {
  const { type, id = "", name, logicalName = name } = entry;
  const { placeId, name: ownId } = splitId(id);
  const isOfFolder = (other: ImportEntry) =>
    other.type === pluginType("ApiKey") && splitId(other.id ?? "").name === ownId;
  const isByName =
    type === pluginType("ProjectTeam") || (type === pluginType("ProjectApiKey") && !all.some(isOfFolder));
  return isByName ? { ...entry, id: joinId(placeId, nameInFile(logicalName)) } : entry;
}

/** The file that declares an entry. */
export function entryFile({ type, id = "", name, logicalName = name }: ImportEntry): OwnFile | undefined {
  return fileOf(type, id, logicalName);
}

/** `ProjectMember payments/ada@example.com` */
export function entryName({ type, name, logicalName = name }: ImportEntry): string {
  return `${type.split(":").at(-1)} ${logicalName}`;
}

/** The keys of the files of one kind by the ID of their object, as entries of a list show them. */
export function keysInList(entries: readonly ImportEntry[], kind: FileKindName): Map<string, string> {
  return new Map(
    entries.flatMap((entry) => {
      const file = entryFile(entry);
      return file?.of === kind ? [[file.id, file.key] as const] : [];
    }),
  );
}
