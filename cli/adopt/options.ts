/** The command line of `adopt`. */

import { isAbsolute, join, relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { componentOf, FOLDERS, type Layout } from "../../projects/access-files";
import { type Shard, selectionFault } from "../../projects/select";
import {
  checkOrganizationIds,
  collect,
  folderFor,
  folderOption,
  layoutOption,
  stackOption,
} from "../lib/command";
import { DEFAULT_LIST } from "../lib/import-list";
import { UsageError } from "../lib/usage-error";

/** What an organization file can list completely. */
export type Complete = "owners" | "members";

export interface GivenOptions {
  readonly org?: string;
  readonly name?: readonly string[];
  readonly tag?: readonly string[];
  readonly layout: Layout;
  readonly out?: string;
  readonly importFile: string;
  readonly component?: string;
  readonly members?: boolean;
  readonly teams?: boolean;
  readonly keys?: boolean;
  /** People of the organization without a role beyond ORG_MEMBER as well. */
  readonly everyone?: boolean;
  readonly complete?: Complete;
  /** `INDEX/COUNT`: only the files that a program with `select: { shard }` declares. */
  readonly shard?: string;
  readonly stack?: string;
  readonly cwd?: string;
  readonly dryRun?: boolean;
  readonly print?: boolean;
}

/** With the defaults that depend on other options. */
export interface AdoptOptions extends GivenOptions {
  readonly out: string;
  readonly component: string;
}

export function defineOptions(command: Command): void {
  command
    .option("--org <id>", "organization that is adopted (default: the one whose projects the key can see)")
    .addOption(layoutOption())
    .option(
      "--name <pattern>",
      "only projects with such a name: * any characters, ? one; repeatable",
      collect,
    )
    .option("--tag <pattern>", "only projects with such a tag; repeatable", collect)
    .option("--members", "include people: members and pending invitations")
    .option("--teams", "include teams")
    .option("--keys", "include API keys, except the one that adopt uses")
    .option("--everyone", "with --layout access: include people of the organization who are only ORG_MEMBER")
    .addOption(
      new Option(
        "--complete <what>",
        "with --layout access: write into the organization file that it lists all owners, or all members",
      ).choices(["owners", "members"] satisfies Complete[]),
    )
    .option(
      "--shard <index/count>",
      "only the files of this shard, for a program with select: { shard: { index, count } }",
    )
    .option(
      "--out <folder>",
      "folder of the files (default: projects, or the current one with --layout access)",
    )
    .option("--import-file <file>", "list for opsmanager import", DEFAULT_LIST)
    .option(
      "--component <name>",
      "name of the component in the program (default: projects, or access with --layout access)",
    )
    .addOption(
      stackOption("stack whose settings are used and whose state is read (default: the selected one)"),
    )
    .addOption(folderOption("folder of the Pulumi program (default: the current one)"))
    .option("--dry-run", "write nothing, and print how many files would be written and their names")
    .option("--print", "with --dry-run: print the content of each file instead")
    .addHelpText(
      "after",
      "\nWhat has a file already, by its key or by its name, is left out. An existing file is never replaced. Each run writes the import list again: what the files declare and the stack does not hold.\n\nWith --layout access, everything is included unless --members, --teams or --keys choose a part of it.",
    );
}

/** @param cwd base of relative paths @throws UsageError for invalid values; commander has checked the form */
export function checkedOptions(given: GivenOptions, cwd: string): AdoptOptions {
  const { layout, org, complete, everyone } = given;
  checkOrganizationIds(org === undefined ? [] : [org]);
  shardIn(given);
  if (given.print && !given.dryRun) throw new UsageError("--print: requires --dry-run.");
  const ofAccess = { "--everyone": everyone, "--complete": complete };
  for (const [option, value] of Object.entries(ofAccess)) {
    if (value !== undefined && layout !== "access")
      throw new UsageError(`${option}: requires --layout access.`);
  }
  const options = withDefaults(given);
  if (options.component.trim() === "")
    throw new UsageError(`--component: must be the name of the ${componentOf[layout]}.`);
  if (complete !== undefined && !(options.members && options.keys)) {
    throw new UsageError("--complete: requires people and API keys. Add --members and --keys.");
  }
  checkImportFile(options, cwd);
  return options;
}

/** In the layout `access`, everything is chosen unless the command line chooses a part of it. */
function withDefaults(given: GivenOptions): AdoptOptions {
  const { layout, out, component, complete, everyone } = given;
  const isAccess = layout === "access";
  const { members, teams, keys } = given;
  const choosesAll = isAccess && !members && !teams && !keys;
  return {
    ...given,
    ...(choosesAll && { members: true, teams: true, keys: true }),
    everyone: everyone === true || complete === "members",
    out: folderFor(layout, out),
    component: component ?? (isAccess ? "access" : "projects"),
  };
}

function checkImportFile({ layout, out, importFile }: AdoptOptions, cwd: string): void {
  const folders = layout === "access" ? FOLDERS.map((kind) => join(out, kind)) : [out];
  const folder = folders.find((each) => isBelow(resolve(cwd, each), resolve(cwd, importFile)));
  if (folder === undefined) return;
  throw new UsageError(
    layout === "access"
      ? `--import-file ${importFile} is in ${folder}, where each file declares something. Name a file outside of it.`
      : `--import-file ${importFile} is in the folder of the project files, ${folder}, where each file is a project. Name a file outside of it.`,
  );
}

function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return !inside.startsWith("..") && !isAbsolute(inside);
}

/** @throws UsageError for a value that `select` would reject too */
export function shardIn({ shard: given }: Pick<GivenOptions, "shard">): Shard | undefined {
  if (given === undefined) return undefined;
  const [index, count] = /^(\d+)\/(\d+)$/.exec(given)?.slice(1).map(Number) ?? [];
  const shard = { index: index ?? Number.NaN, count: count ?? Number.NaN };
  const fault = index === undefined ? "must be INDEX/COUNT, for example 0/4" : selectionFault({ shard });
  if (fault !== undefined) throw new UsageError(`--shard ${given}: ${fault}.`);
  return shard;
}
