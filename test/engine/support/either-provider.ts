/** One Node.js program that reaches the provider through either provider: only what it imports differs, as in a user's program. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import type { Program, ProviderKind, Stack } from "../../support";
import { attachment, type StackSetup, type StackSetupOptions, setUpStack } from "./stack-setup";

/** What a Node.js program imports. */
export const packageOf: Readonly<Record<ProviderKind, string>> = {
  plugin: "pulumi-opsmanager",
  dynamic: "pulumi-opsmanager/dynamic",
};

interface Change {
  /** JavaScript that runs before the resources are made. */
  readonly before?: string;
  /** Whether Pulumi.yaml names the plugin's folder; it does by default. */
  readonly pluginLines?: boolean;
}

/**
 * A stack whose program is Node.js, with either provider. Its runs use the plugin process of the Jest worker, unless real processes are
 * requested or Pulumi.yaml does not name the plugin.
 */
export async function setUpNodeStack(
  provider: ProviderKind,
  {
    program,
    ...options
  }: Omit<StackSetupOptions, "provider" | "program"> & { program: (sandbox: Sandbox) => Program },
  change: Change = {},
): Promise<StackSetup> {
  const setup = await setUpStack({ ...options, provider: "dynamic", program: () => ({}) });
  if (options.processes !== "real") setup.stack.setEnv(await attachment());
  await useProvider(setup.stack, provider, program(setup.sandbox), change);
  return setup;
}

/** Changes the program and the provider of a stack that `setUpNodeStack` made. */
export async function useProvider(
  stack: Stack,
  provider: ProviderKind,
  program: Program,
  { before = "", pluginLines = true }: Change = {},
): Promise<void> {
  await stack.setProgram(program);
  const index = join(stack.paths.program, "index.js");
  const text = await readFile(index, "utf8");
  const [written, wanted] = [`"${packageOf.dynamic}"`, `"${packageOf[provider]}"`];
  if (!text.includes(written)) throw new Error(`${index} does not import ${written}.`);
  await writeFile(index, `${before}\n${text.replaceAll(written, wanted)}`);
  if (!pluginLines) return stack.setEnv({});
  const settings = join(stack.paths.program, "Pulumi.yaml");
  const plugins = { providers: [{ name: "opsmanager", path: "node_modules/pulumi-opsmanager" }] };
  await writeFile(
    settings,
    JSON.stringify({ ...JSON.parse(await readFile(settings, "utf8")), plugins }, null, 2),
  );
}
