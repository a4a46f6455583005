/**
 * `npm run picture`: writes the terminal picture of README.md, docs/images/drift.svg. It runs real commands against the
 * embedded service: a project and its people are declared, changed outside Pulumi, found by `opsmanager drift`, and corrected.
 *
 *   node scripts/terminal-picture.mjs           writes the picture
 *   node scripts/terminal-picture.mjs --check   fails if the commands print something else than the picture shows
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { ensureEngine } from "./engine.mjs";
import { inRepository } from "./lib/repository.mjs";
import { Failure, readOptions, runScript } from "./lib/script.mjs";
import { terminalSvg } from "./lib/terminal-svg.mjs";
import { configure, forService } from "./story/settings.mjs";
import { openStage } from "./story/stage.mjs";

const picture = inRepository("docs", "images", "drift.svg");

const TITLE = "opsmanager drift finds what was changed outside Pulumi, and pulumi up corrects it";

await runScript(async () => {
  const { check } = readOptions({ check: { type: "boolean" } });
  const stage = await openStage((await ensureEngine()).bin);
  try {
    await setUp(stage);
    const drift = await opsmanager(stage, ["drift"]);
    const up = await pulumi(stage, ["up", "--yes", "--skip-preview", "--suppress-progress"]);
    const after = await opsmanager(stage, ["drift"]);
    const text = [
      `${prompt("opsmanager drift")}${drift.trimEnd()}`,
      `${prompt("pulumi up --yes --skip-preview")}${finalLines(up).trim()}`,
      `${prompt("opsmanager drift")}${after.trimEnd()}`,
    ].join("\n\n");
    // The time of an event is another one in each run.
    const image = terminalSvg(text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "2026-11-24 10:02 UTC"), TITLE);
    if (!check) {
      mkdirSync(dirname(picture), { recursive: true });
      writeFileSync(picture, image);
      console.log(`\nWritten: ${picture}`);
    } else if (readFileSync(picture, "utf8") !== image) {
      throw new Failure(`\`npm run picture\` would change ${picture}. The commands print:\n\n${text}`);
    }
  } finally {
    await stage.close();
  }
});

/** @param {import("./story/stage.mjs").Stage} stage */
async function setUp(stage) {
  const { service } = stage;
  await stage.useExample("minimal");
  await stage.pulumi(["stack", "init", "prod"]);
  await configure(stage, { ...forService(service), orgId: service.orgId });
  await stage.pulumi(["up", "--yes", "--skip-preview"]);
  const project = service.state.projects.find(({ name }) => name === "payments");
  if (!project) throw new Failure("the example did not create its project");
  for (const { id } of [...service.state.invitations]) service.acceptInvitation(id);
  service.removeMember(project.id, { username: "owner@example.com" });
  await stage.pulumi(["up", "--yes", "--skip-preview"]);
  service.actAs({ username: "mallory@example.com", remoteAddress: "192.0.2.7" });
  service.changeProject(project.id, { tags: ["PROD", "URGENT"] });
  service.setMember(project.id, { username: "bob@example.com" }, ["GROUP_OWNER"]);
}

/** @param {string} command */
function prompt(command) {
  return `\u001b[32m$\u001b[0m \u001b[1m${command}\u001b[0m\n`;
}

/**
 * What an interactive terminal shows at the end: the last line of each resource. Times and the version of the update are left out.
 *
 * @param {string} output
 */
function finalLines(output) {
  const lines = output.split("\n").filter((line) => !/^(?:Duration|View |@)/.test(withoutStyles(line)));
  const resourceOf = (/** @type {string} */ line) =>
    / opsmanager:index:\w+ \S+/.exec(withoutStyles(line))?.[0];
  return lines
    .filter((line, index) => {
      const resource = resourceOf(line);
      return !resource || !lines.slice(index + 1).some((later) => resourceOf(later) === resource);
    })
    .map((line) => line.replace(/ \([\d.]+s\)/, ""))
    .join("\n");
}

/** @param {string} text */
function withoutStyles(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences begin with this character
  return text.replace(/\u001b\[[0-9;]*m/g, "");
}

/**
 * @param {import("./story/stage.mjs").Stage} stage
 * @param {string[]} args
 */
async function pulumi(stage, args) {
  return output(spawn("pulumi", [...args, "--color", "always"], { cwd: stage.program, env: stage.env }));
}

/**
 * Runs the command in this process, so that it writes colors although stdout is no terminal.
 *
 * @param {import("./story/stage.mjs").Stage} stage
 * @param {string[]} args
 */
async function opsmanager(stage, args) {
  /** @type {import("../cli/index.js")} */
  const cli = createRequire(import.meta.url)(inRepository("dist", "cli", "index.js"));
  let text = "";
  await cli.run(args, {
    ...cli.processTerminal(),
    stdout: (part) => {
      text += part;
    },
    stderr: (part) => process.stderr.write(part),
    isWatched: false,
    hasColors: true,
    columns: 100,
    env: stage.env,
    cwd: stage.program,
  });
  return text;
}

/** @param {import("node:child_process").ChildProcessWithoutNullStreams} child @returns {Promise<string>} */
function output(child) {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (part) => {
      text += part;
    });
    child.stderr.on("data", (part) => process.stderr.write(part));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(text) : reject(new Failure(`the command ended with exit code ${code}`)),
    );
  });
}
