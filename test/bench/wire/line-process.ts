/** A process of this row, and asking it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export class LineProcess {
  readonly #child;
  readonly #lines: AsyncIterator<string>;

  constructor(command: string, args: readonly string[]) {
    this.#child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** @param file in this folder */
  static ofTypeScript(file: string): LineProcess {
    return new LineProcess(process.execPath, [join(__dirname, "start.mjs"), join(__dirname, file)]);
  }

  async call<Result>(command: string, argument: unknown = {}): Promise<Result> {
    this.#child.stdin.write(`${JSON.stringify({ [command]: argument })}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`${this.#child.spawnargs.join(" ")} ended without a response.`);
    return JSON.parse(value) as Result;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const over = once(this.#child, "exit");
    this.#child.kill();
    await over;
  }
}
