/**
 * `opsmanager doctor`: checks everything between this machine and the service, step by step. It
 * writes nothing.
 */

import { type Settings, secretValuesIn } from "../../config";
import { createRedact, type Redact } from "../../transport";
import { visibleText } from "../../visible-text";
import type { CliCommand, Invocation } from "../command";
import { withClient } from "../connection";
import { startProgress } from "../progress";
import { inFolder, printMessage } from "../terminal";
import { checkConnection } from "./connection";
import { checkEnvironment } from "./environment";
import { asJson, asText, countOutcomes, type Finding, failed, ok, skipped, warning } from "./finding";
import { checkKey } from "./key";
import { checkService } from "./service";
import { type ObjectIds, readServiceState, type ServiceState } from "./service-state";
import { addressOf, checkSettings } from "./settings";

const HELP = `
Reads the settings as the other commands do: the stack's config, then the environment. Each line is ok, a warning, failed, or
skipped because something before it failed or because it could only be found out by writing. No secret is printed.

Exit codes: 0 nothing has failed (warnings may stand there), 1 something has.`;

export const doctor: CliCommand = {
  name: "doctor",
  summary: "Reaches the service and shows what works, what does not, and what to do; changes nothing.",
  define(command) {
    command
      .option(
        "-s, --stack <name>",
        "stack whose config holds the settings; default: the one that is selected",
      )
      .option("-C, --cwd <folder>", "folder of the Pulumi program")
      .option("--org <id>", "organization that the key has to see")
      .option("--project <id>", "project that the key has to see; default: the first that it sees")
      .option("--json", "findings as JSON, for scripts")
      .addHelpText("after", HELP);
  },
  async run({ options, terminal: outer }) {
    const { stack, cwd, org, project, json } = options as Options;
    const terminal = inFolder(outer, cwd);
    const { findings, address, redact } = await examine(terminal, stack, { orgId: org, projectId: project });
    const clean = findings.map((finding) => redacted(finding, redact));
    terminal.stdout(json ? asJson(clean, address && redact(address)) : asText(clean, terminal));
    return countOutcomes(clean).failed > 0 ? 1 : 0;
  },
};

interface Options {
  readonly stack?: string;
  readonly cwd?: string;
  readonly org?: string;
  readonly project?: string;
  readonly json?: boolean;
}

interface Examination {
  readonly findings: readonly Finding[];
  readonly address: string | undefined;
  readonly redact: Redact;
}

type Surroundings = Invocation["terminal"];

async function examine(
  terminal: Surroundings,
  stack: string | undefined,
  requested: ObjectIds,
): Promise<Examination> {
  const progress = startProgress(terminal, "sections checked");
  try {
    const environment = await checkEnvironment(terminal);
    progress.report(1, 3);
    const { findings, settings, sources } = await checkSettings(terminal, stack);
    progress.report(2, 3);
    const redact = createRedact(secretValuesIn(sources).concat(keysIn(settings)));
    const remote = settings ? await examineService(terminal, settings, requested, redact) : [];
    const without = settings
      ? []
      : [notReached("connection.all", "Nothing was sent: the settings come first.")];
    return {
      findings: [...environment, ...findings, ...remote, ...without],
      address: settings && addressOf(settings),
      redact,
    };
  } finally {
    progress.end();
  }
}

/** The contents of the files that settings name. */
function keysIn(settings: Settings | undefined): string[] {
  return settings?.clientKey === undefined ? [] : [settings.clientKey];
}

async function examineService(
  terminal: Surroundings,
  settings: Settings,
  requested: ObjectIds,
  redact: Redact,
): Promise<Finding[]> {
  const { stop } = terminal;
  const print = (line: string) => printMessage(terminal, redact(line));
  const connection = await checkConnection(settings, stop);
  if (!connection.isUsable) {
    return [
      ...connection.findings,
      notReached("service.all", "Not asked, as there is no connection to trust."),
    ];
  }
  const service = await checkService(settings, print, stop);
  const findings = [...connection.findings, ...service.findings];
  if (!service.isAccepted) {
    return [
      ...findings,
      notReached("operations.all", "What the key may do was not asked, as the service did not take it."),
    ];
  }
  const state = await withClient(settings, terminal, (client) => readServiceState(client, requested, stop));
  return [...findings, ...checkKey(state, settings.publicKey, requested), ...checkOperations(state)];
}

function notReached(check: string, says: string): Finding {
  return skipped(check, says);
}

/**
 * A finding in one line without secrets: it may contain names of projects and sentences of
 * servers.
 */
function redacted({ check, outcome, says, advice }: Finding, redact: Redact): Finding {
  const shown = (text: string) => visibleText(redact(text));
  return { check, outcome, says: shown(says), ...(advice === undefined ? {} : { advice: shown(advice) }) };
}

// Reports which operations of the API this service offers. Writes are never tried.

type ReadName = Exclude<keyof ServiceState, "orgId" | "projectId">;

/** Operations that were tried, and what is missing without them. */
const READS: readonly (readonly [ReadName, operation: string, without: string])[] = [
  ["projects", "GET /groups", "getProjects and the command adopt cannot list projects"],
  ["project", "GET /groups/{id}", "a Project works with projectId only, and its drift cannot be seen"],
  ["organizations", "GET /orgs", "the commands need --org"],
  [
    "organizationProjects",
    "GET /orgs/{id}/groups",
    "projects cannot be found by name, nor confirmed as gone",
  ],
  [
    "people",
    "GET /groups/{id}/users",
    "ProjectMembers cannot be used, and a ProjectMember's roles cannot be seen",
  ],
  [
    "invitations",
    "GET /groups/{id}/invites",
    "who is invited cannot be seen: ProjectMember works by invitationId",
  ],
  ["invitation", "GET /groups/{id}/invites/{id}", "a pending invitation cannot be looked up by its id"],
  ["account", "GET /users/{id}", "an account cannot be checked by its userId"],
  ["accountByName", "GET /users/byName/{name}", "somebody with an account is invited instead of added"],
];

/**
 * Writes cannot be checked without a change: other methods on an existing path show nothing about
 * them.
 */
const WRITES =
  "POST, PATCH and DELETE below /groups: not tried, as they would change something. PATCH /groups/{id}, DELETE of a user and of an invitation are documented for every version.";

function checkOperations(state: ServiceState): Finding[] {
  const reads = READS.map(([name, operation, without]) => {
    const check = `operations.${name}`;
    const result = state[name];
    if (result.kind === "missing")
      return warning(check, `${operation} is not offered.`, `Without it, ${without}.`);
    return result.kind === "unclear"
      ? failed(check, `${operation}: ${result.why}`)
      : ok(check, `${operation} is offered`);
  });
  return [...reads, skipped("operations.writes", WRITES)];
}
