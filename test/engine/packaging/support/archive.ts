import { join } from "node:path";
import { run } from "../../../../scripts/lib/run.mjs";
import { repositoryRoot } from "../../../support";
import { oncePerRun } from "../../../support/run-folder";

/** The plugin archive for this machine. It is made once in a run. */
export function pluginArchive(): Promise<string> {
  return oncePerRun("archive", (folder) => writeArchive("--out", folder));
}

/** Runs the script in a process of its own, as the bundler comes as a native executable that Jest need not know of. */
export async function writeArchive(...options: string[]): Promise<string> {
  const script = join(repositoryRoot, "scripts", "archive.mts");
  return (await run(process.execPath, [script, ...options])).trim();
}
