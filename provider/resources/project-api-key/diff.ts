/** Compares the program with the recorded state of an API key in a project. */

import {
  changeKind,
  type Difference,
  projectIdDifferences,
  unsureSetDifferences,
} from "../contract/difference";
import { ignoresProperty } from "../contract/property-path";
import type { DiffRequest } from "../contract/resource";
import { hasUnknown } from "../contract/values";
import { refuseForOwnKey } from "../reads/api-keys";
import {
  asProjectApiKeyInputs,
  claimFound,
  declaredKey,
  onDestroySetting,
  type ProjectApiKeyInputs,
} from "./inputs";
import { asProjectApiKeyState, type ProjectApiKeyState } from "./state";

export function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asProjectApiKeyState(state, id);
  const declared = asProjectApiKeyInputs(inputs);
  const before = asProjectApiKeyInputs(oldInputs);
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = [
    ...projectIdDifferences(recorded.projectId, declared.projectId),
    ...keyDifferences(recorded, declared, before),
    ...unsureSetDifferences("roles", recorded.roles, declared.roles),
    ...onDestroySetting.differences(declared, before),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  if (differences.some(({ replace }) => replace)) {
    // The Delete that follows would be refused, in this run and in each later one.
    if (onDestroySetting.effective(before) === "remove") {
      refuseForOwnKey(recorded, `did not lose its roles in project ${recorded.projectId}`, context.session);
    }
  } else {
    claimFound(declaredKey(declared), recorded, context);
  }
  return differences;
}

/** The same key, by its ID or by its public key, is no change. */
function keyDifferences(
  recorded: ProjectApiKeyState,
  { keyId, publicKey }: ProjectApiKeyInputs,
  before: ProjectApiKeyInputs,
): Difference[] {
  const [property, declared, live] =
    keyId === undefined
      ? (["publicKey", publicKey, recorded.publicKey] as const)
      : (["keyId", keyId, recorded.keyId] as const);
  if (declared === live) return [];
  const kind = changeKind(before[property], declared);
  return [{ path: [property], kind, replace: !hasUnknown(declared) }];
}
