/**
 * A provider that does nothing, in a process of its own. With it, an operation takes the time of the engine, the program and the
 * state file. It can also send plain requests in each Read, as providers do that read each resource by itself.
 */
import { LineProcess } from "./wire/line-process";

/** What each Read requests of the sandbox. */
export interface PlainReads {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly privateKey: string;
  /**
   * `1`: the client keeps the nonce of the first challenge. `2`: the client requests a challenge for each call, as
   * `mongodb-forks/digest` does.
   */
  readonly requestsPerRead: 1 | 2;
}

export interface EmptyProvider {
  /** Makes the engine attach to it. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** @param plainReads left out, a Read sends no request */
export async function startEmptyProvider(plainReads?: PlainReads): Promise<EmptyProvider> {
  const process = LineProcess.ofTypeScript("../empty-provider-process.ts");
  const { port } = await process.call<{ port: number }>("start", plainReads);
  return {
    env: { PULUMI_DEBUG_PROVIDERS: `opsmanager:${port}` },
    close: () => process.close(),
  };
}
