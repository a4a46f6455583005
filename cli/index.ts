/** Lists the commands, and starts and ends them. */
import { Command, CommanderError } from "commander";
import { OpsManagerError, stackOf } from "../provider/text/errors";
import { visibleLines } from "../provider/text/visible-text";
import { packageVersion } from "../provider/version";
import { access } from "./access";
import { adopt } from "./adopt";
import { doctor } from "./doctor";
import { drift } from "./drift";
import { importList } from "./import";
import { type CliCommand, invocation } from "./lib/command";
import { type Terminal, withoutCiCommands } from "./lib/terminal";
import { UsageError } from "./lib/usage-error";
import { offboard } from "./offboard";
import { sandbox } from "./sandbox";
import { summarize } from "./summarize";
import { validate } from "./validate";
import { verify } from "./verify";

export { processTerminal } from "./lib/terminal";

const COMMANDS: readonly CliCommand[] = [
  drift,
  access,
  offboard,
  adopt,
  importList,
  validate,
  summarize,
  doctor,
  verify,
  sandbox,
];

/** An operation failed, or a result is unknown. */
const EXIT_FAILED = 1;
/** The command line is invalid. No result of a command has this code; it is EX_USAGE of sysexits.h. */
const EXIT_USAGE = 64;

/**
 * The command line with all of its commands.
 *
 * @param finish receives the exit code of the command that ran
 */
export function commandLine(terminal: Terminal, finish: (exitCode: number) => void): Command {
  const program = new Command("opsmanager")
    .description(
      "Projects of MongoDB Ops Manager and Cloud Manager, and who can reach them, declared in Pulumi.",
    )
    .version(packageVersion())
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: terminal.stdout,
      writeErr: terminal.stderr,
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    });
  for (const command of COMMANDS) {
    const subcommand = program.command(command.name).description(command.summary);
    command.define(subcommand);
    const examples = command.examples.map(
      (example) => `  ${invocation(terminal)} ${command.name} ${example}`,
    );
    subcommand.addHelpText(
      "after",
      ["\nExamples:", ...examples.map((example) => example.trimEnd())].join("\n"),
    );
    subcommand.action(async () => {
      finish(await command.run({ options: subcommand.opts(), args: subcommand.args, terminal }));
    });
  }
  return program;
}

/**
 * Runs one command line.
 *
 * @param argv without the program's own name
 * @returns the exit code
 */
export async function run(argv: readonly string[], outer: Terminal): Promise<number> {
  const terminal = withoutCiCommands(outer);
  let code = 0;
  const program = commandLine(terminal, (exitCode) => {
    code = exitCode;
  });
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    terminal.stderr(`opsmanager: ${errorText(error)}\n`);
    return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
  }
}

/** The text of an error. An unexpected one is a fault of the command, so its stack is included. */
function errorText(error: unknown): string {
  return error instanceof OpsManagerError ? visibleLines(error.message) : stackOf(error);
}
