/**
 * `opsmanager offboard`: takes a person out of the files, and says what is left.
 */
import { sameName } from "../../provider/access/person";
import type { ApiClient } from "../../provider/api/client";
import { CanceledError, messageOf, OpsManagerError } from "../../provider/text/errors";
import { visibleText } from "../../provider/text/visible-text";
import { isOfKeys, type OrganizationAccess } from "../lib/access/read";
import type { Unread } from "../lib/access/reading";
import type { AccessEntry } from "../lib/access/report";
import { searchAccess } from "../lib/access/search";
import {
  type CliCommand,
  checkOrganizationIds,
  FOLDER_ARGUMENT,
  folderOption,
  searchedOrganizations,
  stackOption,
} from "../lib/command";
import { withClient } from "../lib/connection";
import { KEYS } from "../lib/event-subjects";
import { EventLists, reviewSince } from "../lib/last-event";
import { mapsGroups } from "../lib/organization";
import { readCommandSettings } from "../lib/settings";
import { counted, inFolder, type Terminal } from "../lib/terminal";
import { UsageError } from "../lib/usage-error";
import { type EditedFile, type Plan, planEdits, writeEdits } from "./files";
import { type Left, leftAfter, leftText } from "./left";

const HELP = `
Removes the person from the members and usernames of every file in the folder, and keeps comments and order. The next
\`pulumi up\` ends that access; this command changes nothing in the service. It also prints what will be left: access that
other resources declare or nobody does, roles that a login can give through groups, and API keys that the person created.

Exit codes: 0 nothing is left after the next up, 2 something is left or the next up would refuse, 1 something is unknown, or
the service does not offer a list that would show it, 64 the command line is invalid.`;

interface OffboardOptions {
  readonly stack?: string;
  readonly cwd?: string;
  readonly org?: readonly string[];
  readonly dryRun?: boolean;
}

export const offboard: CliCommand = {
  name: "offboard",
  summary: "Takes a person out of the files that declare access, and shows what access is left.",
  examples: ["ada@example.com --stack prod", "ada@example.com access --dry-run"],
  define(command) {
    command
      .argument("<name>", "username of the person")
      .argument(...FOLDER_ARGUMENT)
      .addOption(
        stackOption("stack whose settings are used and whose state is read; default: the selected one"),
      )
      .addOption(folderOption())
      .addOption(searchedOrganizations())
      .option("--dry-run", "show the edits and write nothing")
      .addHelpText("after", HELP);
  },
  async run({ options, args, terminal: outer }) {
    const { stack, cwd, org = [], dryRun = false }: OffboardOptions = options;
    const [name = "", folder = "."] = args;
    if (name.trim() === "") throw new UsageError("<name>: must be a username.");
    checkOrganizationIds(org);
    const terminal = inFolder(outer, cwd);
    const plan = planEdits(folder, name, terminal.cwd);
    if (!dryRun) await writeEdits(plan.edits, folder, terminal.cwd);
    outer.stdout(`${editsText(name, plan, dryRun)}\n`);
    const left = await readLeft(name, plan, { stack, orgIds: org, folder }, terminal);
    outer.stdout(`\n${leftText(name, left)}\n`);
    if (left.unknown.length > 0) return 1;
    return left.entries.length + left.keys.length + plan.left.length + plan.ownerless.length > 0 ? 2 : 0;
  },
};

function editsText(name: string, { edits, left, ownerless }: Plan, isDryRun: boolean): string {
  const count = counted(edits.length, "file");
  const title =
    edits.length === 0
      ? `No file was changed for ${name}.`
      : isDryRun
        ? `${count} would change. Nothing was written.`
        : `${count} changed. Run pulumi up to end what ${edits.length === 1 ? "it" : "they"} declared.`;
  const kept = left.map(
    (file) =>
      `  ${locations(file)}: left as it is, because nobody else is in ${file.emptied.join(" and ")}. Name another person, or remove ${file.emptied.join(" and ")}.`,
  );
  const refused = ownerless.map(
    (place) =>
      `${place} has no other owner in its file. Unless somebody else owns it directly, the next up refuses: name another owner first.`,
  );
  return [title, ...edits.map((file) => `  ${locations(file)}`), ...kept, ...refused]
    .map(visibleText)
    .join("\n");
}

function locations({ name, removed }: EditedFile): string {
  return removed.map(({ property, line }) => `${name}:${line} (${property})`).join(", ");
}

interface Where {
  readonly stack: string | undefined;
  readonly orgIds: readonly string[];
  /** Of the files, as the command line names it. */
  readonly folder: string;
}

/** What the person has apart from what the edited files declared. If nothing can be read, that is unknown. */
async function readLeft(
  name: string,
  plan: Plan,
  { stack, orgIds, folder }: Where,
  terminal: Terminal,
): Promise<Left> {
  try {
    const { settings, stack: selected } = await readCommandSettings(terminal, stack);
    return await withClient(settings, terminal, async (client) => {
      const unknown: Unread[] = [];
      const search = await searchAccess(client, terminal, { name, orgIds, stack: selected });
      const { found, organizations, resources } = search.take(({ what, reason, notOffered }) => {
        // A list that is not offered does not show that the person is not in it.
        if (notOffered === undefined || !isOfKeys(notOffered)) unknown.push({ what, reason });
      });
      const access = found.flatMap((each): readonly AccessEntry[] =>
        each.kind === "person" ? each.access : [],
      );
      const created = await keysCreatedBy(name, organizations, client, terminal);
      return {
        ...leftAfter(access, plan, resources, { folder, cwd: terminal.cwd }),
        keys: created.keys,
        unknown: [...unknown, ...created.unread],
        hasGroups: organizations.some(
          ({ groups, projects }) => groups.length > 0 || projects.some(mapsGroups),
        ),
      };
    });
  } catch (error) {
    if (terminal.stop.aborted) throw new CanceledError("Stopped before what is left was known.");
    if (!(error instanceof OpsManagerError)) throw error;
    const unknown = [{ what: "what else the person can reach", reason: messageOf(error) }];
    return { entries: [], ending: 0, keys: [], unknown, hasGroups: false };
  }
}

/** The API keys of the organizations that the person created, as far as events show, and that still exist. */
async function keysCreatedBy(
  name: string,
  organizations: readonly OrganizationAccess[],
  client: ApiClient,
  terminal: Terminal,
): Promise<{ readonly keys: Left["keys"]; readonly unread: Left["unknown"] }> {
  const lists = new EventLists(reviewSince(), terminal.stop);
  await lists.read(
    client,
    organizations.map(({ orgId }) => ({ orgId })),
  );
  const types = new Set([...KEYS.added.documented, ...KEYS.added.others]);
  const keys = organizations.flatMap(({ orgId, orgName, keys: all = [] }) => {
    const events = lists.of({ orgId })?.events ?? [];
    const created = new Set(
      events
        .filter(({ type, username }) => types.has(type) && sameName(username, name))
        .map(({ targetPublicKey }) => targetPublicKey),
    );
    return all
      .filter(({ publicKey }) => created.has(publicKey))
      .map(({ publicKey, description }) => ({ publicKey, description, orgId, orgName }));
  });
  return {
    keys,
    unread: lists.unread.map(({ what, reason }) => ({ what: `API keys created in ${what}`, reason })),
  };
}
