import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { repositoryRoot } from "../../support";
import { startProcess, treeOf } from "../../support/child-process";
import { isAlive } from "../support/plugin-process";

const folder = join(__dirname, "fixtures");
const leftovers: (() => void)[] = [];

afterEach(() => {
  for (const end of leftovers.splice(0)) end();
});

/** Two files, so that Jest has two workers. One of them has used all resident processes. */
const files = ["waits-for-ever.ts", "waits-too.ts"];

it("a killed run of Jest leaves neither workers nor resident processes behind", async () => {
  const jest = join(repositoryRoot, "node_modules", "jest", "bin", "jest.js");
  const args = [
    jest,
    "--config",
    "config/jest.config.cjs",
    "--maxWorkers=2",
    `--testMatch=${folder}/*.ts`,
    ...files,
  ];
  const run = startProcess(process.execPath, args, { cwd: repositoryRoot, env: { ...inherited() } });
  await run.outputMatches(new RegExp(files.map(() => "waiting[^]*").join("")));
  const pids = await treeOf(run.pid);
  expect(pids.length).toBeGreaterThanOrEqual(files.length + 4);

  leftovers.push(await run.killAlone());
  await run.finished.catch(() => {});
  while (pids.some(isAlive)) await pause(20); // The test's own time limit ends this.
});

function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith("JEST_"));
  return Object.fromEntries(entries) as Record<string, string>;
}
