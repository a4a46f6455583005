/** The interface of a command of `opsmanager`, and what commands share about options. */
import { type Command, Option } from "commander";
import { z } from "zod";
import { OBJECT_ID } from "../../provider/text/object-id";
import type { Terminal } from "./terminal";
import { UsageError } from "./usage-error";

interface Invocation {
  /** The options as commander parsed them; names in camel case. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
  readonly terminal: Terminal;
}

export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  /** What the help shows as examples: what follows the name of the command. */
  readonly examples: readonly [string, string, ...string[]];
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

/** Names the stack, in each command that has one. */
export function stackOption(description: string): Option {
  return new Option("-s, --stack <name>", description);
}

/** Names the folder of the Pulumi program, in each command that has one. */
export function folderOption(description = "folder of the Pulumi program; default: the current one"): Option {
  return new Option("-C, --cwd <folder>", description);
}

/** How to start the command again from where it was started: npm's commands do not put it on PATH. */
export function invocation({ env }: Pick<Terminal, "env">): string {
  return env.npm_command === undefined ? "opsmanager" : "npx --no-install opsmanager";
}

/** @throws UsageError that names each value of `--org` that is no id */
export function checkOrganizationIds(ids: readonly string[]): void {
  const faults = ids
    .filter((id) => !OBJECT_ID.test(id))
    .map((id) => `--org ${id}: must be the id of an organization, 24 hexadecimal digits.`);
  if (faults.length > 0) throw new UsageError(faults);
}

/** `--org`, in each command that searches what a person can reach. */
export function searchedOrganizations(): Option {
  return new Option(
    "--org <id>",
    "organization to search, repeatable; default: all that the API key can see",
  ).argParser(collect);
}

/** The argument of each command that reads files, and its default. */
export const FOLDER_ARGUMENT = ["[folder]", "folder with projects, teams and organizations", "."] as const;

/**
 * A day or a time of an option. Without a zone it is UTC.
 *
 * @returns `undefined` if it was not given
 * @throws UsageError
 */
export function timeOption(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const isTime = z.union([
    z.iso.date(),
    z.iso.datetime({ offset: true, precision: -1 }),
    z.iso.datetime({ offset: true }),
  ]);
  if (isTime.safeParse(text).success && Date.parse(text) <= Date.now()) return new Date(text);
  throw new UsageError(
    `${option} ${text}: must be a day or a time with its zone, not in the future, as 2026-11-24 or 2026-11-24T10:00Z.`,
  );
}
