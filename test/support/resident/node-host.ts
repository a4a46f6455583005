/** The parent's side of `node-host-process.cjs`: starts the process, announces commands to it, and ends it. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** `programs` is a language host for `nodejs`; `providers` runs dynamic providers for their launchers. */
export type NodeHostRole = "programs" | "providers";

/** A process that evaluates programs or dynamic providers for many `pulumi` commands, one command at a time. */
export interface NodeHost {
  readonly port: number;
  readonly pid: number;
  readonly alive: boolean;
  /** What the process printed on stderr so far. */
  readonly stderr: string;
  /** Announces the next command. Its programs see this environment and this working directory. */
  begin(environment: Readonly<Record<string, string>>, cwd: string): Promise<void>;
  kill(): void;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** The process ends with its parent, because it reads its standard input. It never keeps its parent alive. */
export async function startNodeHost(role: NodeHostRole): Promise<NodeHost> {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const child = spawn(process.execPath, [join(__dirname, "node-host-process.cjs"), role], {
    env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const connection = new Connection(child, role);
  const { port } = await connection.nextAnswer<{ port: number }>();
  return {
    port,
    pid: child.pid ?? -1,
    get alive() {
      return connection.end === undefined;
    },
    get stderr() {
      return connection.stderr;
    },
    begin: async (environment, cwd) => {
      child.stdin.write(`${JSON.stringify({ begin: { environment, cwd } })}\n`);
      await connection.nextAnswer();
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

interface Waiting {
  resolve(answer: string): void;
  reject(error: Error): void;
}

/** Answers arrive in the order of the questions, one line each. */
class Connection {
  stderr = "";
  end: Error | undefined;
  private readonly waiting: Waiting[] = [];
  private readonly answers: string[] = [];

  constructor(
    private readonly child: Child,
    role: NodeHostRole,
  ) {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      const waiting = this.waiting.shift();
      if (waiting === undefined) this.answers.push(line);
      else waiting.resolve(line);
      if (this.waiting.length === 0) pipeOf(child.stdout).unref();
    });
    child.stdin.on("error", () => {}); // The end of the process is reported by "close".
    child.on("error", (error) => this.fail(error));
    child.on("close", (code, signal) => {
      this.fail(new Error(`The host of ${role} ended (${signal ?? code}). It printed:\n${this.stderr}`));
    });
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr]) pipeOf(stream).unref();
  }

  async nextAnswer<Answer>(): Promise<Answer> {
    if (this.end !== undefined) throw this.end;
    const line = this.answers.shift() ?? (await this.nextLine());
    return JSON.parse(line) as Answer;
  }

  /** Keeps the parent alive until the answer arrives. */
  private nextLine(): Promise<string> {
    pipeOf(this.child.stdout).ref();
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  private fail(error: Error): void {
    this.end ??= error;
    for (const { reject } of this.waiting.splice(0)) reject(this.end);
  }
}

/** The pipes of a child process are sockets, which their types do not state. */
function pipeOf(stream: Readable | Writable): Socket {
  return stream as Socket;
}
