/** The command line of `adopt`. */

import { isAbsolute, relative, resolve } from "node:path";
import type { Command } from "commander";
import { RefusedError } from "../../errors";
import { OBJECT_ID } from "../../object-id";

export interface Options {
  readonly org?: string;
  readonly name?: readonly string[];
  readonly tag?: readonly string[];
  readonly out: string;
  readonly importFile: string;
  readonly component: string;
  readonly members?: boolean;
  readonly stack?: string;
  readonly cwd?: string;
  readonly dryRun?: boolean;
}

export function defineOptions(command: Command): void {
  const collect = (value: string, values: readonly string[] = []) => [...values, value];
  command
    .option(
      "--org <id>",
      "organization whose projects are adopted (default: the one whose projects the key sees)",
    )
    .option(
      "--name <pattern>",
      "only projects with such a name: * any characters, ? one; repeatable",
      collect,
    )
    .option("--tag <pattern>", "only projects with such a tag; repeatable", collect)
    .option("--members", "with people: members and pending invitations")
    .option("--out <folder>", "folder of the project files", "projects")
    .option("--import-file <file>", "list for pulumi import", "import.json")
    .option("--component <name>", "name of the ProjectFolder in the program", "estate")
    .option(
      "--stack <name>",
      "stack whose settings are used and whose state is looked at (default: the selected one)",
    )
    .option("--cwd <folder>", "folder to work in (default: the current one)")
    .option("--dry-run", "print what would be written, and write nothing")
    .addHelpText(
      "after",
      "\nA project that has a file, by its key or by its name, is left out. A file that is there is never written over.",
    );
}

/**
 * @param cwd base of relative paths
 * @throws RefusedError for invalid values; commander has checked the form
 */
export function checkOptions({ org, out, importFile, component }: Options, cwd: string): void {
  if (org !== undefined && !OBJECT_ID.test(org)) {
    throw new RefusedError(`--org ${org}: must be the id of an organization, 24 hexadecimal digits.`);
  }
  if (component.trim() === "") throw new RefusedError("--component: must be the name of the ProjectFolder.");
  const inside = relative(resolve(cwd, out), resolve(cwd, importFile));
  if (inside.startsWith("..") || isAbsolute(inside)) return;
  throw new RefusedError(
    `--import-file ${importFile} lies in the folder of the project files, ${out}, where each file is a project. Name a place outside of it.`,
  );
}
