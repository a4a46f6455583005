/** Holds the repository to its rules: types, lint and format, layers, packages, generated files. All are checked, whichever fails. */

import { availableParallelism } from "node:os";
import { checkDocs } from "./docs.mts";
import { checkDynamic } from "./dynamic.mts";
import { checkJsonSchemas } from "./json-schemas.mts";
import { checkLicenses } from "./lib/license-check.mts";
import { checkLockFiles } from "./lib/lock-file.mts";
import { elapsed } from "./lib/progress.mjs";
import { inRepository } from "./lib/repository.mjs";
import { runTool } from "./lib/run.mjs";
import { Failure, messageOf, runScript } from "./lib/script.mjs";
import { loadTypeScript } from "./lib/typescript.mts";
import { checkExamples } from "./schema-examples.mts";
import { checkSdks } from "./sdk.mts";

const sources = ["cli", "projects", "provider", "sandbox", "test"];

const runner =
  (name: string, ...args: string[]) =>
  async () => {
    await runTool(name, args);
    return "ok";
  };

/** Each returns in a few words what was found. */
const checks: Record<string, () => string | Promise<string>> = {
  types: runner("node", inRepository("scripts", "types.mts")),
  "lint and format": runner("biome", "check", "--error-on-warnings", "."),
  layers: runner("depcruise", "--config", "config/.dependency-cruiser.cjs", ...sources),
  spelling: runner("cspell", "lint", "--config", "config/cspell.json", "--no-progress", "--no-summary", "."),
  Markdown: runner("markdownlint-cli2", "--config", "config/.markdownlint-cli2.jsonc"),
  "lock files": checkLockFiles,
  licenses: checkLicenses,
  "generated examples of the schema": checkExamples,
  "generated SDKs": checkSdks,
  "generated classes of the dynamic provider": checkDynamic,
  "generated JSON Schemas": checkJsonSchemas,
  "generated parts of the documents": checkDocs,
};

const { sideBySide }: typeof import("../cli/lib/side-by-side.ts") = loadTypeScript(
  inRepository("cli", "lib", "side-by-side.ts"),
);

await runScript(async () => {
  const failed: string[] = [];
  await sideBySide(Object.entries(checks), availableParallelism(), async ([name, check]) => {
    const started = Date.now();
    try {
      console.log(`check ${name}: ${await check()} (${elapsed(started)})`);
    } catch (error) {
      console.error(`check ${name}: FAILED (${elapsed(started)})\n${messageOf(error)}\n`);
      failed.push(name);
    }
  });
  if (failed.length > 0) throw new Failure(`npm run check: ${failed.join(", ")} failed`);
});
