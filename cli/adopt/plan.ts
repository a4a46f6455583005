/** Plans which objects are new to a folder of files, their names, and the import list. Pure. */
import { parse } from "node:path";
import type { FileKindName } from "../../projects/access-files";
import type { DeclaredFile } from "../../projects/declared-file";
import { isInShard, type Shard } from "../../projects/select";
import { inOrder } from "../../provider/resources/contract/values";
import { joinId } from "../../provider/text/object-id";
import { entryFile, type ImportEntry, keysInList } from "../lib/import-list";
import type { Holdings } from "./holdings";
import { type AdoptedObject, type ExistingFile, identityOf, type NewFile } from "./objects";
import { uniqueSlug } from "./slug";

/** What exists before the run, of one kind of files. */
export interface Existing<File extends DeclaredFile = DeclaredFile> {
  readonly kind: FileKindName;
  /** What a file declares: `project`. */
  readonly noun: string;
  readonly files: readonly ExistingFile<File & { readonly name?: string }>[];
  /** Names of all files in the folder and below it. */
  readonly fileNames: readonly string[];
  /** The existing import list. */
  readonly earlier: readonly ImportEntry[];
  readonly holdings: Holdings;
  readonly shard?: Shard | undefined;
}

export type Plan = ReturnType<typeof planFiles>;

/**
 * Plans the new files. A file belongs to an object if its key is that of the object's ID in the
 * stack or the earlier list. It also does if it has the object's organization and name. So neither a
 * renamed file nor an object renamed outside Pulumi is adopted twice.
 *
 * @param all every object of the kind in the organization
 */
export function planFiles(
  objects: readonly AdoptedObject[],
  all: readonly AdoptedObject[],
  existing: Existing,
) {
  const { kind, noun, files, fileNames, shard } = existing;
  const keysThere = new Set(files.map(({ file }) => file.key));
  const idsThere = new Set(files.map(({ objectId }) => objectId));
  const identity = ({ orgId, name }: AdoptedObject) => identityOf(kind, orgId, name);
  const identitiesThere = new Set(identitiesOf(existing).values());
  const recorded = recordedKeys(existing);
  const declarerOf = ({ id, orgId }: AdoptedObject) =>
    kind === "projects"
      ? existing.holdings.declarer("Project", id)
      : existing.holdings.declarer("Team", joinId(orgId, id));
  const ambiguous = sharedIdentities(kind, all);
  const keysTaken = lowerCaseSet([...keysThere, ...recorded.values()]);
  const namesTaken = lowerCaseSet(fileNames.map((path) => parse(path).name));
  const plan = {
    files: [] as NewFile[],
    /** Number of objects that already have a file. */
    there: 0,
    /** Number of objects without a file that other shards declare. */
    inOtherShards: 0,
    /** Objects that another resource of the stack declares. */
    elsewhere: [] as { object: AdoptedObject; urn: string }[],
    /** Objects that share a name within their organization. A file has no other property to distinguish them. */
    namesakes: [] as AdoptedObject[],
  };
  const ordered = [...objects].sort(
    (one, other) => inOrder(one.name, other.name) || inOrder(one.id, other.id),
  );
  for (const object of ordered) {
    const urn = declarerOf(object);
    const known = recorded.get(object.id);
    if (urn !== undefined) plan.elsewhere.push({ object, urn });
    else if (known !== undefined && keysThere.has(known)) plan.there += 1;
    else if (idsThere.has(object.id) || identitiesThere.has(identity(object))) plan.there += 1;
    else if (ambiguous.has(identity(object))) plan.namesakes.push(object);
    else {
      // An object may use its recorded key again, but a file with this name may declare another
      // object by now.
      const slug = uniqueSlug(
        { ...object, noun },
        (candidate) => namesTaken.has(candidate) || (keysTaken.has(candidate) && candidate !== known),
      );
      keysTaken.add(slug);
      namesTaken.add(slug);
      const key = known ?? slug;
      if (shard === undefined || isInShard(key, shard))
        plan.files.push({ object, key, file: `${slug}.yaml` });
      else plan.inOtherShards += 1;
    }
  }
  return plan;
}

/** An existing file and the object that it declares. */
export interface DeclaredObject<File extends DeclaredFile = DeclaredFile> {
  readonly file: File;
  readonly object: AdoptedObject;
}

/**
 * The existing objects that files declare and this stack may import: by the ID that the stack or the
 * earlier list records for the key, or else by organization and name. An object that the stack holds
 * under another name is not imported again.
 *
 * @param all every object of the kind in the organization
 */
