/** What a project file declares, as entries of the import list. Pure. */
import { foldName } from "../../provider/access/person";
import type { ResourceKind } from "../../provider/resources/kinds";
import { OBJECT_ID } from "../../provider/text/object-id";
import { packageVersion, pluginDownloadUrl } from "../../provider/version";
import { FOLDER, type ImportEntry } from "../lib/import-list";
import type { LiveKey, LivePerson, LiveTeam, ProjectOutput } from "../lib/organization";
import { pluginType } from "../lib/own-resources";
import { type Adoption, teamKey } from "./project-yaml";

/** What a project file that exists declares of a project. */
export interface DeclaredAccess {
  readonly key: string;
  /** By username, by name or ID of a team, and by public key or ID of a key. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
  readonly membership?: "exclusive" | "additive";
  readonly teams?: Readonly<Record<string, readonly string[]>>;
  readonly apiKeys?: Readonly<Record<string, readonly string[]>>;
}

/** Who has access to a project; `undefined` if not requested or not readable. */
export interface Access {
  readonly people?: readonly LivePerson[] | undefined;
  readonly teams?: readonly LiveTeam[] | undefined;
  readonly keys?: readonly LiveKey[] | undefined;
}

/** The resources that a new project file declares, as children of the ProjectFolder. */
export function importEntriesOf({ key, project, people, membership, teams, keys }: Adoption): ImportEntry[] {
  return entriesOf(key, project.projectId, {
    isList: membership === "exclusive" && people.length > 0,
    people: membership === "additive" ? people.map(({ username }) => [username, username]) : [],
    keys: keys.map(({ publicKey, keyId }) => [publicKey, keyId]),
    teams: teams.map((team) => [teamKey(team), team.teamId]),
  });
}

/**
 * The resources that an existing project file declares, without those whose object does not exist:
 * `up` creates these.
 */
export function declaredEntries(
  { key, members = {}, membership, teams = {}, apiKeys = {} }: DeclaredAccess,
  { projectId }: Pick<ProjectOutput, "projectId">,
  live: Access,
): ImportEntry[] {
  const present = new Map(
    (live.people ?? [])
      .filter(({ status }) => status !== "indirect")
      .map(({ username }) => [foldName(username), username]),
  );
  return entriesOf(key, projectId, {
    isList: membership !== "additive" && Object.keys(members).length > 0,
    people: membership === "additive" ? found(members, (name) => present.get(foldName(name))) : [],
    keys: found(
      apiKeys,
      (given) =>
        live.keys?.find(({ keyId, publicKey }) => isNamed(given, { id: keyId, name: publicKey }))?.keyId,
    ),
    teams: found(
      teams,
      (given) => live.teams?.find(({ teamId, name }) => isNamed(given, { id: teamId, name }))?.teamId,
    ),
  });
}

/** A text in the form of an ID is one, as for the component that declares the file. */
function isNamed(given: string, { id, name }: { readonly id: string; readonly name?: string | undefined }) {
  return OBJECT_ID.test(given) ? id === given.toLowerCase() : name === given;
}

type NameAndId = readonly [name: string, id: string];

function found(
  declared: Readonly<Record<string, unknown>>,
  idOf: (name: string) => string | undefined,
): NameAndId[] {
  return Object.keys(declared).flatMap((name) => {
    const id = idOf(name);
    return id === undefined ? [] : [[name, id] as const];
  });
}

interface Children {
  /** The people are one list, a ProjectMembers. */
  readonly isList: boolean;
  readonly people: readonly NameAndId[];
  readonly keys: readonly NameAndId[];
  readonly teams: readonly NameAndId[];
}

function entriesOf(key: string, projectId: string, { isList, people, keys, teams }: Children): ImportEntry[] {
  // Each version and address has a default provider of its own. With that of the program, the first
  // preview has no difference.
  const common = { parent: FOLDER, version: packageVersion(), pluginDownloadUrl };
  const entry = (kind: ResourceKind, name: string, id: string) => ({
    type: pluginType(kind),
    name,
    logicalName: name,
    id,
    ...common,
  });
  const child =
    (kind: ResourceKind) =>
    ([name, id]: NameAndId) =>
      entry(kind, `${key}/${name}`, `${projectId}/${id}`);
  return [
    // A read does not show this input, and the program always declares it: otherwise, the first `up` writes the state.
    { ...entry("Project", key, projectId), inputs: { onDestroy: "release" } },
    ...(isList ? [entry("ProjectMembers", key, projectId)] : []),
    ...people.map(child("ProjectMember")),
    ...keys.map(child("ProjectApiKey")),
    ...teams.map(child("ProjectTeam")),
  ];
}
