/**
 * `opsmanager verify`: tests on throw-away projects what the documentation of Ops Manager does not
 * define.
 */
import { existsSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { checkedAs } from "../../provider/resources/contract/border";
import { type Settings, settingsWarnings } from "../../provider/settings/config";
import { CanceledError, messageOf, RefusedError } from "../../provider/text/errors";
import { inOneLine } from "../../provider/text/visible-text";
import { createPool, createSettingsRedact, createTransport } from "../../provider/transport";
import { type CliCommand, checkOrganizationIds, folderOption, invocation, stackOption } from "../lib/command";
import { withoutDebug } from "../lib/connection";
import { withProgress } from "../lib/progress";
import { readCommandSettings } from "../lib/settings";
import { inFolder, printMessage, section, styled, type Terminal } from "../lib/terminal";
import { UsageError } from "../lib/usage-error";
import { allPoints } from "./points";
import { organization } from "./points/reading";
import { type PointResult, runPoints, type VerifyResult } from "./run";
import { textOf } from "./service";
import { Trial } from "./trial";

export const verify: CliCommand = {
  name: "verify",
  summary: "Finds out on throw-away projects how this Ops Manager behaves. Asks before it writes.",
  examples: ["--org 5f0c0c0c0c0c0c0c0c0c0c0c", "--org 5f0c0c0c0c0c0c0c0c0c0c0c --yes --out switches.json"],
  define: defineOptions,
  async run(invocation) {
    const options = checkedAs<VerifyOptions>(invocation.options);
    const terminal = inFolder(invocation.terminal, options.cwd);
    checkOptions(options, terminal.cwd);
    if (!options.yes && terminal.confirm === undefined) {
      throw new RefusedError(
        "verify writes to the service and requires a confirmation, but there is no terminal. Add --yes to run it.",
      );
    }
    const { settings } = await readCommandSettings(terminal, options.stack);
    const outcome = await verifyService(settings, options, terminal);
    return report(outcome, options, terminal, createSettingsRedact(settings));
  },
};

interface VerifyOptions {
  readonly org: string;
  readonly user?: string;
  readonly invite?: string;
  readonly wait: number;
  readonly out?: string;
  readonly yes?: boolean;
  readonly stack?: string;
  readonly cwd?: string;
}

/** Longer than the observed life of a nonce, which is 60 seconds. */
const USUAL_WAIT = 61;

const HELP = `
Creates throw-away projects in the organization, tests on them what the documentation leaves open, and removes them.
Their names begin with opsmanager-verify-delete-me-, and nothing else is written to. The invitations go to an address of
example.com, a domain that receives no mail. No secret is printed.

Exit codes: 0 the run is complete and all created objects are removed, 64 the command line is invalid, 1 otherwise.`;

function defineOptions(command: Command): void {
  command
    .requiredOption("--org <id>", "organization that gets the throw-away projects")
    .option("--user <name>", "account of the organization that may be added, invited and removed there")
    .option("--invite <address>", "address that gets the invitations (default: one of example.com)")
    .option("--wait <seconds>", "how long nonces and deleted projects are observed", Number, USUAL_WAIT)
    .option("--out <file>", "write the switches for opsmanager sandbox --like (default: print them)")
    .option("--yes", "write without a confirmation")
    .addOption(stackOption("stack whose settings are used (default: the selected one)"))
    .addOption(folderOption("folder of the Pulumi program (default: the current one)"))
    .addHelpText("after", HELP);
}

/**
 * @param cwd base of relative paths
 * @throws OpsManagerError for invalid values; commander has checked the form
 */
function checkOptions({ org, invite, wait, out }: VerifyOptions, cwd: string): void {
  checkOrganizationIds([org]);
  if (!(wait >= 0)) throw new UsageError("--wait: must be a number of seconds, 0 or more.");
  if (invite !== undefined && !/^[^\s@]+@[^\s@]+$/.test(invite)) {
    throw new UsageError("--invite: must be an e-mail address.");
  }
  if (out === undefined) return;
  const path = resolve(cwd, out);
  if (existsSync(path))
    throw new UsageError(`--out ${out}: the file exists. Name another file, or delete this one.`);
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--out ${out}: there is no such folder.`);
  }
}

async function verifyService(
  settings: Settings,
  options: VerifyOptions,
  terminal: Terminal,
): Promise<VerifyResult> {
  const print = (line: string) => printMessage(terminal, line);
  settingsWarnings(settings).forEach(print);
  const transport = createTransport(settings, withoutDebug(print));
  const pool = createPool(settings);
  try {
    const { org, user, invite, wait } = options;
    const connection = { settings, transport: transport.send, pool };
    const trialOptions = { orgId: org.toLowerCase(), user, inviteAddress: invite, waitSeconds: wait };
    const trial = new Trial(connection, trialOptions, terminal.stop);
    await confirm(trial, options, terminal);
    return await withProgress(terminal, "points tried", (report) =>
      runPoints(trial, (done) => report(done, Object.keys(allPoints).length)),
    );
  } finally {
    await Promise.all([transport.close(), pool.close()]);
  }
}

/**
 * Reads the organization, which needs no confirmation, and requires one for the rest.
 *
 * @throws RefusedError if the user declines, OpsManagerError if the key or the organization is
 * wrong
 */
async function confirm(trial: Trial, options: VerifyOptions, terminal: Terminal): Promise<void> {
  const response = await trial.run(organization);
  if (response.error !== undefined && !response.isNotOffered) throw response.error;
  if (options.yes || terminal.confirm === undefined) return;
  const name = inOneLine(textOf(response, "name") ?? options.org);
  const { origin } = trial.connection.settings;
  const question = `Create throw-away projects ${trial.name()}... in organization ${name} of ${origin}, change them, invite ${trial.inviteAddress}${options.user === undefined ? "" : ` and ${options.user}`} to them, and remove them?`;
  if (await terminal.confirm(question)) return;
  throw new RefusedError("Nothing was written.");
}

async function report(
  result: VerifyResult,
  { out }: VerifyOptions,
  terminal: Terminal,
  redact: (text: string) => string,
): Promise<number> {
  const { failure, leftovers, removed } = result;
  terminal.stdout(resultsText(result, terminal));
  for (const { what, why } of leftovers) printMessage(terminal, `Not removed: ${redact(`${what}: ${why}`)}`);
  if (leftovers.length === 0) terminal.stdout(`\nAll created objects are removed (projects: ${removed}).\n`);
  if (failure) throw failure instanceof CanceledError ? new CanceledError("Interrupted.") : failure;
  const file = switchesFile(result);
  if (out === undefined) terminal.stdout(`\n${file}`);
  else {
    await writeFile(resolve(terminal.cwd, out), file, { flag: "wx" }).catch((error: unknown) => {
      terminal.stdout(`\n${file}`);
      throw new RefusedError(
        `--out ${out} cannot be written: ${messageOf(error)}. The content was printed instead.`,
      );
    });
    terminal.stdout(
      `\nWritten to ${out}. Start a service that behaves like this: ${invocation(terminal)} sandbox --like ${out}\n`,
    );
  }
  return leftovers.length === 0 ? 0 : 1;
}

// The report for the user, and the file for `opsmanager sandbox --like`. Neither holds a host, a
// key, an id or a name of a person.

/** Must be increased when a field changes its meaning. */
const FORMAT_VERSION = 1;

/** The switches of the sandbox that match, as JSON. */
function switchesFile({ results }: Pick<VerifyResult, "results">): string {
  const found = results.flatMap((one) => ("value" in one ? [[one.name, one.value]] : []));
  const open = results.flatMap((one) => ("reason" in one ? [[one.name, one.reason]] : []));
  const file = {
    formatVersion: FORMAT_VERSION,
    switches: Object.fromEntries(found),
    notFoundOut: Object.fromEntries(open),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

function resultsText(
  { results }: Pick<VerifyResult, "results">,
  terminal: Pick<Terminal, "hasColors">,
): string {
  const found = results.filter((one) => "value" in one);
  const open = results.filter((one) => "reason" in one);
  const entries = (title: string, of: readonly PointResult[]) => {
    const lines = of.map((one) => pointLine(one, terminal));
    return section(terminal, title, lines);
  };
  const counts = `${found.length} determined, ${open.length} not determined\n`;
  return [...entries("Determined", found), ...entries("Not determined", open), counts].join("\n\n");
}

const NAME_WIDTH = 28;

function pointLine(point: PointResult, terminal: Pick<Terminal, "hasColors">): string {
  const { name, tries } = point;
  const result =
    "value" in point
      ? styled(terminal, "green", point.value === "" ? "(empty)" : String(point.value))
      : point.reason;
  const by = tries === undefined ? "" : `\n  ${" ".repeat(NAME_WIDTH)}${styled(terminal, "gray", tries)}`;
  return `  ${name.padEnd(NAME_WIDTH)}${result}${by}`;
}