export function declaredObjects<File extends DeclaredFile>(
  all: readonly AdoptedObject[],
  existing: Existing<File>,
): DeclaredObject<File>[] {
  const { kind, files, holdings, shard } = existing;
  const ids = new Map([...recordedKeys(existing)].map(([id, key]) => [key, id]));
  const ambiguous = sharedIdentities(kind, all);
  const byId = new Map(all.map((object) => [object.id, object]));
  const byIdentity = new Map(
    all.flatMap((object) => {
      const identity = identityOf(kind, object.orgId, object.name);
      return ambiguous.has(identity) ? [] : [[identity, object] as const];
    }),
  );
  const identities = identitiesOf(existing);
  const recorded = new Map(
    files.map(({ file, objectId }) => [file, byId.get(objectId ?? ids.get(file.key) ?? "")]),
  );
  const claimed = new Set(recorded.values());
  const held = holdings.keys(kind);
  return files.flatMap(({ file }) => {
    const named = byIdentity.get(identities.get(file) ?? "");
    const object = recorded.get(file) ?? (claimed.has(named) ? undefined : named);
    if (object === undefined) return [];
    const isOwn = shard === undefined || isInShard(file.key, shard);
    return isOwn && (held.get(object.id) ?? file.key) === file.key ? [{ file, object }] : [];
  });
}

/** The files whose object the organization does not show: it was deleted, or the API key cannot see it. */
export function filesWithoutObject(
  all: readonly AdoptedObject[],
  existing: Existing,
  orgId: string,
): DeclaredFile[] {
  const { kind, files } = existing;
  const recorded = new Map([...recordedKeys(existing)].map(([id, key]) => [key, id]));
  const ids = new Set(all.map(({ id }) => id));
  const names = new Set(all.map((object) => identityOf(kind, object.orgId, object.name)));
  const identities = identitiesOf(existing);
  return files.flatMap(({ file, orgId: own, objectId }) => {
    const isThere =
      ids.has(objectId ?? recorded.get(file.key) ?? "") || names.has(identities.get(file) ?? "");
    return isThere || own !== orgId ? [] : [file];
  });
}

function recordedKeys({ kind, earlier, holdings }: Existing): Map<string, string> {
  return new Map([...keysInList(earlier, kind), ...holdings.keys(kind)]);
}

/** By organization and name. */
function identitiesOf({ kind, files }: Existing): Map<DeclaredFile, string> {
  return new Map(files.map(({ file, orgId }) => [file, identityOf(kind, orgId, file.name ?? "")]));
}

interface ListSources {
  /** Of each kind. */
  readonly existing: readonly Existing[];
  readonly earlier: readonly ImportEntry[];
  readonly holdings: Holdings;
  /** The organization of this run. Entries of other organizations stay as they are. */
  readonly orgId: string | undefined;
}

/**
 * The complete list: what files declare and the stack does not hold. An entry that an earlier list
 * had keeps what was added to it.
 */
export function entriesToImport(
  declared: readonly ImportEntry[],
  { existing, earlier, holdings, orgId }: ListSources,
): { entries: ImportEntry[]; ended: ImportEntry[] } {
  const ofOtherOrganizations = new Set(
    existing.flatMap(({ kind, files }) =>
      files.filter((each) => each.orgId !== orgId).map(({ file }) => `${kind} ${file.key}`),
    ),
  );
  const isOfOther = (entry: ImportEntry) => {
    const file = entryFile(entry);
    return file !== undefined && ofOtherOrganizations.has(`${file.of} ${file.key}`);
  };
  const entryKey = ({ type, id }: ImportEntry) => `${type} ${id}`;
  const before = new Map(earlier.map((entry) => [entryKey(entry), entry]));
  const listed = new Map(
    [...earlier.filter(isOfOther), ...declared].map((entry) => [
      entryKey(entry),
      { ...before.get(entryKey(entry)), ...entry },
    ]),
  );
  const entries = [...listed.values()].filter((entry) => !holdings.holds(entry));
  const ended = [...before.values()].filter(
    (entry) => !listed.has(entryKey(entry)) && !holdings.holds(entry),
  );
  return { entries, ended };
}

function lowerCaseSet(names: readonly string[]): Set<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}

function sharedIdentities(kind: FileKindName, objects: readonly AdoptedObject[]): Set<string> {
  const groups = [...Map.groupBy(objects, ({ orgId, name }) => identityOf(kind, orgId, name))];
  return new Set(groups.filter(([, namesakes]) => namesakes.length > 1).map(([identity]) => identity));
}
