/**
 * One programmatic API key of an organization, which this stack created or imported: its description, its roles in
 * the organization, and its access list.
 */

import {
  type ApiKeyFields,
  type ApiKeyResponse,
  createApiKey,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  updateApiKey,
} from "../../api/api-keys";
import { isMasked } from "../../api/masked-key";
import { messageOf, PartialFailure, RefusedError } from "../../text/errors";
import { checkedAs, toProperties } from "../contract/border";
import { accessOf, allOf, organizationIn } from "../contract/declared";
import { type Difference, unsureSetDifferences } from "../contract/difference";
import { orgIdInput } from "../contract/fields";
import { ignoresProperty } from "../contract/property-path";
import type { Context, UpdateRequest } from "../contract/resource";
import { announceOverwritten, rolesAmong } from "../contract/roles";
import { hasUnknown, type Properties, sameSet } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { orReached, rereadAfterWrite } from "../evidence/reread";
import { placesText, refuseToDeleteFirst, refuseToEndDeclared } from "../people/declared-below";
import {
  ApiKeyCache,
  apiKeyIn,
  findApiKey,
  isReplacedKey,
  publicKeyToRecord,
  refuseForOwnKey,
} from "../reads/api-keys";
import { Claims } from "../session/claims";
import { requireRemovals } from "../session/removal-budget";
import { Writes } from "../session/writes";
import {
  accessListDifferences,
  accessListOf,
  accessListToRecord,
  writeAccessList,
} from "./api-key-access-list";
import {
  type ApiKeyFacts,
  type ApiKeyState,
  apiKeyInputs,
  apiKeyOutputs,
  asApiKeyInputs,
  check,
  hasRoles,
  holderIn,
  type KnownApiKeyInputs,
  liveRoles,
  onDestroy,
  previewOfUpdate,
  toApiKeyState,
} from "./api-key-record";
import { orLostCreation } from "./creation";
import { previewOfNewKey, wasMadeAgain } from "./declared";
import { keyResource } from "./engine";
import type { KeyDeclaration, KeyPort, KeyToRecord } from "./port";

const declaration: KeyDeclaration<"ApiKey"> = {
  name: "ApiKey",
  description: `A programmatic API key of an organization: its description, its roles in the organization and its access list. \`ProjectApiKey\` gives it roles in a project.

The service returns the private key once, when the key is created. The output \`privateKey\` is a secret and is in the state only, encrypted. A change of \`orgId\` or \`triggers\` creates another key first and deletes the old one last. The key with which the provider itself authenticates is never deleted, demoted or locked out by its access list.

The resource never changes keys that others created.`,
  inputs: apiKeyInputs,
  outputs: apiKeyOutputs,
  check,
  declares: (inputs, state) => accessOf(holderIn(state), organizationIn(inputs), inputs.roles),
  deletes: (state) => allOf(holderIn(state), state),
  duties: {
    whenRemoved:
      'The key is deleted, with its roles in all projects, and programs that use it are refused. With `onDestroy: "release"` it stays.',
    counted:
      "the key, in its organization and in each project, unless a replacement with the same roles follows",
    whenDeletedFirst:
      "The key is deleted and created again, with another public and private key. One that has roles in projects stays, with an error.",
    withFourOperations: "Cannot be created.",
    identifiedBy: ["orgId"],
  },
  subject: ({ orgId, description }) => `${JSON.stringify(description)} in ${String(orgId)}`,
  noun: "API key",
  place: { noun: "organization", property: "orgId", query: orgIdInput, unread: "organization keys" },
  secret: {
    property: "privateKey",
    noun: "private key",
    shown: "a private key only once, when the key is created",
  },
  whenReplaced:
    "the new key has another public and another private key. If this run deletes the old key, programs that still use it are refused. Roles in projects that no ProjectApiKey declares are not given to the new key.",
  onDestroy,
  defaults: { publicKey: "", roles: [] },
  followed: ["description", "roles", "accessList"],
};

