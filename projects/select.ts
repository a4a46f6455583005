/** Selects the project files that one stack declares, so that several stacks share a folder. */
import { createHash } from "node:crypto";
import { isAbsolute, normalize, resolve, sep } from "node:path";
import { z } from "zod";
import { pathText } from "../provider/resources/contract/property-path";
import { OBJECT_ID } from "../provider/text/object-id";
import { ProjectFilesError } from "./faults";
import { isInside } from "./paths";
import type { ProjectFile } from "./project-file";

/** One of several equal parts of a folder. */
export interface Shard {
  /** Number of this part, from 0 to `count - 1`. */
  readonly index: number;
  /** Number of all parts. */
  readonly count: number;
}

/**
 * The files that one stack declares; the other files are only checked. Exactly one of:
 *
 * - `orgId`: the files of this organization, 24 hexadecimal digits
 * - `folder`: the files in this subfolder and its subfolders; the path is relative to the folder
 *   of the project files
 * - `shard`: one of `count` parts. The `key` of a file decides its part, in every release
 */
export type ProjectSelection =
  | { readonly orgId: string; readonly folder?: never; readonly shard?: never }
  | { readonly folder: string; readonly orgId?: never; readonly shard?: never }
  | { readonly shard: Shard; readonly orgId?: never; readonly folder?: never };

const SELECTIONS = ["orgId", "folder", "shard"] as const;

const wholeNumber = "must be a whole number";

const shardShape = z
  .strictObject(
    {
      index: z.int(wholeNumber).min(0, "must be 0 or greater"),
      count: z.int(wholeNumber).min(1, "must be 1 or greater"),
    },
    "must have an index and a count",
  )
  .refine(({ index, count }) => index < count, {
    path: ["index"],
    error: ({ input }) => `must be less than count (${(input as Shard).count})`,
  });

const shapes: Readonly<Record<(typeof SELECTIONS)[number], z.ZodType>> = {
  orgId: z
    .string("must be text")
    .regex(OBJECT_ID, "must be the id of an organization, 24 hexadecimal digits"),
  folder: z
    .string("must be text")
    .refine((path) => !isAbsolute(path) && ![".", ".."].includes(normalize(path).split(sep)[0] ?? ""), {
      error: "must be the relative path of a subfolder",
    }),
  shard: shardShape,
};

/**
 * What is wrong with the value of the option `select`, as a clause.
 *
 * @returns `undefined` if the value is usable
 */
export function selectionFault(select: unknown): string | undefined {
  if (select === undefined) return "the option select has no value. To declare all files, leave it out";
  const given = typeof select === "object" && select !== null ? Object.keys(select) : [];
  const [selection] = SELECTIONS.filter((name) => given.includes(name));
  if (selection === undefined || given.length > 1) {
    return "the option select must have exactly one of orgId, folder and shard";
  }
  const { error } = shapes[selection].safeParse((select as Record<string, unknown>)[selection]);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return undefined;
  if (issue.code === "unrecognized_keys") return `select.shard.${issue.keys[0]} is not a property`;
  return `${pathText(["select", selection, ...issue.path])} ${issue.message}`;
}

interface LoadedFolder {
  /** Folder of the project files, as the program names it. */
  readonly folder: string;
  /** Where relative paths begin. */
  readonly directory: string;
}

/**
 * The selected files, in the same order.
 *
 * An organization or a subfolder without a file is an error, because a wrong id or name would release
 * every project of the stack. A shard may be empty.
 *
 * @param files all files of the folder
 * @throws ProjectFilesError if an organization or a subfolder has no file
 */
export function selectFiles(
  files: readonly ProjectFile[],
  selection: ProjectSelection,
  { folder, directory }: LoadedFolder,
): readonly ProjectFile[] {
  if (selection.shard) {
    const { shard } = selection;
    return files.filter(({ key }) => isInShard(key, shard));
  }
  if (selection.orgId !== undefined) {
    const selected = files.filter(({ orgId }) => orgId.toLowerCase() === selection.orgId.toLowerCase());
    if (selected.length > 0) return selected;
    throw nothingSelected(
      folder,
      `No project file has the orgId ${selection.orgId}, which select names. The files have: ${organizationsOf(files)}.`,
    );
  }
  const subfolder = resolve(directory, folder, selection.folder);
  const selected = files.filter(({ file }) => isInside(subfolder, resolve(directory, file)));
  if (selected.length > 0) return selected;
  throw nothingSelected(
    folder,
    `There is no project file in the subfolder ${selection.folder}, which select names.`,
  );
}

function nothingSelected(file: string, reason: string): ProjectFilesError {
  return new ProjectFilesError([{ location: { file }, reason }]);
}

const MOST_ORGANIZATIONS = 5;

function organizationsOf(files: readonly ProjectFile[]): string {
  const ids = [...new Set(files.map(({ orgId }) => orgId.toLowerCase()))].sort();
  const others = ids.length - MOST_ORGANIZATIONS;
  const more = others > 0 ? [`${others} more`] : [];
  return [...ids.slice(0, MOST_ORGANIZATIONS), ...more].join(", ");
}

export function isInShard(key: string, { index, count }: Shard): boolean {
  return shardOf(key, count) === index;
}

/**
 * The part to which a key belongs. This function must never change: in another part, the project
 * would leave its stack.
 *
 * It is the jump consistent hash of Lamping and Veach (https://arxiv.org/abs/1406.2294) of the
 * first 8 bytes, big-endian, of the SHA-256 of the key in UTF-8 and in Unicode's normal form C. If
 * the count grows by one, 1 of `count + 1` projects moves, always into the new last part.
 */
export function shardOf(key: string, count: number): number {
  let state = createHash("sha256").update(key.normalize("NFC"), "utf8").digest().readBigUInt64BE();
  let shard = 0;
  for (let next = 0; next < count; ) {
    shard = next;
    state = BigInt.asUintN(64, state * 2862933555777941757n + 1n);
    next = Math.floor((shard + 1) * (2 ** 31 / (Number(state >> 33n) + 1)));
  }
  return shard;
}
