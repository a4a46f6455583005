/**
 * Creates an agent API key. Each POST creates one more key, so none is repeated, and no key remains
 * without a name.
 */

import {
  type AgentKeyResponse,
  createAgentKey,
  listAgentKeys,
  type NewAgentKeyResponse,
  suffixOf,
} from "../../api/agent-keys";
import {
  hasCode,
  type OutcomeUnknownError,
  PartialFailure,
  UnexpectedResponseError,
} from "../../text/errors";
import { joinId } from "../../text/object-id";
import { toProperties } from "../contract/border";
import type { Context, CreateRequest, CreateResult } from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, known, UNKNOWN, withoutUndefined } from "../contract/values";
import { orStillUnknown, rereadAfterCancel, rereadAfterWrite, stillUnknown } from "../evidence/reread";
import { factsOf } from "../people/project-facts";
import { ObservationLog } from "../session/observations";
import { Queues } from "../session/queues";
import { asKeyInputs, type KeyInputs, onDestroySetting } from "./inputs";
import { factsOfKey, type KeyState, nameOfKey, observationOf } from "./state";

/** What the program declares, with nothing unknown. */
interface DeclaredKey {
  readonly projectId: string;
  readonly description: string;
}

export async function create({ inputs: properties, preview, context }: CreateRequest): Promise<CreateResult> {
  const inputs = asKeyInputs(properties);
  const { projectId } = inputs;
  if (hasUnknown(inputs)) warnOfUnknowns(context, projectId);
  announceReplacement(context);
  if (preview) {
    // Fails as the update would, if the project or its keys cannot be read.
    if (typeof projectId === "string") {
      await listAgentKeys(context.session.client, projectId, context.signal);
    }
    return { id: "", state: previewState(inputs) };
  }
  const wanted = inputs as DeclaredKey;
  // After a lost response, each new key may be the created one. So keys of a project are created
  // one after the other.
  return context.session
    .of(Queues)
    .oneAtATime(["agent API keys", wanted.projectId], () => createOne(wanted, inputs, context));
}

/** The outputs of a preview of a key that will be created, or may be. */
export function previewState(inputs: KeyInputs): CreateResult["state"] {
  return withoutUndefined({
    ...inputs,
    key: UNKNOWN,
    keyId: UNKNOWN,
    keySuffix: UNKNOWN,
    createdAt: UNKNOWN,
    origin: "created",
    onDestroy: onDestroySetting.effective(inputs),
  });
}

function announceReplacement({ session, urn, log }: Context): void {
  const replaced = session.of(ObservationLog).last(urn);
  if (replaced === undefined) return;
  log.info(
    `Agent API key ${replaced.id} is replaced: the new key has another secret. If this run deletes the old key, agents that still use it are refused.`,
  );
}

async function createOne(wanted: DeclaredKey, inputs: KeyInputs, context: Context): Promise<CreateResult> {
  const { projectId, description } = wanted;
  const { client } = context.session;
  const before = await listAgentKeys(client, projectId, context.signal);
  // Read before the write: afterwards nothing may prevent that the key is recorded.
  const { orgId } = await factsOf({ ...context, projectId });
  announceSameDescription(wanted, before, context);
  const { key, ...response } = await createAgentKey(client, projectId, description, context.signal).catch(
    async (error: unknown): Promise<NewAgentKeyResponse> => {
      if (!hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) throw error;
      throw await lostResponse(error, wanted, before, context);
    },
  );
  const created = await identified(response, key, wanted, before, context);
  const id = joinId(projectId, created.keyId);
  // By the id of the key: a replacement holds two keys under one URN, and the dynamic provider has
  // no URN yet.
  context.session.of(ObservationLog).record(id, observationOf(id, "created"));
  const state: KeyState = {
    ...wanted,
    triggers: known(inputs.triggers) as KeyState["triggers"],
    ...created,
    key,
    orgId,
    origin: "created",
    onDestroy: onDestroySetting.effective(inputs),
  };
  if (key !== undefined) return { id, state: toProperties(state) };
  throw new PartialFailure(id, toProperties(state), [
    `Agent API key ${created.keyId} of project ${projectId} was created, but the response did not contain the key, and the service shows it only once. Run pulumi up again: it creates another key and deletes this one.`,
  ]);
}

