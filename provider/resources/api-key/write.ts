/**
 * Creates and changes an API key of an organization. Each POST creates one more key, so none is
 * repeated, and no key remains without a name.
 */

import {
  type ApiKeyFields,
  type ApiKeyResponse,
  addToAccessList,
  createApiKey,
  getApiKey,
  listAccessList,
  listApiKeys,
  type NewApiKeyResponse,
  removeFromAccessList,
  updateApiKey,
} from "../../api/api-keys";
import { ApiError, messageOf, PartialFailure, RefusedError } from "../../text/errors";
import { checkedAs, toProperties } from "../contract/border";
import { ignoresProperty } from "../contract/property-path";
import type { Context, CreateRequest, CreateResult, UpdateRequest } from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, sameSet } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { orReached } from "../evidence/reread";
import { createKey, type KeyPort, orLostCreation, previewOfNewKey } from "../keys/creation";
import { ApiKeyCache, findApiKey, publicKeyToRecord, refuseForOwnKey } from "../reads/api-keys";
import { Writes } from "../session/writes";
import { entryOf, toRequest } from "./access-list";
import { type ApiKeyInputs, asApiKeyInputs, type KnownApiKeyInputs, onDestroySetting } from "./inputs";
import {
  type ApiKeyFacts,
  type ApiKeyState,
  apiKeyOutputs,
  asApiKeyState,
  hasRoles,
  liveRoles,
  toApiKeyState,
} from "./state";

export function create(request: CreateRequest): Promise<CreateResult> {
  return createKey(port, request);
}

const port: KeyPort<
  KnownApiKeyInputs,
  ApiKeyResponse,
  NewApiKeyResponse & { readonly secret: string | undefined; readonly end: string | undefined }
> = {
  kind: "ApiKey",
  noun: "API key",
  placeProperty: "orgId",
  place: "organization",
  secretName: "private key",
  whenReplaced:
    "the new key has another public and another private key. If this run deletes the old key, programs that still use it are refused. Roles in projects that no ProjectApiKey declares are not given to the new key.",
  outputs: apiKeyOutputs,
  onDestroy: onDestroySetting,
  pathOf: (orgId) => `orgs/${orgId}/apiKeys`,
  list: (orgId, { session }, signal) => listApiKeys(session.client, orgId, signal),
  preview: async (orgId, { session, signal }) => {
    const keys = await session.of(ApiKeyCache).ofOrganization.shared(orgId, signal);
    if (keys instanceof Refusal) throw keys.error;
  },
  create: async ({ orgId, description, roles }, creation, { session, signal }) => {
    const post = createApiKey(session.client, orgId, { desc: description, roles }, signal);
    const key = await orLostCreation(post, creation).finally(() =>
      session.of(ApiKeyCache).ofOrganization.written(orgId),
    );
    return { ...key, secret: key.privateKey, end: key.privateKeyEnd };
  },
  shownEnd: async (orgId, keyId, { session, signal }) =>
    (await getApiKey(session.client, orgId, keyId, signal)).privateKeyEnd,
  complete: ({ id, declared, created: { secret, ...key }, end, reasons }, context) => {
    const facts = { orgId: declared.orgId, privateKey: secret, origin: "created" } as const;
    return completed(id, { ...key, privateKeyEnd: end }, declared, { facts, context, reasons });
  },
};

/** The outputs of a preview of a key that stays. */
function previewOfUpdate(
  { orgId, keyId, publicKey, privateKey, privateKeyEnd, origin }: ApiKeyState,
  inputs: ApiKeyInputs,
): Properties {
  const kept = { orgId, keyId, publicKey, privateKey, privateKeyEnd, origin };
  return toProperties({ ...inputs, ...kept, onDestroy: onDestroySetting.inPreview(inputs) });
}

type Facts = Omit<ApiKeyFacts, "accessList">;

interface Completion {
  readonly facts: Facts;
  readonly context: Context;
  /** What else is to be reported. */
  readonly reasons?: readonly string[];
  /** The entries of the access list before, if they were read. */
  readonly storedBefore?: readonly string[] | undefined;
}

/**
 * Writes the access list and compares what the service stored.
 *
 * @throws PartialFailure with the key, so that its private key is recorded whatever fails
 */
