/**
 * `opsmanager doctor`: checks everything between this machine and the service, step by step. It
 * writes nothing.
 */

import { visibleText } from "../../provider/text/visible-text";
import type { Redact } from "../../provider/transport";
import { type CliCommand, folderOption, stackOption } from "../lib/command";
import { withClient } from "../lib/connection";
import { withProgress } from "../lib/progress";
import { inFolder, printMessage, type Terminal } from "../lib/terminal";
import { checkConnection } from "./connection";
import { checkEnvironment } from "./environment";
import { checkKey } from "./key";
import { checkOperations } from "./operations";
import { asJson, asText, countOutcomes, type DoctorResult } from "./results";
import { checkWithKey, checkWithoutKey } from "./service";
import { type ObjectIds, readServiceState } from "./service-state";
import { addressOf, checkSettings } from "./settings";
import { runSteps, step } from "./steps";

const HELP = `
Reads the settings as the other commands do: the stack's config, then the environment. Each line is ok, warning, failed
or skipped. A check is skipped if an earlier one failed or if it would require a write. No secret is printed.

Exit codes: 0 no check failed (warnings do not count), 64 the command line is invalid, 1 otherwise.`;

export const doctor: CliCommand = {
  name: "doctor",
  summary: "Checks settings, connection and roles, and prints what to do about what fails. Changes nothing.",
  examples: ["", "--stack prod --json"],
  define(command) {
    command
      .addOption(stackOption("stack whose config holds the settings; default: the selected one"))
      .addOption(folderOption())
      .option("--org <id>", "organization that the key must see")
      .option("--project <id>", "project that the key must see; default: the first that it can see")
      .option("--json", "results as JSON, for scripts")
      .addHelpText("after", HELP);
  },
  async run({ options, terminal: outer }) {
    const { stack, cwd, org, project, json } = options as DoctorOptions;
    const terminal = inFolder(outer, cwd);
    const steps = stepsWith(terminal, stack, { orgId: org, projectId: project });
    // The third section has all that is read of the service.
    const { results, found } = await withProgress(terminal, "sections checked", (report) =>
      runSteps(steps, (done) => done < 3 && report(done, 3)),
    );
    const { settings, redact = () => "[secret]" } = found;
    const address = settings && addressOf(settings);
    const clean = results.map((result) => redacted(result, redact));
    terminal.stdout(json ? asJson(clean, address && redact(address)) : asText(clean, terminal));
    return countOutcomes(clean).failed > 0 ? 1 : 0;
  },
};

interface DoctorOptions {
  readonly stack?: string;
  readonly cwd?: string;
  readonly org?: string;
  readonly project?: string;
  readonly json?: boolean;
}

function stepsWith(terminal: Terminal, stack: string | undefined, requested: ObjectIds) {
  const { stop } = terminal;
  return [
    step("environment", [], () => checkEnvironment(terminal)),
    step("settings", [], () => checkSettings(terminal, stack)),
    step(
      "connection.all",
      ["settings"],
      ({ settings }) => checkConnection(settings, stop),
      () => "No request was sent, because the settings are incomplete.",
    ),
    step(
      "service.all",
      ["settings", "connection"],
      ({ settings }) => checkWithoutKey(settings, stop),
      () => "Not checked, because there is no trusted connection.",
    ),
    step("key.accepted", ["settings", "redact", "unsigned"], ({ settings, redact, unsigned }) =>
      checkWithKey(settings, unsigned, (line) => printMessage(terminal, redact(line)), stop),
    ),
    step(
      "operations.all",
      ["settings", "accepted"],
      async ({ settings }) => {
        const state = await withClient(settings, terminal, (client) =>
          readServiceState(client, requested, stop),
        );
        return { results: [...checkKey(state, settings, requested), ...checkOperations(state)] };
      },
      ({ settings }) =>
        `Not checked, because the service did not accept the ${settings?.serviceAccount ? "service account" : "key"}.`,
    ),
  ];
}

/**
 * A check result in one line without secrets: it may contain names of projects and sentences of
 * servers.
 */
function redacted(result: DoctorResult, redact: Redact): DoctorResult {
  const shown = (text: string) => visibleText(redact(text));
  const { text, advice } = result;
  return { ...result, text: shown(text), ...(advice === undefined ? {} : { advice: shown(advice) }) };
}
