/**
 * `opsmanager drift`: reports where the live objects differ from the program, property by
 * property. Changes nothing.
 */

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { inOrder } from "../../provider/resources/contract/values";
import { hasCode, messageOf } from "../../provider/text/errors";
import { packageVersion } from "../../provider/version";
import { lastDaysOf } from "../lib/access/last-days";
import {
  type CliCommand,
  checkOrganizationIds,
  collect,
  folderOption,
  stackOption,
  timeOption,
} from "../lib/command";
import { checkWritable, formatOption } from "../lib/outputs";
import { kindOf, logicalName, typeOf } from "../lib/own-resources";
import { withProgress } from "../lib/progress";
import { selectedStack } from "../lib/pulumi";
import { pathInRepository, wholeReportLocations } from "../lib/report-files";
import { sideBySide } from "../lib/side-by-side";
import {
  distinctStacks,
  foldersOf,
  readPulumiProject,
  runUnlessStopped,
  type StackState,
} from "../lib/stacks";
import { inFolder, type Terminal } from "../lib/terminal";
import { UsageError } from "../lib/usage-error";
import {
  DEFAULT_IGNORE_FILE,
  type IgnoreRule,
  readIgnoreRules,
  withIgnored,
  withIgnoredUnmanaged,
  withIgnoredUnreadable,
} from "./ignore-rules";
import { withLastEvents } from "./last-events";
import { fileLocations, withLocations } from "./locations";
import { maskPeople as withMaskedPeople } from "./mask-people";
import { formats, readOutputs, wholeReportFile, writeReport } from "./outputs";
import { type EarlierReport, readEarlierReport, withEarlier } from "./previous";
import { notIgnored, ownable, type Report, type Undetermined } from "./report/model";
import { kindsOfUnmanaged } from "./report/unmanaged-kinds";
import { type FoundBeside, findBeside } from "./search";
import { type CheckedStack, checkStack, type StackCheck } from "./stack-drift";
import { withUndeclared } from "./undeclared";
import { withSharedCauses, withShortReasons } from "./undetermined";

const EXIT_CODES: Readonly<Record<Report["result"], number>> = { clean: 0, unknown: 1, drift: 2 };

/** Each stack runs an engine, a program and a plugin, so more stacks wait for the processors. */
const DEFAULT_PARALLEL = 4;

interface DriftOptions {
  readonly stack?: readonly string[];
  readonly parallel?: string;
  readonly cwd?: string;
  readonly stateOnly?: boolean;
  readonly ignoreFile?: string;
  readonly format?: readonly string[];
  readonly unmanaged?: boolean;
  readonly failOnUnmanaged?: boolean;
  readonly org?: readonly string[];
  readonly maskPeople?: boolean;
  readonly attribution?: boolean;
  readonly since?: string;
  readonly previous?: readonly string[];
  readonly all?: boolean;
}

