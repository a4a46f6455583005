/**
 * A `pulumi` on PATH for the commands of `opsmanager`. It is a small process that passes its
 * command line to this process, which runs it in the resident command line. What needs real
 * processes gets them.
 */
import { rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import type { ProcessResult } from "../child-process";

export interface PulumiRequest {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
}

/** What the command came to, or the executable that is to run it. */
export type PulumiResponse =
  | Pick<ProcessResult, "exitCode" | "stdout" | "stderr">
  | { readonly command: string };

/** The variable that holds the address of the test's socket. */
const addressVariable = "OPSMANAGER_TEST_PULUMI";

const folder = join(__dirname, "bin");

export class PulumiOnPath {
  private constructor(
    private readonly server: Server,
    private readonly address: string,
  ) {}

  /** @param address of a socket file that does not exist */
  static async start(
    address: string,
    response: (request: PulumiRequest) => Promise<PulumiResponse>,
  ): Promise<PulumiOnPath> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on("error", () => socket.destroy());
      createInterface({ input: socket }).once("line", (line) => {
        const { environment, ...rest }: PulumiRequest = JSON.parse(line);
        const { PATH = "", ...others } = environment;
        const own = {
          PATH: PATH.split(delimiter)
            .filter((entry) => entry !== folder)
            .join(delimiter),
        };
        response({ ...rest, environment: { ...others, ...own } }).then(
          (result) => socket.end(JSON.stringify(result)),
          (error: unknown) =>
            socket.end(JSON.stringify({ exitCode: 255, stdout: "", stderr: String(error) })),
        );
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(address, resolve);
    });
    server.unref();
    return new PulumiOnPath(server, address);
  }

  /** The environment of a command that finds this `pulumi` first. */
  environment(own: Readonly<Record<string, string>>): Record<string, string> {
    return { ...own, PATH: [folder, own.PATH].join(delimiter), [addressVariable]: this.address };
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.address, { force: true });
  }
}
