/** The recorded state of an agent API key. Pure. */
import { z } from "zod";
import type { AgentKeyResponse } from "../../api/agent-keys";
import { recordedAs, type StateOf } from "../border";
import { optionalText, text } from "../fields";
import type { Observation } from "../observations";
import { known, type Properties } from "../values";
import { agentApiKeyInputs, type KeyInputs } from "./inputs";

/** Outputs beside those that hold the declared value of an input. */
export const agentApiKeyOutputs = z.object({
  key: z.string().meta({
    secret: true,
    description:
      "The key, with which agents authenticate. Absent after an import, because the service shows a key only once.",
  }),
  keyId: text("Id of the key, 24 hexadecimal digits."),
  keySuffix: optionalText("The last four characters of the key, which the service shows."),
  createdAt: optionalText("When the key was created: ISO 8601, UTC."),
  orgId: optionalText(
    "Id of the organization that has the project, 24 hexadecimal digits, if the service shows it.",
  ),
  origin: z.enum(["created", "imported"]).meta({
    description: "Whether this resource created the key or imported it.",
  }),
  onDestroy: z.enum(["remove", "release"]).meta({ description: "What destroying will do." }),
});

type Recorded = StateOf<typeof agentApiKeyInputs, typeof agentApiKeyOutputs>;

export type KeyState = Omit<Recorded, "key"> & { readonly key?: string | undefined };

/**
 * State comes from our own replies. An older one may lack what came later; the id has the project
 * and the key. A record of the dynamic provider has properties of its own, which no other record
 * has.
 */
export function asKeyState(state: Properties, id: string): KeyState {
  const names = { ...agentApiKeyInputs.shape, ...agentApiKeyOutputs.shape };
  const recorded = recordedAs<KeyState>(
    Object.fromEntries(Object.entries(state).filter(([name]) => name in names)),
  );
  return {
    ...recorded,
    projectId: recorded.projectId ?? splitKeyId(id).projectId,
    keyId: recorded.keyId ?? splitKeyId(id).keyId,
    description: recorded.description ?? "",
    origin: recorded.origin ?? "imported",
    onDestroy: recorded.onDestroy ?? "remove",
  };
}

/** `<projectId>/<keyId>` */
export function splitKeyId(id: string): { readonly projectId: string; readonly keyId: string } {
  const [projectId = "", ...rest] = id.toLowerCase().split("/");
  return { projectId, keyId: rest.join("/") };
}

export function resourceIdOf(projectId: string, keyId: string): string {
  return `${projectId}/${keyId}`;
}

export function effectiveOnDestroy({ onDestroy }: Partial<KeyInputs>): "remove" | "release" {
  return known(onDestroy) ?? "remove";
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

/** The key for a message. The text of the key appears in no message. */
export function nameOfKey({ keyId, description }: Pick<AgentKeyResponse, "keyId" | "description">): string {
  return description ? `${keyId} ("${description}")` : keyId;
}
