/** Gives an API key of the organization roles in a project, or takes all of them from it. */

import { setRolesOfApiKey, unassignApiKey } from "../../api/api-keys";
import { getProject } from "../../api/projects";
import { RefusedError } from "../../text/errors";
import { joinId } from "../../text/object-id";
import { checkedAs, toProperties } from "../contract/border";
import { noticeOfAdoption } from "../contract/on-destroy";
import { ignoresProperty } from "../contract/property-path";
import type {
  CreateRequest,
  CreateResult,
  DeleteRequest,
  ProjectContext,
  UpdateRequest,
} from "../contract/resource";
import { roleChange } from "../contract/roles";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, sameSet, UNKNOWN } from "../contract/values";
import { isErrorResponse } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { orReached } from "../evidence/reread";
import { storedRoles } from "../evidence/stored-roles";
import { absenceOfProject, isProjectDeleted } from "../reads/absence";
import {
  ApiKeyCache,
  apiKeyIn,
  findApiKey,
  isReplacedKey,
  type KeyEntry,
  publicKeyToRecord,
  refuseForOwnKey,
} from "../reads/api-keys";
import { factsOf } from "../reads/project-facts";
import { Claims } from "../session/claims";
import { RemovalBudget } from "../session/removal-budget";
import { type Purpose, purposeOf } from "../session/shared-reads";
import {
  asProjectApiKeyInputs,
  claimFound,
  declaredKey,
  type KnownProjectApiKeyInputs,
  onDestroySetting,
  type ProjectApiKeyInputs,
} from "./inputs";
import {
  asProjectApiKeyState,
  type ProjectApiKeyFacts,
  type ProjectApiKeyState,
  toProjectApiKeyState,
} from "./state";

export async function create({ preview, ...request }: CreateRequest): Promise<CreateResult> {
  const inputs = asProjectApiKeyInputs(request.inputs);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(request.context, inputs.projectId);
    return { id: "", state: previewState(inputs) };
  }
  const wanted = checkedAs<KnownProjectApiKeyInputs>(inputs);
  const { projectId, roles } = wanted;
  const context = { ...request.context, projectId };
  const { log } = context;
  const purpose = purposeOf(preview);
  const entries = await readEntries(context, purpose);
  const { orgId } = await factsOf(context);
  const present = entries.find(isKey(wanted));
  const key = present ?? (await keyOfOrganization(wanted, orgId, context, purpose));
  claimFound(declaredKey(wanted), { ...key, projectId }, context);
  if (present !== undefined) {
    refuseDemotion(present, roles, context);
    const holder = { kind: "API key", keyId: key.keyId, publicKey: key.publicKey } as const;
    log.found?.([{ holder, place: { kind: "project", id: projectId }, roles: present.roles }]);
    const end = noticeOfAdoption(
      wanted,
      "the roles of the key in this project",
      "takes all of them from the key",
    );
    log.info(
      `API key ${key.publicKey} has roles in project ${projectId} already${roleChange(present.roles, roles)}.${end}`,
    );
  }
  const id = joinId(projectId, key.keyId);
  if (preview) return { id: present ? id : "", state: previewState(inputs, key) };
  const facts = { projectId, orgId, origin: present ? "adopted" : "created" } as const;
  return {
    id,
    state: await settle({ entry: key, isPresent: present !== undefined, roles, inputs, facts, context }),
  };
}

export async function update(request: UpdateRequest): Promise<Properties> {
  const recorded = asProjectApiKeyState(request.state, request.id);
  const { projectId, keyId, publicKey } = recorded;
  const context = { ...request.context, projectId };
  const inputs = asProjectApiKeyInputs(request.inputs);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, recorded, recorded);
  }
  const listed = (await readEntries(context, "writing")).find((candidate) => candidate.keyId === keyId);
  const entry = listed && { ...listed, publicKey: publicKeyToRecord(publicKey, listed.publicKey) };
  const isIgnored = ignoresProperty(request.ignoreChanges)("roles");
  const roles = isIgnored && entry ? entry.roles : checkedAs<KnownProjectApiKeyInputs>(inputs).roles;
  if (entry) refuseDemotion(entry, roles, context);
  if (request.preview) return previewState(inputs, recorded, recorded);
  const { orgId } = await factsOf(context, recorded);
  const key = entry ?? { keyId, publicKey, roles: [] };
  const facts = { projectId, orgId, origin: entry ? recorded.origin : ("created" as const), publicKey };
  return settle({ entry: key, isPresent: entry !== undefined, roles, inputs, facts, context });
}

function isKey({ keyId, publicKey }: KnownProjectApiKeyInputs): (entry: KeyEntry) => boolean {
  return (entry) => (keyId === undefined ? entry.publicKey === publicKey : entry.keyId === keyId);
}

/** The keys that have roles in the project. */
async function readEntries(
  { session, projectId, signal }: ProjectContext,
  purpose: Purpose,
): Promise<readonly KeyEntry[]> {
  const keys = await session.of(ApiKeyCache).ofProject.read(projectId, purpose, signal);
  if (keys instanceof Refusal) throw keys.error;
  return keys;
}

/**
 * A key that has no role in the project yet.
 *
 * @throws RefusedError if the project's organization has no such key
 */
