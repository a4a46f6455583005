/** A preview without what the engine only guesses below providers that it cannot ask. Pure. */

import type { EngineRun, Step } from "../lib/engine-events";
import { kindOf, logicalName, treatmentOf } from "../lib/own-resources";
import { listed, type Sentence, sentence } from "../lib/sentence";
import { belowUnconfigured } from "../lib/unconfigured";
import { isAsRecorded } from "./origins";

/**
 * Nothing is deleted, and whoever an update would remove is marked as open.
 *
 * @returns with notes about what the preview cannot show
 */
export function withoutGuesses(run: EngineRun): { steps: readonly Step[]; notes: readonly Sentence[] } {
  const isGuess = belowUnconfigured(run);
  const guesses = run.steps.filter(
    (step) => GUESSED.has(step.op) && treatmentOf(step.type) !== undefined && isGuess(step),
  );
  if (guesses.length === 0) return { steps: run.steps, notes: [] };
  const all = new Set(guesses);
  const missing = guesses
    .filter(({ op }) => op === "delete")
    .map(({ type, urn }) => `${kindOf(type)} ${logicalName(urn)}`);
  const providers = [...run.unconfigured].map(logicalName);
  return {
    steps: run.steps.map((step) => (all.has(step) ? cautious(step) : step)),
    notes: [
      sentence`Pulumi cannot ask ${listed(providers.sort())} before the update, because not all settings are known until then. So this preview cannot tell who loses access through the resources below.`,
      ...(missing.length === 0
        ? []
        : [
            sentence`Pulumi shows these as deleted, and the update may keep them: ${listed(missing.sort())}.`,
          ]),
    ],
  };
}

const GUESSED: ReadonlySet<string> = new Set(["update", "delete", "delete-replaced"]);

function cautious(step: Step): Step {
  const unchanged: Step = { ...step, op: "same", new: undefined };
  if (step.op !== "update") return unchanged;
  const { old, new: now } = step;
  // A setting gives it where the program does not.
  const { orgId } = old?.inputs ?? {};
  const inputs = { ...(orgId !== undefined && { orgId }), ...now?.inputs };
  // The provider would predict the outputs, such as the ID of a team.
  const completed = { ...step, new: { ...now, inputs, outputs: { ...old?.outputs, ...now?.outputs } } };
  return isAsRecorded(completed) ? unchanged : { ...completed, isGuessed: true };
}
