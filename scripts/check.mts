/** Holds the repository to its rules: types, lint and format, layers, packages, generated files. All are checked, whichever fails. */

import { availableParallelism } from "node:os";
import { checkDocs } from "./docs.mts";
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

const checks = [
  { name: "types", run: () => runTool("node", [inRepository("scripts", "types.mts")]) },
  { name: "lint and format", run: () => runTool("biome", ["check", "--error-on-warnings", "."]) },
  {
    name: "layers",
    run: () =>
      runTool("depcruise", [
        "--config",
        "config/.dependency-cruiser.cjs",
        "cli",
        "projects",
        "provider",
        "sandbox",
        "test",
      ]),
  },
  {
    name: "spelling",
    run: () =>
      runTool("cspell", ["lint", "--config", "config/cspell.json", "--no-progress", "--no-summary", "."]),
  },
  {
    name: "Markdown",
    run: () => runTool("markdownlint-cli2", ["--config", "config/.markdownlint-cli2.jsonc"]),
  },
  { name: "lock files", run: checkLockFiles, answers: true },
  { name: "licenses", run: checkLicenses, answers: true },
  { name: "generated examples of the schema", run: checkExamples, answers: true },
  { name: "generated SDKs", run: checkSdks, answers: true },
  { name: "generated JSON Schemas", run: checkJsonSchemas, answers: true },
  { name: "generated parts of the documents", run: checkDocs, answers: true },
];

const { sideBySide }: typeof import("../cli/lib/side-by-side.ts") = loadTypeScript(
  inRepository("cli", "lib", "side-by-side.ts"),
);

await runScript(async () => {
  const failed: string[] = [];
  await sideBySide(checks, availableParallelism(), async ({ name, run, answers }) => {
    const started = Date.now();
    try {
      const answer = await run();
      console.log(`check ${name}: ${answers ? answer : "ok"} (${elapsed(started)})`);
    } catch (error) {
      console.error(`check ${name}: FAILED (${elapsed(started)})\n${messageOf(error)}\n`);
      failed.push(name);
    }
  });
  if (failed.length > 0) throw new Failure(`npm run check: ${failed.join(", ")} failed`);
});