const port: KeyPort<ApiKeyState, ApiKeyResponse> = {
  pathOf: (orgId) => `orgs/${orgId}/apiKeys`,
  async list(orgId, purpose, { session, signal }) {
    if (purpose === "writing") return listApiKeys(session.client, orgId, signal);
    const keys = await session.of(ApiKeyCache).ofOrganization.shared(orgId, signal);
    if (keys instanceof Refusal) throw keys.error;
    return keys;
  },
  async create(inputs, creation, context) {
    const declared = checkedAs<KnownApiKeyInputs>(inputs);
    const { orgId, description, roles } = declared;
    const { session, signal } = context;
    const post = createApiKey(session.client, orgId, { desc: description, roles }, signal);
    const { privateKey, ...key } = await orLostCreation(post, creation).finally(() =>
      session.of(ApiKeyCache).ofOrganization.written(orgId),
    );
    const facts = { orgId, privateKey, origin: "created" } as const;
    return {
      keyId: key.keyId,
      secret: privateKey,
      complete: async (reasons) =>
        completed(await shownAgain(key, orgId, context), declared, facts, context, reasons),
    };
  },
  find: (orgId, keyId, context) => findApiKey(orgId, keyId, context),
  async live(recorded, key, oldInputs, context) {
    const inputs = asApiKeyInputs(oldInputs ?? {});
    const isImport = oldInputs === undefined;
    const isManaged = isImport || inputs.accessList !== undefined;
    const accessList = isManaged ? await accessListToRecord(recorded, isImport, context) : undefined;
    const live = toApiKeyState(key, inputs, { ...recorded, accessList });
    warnIfMadeAgain(live, context);
    return live;
  },
  differences(recorded, inputs, oldInputs) {
    const { description, roles, accessList } = asApiKeyInputs(inputs);
    return [
      ...(description === recorded.description ? [] : [{ path: ["description"], kind: "update" } as const]),
      ...unsureSetDifferences("roles", recorded.roles, roles),
      ...accessListDifferences(recorded.accessList, accessList, oldInputs.accessList),
    ];
  },
  // The provider can use its own key, and cannot delete it.
  unusable: (recorded, { client }) =>
    recorded.publicKey === client.publicKey ? [] : secretDifferences(recorded),
  refuseReplacement: (recorded, context) => refuseForOwnKey(recorded, "was not replaced", context),
  keep(_, recorded, { session, urn }) {
    const claims = session.of(Claims);
    // The key that a replacement deletes is no longer declared, so only a key that stays is claimed.
    const other = claims.isDeclared(urn) ? claims.claim(subjectOf(recorded), urn) : undefined;
    if (other === undefined) return;
    throw new RefusedError(
      `API key ${recorded.keyId} of organization ${recorded.orgId} is already declared by ${other}: each would revert the other's changes. Remove one of them from the program.`,
    );
  },
  subjectOf: (_, recorded) => subjectOf(recorded),
  async update(recorded, request) {
    const inputs = asApiKeyInputs(request.inputs);
    if (hasUnknown(inputs)) {
      const mayBeReplaced = hasUnknown([inputs.orgId, inputs.triggers]);
      return mayBeReplaced ? previewOfNewKey(declaration, request.inputs) : previewOfUpdate(recorded, inputs);
    }
    // Its roles in projects are compared before and after, and a ProjectApiKey changes them.
    return request.context.session
      .of(Writes)
      .apart(recorded.keyId, () => updateKnown(recorded, checkedAs<KnownApiKeyInputs>(inputs), request));
  },
  remove,
};

export const apiKey = keyResource(declaration, port);

function subjectOf(recorded: ApiKeyState) {
  return apiKeyIn(recorded.orgId, recorded);
}

/**
 * A key that no program can use is replaced: the response to its creation lacked the private key, or
 * the service shows the end of another one.
 */
function secretDifferences({ origin, privateKey, privateKeyEnd }: ApiKeyState): Difference[] {
  if (privateKey === undefined) {
    return origin === "created" ? [{ path: ["privateKey"], kind: "add", replace: true }] : [];
  }
  return wasMadeAgain({ secret: privateKey, recorded: privateKeyEnd })
    ? [{ path: ["privateKey"], kind: "update", replace: true }]
    : [];
}

function warnIfMadeAgain(
  { orgId, keyId, publicKey, privateKey, privateKeyEnd }: ApiKeyState,
  { session, log }: Context,
): void {
  if (!wasMadeAgain({ secret: privateKey, recorded: privateKeyEnd })) return;
  const effect =
    publicKey === session.client.publicKey
      ? "The provider itself authenticates with it, so it is not replaced, and the output privateKey stays as it is. To replace it, run pulumi up with another key."
      : "The next update creates another key and deletes this one. To keep it, add privateKey to ignoreChanges.";
  log.warn(
    `API key ${keyId} of organization ${orgId} was regenerated outside Pulumi: its private key ends with "${privateKeyEnd}" in the service, but not in the state. ${effect}`,
  );
}

/** A created key, with what its response lacks or a gateway masks there, if a read shows it. */
async function shownAgain(
  key: ApiKeyResponse,
  orgId: string,
  { session, signal, log }: Context,
): Promise<ApiKeyResponse> {
  if (key.privateKeyEnd !== undefined && !isMasked(key.publicKey)) return key;
  const now = await getApiKey(session.client, orgId, key.keyId, signal).catch(() => undefined);
  const publicKey = publicKeyToRecord(key.publicKey, now?.publicKey ?? key.publicKey);
  if (isMasked(publicKey)) {
    log.warn(
      `The output publicKey of API key ${key.keyId} of organization ${orgId} is "${publicKey}": something between the provider and the service masks it, so programs cannot authenticate with it. Run pulumi refresh without that gateway.`,
    );
  }
  return { ...key, publicKey, privateKeyEnd: key.privateKeyEnd ?? now?.privateKeyEnd };
}

