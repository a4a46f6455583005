/** Selects the files that one stack declares, so that several stacks share a folder. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { pathText } from "../provider/resources/contract/property-path";
import { OBJECT_ID } from "../provider/text/object-id";
import { type AccessFiles, allOf } from "./access-files";
import { type DeclaredFile, organizationOf } from "./declared-file";
import { ProjectFilesError } from "./faults";
import { keysElsewhere } from "./names";

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
 * - `shard`: one of `count` parts. The `key` of a file decides its part, in every release
 */
export type FileSelection =
  | { readonly orgId: string; readonly shard?: never }
  | { readonly shard: Shard; readonly orgId?: never };

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

const shapes = {
  orgId: z
    .string("must be text")
    .regex(OBJECT_ID, "must be the id of an organization, 24 hexadecimal digits"),
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
  const [selection] = (["orgId", "shard"] as const).filter((name) => given.includes(name));
  if (selection === undefined || given.length > 1) {
    return "the option select must have exactly one of orgId and shard";
  }
  const { error } = shapes[selection].safeParse((select as Record<string, unknown>)[selection]);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return undefined;
  if (issue.code === "unrecognized_keys") return `select.shard.${issue.keys[0]} is not a property`;
  return `${pathText(["select", selection, ...issue.path])} ${issue.message}`;
}

/**
 * The selected files of each kind, in the same order. A file belongs to one part only.
 *
 * An organization without a file is an error, because a wrong id would release everything of the stack. A shard
 * may be empty.
 *
 * @param files all files of the folder
 * @param folder as the program names it
 * @throws ProjectFilesError if an organization has no file, or a project of a shard names an API key of another one
 */
export function selectFiles(files: AccessFiles, selection: FileSelection, folder: string): AccessFiles {
  if (selection.shard) {
    const { shard } = selection;
    const ofShard = filtered(files, ({ key }) => isInShard(key, shard));
    const faults = keysElsewhere(ofShard, files);
    if (faults.length > 0) throw new ProjectFilesError(faults);
    return ofShard;
  }
  const orgId = selection.orgId.toLowerCase();
  refuseUnnamed(files);
  const selected = filtered(files, (file) => organizationOf(file) === orgId);
  if (allOf(selected).length > 0) return selected;
  const reason = `No file has the orgId ${selection.orgId}, which select names. The files have: ${organizationsOf(allOf(files))}.`;
  throw new ProjectFilesError([{ location: { file: folder }, reason }]);
}

function filtered(files: AccessFiles, isSelected: (file: DeclaredFile) => boolean): AccessFiles {
  return {
    projects: files.projects.filter(isSelected),
    teams: files.teams.filter(isSelected),
    organizations: files.organizations.filter(isSelected),
  };
}

/**
 * Stacks that select by organization would each declare a file without one, or none of them would.
 *
 * @throws ProjectFilesError
 */
function refuseUnnamed(files: AccessFiles): void {
  const faults = allOf(files)
    .filter(({ orgId }) => orgId === undefined)
    .map(({ file }) => ({
      location: { file },
      reason:
        "orgId is missing, and select.orgId divides the files by it. Set it here or in a file that this one extends.",
    }));
  if (faults.length > 0) throw new ProjectFilesError(faults);
}

const MOST_ORGANIZATIONS = 5;

function organizationsOf(files: readonly DeclaredFile[]): string {
  const ids = [...new Set(files.map(organizationOf))].sort();
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
