/** A stack whose program is the component AccessFolder over its own folder. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import type { ProviderKind, Run } from "../../support";
import { nameOf } from "../../support/engine-events";
import { packageOf } from "./either-provider";
import { attachment, type StackSetup, type StackSetupOptions, setUpStack } from "./stack-setup";

/** Content of a project file: text, or values that are written as JSON. `undefined` deletes the file. */
export type FileContents = Readonly<Record<string, string | object | undefined>>;

interface FolderOptions extends Pick<StackSetupOptions, "sandbox" | "config" | "processes"> {
  readonly provider: ProviderKind;
  /** By the path below `projects/`. */
  readonly files: (sandbox: Sandbox) => FileContents;
  /** JavaScript of the option `select`. */
  readonly select?: string;
  /** JavaScript of the component's third argument. */
  readonly options?: (sandbox: Sandbox) => string;
}

export async function setUpAccessFolder({
  provider,
  files,
  select,
  options,
  ...rest
}: FolderOptions): Promise<StackSetup> {
  const setup = await setUpStack({ ...rest, provider: "dynamic", program: () => ({}) });
  const { stack, sandbox } = setup;
  const args = `{ folder: ".", provider: "${provider}"${select === undefined ? "" : `, select: ${select}`} }`;
  const program = [
    `const opsmanager = require(${JSON.stringify(packageOf[provider])});`,
    'const { AccessFolder } = require("pulumi-opsmanager/projects");',
    `const folder = new AccessFolder("access", ${args}, ${options?.(sandbox) ?? "{}"});`,
    "exports.projects = folder.projects;",
  ];
  await writeFile(join(stack.paths.program, "index.js"), program.join("\n"));
  if (provider === "plugin") await attachPlugin(setup, rest.processes !== "real");
  await writeProjectFiles(setup, files(sandbox));
  return setup;
}

/**
 * Makes a Node.js program use the plugin.
 *
 * @param isResident in the process of the Jest worker
 */
export async function attachPlugin({ stack }: StackSetup, isResident = true): Promise<void> {
  const settings = join(stack.paths.program, "Pulumi.yaml");
  const plugins = { providers: [{ name: "opsmanager", path: "node_modules/pulumi-opsmanager" }] };
  const before = JSON.parse(await readFile(settings, "utf8"));
  await writeFile(settings, JSON.stringify({ ...before, plugins }, null, 2));
  if (isResident) stack.setEnv(await attachment());
}

/** Makes the program one in YAML with these resources; the engine then starts the plugin in its folder. */
export async function useYaml(
  { stack }: StackSetup,
  resources: object,
  outputs: Readonly<Record<string, string>>,
): Promise<void> {
  const settings = join(stack.paths.program, "Pulumi.yaml");
  const { name, plugins } = JSON.parse(await readFile(settings, "utf8"));
  const program = { name, plugins, runtime: "yaml", resources, outputs };
  await writeFile(settings, JSON.stringify(program, null, 2));
  await rm(join(stack.paths.program, "index.js"), { force: true });
  stack.setEnv({ PULUMI_DEBUG_PROVIDERS: "" });
}

/** Writes and deletes files below `projects/`. */
export function writeProjectFiles(setup: StackSetup, files: FileContents): Promise<void> {
  return writeFiles(setup, files, "projects");
}

/** Writes and deletes files below a folder of the program. */
export async function writeFiles({ stack }: StackSetup, files: FileContents, folder = "."): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(stack.paths.program, folder, name);
    if (content === undefined) {
      await rm(path);
      continue;
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
}

/** What was recorded, by logical name within its type: `Project payments`. */
export async function recorded({ stack }: StackSetup): Promise<string[]> {
  const { resources } = await stack.state();
  return resources
    .filter(({ type }) => !type.startsWith("pulumi:"))
    .map(({ type, urn }) => `${type.split(":").at(-1)} ${nameOf(urn)}`)
    .sort();
}

/** Counted steps of a run that do something, by type and logical name. */
export function doings(run: Run): string[] {
  return run.steps
    .filter(({ op, logical, refreshed }) => logical && !refreshed && op !== "same")
    .map(({ op, type, name }) => `${op} ${type.split(":").at(-1)} ${name}`)
    .sort();
}

/** The import that `opsmanager adopt` proposes, without questions. */
export const importing = [
  "import",
  "--file",
  "import.json",
  "--protect=false",
  "--generate-code=false",
  "--yes",
  "--skip-preview",
];
