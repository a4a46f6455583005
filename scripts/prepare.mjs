/**
 * Builds the package at the end of `npm install` in a clone, and of the installation of a git
 * dependency. npm may run it without a compiler (`--omit=dev --omit=optional`). The
 * installation must not fail then.
 */
import { existsSync } from "node:fs";
import { build, buildIsCurrent } from "./lib/build.mjs";
import { inRepository } from "./lib/repository.mjs";
import { runScript } from "./lib/script.mjs";

await runScript(async () => {
  if (buildIsCurrent()) return;
  if (existsSync(inRepository("node_modules", "typescript", "package.json"))) return build();
  console.error(
    "pulumi-opsmanager is not built: that takes its development dependencies (npm install --include=dev).",
  );
});
