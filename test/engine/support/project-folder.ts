/** A stack whose program is the component ProjectFolder over a folder of project files. */
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
  readonly files: (sandbox: Sandbox) => FileContents;
  /** JavaScript of the option `select`. */
  readonly select?: string;
  /** JavaScript of the component's third argument. */
  readonly options?: (sandbox: Sandbox) => string;
}

export async function setUpProjectFolder({
  provider,
  files,
  select,
  options,
  ...rest
}: FolderOptions): Promise<StackSetup> {
  const setup = await setUpStack({ ...rest, provider: "dynamic", program: () => ({}) });
  const { stack, sandbox } = setup;
  const args = `{ folder: "projects", provider: "${provider}"${select === undefined ? "" : `, select: ${select}`} }`;
  const program = [
    `const opsmanager = require(${JSON.stringify(packageOf[provider])});`,
    'const { ProjectFolder } = require("pulumi-opsmanager/projects");',
    `const folder = new ProjectFolder("projects", ${args}, ${options?.(sandbox) ?? "{}"});`,
    "exports.projects = folder.projects;",
  ];
  await writeFile(join(stack.paths.program, "index.js"), program.join("\n"));
  if (provider === "plugin") {
    await usePlugin(join(stack.paths.program, "Pulumi.yaml"));
    if (rest.processes !== "real") stack.setEnv(await attachment());
  }
  await writeProjectFiles(setup, files(sandbox));
  return setup;
}

async function usePlugin(settings: string): Promise<void> {
  const plugins = { providers: [{ name: "opsmanager", path: "node_modules/pulumi-opsmanager" }] };
  const before = JSON.parse(await readFile(settings, "utf8"));
  await writeFile(settings, JSON.stringify({ ...before, plugins }, null, 2));
}

/** Writes and deletes files below `projects/`. */
export async function writeProjectFiles({ stack }: StackSetup, files: FileContents): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(stack.paths.program, "projects", name);
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
