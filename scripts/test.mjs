/**
 * `npm test`: sets up what is missing and runs Jest with all arguments of this script. Without
 * arguments, the tests that need no engine run while the engine is installed or built.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findEngine } from "./engine.mjs";
import { elapsed, lendTerminal, progressWasMade, say } from "./lib/progress.mjs";
import { inRepository } from "./lib/repository.mjs";
import { environmentWithTools } from "./lib/run.mjs";
import { isStarted, messageOf, runScript } from "./lib/script.mjs";
import { addCounts, countsLine } from "./lib/test-counts.mjs";
import { startSetup } from "./setup.mjs";

/** These folders hold tests that need no engine. */
const withoutEngine = ["/test/unit/", "/test/integration/"];

/** @param {readonly string[]} args of Jest */
async function test(args) {
  const started = Date.now();
  const { clone, engine } = startSetup();
  await clone;
  if (args.length === 0 && (await findEngine()).engine === undefined) return testDuringSetup(engine, started);
  await engine;
  sayThatSetupIsComplete(started);
  return runJest(args);
}

/**
 * Runs Jest twice and prints one line of counts for both runs.
 *
 * @param {Promise<unknown>} engine
 * @param {number} started
 */
async function testDuringSetup(engine, started) {
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-test-"));
  const countsFile = join(folder, "counts.jsonl");
  try {
    say("tests: running the unit and integration tests meanwhile\n");
    const first = await lendTerminal(() => runJest(withoutEngine, countsFile));
    const second = await engine.then(
      () => {
        sayThatSetupIsComplete(started);
        const ignored = ["/node_modules/", ...withoutEngine];
        return runJest(["--passWithNoTests", "--testPathIgnorePatterns", ...ignored], countsFile);
      },
      (error) => {
        console.error(`\nerror: ${messageOf(error)}`);
        return 1;
      },
    );
    const text = existsSync(countsFile) ? readFileSync(countsFile, "utf8") : "";
    const counts = addCounts(text);
    const exitCode = first || second;
    // A run without an engine, or a Jest that stopped early, has counted no failure.
    if (exitCode !== 0) counts.failed = Math.max(counts.failed, 1);
    console.error(countsLine(counts));
    return exitCode;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {number} started */
function sayThatSetupIsComplete(started) {
  if (progressWasMade()) say(`set-up: everything is in place, after ${elapsed(started)}\n`);
}

/**
 * Runs Jest on the Node.js of the dependencies.
 *
 * @param {readonly string[]} args
 * @param {string} [countsFile] where Jest's reporter appends its counts, in place of printing them
 * @returns {Promise<number>} exit code
 */
function runJest(args, countsFile) {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const node = inRepository("node_modules", "node", "bin", `node${suffix}`);
  const jest = inRepository("node_modules", "jest", "bin", "jest.js");
  const counts = countsFile === undefined ? {} : { OPSMANAGER_TEST_COUNTS: countsFile };
  return new Promise((resolve, reject) => {
    const child = spawn(node, [jest, ...args], {
      cwd: inRepository(),
      env: { ...environmentWithTools(), ...counts },
      stdio: "inherit",
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    process.exitCode = await test(process.argv.slice(2));
  });
}
