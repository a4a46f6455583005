/**
 * `opsmanager access`: everything that one person or API key can reach. Reads only.
 */

import { CanceledError, OpsManagerError } from "../../provider/text/errors";
import { type CliCommand, checkOrganizationIds, collect, folderOption, stackOption } from "../lib/command";
import { withClient } from "../lib/connection";
import { checkWritable, formatOption, readOutputs, writeOutputs } from "../lib/outputs";
import { readCommandSettings } from "../lib/settings";
import { exportArguments, readStackExport, type StateResource } from "../lib/stack-export";
import { runUnlessStopped } from "../lib/stacks";
import { inFolder, type Terminal } from "../lib/terminal";
import { UsageError } from "../lib/usage-error";
import { declarersAmong } from "./declarers";
import { maskedReport } from "./mask";
import { accountsNamed, keysNamed, reachOfKey, reachOfPerson } from "./reach";
import { namesOfPeople, Reader } from "./read";
import type { AccessReport, FoundKey } from "./report";
import { type Format, text } from "./text";

const json: Format = (report) => `${JSON.stringify(report, null, 2)}\n`;

const FORMATS = { text, json };

const HELP = `
Searches all organizations that the API key of the settings can see: their people, invitations, teams, API keys and
projects. Sends only requests that read. For each access it prints which resource of the stack declares it.

Exit codes: 0 everything could be read, whether or not there is access, 1 something is unknown, 64 the command line is
invalid.`;

export const access: CliCommand = {
  name: "access",
  summary: "Shows everything that one person or API key can reach. Changes nothing.",
  examples: ["ada@example.com --stack prod", "ada@example.com --format json=access.json"],
  define(command) {
    command
      .argument("<name>", "username of a person, or public key or id of an API key")
      .addOption(
        stackOption("stack whose settings are used and whose state is read; default: the selected one"),
      )
      .addOption(folderOption())
      .option(
        "--org <id>",
        "organization to search, repeatable; default: all that the API key can see",
        collect,
      )
      .addOption(formatOption(FORMATS))
      .option("--mask-people", "replace the names of people with pseudonyms")
      .addHelpText("after", HELP);
  },
  async run({ options, args, terminal }) {
    const { stack: named, cwd, org = [], format = [], maskPeople }: AccessOptions = options;
    const [name = ""] = args;
    if (name.trim() === "") throw new UsageError("<name>: must be a username, a public key or an id.");
    checkOrganizationIds(org);
    const outputs = readOutputs(format, terminal.cwd, FORMATS);
    await checkWritable(outputs);
    const here = inFolder(terminal, cwd);
    const { settings, stack } = await readCommandSettings(here, named);
    const { report, people } = await withClient(settings, here, (client) =>
      searchFor(name, { reader: new Reader(client, here), orgIds: org, stack }, here),
    ).catch((error: unknown) => {
      throw here.stop.aborted ? new CanceledError("Stopped; no report was written.") : error;
    });
    const shown = maskPeople ? maskedReport(report, people) : report;
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
}

interface Search {
  readonly reader: Reader;
  readonly orgIds: readonly string[];
  /** `undefined`: no stack is selected. */
  readonly stack: string | undefined;
}

async function searchFor(
  name: string,
  { reader, orgIds, stack }: Search,
  terminal: Terminal,
): Promise<{ readonly report: AccessReport; readonly people: readonly string[] }> {
  const resources = await readResources(stack, terminal, reader);
  const declarers = declarersAmong(resources);
  const organizations = await reader.organizations(orgIds);
  const keys: FoundKey[] = [];
  for (const { key, orgId } of keysNamed(name, organizations)) {
    const accessListEntries = await reader.accessListEntries(orgId, key);
    keys.push({ ...reachOfKey(key, organizations, declarers), accessListEntries });
  }
  const listed = accountsNamed(name, organizations);
  const isElsewhere = listed.length === 0 && keys.length === 0;
  const account = isElsewhere ? await reader.account(name) : undefined;
  const accounts = account === undefined ? listed : [account];
  const person = reachOfPerson(organizations, { name, accounts, declarers });
  const projects = organizations.flatMap((organization) => organization.projects);
  const { unknown, notOffered } = reader.outcome();
  const report: AccessReport = {
    schemaVersion: 1,
    name,
    isComplete: unknown.length === 0,
    found: [...(person ? [person] : []), ...keys],
    stack,
    searched: organizations.map((organization) => ({
      orgId: organization.orgId,
      orgName: organization.orgName,
      projects: organization.projects.length,
      people: organization.people?.length,
      teams: organization.teams.length,
      keys: organization.keys?.length,
    })),
    withGroupMappings: {
      organizations: organizations.filter(({ hasGroupMappings }) => hasGroupMappings).length,
      projects: projects.filter(
        ({ ldapGroupMappings = [], idpGroupMappings = [] }) =>
          ldapGroupMappings.length + idpGroupMappings.length > 0,
      ).length,
    },
    notOffered,
    unknown,
  };
  return { report, people: namesOfPeople(organizations) };
}

/** The resources in the state of the stack; `undefined` if there is no stack or if they are unknown. */
async function readResources(
  stack: string | undefined,
  terminal: Terminal,
  reader: Reader,
): Promise<readonly StateResource[] | undefined> {
  if (stack === undefined) return undefined;
  try {
    return readStackExport(await runUnlessStopped(exportArguments(stack), terminal), stack).resources;
  } catch (error) {
    if (!(error instanceof OpsManagerError)) throw error;
    reader.recordUnknown(`what stack ${stack} declares`, error);
    return undefined;
  }
}
