import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { versionOf } from "./engine-lookup.mjs";
import { runTool } from "./run.mjs";
import { Failure } from "./script.mjs";

const timeoutSeconds = 300;

/**
 * Lets Pulumi's Automation API run the official installer. Where there is no internet it fails at once.
 *
 * @param {string} folder gets the binaries
 * @returns {Promise<import("./engine-facts.mjs").EngineFacts>}
 */
export async function installEngine(folder) {
  const root = join(folder, "installer");
  const program = `require("@pulumi/pulumi/automation").PulumiCommand.install({ root: process.argv[1] })
    .catch((error) => { console.error(error.message); process.exit(1); });`;
  // In a process of its own: it needs a newer Node than this script, and it has no time limit.
  await runTool("node", ["-e", program, root], { timeoutSeconds });
  for (const name of readdirSync(join(root, "bin"))) renameSync(join(root, "bin", name), join(folder, name));
  rmSync(root, { recursive: true });
  const version = await versionOf(folder);
  if (version === undefined) throw new Failure("what it installed does not tell its version");
  return { version, source: "installer", nodeHostVersion: version, canRunPlugins: true };
}