/**
 * Writes the access list and compares what the service stored. The key is recorded, whatever fails.
 *
 * @param reported what is to be reported as well
 * @param storedBefore the entries of the access list before, if they were read
 */
async function completed(
  key: ApiKeyResponse,
  wanted: KnownApiKeyInputs,
  facts: ApiKeyFacts,
  context: Context,
  reported: readonly string[] = [],
  storedBefore?: readonly string[],
): Promise<KeyToRecord> {
  const { accessList } = wanted;
  const reasons = [...storedOtherwise(key, wanted), ...reported];
  const stateWith = (entries: readonly string[] | undefined) =>
    toProperties(toApiKeyState(key, wanted, { ...facts, accessList: entries }));
  if (accessList === undefined) return { state: stateWith(undefined), reasons };
  try {
    const live = await writeAccessList(key, accessList, facts.orgId, context, storedBefore);
    if (!sameSet(live, accessList)) {
      reasons.push(
        `The service stored the access list of API key ${key.keyId} as ${live.join(", ") || "none"} instead of ${accessList.join(", ") || "empty"}.`,
      );
    }
    return { state: stateWith(live), reasons };
  } catch (error) {
    // Entries may have been written, so a list that cannot be read is not known, and not the one before.
    const now = await accessListOf(key, facts.orgId, context).catch(() => undefined);
    return { state: stateWith(now), reasons: [...reasons, messageOf(error)] };
  }
}

/** What the service stored other than it was sent. */
function storedOtherwise(key: ApiKeyResponse, { orgId, description, roles }: KnownApiKeyInputs): string[] {
  const reasons: string[] = [];
  if ((key.description ?? "") !== description) {
    reasons.push(`The service stored description as "${key.description ?? ""}" instead of "${description}".`);
  }
  if (!hasRoles(key, orgId, roles)) {
    const stored = key.roles.filter((role) => role.orgId === orgId).map(({ roleName }) => roleName);
    reasons.push(
      `The service stored roles as ${stored.join(", ") || "none"} instead of ${roles.join(", ")}.`,
    );
  }
  return reasons;
}

async function updateKnown(
  recorded: ApiKeyState,
  given: KnownApiKeyInputs,
  { id, context, preview, ignoreChanges }: UpdateRequest,
): Promise<Properties> {
  const isIgnored = ignoresProperty(ignoreChanges);
  const { orgId, keyId } = recorded;
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
  const shown = (beside: readonly string[]) => liveRoles(key, orgId, beside);
  const roles = { recorded: recorded.roles, wanted: wanted.roles, shown };
  announceOverwritten(`API key ${keyId}`, roles, context.log);
  if (preview) return previewOfUpdate(recorded, wanted);
  const read = (by: AbortSignal) => existing(recorded, { ...context, signal: by });
  const changed = await write(key, wanted, read, context);
  const { state, reasons } = await completed(changed, wanted, recorded, context, [], live);
  if (reasons.length > 0) throw new PartialFailure(id, state, reasons);
  const lost = await lostProjectRoles(key, changed, read, context);
  if (lost.length > 0) {
    const reason = `API key ${keyId} lost roles in projects when its roles in organization ${orgId} changed: ${lost.join(", ")}. Give them again, for example with ProjectApiKey.`;
    throw new PartialFailure(id, state, [reason]);
  }
  return state;
}

/** Changes the description and the roles in the organization, if they differ. */
async function write(
  key: ApiKeyResponse,
  { orgId, description, roles }: KnownApiKeyInputs,
  read: (signal: AbortSignal) => Promise<ApiKeyResponse>,
  { session, signal }: Context,
): Promise<ApiKeyResponse> {
  const hasDescription = (now: ApiKeyResponse) => (now.description ?? "") === description;
  const fields: Partial<ApiKeyFields> = {
    ...(!hasDescription(key) && { desc: description }),
    ...(!hasRoles(key, orgId, roles) && { roles }),
  };
  if (Object.keys(fields).length === 0) return key;
  const isReached = (now: ApiKeyResponse) => hasDescription(now) && hasRoles(now, orgId, roles);
  const change = updateApiKey(session.client, orgId, key.keyId, fields, signal);
  return orReached(change, { read, isReached }, signal).finally(() =>
    session.of(ApiKeyCache).ofOrganization.written(orgId),
  );
}