async function keyOfOrganization(
  wanted: KnownProjectApiKeyInputs,
  orgId: string | undefined,
  context: ProjectContext,
  purpose: Purpose,
): Promise<KeyEntry> {
  const { session, signal, projectId } = context;
  const { keyId, publicKey } = wanted;
  if (orgId === undefined) {
    throw new RefusedError(
      `API key ${publicKey ?? keyId} cannot be found: these credentials cannot read project ${projectId}, so its organization is not known. Nothing was written.`,
    );
  }
  const found =
    keyId === undefined
      ? await session.of(ApiKeyCache).ofOrganization.read(orgId, purpose, signal)
      : await findApiKey(orgId, keyId, context, purpose);
  if (found instanceof Refusal) throw found.error;
  const key = Array.isArray(found) ? found.find((candidate) => candidate.publicKey === publicKey) : found;
  if (key !== undefined) return { ...key, roles: [] };
  throw new RefusedError(
    `Organization ${orgId} has no API key ${publicKey ?? keyId} that the provider can see. Check ${keyId === undefined ? "publicKey" : "keyId"}; a key of another organization cannot have roles in project ${projectId}. Nothing was written.`,
  );
}

/** The provider's own key keeps the roles that it has. */
function refuseDemotion(
  entry: KeyEntry,
  roles: readonly string[],
  { session, projectId }: ProjectContext,
): void {
  const lost = entry.roles.filter((role) => !roles.includes(role));
  if (lost.length > 0)
    refuseForOwnKey(entry, `did not lose ${lost.join(", ")} in project ${projectId}`, session);
}

interface Settlement {
  readonly entry: KeyEntry;
  readonly isPresent: boolean;
  readonly roles: readonly string[];
  readonly inputs: ProjectApiKeyInputs;
  readonly facts: ProjectApiKeyFacts;
  readonly context: ProjectContext;
}

/** Gives the key the declared roles, and returns what to record. */
async function settle({ entry, isPresent, roles, inputs, facts, context }: Settlement): Promise<Properties> {
  const { projectId, keyId } = { ...facts, ...entry };
  const { session, signal } = context;
  const stateOf = (key: KeyEntry) => toProperties(toProjectApiKeyState(key, inputs, facts));
  if (isPresent && sameSet(entry.roles, roles)) return stateOf(entry);
  const read = async (late: AbortSignal) =>
    (await readEntries({ ...context, signal: late }, "writing")).find((key) => key.keyId === keyId);
  const isReached = (now: KeyEntry | undefined) => now !== undefined && sameSet(now.roles, roles);
  const change = setRolesOfApiKey(session.client, projectId, keyId, roles, signal);
  await orReached(change, { read, isReached }, signal).finally(() => discardReads(facts.orgId, context));
  const written = { ...entry, roles };
  const name = `API key ${entry.publicKey}`;
  return storedRoles({ name, kind: "key", objectId: keyId, written, read, stateOf }, context);
}

function discardReads(orgId: string | undefined, { session, projectId }: ProjectContext): void {
  const cache = session.of(ApiKeyCache);
  cache.ofProject.written(projectId);
  if (orgId !== undefined) cache.ofOrganization.written(orgId);
}

/** The predictable outputs of a preview. */
function previewState(
  inputs: ProjectApiKeyInputs,
  key?: Pick<KeyEntry, "keyId" | "publicKey">,
  recorded: Partial<ProjectApiKeyState> = {},
): Properties {
  return toProperties({
    orgId: UNKNOWN,
    origin: UNKNOWN,
    ...recorded,
    keyId: key?.keyId ?? UNKNOWN,
    publicKey: key?.publicKey ?? UNKNOWN,
    ...inputs,
    onDestroy: onDestroySetting.inPreview(inputs),
  });
}

export async function remove({ id, state, oldInputs, ...request }: DeleteRequest): Promise<void> {
  const recorded = asProjectApiKeyState(state, id);
  const { projectId, keyId, orgId } = recorded;
  const context = { ...request.context, projectId };
  const { session, signal, log, urn } = context;
  const text = `API key ${recorded.publicKey}`;
  if (onDestroySetting.effective(asProjectApiKeyInputs(oldInputs)) === "release") {
    log.info(`${text} was released and keeps its roles in project ${projectId}.`);
    return;
  }
  const keys = await session.of(ApiKeyCache).ofProject.fresh(projectId, signal);
  if (keys instanceof Refusal) {
    if ((await absenceOfProject(keys.error, recorded, context)) === "deleted") return;
    throw keys.error;
  }
  const listed = keys.find((key) => key.keyId === keyId);
  if (listed === undefined) return;
  const entry = { ...listed, publicKey: publicKeyToRecord(recorded.publicKey, listed.publicKey) };
  const owner = session.of(Claims).declarerOf(apiKeyIn(projectId, entry), urn);
  if (owner !== undefined) {
    log.info(`${text} keeps its roles in project ${projectId} because ${owner} declares it.`);
    return;
  }
  refuseForOwnKey(entry, `did not lose its roles in project ${projectId}`, session);
  const removals = isReplacedKey(entry, { kind: "project", id: projectId }, context)
    ? []
    : [{ placeId: projectId, holder: keyId }];
  session.of(RemovalBudget).require(removals, `${text} did not lose its roles in project ${projectId}`);
  try {
    // With the ID of an organization, some documented forms of the path delete the key itself.
    const confirmed = await getProject(session.client, projectId, signal);
    await unassignApiKey(session.client, confirmed.id, keyId, signal);
  } catch (error) {
    if (!isErrorResponse(error) || signal.aborted) throw error;
    const now = await session
      .of(ApiKeyCache)
      .ofProject.fresh(projectId, signal)
      .catch(() => undefined);
    const isUnassigned =
      now !== undefined && !(now instanceof Refusal) && !now.some((key) => key.keyId === keyId);
    if (!isUnassigned && !(await isProjectDeleted(error, recorded, context))) throw error;
  } finally {
    discardReads(orgId, context);
  }
}
