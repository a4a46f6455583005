/**
 * Reads the provider's settings for a command: the stack's config, then the environment; never the
 * state.
 */
import { dirname } from "node:path";
import { resolveSettings, type Settings, type SettingsSources } from "../../provider/settings/config";
import { messageOf, RefusedError } from "../../provider/text/errors";
import {
  findPulumiFile,
  noPulumiProject,
  type PulumiEnvironment,
  pulumiMessage,
  runPulumi,
  selectedStack,
} from "./pulumi";

/**
 * @param stack as for `pulumi --stack`; default: the selected one, or only the environment if none
 * is selected
 * @returns the settings, and the stack whose config was read; `undefined` if only the environment
 * was
 * @throws ConfigurationError that names every missing and every invalid setting
 * @throws RefusedError if the named stack's config cannot be read
 */
export async function readCommandSettings(
  terminal: PulumiEnvironment,
  stack?: string,
): Promise<{ readonly settings: Settings; readonly stack: string | undefined }> {
  const { sources, stack: read } = await readSettingsSources(terminal, stack);
  return { settings: resolveSettings(sources), stack: read };
}

/** Reads the sources of the settings, not yet checked. */
export async function readSettingsSources(
  terminal: PulumiEnvironment,
  stack?: string,
): Promise<{ readonly sources: SettingsSources; readonly stack: string | undefined }> {
  const project = findPulumiFile(terminal.cwd);
  if (project === undefined && stack !== undefined) {
    throw new RefusedError(`--stack ${stack} cannot be used. ${noPulumiProject(terminal.cwd)}`);
  }
  const read = project === undefined ? undefined : await readStackConfig(terminal, stack);
  const sources = {
    args: {},
    stackConfig: read?.config,
    env: terminal.env,
    isDefaultProvider: false,
    directory: project === undefined ? terminal.cwd : dirname(project),
  };
  return { sources, stack: read?.stack };
}

/** Reads the `opsmanager:` settings of a stack, names without the prefix, decrypted. */
async function readStackConfig(terminal: PulumiEnvironment, stack: string | undefined) {
  const name = stack ?? (await stackIfSelected(terminal));
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
 * backend. There is no config to read then.
 */
const NO_STACK = /no stack selected|PULUMI_ACCESS_TOKEN must be set|not logged in/i;

/**
 * The selected stack; `undefined` if there is none.
 *
 * @throws RefusedError if that cannot be determined: without the config, objects of a stack would
 * count as unmanaged
 */
function stackIfSelected(terminal: PulumiEnvironment): Promise<string | undefined> {
  return selectedStack(terminal).catch((error: unknown) => {
    if (NO_STACK.test(messageOf(error))) return undefined;
    throw error;
  });
}
