/** A sandbox and a stack that is set up to work on it: what every test of a resource starts from. */
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox";
import {
  type ConfigValue,
  createStack,
  disposeStacks,
  isProgramFolder,
  type Program,
  type ProgramFolder,
  type ProviderKind,
  type Stack,
  type StackOptions,
  secret,
} from "../../support";
import { residents } from "../../support/resident";

export interface StackSetupOptions extends Pick<StackOptions, "processes"> {
  /** `plugin` by default. */
  readonly provider?: ProviderKind;
  readonly sandbox?: SandboxOptions;
  /** Ids are made by the sandbox, so the program is written once it runs; `setProgram` changes it later. */
  readonly program: (sandbox: Sandbox) => Program | ProgramFolder;
  /** Beside the address and the key pair of the sandbox. */
  readonly config?: Readonly<Record<string, ConfigValue>>;
  /**
   * `attached` by default: the runs use one plugin process of the Jest worker, by the engine's own
   * PULUMI_DEBUG_PROVIDERS. A run starts the plugin up to three times, which is more than half of its time. `started` leaves
   * that to the engine, for what is about the process: what it writes and inherits, and how it ends. A program in a folder of
   * its own always has it started, and so do runs with an environment of their own (`setEnv`).
   */
  readonly plugin?: "attached" | "started";
}

export interface StackSetup {
  readonly sandbox: Sandbox;
  readonly stack: Stack;
}

const sandboxes = new Set<Sandbox>();

export async function setUpStack({
  provider,
  sandbox: options,
  program,
  config,
  plugin = "attached",
  processes,
}: StackSetupOptions): Promise<StackSetup> {
  const sandbox = await startSandbox(options);
  sandboxes.add(sandbox);
  const written = program(sandbox);
  const attaches =
    plugin === "attached" &&
    provider !== "dynamic" &&
    (!isProgramFolder(written) || written.hosts === "resident");
  const stack = await createStack({
    program: written,
    config: { ...connection(sandbox), ...config },
    ...(provider && { provider }),
    ...(processes && { processes }),
    ...(attaches && { env: await attachment() }),
  });
  return { sandbox, stack };
}

/** The environment of a run that uses the plugin process of this Jest worker. */
export async function attachment(): Promise<{ PULUMI_DEBUG_PROVIDERS: string }> {
  return { PULUMI_DEBUG_PROVIDERS: `opsmanager:${await residents().pluginPort()}` };
}

/** The settings with which a stack reaches a sandbox. */
export function connection({
  baseUrl,
  publicKey,
  privateKey,
}: Pick<Sandbox, "baseUrl" | "publicKey" | "privateKey">): Record<string, ConfigValue> {
  return {
    "opsmanager:baseUrl": baseUrl,
    "opsmanager:publicKey": publicKey,
    "opsmanager:privateKey": secret(privateKey),
  };
}

/** For `setConfig`: without the settings of `connection`. */
export const noConnection = {
  "opsmanager:baseUrl": undefined,
  "opsmanager:publicKey": undefined,
  "opsmanager:privateKey": undefined,
};

/** For `setEnv`: the settings of `connection` in the environment. */
export function connectionInEnvironment({
  baseUrl,
  publicKey,
  privateKey,
}: Pick<Sandbox, "baseUrl" | "publicKey" | "privateKey">) {
  return {
    OPSMANAGER_BASE_URL: baseUrl,
    OPSMANAGER_PUBLIC_KEY: publicKey,
    OPSMANAGER_PRIVATE_KEY: privateKey,
  };
}

/** For `afterEach`: ends and removes every stack and every sandbox that is left. */
export async function tearDownStacks(): Promise<void> {
  await disposeStacks();
  await Promise.all([...sandboxes].map((sandbox) => sandbox.close()));
  sandboxes.clear();
}
