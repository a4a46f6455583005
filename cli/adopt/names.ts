/** The teams and API keys of the folder in what project files have. Pure. */
import type { ProjectFile } from "../../projects/project-file";
import type { TeamFile } from "../../projects/team-file";
import { splitId } from "../../provider/text/object-id";
import type { ImportEntry } from "../lib/import-list";
import { pluginType } from "../lib/own-resources";
import type { NamedDrafts } from "./contained";
import { MERGE_KEY } from "./contents";
import type { Access, AdoptedObject } from "./objects";
import type { DeclaredObject } from "./plan";
import type { FoundOfKind, Run } from "./read";

/** The names by which project files mean what other files of the folder declare, by the IDs of teams and keys. */
type NamesInFolder = Readonly<Record<"teams" | "keys", (id: string, name?: string) => string | undefined>>;

/**
 * @param declared the teams of existing files
 * @param ofOrganizations what existing files of organizations declare
 */
export function namesInFolder(
  { existing, orgId }: Run,
  declared: readonly DeclaredObject<TeamFile>[],
  ofOrganizations: readonly ImportEntry[],
  { teams, organizations }: NamedDrafts,
): NamesInFolder {
  const teamNames = new Map([
    ...declared.map(({ file, object }) => [object.id, file.name] as const),
    ...teams.flatMap(({ declared: file, of }) => (file ? [[of.object.id, file.name] as const] : [])),
  ]);
  // A team that another stack declares.
  const names = new Set(
    existing.teams.files.filter((file) => file.orgId === orgId).map(({ file }) => file.name),
  );
  const entries = [...ofOrganizations, ...organizations.flatMap((draft) => draft.entries)];
  const keyNames = new Map(
    entries
      .filter(({ type }) => type === pluginType("ApiKey"))
      .map(({ id = "", logicalName = "" }) => [splitId(id).name, splitId(logicalName).name]),
  );
  return {
    teams: (id, name) => {
      const own = teamNames.get(id.toLowerCase()) ?? (names.has(name ?? "") ? name : undefined);
      return own === MERGE_KEY ? undefined : own;
    },
    keys: (id) => keyNames.get(id),
  };
}

/** With the names of teams and keys in who has access. */
export function withNames(found: FoundOfKind<ProjectFile>, { teams: teamOf, keys: keyOf }: NamesInFolder) {
  const named = ({ teams, keys, ...access }: Access): Access => ({
    ...access,
    teams: teams?.map((team) => ({ ...team, nameInFolder: teamOf(team.teamId, team.name) })),
    keys: keys?.map((key) => ({ ...key, nameInFolder: keyOf(key.keyId) })),
  });
  return {
    ...found,
    accessOf: (object: AdoptedObject) => named(found.accessOf(object)),
    liveOf: (object: AdoptedObject) => named(found.liveOf(object)),
  };
}
