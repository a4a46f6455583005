/** What a stack has already, so that it is neither adopted nor imported again. Pure. */
import type { FileKindName } from "../../projects/access-files";
import { foldName } from "../../provider/access/person";
import type { ResourceKind } from "../../provider/resources/kinds";
import { folderIn } from "../lib/elsewhere";
import type { ImportEntry } from "../lib/import-list";
import { fileOf, kindOf, logicalName, type OwnFile, pluginType } from "../lib/own-resources";
import type { StackExport, StateResource } from "../lib/stack-export";

export type Holdings = ReturnType<typeof holdingsOf>;

export const noHoldings = holdingsOf({ resources: [] }, "");

/** @param component name of the component of the files */
export function holdingsOf({ resources }: Pick<StackExport, "resources">, component: string) {
  const folderOf = folderIn(resources);
  const own = resources.filter(({ type, custom }) => kindOf(type) !== undefined && custom !== false);
  const children = own.filter((each) => folderOf(each) === component);
  const others = own.filter((each) => folderOf(each) !== component);
  const ids = new Set(children.map(({ type, id }) => `${type} ${id}`));
  const names = new Map(children.map(({ type, id, urn }) => [`${type} ${logicalName(urn)}`, id]));
  const elsewhere = new Map(others.map(({ type, id = "", urn }) => [identity(kindOf(type), id), urn]));
  return {
    /** The keys of the files of one kind, by the ID of their object. */
    keys: (of: FileKindName) =>
      new Map(filesOf(children).flatMap((file) => (file.of === of ? [[file.id, file.key]] : []))),
    /** The URN of another resource of the stack that declares what a resource of this kind and ID would. */
    declarer: (kind: ResourceKind, id: string) => elsewhere.get(identity(kind, id)),
    /** Whether the folder has such a child. */
    has: (kind: ResourceKind, name: string) => names.has(`${pluginType(kind)} ${name}`),
    /** The ID of such a child. */
    idOf: (kind: ResourceKind, name: string) => names.get(`${pluginType(kind)} ${name}`),
    /** All that the stack has. */
    resources,
    /** Whether the folder has the child under its name, or under another one. */
    holds: ({ type, id, logicalName: name }: ImportEntry) =>
      ids.has(`${type} ${id}`) || names.has(`${type} ${name}`),
  };
}

function identity(kind: string | undefined, id: string): string {
  return `${kind} ${foldName(id)}`;
}

function filesOf(children: readonly StateResource[]): OwnFile[] {
  return children.flatMap(({ type, id = "", urn }) => fileOf(type, id, logicalName(urn)) ?? []);
}
