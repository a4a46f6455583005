/** A sandbox and a stack that is set up to work on it: what every test of a resource starts from. */
import { type Sandbox, type SandboxOptions, startSandbox } from "../../sandbox";
import {
  type ConfigValue,
  createStack,
  type Door,
  disposeStacks,
  type Program,
  type ProgramFolder,
  type Stack,
  secret,
} from "../../support";

export interface EstateOptions {
  /** `plugin` unless said otherwise. */
  readonly door?: Door;
  readonly sandbox?: SandboxOptions;
  /** Ids are made by the sandbox, so the program is written once it runs; `setProgram` changes it later. */
  readonly program: (sandbox: Sandbox) => Program | ProgramFolder;
  /** Beside the address and the key pair of the sandbox. */
  readonly config?: Readonly<Record<string, ConfigValue>>;
}

export interface Estate {
  readonly sandbox: Sandbox;
  readonly stack: Stack;
}

const sandboxes = new Set<Sandbox>();

export async function createEstate({
  door,
  sandbox: options,
  program,
  config,
}: EstateOptions): Promise<Estate> {
  const sandbox = await startSandbox(options);
  sandboxes.add(sandbox);
  const stack = await createStack({
    program: program(sandbox),
    config: { ...connection(sandbox), ...config },
    ...(door && { door }),
  });
  return { sandbox, stack };
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

/** For `afterEach`: ends and removes every stack and every sandbox that is left. */
export async function disposeEstates(): Promise<void> {
  await disposeStacks();
  await Promise.all([...sandboxes].map((sandbox) => sandbox.close()));
  sandboxes.clear();
}
