/** A resident child process: it takes requests on stdin and writes responses to stdout, one line of JSON each, in the same order. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

interface Waiting {
  resolve(response: string): void;
  reject(error: Error): void;
}

/** It ends with its parent, because its stdin closes then, and never keeps its parent alive. */
export class JsonProcess {
  /** What the process printed on stderr so far. */
  stderr = "";
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly waiting: Waiting[] = [];
  private readonly responses: string[] = [];
  private end: Error | undefined;

  /** @param name of the process, for messages about its end */
  constructor(
    name: string,
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
  ) {
    const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"] });
    this.child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      const waiting = this.waiting.shift();
      if (waiting === undefined) this.responses.push(line);
      else waiting.resolve(line);
      if (this.waiting.length === 0) pipeOf(child.stdout).unref();
    });
    child.stdin.on("error", () => {}); // The end of the process is reported by "close".
    child.on("error", (error) => this.fail(error));
    child.on("close", (code, signal) => {
      this.fail(new Error(`${name} ended (${signal ?? code}). It printed:\n${this.stderr}`));
    });
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr]) pipeOf(stream).unref();
  }

  get isAlive(): boolean {
    return this.end === undefined;
  }

  /** @throws an error with what the process printed, if it ends before it responds */
  request<Response>(message: unknown): Promise<Response> {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
    return this.nextResponse();
  }

  /** For the line that a process writes unasked, when it has started. */
  async nextResponse<Response>(): Promise<Response> {
    const line = this.responses.shift() ?? (await this.nextLine());
    return JSON.parse(line) as Response;
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }

  /** Keeps the parent alive until the response arrives. */
  private nextLine(): Promise<string> {
    if (this.end !== undefined) return Promise.reject(this.end);
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
