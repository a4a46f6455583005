/** The inputs of AgentApiKey and their validation. */
import { z } from "zod";
import type { Access } from "../../access/places";
import { checkedAs, type InputsOf } from "../contract/border";
import { lowerId } from "../contract/canonical";
import { checkedInputs } from "../contract/checked-inputs";
import { accessOf, projectIn, textIn } from "../contract/declared";
import { nameText, objectId } from "../contract/fields";
import { removeByDefault } from "../contract/on-destroy";
import type { CheckRequest, CheckResult } from "../contract/resource";
import { canonicalTriggers, triggersInput } from "../contract/triggers";
import type { Properties } from "../contract/values";

/** The service's limit. */
const LONGEST_DESCRIPTION = 1000;

export const onDestroySetting = removeByDefault(
  "What destroying or replacing does with the key: `remove` deletes it from the service; `release` only removes the resource from the state.",
);

export const agentApiKeyInputs = z.strictObject({
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

export type KeyInputs = InputsOf<typeof agentApiKeyInputs>;

export const asKeyInputs = checkedAs<KeyInputs>;

export function check(request: CheckRequest): CheckResult {
  return checkedInputs(agentApiKeyInputs, { projectId: lowerId, triggers: canonicalTriggers }, request);
}

export function declares(inputs: Properties, state?: Properties): readonly Access[] {
  const key = { kind: "agent API key", keyId: textIn(state, "keyId") } as const;
  return accessOf(key, projectIn(inputs, state), undefined);
}
