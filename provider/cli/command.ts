/** The interface of a command of `opsmanager`. */
import type { Command } from "commander";
import type { Terminal } from "./terminal";

export interface Invocation {
  /** The options as commander parsed them; names in camel case. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
  readonly terminal: Terminal;
}

export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  /** Declares options, arguments and help. */
  define(command: Command): void;
  /**
   * @returns the exit code
   * @throws OpsManagerError with a message for the user; it is printed, and the exit code is 1
   */
  run(invocation: Invocation): Promise<number>;
}

/** Collects the values of a repeatable option. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}
