/** Checks the machine: Node.js, `pulumi`, and the plugin if the program uses it. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { messageOf } from "../../provider/text/errors";
import { packageVersion } from "../../provider/version";
import { findPulumiFile, type PulumiEnvironment, pulumiMessage, runPulumi } from "../lib/pulumi";
import type { Terminal } from "../lib/terminal";
import { type Finding, failed, named, ok, warning } from "./results";
import { type Answer, runSteps, step, unlessFailed } from "./steps";

const LEAST_NODE = "22.19.0";
/** The first version with the protocol that the plugin implements. */
const LEAST_PULUMI = "3.227.0";
const INSTALL_PULUMI = `Install Pulumi ${LEAST_PULUMI} or newer (https://www.pulumi.com/docs/install/).`;

export function checkEnvironment(terminal: PulumiEnvironment): Promise<Answer> {
  return runSteps([
    step("environment.node", [], () => checkNode(process.versions.node)),
    step("environment.pulumi", [], async () =>
      unlessFailed([named("environment.pulumi", await checkPulumi(terminal))], { pulumi: true }),
    ),
    step(
      "environment.plugin",
      ["pulumi"],
      () => checkPlugin(terminal),
      () => "Not checked, because the check runs pulumi.",
    ),
  ]);
}

/** @param version of the running Node.js */
export function checkNode(version: string): Finding {
  return isAtLeast(version, LEAST_NODE)
    ? ok(`Node.js ${version}`)
    : failed(`Node.js ${version} is too old.`, `Install ${LEAST_NODE} or newer.`);
}

async function checkPulumi(terminal: PulumiEnvironment): Promise<Finding> {
  try {
    const result = await runPulumi(["version"], terminal);
    if (result.exitCode === 0) return judgePulumi(result.stdout);
    const text = `pulumi version ended with ${result.exitCode}: ${pulumiMessage(result)}`;
    return failed(text, INSTALL_PULUMI);
  } catch (error) {
    terminal.stop.throwIfAborted();
    return failed(firstSentence(messageOf(error)), INSTALL_PULUMI);
  }
}

/** @param text output of `pulumi version` */
export function judgePulumi(text: string): Finding {
  const version = /\d+\.\d+\.\d+/.exec(text)?.[0];
  if (version === undefined) {
    return warning("pulumi prints no version: it was built from source.");
  }
  return isAtLeast(version, LEAST_PULUMI)
    ? ok(`pulumi ${version}`)
    : failed(`pulumi ${version} is too old.`, INSTALL_PULUMI);
}

/**
 * Finds the plugin in the engine's order: the program's own entry, PATH, the installed plugins.
 */
async function checkPlugin(terminal: PulumiEnvironment): Promise<Finding> {
  const version = packageVersion();
  const { ofShell, ofPackageManager } = splitPath(terminal.env);
  const found = (await namedInProject(terminal.cwd)) ?? onPath(ofShell) ?? (await installed(terminal));
  if (found !== undefined) return found;
  const linkedIn = folderWithPlugin(ofPackageManager);
  return warning(
    linkedIn === undefined
      ? "The plugin was not found in Pulumi.yaml, on PATH or among the installed plugins."
      : `The plugin is in ${linkedIn}, which is on PATH in npm scripts and npx only. pulumi in a shell does not find it.`,
    `Programs that use the dynamic provider do not need it. For other programs, name the package's folder in Pulumi.yaml (plugins.providers), or install the archive of ${version} with pulumi plugin install.`,
  );
}

const projectFile = z.object({
  plugins: z
    .object({ providers: z.array(z.object({ name: z.string(), path: z.string() })).optional() })
    .optional(),
});

async function namedInProject(cwd: string): Promise<Finding | undefined> {
  const file = findPulumiFile(cwd);
  if (file === undefined) return undefined;
  const path = (await readProjectFile(file))?.plugins?.providers?.find(
    ({ name }) => name === "opsmanager",
  )?.path;
  if (path === undefined) return undefined;
  return existsSync(resolve(dirname(file), path))
    ? ok(`The plugin is named in the Pulumi project: ${path}`)
    : failed(
        `The Pulumi project names the plugin at ${path}, but this folder does not exist.`,
        "Install the program's packages, or correct plugins.providers.",
      );
}

async function readProjectFile(file: string): Promise<z.output<typeof projectFile> | undefined> {
  try {
    return projectFile.safeParse(parse(await readFile(file, "utf8"))).data;
  } catch {
    return undefined; // pulumi itself reports the fault
  }
}

/** The folders of PATH, by what put them there. */
interface PathFolders {
  readonly ofShell: readonly string[];
  readonly ofPackageManager: readonly string[];
}

/**
 * Separates the PATH of the user's shell from what a package manager adds for the commands that it
 * runs. npm, npx and pnpm put folders in front, the last of which is `node-gyp-bin`
 * (`@npmcli/run-script`, `set-path.js`). Others, such as Bun, add `node_modules/.bin` alone.
 */
function splitPath(env: Terminal["env"]): PathFolders {
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  const last = folders.map((folder) => basename(folder)).lastIndexOf("node-gyp-bin");
  if (last >= 0) return { ofPackageManager: folders.slice(0, last), ofShell: folders.slice(last + 1) };
  const isRunByPackageManager = (env.npm_execpath ?? env.npm_config_user_agent) !== undefined;
  const isAdded = (folder: string) => isRunByPackageManager && folder.endsWith(join("node_modules", ".bin"));
  return {
    ofPackageManager: folders.filter(isAdded),
    ofShell: folders.filter((folder) => !isAdded(folder)),
  };
}

function folderWithPlugin(folders: readonly string[]): string | undefined {
  const names = ["pulumi-resource-opsmanager", "pulumi-resource-opsmanager.cmd"];
  return folders.find((folder) => names.some((name) => existsSync(join(folder, name))));
}

function onPath(folders: readonly string[]): Finding | undefined {
  const folder = folderWithPlugin(folders);
  return folder === undefined ? undefined : ok(`The plugin is on PATH, in ${folder}`);
}

const pluginList = z.array(z.object({ name: z.string(), kind: z.string(), version: z.string().optional() }));

async function installed(terminal: PulumiEnvironment): Promise<Finding | undefined> {
  const { exitCode, stdout } = await runPulumi(["plugin", "ls", "--json"], terminal);
  if (exitCode !== 0) return undefined;
  const versions = pluginList
    .parse(JSON.parse(stdout))
    .filter(({ name, kind }) => name === "opsmanager" && kind === "resource")
    .map(({ version }) => version ?? "without a version");
  if (versions.length === 0) return undefined;
  const required = packageVersion();
  const list = versions.join(", ");
  return versions.includes(required)
    ? ok(`The plugin is installed: ${list}`)
    : warning(
        `The plugin is installed as ${list}, but this command has version ${required}.`,
        "Install the plugin of the same version.",
      );
}

function isAtLeast(version: string, least: string): boolean {
  return version.localeCompare(least, "en", { numeric: true }) >= 0;
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}
