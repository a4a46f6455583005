/**
 * The list for `pulumi import --file`. The engine skips resources that the stack already holds
 * under the same name and id (`deploy/import.go`). So a list may be imported twice.
 */
import { z } from "zod";
import { PROJECT_FOLDER_TYPE } from "../../provider/component";
import type { ResourceKind } from "../../provider/resources/kinds";
import { RefusedError } from "../../provider/text/errors";
import { visibleLines } from "../../provider/text/visible-text";
import { packageVersion } from "../../provider/version";
import { pluginType, typesInProjectFiles } from "../lib/own-resources";
import { type Adoption, teamKey } from "./project-yaml";

const PROJECT_TYPE = pluginType("Project");

/**
 * Names within the list are identifiers: `pulumi import` uses them as variables in generated code.
 */
const FOLDER = "folder";

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

/**
 * `undefined` for a text that a process did not finish writing; no project file was written by
 * then either.
 */
export function entriesIfWhole(text: string): ImportEntry[] | undefined {
  try {
    const { resources } = importList.parse(JSON.parse(text));
    return resources.filter(({ type }) => type !== PROJECT_FOLDER_TYPE);
  } catch {
    return undefined;
  }
}

/** The resources that a project file declares, as children of the ProjectFolder. */
export function importEntriesOf({ key, project, people, membership, teams, keys }: Adoption): ImportEntry[] {
  const { projectId } = project;
  // The program registers its resources with the version of its package, and each version has its
  // own default provider.
  const common = { parent: FOLDER, version: packageVersion() };
  const entry = (kind: ResourceKind, name: string, id: string) => ({
    type: pluginType(kind),
    name,
    logicalName: name,
    id,
    ...common,
  });
  const members =
    membership === "additive"
      ? people.map(({ username }) => entry("ProjectMember", `${key}/${username}`, `${projectId}/${username}`))
      : people.slice(0, 1).map(() => entry("ProjectMembers", key, projectId));
  return [
    entry("Project", key, projectId),
    ...members,
    ...keys.map(({ publicKey, keyId }) =>
      entry("ProjectApiKey", `${key}/${publicKey}`, `${projectId}/${keyId}`),
    ),
    ...teams.map((team) => entry("ProjectTeam", `${key}/${teamKey(team)}`, `${projectId}/${team.teamId}`)),
  ];
}

/** The id of the project that an entry concerns. */
export function projectIdOf({ id = "" }: ImportEntry): string {
  return id.replace(/\/.*/s, "").toLowerCase();
}

/** Keys by project id, from the entries of the list. */
export function projectKeys(entries: readonly ImportEntry[]): Map<string, string> {
  return new Map(
    entries
      .filter(({ type }) => type === PROJECT_TYPE)
      .map((entry) => [projectIdOf(entry), entry.logicalName ?? entry.name]),
  );
}
