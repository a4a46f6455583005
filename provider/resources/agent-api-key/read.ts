/** Reads an agent API key for a refresh or an import. */

import { type AgentKeyResponse, listAgentKeys } from "../../api/agent-keys";
import { importedParts, joinId, OBJECT_ID } from "../../text/object-id";
import { toProperties } from "../contract/border";
import type { Context, ReadRequest, ReadResult } from "../contract/resource";
import { endToRecord, wasMadeAgain } from "../evidence/key-end";
import { meaningOf } from "../evidence/meaning";
import { warnOfUnread } from "../evidence/unread-warning";
import { absenceOfProject } from "../reads/absence";
import { factsOf } from "../reads/project-facts";
import { ObservationLog } from "../session/observations";
import { asKeyState, factsOfKey, type KeyState, observationOf } from "./state";

export async function read({ id, state, oldInputs, context }: ReadRequest): Promise<ReadResult | undefined> {
  if (state === undefined || oldInputs === undefined) return readForImport(id, context);
  const recorded = asKeyState(state, id);
  const found = await findRecorded(recorded, context);
  if (found === "deleted") return undefined;
  context.session.of(ObservationLog).record(context.urn, observationOf(id, recorded.origin));
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
