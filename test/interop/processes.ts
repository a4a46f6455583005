/** Commands that end by themselves, and servers that run for a while. All of it is bounded in time. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { Missing } from "./peer";

const execute = promisify(execFile);

type Environment = Readonly<Record<string, string>>;

/** @returns what it printed */
export async function run(command: string, args: readonly string[], env: Environment = {}, cwd?: string) {
  const options = { env: { ...process.env, ...env }, cwd, timeout: 300_000, maxBuffer: 64 * 1024 * 1024 };
  return (await execute(command, args, options)).stdout;
}

/** @throws Missing with this advice when the command does not run */
export async function need(command: string, args: readonly string[], advice: string): Promise<void> {
  await run(command, args).catch(() => {
    throw new Missing(advice);
  });
}

export interface Running {
  /** What it had printed when it was ready. */
  readonly printed: string;
  stop(): Promise<void>;
}

/** Starts a server and waits until its output, or `isReady`, reports that it is ready. */
export async function start(
  command: string,
  args: readonly string[],
  isReady: (printed: string) => boolean | Promise<boolean>,
  env: Environment = {},
): Promise<Running> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const over = once(child, "close").catch(() => {});
  const stop = async () => {
    child.stdin.destroy();
    child.kill();
    await over;
  };
  const deadline = Date.now() + 30_000;
  while (!(await isReady(printed))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`${command} did not start:\n${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { printed, stop };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("The port is not known.");
  return address.port;
}

/** Whether a server responds at this address, whatever the response. */
export async function responses(address: string): Promise<boolean> {
  return fetch(address, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => response.arrayBuffer().then(() => true),
    () => false,
  );
}
