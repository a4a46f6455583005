/**
 * What `npm install` in a clone, `npm pack` and npm's handling of a git dependency end with: a package that works. npm may run it
 * where there is no compiler (`--omit=dev --omit=optional`), and an installation must not fail for that.
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
