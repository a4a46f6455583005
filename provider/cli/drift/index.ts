/**
 * `opsmanager drift`: reports where the live objects differ from the program, property by
 * property. Changes nothing.
 */

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { packageVersion } from "../../version";
import { type CliCommand, checkOrganizationIds, collect } from "../command";
import { inFolder } from "../terminal";
import {
  DEFAULT_IGNORE_FILE,
  type IgnoreRule,
  readIgnoreRules,
  withIgnored,
  withIgnoredUnmanaged,
  withIgnoredUnreadable,
} from "./ignore-rules";
import { maskPeople } from "./mask-people";
import {
  formats,
  programFileOf,
  readOutputs,
  wholeReportFile,
  wholeReportLocations,
  writeReport,
} from "./outputs";
import {
  countedFindings,
  countedUnmanaged,
  countedUnreadable,
  type DriftReport,
  type Unmanaged,
} from "./report";
import { type CheckedStack, checkStack } from "./stack-drift";
import { distinctStacks, readPulumiProject, selectedStack } from "./stacks";
import { findUnmanagedOfStacks } from "./unmanaged";

const EXIT_CODES: Readonly<Record<DriftReport["result"], number>> = { clean: 0, unknown: 1, drift: 2 };

interface DriftOptions {
  readonly stack?: readonly string[];
  readonly cwd?: string;
  readonly stateOnly?: boolean;
  readonly ignoreFile?: string;
  readonly format?: readonly string[];
  readonly unmanaged?: boolean;
  readonly failOnUnmanaged?: boolean;
  readonly org?: readonly string[];
  readonly maskPeople?: boolean;
  readonly all?: boolean;
}

export const drift: CliCommand = {
  name: "drift",
  summary: "Shows where the live objects differ from the program, property by property. Changes nothing.",
  define(command) {
    command
      .option("--stack <name>", "stack to check, repeatable; default: the selected one", collect)
      .option("--cwd <folder>", "folder of the Pulumi program; default: here")
      .option("--state-only", "compare with the state and do not run the program")
      .option(
        "--ignore-file <file>",
        `rules for accepted differences; default: ${DEFAULT_IGNORE_FILE} beside Pulumi.yaml, if it exists`,
      )
      .option(
        "--format <name[=file]>",
        `${Object.keys(formats).join(", ")}; to stdout or into a file, repeatable; default: text`,
        collect,
      )
      .option("--unmanaged", "also show the projects and people of the organizations that no resource owns")
      .option(
        "--org <id>",
        "organization to check for --unmanaged, in addition to those of the stacks; repeatable",
        collect,
      )
      .option("--fail-on-unmanaged", "as --unmanaged; unmanaged objects count as drift")
      .option("--mask-people", "replace the names of people with pseudonyms")
      .option(
        "--all",
        "print every entry; default: the first ones of each section, and the number of the others",
      )
      .addHelpText("after", "\nExit codes: 0 no drift, 2 drift, 1 something could not be determined.");
  },
  async run({ options, terminal }) {
    const { stack = [], cwd, stateOnly = false, ignoreFile, format = [], ...others }: DriftOptions = options;
    const { org = [], failOnUnmanaged = false } = others;
    const unmanaged = others.unmanaged === true || failOnUnmanaged || org.length > 0;
    checkOrganizationIds(org);
    const outputs = readOutputs(format, terminal.cwd);
    const here = inFolder(terminal, cwd);
    const generatedAt = new Date().toISOString();
    const { file, name } = await readPulumiProject(here.cwd);
    const rules = await rulesOf(
      ignoreFile,
      { folder: dirname(file), cwd: terminal.cwd },
      generatedAt.slice(0, 10),
    );
    const names = stack.length > 0 ? await distinctStacks(here, stack) : [await selectedStack(here)];
    const checked: CheckedStack[] = [];
    for (const each of names) {
      checked.push(await checkStack(here, each, { project: name, stateOnly }));
    }
    const states = new Map(names.map((each, index) => [each, checked[index]?.state]));
    const unmanagedAnswer = unmanaged
      ? await findUnmanagedOfStacks(here, { states, orgIds: org })
      : undefined;
    const found = reportOn(checked, rules, { generatedAt, unmanagedAnswer, failOnUnmanaged });
    const report = others.maskPeople
      ? maskPeople(
          found,
          checked.flatMap(({ state }) => state?.resources ?? []),
        )
      : found;
    await writeReport(report, outputs, terminal, {
      programFile: programFileOf(file),
      wholeReport: wholeReportLocations(wholeReportFile(outputs), terminal),
      failOnUnmanaged,
      showAll: others.all,
    });
    return EXIT_CODES[report.result];
  },
};

async function rulesOf(
  named: string | undefined,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
  today: string,
): Promise<IgnoreRule[]> {
  if (named !== undefined) return readIgnoreRules(resolve(cwd, named), today);
  const file = join(folder, DEFAULT_IGNORE_FILE);
  return existsSync(file) ? readIgnoreRules(file, today) : [];
}

interface ReportOptions {
  /** ISO 8601, UTC. */
  readonly generatedAt: string;
  /** The unmanaged objects, if requested. */
  readonly unmanagedAnswer?: Awaited<ReturnType<typeof findUnmanagedOfStacks>> | undefined;
  readonly failOnUnmanaged?: boolean;
}

export function reportOn(
  checked: readonly CheckedStack[],
  rules: readonly IgnoreRule[],
  { generatedAt, unmanagedAnswer, failOnUnmanaged = false }: ReportOptions,
): DriftReport {
  const found = {
    findings: withIgnored(
      checked.flatMap(({ findings }) => findings),
      rules,
    ),
    unreadable: withIgnoredUnreadable(
      [...checked.flatMap(({ unreadable }) => unreadable), ...(unmanagedAnswer?.unreadable ?? [])],
      rules,
    ),
  };
  const stacks = checked.flatMap(({ state }) =>
    state ? [{ stack: state.stack, project: state.project, resources: state.resources.length }] : [],
  );
  const unmanaged = unmanagedAnswer?.unmanaged && withIgnoredUnmanaged(unmanagedAnswer.unmanaged, rules);
  const counts = [...countedFindings(found), ...(failOnUnmanaged ? unmanagedThings(unmanaged) : [])];
  const result = countedUnreadable(found).length > 0 ? "unknown" : counts.length > 0 ? "drift" : "clean";
  return {
    schemaVersion: 1,
    tool: { name: "opsmanager", version: packageVersion() },
    generatedAt,
    result,
    stacks,
    ...found,
    ...(unmanaged && { unmanaged }),
  };
}

function unmanagedThings(unmanaged: Unmanaged | undefined): readonly object[] {
  if (unmanaged === undefined) return [];
  const { projects, people } = countedUnmanaged(unmanaged);
  return [...projects, ...people];
}