/** A key that an earlier run lost has the same description, and no resource holds it. */
function announceSameDescription(
  wanted: DeclaredKey,
  before: readonly AgentKeyResponse[],
  { session, log }: Context,
): void {
  const held = new Set(
    session
      .of(ObservationLog)
      .all()
      .map(({ id }) => id),
  );
  const others = before.filter(
    (key) => isSameDescription(key, wanted) && !held.has(joinId(wanted.projectId, key.keyId.toLowerCase())),
  );
  if (others.length === 0) return;
  log.info(
    `Project ${wanted.projectId} has other agent API keys with the description "${wanted.description}": ${keyIdsOf(others)}. If a failed run left one of them, delete it. ${deletion(wanted)}`,
  );
}

/** The facts of the created key. A response without an id is completed from the list. */
async function identified(
  response: NewAgentKeyResponse,
  key: string | undefined,
  wanted: DeclaredKey,
  before: readonly AgentKeyResponse[],
  context: Context,
): Promise<ReturnType<typeof factsOfKey>> {
  const { keyId } = response;
  if (keyId !== undefined) return factsOfKey({ ...response, keyId });
  const lost = new UnexpectedResponseError(
    `Creating an agent API key of project ${wanted.projectId} failed: the response did not contain the id of the new key, so the key is not recorded.`,
  );
  const read = rereadAfterWrite((signal) => newKeys(wanted, before, context, signal), context.signal);
  const found = await orStillUnknown(read, lost, adviceIfUnread(wanted));
  const fitting = found.filter(({ keySuffix }) => key === undefined || keySuffix === suffixOf(key));
  const [only, ...others] = fitting;
  // Without the key, another program's key would look the same.
  if (key !== undefined && only !== undefined && others.length === 0) return factsOfKey(only);
  throw keysRemain(lost, fitting.length > 0 ? fitting : found, wanted);
}

async function lostResponse(
  lost: unknown,
  wanted: DeclaredKey,
  before: readonly AgentKeyResponse[],
  context: Context,
): Promise<OutcomeUnknownError> {
  const read = rereadAfterCancel((signal) => newKeys(wanted, before, context, signal));
  return keysRemain(lost, await orStillUnknown(read, lost, adviceIfUnread(wanted)), wanted);
}

/**
 * The keys with the declared description that the list did not have before. If none has it, all new
 * keys: a service may store the description in another form.
 */
async function newKeys(
  wanted: DeclaredKey,
  before: readonly AgentKeyResponse[],
  { session }: Context,
  signal: AbortSignal,
): Promise<readonly AgentKeyResponse[]> {
  const earlier = new Set(before.map(({ keyId }) => keyId));
  const now = await listAgentKeys(session.client, wanted.projectId, signal);
  const added = now.filter(({ keyId }) => !earlier.has(keyId));
  const described = added.filter((key) => isSameDescription(key, wanted));
  return described.length > 0 ? described : added;
}

/** A service may remove blanks at the ends. */
function isSameDescription({ description = "" }: AgentKeyResponse, wanted: DeclaredKey): boolean {
  return description.trim() === wanted.description.trim();
}

function adviceIfUnread(wanted: DeclaredKey): string {
  return `Check whether project ${wanted.projectId} has a new agent API key with the description "${wanted.description}". If so, delete it before you run pulumi up again. ${deletion(wanted)}`;
}

/** @param found the new keys, none of which can be recorded */
function keysRemain(
  lost: unknown,
  found: readonly AgentKeyResponse[],
  wanted: DeclaredKey,
): OutcomeUnknownError {
  const { projectId, description } = wanted;
  return found.length === 0
    ? stillUnknown(
        lost,
        `A read afterwards found no new agent API key with the description "${description}" in project ${projectId}.`,
        "Run pulumi up again.",
      )
    : stillUnknown(
        lost,
        `New agent API keys of project ${projectId} since then: ${found.map(nameOfKey).join(", ")}. The service does not show a key again, so no program can use them.`,
        `Delete each of them that no other program created. Then run pulumi up again, which creates another key. ${deletion(wanted)}`,
      );
}

function deletion({ projectId }: DeclaredKey): string {
  return `To delete a key, send DELETE /api/public/v1.0/groups/${projectId}/agentapikeys/<key id>, or use the list of agent API keys in the service's web interface.`;
}

function keyIdsOf(keys: readonly AgentKeyResponse[]): string {
  return keys.map(({ keyId }) => keyId).join(", ");
}
