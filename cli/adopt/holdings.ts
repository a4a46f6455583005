/** What a stack has already, so that it is neither adopted nor imported again. Pure. */
import type { FileKindName } from "../../projects/access-files";
import { foldName } from "../../provider/access/person";
import type { ResourceKind } from "../../provider/resources/kinds";
import { belowFolder, declaredElsewhere } from "../lib/elsewhere";
import type { ImportEntry } from "../lib/import-list";
import { fileOf, kindOf, logicalName, type OwnFile, pluginType, treatmentOf } from "../lib/own-resources";
import type { StackExport, StateResource } from "../lib/stack-export";

export type Holdings = ReturnType<typeof holdingsOf>;

export const noHoldings = holdingsOf({ resources: [] }, "");

/** @param component name of the component of the files */
export function holdingsOf({ resources }: Pick<StackExport, "resources">, component: string) {
  const isBelow = belowFolder(resources, component);
  const own = resources.filter(({ type }) => kindOf(type) !== undefined);
  const [children, others] = [own.filter(isBelow), own.filter((resource) => !isBelow(resource))];
  const outside = resources.filter((resource) => !isBelow(resource));
  const ids = new Set(children.map(({ type, id }) => `${type} ${id}`));
  const names = new Set(children.map(({ type, urn }) => `${type} ${logicalName(urn)}`));
  const elsewhere = new Map(others.map(({ type, id = "", urn }) => [identity(kindOf(type), id), urn]));
  return {
    /** The keys of the files of one kind, by the ID of their object. */
    keys: (of: FileKindName) =>
      new Map(filesOf(children).flatMap((file) => (file.of === of ? [[file.id, file.key]] : []))),
    /** The URN of each project or team that another resource of the stack declares, by its ID. */
    elsewhere: (of: FileKindName) =>
      new Map(
        others.flatMap(({ type, id = "", urn }) => {
          const file = treatmentOf(type)?.isContainer ? fileOf(type, id, logicalName(urn)) : undefined;
          return file?.of === of ? [[file.id, urn]] : [];
        }),
      ),
    /** The URN of another resource of the stack that declares what a resource of this kind and ID would. */
    declarer: (kind: ResourceKind, id: string) => elsewhere.get(identity(kind, id)),
    /** Whether the folder has such a child. */
    has: (kind: ResourceKind, name: string) => names.has(`${pluginType(kind)} ${name}`),
    /** What resources that are not of the folder declare of these entries. */
    conflicts: (entries: readonly ImportEntry[]) => declaredElsewhere(entries, outside),
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
