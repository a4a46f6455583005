/**
 * Reads the provider's settings for a command: the stack's config, then the environment; never the
 * state.
 */
import { resolveSettings, type Settings, type SettingsSources } from "../config";
import { RefusedError } from "../errors";
import { inOneLine } from "../visible-text";
import { findPulumiProject, pulumiMessage, runPulumi } from "./pulumi";
import type { Terminal } from "./terminal";

export interface CommandSettings {
  readonly settings: Settings;
  /** The stack whose config was read; `undefined` if only the environment was. */
  readonly stack: string | undefined;
}

/**
 * @param stack as for `pulumi --stack`; default: the selected one, or only the environment if none
 * is selected
 * @throws ConfigurationError that names every missing and every invalid setting
 * @throws RefusedError if the named stack's config cannot be read
 */
export async function readCommandSettings(
  terminal: Pick<Terminal, "cwd" | "env" | "stop">,
  stack?: string,
): Promise<CommandSettings> {
  const { sources, stack: read } = await readSettingsSources(terminal, stack);
  return { settings: resolveSettings(sources), stack: read };
}

/** Reads the sources of the settings, not yet checked. */
export async function readSettingsSources(
  terminal: Pick<Terminal, "cwd" | "env" | "stop">,
  stack?: string,
): Promise<{ readonly sources: SettingsSources; readonly stack: string | undefined }> {
  const project = await findPulumiProject(terminal.cwd);
  if (project === undefined && stack !== undefined) {
    throw new RefusedError(
      `--stack ${stack}: there is no Pulumi.yaml in ${terminal.cwd} nor above it. Go to the program's folder, or name it with --cwd.`,
    );
  }
  const read = project === undefined ? undefined : await readStackConfig(terminal, stack);
  const sources = {
    args: {},
    stackConfig: read?.config,
    env: terminal.env,
    isDefaultProvider: false,
    directory: project ?? terminal.cwd,
  };
  return { sources, stack: read?.stack };
}

interface StackConfig {
  readonly stack: string;
  /** `opsmanager:` settings, names without the prefix, decrypted. */
  readonly config: Readonly<Record<string, unknown>>;
}

async function readStackConfig(
  terminal: Pick<Terminal, "cwd" | "env" | "stop">,
  stack: string | undefined,
): Promise<StackConfig | undefined> {
  const name = stack ?? (await selectedStack(terminal));
  if (name === undefined) return undefined;
  const result = await runPulumi(["config", "--json", "--show-secrets", "--stack", name], terminal);
  if (result.exitCode !== 0) {
    throw new RefusedError(`The config of stack ${name} cannot be read: ${pulumiMessage(result)}`);
  }
  const entries = Object.entries(JSON.parse(result.stdout) as Record<string, { value?: unknown }>);
  const own = entries.flatMap(([key, { value }]) =>
    key.startsWith("opsmanager:") ? [[key.slice("opsmanager:".length), value]] : [],
  );
  return { stack: name, config: Object.fromEntries(own) };
}

/**
 * The messages of `pulumi` (3.259.0) if no stack is selected, or if the user is not logged in to a
 * back end.
 */
const noStack = /no stack selected|PULUMI_ACCESS_TOKEN must be set|not logged in/i;

/**
 * The selected stack; `undefined` if none is selected, or without a login to a back end: then
 * there is no config to read.
 *
 * @throws RefusedError if that cannot be determined: without the config, objects of a stack would
 * count as unmanaged
 */
async function selectedStack(terminal: Pick<Terminal, "cwd" | "env" | "stop">): Promise<string | undefined> {
  const { exitCode, stdout, stderr } = await runPulumi(["stack", "--show-name"], terminal);
  if (exitCode === 0) return stdout.trim();
  if (noStack.test(stderr)) return undefined;
  throw new RefusedError(`Which stack is selected cannot be found out: ${inOneLine(stderr)}`);
}
