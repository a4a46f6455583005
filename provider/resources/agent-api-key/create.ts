/**
 * Creates an agent API key. Each POST creates one more key, so none is repeated, and no key remains
 * without a name.
 */

import {
  type AgentKeyResponse,
  createAgentKey,
  listAgentKeys,
  type NewAgentKeyResponse,
} from "../../api/agent-keys";
import { PartialFailure, UnexpectedResponseError } from "../../text/errors";
import { joinId } from "../../text/object-id";
import { toProperties } from "../contract/border";
import type { Context, CreateRequest, CreateResult } from "../contract/resource";
import type { Session } from "../contract/session";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, known, UNKNOWN, withoutUndefined } from "../contract/values";
import {
  adviceIfUnread,
  announceReplacement,
  announceSameDescription,
  type KeyCreation,
  keysRemain,
  newKeys,
  orLostCreation,
} from "../evidence/key-creation";
import { endToRecord } from "../evidence/key-end";
import { orStillUnknown, rereadAfterWrite } from "../evidence/reread";
import { factsOf } from "../reads/project-facts";
import { ObservationLog } from "../session/observations";
import { Queues } from "../session/queues";
import { asKeyInputs, type KeyInputs, onDestroySetting } from "./inputs";
import { factsOfKey, type KeyState, observationOf } from "./state";

/** What the program declares, with nothing unknown. */
interface DeclaredKey {
  readonly projectId: string;
  readonly description: string;
}

export async function create({ inputs: properties, preview, context }: CreateRequest): Promise<CreateResult> {
  const inputs = asKeyInputs(properties);
  const { projectId } = inputs;
  if (hasUnknown(inputs)) warnOfUnknowns(context, projectId);
  announceReplacement(REPLACED, context);
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
    onDestroy: onDestroySetting.inPreview(inputs),
  });
}

const REPLACED = {
  what: "Agent API key",
  effects:
    "the new key has another secret. If this run deletes the old key, agents that still use it are refused.",
};

async function createOne(wanted: DeclaredKey, inputs: KeyInputs, context: Context): Promise<CreateResult> {
  const { projectId, description } = wanted;
  const { client } = context.session;
  const before = await listAgentKeys(client, projectId, context.signal);
  // Read before the write: afterwards nothing may prevent that the key is recorded.
  const { orgId } = await factsOf({ ...context, projectId });
  const creation = creationOf(wanted, before, context.session);
  announceSameDescription(creation, (keyId) => joinId(projectId, keyId), context);
  const { key, ...response } = await orLostCreation(
    createAgentKey(client, projectId, description, context.signal),
    creation,
  );
  const created = await identified(response, key, creation, projectId, context);
  const id = joinId(projectId, created.keyId);
  // By the id of the key: a replacement holds two keys under one URN, and the dynamic provider has
  // no URN yet.
  context.session.of(ObservationLog).record(id, observationOf(id, "created"));
  const state: KeyState = {
    ...wanted,
    triggers: known(inputs.triggers) as KeyState["triggers"],
    ...created,
    key,
    keySuffix: endToRecord({ secret: key, recorded: undefined }, await shownSuffix(created, wanted, context)),
    orgId,
    origin: "created",
    onDestroy: onDestroySetting.effective(inputs),
  };
  if (key !== undefined) return { id, state: toProperties(state) };
  throw new PartialFailure(id, toProperties(state), [
    `Agent API key ${created.keyId} of project ${projectId} was created, but the response did not contain the key, and the service shows it only once. Run pulumi up again: it creates another key and deletes this one.`,
  ]);
}

/** The end of the created key that the service shows. The key is recorded, also if it cannot be read. */
async function shownSuffix(
  { keyId, keySuffix }: AgentKeyResponse,
  { projectId }: DeclaredKey,
  { session, signal }: Context,
): Promise<string | undefined> {
  if (keySuffix !== undefined) return keySuffix;
  const keys = await listAgentKeys(session.client, projectId, signal).catch(() => []);
  return keys.find((key) => key.keyId.toLowerCase() === keyId)?.keySuffix;
}

/** The facts of the created key. A response without an id is completed from the list. */
async function identified(
  response: NewAgentKeyResponse,
  key: string | undefined,
  creation: KeyCreation<AgentKeyResponse>,
  projectId: string,
  { signal }: Context,
): Promise<ReturnType<typeof factsOfKey>> {
  const { keyId } = response;
  if (keyId !== undefined) return factsOfKey({ ...response, keyId });
  const lost = new UnexpectedResponseError(
    `Creating an agent API key of project ${projectId} failed: the response did not contain the id of the new key, so the key is not recorded.`,
  );
  const read = rereadAfterWrite((late) => newKeys(creation, late), signal);
  const found = await orStillUnknown(read, lost, adviceIfUnread(creation));
  const fitting = found.filter(
    ({ keySuffix }) => key === undefined || (keySuffix !== undefined && key.endsWith(keySuffix)),
  );
  const [only, ...others] = fitting;
  // Without the key, another program's key would look the same.
  if (key !== undefined && only !== undefined && others.length === 0) return factsOfKey(only);
  throw keysRemain(creation, lost, fitting.length > 0 ? fitting : found);
}

function creationOf(
  { projectId, description }: DeclaredKey,
  before: readonly AgentKeyResponse[],
  { client }: Session,
): KeyCreation<AgentKeyResponse> {
  return {
    what: "agent API key",
    place: `project ${projectId}`,
    description,
    before,
    list: (signal) => listAgentKeys(client, projectId, signal),
    deletion: `To delete a key, send DELETE /api/public/v1.0/groups/${projectId}/agentapikeys/<key id>, or use the list of agent API keys in the service's web interface.`,
  };
}
