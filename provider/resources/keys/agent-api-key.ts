/**
 * One agent API key of a project, which this stack created or imported.
 *
 * The service has no operation that changes a key and returns the key only once. So every change
 * replaces it, and only the state holds the key.
 */
import { z } from "zod";
import type { Access } from "../../access/places";
import {
  type AgentKeyResponse,
  createAgentKey,
  deleteAgentKey,
  listAgentKeys,
  type NewAgentKeyResponse,
} from "../../api/agent-keys";
import { ApiError, PartialFailure, UnexpectedResponseError } from "../../text/errors";
import { importedParts, joinId, OBJECT_ID, splitId } from "../../text/object-id";
import {
  checkedAs,
  type InputsOf,
  type KnownOf,
  recordedAs,
  type StateOf,
  toProperties,
} from "../contract/border";
import { lowerId } from "../contract/canonical";
import { checkedInputs } from "../contract/checked-inputs";
import { accessOf, nothingElse, projectIn, textIn } from "../contract/declared";
import { type Difference, projectIdDifferences } from "../contract/difference";
import { nameText, objectId, optionalText, projectIdInput, requiredText } from "../contract/fields";
import { defineListing } from "../contract/listing";
import { removeByDefault } from "../contract/on-destroy";
import { recordedOrgId } from "../contract/people-outputs";
import { ignoresProperty } from "../contract/property-path";
import type {
  CheckRequest,
  CheckResult,
  Context,
  DeleteRequest,
  DiffRequest,
  ReadRequest,
  ReadResult,
  Resource,
  UpdateRequest,
} from "../contract/resource";
import { canonicalTriggers, replacementOf, triggersInput } from "../contract/triggers";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties } from "../contract/values";
import { meaningOf } from "../evidence/meaning";
import { orStillUnknown, rereadAfterWrite } from "../evidence/reread";
import { warnOfUnread } from "../evidence/unread-warning";
import { absenceOfProject, isProjectDeleted } from "../reads/absence";
import { factsOf } from "../reads/project-facts";
import { Claims, isUrn, type Subject } from "../session/claims";
import { ObservationLog } from "../session/observations";
import {
  adviceIfUnread,
  createKey,
  type KeyCreation,
  type KeyPort,
  keysRemain,
  newKeys,
  orLostCreation,
  previewOfNewKey,
  staysAfterDelete,
} from "./creation";
import { endToRecord, wasMadeAgain } from "./key-end";

/** The service's limit. */
const LONGEST_DESCRIPTION = 1000;

const onDestroySetting = removeByDefault(
  "What destroying or replacing does with the key: `remove` deletes it from the service; `release` only removes the resource from the state.",
);

const agentApiKeyInputs = z.strictObject({
  projectId: objectId("the id of a project").meta({
    description: "ID of the project, 24 hexadecimal digits. If it changes, the key is replaced.",
  }),
  description: nameText()
    .max(LONGEST_DESCRIPTION, `must have at most ${LONGEST_DESCRIPTION} characters`)
    .meta({
      description:
        "What the key is for, 1 to 1,000 characters. Several keys may have the same description. If it changes, the key is replaced.",
    }),
  triggers: triggersInput,
  onDestroy: onDestroySetting.input,
});

type KeyInputs = InputsOf<typeof agentApiKeyInputs>;

const asKeyInputs = checkedAs<KeyInputs>;

function check(request: CheckRequest): CheckResult {
  return checkedInputs(agentApiKeyInputs, { projectId: lowerId, triggers: canonicalTriggers }, request);
}

function declares(inputs: Properties, state?: Properties): readonly Access[] {
  const key = { kind: "agent API key", keyId: textIn(state, "keyId") } as const;
  return accessOf(key, projectIn(inputs, state), undefined);
}

/** Outputs beside those that hold the declared value of an input. */
const agentApiKeyOutputs = z.object({
  key: z.string().meta({
    secret: true,
    description:
      "The key, with which agents authenticate. Absent after an import, because the service shows a key only once.",
  }),
  keyId: requiredText("ID of the key, 24 hexadecimal digits."),
  keySuffix: optionalText(
    "The last four characters of the key, which the service shows. Empty if the first ones that were shown are not those of `key`.",
  ),
  createdAt: optionalText("When the key was created: ISO 8601, UTC."),
  orgId: recordedOrgId,
  origin: z.enum(["created", "imported"]).meta({
    description: "Whether this resource created the key or imported it.",
  }),
  onDestroy: onDestroySetting.output,
});

