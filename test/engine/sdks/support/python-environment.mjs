/**
 * Makes the virtual environment that the tests of the Python SDK build on, once per machine; prints
 * `{ "folder": ..., "version": "3.12" }`, or `{ "reason": ... }` where there can be none.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, keyOf } from "../../../../scripts/lib/cache.mjs";
import { withLock } from "../../../../scripts/lib/lock.mjs";
import { step } from "../../../../scripts/lib/progress.mjs";
import { inRepository } from "../../../../scripts/lib/repository.mjs";
import { run } from "../../../../scripts/lib/run.mjs";
import { Failure, runScript } from "../../../../scripts/lib/script.mjs";
import { findVersion, isAtLeast } from "../../../../scripts/lib/version.mjs";

const requirements = inRepository("test", "engine", "sdks", "support", "requirements.txt");

/** The oldest that the pinned Pulumi SDK runs on. */
const minimumVersion = "3.10.0";

async function environment() {
  const command = process.platform === "win32" ? "python" : "python3";
  const version = findVersion(await run(command, ["--version"]).catch(() => ""));
  if (version === undefined) return { reason: `there is no ${command} on PATH` };
  if (!isAtLeast(version, minimumVersion)) return { reason: `this is Python ${version}, older than 3.10` };
  const facts = { version: version.split(".").slice(0, 2).join(".") };
  const folder = join(cacheFolder(), `python-${keyOf([requirements], version)}`);
  try {
    await withLock(`${folder}.lock`, () => ensureComplete(command, folder));
    return { folder, ...facts };
  } catch (error) {
    if (error instanceof Failure) return { reason: shortened(error.message) };
    throw error;
  }
}

/**
 * A virtual environment works in one place only, so it is made where it stays, and a file records that it is complete.
 *
 * @param {string} command
 * @param {string} folder
 */
async function ensureComplete(command, folder) {
  const complete = join(folder, "complete");
  if (existsSync(complete) && existsSync(join(folder, "pyvenv.cfg"))) return;
  rmSync(folder, { recursive: true, force: true });
  await step(
    "python: installing what the tests of the Python SDK need, about a minute the first time",
    async () => {
      await run(command, ["-m", "venv", folder]);
      const python = join(
        folder,
        ...(process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"]),
      );
      await run(python, ["-m", "pip", "install", "--quiet", "--retries", "1", "--requirement", requirements]);
    },
  );
  writeFileSync(complete, readFileSync(requirements));
}

/** @param {string} message of a command that failed; pip prints the reason last */
function shortened(message) {
  if (message.includes("-m venv")) return "`python -m venv` does not work; Debian has it in python3-venv";
  const lines = message.split("\n").map((line) => line.trim());
  const last = lines.findLast((line) => /^(ERROR|Error)/.test(line)) ?? lines.at(-1) ?? "";
  return `pip cannot install requirements.txt (${last.slice(0, 160)})`;
}

await runScript(async () => {
  process.stdout.write(JSON.stringify(await environment()));
});
