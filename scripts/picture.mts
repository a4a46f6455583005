/**
 * `npm run picture`: writes the pictures of the documents. Real commands run against the sandbox: a project and its people are
 * declared, changed outside Pulumi, found by `opsmanager drift`, and corrected.
 *
 *   node scripts/picture.mts           writes docs/images/drift.svg, the terminal, and drift-html.png, the HTML report
 *   node scripts/picture.mts --check   fails if the commands print something else than drift.svg shows
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { ensureEngine } from "./engine.mjs";
import { openBrowser } from "./lib/browser.mjs";
import { inRepository } from "./lib/repository.mjs";
import { Failure, readOptions, runScript } from "./lib/script.mjs";
import { terminalSvg } from "./lib/terminal-svg.mts";
import { openStage, type Stage } from "./story/stage.mjs";

const terminal = inRepository("docs", "images", "drift.svg");
const report = inRepository("docs", "images", "drift-html.png");
const title = "opsmanager drift finds what was changed outside Pulumi, and pulumi up corrects it";

await runScript(async () => {
  const { check } = readOptions({ check: { type: "boolean" } });
  const stage = await openStage((await ensureEngine()).bin);
  try {
    await setUp(stage);
    const drift = await opsmanager(stage, ["drift"]);
    if (!check) await photographReport(stage);
    const up = await pulumi(stage, ["up", "--yes", "--skip-preview", "--suppress-progress"]);
    const after = await opsmanager(stage, ["drift"]);
    const text = [
      `${prompt("opsmanager drift")}${drift.trimEnd()}`,
      `${prompt("pulumi up --yes --skip-preview")}${finalLines(up).trim()}`,
      `${prompt("opsmanager drift")}${after.trimEnd()}`,
    ].join("\n\n");
    // The time of an event is another one in each run.
    const image = terminalSvg(text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "2026-11-24 10:02 UTC"), title);
    if (!check) {
      writeFileSync(terminal, image);
      console.log(`\nWritten: ${terminal}\nWritten: ${report}`);
    } else if (readFileSync(terminal, "utf8") !== image) {
      throw new Failure(`\`npm run picture\` would change ${terminal}. The commands print:\n\n${text}`);
    }
  } finally {
    await stage.close();
  }
});

async function setUp(stage: Stage): Promise<void> {
  const { service } = stage;
  await stage.useExample("minimal", { stack: "prod" });
  await stage.up();
  const project = service.state.projects.find(({ name }) => name === "payments");
  if (!project) throw new Failure("the example did not create its project");
  for (const { id } of [...service.state.invitations]) service.acceptInvitation(id);
  service.removeMember(project.id, { username: "owner@example.com" });
  await stage.up();
  service.actAs({ username: "mallory@example.com", remoteAddress: "192.0.2.7" });
  service.changeProject(project.id, { tags: ["PROD", "URGENT"] });
  service.setMember(project.id, { username: "bob@example.com" }, ["GROUP_OWNER"]);
}

/** No test compares this picture, because fonts differ between machines. */
async function photographReport(stage: Stage): Promise<void> {
  const page = join(stage.root, "report.html");
  await opsmanager(stage, ["drift", "--unmanaged", "--format", `html=${page}`]);
  const browser = await openBrowser();
  try {
    const view = await browser.newPage({ viewport: { width: 1000, height: 1080 } });
    await view.goto(pathToFileURL(page).href);
    await view.screenshot({ path: report });
  } finally {
    await browser.close();
  }
}

function prompt(command: string): string {
  return `\u001b[32m$\u001b[0m \u001b[1m${command}\u001b[0m\n`;
}

/** What an interactive terminal shows at the end: the last line of each resource, without times and the version of the update. */
function finalLines(output: string): string {
  const lines = output
    .split("\n")
    .filter((line) => !/^(?:Duration|View |@)/.test(stripVTControlCharacters(line)));
  const resourceOf = (line: string) => / opsmanager:index:\w+ \S+/.exec(stripVTControlCharacters(line))?.[0];
  return lines
    .filter((line, index) => {
      const resource = resourceOf(line);
      return !resource || !lines.slice(index + 1).some((later) => resourceOf(later) === resource);
    })
    .map((line) => line.replace(/ \([\d.]+s\)/, ""))
    .join("\n");
}

/** With colors, although stdout is no terminal. */
async function pulumi({ program, env }: Stage, args: readonly string[]): Promise<string> {
  const options = { cwd: program, env };
  return (await promisify(execFile)("pulumi", [...args, "--color", "always"], options)).stdout;
}

/** Runs the command in this process, so that it writes colors although stdout is no terminal. */
async function opsmanager({ program, env }: Stage, args: string[]): Promise<string> {
  const cli: typeof import("../cli/index.ts") = createRequire(import.meta.url)(
    inRepository("dist", "cli", "index.js"),
  );
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
    env,
    cwd: program,
  });
  return text;
}
