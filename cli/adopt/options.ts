/** The command line of `adopt`. */

import { isAbsolute, join, relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { FOLDERS } from "../../projects/access-files";
import { type Shard, selectionFault } from "../../projects/select";
import { checkOrganizationIds, collect, folderOption, stackOption } from "../lib/command";
import { DEFAULT_LIST } from "../lib/import-list";
import { UsageError } from "../lib/usage-error";

/** What an organization file can list completely. */
export type Complete = "owners" | "members";

export interface GivenOptions {
  readonly org?: string;
  readonly name?: readonly string[];
  readonly tag?: readonly string[];
  readonly out: string;
  readonly importFile: string;
  readonly component: string;
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
  /** Teams and the organization are adopted too, not just chosen projects. */
  readonly isWhole: boolean;
}

export function defineOptions(command: Command): void {
  command
    .option("--org <id>", "organization that is adopted (default: the one whose projects the key can see)")
    .option(
      "--name <pattern>",
      "only projects with such a name, and no teams and organization: * any characters, ? one; repeatable",
      collect,
    )
    .option("--tag <pattern>", "only projects with such a tag, likewise; repeatable", collect)
    .option("--members", "include people: members and pending invitations")
    .option("--teams", "include teams")
    .option("--keys", "include API keys, except the one that adopt uses")
    .option("--everyone", "include people of the organization who are only ORG_MEMBER")
    .addOption(
      new Option(
        "--complete <what>",
        "write into the organization file that it lists all owners, or all members",
      ).choices(["owners", "members"] satisfies Complete[]),
    )
    .option(
      "--shard <index/count>",
      "only the files of this shard, for a program with select: { shard: { index, count } }",
    )
    .option("--out <folder>", "folder with projects, teams and organizations", ".")
    .option("--import-file <file>", "list for opsmanager import", DEFAULT_LIST)
    .option("--component <name>", "name of the AccessFolder in the program", "access")
    .addOption(
      stackOption("stack whose settings are used and whose state is read (default: the selected one)"),
    )
    .addOption(folderOption("folder of the Pulumi program (default: the current one)"))
    .option("--dry-run", "write nothing, and print how many files would be written and their names")
    .option("--print", "with --dry-run: print the content of each file instead")
    .addHelpText(
      "after",
      "\nWhat has a file already, by its key or by its name, is left out. An existing file is never replaced. Each run writes the import list again: what the files declare and the stack does not hold.\n\nEverything is included unless --members, --teams or --keys choose a part of it.",
    );
}

/** @param cwd base of relative paths @throws UsageError for invalid values; commander has checked the form */
export function checkedOptions(given: GivenOptions, cwd: string): AdoptOptions {
  const { org, component, complete, everyone } = given;
  checkOrganizationIds(org === undefined ? [] : [org]);
  shardIn(given);
  if (given.print && !given.dryRun) throw new UsageError("--print: requires --dry-run.");
  if (component.trim() === "") throw new UsageError("--component: must be the name of the AccessFolder.");
  const options = withDefaults(given);
  for (const [option, value] of Object.entries({ "--everyone": everyone, "--complete": complete })) {
    if (value !== undefined && !options.isWhole)
      throw new UsageError(`${option}: requires the whole organization, without --name and --tag.`);
  }
  if (complete !== undefined && !(options.members && options.keys)) {
    throw new UsageError("--complete: requires people and API keys. Add --members and --keys.");
  }
  checkImportFile(options, cwd);
  return options;
}

/** Everything is chosen unless the command line chooses a part of it. */
function withDefaults(given: GivenOptions): AdoptOptions {
  const { name, tag, members, teams, keys, complete, everyone } = given;
  return {
    ...given,
    ...(!members && !teams && !keys && { members: true, teams: true, keys: true }),
    everyone: everyone === true || complete === "members",
    isWhole: name === undefined && tag === undefined,
  };
}

function checkImportFile({ out, importFile }: AdoptOptions, cwd: string): void {
  const folder = FOLDERS.map((kind) => join(out, kind)).find((each) =>
    isBelow(resolve(cwd, each), resolve(cwd, importFile)),
  );
  if (folder === undefined) return;
  throw new UsageError(
    `--import-file ${importFile} is in ${folder}, where each file declares something. Name a file outside of it.`,
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
