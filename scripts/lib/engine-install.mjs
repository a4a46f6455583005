import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { versionOf } from "./engine-lookup.mjs";
import { runTool } from "./run.mjs";
import { Failure, messageOf, Unavailable } from "./script.mjs";

const timeoutMilliseconds = 300_000;
const installerAddress = "https://get.pulumi.com/install.sh";
const probeMilliseconds = 5_000;

/**
 * Runs the official installer through Pulumi's Automation API, which is one of the dependencies. If
 * the installer's address cannot be reached, this fails without waiting for the dependencies.
 *
 * @param {string} folder gets the binaries
 * @param {import("../engine.mjs").Means} means
 * @returns {Promise<import("./engine-lookup.mjs").EngineFacts>}
 */
export async function installEngine(folder, { dependencies }) {
  await requireInstaller();
  await dependencies;
  const root = join(folder, "installer");
  const program = `require("@pulumi/pulumi/automation").PulumiCommand.install({ root: process.argv[1] })
    .catch((error) => { console.error(error.message); process.exit(1); });`;
  // In a process of its own: it needs a newer Node than this script, and it has no time limit.
  await runTool("node", ["-e", program, root], { signal: AbortSignal.timeout(timeoutMilliseconds) });
  for (const name of readdirSync(join(root, "bin"))) renameSync(join(root, "bin", name), join(folder, name));
  rmSync(root, { recursive: true });
  const version = await versionOf(folder);
  if (version === undefined) throw new Failure("the installed engine does not print its version");
  return { version, source: "installer", nodeHostVersion: version, canRunPlugins: true };
}

/** The Automation API uses `fetch` too. Only it reads NODE_USE_ENV_PROXY, as that needs Node.js 24. */
async function requireInstaller() {
  if (process.env.NODE_USE_ENV_PROXY) return;
  try {
    await fetch(installerAddress, { method: "HEAD", signal: AbortSignal.timeout(probeMilliseconds) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Unavailable(`${installerAddress} cannot be reached: ${messageOf(cause)}`);
  }
}
