/** What the files of all kinds have in common: their own properties, and the checks of one merged file. */

import { basename, extname } from "node:path";
import { z } from "zod";
import { type LocatedFailure, locatedShapeFailures } from "../provider/resources/contract/check";
import { nameText } from "../provider/resources/contract/fields";
import type { Properties } from "../provider/resources/contract/values";
import { fold, nearest } from "../provider/text/nearest";
import { own } from "../provider/text/own";
import { type End, type Endable, takeEnds } from "./ends";
import type { Fault, FileLocation } from "./faults";
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

/** @returns the file with its defaults, if it has no fault */
export function checkFile<File extends DeclaredFile>(
  kind: FileKind<File>,
  written: Draft,
): { checked?: File; faults: Fault[] } {
  const { content, ends, faults: faultsOfEnds } = takeEnds(written.content, kind.endable);
  // Some file systems decompose letters, and a checkout on another one would have another key.
  const draft = { ...written, content, ends, defaultKey: written.defaultKey.normalize("NFC") };
  const { file, defaultKey } = draft;
  const values = plainOf(content) as Properties;
  // The loader has resolved `extends`; `$schema` is for editors.
  const { extends: _, $schema: __, ...declared } = values;
  const faults = [
    ...faultsOfEnds,
    ...shapeFaults(kind, content, declared),
    ...kind.failuresIn(values).map(({ path, reason }) => ({
      location: locationOf(content, path),
      reason: `${reason}${kind.noteOn?.(content, path) ?? ""}`,
    })),
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
  if (values.key !== undefined || values.name !== undefined) return [];
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
): Fault[] {
  const properties = Object.keys(source.shape).filter((name) => name !== "$schema");
  return locatedShapeFailures(source, values).flatMap(({ path, reason }) => {
    const located = at(content, path);
    // A line without a value is a fault of its own.
    if (located?.kind === "scalar" && located.value === null) return [];
    const name = String(path.at(-1));
    if (reason.startsWith(`${name} is not a property`)) {
      const names = path.length === 1 ? properties : (own(nested, String(path[0])) ?? []);
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

/** @returns the sentence that follows "x is not a property." */
function unknownProperty(name: string, known: readonly string[]): string {
  const folded = fold(name);
  if (folded === "projectid" && known.includes("tags")) {
    return "A project file identifies a project by orgId and name. For an existing project, run opsmanager adopt and opsmanager import.";
  }
  const other = (own(otherWords, folded) ?? []).find((word) => known.includes(word));
  if (other !== undefined) return `Did you mean ${other}?`;
  const meant = nearest(name, known);
  return meant === undefined ? `Properties are: ${[...known].sort().join(", ")}.` : `Did you mean ${meant}?`;
}
