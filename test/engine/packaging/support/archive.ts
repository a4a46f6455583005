import { join } from "node:path";
import { run } from "../../../../scripts/lib/run.mjs";
import { repositoryRoot } from "../../../support";
import { oncePerRun } from "../../../support/run-folder";

/**
 * The plugin archive for this machine. It is made once in a run, in a process of its own, as the bundler comes as a native executable
 * that Jest need not know of.
 */
export function pluginArchive(): Promise<string> {
  const script = join(repositoryRoot, "scripts", "archive.mts");
  return oncePerRun("archive", async (folder) =>
    (await run(process.execPath, [script, "--out", folder])).trim(),
  );
}
