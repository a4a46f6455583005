/**
 * `opsmanager doctor`: checks everything between this machine and the service, step by step. It
 * writes nothing.
 */

import { type Settings, secretValuesIn } from "../../provider/settings/config";
import { visibleText } from "../../provider/text/visible-text";
import { createRedact, createSettingsRedact, type Redact } from "../../provider/transport";
import { type CliCommand, folderOption, stackOption } from "../lib/command";
import { withClient } from "../lib/connection";
import { withProgress } from "../lib/progress";
import { inFolder, printMessage, type Terminal } from "../lib/terminal";
import { checkConnection } from "./connection";
import { checkEnvironment } from "./environment";
import { checkKey } from "./key";
import { asJson, asText, countOutcomes, type DoctorResult, failed, ok, skipped, warning } from "./results";
import { checkService } from "./service";
import { type ObjectIds, readServiceState, type ServiceState } from "./service-state";
import { addressOf, checkSettings } from "./settings";

const HELP = `
Reads the settings as the other commands do: the stack's config, then the environment. Each line is ok, warning, failed
or skipped. A check is skipped if an earlier one failed or if it would require a write. No secret is printed.

Exit codes: 0 no check failed (warnings do not count), 64 the command line is invalid, 1 otherwise.`;

export const doctor: CliCommand = {
  name: "doctor",
  summary:
    "Checks the connection to the service and prints what works, what does not, and what to do. Changes nothing.",
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
    const { results, address, redact } = await examine(terminal, stack, { orgId: org, projectId: project });
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

function examine(terminal: Terminal, stack: string | undefined, requested: ObjectIds) {
  return withProgress(terminal, "sections checked", async (report) => {
    const environment = await checkEnvironment(terminal);
    report(1, 3);
    const { results, settings, sources } = await checkSettings(terminal, stack);
    report(2, 3);
    // A client key comes from a file that a setting names, so it is not among the sources.
    const redactSources = createRedact(secretValuesIn(sources));
    const redactSettings = settings && createSettingsRedact(settings);
    const redact = (text: string) => redactSources(redactSettings?.(text) ?? text);
    const remote = settings
      ? await examineService(terminal, settings, requested, redact)
      : [skipped("connection.all", "No request was sent, because the settings are incomplete.")];
    const address = settings && addressOf(settings);
    return { results: [...environment, ...results, ...remote], address, redact };
  });
}

async function examineService(
  terminal: Terminal,
  settings: Settings,
  requested: ObjectIds,
  redact: Redact,
): Promise<DoctorResult[]> {
  const { stop } = terminal;
  const print = (line: string) => printMessage(terminal, redact(line));
  const { results: connection, isUsable } = await checkConnection(settings, stop);
  if (!isUsable) {
    return [...connection, skipped("service.all", "Not checked, because there is no trusted connection.")];
  }
  const service = await checkService(settings, print, stop);
  const results = [...connection, ...service.results];
  if (!service.isAccepted) {
    const reason = `Not checked, because the service did not accept the ${settings.serviceAccount ? "service account" : "key"}.`;
    return [...results, skipped("operations.all", reason)];
  }
  const state = await withClient(settings, terminal, (client) => readServiceState(client, requested, stop));
  return [...results, ...checkKey(state, settings, requested), ...checkOperations(state)];
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

// Reports which operations of the API this service offers. Writes are never tried.

type ReadName = Exclude<keyof ServiceState, "orgId" | "projectId">;

/** Operations that were tried, and the effect of a missing one. */
const READS: readonly (readonly [ReadName, operation: string, effect: string])[] = [
  ["projects", "GET /groups", "getProjects and the command adopt cannot list projects"],
  ["project", "GET /groups/{id}", "a Project works with projectId only, and its drift is not detected"],
  ["organizations", "GET /orgs", "the commands need --org"],
  [
    "organizationProjects",
    "GET /orgs/{id}/groups",
    "projects cannot be found by name, and their deletion cannot be confirmed",
  ],
  [
    "people",
    "GET /groups/{id}/users",
    "ProjectMembers cannot be used, and a ProjectMember's roles cannot be read",
  ],
  [
    "invitations",
    "GET /groups/{id}/invites",
    "pending invitations cannot be listed, so ProjectMember works by invitationId",
  ],
  ["invitation", "GET /groups/{id}/invites/{id}", "a pending invitation cannot be read by its id"],
  ["teams", "GET /orgs/{id}/teams", "a Team cannot be used, and a ProjectTeam needs a teamId"],
  ["projectTeams", "GET /groups/{id}/teams", "a ProjectTeam cannot be used"],
  ["agentKeys", "GET /groups/{id}/agentapikeys", "an AgentApiKey cannot be used"],
  ["account", "GET /users/{id}", "an account cannot be checked by its userId"],
  ["accountByName", "GET /users/byName/{name}", "a user with an account is invited instead of added"],
];

/**
 * Writes cannot be checked without a change: other methods on an existing path show nothing about
 * them.
 */
const WRITES =
  "POST, PATCH and DELETE below /groups: not tried, because they would change objects. PATCH /groups/{id}, DELETE of a user and of an invitation are documented for every version.";

function checkOperations(state: ServiceState): DoctorResult[] {
  const reads = READS.map(([name, operation, effect]) => {
    const check = `operations.${name}`;
    const result = state[name];
    if (result.kind === "missing") {
      return warning(check, `${operation} is not offered.`, `Without it, ${effect}.`);
    }
    return result.kind === "unclear"
      ? failed(check, `${operation}: ${result.why}`)
      : ok(check, `${operation} is offered`);
  });
  return [...reads, skipped("operations.writes", WRITES)];
}
