/** The command line of `adopt`. */

import { isAbsolute, relative, resolve } from "node:path";
import type { Command } from "commander";
import { type Shard, selectionFault } from "../../projects/select";
import { checkOrganizationIds, collect, folderOption, stackOption } from "../lib/command";
import { DEFAULT_LIST } from "../lib/import-list";
import { UsageError } from "../lib/usage-error";

export interface AdoptOptions {
  readonly org?: string;
  readonly name?: readonly string[];
  readonly tag?: readonly string[];
  readonly out: string;
  readonly importFile: string;
  readonly component: string;
  readonly members?: boolean;
  readonly teams?: boolean;
  readonly keys?: boolean;
  /** `INDEX/COUNT`: only the projects that a program with `select: { shard }` declares. */
  readonly shard?: string;
  readonly stack?: string;
  readonly cwd?: string;
  readonly dryRun?: boolean;
  readonly print?: boolean;
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
    .option("--keys", "include the API keys that have roles in the projects, except the one that adopt uses")
    .option(
      "--shard <index/count>",
      "only the projects of this shard, for a program with select: { shard: { index, count } }",
    )
    .option("--out <folder>", "folder of the project files", "projects")
    .option("--import-file <file>", "list for opsmanager import", DEFAULT_LIST)
    .option("--component <name>", "name of the ProjectFolder in the program", "projects")
    .addOption(
      stackOption("stack whose settings are used and whose state is read (default: the selected one)"),
    )
    .addOption(folderOption("folder of the Pulumi program (default: the current one)"))
    .option("--dry-run", "write nothing, and print how many files would be written and their names")
    .option("--print", "with --dry-run: print the content of each file instead")
    .addHelpText(
      "after",
      "\nA project that has a file, by its key or by its name, is left out. An existing file is never replaced. Each run writes the import list again: what the files declare and the stack does not hold.",
    );
}

/**
 * @param cwd base of relative paths
 * @throws OpsManagerError for invalid values; commander has checked the form
 */
export function checkOptions(options: AdoptOptions, cwd: string): void {
  const { org, out, importFile, component } = options;
  checkOrganizationIds(org === undefined ? [] : [org]);
  shardIn(options);
  if (options.print && !options.dryRun) throw new UsageError("--print: requires --dry-run.");
  if (component.trim() === "") throw new UsageError("--component: must be the name of the ProjectFolder.");
  const inside = relative(resolve(cwd, out), resolve(cwd, importFile));
  if (inside.startsWith("..") || isAbsolute(inside)) return;
  throw new UsageError(
    `--import-file ${importFile} is in the folder of the project files, ${out}, where each file is a project. Name a file outside of it.`,
  );
}

/** @throws UsageError for a value that `select` would reject too */
export function shardIn({ shard: given }: Pick<AdoptOptions, "shard">): Shard | undefined {
  if (given === undefined) return undefined;
  const [index, count] = /^(\d+)\/(\d+)$/.exec(given)?.slice(1).map(Number) ?? [];
  const shard = { index: index ?? Number.NaN, count: count ?? Number.NaN };
  const fault = index === undefined ? "must be INDEX/COUNT, for example 0/4" : selectionFault({ shard });
  if (fault !== undefined) throw new UsageError(`--shard ${given}: ${fault}.`);
  return shard;
}
