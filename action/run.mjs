/**
 * Runs `opsmanager drift` in CI and writes its reports into OPSMANAGER_DRIFT_REPORTS.
 *
 * It ends with 0 whatever the command found, so that the reports can be published. The result is in `result.json` and,
 * on GitHub, in the outputs of the step. `publish.mjs` decides how the job ends.
 */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const { env } = process;
const print = (text) => process.stdout.write(`${text}\n`);
const reports = resolve(env.OPSMANAGER_DRIFT_REPORTS || "drift-reports");
const at = (name) => join(reports, name);
const words = (text = "") => text.split(/\s+/).filter(Boolean);

// Reports of an earlier run on the same runner must not be published as those of this run.
for (const name of ["drift.json", "drift.md", "drift.sarif", "drift.html", "drift.xml", "result.json"])
  rmSync(at(name), { force: true });
mkdirSync(reports, { recursive: true });

const formats = [
  "text",
  `json=${at("drift.json")}`,
  `markdown=${at("drift.md")}`,
  `junit=${at("drift.xml")}`,
];
if (env.OPSMANAGER_DRIFT_SARIF === "true") formats.push(`sarif=${at("drift.sarif")}`);
if (env.OPSMANAGER_DRIFT_HTML === "true") formats.push(`html=${at("drift.html")}`);
const args = [
  ...words(env.OPSMANAGER_DRIFT_STACKS).flatMap((stack) => ["--stack", stack]),
  ...words(env.OPSMANAGER_DRIFT_ARGUMENTS),
  ...formats.flatMap((format) => ["--format", format]),
];

// A name or message from outside may hold a workflow command such as ::error::, which GitHub would run.
// GitHub runs no command until the token is printed again, and no text from outside can contain it.
const token = randomBytes(16).toString("hex");
if (env.GITHUB_ACTIONS === "true") print(`::stop-commands::${token}`);
// No shell: no argument can become a command.
const { status, error } = spawnSync("npx", ["--no-install", "opsmanager", "drift", ...args], {
  stdio: ["ignore", "inherit", "inherit"],
});
if (error !== undefined) print(`npx did not start: ${error.code}.`);
if (env.GITHUB_ACTIONS === "true") print(`::${token}::`);

// 0 is no drift, 2 is drift. With any other code, something could not be determined.
const exitCode = status === 0 || status === 2 ? status : 1;
const isCounted = ({ ignored }) => ignored === undefined;
const result = { "exit-code": exitCode, result: { 0: "clean", 2: "drift", 1: "unknown" }[exitCode] };
try {
  const { findings, unreadable, unmanaged } = JSON.parse(readFileSync(at("drift.json"), "utf8"));
  result.differences = findings.filter(isCounted).length;
  result.undetermined = unreadable.filter(isCounted).length;
  const { projects = [], people = [], teams = [], teamPeople = [] } = unmanaged ?? {};
  const direct = people.filter(({ status }) => status !== "indirect");
  result.unmanaged = [...projects, ...direct, ...teams, ...teamPeople].filter(isCounted).length;
} catch {
  // The command ended before it wrote a report, so nothing is counted.
}
writeFileSync(at("result.json"), `${JSON.stringify(result)}\n`);
// Numbers and fixed words: no text from outside can add an output.
if (env.GITHUB_OUTPUT)
  appendFileSync(
    env.GITHUB_OUTPUT,
    Object.entries(result)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
if (env.GITHUB_STEP_SUMMARY && existsSync(at("drift.md")))
  appendFileSync(env.GITHUB_STEP_SUMMARY, readFileSync(at("drift.md")));
