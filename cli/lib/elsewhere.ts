/** What a stack declares already of an import list, in another place than the list has it. Pure. */
import { foldName } from "../../provider/access/person";
import { ACCESS_FOLDER_TYPE, ORGANIZATION_FILE_TYPE } from "../../provider/component";
import { shortList } from "../../provider/text/list";
import { splitId } from "../../provider/text/object-id";
import { partsOfUrn } from "../../provider/text/urn";
import { entryName, type ImportEntry } from "./import-list";
import { kindOf, logicalName } from "./own-resources";
import type { StateResource } from "./stack-export";

export interface Elsewhere {
  readonly entry: ImportEntry;
  readonly urn: string;
  /** The name of the AccessFolder that declares it, if one does. */
  readonly component: string | undefined;
}

/** @param others the resources of the stack that are not those of the list */
export function declaredElsewhere(
  entries: readonly ImportEntry[],
  others: readonly StateResource[],
): Elsewhere[] {
  const byObject = Map.groupBy(
    others.filter(({ id, type }) => id !== undefined && kindOf(type) !== undefined),
    ({ type, id = "" }) => objectOf(type, id),
  );
  return entries.flatMap((entry) => {
    const { type, id = "" } = entry;
    const same = byObject.get(objectOf(type, id))?.find((other) => overlaps(entry, other));
    return same === undefined ? [] : [{ entry, urn: same.urn, component: componentOf(same, others) }];
  });
}

/** Whether a resource belongs to the files of the component: below it, or below the file of an organization in it. */
export function belowFolder(
  resources: readonly StateResource[],
  component: string,
): (resource: StateResource) => boolean {
  const isFolder = ({ type, urn }: StateResource) =>
    type === ACCESS_FOLDER_TYPE && logicalName(urn) === component;
  const folders = new Set(resources.filter(isFolder).map(({ urn }) => urn));
  const organizations = resources.filter(
    ({ type, parent = "" }) => type === ORGANIZATION_FILE_TYPE && folders.has(parent),
  );
  const parents = new Set([...folders, ...organizations.map(({ urn }) => urn)]);
  return ({ parent = "" }) => parents.has(parent);
}

/** The people of a project are one object, which a list or single resources declare. */
function objectOf(type: string, id: string): string {
  const kind = kindOf(type) ?? type;
  const isPeople = kind === "ProjectMember" || kind === "ProjectMembers";
  return isPeople ? `people ${splitId(id).placeId}` : `${kind} ${foldName(id)}`;
}

type Declaration = Pick<StateResource, "type" | "id">;

function overlaps(one: Declaration, other: Declaration): boolean {
  const areSingle = [one, other].every(({ type }) => kindOf(type) === "ProjectMember");
  return !areSingle || foldName(one.id ?? "") === foldName(other.id ?? "");
}

function componentOf({ urn }: StateResource, all: readonly StateResource[]): string | undefined {
  const parents = new Map(all.map((resource) => [resource.urn, resource.parent]));
  for (let above = parents.get(urn); above !== undefined; above = parents.get(above)) {
    if (partsOfUrn(above).type === ACCESS_FOLDER_TYPE) return logicalName(above);
  }
  return undefined;
}

const MOST_NAMED = 5;

/**
 * Why the list cannot be imported, and what to do.
 *
 * @param given the stack, the component of the list, and how `adopt` is started
 */
export function elsewhereText(
  found: readonly Elsewhere[],
  { stack, component, adopt }: { readonly stack: string; readonly component: string; readonly adopt: string },
): string {
  const [first, ...more] = new Set(found.map((each) => each.component));
  const names = shortList(
    found.map(({ entry, urn }) => (first === undefined ? `${entryName(entry)} as ${urn}` : entryName(entry))),
    MOST_NAMED,
  );
  if (first !== undefined && more.length === 0 && first !== component)
    return `Stack ${stack} declares what the list has in AccessFolder "${first}", not in "${component}": ${names}. If the program has renamed it, run pulumi up, and then ${adopt} --component ${component}, which writes the list again. Otherwise run ${adopt} --component ${first}.`;
  return `Stack ${stack} declares what the list has, by other resources: ${names}. Two declarations of one object fail at every preview. Move these resources into the files by an alias, or remove them from the program and by pulumi state delete from the stack; then run ${adopt} again.`;
}