async function completed(
  id: string,
  key: ApiKeyResponse,
  wanted: KnownApiKeyInputs,
  { facts, context, reasons: reported = [], storedBefore }: Completion,
): Promise<Properties> {
  const reasons = [...storedOtherwise(key, wanted), ...reported];
  const stateWith = (accessList: readonly string[] | undefined) =>
    toProperties(toApiKeyState(key, wanted, { ...facts, accessList }));
  if (wanted.accessList === undefined) {
    const state = stateWith(undefined);
    if (reasons.length > 0) throw new PartialFailure(id, state, reasons);
    return state;
  }
  try {
    const live = await writeAccessList(key, wanted.accessList, facts.orgId, context, storedBefore);
    if (!sameSet(live, wanted.accessList)) {
      reasons.push(
        `The access list of API key ${key.keyId} was sent as ${wanted.accessList.join(", ") || "empty"}, but the service stored ${live.join(", ") || "none"}.`,
      );
    }
    if (reasons.length > 0) throw new PartialFailure(id, stateWith(live), reasons);
    return stateWith(live);
  } catch (error) {
    if (error instanceof PartialFailure) throw error;
    // Entries may have been written, so a list that cannot be read is not known, and not the one before.
    const now = await accessListOf(key, facts.orgId, context).catch(() => undefined);
    throw new PartialFailure(id, stateWith(now), [...reasons, messageOf(error)]);
  }
}

/** What the service stored other than it was sent. */
function storedOtherwise(key: ApiKeyResponse, { orgId, description, roles }: KnownApiKeyInputs): string[] {
  const reasons: string[] = [];
  if ((key.description ?? "") !== description) {
    reasons.push(
      `description was sent as "${description}", but the service stored "${key.description ?? ""}".`,
    );
  }
  if (!hasRoles(key, orgId, roles)) {
    const stored = key.roles.filter((role) => role.orgId === orgId).map(({ roleName }) => roleName);
    reasons.push(
      `roles was sent as ${roles.join(", ")}, but the service stored ${stored.join(", ") || "none"}.`,
    );
  }
  return reasons;
}

/** The entries of the key's access list in their one form. */
export async function accessListOf(
  { keyId }: Pick<ApiKeyResponse, "keyId">,
  orgId: string,
  { session, signal }: Pick<Context, "session" | "signal">,
): Promise<string[]> {
  const entries = await listAccessList(session.client, orgId, keyId, signal);
  return entries.flatMap((entry) => entryOf(entry) ?? []);
}

/**
 * Adds what is missing, then removes what is not declared.
 *
 * @param stored the entries now, if they were read
 * @returns the entries afterwards
 */
async function writeAccessList(
  key: ApiKeyResponse,
  declared: readonly string[],
  orgId: string,
  context: Context,
  stored?: readonly string[],
): Promise<readonly string[]> {
  const { session, signal } = context;
  const live = stored ?? (await accessListOf(key, orgId, context));
  const missing = declared.filter((entry) => !live.includes(entry));
  const extra = live.filter((entry) => !declared.includes(entry));
  if (missing.length === 0 && extra.length === 0) return live;
  const read = (by: AbortSignal) => accessListOf(key, orgId, { session, signal: by });
  if (missing.length > 0) {
    const isReached = (now: readonly string[]) => missing.every((entry) => now.includes(entry));
    const addition = addToAccessList(session.client, orgId, key.keyId, missing.map(toRequest), signal);
    await orReached(addition, { read, isReached }, signal).catch((error: unknown) => {
      // Another program may have added some of the entries, and the service then adds none.
      if (!(error instanceof ApiError) || error.errorCode !== "ADDRESS_ALREADY_IN_ACCESS_LIST") throw error;
    });
    const now = await read(signal);
    if (!isReached(now)) return now;
  }
  for (const entry of extra) {
    const isReached = (now: readonly string[]) => !now.includes(entry);
    const removal = removeFromAccessList(session.client, orgId, key.keyId, entry, signal);
    await orReached(removal, { read, isReached }, signal);
  }
  return read(signal);
}

export async function update(request: UpdateRequest): Promise<Properties> {
  const { id, context } = request;
  const recorded = asApiKeyState(request.state, id);
  const inputs = asApiKeyInputs(request.inputs);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(context);
    const mayBeReplaced = hasUnknown([inputs.orgId, inputs.triggers]);
    return mayBeReplaced ? previewOfNewKey(port, request.inputs) : previewOfUpdate(recorded, inputs);
  }
  const given = checkedAs<KnownApiKeyInputs>(inputs);
  // Its roles in projects are compared before and after, and a ProjectApiKey changes them.
  return context.session.of(Writes).apart(recorded.keyId, () => updateKnown(recorded, given, request));
}

