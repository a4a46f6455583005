/** What the files of all kinds have in common: their own properties, and the checks of one merged file. */

import { basename, extname } from "node:path";
import { z } from "zod";
import { type LocatedFailure, locatedShapeFailures } from "../provider/resources/contract/check";
import { nameText } from "../provider/resources/contract/fields";
import { pathText } from "../provider/resources/contract/property-path";
import type { Properties } from "../provider/resources/contract/values";
import { fold, nearest } from "../provider/text/nearest";
import { own } from "../provider/text/own";
import { type End, type Endable, takeEnds } from "./ends";
import { type Fault, type FileLocation, locationText, type PropertyFault } from "./faults";
import { at, keyLocationOf, type Located, type LocatedMap, locationOf, plainOf } from "./located";

/** A checked file of any kind. */
export interface DeclaredFile {
  /** The file, relative to the working directory if it is below it. */
  readonly file: string;
  /** Logical name, or the first part of logical names. */
  readonly key: string;
  /** The organization; `undefined` leaves it to the setting `orgId` of the provider. */
  readonly orgId?: string;
  /** The entries that end, if any do. What they declare is in the file like everything else. */
  readonly ends?: readonly End[];
}

/** One kind of file: what its files declare, and how they are checked. */
export interface FileKind<File extends DeclaredFile> {
  /** What a file declares: `project`. */
  readonly noun: string;
  /** The subfolder of an access folder that holds its files. */
  readonly folder: string;
  /** A line of such a file, for messages. */
  readonly sample: string;
  /** The shape of one file; every property is optional, because a file that it extends may have it. */
  readonly source: z.ZodObject;
  /** The properties whose entries may end. */
  readonly endable: readonly Endable[];
  /** The properties of the entries of a list or a map, for suggestions, by the name of that list or map. */
  readonly nested: Readonly<Record<string, readonly string[]>>;
  /** Faults between values, by the rules of the resources. */
  failuresIn(values: Properties): readonly LocatedFailure[];
  /** Faults that only a file can have, such as what is missing. */
  faultsIn(draft: Draft, values: Properties): readonly Fault[];
  /** What follows a reason at a path, such as where the other spelling of a name is. */
  noteOn?(content: LocatedMap, path: readonly PropertyKey[]): string;
  /** The file with its defaults. */
  toFile(declared: Properties, facts: Pick<DeclaredFile, "file" | "key" | "ends">): File;
  /** What more than one file declares. */
  shared(files: readonly File[], locate: Locate): readonly Fault[];
}

/** Where a property of a file is written; the beginning of the file if it is not. */
export type Locate = (file: DeclaredFile, path: readonly PropertyKey[]) => FileLocation;

/** A file that is to be checked. */
export interface Draft {
  /** The file itself, for messages. */
  readonly file: string;
  readonly defaultKey: string;
  /** The content merged with everything that the file extends. */
  readonly content: LocatedMap;
  /**
   * `false` if a file that it extends could not be read. Then no property is known to be missing.
   */
  readonly isComplete: boolean;
  /** Set once they are taken out of the content. */
  readonly ends?: readonly End[];
  /** Whether nothing is wrong with the value of a property, so that what it lacks is a fault of its own. */
  readonly isSound?: (property: string) => boolean;
}

/** Properties that are not inherited. */
export const OWN_PROPERTIES = ["key", "name", "teamId", "extends", "$schema"];

/** Pulumi's Node.js SDK copies a map into an object, in which an entry with this name is lost and spoils the others. */
export const LOST_NAME = "__proto__";

/**
 * Text that is valid in a logical name. It ends a URN, and is the first half of the logical names
 * of people.
 */
export const keyText = () =>
  nameText()
    .refine((key) => key.trim() === key, "must not begin or end with blanks")
    .refine((key) => !/::|[/\\]/.test(key), "must not contain ::, / or \\")
    .refine((key) => key !== LOST_NAME, "must not be __proto__, which the Node.js SDK of Pulumi loses");

const path = () => z.string("must be the path of a file").min(1, "must be the path of a file");

/** The properties of the file itself, beside those of what it declares. */
export function fileProperties(noun: string) {
  return {
    $schema: z
      .string("must be text")
      .optional()
      .meta({
        description: `For editors, in JSON: the address of this schema. It does not change the ${noun}.`,
      }),
    key: keyText()
      .optional()
      .meta({
        defaultText: "the file's name without its extension",
        description: `Logical name of the ${noun} in the stack; not inherited. If you rename the file, write the old name here to keep the ${noun}.`,
      }),
    extends: z
      .union([path(), z.array(path()).min(1)])
      .optional()
      .meta({
        description:
          "File, or list of files, whose properties this one inherits; paths are relative to this file. The nearer file decides, in a list the later one. Maps such as `members` are merged name by name, lists are replaced.",
      }),
  };
}

