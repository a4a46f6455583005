import { CommandLineError, helpText, parseCommandLine } from "./options";
import { startSandbox } from "./sandbox";

/** What the command needs from its process. */
interface CommandIo {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Aborted when the command is to stop. */
  readonly stop: AbortSignal;
}

/** Exit codes: stopped on request; could not start; invalid command line. */
const exitCodes = { stopped: 0, failed: 1, usage: 64 } as const;

/** Runs the sandbox until a signal stops it. Resolves to the exit code. */
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    const command = parseCommandLine(argv);
    if (command.kind === "help") {
      io.stdout(helpText());
      return exitCodes.stopped;
    }
    const log = command.log ? { log: (line: string) => io.stderr(`${line}\n`) } : {};
    const sandbox = await startSandbox({ ...command.options, ...log });
    const { baseUrl, publicKey, privateKey, orgId, controlUrl, caCert, clientCert, clientKey } = sandbox;
    const tls = { caCert, clientCert, clientKey };
    io.stdout(`${JSON.stringify({ baseUrl, publicKey, privateKey, orgId, controlUrl, ...tls })}\n`);
    await aborted(io.stop);
    await sandbox.close();
    return exitCodes.stopped;
  } catch (error) {
    io.stderr(`sandbox: ${(error as Error).message}\n`);
    return error instanceof CommandLineError ? exitCodes.usage : exitCodes.failed;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
