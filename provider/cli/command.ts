/** What a command of `opsmanager` is to the program around it. */
import type { Command } from "commander";
import type { Terminal } from "./terminal";

export interface Invocation {
  /** As commander read them; names in camel case. */
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
   * @throws OpsManagerError with what a person has to know; it is printed, and the exit code is 1
   */
  run(invocation: Invocation): Promise<number>;
}
