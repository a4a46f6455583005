import { execFile, spawn } from "node:child_process";
import { once } from "node:events";

export interface ProcessResult {
  /** `null` where a signal ended the process. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams in the order they came, as a person would see them. */
  readonly output: string;
}

export interface RunningProcess {
  readonly pid: number;
  readonly finished: Promise<ProcessResult>;
  /** What Ctrl-C does. */
  interrupt(): void;
  /** Ends the process and everything it has started. */
  kill(): Promise<void>;
  /** Ends the process alone, as a machine does that runs out of memory. The result ends what it has left behind. */
  killAlone(): Promise<() => void>;
  /** Resolves as soon as the output so far matches; rejects where the process ends before it does. */
  outputMatches(pattern: RegExp): Promise<void>;
}

export interface ProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export function startProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): RunningProcess {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const captured = { stdout: "", stderr: "", output: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      captured[stream] += text;
      captured.output += text;
    });
  }
  const finished = once(child, "close").then(([exitCode]) => ({
    exitCode: exitCode as number | null,
    ...captured,
  }));
  return {
    pid: child.pid ?? -1,
    finished,
    interrupt: () => void child.kill("SIGINT"),
    kill: async () => {
      if (child.pid !== undefined && child.exitCode === null) killAll(await treeOf(child.pid));
      await finished.catch(() => {});
    },
    killAlone: async () => {
      const [, ...descendants] = await treeOf(child.pid ?? -1);
      child.kill("SIGKILL");
      return () => killAll(descendants);
    },
    outputMatches: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => pattern.test(captured.output) && resolve();
        check();
        child.stdout.on("data", check);
        child.stderr.on("data", check);
        finished.then(
          () => reject(new Error(`ended without printing ${pattern}:\n${captured.output}`)),
          reject,
        );
      }),
  };
}

/** The process and all that descend from it. The engine puts its plugins in process groups of their own, so a group is not enough. */
export async function treeOf(root: number): Promise<number[]> {
  const childrenOf = await processTable();
  const tree = [root];
  for (const pid of tree) tree.push(...(childrenOf.get(pid) ?? []));
  return tree;
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // it has ended by itself meanwhile
    }
  }
}

async function processTable(): Promise<Map<number, number[]>> {
  const listing = await new Promise<string>((resolve) => {
    execFile("ps", ["-A", "-o", "pid=,ppid="], (_error, stdout) => resolve(stdout));
  });
  const childrenOf = new Map<number, number[]>();
  for (const line of listing.trim().split("\n")) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    if (pid === undefined || parent === undefined) continue;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
  }
  return childrenOf;
}
