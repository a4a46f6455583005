/** The `opsmanager` command as a person runs it in a stack's program folder. */
import type { Terminal } from "../../../provider/cli/terminal";
import type { Stack } from "../../support";
import { type CommandResult, runCommand } from "../../support/command";

export function opsmanager(
  stack: Stack,
  argv: readonly string[],
  surroundings: Partial<Terminal> = {},
): Promise<CommandResult> {
  return runCommand(argv, { cwd: stack.paths.program, env: stack.environment(), ...surroundings });
}