export const orgIdOfFile = {
  defaultText: "the setting `opsmanager:orgId`",
  description:
    "Id of the organization, 24 hexadecimal digits, here or in a file that this one extends. The setting is that of the stack, so write the id if several stacks share the folder.",
};

/**
 * @param elsewhere the folders whose files have a property
 * @returns the file with its defaults, if it has no fault
 */
export function checkFile<File extends DeclaredFile>(
  kind: FileKind<File>,
  written: Draft,
  elsewhere: (property: string) => readonly string[] = () => [],
): { checked?: File; faults: Fault[] } {
  const { content, ends, faults: faultsOfEnds } = takeEnds(written.content, kind.endable);
  // Some file systems decompose letters, and a checkout on another one would have another key.
  const defaultKey = written.defaultKey.normalize("NFC");
  const { file } = written;
  const values = plainOf(content) as Properties;
  // The loader has resolved `extends`; `$schema` is for editors.
  const { extends: _, $schema: __, ...declared } = values;
  // An entry that lacks its value is taken out, and may leave an empty list.
  const emptied = faultsOfEnds.map(({ property }) => locationText(locationOf(content, [property])));
  const ofValues: readonly PropertyFault[] = [
    ...faultsOfEnds,
    ...shapeFaults(kind, content, declared, elsewhere).filter(
      ({ location }) => !emptied.includes(locationText(location)),
    ),
    ...kind.failuresIn(values).map(({ property, path, reason }) => ({
      property,
      location: locationOf(content, path),
      reason: `${reason}${kind.noteOn?.(content, path) ?? ""}`,
    })),
  ];
  const unsound = new Set(ofValues.map(({ property }) => property));
  const isSound = (property: string) => !unsound.has(property);
  const draft = { ...written, content, ends, defaultKey, isSound };
  const faults = [
    ...ofValues.map(({ location, reason }) => ({ location, reason })),
    ...kind.faultsIn(draft, values),
    ...keyFaults(kind, draft, values),
  ];
  if (faults.length > 0 || !draft.isComplete) return { faults };
  const key = (values.key as string | undefined)?.normalize("NFC") ?? defaultKey;
  return { checked: kind.toFile(declared, { file, key, ...(ends.length > 0 && { ends }) }), faults };
}

/** The beginning of a file, for what is missing in it. */
export function beginningOf({ content, file }: Draft): FileLocation {
  return { ...content.location, file };
}

/**
 * If the file's name were both key and name, a renamed file would declare a new object and release the
 * old one.
 *
 * @param noun what the file declares
 */
export function missingNameFaults(noun: string, draft: Draft, values: Properties): Fault[] {
  if (values.key !== undefined || values.name !== undefined || draft.isSound?.("name") === false) return [];
  const reason = `name is missing. Set the ${noun}'s name in the service, such as name: ${draft.defaultKey}.`;
  return [{ location: beginningOf(draft), reason }];
}

function keyFaults({ noun }: { readonly noun: string }, draft: Draft, values: Properties): Fault[] {
  const key = keyText().safeParse(draft.defaultKey);
  if (values.key !== undefined || key.success) return [];
  const reason = `The name of the file is the ${noun}'s key, which ${key.error.issues[0]?.message}. Rename the file, or set key.`;
  return [{ location: { file: draft.file }, reason }];
}

/** Several files with one key. */
export function sharedKeyFaults(files: readonly DeclaredFile[], locate: Locate): Fault[] {
  return sharedFaults(files, {
    identity: ({ key }) => key,
    locationOf: (file) => locate(file, ["key"]),
    reason: ({ key, file }, other) =>
      file.normalize("NFC") === other.normalize("NFC")
        ? "The names of this file and of another one differ only in how accents are encoded. Delete or rename one of them."
        : `The key "${key}" is also the key of ${other}. Set another key in one of them.`,
  });
}

interface Sharing<File> {
  identity(file: File): string;
  locationOf(file: File): FileLocation;
  /** @param other the file that has the identity */
  reason(file: File, other: string): string;
}

