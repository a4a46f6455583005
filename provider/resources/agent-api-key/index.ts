/**
 * One agent API key of a project, which this stack created or imported.
 *
 * The service has no operation that changes a key and returns the key only once. So every change
 * replaces it, and only the state holds the key.
 */
import { toProperties } from "../contract/border";
import type { Resource, UpdateRequest } from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties } from "../contract/values";
import { create, previewState } from "./create";
import { remove } from "./delete";
import { diff } from "./diff";
import { agentApiKeyInputs, asKeyInputs, check, declares, onDestroySetting } from "./inputs";
import { agentApiKeyListing } from "./list";
import { read } from "./read";
import { agentApiKeyOutputs, asKeyState } from "./state";

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
  create,
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
    return previewState(asKeyInputs(inputs));
  }
  return toProperties({
    ...asKeyState(state, id),
    onDestroy: onDestroySetting.effective(asKeyInputs(inputs)),
  });
}
