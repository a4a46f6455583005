/**
 * `opsmanager access`: everything that one person, API key or service account can reach, or all that have access. Reads only.
 */

import type { ApiClient } from "../../provider/api/client";
import { identityOf } from "../../provider/settings/credentials";
import { CanceledError } from "../../provider/text/errors";
import { beyondLists } from "../lib/access/beyond";
import { placesWithGroups } from "../lib/access/read";
import type { Unread } from "../lib/access/reading";
import type { AccessReport, Found } from "../lib/access/report";
import { searchAccess } from "../lib/access/search";
import {
  type CliCommand,
  checkOrganizationIds,
  folderOption,
  searchedOrganizations,
  stackOption,
  timeOption,
} from "../lib/command";
import { withClient } from "../lib/connection";
import { DAYS_OF_EVENTS, reviewSince } from "../lib/last-event";
import { namesInResources, namesInValue, type PossibleNames } from "../lib/mask";
import { checkWritable, formatOption, readOutputs, writeOutputs } from "../lib/outputs";
import { readCommandSettings } from "../lib/settings";
import { inFolder, type Terminal } from "../lib/terminal";
import { UsageError } from "../lib/usage-error";
import { csv } from "./csv";
import { effective, projectsOf } from "./effective";
import { withEvents } from "./events";
import { maskedReport } from "./mask";
import { type Format, summary, text } from "./text";

const json: Format = (report) => `${JSON.stringify(report, null, 2)}\n`;

const FORMATS = { text, json, csv };

const HELP = `
Searches the people, invitations, teams, API keys, service accounts and projects of every organization that the API key of the settings can
see, and prints for each access which resource of the stack declares it. It sends no request that writes.

Without a name, it lists for each organization, team and project who and what has access and by which way, groups
included, for a periodic review, and looks up since when and by whom, and who was removed, as far as events show. What has ended by its last
day, or should have, is marked.

Exit codes: 0 everything could be read, whether or not it found access, 1 something is unknown, 64 the command line is
invalid.`;

export const access: CliCommand = {
  name: "access",
  summary: "Shows what one person or API key can reach, or everyone who has access. Changes nothing.",
  examples: ["ada@example.com --stack prod", "--stack prod --format csv=access.csv"],
  define(command) {
    command
      .argument(
        "[name]",
        "username of a person, public key or id of an API key, or client id or name of a service account; default: everyone",
      )
      .addOption(
        stackOption("stack whose settings are used and whose state is read; default: the selected one"),
      )
      .addOption(folderOption())
      .addOption(searchedOrganizations())
      .addOption(formatOption(FORMATS, "text or beside files a summary"))
      .option(
        "--since <time>",
        `oldest event that counts, as 2026-11-24 or 2026-11-24T10:00Z; default: ${DAYS_OF_EVENTS} days ago without a name, and no events with one`,
      )
      .option("--no-attribution", "do not look up since when and by whom")
      .option("--mask-people", "replace the names of people with pseudonyms")
      .addHelpText("after", HELP);
  },
  async run({ options, args, terminal }) {
    const { stack: named, cwd, org = [], format = [], maskPeople, ...others }: AccessOptions = options;
    const [name] = args;
    if (name?.trim() === "") throw new UsageError("<name>: must be a username, a public key or an id.");
    const since = timeOption("--since", others.since) ?? (name === undefined ? reviewSince() : undefined);
    checkOrganizationIds(org);
    const outputs = readOutputs(format, terminal.cwd, FORMATS, summary);
    await checkWritable(outputs);
    const here = inFolder(terminal, cwd);
    const { settings, stack } = await readCommandSettings(here, named);
    const { report, names } = await withClient(settings, here, async (client) => {
      const own = identityOf(settings);
      const found = await searchFor(client, here, { name, orgIds: org, stack, own });
      if (since === undefined || others.attribution === false) return found;
      return { ...found, report: await withEvents(found.report, { client, since, signal: here.stop }) };
    }).catch((error: unknown) => {
      throw here.stop.aborted ? new CanceledError("Stopped; no report was written.") : error;
    });
    const shown = maskPeople ? maskedReport(report, [...names(), ...namesInValue(report)]) : report;
    await writeOutputs(outputs, terminal, (each, isFile) =>
      each(shown, { hasColors: !isFile && terminal.hasColors }),
    );
    return report.isComplete ? 0 : 1;
  },
};

interface AccessOptions {
  readonly stack?: string;
  readonly cwd?: string;
  readonly org?: readonly string[];
  readonly format?: readonly string[];
  readonly maskPeople?: boolean;
  readonly since?: string;
  readonly attribution?: boolean;
}

async function searchFor(
  client: ApiClient,
  terminal: Terminal,
  { own, ...sought }: Parameters<typeof searchAccess>[2] & { readonly own: string },
): Promise<{ readonly report: AccessReport; names(): PossibleNames }> {
  const { name, stack } = sought;
  const unknown: Unread[] = [];
  const notOffered = new Set<string>();
  const search = (await searchAccess(client, terminal, sought)).take(
    ({ notOffered: operation, ...unread }) =>
      operation === undefined ? unknown.push(unread) : notOffered.add(operation),
  );
  const { found, organizations, hasGlobalKeys, resources = [] } = search;
  const withGroups = organizations.flatMap(placesWithGroups);
  const report: AccessReport = {
    schemaVersion: 1,
    name,
    isComplete: unknown.length === 0,
    found: effective(found).map((each) => (isOwn(each, own) ? { ...each, isOwn: true } : each)),
    stack,
    searched: organizations.map(({ places: _, bearers: __, ...searched }) => searched),
    projects: organizations.flatMap(projectsOf),
    withGroupMappings: {
      organizations: withGroups.filter(({ kind }) => kind === "organization").length,
      projects: withGroups.filter(({ kind }) => kind === "project").length,
    },
    notListed: beyondLists.flatMap(({ what, isReadByGlobalKey }) =>
      isReadByGlobalKey && hasGlobalKeys ? [] : [what],
    ),
    notOffered: [...notOffered],
    unknown,
  };
  return { report, names: () => [...namesInValue(organizations), ...namesInResources(resources)] };
}

/** @param own the credentials of the command, as `identityOf` has them */
function isOwn(found: Found, own: string): boolean {
  return found.kind === "key"
    ? found.publicKey === own
    : found.kind === "service account" && found.clientId === own;
}