async function updateKnown(
  recorded: ApiKeyState,
  given: KnownApiKeyInputs,
  { id, context, preview, ignoreChanges }: UpdateRequest,
): Promise<Properties> {
  const isIgnored = ignoresProperty(ignoreChanges);
  const { session, signal } = context;
  const { orgId, keyId, publicKey, origin, privateKey, privateKeyEnd } = recorded;
  const key = await existing(recorded, context);
  const live = isIgnored("accessList")
    ? recorded.accessList
    : given.accessList && (await accessListOf(key, orgId, context));
  const wanted: KnownApiKeyInputs = {
    ...given,
    ...(isIgnored("description") && { description: key.description ?? "" }),
    ...(isIgnored("roles") && { roles: liveRoles(key, orgId, undefined) }),
    ...(isIgnored("accessList") && { accessList: recorded.accessList }),
  };
  refuseLockOut(key, wanted, live, context);
  announceUnread(recorded, wanted, live, context);
  if (preview) return previewOfUpdate(recorded, wanted);
  const fields: Partial<ApiKeyFields> = {
    ...((key.description ?? "") !== wanted.description && { desc: wanted.description }),
    ...(!hasRoles(key, orgId, wanted.roles) && { roles: wanted.roles }),
  };
  const goal = {
    read: (by: AbortSignal) => existing(recorded, { ...context, signal: by }),
    isReached: (now: ApiKeyResponse) =>
      (now.description ?? "") === wanted.description && hasRoles(now, orgId, wanted.roles),
  };
  const change = () => updateApiKey(session.client, orgId, keyId, fields, signal);
  const changed =
    Object.keys(fields).length === 0
      ? key
      : await orReached(change(), goal, signal).finally(() =>
          session.of(ApiKeyCache).ofOrganization.written(orgId),
        );
  const facts = { orgId, publicKey, origin, privateKey, privateKeyEnd };
  const state = await completed(id, changed, wanted, { facts, context, storedBefore: live });
  const lost = lostProjectRoles(key, changed);
  if (lost.length > 0) {
    throw new PartialFailure(id, state, [
      `After the change of its roles in organization ${orgId}, the service no longer shows these roles of API key ${keyId} in projects: ${lost.join(", ")}. Give them again, for example with ProjectApiKey.`,
    ]);
  }
  return state;
}

/** @throws RefusedError if the key no longer exists */
async function existing({ orgId, keyId, publicKey }: ApiKeyState, context: Context): Promise<ApiKeyResponse> {
  const key = await findApiKey(orgId, keyId, context, "writing");
  if (key instanceof Refusal) throw key.error;
  if (key !== undefined) return { ...key, publicKey: publicKeyToRecord(publicKey, key.publicKey) };
  throw new RefusedError(
    `API key ${keyId} of organization ${orgId} no longer exists. Run pulumi up --refresh --run-program: it creates another key. Nothing was written.`,
  );
}

/** The provider's own key keeps its roles in the organization and the entries of its access list. */
function refuseLockOut(
  key: ApiKeyResponse,
  { orgId, roles, accessList = [] }: KnownApiKeyInputs,
  live: readonly string[] | undefined,
  { session }: Context,
): void {
  const loses = key.roles.filter((role) => role.orgId === orgId && !roles.includes(role.roleName));
  const isDemoted = loses.some(({ roleName }) => roleName !== "ORG_MEMBER");
  if (isDemoted) {
    const names = loses.map(({ roleName }) => roleName).join(", ");
    refuseForOwnKey(key, `keeps ${names} in organization ${orgId}`, session);
  }
  if (live === undefined) return;
  // The service decides by the address that it sees, which is not known here.
  const locksOut =
    live.length === 0 ? accessList.length > 0 : live.some((entry) => !accessList.includes(entry));
  if (locksOut) refuseForOwnKey(key, "keeps its access list", session);
}

/** What the diff cannot show: entries of a list that was never read, and that the program does not declare. */
function announceUnread(
  { keyId, accessList: recorded }: ApiKeyState,
  { accessList }: KnownApiKeyInputs,
  live: readonly string[] | undefined,
  { log }: Context,
): void {
  if (recorded !== undefined || accessList === undefined) return;
  const lost = live?.filter((entry) => !accessList.includes(entry)) ?? [];
  if (lost.length === 0) return;
  log.info(
    `The access list of API key ${keyId} has entries that the program does not declare, and loses them: ${lost.join(", ")}.`,
  );
}

/** Whether a change of the roles in the organization touches those in projects is not documented. */
function lostProjectRoles(before: ApiKeyResponse, after: ApiKeyResponse): string[] {
  const textsOf = ({ roles }: ApiKeyResponse) =>
    roles.flatMap(({ projectId, roleName }) =>
      projectId === undefined ? [] : [`${roleName} in ${projectId}`],
    );
  const now = new Set(textsOf(after));
  return textsOf(before).filter((text) => !now.has(text));
}
