/**
 * The messages between the processes of this row: a line of JSON on stdin with one command, `{"run": {...}}`, and a line of
 * JSON on stdout with its response. The client in Go speaks it too.
 */
import { createInterface } from "node:readline";

export interface Endpoint {
  readonly origin: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly projectId: string;
}

/** How the service is to respond. */
export interface Manner {
  /** Requests that a nonce serves before it is stale; left out, any number. */
  readonly usesOfNonce?: number;
  /** Every response names the next nonce (RFC 7616 section 3.5). */
  readonly namesNext?: boolean;
  /** What a response takes besides its work; left out, nothing. */
  readonly milliseconds?: number;
}

/** The counts of the service since the last `count`. */
export interface Counted {
  readonly requests: number;
  readonly refused: number;
}

/** `open`: starts again, with no connection and no nonce. */
export interface Opening extends Endpoint {
  /** Address of the project, complete. */
  readonly address: string;
  /** What comes before `/api/public/v1.0` in it. */
  readonly baseUrl: string;
  readonly atOnce: number;
}

/** `run`: so many calls, `atOnce` at a time. */
export interface Load {
  readonly calls: number;
}

export interface Outcome {
  readonly seconds: number;
  /** User and system time of the client's process. */
  readonly cpuSeconds: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  /** Calls that ended without the project. */
  readonly failed: number;
}

// biome-ignore lint/suspicious/noExplicitAny: what comes is what the other process of this row was given
type Commands = Readonly<Record<string, (argument: any) => unknown>>;

/** Responses one command after the other until stdin ends. */
export function responseLines(commands: Commands): void {
  const lines = createInterface({ input: process.stdin });
  let last = Promise.resolve();
  lines.on("line", (line) => {
    last = last.then(async () => {
      const [[name = "", argument] = []] = Object.entries(JSON.parse(line) as Record<string, unknown>);
      process.stdout.write(`${JSON.stringify(await commands[name]?.(argument))}\n`);
    });
  });
  lines.on("close", () => process.exit());
}