/** A fault of each file whose identity another one has: an earlier one, or one that is named by its key. */
export function sharedFaults<File extends DeclaredFile>(
  files: readonly File[],
  { identity, locationOf, reason }: Sharing<File>,
): Fault[] {
  const isNamed = ({ file, key }: File) => basename(file, extname(file)).normalize("NFC") === key;
  const inOrder = [...files].sort((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
  return [...Map.groupBy(inOrder, identity).values()].flatMap(([first, ...others]) =>
    others.map((file) => ({ location: locationOf(file), reason: reason(file, first?.file ?? "") })),
  );
}

/** Both have the same organization, also if neither names it. */
export function sameOrganization(one: DeclaredFile, other: DeclaredFile): boolean {
  return organizationOf(one) === organizationOf(other);
}

/** An organization in one form; empty for that of the setting. */
export function organizationOf({ orgId = "" }: DeclaredFile): string {
  return orgId.toLowerCase();
}

// Faults of the shape, with suggestions for unknown property names.

function shapeFaults(
  { source, nested }: Pick<FileKind<DeclaredFile>, "source" | "nested">,
  content: LocatedMap,
  values: Properties,
  elsewhere: (property: string) => readonly string[],
): PropertyFault[] {
  const properties = Object.keys(source.shape).filter((name) => name !== "$schema");
  /** What misspelled properties were to be: those are not missing. */
  const meant = new Set<string>();
  const all = locatedShapeFailures(source, values).map((failure) => {
    const { path, reason } = failure;
    const name = String(path.at(-1));
    if (!reason.startsWith(`${name} is not a property`)) return failure;
    const isTop = path.length === 1;
    const known = isTop ? properties : (own(nested, String(path[0])) ?? []);
    const word = wordFor(name, known);
    const property = isTop ? (word ?? name) : String(path[0]);
    if (word !== undefined) meant.add(pathText([...path.slice(0, -1), word]));
    const advice = word === undefined ? unknownProperty(name, known, isTop ? elsewhere(name) : []) : "";
    return {
      ...failure,
      property,
      reason: word ? `${withoutGuess(reason)} Did you mean ${word}?` : `${reason} ${advice}`,
      isOfName: true,
    };
  });
  return all.flatMap(({ property, path, reason, ...failure }) => {
    const located = at(content, path);
    // A line without a value is a fault of its own.
    if (located?.kind === "scalar" && located.value === null) return [];
    if ("isOfName" in failure) return [{ property, location: keyLocationOf(content, path), reason }];
    const location = locationOf(content, path);
    if (located !== undefined)
      return [{ property, location, reason: `${reason}${hintOn(located, path, reason)}` }];
    return meant.has(pathText(path)) ? [] : [{ property, location, reason: `${pathText(path)} is missing.` }];
  });
}

function withoutGuess(reason: string): string {
  return reason.replace(/ Did you mean .*$/, "");
}

/**
 * How to write the value: YAML does not read an id of digits only, `no` and `1.0` as text, and a day beside the entries of
 * a map looks like one of them.
 */
function hintOn(located: Located, path: readonly PropertyKey[], reason: string): string {
  if (located.kind !== "scalar") return "";
  if (reason.endsWith(" must be text."))
    return ` ${located.source} is a ${typeof located.value} to YAML. Put it in quotes.`;
  if (!reason.endsWith(" must be a list.")) return "";
  return path.at(-1) === "until" ? ` ${DAY_OF_ENTRY}` : ` Write [${located.source}].`;
}

const DAY_OF_ENTRY = "A last day stands in the entry that ends: { roles: [...], until: 2026-12-31 }.";

/** Names of the same property in other tools and in the service's own API. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  organization: ["orgId"],
  organizationid: ["orgId"],
  org: ["orgId"],
  users: ["members", "usernames"],
  people: ["members", "usernames"],
  members: ["usernames"],
  ldapmappings: ["ldapGroupMappings"],
  idpmappings: ["idpGroupMappings"],
  oidcmappings: ["idpGroupMappings"],
  samlmappings: ["idpGroupMappings"],
  keys: ["apiKeys"],
  extend: ["extends"],
  projectname: ["name"],
  teamname: ["name"],
  desc: ["description"],
  whitelist: ["accessList"],
};

/** The property that was meant. */
function wordFor(name: string, known: readonly string[]): string | undefined {
  if (isId(name)) return undefined;
  const other = (own(otherWords, fold(name)) ?? []).find((word) => known.includes(word));
  return other ?? nearest(name, known);
}

/** A file names no object by its ID. */
function isId(name: string): boolean {
  return fold(name) === "projectid";
}

/**
 * @param folders whose files have such a property
 * @returns the sentence that follows "x is not a property."
 */
function unknownProperty(name: string, known: readonly string[], folders: readonly string[]): string {
  if (isId(name) && known.includes("tags")) {
    return "A project file identifies a project by orgId and name. For an existing project, run opsmanager adopt and opsmanager import.";
  }
  if (name === "until") return DAY_OF_ENTRY;
  if (folders.length > 0) return `Files in ${folders.map((folder) => `${folder}/`).join(" and ")} have it.`;
  return `Properties are: ${[...known].sort().join(", ")}.`;
}
