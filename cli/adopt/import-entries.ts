/** What a file declares, as entries of the import list. Pure. */
import { type OrganizationFile, organizationArgs } from "../../projects/organization-file";
import type { ProjectFile } from "../../projects/project-file";
import type { TeamFile } from "../../projects/team-file";
import { foldName } from "../../provider/access/person";
import { withoutUndefined } from "../../provider/resources/contract/values";
import type { ResourceKind } from "../../provider/resources/kinds";
import { joinId, OBJECT_ID } from "../../provider/text/object-id";
import { packageVersion, pluginDownloadUrl } from "../../provider/version";
import type { ImportEntry } from "../lib/import-list";
import { pluginType } from "../lib/own-resources";
import type { Access, AccessKey, AdoptedObject } from "./objects";

/**
 * The resources that a file declares, without those whose object does not exist: `up` creates these.
 *
 * @param recordedId the ID that an earlier list has for a logical name
 */
export type EntriesOf<File> = (
  file: File,
  object: AdoptedObject,
  live: Access,
  recordedId: (kind: ResourceKind, name: string) => string | undefined,
) => ImportEntry[];

export function projectEntries(
  file: ProjectFile,
  { id }: Pick<AdoptedObject, "id">,
  live: Access,
): ImportEntry[] {
  const { key, members = {}, membership, teams, externalTeams, apiKeys, externalApiKeys } = file;
  const { onDestroy, ignoreTags, withDefaultAlertsSettings, projectOwnerId } = file;
  const { ignoreUsers, maxRemovals, removeUnlisted } = file;
  const isAdditive = membership === "additive";
  const personOf = presentPeople(live);
  const ownKey = (given: string) => live.keys?.find(({ nameInFolder }) => nameInFolder === given)?.keyId;
  const keyOf = (given: string) =>
    live.keys?.find(({ keyId, publicKey }) => isNamed(given, { id: keyId, name: publicKey }))?.keyId;
  const ownTeam = (given: string) => live.teams?.find(({ nameInFolder }) => nameInFolder === given)?.teamId;
  const teamOf = (given: string) =>
    live.teams?.find(({ teamId, name }) => isNamed(given, { id: teamId, name }))?.teamId;
  return [
    entry("Project", key, id, { onDestroy, ignoreTags, withDefaultAlertsSettings, projectOwnerId }),
    ...(!isAdditive && Object.keys(members).length > 0
      ? [entry("ProjectMembers", key, id, { ignoreUsers, maxRemovals, removeUnlisted })]
      : []),
    ...below("ProjectMember", key, id, isAdditive ? members : {}, personOf),
    ...below("ProjectApiKey", key, id, apiKeys, ownKey),
    ...below("ProjectApiKey", key, id, externalApiKeys, keyOf),
    ...below("ProjectTeam", key, id, teams, ownTeam),
    ...below("ProjectTeam", key, id, externalTeams, teamOf),
  ];
}

export function teamEntries(
  { key, onDestroy, teamId, maxRemovals, removeUnlisted }: TeamFile,
  { id, orgId }: Pick<AdoptedObject, "id" | "orgId">,
): ImportEntry[] {
  return [entry("Team", key, joinId(orgId, id), { onDestroy, teamId, maxRemovals, removeUnlisted })];
}

export const organizationEntries: EntriesOf<OrganizationFile> = (file, { id }, live, recordedId) => {
  const { key, members = {}, apiKeys = {} } = file;
  const all = live.keys ?? [];
  const keyOf = (name: string) => {
    const recorded = recordedId("ApiKey", `${key}/${name}`);
    return all.some(({ keyId }) => joinId(id, keyId) === recorded)
      ? recorded?.slice(id.length + 1)
      : meantKey(name, file, all)?.keyId;
  };
  return [
    ...(organizationArgs(file) === undefined ? [] : [entry("Organization", key, id)]),
    ...below("OrganizationMember", key, id, members, presentPeople(live)),
    ...below("ApiKey", key, id, apiKeys, keyOf),
  ];
};

/**
 * The key that an entry of the file means: it has this description. Of several, the one with the end of whose ID
 * `adopt` made the name, or else the only one that is left.
 */
function meantKey(
  name: string,
  { apiKeys = {} }: Pick<OrganizationFile, "apiKeys">,
  all: readonly AccessKey[],
): AccessKey | undefined {
  const description = new Map(Object.entries(apiKeys)).get(name)?.description;
  const candidates = all.filter((key) => key.description === description);
  const hasEndOf = (each: string) => (key: AccessKey) => each.endsWith(`-${key.keyId.slice(-6)}`);
  const named = candidates.find(hasEndOf(name));
  const others = Object.keys(apiKeys);
  const left = candidates.filter((key) => !others.some((other) => hasEndOf(other)(key)));
  return named ?? (left.length === 1 ? left[0] : undefined);
}

/** The username at the service of a person who is there. */
function presentPeople({ people = [] }: Access): (name: string) => string | undefined {
  const present = new Map(
    people
      .filter(({ status }) => status !== "indirect")
      .map(({ username }) => [foldName(username), username]),
  );
  return (name) => present.get(foldName(name));
}

/** A text in the form of an ID is one, as for the component that declares the file. */
function isNamed(given: string, { id, name }: { readonly id: string; readonly name?: string | undefined }) {
  return OBJECT_ID.test(given) ? id === given.toLowerCase() : name === given;
}

/**
 * @param unread inputs of the program that a read does not show: without them, the first `up` writes the state for the resource
 */
function entry(
  kind: ResourceKind,
  name: string,
  id: string,
  unread: Readonly<Record<string, unknown>> = {},
): ImportEntry {
  const inputs = withoutUndefined(unread);
  // Each version and address has a default provider of its own. With that of the program, the first
  // preview has no difference.
  const provider = { version: packageVersion(), pluginDownloadUrl };
  const given = Object.keys(inputs).length > 0 && { inputs };
  return { type: pluginType(kind), name, logicalName: name, id, ...provider, ...given };
}

/** An entry for each declared name whose object exists. */
function below(
  kind: ResourceKind,
  key: string,
  placeId: string,
  declared: Readonly<Record<string, unknown>> = {},
  idOf: (name: string) => string | undefined,
): ImportEntry[] {
  return Object.keys(declared).flatMap((name) => {
    const id = idOf(name);
    return id === undefined ? [] : [entry(kind, `${key}/${name}`, joinId(placeId, id))];
  });
}
