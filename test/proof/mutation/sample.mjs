/**
 * A plugin of Stryker: of all mutants, it lets those of a sample through. Each has the same chance, so that a block or a condition of
 * several lines is chosen as often as a word.
 */
import { createHash } from "node:crypto";

/** `npm run mutation` sets both: the part of the mutants, and what the choice depends on. */
const { MUTATION_PART: part = "1", MUTATION_SEED: seed = "0" } = process.env;

/** @type {import("@stryker-mutator/api/check").Checker} */
const checker = {
  init: async () => {},
  check: async (mutants) =>
    /** @type {Record<string, import("@stryker-mutator/api/check").CheckResult>} */ (
      Object.fromEntries(mutants.map(({ id }) => [id, isChosen(id) ? passed : leftOut]))
    ),
  // One group, instead of a message for each mutant.
  group: async (mutants) => [mutants.map(({ id }) => id)],
};

/** For Stryker, a checker finds mutants that do not compile. They have no part in the score. */
const leftOut = { status: "compileError", reason: "not in the sample" };
const passed = { status: "passed" };

/** @param {string} mutant */
function isChosen(mutant) {
  const number = createHash("sha256").update(`${seed} ${mutant}`).digest().readUInt32BE();
  return number / 2 ** 32 < Number(part);
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", value: checker }];
