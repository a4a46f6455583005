/**
 * `npm test` and `npm run test:quick`: sets up what is missing and runs Jest with all arguments of this script.
 *
 *   node scripts/test.mjs [--quick] [ARGUMENT OF JEST]...
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { print } from "./lib/progress.mjs";
import { inRepository } from "./lib/repository.mjs";
import { environmentWithTools, installedNode } from "./lib/run.mjs";
import { runScript } from "./lib/script.mjs";
import { setUp } from "./setup.mjs";

/** The tests without an engine, and one life of each resource through either provider, with real processes. */
const quick = ["/test/unit/", "/test/integration/", "/test/engine/lives-"];

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

/** For an engine from PATH or from the installer. */
const slowEngine = `tests: this engine was not built from its Go modules, so each pulumi command starts processes of its own.
All tests take about an hour that way. With Go, PULUMI_OPSMANAGER_ENGINE=built makes them fast.
`;

/**
 * Runs Jest on the Node.js of the dependencies, or on that of OPSMANAGER_TEST_NODE. The tests start plugins, programs and
 * commands with the same Node.js.
 *
 * @param {readonly string[]} args
 * @returns {Promise<number>} exit code
 */
function runJest(args) {
  const node = process.env.OPSMANAGER_TEST_NODE || installedNode;
  const jest = inRepository("node_modules", "jest", "bin", "jest.js");
  return new Promise((resolve, reject) => {
    const child = spawn(node, [jest, "--config", join("config", "jest.config.cjs"), ...args], {
      cwd: inRepository(),
      env: environmentWithTools(),
      stdio: "inherit",
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

await runScript(async () => {
  const args = process.argv.slice(2);
  const forJest = args.filter((arg) => arg !== "--quick");
  const paths =
    forJest.length < args.length ? [...quick, "--testPathIgnorePatterns", "/node_modules/", ...notQuick] : [];
  const { residentCommandLine } = await setUp();
  if (residentCommandLine === undefined) print(slowEngine);
  process.exitCode = await runJest([...forJest, ...paths]);
});
