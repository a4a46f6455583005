/**
 * Runs `opsmanager drift` in CI and writes its reports into OPSMANAGER_DRIFT_REPORTS. It compares with the report of the
 * last run in OPSMANAGER_DRIFT_PREVIOUS, and replaces that one by its own.
 *
 * It ends with 0 whatever the command found, so that the reports can be published. The result is in `result.json` and,
 * on GitHub, in the outputs of the step. `publish.mjs` decides how the job ends. With an invalid id, it ends with 1 and
 * does not run the command.
 */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

const { env } = process;
// Written at once: the lines of the command come between those of this script.
const print = (text) => writeSync(1, `${text}\n`);
const reports = resolve(env.OPSMANAGER_DRIFT_REPORTS || "drift-reports");
const at = (name) => join(reports, name);
const words = (text = "") => text.split(/\s+/).filter(Boolean);

// The id becomes part of a comment in HTML and of the name of an artifact.
const id = env.OPSMANAGER_DRIFT_ID ?? "drift";
if (!/^[\w.-]{1,100}$/.test(id)) {
  const given = JSON.stringify(id);
  print(
    `The input \`id\` is ${given}, which cannot be part of the name of an artifact. ` +
      "Use at most 100 letters, digits and the characters . _ -",
  );
  process.exit(1);
}

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
const previous = env.OPSMANAGER_DRIFT_PREVIOUS;
const args = [
  ...(previous ? ["--previous", previous] : []),
  ...words(env.OPSMANAGER_DRIFT_STACKS).flatMap((stack) => ["--stack", stack]),
  ...words(env.OPSMANAGER_DRIFT_ARGUMENTS),
  ...formats.flatMap((format) => ["--format", format]),
];

/**
 * The program of `opsmanager`: of the package that is installed for the working directory, or of the
 * newest installed plugin, which programs in other languages use.
 */
function findCommand() {
  const cwd = process.cwd();
  try {
    const fromFolder = createRequire(join(cwd, "package.json"));
    const manifest = fromFolder.resolve("pulumi-opsmanager/package.json");
    return join(dirname(manifest), fromFolder(manifest).bin.opsmanager);
  } catch {
    const command = newestPlugin();
    if (command === undefined)
      print(
        `The command opsmanager was found neither in a package pulumi-opsmanager for the folder ${cwd} nor in an installed plugin. ` +
          "Install the program's dependencies, or the plugin, with the input `install`.",
      );
    return command;
  }
}

/** The program in the newest plugin opsmanager that `pulumi` has installed. */
function newestPlugin() {
  const plugins = join(env.PULUMI_HOME || join(homedir(), ".pulumi"), "plugins");
  const names = existsSync(plugins) ? readdirSync(plugins) : [];
  const [newest] = names
    .filter((name) => /^resource-opsmanager-v\d+\.\d+\.\d+[\w.+-]*$/.test(name))
    .map((name) => join(plugins, name, "dist", "cli", "main.js"))
    .filter((file) => existsSync(file))
    .sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
  return newest;
}

/** Runs the command and returns its exit code; `null` if it was killed or did not start. */
function runCommand(file) {
  // A name or message from outside may hold a workflow command such as ::error::, which GitHub would run.
  // GitHub runs no command until the token is printed again, and no text from outside can contain it.
  const token = randomBytes(16).toString("hex");
  if (env.GITHUB_ACTIONS === "true") print(`::stop-commands::${token}`);
  // Node.js runs the program directly. On Windows, npx starts only in a shell, and in a shell an
  // argument can become a command. Errors go to stdout too: GitHub reads two pipes in no fixed
  // order, so a line of stderr could arrive outside the two lines with the token.
  const { status, error } = spawnSync(process.execPath, [file, "drift", ...args], {
    stdio: ["ignore", 1, 1],
  });
  if (error !== undefined) print(`opsmanager drift did not start: ${error.code}.`);
  if (env.GITHUB_ACTIONS === "true") print(`::${token}::`);
  return status;
}

const command = findCommand();
const status = command === undefined ? null : runCommand(command);

// 0 is no drift, 2 is drift. With any other code, something could not be determined.
const exitCode = status === 0 || status === 2 ? status : 1;
const isCounted = ({ ignored }) => ignored === undefined;
const result = { "exit-code": exitCode, result: { 0: "clean", 2: "drift", 1: "unknown" }[exitCode] };
try {
  const report = JSON.parse(readFileSync(at("drift.json"), "utf8"));
  const { findings, unreadable, unmanaged } = report;
  result.differences = findings.filter(isCounted).length;
  result.undetermined = unreadable.filter(isCounted).length;
  const unowned = (unmanaged?.rows ?? []).filter(({ status }) => status !== "indirect");
  result.unmanaged = unowned.filter(isCounted).length;
  if (report.previous?.generatedAt !== undefined) {
    const isNew = ({ since }) => since === report.generatedAt;
    result.new = [...findings, ...unreadable, ...unowned].filter(isCounted).filter(isNew).length;
    result.resolved = report.previous.resolved.length;
  }
} catch {
  // The command ended before it wrote a report, so nothing is counted.
}
// A run without a report keeps that of the last one.
if (previous && existsSync(at("drift.json"))) {
  mkdirSync(dirname(previous), { recursive: true });
  copyFileSync(at("drift.json"), previous);
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
