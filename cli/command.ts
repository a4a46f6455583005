/** The interface of a command of `opsmanager`, and what commands share about options. */
import type { Command } from "commander";
import { ConfigurationError } from "../provider/text/errors";
import { OBJECT_ID } from "../provider/text/object-id";
import type { Terminal } from "./terminal";

interface Invocation {
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

/** @throws ConfigurationError that names each value of `--org` that is no id */
export function checkOrganizationIds(ids: readonly string[]): void {
  const faults = ids
    .filter((id) => !OBJECT_ID.test(id))
    .map((id) => `--org ${id}: must be the id of an organization, 24 hexadecimal digits.`);
  if (faults.length > 0) throw new ConfigurationError(faults);
}