type Recorded = StateOf<typeof agentApiKeyInputs, typeof agentApiKeyOutputs>;

type KeyState = Omit<Recorded, "key"> & { readonly key?: string | undefined };

/**
 * The recorded state of a key. A state of an earlier version may lack properties, which the ID or a
 * default replaces. Properties that only the dynamic provider records are left out.
 */
function asKeyState(state: Properties, id: string): KeyState {
  const names = { ...agentApiKeyInputs.shape, ...agentApiKeyOutputs.shape };
  const recorded = recordedAs<KeyState>(
    Object.fromEntries(Object.entries(state).filter(([name]) => Object.hasOwn(names, name))),
  );
  return {
    ...recorded,
    projectId: recorded.projectId ?? splitId(id).placeId,
    keyId: recorded.keyId ?? splitId(id).name.toLowerCase(),
    description: recorded.description ?? "",
    origin: recorded.origin ?? "imported",
    onDestroy: recorded.onDestroy ?? "remove",
  };
}

/** What a list or the response to the creation shows of a key, in the form in which it is recorded. */
type KeyFacts = Pick<KeyState, "keyId" | "keySuffix" | "createdAt">;

function factsOfKey({ keyId, keySuffix, createdAt }: AgentKeyResponse): KeyFacts {
  return { keyId: keyId.toLowerCase(), keySuffix, createdAt };
}

/** The key as claims know it. @param id of the resource: project and key */
function agentKey(id: string): Subject {
  return [["agent key", id]];
}

/** The name of a key is its description. The service shows no key itself. */
const agentApiKeyListing = defineListing(
  z.strictObject({ projectId: projectIdInput }),
  async ({ projectId }, { session, signal }) => {
    const keys = await listAgentKeys(session.client, projectId, signal);
    return keys.map(({ keyId, description = "" }) => ({ id: joinId(projectId, keyId), name: description }));
  },
);

export const agentApiKey: Resource<"AgentApiKey"> = {
  name: "AgentApiKey",
  description: `An agent API key of a project, with which agents (automation, monitoring, backup) authenticate.

The service returns the key once, when it is created. The output \`key\` is a secret and is in the state only, encrypted. The service cannot change a key, so a change of \`projectId\`, \`description\` or \`triggers\` creates another key first and deletes the old one last. Agents that still use the old key are then refused.

The resource never changes keys that others created.`,
  inputs: agentApiKeyInputs,
  listing: agentApiKeyListing,
  outputs: agentApiKeyOutputs,
  maps: ["triggers"],
  check,
  diff,
  declares,
  deletes: nothingElse,
  create: (request) => createKey(port, request),
  read,
  update,
  delete: remove,
  duties: {
    whenRemoved: 'its key is deleted, and no other key of the project; with `onDestroy: "release"` it stays',
    counted: "nothing",
    whenDeletedFirst: "is deleted and created again, with another key, also by the dynamic provider",
    withFourOperations: "cannot be created",
    identifiedBy: ["projectId"],
  },
  subject: ({ projectId }) => String(projectId),
  restoredBy: () => ({ replacing: "projectId" }),
};

/** Only `onDestroy` changes without a replacement, and the service does not know it. */
async function update({ id, state, inputs, context }: UpdateRequest): Promise<Properties> {
  if (hasUnknown(inputs)) {
    // What is not known yet may replace the key.
    warnOfUnknowns(context);
    return previewOfNewKey(port, inputs);
  }
  return toProperties({
    ...asKeyState(state, id),
    onDestroy: onDestroySetting.effective(asKeyInputs(inputs)),
  });
}

function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): readonly Difference[] {
  const recorded = asKeyState(state, id);
  context.session.of(ObservationLog).record(context.urn, {
    kind: "AgentApiKey",
    id,
    origin: recorded.origin,
    names: [],
  });
  const differences = keyDifferences(
    recorded,
    asKeyInputs(inputs),
    asKeyInputs(oldInputs),
    ignoresProperty(ignoreChanges),
  );
  const { session, urn } = context;
  const isKept = isUrn(urn) && !differences.some(({ replace }) => replace);
  if (isKept) session.of(Claims).take(agentKey(id), urn);
  return differences;
}

