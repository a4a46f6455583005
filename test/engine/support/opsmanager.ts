/** The `opsmanager` command as a person runs it in a stack's program folder. */
import type { Terminal } from "../../../cli/lib/terminal";
import type { Stack } from "../../support";
import { type CommandResult, runCommand } from "../../support/command";

/** A command that the test stops gets a `pulumi` of its own, which a signal reaches. */
export async function opsmanager(
  stack: Stack,
  argv: readonly string[],
  { env = {}, ...surroundings }: Partial<Terminal> = {},
): Promise<CommandResult> {
  const own = surroundings.stop ? stack.environment() : await stack.environmentOfCommands();
  return runCommand(argv, { cwd: stack.paths.program, env: { ...own, ...env }, ...surroundings });
}