/** @throws RefusedError if the key no longer exists */
async function existing(recorded: ApiKeyState, context: Context): Promise<ApiKeyResponse> {
  const key = await findToWrite(recorded, context);
  if (key !== undefined) return key;
  throw new RefusedError(
    `API key ${recorded.keyId} of organization ${recorded.orgId} no longer exists. Run pulumi up --refresh --run-program: it creates another key. Nothing was written.`,
  );
}

async function findToWrite({ orgId, keyId, publicKey }: ApiKeyState, context: Context) {
  const key = await findApiKey(orgId, keyId, context, "writing");
  if (key instanceof Refusal) throw key.error;
  return key && { ...key, publicKey: publicKeyToRecord(publicKey, key.publicKey) };
}

/** The provider's own key keeps its roles in the organization and the entries of its access list. */
function refuseLockOut(
  key: ApiKeyResponse,
  { orgId, roles, accessList = [] }: KnownApiKeyInputs,
  live: readonly string[] | undefined,
  context: Context,
): void {
  const loses = key.roles.filter((role) => role.orgId === orgId && !roles.includes(role.roleName));
  const isDemoted = loses.some(({ roleName }) => roleName !== "ORG_MEMBER");
  if (isDemoted) {
    const names = loses.map(({ roleName }) => roleName).join(", ");
    refuseForOwnKey(key, `keeps ${names} in organization ${orgId}`, context);
  }
  if (live === undefined) return;
  // The service decides by the address that it sees, which is not known here.
  const locksOut =
    live.length === 0 ? accessList.length > 0 : live.some((entry) => !accessList.includes(entry));
  if (locksOut) refuseForOwnKey(key, "keeps its access list", context);
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
    `The access list of API key ${keyId} loses entries that the program does not declare: ${lost.join(", ")}.`,
  );
}

/**
 * Whether a change of the roles in the organization touches those in projects is not documented. A response may show
 * only the former, so a read decides.
 */
async function lostProjectRoles(
  before: ApiKeyResponse,
  response: ApiKeyResponse,
  read: (signal: AbortSignal) => Promise<ApiKeyResponse>,
  { signal }: Context,
): Promise<string[]> {
  if (missingProjectRoles(before, response).length === 0) return [];
  const now = await rereadAfterWrite(read, signal).catch(() => response);
  return missingProjectRoles(before, now);
}

function missingProjectRoles(before: ApiKeyResponse, after: ApiKeyResponse): string[] {
  const textsOf = ({ roles }: ApiKeyResponse) =>
    roles.flatMap(({ projectId, roleName }) =>
      projectId === undefined ? [] : [`${roleName} in ${projectId}`],
    );
  const now = new Set(textsOf(after));
  return textsOf(before).filter((text) => !now.has(text));
}

async function remove(recorded: ApiKeyState, context: Context): Promise<void> {
  const { orgId, keyId } = recorded;
  const { session, signal, log } = context;
  const key = await findToWrite(recorded, context);
  if (key === undefined) return;
  refuseForOwnKey(key, "was not deleted", context);
  const { publicKey } = key;
  const refused = `API key ${publicKey} was not deleted from organization ${orgId}`;
  const holder = { kind: "API key", keyId, publicKey } as const;
  // After its last day the key goes, and a grant of it that goes on fails alone.
  if (context.end === undefined)
    await refuseToEndDeclared([{ of: "holder", holder, orgId }], refused, context);
  const ending = accessEnding(key, recorded);
  const below = ending.filter(({ place }) => place.kind === "project");
  refuseToDeleteFirst(below, refused, context);
  const counting = ending.filter(({ place, roles }) => !isReplacedKey({ keyId, roles }, place, context));
  const removals = counting.map(({ place }) => ({ placeId: place.id, holder: keyId }));
  requireRemovals(context, removals, refused);
  const read = (by: AbortSignal) => findApiKey(orgId, keyId, { session, signal: by }, "writing");
  const isReached = (now: unknown) => now === undefined;
  await orReached(deleteApiKey(session.client, orgId, keyId, signal), { read, isReached }, signal).finally(
    () => session.of(ApiKeyCache).ofOrganization.written(orgId),
  );
  if (below.length > 0)
    log.info(`API key ${publicKey} was deleted, and with it its roles in ${placesText(below)}.`);
}

/** The roles of the key in its organization, and in each project. */
function accessEnding(key: ApiKeyResponse, { orgId, roles: declared }: ApiKeyState) {
  const projectIds = new Set(key.roles.flatMap(({ projectId }) => projectId ?? []));
  const inProjects = [...projectIds].map((id) => ({
    place: { kind: "project", id } as const,
    roles: rolesAmong(key.roles, ({ projectId }) => projectId === id),
  }));
  return [
    { place: { kind: "organization", id: orgId } as const, roles: liveRoles(key, orgId, declared) },
    ...inProjects,
  ];
}