export const drift: CliCommand = {
  name: "drift",
  summary: "Shows where the live objects differ from the program, property by property. Changes nothing.",
  examples: [
    "--stack prod --unmanaged",
    "--stack prod --stack test --format text --format markdown=drift.md",
  ],
  define(command) {
    command
      .addOption(stackOption("stack to check, repeatable; default: the selected one").argParser(collect))
      .option("--parallel <number>", `how many stacks to check at a time; default: ${DEFAULT_PARALLEL}`)
      .addOption(folderOption())
      .option("--state-only", "compare with the state instead of running the program")
      .option(
        "--ignore-file <file>",
        `rules for accepted differences; default: ${DEFAULT_IGNORE_FILE} beside Pulumi.yaml, if it exists`,
      )
      .addOption(formatOption(formats))
      .option(
        "--unmanaged",
        `also show ${kindsOfUnmanaged()} that no resource owns, pending invitations included; they do not count`,
      )
      .option(
        "--org <id>",
        "organization to search for --unmanaged, besides those of the stacks; repeatable",
        collect,
      )
      .option("--fail-on-unmanaged", "as --unmanaged, and unmanaged objects count as drift")
      .option("--mask-people", "replace the names of people with pseudonyms")
      .option("--no-attribution", "do not look up who may have changed it, and when")
      .option(
        "--since <time>",
        "oldest event that counts, as 2026-11-24 or 2026-11-24T10:00Z; default: the last update of the stack",
      )
      .option(
        "--previous <file>",
        "earlier report in JSON, to show what is new, how old the rest is, and what is resolved; may be missing in the first run",
        collect,
      )
      .option("--all", "print every entry; default: the first of each section, and how many more there are")
      .addHelpText(
        "after",
        "\nExit codes: 0 no drift, 2 drift, 1 something could not be determined, 64 the command line is invalid.",
      );
  },
  async run({ options, terminal }) {
    const { stack = [], cwd, stateOnly = false, ignoreFile, format = [], ...others }: DriftOptions = options;
    const { org = [], failOnUnmanaged = false } = others;
    const unmanaged = others.unmanaged === true || failOnUnmanaged || org.length > 0;
    checkOrganizationIds(org);
    const parallel = parallelOf(others.parallel);
    const since = timeOption("--since", others.since);
    const previous = onePrevious(others.previous);
    const outputs = readOutputs(format, terminal.cwd);
    await checkWritable(outputs);
    const here = inFolder(terminal, cwd);
    const generatedAt = new Date().toISOString();
    const { file, name, programFolder } = await readPulumiProject(here.cwd);
    const rules = await readRules(
      ignoreFile,
      { folder: dirname(file), cwd: terminal.cwd },
      generatedAt.slice(0, 10),
    );
    const earlier =
      previous === undefined ? undefined : await readEarlierReport(resolve(terminal.cwd, previous));
    const names =
      stack.length > 0
        ? await distinctStacks(here, stack, parallel)
        : [await selectedStack(here, runUnlessStopped)];
    const checked = await checkSideBySide(here, names, { project: name, stateOnly, parallel });
    const beside = await findBeside(here, {
      stacks: new Map(names.map((each, index) => [each, checked[index]?.declaring])),
      orgIds: org,
      comparison: stateOnly ? "state" : "program",
      isUnmanagedWanted: unmanaged,
    });
    const folders = checked.flatMap(({ state }) => (state ? foldersOf(state) : []));
    const locationOf = fileLocations(folders, programFolder);
    const found = reportOn(checked, rules, { generatedAt, beside, failOnUnmanaged, locationOf });
    const resources = new Map(
      names.map((each, index) => [each, checked[index]?.declaring?.inStack ?? []] as const),
    );
    const attributed =
      others.attribution === false
        ? found
        : await withLastEvents(here, found, { resources, since }).catch((error: unknown) => {
            if (hasCode(error, "OPSMANAGER_CANCELLED")) throw error;
            // The report is complete without events, whatever is wrong with them.
            return { ...found, eventsUnread: [{ what: "all differences", reason: messageOf(error) }] };
          });
    const report = {
      ...finished(attributed, checked, { maskPeople: others.maskPeople, earlier }),
      durationSeconds: (Date.now() - Date.parse(generatedAt)) / 1000,
    };
    await writeReport(report, outputs, terminal, {
      programFile: pathInRepository(file),
      wholeReport: wholeReportLocations(wholeReportFile(outputs), terminal),
      showAll: others.all,
    });
    return EXIT_CODES[report.result];
  },
};

/** @throws UsageError */
function parallelOf(text = String(DEFAULT_PARALLEL)): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UsageError(`--parallel ${text}: must be a whole number from 1 to 9999.`);
}

/** @throws UsageError, because a second file would silently replace the first one */
function onePrevious([file, ...others]: readonly string[] = []): string | undefined {
  if (others.length === 0) return file;
  throw new UsageError(
    `--previous ${[file, ...others].join(", ")}: a report is compared with one earlier report. Give --previous once.`,
  );
}

/**
 * Checks stacks side by side. A stack that fails is reported, and the others are still checked.
 *
 * @returns the stacks in the given order
 * @throws CanceledError
 */
async function checkSideBySide(
  terminal: Terminal,
  names: readonly string[],
  { parallel, ...options }: StackCheck & { readonly parallel: number },
): Promise<CheckedStack[]> {
  const checkAll = (report: (done: number, total: number) => void) => {
    let done = 0;
    report(done, names.length);
    return sideBySide(names, parallel, async (stack) => {
      const checked = await checkStack(terminal, stack, options).catch((error: unknown) => {
        if (hasCode(error, "OPSMANAGER_CANCELLED")) throw error;
        return { state: undefined, findings: [], undetermined: [failedStack(stack, error)] };
      });
      report(++done, names.length);
      return checked;
    });
  };
  // A stack counts its resources itself.
  return names.length > 1 ? withProgress(terminal, "stacks checked", checkAll) : checkAll(() => {});
}

