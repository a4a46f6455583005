/** Compares the program with the recorded key. */

import { type Difference, projectIdDifferences } from "../contract/difference";
import { ignoresProperty } from "../contract/property-path";
import type { DiffRequest } from "../contract/resource";
import { replacementOf } from "../contract/triggers";
import { Claims, isUrn } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { asKeyInputs, type KeyInputs, onDestroySetting } from "./inputs";
import { agentKey, asKeyState, type KeyState, observationOf } from "./state";

export function diff({
  id,
  state,
  oldInputs,
  inputs,
  ignoreChanges,
  context,
}: DiffRequest): readonly Difference[] {
  const recorded = asKeyState(state, id);
  context.session.of(ObservationLog).record(context.urn, observationOf(id, recorded.origin));
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