/**
 * Differences between the program and what was declared before. The service cannot change a key, so
 * another description in the service is no drift. A service that stores it in another form would
 * otherwise get a new key in each run.
 */
function keyDifferences(
  recorded: KeyState,
  inputs: KeyInputs,
  oldInputs: Partial<KeyInputs>,
  isIgnored: (property: string) => boolean,
): Difference[] {
  const description = oldInputs.description ?? recorded.description;
  const differences = [
    ...projectIdDifferences(recorded.projectId, inputs.projectId),
    // No program can declare a key without a description, so any description means an imported one.
    ...(description === "" ? [] : replacementOf("description", description, inputs.description)),
    ...replacementOf("triggers", oldInputs.triggers, inputs.triggers),
    ...onDestroySetting.differences(inputs, oldInputs),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  // The response to the creation lacked the key, so no program has it.
  const isUnusable = recorded.origin === "created" && recorded.key === undefined;
  return isUnusable ? [...differences, { path: ["key"], kind: "add", replace: true }] : differences;
}

async function read({ id, state, oldInputs, context }: ReadRequest): Promise<ReadResult | undefined> {
  if (state === undefined || oldInputs === undefined) return readForImport(id, context);
  const recorded = asKeyState(state, id);
  const found = await findRecorded(recorded, context);
  if (found === "deleted") return undefined;
  context.session.of(ObservationLog).record(context.urn, {
    kind: "AgentApiKey",
    id,
    origin: recorded.origin,
    names: [],
  });
  if (found === "unknown") return { id, state: toProperties(recorded), inputs: oldInputs };
  const { keySuffix: shown, createdAt } = factsOfKey(found);
  const keySuffix = endToRecord({ secret: recorded.key, recorded: recorded.keySuffix }, shown);
  const { orgId } = await factsOf({ ...context, projectId: recorded.projectId }, recorded);
  const current = {
    ...recorded,
    keySuffix,
    createdAt: recorded.createdAt ?? createdAt,
    orgId,
  };
  warnIfMadeAgain(current, context);
  return { id, state: toProperties(current), inputs: oldInputs };
}

/** `unknown`: this key or this service does not show it. */
async function findRecorded(
  recorded: KeyState,
  context: Context,
): Promise<AgentKeyResponse | "deleted" | "unknown"> {
  const { projectId } = recorded;
  try {
    const keys = await listAgentKeys(context.session.client, projectId, context.signal);
    const found = keys.find(({ keyId }) => keyId.toLowerCase() === recorded.keyId);
    if (found) return found;
  } catch (error) {
    if ((await absenceOfProject(error, recorded, context)) !== "deleted") {
      warnOfUnread("agent keys", projectId, error, context);
      return "unknown";
    }
  }
  context.log.warn(
    `Agent API key ${recorded.keyId} ("${recorded.description}") of project ${projectId} was deleted outside Pulumi. If the program still declares it, pulumi up creates another key. That key has another secret, so everything that uses the output \`key\` changes.`,
  );
  return "deleted";
}

function warnIfMadeAgain({ keyId, projectId, key, keySuffix }: KeyState, { log }: Context): void {
  if (!wasMadeAgain({ secret: key, recorded: keySuffix })) return;
  log.warn(
    `Agent API key ${keyId} of project ${projectId} ends with "${keySuffix}" in the service, but not in the state. The state keeps its key, with which the service may refuse agents. To get a new key, change triggers and run pulumi up.`,
  );
}

async function readForImport(id: string, context: Context): Promise<ReadResult | undefined> {
  const { placeId: projectId, name } = importedParts(
    id,
    "an agent API key: an AgentApiKey is imported by <projectId>/<keyId>. The function getAgentApiKeys lists the ids of a project.",
    OBJECT_ID,
  );
  const keyId = name.toLowerCase();
  const { session, signal, log } = context;
  const keys = await listAgentKeys(session.client, projectId, signal).catch((error: unknown) => {
    if (meaningOf(error) === "deleted") return undefined;
    throw error;
  });
  const found = keys?.find((key) => key.keyId.toLowerCase() === keyId);
  if (found === undefined) return undefined;
  log.info(
    `Agent API key ${keyId} of project ${projectId} has no output \`key\`: the service shows a key only once, when it is created. To get a key that programs can use, change triggers and run pulumi up.`,
  );
  const { orgId } = await factsOf({ ...context, projectId });
  const { description = "" } = found;
  const state: KeyState = {
    projectId,
    description,
    ...factsOfKey(found),
    orgId,
    origin: "imported",
    onDestroy: "remove",
  };
  return {
    id: joinId(projectId, keyId),
    state: toProperties(state),
    inputs: { projectId, description },
  };
}

type DeclaredKey = KnownOf<typeof agentApiKeyInputs>;

interface CreatedAgentKey extends KeyFacts, Pick<KeyState, "orgId"> {
  readonly secret: string | undefined;
  readonly end: string | undefined;
}

const port: KeyPort<DeclaredKey, AgentKeyResponse, CreatedAgentKey> = {
  kind: "AgentApiKey",
  noun: "agent API key",
  placeProperty: "projectId",
  place: "project",
  secretName: "key",
  whenReplaced:
    "the new key has another secret. If this run deletes the old key, agents that still use it are refused.",
  outputs: agentApiKeyOutputs,
  onDestroy: onDestroySetting,
  pathOf: (projectId) => `groups/${projectId}/agentapikeys`,
  list: (projectId, { session }, signal) => listAgentKeys(session.client, projectId, signal),
  preview: (projectId, { session, signal }) => listAgentKeys(session.client, projectId, signal),
  create: async ({ projectId, description }, creation, context) => {
    const { session, signal } = context;
    // Read before the write: afterwards nothing may prevent that the key is recorded.
    const { orgId } = await factsOf({ ...context, projectId });
    const post = createAgentKey(session.client, projectId, description, signal);
    const response = await orLostCreation(post, creation);
    const facts = await identified(response, creation, signal);
    return { ...facts, orgId, secret: response.key, end: facts.keySuffix };
  },
  shownEnd: async (projectId, keyId, { session, signal }) => {
    const keys = await listAgentKeys(session.client, projectId, signal);
    return keys.find((key) => key.keyId.toLowerCase() === keyId)?.keySuffix;
  },
  complete: async ({ id, declared, created: { keyId, createdAt, orgId, secret }, end, reasons }) => {
    const state: KeyState = {
      ...declared,
      keyId,
      createdAt,
      key: secret,
      keySuffix: endToRecord({ secret, recorded: undefined }, end),
      orgId,
      origin: "created",
      onDestroy: onDestroySetting.effective(declared),
    };
    if (reasons.length > 0) throw new PartialFailure(id, toProperties(state), reasons);
    return toProperties(state);
  },
};

/** The facts of the created key. A response without an id is completed from the list. */
async function identified(
  response: NewAgentKeyResponse,
  creation: KeyCreation<AgentKeyResponse>,
  signal: AbortSignal,
): Promise<KeyFacts> {
  const { key, keyId } = response;
  if (keyId !== undefined) return factsOfKey({ ...response, keyId });
  const lost = new UnexpectedResponseError(
    `Creating an agent API key of ${creation.place} failed: the response did not contain the id of the new key, so the key is not recorded.`,
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

async function remove({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asKeyState(state, id);
  const { projectId, keyId } = recorded;
  const name = `Agent API key ${keyId} of project ${projectId}`;
  const onDestroy = onDestroySetting.effective(asKeyInputs(oldInputs));
  if (staysAfterDelete(name, agentKey(id), onDestroy, context)) return;
  try {
    await deleteAgentKey(context.session.client, projectId, keyId, context.signal);
  } catch (error) {
    if (!(error instanceof ApiError) || !(await isDeleted(recorded, context))) throw error;
  }
}

/**
 * Whether the project's list lacks the key, or the project no longer exists. What cannot be read
 * proves nothing.
 */
async function isDeleted(recorded: KeyState, context: Context): Promise<boolean> {
  const { projectId } = recorded;
  try {
    const keys = await listAgentKeys(context.session.client, projectId, context.signal);
    return !keys.some(({ keyId }) => keyId.toLowerCase() === recorded.keyId);
  } catch (error) {
    return isProjectDeleted(error, recorded, context);
  }
}
