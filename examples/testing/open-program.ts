import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { type Sandbox, type SandboxOptions, startSandbox } from "pulumi-opsmanager/sandbox";

export interface OpenProgram {
  readonly sandbox: Sandbox;
  readonly stack: Stack;
  close(): Promise<void>;
}

/** A stack of the program in this folder, on a service of its own. Its state is in a temporary folder. */
export async function openProgram(options: SandboxOptions = {}): Promise<OpenProgram> {
  const workDir = process.cwd();
  const sandbox = await startSandbox(options);
  const state = await mkdtemp(join(tmpdir(), "program-state-"));
  const stackName = `test-${process.pid}`;
  const stack = await LocalWorkspace.createStack(
    { stackName, workDir },
    {
      envVars: {
        PULUMI_BACKEND_URL: `file://${state}`,
        PULUMI_CONFIG_PASSPHRASE: "only for tests",
        PULUMI_NODEJS_TRANSPILE_ONLY: "true", // `tsc` checks the types once, instead of each run.
        OPSMANAGER_BASE_URL: sandbox.baseUrl,
        OPSMANAGER_PUBLIC_KEY: sandbox.publicKey,
        OPSMANAGER_PRIVATE_KEY: sandbox.privateKey,
      },
    },
  );
  await stack.setConfig("orgId", { value: sandbox.orgId });
  return {
    sandbox,
    stack,
    close: async () => {
      await sandbox.close();
      await rm(join(workDir, `Pulumi.${stackName}.yaml`), { force: true });
      await rm(state, { recursive: true });
    },
  };
}
