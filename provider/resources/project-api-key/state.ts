/** The recorded state of an API key in a project. Pure. */
import { z } from "zod";
import { splitId } from "../../text/object-id";
import { recordedAs, type StateOf } from "../contract/border";
import { requiredText } from "../contract/fields";
import type { Origin } from "../contract/on-destroy";
import type { Properties } from "../contract/values";
import { recordedOrgId } from "../people/outputs";
import { type KeyEntry, publicKeyToRecord } from "../reads/api-keys";
import { onDestroySetting, type ProjectApiKeyInputs, type projectApiKeyInputs } from "./inputs";

/** Outputs beside those that hold the live value of an input. */
export const projectApiKeyOutputs = z.object({
  keyId: requiredText("ID of the key, 24 hexadecimal digits."),
  publicKey: requiredText("The public key of the key."),
  orgId: recordedOrgId,
  origin: z.enum(["created", "adopted", "imported"]).meta({
    description:
      "Whether this resource gave the key its first role in the project, adopted it there, or imported it.",
  }),
  onDestroy: onDestroySetting.output,
});

export type ProjectApiKeyState = StateOf<typeof projectApiKeyInputs, typeof projectApiKeyOutputs>;

/** State comes from our own replies. The id has the ids of project and key. */
export function asProjectApiKeyState(state: Properties, id: string): ProjectApiKeyState {
  const recorded = recordedAs<ProjectApiKeyState>(state);
  const { ownerId: projectId, name: keyId } = splitId(id);
  return {
    ...recorded,
    projectId: recorded.projectId ?? projectId,
    keyId: recorded.keyId ?? keyId,
    publicKey: recorded.publicKey ?? "",
    roles: recorded.roles ?? [],
    origin: recorded.origin ?? "adopted",
    onDestroy: recorded.onDestroy ?? "remove",
  };
}

export interface ProjectApiKeyFacts {
  readonly projectId: string;
  readonly orgId: string | undefined;
  readonly origin: Origin;
  /** The recorded public key, if there is a record. */
  readonly publicKey?: string | undefined;
}

export function toProjectApiKeyState(
  { keyId, publicKey, roles }: KeyEntry,
  inputs: Partial<ProjectApiKeyInputs>,
  { publicKey: recorded, ...facts }: ProjectApiKeyFacts,
): ProjectApiKeyState {
  return {
    ...facts,
    keyId,
    publicKey: publicKeyToRecord(recorded, publicKey),
    roles,
    onDestroy: onDestroySetting.effective(inputs),
  };
}
