/** The plugin's own process: started by the test as the engine would, and counted and watched where the engine starts it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { repositoryRoot, type Stack } from "../../support";

export const launcher = join(repositoryRoot, "pulumi-resource-opsmanager");

export interface PluginProcess {
  readonly port: number;
  readonly child: ChildProcess;
  /** Everything on stdout so far. */
  stdout(): string;
  /** Everything on stderr so far. */
  stderr(): string;
  /** Resolves when the process has ended and all that it wrote is here. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Each with its end. */
const running = new Map<ChildProcess, Promise<unknown>>();

/** Resolves when the plugin has printed its port. */
export async function startPlugin(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<PluginProcess> {
  // Without a home of Pulumi, the process caches no compiled code on this machine.
  const child = spawn(process.execPath, [launcher, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PULUMI_HOME: join(repositoryRoot, "no-pulumi-home"), ...env },
  });
  const written = { stdout: "", stderr: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    written.stderr += text;
  });
  const ended = once(child, "close").then(([code, signal]) => {
    running.delete(child);
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  running.set(child, ended);
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      written.stdout += text;
      if (written.stdout.includes("\n")) resolve(Number(written.stdout.split("\n")[0]));
    });
    ended.then(
      () => reject(new Error(`the plugin ended before it printed its port: ${JSON.stringify(written)}`)),
      reject,
    );
  });
  return { port, child, ended, stdout: () => written.stdout, stderr: () => written.stderr };
}

// The bench starts plugins too, outside of Jest, and ends them itself.
if ("afterAll" in globalThis) afterAll(endPlugins);

/** For `afterEach`: ends what tests left running. The end of a test file does so anyway. */
export async function endPlugins(): Promise<void> {
  await Promise.all(
    [...running].map(([child, ended]) => {
      child.kill("SIGKILL");
      return ended;
    }),
  );
}

/** Code that runs first in every plugin process of the environment that is returned. */
export async function preload(folder: string, code: string): Promise<{ NODE_OPTIONS: string }> {
  const hook = join(folder, "preload-plugin.cjs");
  await writeFile(hook, `if (/pulumi-resource-opsmanager$/.test(process.argv[1] ?? "")) {\n${code}\n}\n`);
  return { NODE_OPTIONS: `--require=${hook}` };
}

/**
 * Makes every plugin process of the stack's runs leave its id; each call of the result gives those since the last one.
 *
 * @param code that runs in each of them as well
 */
export async function recordPluginProcesses(
  stack: Stack,
  code: string,
  env: Readonly<Record<string, string>>,
): Promise<() => Promise<number[]>> {
  const log = join(stack.paths.root, "plugins.log");
  const line = `require("node:fs").appendFileSync(${JSON.stringify(log)}, process.pid + "\\n");`;
  await writeFile(log, "");
  stack.setEnv({ ...(await preload(stack.paths.root, `${line}\n${code}`)), ...env });
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

export interface PluginWatch {
  /** For the processes to be watched. */
  readonly env: Readonly<Record<string, string>>;
  /** Ids of the processes that are running. */
  running(): number[];
  /** Resolves when every process that was there has ended, whatever its parent is by then. */
  allEnded(): Promise<void>;
  /** Ends what is still running, and the watch. */
  close(): void;
}

const watches = new Set<() => void>();

/** Each process holds a connection to the test, which the kernel closes with the process: an end that needs no polling. */
export async function watchPlugins(folder: string, code = ""): Promise<PluginWatch> {
  const pids = new Set<number>();
  const waiting = new Set<() => void>();
  const server = createServer((socket) => {
    let pid = 0;
    socket.on("error", () => {}); // a killed process resets it
    socket.once("data", (data) => {
      pid = Number(data);
      pids.add(pid);
    });
    socket.once("close", () => {
      pids.delete(pid);
      if (pids.size === 0) for (const resolve of waiting) resolve();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = (): void => {
    watches.delete(close);
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, "SIGKILL");
    server.close();
  };
  watches.add(close);
  const { port } = server.address() as AddressInfo;
  const connect = `require("node:net").connect(${port}, "127.0.0.1").unref().write(String(process.pid));`;
  return {
    env: await preload(folder, `${connect}\n${code}`),
    running: () => [...pids],
    allEnded: () => new Promise((resolve) => (pids.size === 0 ? resolve() : waiting.add(resolve))),
    close,
  };
}

/** For `afterEach`: closes every watch that is left. */
export function endWatches(): void {
  for (const close of watches) close();
}
