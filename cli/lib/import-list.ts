/**
 * The list for `pulumi import --file`. The engine skips resources that the stack already holds
 * under the same name and id (`deploy/import.go`). So a list may be imported twice.
 */
import { z } from "zod";
import { PROJECT_FOLDER_TYPE } from "../../provider/component";
import { RefusedError } from "../../provider/text/errors";
import { visibleLines } from "../../provider/text/visible-text";
import { pluginType, typesInProjectFiles } from "./own-resources";

/** Where `adopt` writes the list and `import` reads it, unless another file is named. */
export const DEFAULT_LIST = "import.json";

const PROJECT_TYPE = pluginType("Project");

/**
 * Names within the list are identifiers: `pulumi import` uses them as variables in generated code.
 */
export const FOLDER = "folder";

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

const OWN_TYPES: readonly string[] = [PROJECT_FOLDER_TYPE, ...typesInProjectFiles()];

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
export function parseImportList(
  text: string,
  { path, component }: { readonly path: string; readonly component: string },
): ImportEntry[] {
  const entries = entriesIfWhole(text);
  if (entries === undefined) {
    throw new RefusedError(
      `${path} exists and is not a list that adopt wrote, so it is left unchanged. Name another file with --import-file, or move this one.`,
    );
  }
  if (importListText(component, entries) !== text) {
    throw new RefusedError(
      `${path} was edited, or written for another --component than ${component}, so it is left unchanged. Import it first and delete it, or name another file with --import-file.`,
    );
  }
  return entries;
}

export function importListText(component: string, entries: readonly ImportEntry[]): string {
  const folder = { type: PROJECT_FOLDER_TYPE, name: FOLDER, logicalName: component, component: true };
  const numbered = entries.map((entry, index) => ({ ...entry, name: `resource${index + 1}` }));
  return visibleLines(`${JSON.stringify({ resources: [folder, ...numbered] }, null, 2)}\n`);
}

/** `undefined` for another text than a list, such as one that a process did not finish writing. */
export function entriesIfWhole(text: string): ImportEntry[] | undefined {
  try {
    const { resources } = importList.parse(JSON.parse(text));
    return resources.filter(({ type }) => type !== PROJECT_FOLDER_TYPE);
  } catch {
    return undefined;
  }
}

/** The id of the project that an entry concerns. */
export function projectIdOf({ id = "" }: ImportEntry): string {
  return id.replace(/\/.*/s, "").toLowerCase();
}

/** `ProjectMember payments/ada@example.com` */
export function entryName({ type, name, logicalName = name }: ImportEntry): string {
  return `${type.split(":").at(-1)} ${logicalName}`;
}

/** Keys by project id, from the entries of the list. */
export function projectKeys(entries: readonly ImportEntry[]): Map<string, string> {
  return new Map(
    entries
      .filter(({ type }) => type === PROJECT_TYPE)
      .map((entry) => [projectIdOf(entry), entry.logicalName ?? entry.name]),
  );
}
