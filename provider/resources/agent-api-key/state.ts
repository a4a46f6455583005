/** The recorded state of an agent API key. Pure. */
import { z } from "zod";
import type { AgentKeyResponse } from "../../api/agent-keys";
import { splitId } from "../../text/object-id";
import { recordedAs, type StateOf } from "../contract/border";
import { optionalText, requiredText } from "../contract/fields";
import { recordedOrgId } from "../contract/people-outputs";
import type { Properties } from "../contract/values";
import type { Subject } from "../session/claims";
import type { Observation } from "../session/observations";
import { agentApiKeyInputs, onDestroySetting } from "./inputs";

/** Outputs beside those that hold the declared value of an input. */
export const agentApiKeyOutputs = z.object({
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

export type KeyState = Omit<Recorded, "key"> & { readonly key?: string | undefined };

/**
 * The recorded state of a key. A state of an earlier version may lack properties, which the ID or a
 * default replaces. Properties that only the dynamic provider records are left out.
 */
export function asKeyState(state: Properties, id: string): KeyState {
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

/**
 * What a list or the response to the creation shows of a key, in the form in which it is recorded.
 */
export function factsOfKey({
  keyId,
  keySuffix,
  createdAt,
}: AgentKeyResponse): Pick<KeyState, "keyId" | "keySuffix" | "createdAt"> {
  return { keyId: keyId.toLowerCase(), keySuffix, createdAt };
}

/** The key as a resource of this stack holds it. */
export function observationOf(id: string, origin: KeyState["origin"]): Observation {
  return { kind: "AgentApiKey", id, origin, names: [] };
}

/** The key as claims know it. @param id of the resource: project and key */
export function agentKey(id: string): Subject {
  return [["agent key", id]];
}
