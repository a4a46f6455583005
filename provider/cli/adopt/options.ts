/** The command line of `adopt`. */

import { isAbsolute, relative, resolve } from "node:path";
import type { Command } from "commander";
import { RefusedError } from "../../errors";
import { checkOrganizationIds, collect } from "../command";

export interface Options {
  readonly org?: string;
  readonly name?: readonly string[];
  readonly tag?: readonly string[];
  readonly out: string;
  readonly importFile: string;
  readonly component: string;
  readonly members?: boolean;
  readonly teams?: boolean;
  readonly stack?: string;
  readonly cwd?: string;
  readonly dryRun?: boolean;
}

export function defineOptions(command: Command): void {
  command
    .option(
      "--org <id>",
      "organization whose projects are adopted (default: the one whose projects the key can see)",
    )
    .option(
      "--name <pattern>",
      "only projects with such a name: * any characters, ? one; repeatable",
      collect,
    )
    .option("--tag <pattern>", "only projects with such a tag; repeatable", collect)
    .option("--members", "include people: members and pending invitations")
    .option("--teams", "include the teams of the projects")
    .option("--out <folder>", "folder of the project files", "projects")
    .option("--import-file <file>", "list for pulumi import", "import.json")
    .option("--component <name>", "name of the ProjectFolder in the program", "projects")
    .option(
      "--stack <name>",
      "stack whose settings are used and whose state is read (default: the selected one)",
    )
    .option("--cwd <folder>", "folder of the Pulumi program (default: the current one)")
    .option("--dry-run", "print what would be written, and write nothing")
    .addHelpText(
      "after",
      "\nA project that has a file, by its key or by its name, is left out. An existing file is never replaced.",
    );
}

/**
 * @param cwd base of relative paths
 * @throws OpsManagerError for invalid values; commander has checked the form
 */
export function checkOptions({ org, out, importFile, component }: Options, cwd: string): void {
  checkOrganizationIds(org === undefined ? [] : [org]);
  if (component.trim() === "") throw new RefusedError("--component: must be the name of the ProjectFolder.");
  const inside = relative(resolve(cwd, out), resolve(cwd, importFile));
  if (inside.startsWith("..") || isAbsolute(inside)) return;
  throw new RefusedError(
    `--import-file ${importFile} is in the folder of the project files, ${out}, where each file is a project. Name a file outside of it.`,
  );
}
