/** `opsmanager drift` over several stacks at a time; a script is in for `pulumi`. */
import { driftReport } from "../../../cli/drift/report/schema";
import type { Terminal } from "../../../cli/lib/terminal";
import { commandFolder } from "./command-folder";

const folder = commandFolder();

/** `missing` is no stack, the state of `corrupt` is not JSON; the preview of `b` waits until that of `a` begins, and `a` until `c` begins. */
const pulumi = `#!${process.execPath}
const { appendFileSync, readFileSync } = require("node:fs");
const args = process.argv.slice(2);
const stack = args[args.indexOf("--stack") + 1];
const note = (word) => appendFileSync("log", word + " " + stack + "\\n");
const log = () => readFileSync("log", "utf8");
if (args[1] === "--show-name") {
  if (stack === "missing") process.exit(255);
  console.log(stack.split("/").at(-1));
} else if (args[1] === "export") {
  if (stack === "missing") {
    console.error("error: no stack named 'missing' found");
    process.exit(255);
  }
  console.log(stack === "corrupt" ? "{" : JSON.stringify({ deployment: { resources: [] } }));
} else {
  process.on("SIGINT", () => {
    note("stopped");
    process.exit(255);
  });
  note("begin");
  const awaited = { a: "begin c", b: "begin a" }[stack];
  const timer = setInterval(() => {
    if ((awaited && !log().includes(awaited)) || stack.startsWith("endless")) return;
    clearInterval(timer);
    note("end");
    console.log(JSON.stringify({ summaryEvent: { resourceChanges: {} } }));
  }, 5);
}
`;

function drift(argv: readonly string[], surroundings: Partial<Terminal> = {}) {
  folder.withPulumi(pulumi);
  return folder.run(["drift", ...argv], undefined, surroundings);
}

const log = () => (folder.has("log") ? folder.read("log").trim().split("\n") : []);

const stacks = (...names: string[]) => names.flatMap((name) => ["--stack", name]);

it("checks as many stacks at a time as --parallel allows, and reports them in the given order", async () => {
  const names = ["a", "b", "c", "d"];
  const argv = [...stacks(...names, "organization/platform/a"), "--parallel", "2", "--format", "json"];
  const { exitCode, stdout, stderr } = await drift(argv, { isWatched: true, columns: 120 });
  expect(exitCode).toBe(0);
  const report = driftReport.parse(JSON.parse(stdout));
  expect(report.stacks.map(({ stack }) => stack)).toEqual(names);
  let [running, most] = [0, 0];
  for (const line of log()) {
    running += line.startsWith("begin") ? 1 : -1;
    most = Math.max(most, running);
  }
  expect(most).toBe(2);
  const lines = stderr.split("\r\x1b[2K");
  expect(lines).toContain("[------------------------] 0/4 stacks checked");
  expect(lines).toContain("[######------------------] 1/4 stacks checked, 0 resources refreshed (a)");
  expect(lines.at(-1)).toBe("");
});

it("a stack that fails is not clean, and does not stop the others", async () => {
  const argv = [...stacks("missing", "e", "corrupt", "d"), "--format", "json"];
  const { exitCode, stdout } = await drift(argv);
  expect(exitCode).toBe(1);
  const { result, stacks: checked, unreadable } = driftReport.parse(JSON.parse(stdout));
  expect(result).toBe("unknown");
  expect(checked.map(({ stack }) => stack)).toEqual(["e", "d"]);
  expect(unreadable.map(({ what }) => what)).toEqual(["stack missing", "stack corrupt"]);
  expect(unreadable[0]?.reason).toContain("no stack named 'missing' found");
});

it("--previous rejects a file that is no report before it checks, and compares with none of another version", async () => {
  const tool = { name: "opsmanager", version: "9.1.0" };
  folder.write({ "drift.json": "{}", "later.json": JSON.stringify({ schemaVersion: 9, tool }) });
  const rejected = await drift([...stacks("e"), "--previous", "drift.json"]);
  expect(rejected).toMatchObject({ exitCode: 1, stdout: "" });
  expect(rejected.stderr).toContain("cannot be used: it is not a drift report.");
  expect(log()).toEqual([]);
  const compared = await drift([...stacks("e"), "--previous", "later.json"]);
  expect(compared.exitCode).toBe(0);
  expect(compared.stdout).toMatch(
    /^No drift\. The earlier report is one of opsmanager 9\.1\.0 in a format that /,
  );
});

it("Ctrl-C stops every stack under way, begins no other and writes no report", async () => {
  const stop = new AbortController();
  const argv = [...stacks("endless-a", "endless-b", "c"), "--parallel", "2"];
  const ended = drift(argv, { stop: stop.signal });
  while (log().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  const { exitCode, stdout, stderr } = await ended;
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toContain("Stopped; no report was written.");
  expect(log().slice(2).sort()).toEqual(["stopped endless-a", "stopped endless-b"]);
});
