/**
 * One agent API key of a project, which this stack created or imported.
 *
 * The service has no operation that changes a key and returns the key only once. So every change
 * replaces it, and only the state holds the key.
 */
import { z } from "zod";
import {
  type AgentKeyResponse,
  createAgentKey,
  deleteAgentKey,
  listAgentKeys,
  type NewAgentKeyResponse,
} from "../../api/agent-keys";
import { ApiError, UnexpectedResponseError } from "../../text/errors";
import { checkedAs, type KnownOf, type StateOf, toProperties } from "../contract/border";
import { lowerId } from "../contract/canonical";
import { checkedInputs } from "../contract/checked-inputs";
import { accessOf, nothingElse, projectIn, textIn } from "../contract/declared";
import { nameText, objectId, optionalText, projectIdInput, requiredText } from "../contract/fields";
import { removeByDefault } from "../contract/on-destroy";
import { recordedOrgId } from "../contract/people-outputs";
import type { Context } from "../contract/resource";
import { hasUnknown } from "../contract/values";
import { meaningOf } from "../evidence/meaning";
import { orRefusal, Refusal } from "../evidence/refusal";
import { rereadAfterWrite } from "../evidence/reread";
import { absenceOfProject, isProjectDeleted } from "../reads/absence";
import { factsOf } from "../reads/project-facts";
import { Claims, isUrn, type Subject } from "../session/claims";
import { keysRemain, newKeys, orLostCreation } from "./creation";
import {
  canonicalTriggers,
  endToRecord,
  keyOutputs,
  previewOfNewKey,
  replacementOf,
  triggersInput,
  wasMadeAgain,
} from "./declared";
import { keyResource } from "./engine";
import type { KeyCreation, KeyDeclaration, KeyPort } from "./port";

/** The service's limit. */
const LONGEST_DESCRIPTION = 1000;

const onDestroy = removeByDefault(
  "What destroying or replacing does with the key: `remove` deletes it from the service; `release` only removes the resource from the state.",
);

const inputs = z.strictObject({
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
  onDestroy: onDestroy.input,
});

type DeclaredKey = KnownOf<typeof inputs>;

/** Outputs beside those that hold the declared value of an input. */
const outputs = z.object({
  key: z.string().meta({
    secret: true,
    description:
      "The key, with which agents authenticate. Absent after an import, because the service shows a key only once.",
  }),
  keyId: requiredText("ID of the key, 24 hexadecimal digits."),
  keySuffix: optionalText(
    "The last four characters of the key, as the service shows them. Empty if it showed other characters than those of `key` from the beginning.",
  ),
  createdAt: optionalText("When the key was created: ISO 8601, UTC."),
  orgId: recordedOrgId,
  ...keyOutputs(onDestroy),
});

type Recorded = StateOf<typeof inputs, typeof outputs>;

type KeyState = Omit<Recorded, "key"> & { readonly key?: string | undefined };

const declaration: KeyDeclaration<"AgentApiKey"> = {
  name: "AgentApiKey",
  description: `An agent API key of a project, with which agents (automation, monitoring, backup) authenticate.

The service returns the key once, when it is created. The output \`key\` is a secret and is in the state only, encrypted. The service cannot change a key, so a change of \`projectId\`, \`description\` or \`triggers\` creates another key first and deletes the old one last. Agents that still use the old key are then refused.

The resource never changes keys that others created.`,
  inputs,
  outputs,
  check: (request) => checkedInputs(inputs, { projectId: lowerId, triggers: canonicalTriggers }, request),
  declares: (given, state) =>
    accessOf({ kind: "agent API key", keyId: textIn(state, "keyId") }, projectIn(given, state), undefined),
  deletes: nothingElse,
  duties: {
    whenRemoved: 'Its key is deleted, and no other key of the project. With `onDestroy: "release"` it stays.',
    counted: "nothing",
    whenDeletedFirst:
      "It is deleted and created again, with another key. The dynamic provider does that too.",
    withFourOperations: "Cannot be created.",
    identifiedBy: ["projectId"],
  },
  subject: ({ projectId }) => String(projectId),
  noun: "agent API key",
  place: { noun: "project", property: "projectId", query: projectIdInput, unread: "agent keys" },
  secret: { property: "key", noun: "key", shown: "a key only once, when it is created" },
  whenReplaced:
    "the new key has another secret. If this run deletes the old key, agents that still use it are refused.",
  onDestroy,
  defaults: {},
  followed: [],
};