function failedStack(stack: string, error: unknown): Undetermined {
  return { what: `stack ${stack}`, reason: messageOf(error), stack };
}

async function readRules(
  named: string | undefined,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
  today: string,
): Promise<IgnoreRule[]> {
  if (named !== undefined) return readIgnoreRules(resolve(cwd, named), today);
  const file = join(folder, DEFAULT_IGNORE_FILE);
  return existsSync(file) ? readIgnoreRules(file, today) : [];
}

/**
 * Sorts by the name of the resource, because Pulumi finishes resources in another order each time.
 * Anything that isn't a resource, such as the program, comes last.
 */
function inNameOrder<T>(things: readonly T[], urnOf: (thing: T) => string): T[] {
  const keyOf = (thing: T): string => {
    const urn = urnOf(thing);
    return kindOf(typeOf(urn)) === undefined ? "" : `${logicalName(urn)} ${urn}`;
  };
  const [resources, others] = [things.filter(keyOf), things.filter((thing) => !keyOf(thing))];
  return [...resources.sort((one, other) => inOrder(keyOf(one), keyOf(other))), ...others];
}

interface ReportOptions {
  /** ISO 8601, UTC. */
  readonly generatedAt: string;
  /** The undeclared objects, and the unmanaged ones if requested. */
  readonly beside?: FoundBeside | undefined;
  readonly failOnUnmanaged?: boolean;
  readonly locationOf?: ReturnType<typeof fileLocations>;
}

/** What the run found, with the names of people, and not compared with an earlier report. */
export function reportOn(
  checked: readonly CheckedStack[],
  rules: readonly IgnoreRule[],
  { generatedAt, beside, failOnUnmanaged = false, locationOf = () => undefined }: ReportOptions,
): Report {
  const found = {
    findings: withIgnored(
      withUndeclared(
        checked.flatMap(({ findings }) => inNameOrder(findings, ({ urn }) => urn)),
        beside?.findings ?? [],
      ),
      rules,
    ),
    unreadable: withIgnoredUnreadable(
      [
        ...checked.flatMap(({ undetermined, state }) =>
          withSharedCauses(
            inNameOrder(undetermined, ({ what }) => what),
            state?.resources ?? [],
          ),
        ),
        ...(beside?.undetermined ?? []),
      ],
      rules,
    ),
  };
  const stacks = checked.flatMap(({ state }) =>
    state ? [{ stack: state.stack, project: state.project, resources: state.resources.length }] : [],
  );
  const ends = checked
    .flatMap(({ state }) => (state ? endsOfStack(state) : []))
    .sort((one, other) => inOrder(one.until, other.until));
  const unmanaged = beside?.unmanaged && {
    ...beside.unmanaged,
    rows: withIgnoredUnmanaged(beside.unmanaged.rows, rules),
  };
  const counts = [
    ...notIgnored(found.findings),
    ...(failOnUnmanaged && unmanaged ? notIgnored(ownable({ unmanaged })) : []),
  ];
  const result = notIgnored(found.unreadable).length > 0 ? "unknown" : counts.length > 0 ? "drift" : "clean";
  const unlocated: Report = {
    schemaVersion: 1,
    tool: { name: "opsmanager", version: packageVersion() },
    generatedAt,
    result,
    stacks,
    ...found,
    ...(ends.length > 0 && { ends }),
    ...(unmanaged && {
      unmanaged: { ...unmanaged, ...(failOnUnmanaged && { countsAsDrift: true }) },
    }),
  };
  return withLocations(unlocated, locationOf);
}

/** The report as it is written. */
export function finished(
  found: Report,
  checked: readonly CheckedStack[],
  {
    maskPeople = false,
    earlier,
  }: {
    readonly maskPeople?: boolean | undefined;
    /** Only with `--previous`. */
    readonly earlier?: EarlierReport | undefined;
  } = {},
): Report {
  const resources = checked.flatMap(({ state }) => state?.resources ?? []);
  const report = maskPeople ? withMaskedPeople(found, resources) : found;
  return withShortReasons(earlier === undefined ? report : withEarlier(report, earlier));
}

function endsOfStack({ stack, resources }: Pick<StackState, "stack" | "resources">) {
  return lastDaysOf(resources).map((end) => ({ stack, ...end }));
}
