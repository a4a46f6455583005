/** Compares the program with the recorded key. Pure. */
import { canonicalText } from "../canonical";
import { changeKind, type Difference, onDestroyDifferences, projectDifferences } from "../difference";
import { hasUnknown } from "../values";
import type { KeyInputs } from "./inputs";
import { effectiveOnDestroy, type KeyState } from "./state";

/**
 * Differences between the program and what was declared before. The service cannot change a key, so
 * its description is no drift: a service that writes it in another form would otherwise get a new
 * key in each run.
 */
export function keyDifferences(
  recorded: KeyState,
  inputs: KeyInputs,
  oldInputs: Partial<KeyInputs>,
  isIgnored: (property: string) => boolean,
): Difference[] {
  const description = oldInputs.description ?? recorded.description;
  const differences = [
    ...projectDifferences(recorded.projectId, inputs.projectId),
    // No program can declare a key without a description, so any description means an imported one.
    ...(description === "" ? [] : replacementOf("description", description, inputs.description)),
    ...replacementOf("triggers", oldInputs.triggers, inputs.triggers),
    ...onDestroyDifferences(inputs.onDestroy, effectiveOnDestroy(oldInputs), effectiveOnDestroy(inputs)),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  // The response to the creation lacked the key, so no program has it.
  const isUnusable = recorded.origin === "created" && recorded.key === undefined;
  return isUnusable ? [...differences, { path: ["key"], kind: "add", replace: true }] : differences;
}

/** A map without entries and no map are the same. */
function replacementOf(property: string, before: unknown, after: unknown): Difference[] {
  const isUnknown = hasUnknown(after);
  if (!isUnknown && canonicalText(before ?? {}) === canonicalText(after ?? {})) return [];
  return [{ path: [property], kind: changeKind(before, after), replace: !isUnknown }];
}