const port: KeyPort<KeyState, AgentKeyResponse> = {
  pathOf: (projectId) => `groups/${projectId}/agentapikeys`,
  list: (projectId, _, { session, signal }) => listAgentKeys(session.client, projectId, signal),
  async create(given, creation, context) {
    const declared = checkedAs<DeclaredKey>(given);
    const { projectId, description } = declared;
    const { session, signal } = context;
    // Read before the write: afterwards nothing may prevent that the key is recorded.
    const { orgId } = await factsOf({ ...context, projectId });
    const post = createAgentKey(session.client, projectId, description, signal);
    const response = await orLostCreation(post, creation);
    const { keyId, keySuffix, createdAt } = await identified(response, creation, signal);
    const { key } = response;
    const made = { ...declared, keyId: keyId.toLowerCase(), key, createdAt, orgId, origin: "created" };
    return {
      keyId: made.keyId,
      secret: key,
      async complete(reasons) {
        // The key is recorded, also if its end cannot be read.
        const read = () => find(projectId, made.keyId, context).catch(() => undefined);
        const end = keySuffix ?? (await read())?.keySuffix;
        const shown = endToRecord({ secret: key, recorded: undefined }, end);
        const state = { ...made, keySuffix: shown, onDestroy: onDestroy.effective(declared) };
        return { state: toProperties(state), reasons };
      },
    };
  },
  async find(projectId, keyId, context, recorded) {
    const found = await orRefusal(find(projectId, keyId, context));
    if (!(found instanceof Refusal)) return found;
    const { error } = found;
    const meaning = recorded ? await absenceOfProject(error, recorded, context) : meaningOf(error);
    return meaning === "deleted" ? undefined : found;
  },
  async live(recorded, { keySuffix: shown, createdAt }, _, context) {
    const { keyId, projectId, key } = recorded;
    const keySuffix = endToRecord({ secret: key, recorded: recorded.keySuffix }, shown);
    const { orgId } = await factsOf({ ...context, projectId }, recorded);
    if (wasMadeAgain({ secret: key, recorded: keySuffix })) {
      context.log.warn(
        `Agent API key ${keyId} of project ${projectId} ends with "${keySuffix}" in the service, but not in the state. The state keeps its key, with which the service may refuse agents. To get a new key, change triggers and run pulumi up.`,
      );
    }
    return { ...recorded, keySuffix, createdAt: recorded.createdAt ?? createdAt, orgId };
  },
  /**
   * The service cannot change a key, so another description in the service is no drift. A service that stores it
   * in another form would otherwise get a new key in each run.
   */
  differences(recorded, given, oldInputs) {
    const description = oldInputs.description ?? recorded.description;
    // No program can declare a key without a description, so any description means an imported one.
    return description === "" ? [] : replacementOf("description", description, given.description);
  },
  // The response to the creation lacked the key, so no program has it.
  unusable: ({ origin, key }) =>
    origin === "created" && key === undefined ? [{ path: ["key"], kind: "add", replace: true }] : [],
  refuseReplacement: () => {},
  keep(id, _, { session, urn }) {
    if (isUrn(urn)) session.of(Claims).take(subjectOf(id), urn);
  },
  subjectOf,
  /** Only `onDestroy` changes without a replacement, and the service does not know it. */
  update: async (recorded, { inputs: given }) =>
    // What is not known yet may replace the key.
    hasUnknown(given)
      ? previewOfNewKey(declaration, given)
      : toProperties({ ...recorded, onDestroy: onDestroy.effective(given) }),
  async remove(recorded, context) {
    const { projectId, keyId } = recorded;
    try {
      await deleteAgentKey(context.session.client, projectId, keyId, context.signal);
    } catch (error) {
      if (!(error instanceof ApiError) || !(await isDeleted(recorded, context))) throw error;
    }
  },
};

/** The key as claims know it. @param id of the resource: project and key */
function subjectOf(id: string): Subject {
  return [["agent key", id]];
}

async function find(
  projectId: string,
  wanted: string,
  { session, signal }: Context,
): Promise<AgentKeyResponse | undefined> {
  const keys = await listAgentKeys(session.client, projectId, signal);
  return keys.find(({ keyId }) => keyId.toLowerCase() === wanted);
}

/** The created key. A response without an id is completed from the list. */
async function identified(
  response: NewAgentKeyResponse,
  creation: KeyCreation<AgentKeyResponse>,
  signal: AbortSignal,
): Promise<AgentKeyResponse> {
  const { key, keyId } = response;
  if (keyId !== undefined) return { ...response, keyId };
  const lost = new UnexpectedResponseError(
    `Creating an agent API key of ${creation.place} failed: the response did not contain the id of the new key, so the key is not recorded.`,
  );
  const found = await newKeys(creation, lost, (read) => rereadAfterWrite(read, signal));
  const fitting = found.filter(
    ({ keySuffix }) => key === undefined || (keySuffix !== undefined && key.endsWith(keySuffix)),
  );
  const [only, ...others] = fitting;
  // Without the key, another program's key would look the same.
  if (key !== undefined && only !== undefined && others.length === 0) return only;
  throw keysRemain(creation, lost, fitting.length > 0 ? fitting : found);
}

/**
 * Whether the project's list lacks the key, or the project no longer exists. What cannot be read
 * proves nothing.
 */
async function isDeleted(recorded: KeyState, context: Context): Promise<boolean> {
  try {
    return (await find(recorded.projectId, recorded.keyId, context)) === undefined;
  } catch (error) {
    return isProjectDeleted(error, recorded, context);
  }
}

export const agentApiKey = keyResource(declaration, port);
