/** What a stack declares already of an import list, by other resources than those of its folder. */
import { foldName } from "../../provider/access/person";
import { ACCESS_FOLDER_TYPE } from "../../provider/component";
import { RefusedError } from "../../provider/text/errors";
import { shortList } from "../../provider/text/list";
import { splitId } from "../../provider/text/object-id";
import { partsOfUrn } from "../../provider/text/urn";
import { entryName, type ImportEntry } from "./import-list";
import { kindOf, logicalName } from "./own-resources";
import type { StateResource } from "./stack-export";

/** Tells the name of the AccessFolder to whose files a resource belongs; `undefined` for any other resource. */
export function folderIn(resources: readonly StateResource[]) {
  const parents = new Map(resources.map(({ urn, parent }) => [urn, parent]));
  return ({ parent }: Pick<StateResource, "parent">): string | undefined => {
    let above = parent;
    while (above !== undefined && partsOfUrn(above).type !== ACCESS_FOLDER_TYPE) above = parents.get(above);
    return above && logicalName(above);
  };
}

type Declaration = Pick<StateResource, "type" | "id">;

/** The people of a project are one object, which a list or single resources declare. */
function objectOf({ type, id = "" }: Declaration): string {
  const kind = kindOf(type) ?? type;
  const isPeople = kind === "ProjectMember" || kind === "ProjectMembers";
  return isPeople ? `people ${splitId(id).placeId}` : `${kind} ${foldName(id)}`;
}

function overlaps(one: Declaration, other: Declaration): boolean {
  const areSingle = [one, other].every(({ type }) => kindOf(type) === "ProjectMember");
  return !areSingle || foldName(one.id ?? "") === foldName(other.id ?? "");
}

interface Place {
  readonly stack: string;
  /** The folder of the list; absent for a list without one. */
  readonly component: string | undefined;
  /** How `adopt` is started. */
  readonly adopt: string;
  /** What has not happened, as the beginning of a sentence. */
  readonly nothing: string;
}

const MOST_NAMED = 5;

/** @throws RefusedError that says what to do: two declarations of one object would fail at every preview */
export function refuseElsewhere(
  entries: readonly ImportEntry[],
  resources: readonly StateResource[],
  { stack, component, adopt, nothing }: Place,
): void {
  const folderOf = folderIn(resources);
  const others = resources.filter((each) => each.id !== undefined && folderOf(each) !== component);
  const byObject = Map.groupBy(others, objectOf);
  const found = entries.flatMap((entry) => {
    const other = byObject.get(objectOf(entry))?.find((each) => overlaps(entry, each));
    return other === undefined ? [] : [{ name: entryName(entry), urn: other.urn, folder: folderOf(other) }];
  });
  if (found.length === 0) return;
  const [folder, ...more] = new Set(found.map((each) => each.folder));
  const names = shortList(
    found.map(({ name, urn }) =>
      folder !== undefined && component !== undefined ? name : `${name} as ${urn}`,
    ),
    MOST_NAMED,
  );
  throw new RefusedError(
    folder !== undefined && component !== undefined && more.length === 0
      ? `${nothing}: stack ${stack} declares entries of the list in AccessFolder "${folder}", not in "${component}": ${names}. If the program has renamed it, run pulumi up, and then ${adopt} --component ${component}, which writes the list again. Otherwise run ${adopt} --component ${folder}.`
      : `${nothing}: stack ${stack} declares entries of the list by other resources: ${names}. Two declarations of one object fail at every preview: move these resources into the files by an alias, or remove them from the program and by pulumi state delete from the stack. Then run ${adopt} again.`,
  );
}
