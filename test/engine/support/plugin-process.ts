/** The plugin's own process: started by hand as the engine would, and counted where the engine starts it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repositoryRoot, type Stack } from "../../support";

export const launcher = join(repositoryRoot, "pulumi-resource-opsmanager");

export interface PluginProcess {
  readonly port: number;
  readonly child: ChildProcess;
  /** Everything on stdout so far. */
  stdout(): string;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const running = new Set<ChildProcess>();

/** Resolves when the plugin has said its port. */
export async function startPlugin(args: readonly string[] = []): Promise<PluginProcess> {
  const child = spawn(process.execPath, [launcher, ...args], { stdio: ["pipe", "pipe", "inherit"], env: {} });
  running.add(child);
  let stdout = "";
  const ended = once(child, "exit").then(([code, signal]) => {
    running.delete(child);
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (stdout.includes("\n")) resolve(Number(stdout.split("\n")[0]));
    });
    ended.then(() => reject(new Error(`the plugin ended before it said its port: ${stdout}`)), reject);
  });
  return { port, child, ended, stdout: () => stdout };
}

/** For `afterEach`: ends what a test left running. */
export async function endPlugins(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }),
  );
}

/** Makes every plugin process of the stack's runs leave its id; each call of the result gives those since the last one. */
export async function recordPluginProcesses(stack: Stack): Promise<() => Promise<number[]>> {
  const hook = join(stack.paths.root, "record-plugins.cjs");
  const log = join(stack.paths.root, "plugins.log");
  const line = 'require("node:fs").appendFileSync(process.env.PLUGIN_LOG, process.pid + "\\n")';
  await writeFile(hook, `if (/pulumi-resource-opsmanager$/.test(process.argv[1] ?? "")) ${line};\n`);
  await writeFile(log, "");
  stack.setEnv({ NODE_OPTIONS: `--require=${hook}`, PLUGIN_LOG: log });
  return async () => {
    const lines = (await readFile(log, "utf8")).split("\n").filter((pid) => pid !== "");
    await writeFile(log, "");
    return lines.map(Number);
  };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
