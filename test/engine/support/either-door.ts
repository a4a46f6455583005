/** One Node.js program that reaches the provider through either door: only what it imports differs, as in a user's program. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import type { Door, Program, Stack } from "../../support";
import { createEstate, type Estate, type EstateOptions } from "./estate";

const imports: Readonly<Record<Door, string>> = {
  plugin: '"pulumi-opsmanager"',
  dynamic: '"pulumi-opsmanager/dynamic"',
};

interface Change {
  /** JavaScript that runs before the resources are made. */
  readonly before?: string;
  /** Whether Pulumi.yaml says where the plugin is; it does unless said otherwise. */
  readonly pluginLines?: boolean;
}

/** A stack whose program is Node.js, through whichever door. */
export async function createNodeEstate(
  door: Door,
  {
    program,
    ...options
  }: Omit<EstateOptions, "door" | "program"> & { program: (sandbox: Sandbox) => Program },
  change: Change = {},
): Promise<Estate> {
  const estate = await createEstate({ ...options, door: "dynamic", program: () => ({}) });
  await useDoor(estate.stack, door, program(estate.sandbox), change);
  return estate;
}

/** Changes the program and the door of a stack that `createNodeEstate` made. */
export async function useDoor(
  stack: Stack,
  door: Door,
  program: Program,
  { before = "", pluginLines = true }: Change = {},
): Promise<void> {
  await stack.setProgram(program);
  const index = join(stack.paths.program, "index.js");
  const text = await readFile(index, "utf8");
  if (!text.includes(imports.dynamic)) throw new Error(`${index} does not import ${imports.dynamic}.`);
  await writeFile(index, `${before}\n${text.replaceAll(imports.dynamic, imports[door])}`);
  if (!pluginLines) return;
  const settings = join(stack.paths.program, "Pulumi.yaml");
  const plugins = { providers: [{ name: "opsmanager", path: "node_modules/pulumi-opsmanager" }] };
  await writeFile(
    settings,
    JSON.stringify({ ...JSON.parse(await readFile(settings, "utf8")), plugins }, null, 2),
  );
}
