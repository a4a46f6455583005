/**
 * `npm test` and `npm run test:quick`: sets up what is missing, runs Jest with all arguments of this script, and prints a summary. Without
 * arguments, the tests that need no engine run while the engine is installed or built.
 *
 *   node scripts/test.mjs [--quick] [ARGUMENT OF JEST]...
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { findEngine } from "./engine.mjs";
import { elapsed, print, progressWasMade } from "./lib/progress.mjs";
import { inRepository } from "./lib/repository.mjs";
import { environmentWithTools, installedNode } from "./lib/run.mjs";
import { isStarted, messageOf, runScript } from "./lib/script.mjs";
import { addRecords, summaryLines } from "./lib/test-summary.mjs";
import { startSetup } from "./setup.mjs";

/** These folders hold tests that need no engine. */
const withoutEngine = ["/test/unit/", "/test/integration/"];

/** One life of each resource through either provider, with real processes. */
const lives = "/test/engine/lives-";

/**
 * Long ones that the quick tests leave out: every fault with every operation, resources that are added to a copy, many objects, and
 * the repository's own scripts.
 */
const notQuick = [
  "/test/integration/faults/",
  "/test/integration/new-resource/",
  "/test/integration/project/shared-reads",
  "/test/integration/people/project-members-many",
  "/test/unit/scripts/",
];

const budgets = {
  all: { what: "npm test", seconds: 600 },
  quick: { what: "npm run test:quick", seconds: 60 },
};

/** For an engine from PATH or from the installer. */
const slowEngine = `tests: this engine was not built from its Go modules, so each pulumi command starts processes of its own.
All tests take about an hour that way. With Go, PULUMI_OPSMANAGER_ENGINE=built makes them fast.
`;

/** @param {readonly string[]} args */
async function test(args) {
  const isQuick = args.includes("--quick");
  const forJest = args.filter((arg) => arg !== "--quick");
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-test-"));
  const recordsFile = join(folder, "records.jsonl");
  try {
    const { exitCode, machineIsQuiet } = await runTests(isQuick, forJest, recordsFile);
    const text = existsSync(recordsFile) ? readFileSync(recordsFile, "utf8") : "";
    const record = addRecords(text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)])));
    // A run without an engine, or a Jest that stopped early, has counted no failure.
    if (exitCode !== 0) record.failed = Math.max(record.failed, 1);
    const budget = forJest.length > 0 ? undefined : isQuick ? budgets.quick : budgets.all;
    const shares =
      budget === budgets.all
        ? JSON.parse(readFileSync(inRepository("test", "shares.json"), "utf8"))
        : undefined;
    console.error(summaryLines(record, { budget, machineIsQuiet, shares }).join("\n"));
    return record.failed > 0 ? 1 : exitCode;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {boolean} isQuick
 * @param {readonly string[]} args of Jest
 * @param {string} recordsFile
 * @returns {Promise<{ exitCode: number, machineIsQuiet: boolean }>}
 */
async function runTests(isQuick, args, recordsFile) {
  const started = Date.now();
  const { clone, engine } = startSetup();
  await clone;
  if (!isQuick && args.length === 0 && (await findEngine()).engine === undefined)
    return { exitCode: await testDuringSetup(engine, started, recordsFile), machineIsQuiet: false };
  const { residentCommandLine } = await engine;
  printSetupTime(started);
  if (residentCommandLine === undefined) print(slowEngine);
  const machineIsQuiet = (loadavg()[0] ?? 0) < availableParallelism() / 2;
  const ignored = ["--testPathIgnorePatterns", "/node_modules/", ...notQuick];
  const paths = isQuick ? [...withoutEngine, lives, ...ignored] : [];
  return { exitCode: await runJest([...args, ...paths], recordsFile), machineIsQuiet };
}

/**
 * Runs Jest twice: without the tests that need the engine while it is built, and then with the others.
 *
 * @param {Promise<unknown>} engine
 * @param {number} started
 * @param {string} recordsFile
 */
async function testDuringSetup(engine, started, recordsFile) {
  print("tests: running the unit and integration tests meanwhile\n");
  const first = await runJest(withoutEngine, recordsFile);
  const second = await engine.then(
    () => {
      printSetupTime(started);
      const ignored = ["/node_modules/", ...withoutEngine];
      return runJest(["--passWithNoTests", "--testPathIgnorePatterns", ...ignored], recordsFile);
    },
    (error) => {
      console.error(`\nerror: ${messageOf(error)}`);
      return 1;
    },
  );
  return first || second;
}

/** @param {number} started */
function printSetupTime(started) {
  if (progressWasMade()) print(`set-up: everything is in place, after ${elapsed(started)}\n`);
}

/**
 * Runs Jest on the Node.js of the dependencies, or on that of OPSMANAGER_TEST_NODE. The tests start plugins, programs and
 * commands with the same Node.js.
 *
 * @param {readonly string[]} args
 * @param {string} recordsFile where Jest's reporter appends what the run came to
 * @returns {Promise<number>} exit code
 */
function runJest(args, recordsFile) {
  const node = process.env.OPSMANAGER_TEST_NODE || installedNode;
  const jest = inRepository("node_modules", "jest", "bin", "jest.js");
  return new Promise((resolve, reject) => {
    const child = spawn(node, [jest, "--config", join("config", "jest.config.cjs"), ...args], {
      cwd: inRepository(),
      env: { ...environmentWithTools(), OPSMANAGER_TEST_RECORDS: recordsFile },
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
