/**
 * `opsmanager offboard`: takes people out of the files, and says what is left.
 */
import { type AccessFiles, allOf } from "../../projects/access-files";
import { faultLine, locationText } from "../../projects/faults";
import { placesWithOwners } from "../../projects/left-behind";
import { type ReadFolder, readFaultyFolder } from "../../projects/load";
import { misspelledAmong, peopleOf } from "../../projects/near-names";
import { sameName } from "../../provider/access/person";
import { isOver } from "../../provider/resources/contract/until";
import { distinct } from "../lib/access/names";
import { peopleOf as peopleRead, placesWithGroups } from "../lib/access/read";
import type { Unread } from "../lib/access/reading";
import type { AccessEntry } from "../lib/access/report";
import type { SearchedPerson } from "../lib/access/search";
import {
  type CliCommand,
  checkOrganizationIds,
  FOLDER_ARGUMENT,
  folderOption,
  searchedOrganizations,
  stackOption,
} from "../lib/command";
import { withId } from "../lib/organization";
import { checkWritable, formatOption, readOutputs, writeOutputs } from "../lib/outputs";
import { inFolder } from "../lib/terminal";
import { UsageError } from "../lib/usage-error";
import type { Refusals } from "./failures";
import {
  type EditedFile,
  type Folder,
  isListed,
  isOneOf,
  namesIn,
  type Plan,
  planEdits,
  writeEdits,
} from "./files";
import { Declared, divided, placeText } from "./left";
import { NextUp } from "./next-up";
import { type Leaver, refusalsIn } from "./refusals";
import { type Created, exitCodeOf, type Offboarded, type OffboardReport, type Result, text } from "./report";
import { readService, type Service } from "./service";

const json = (report: OffboardReport) => `${JSON.stringify(report, null, 2)}\n`;

const FORMATS = { text, json };

const HELP = `
Removes the people from the members and usernames of every file in the folder, by each name of their account, and keeps
comments and order. The next \`pulumi up\` ends that access; this command changes nothing in the service. It also prints
what the next up refuses, and what will be left: access that other resources declare or nobody does, roles that a login can
give through groups, and API keys and service accounts that the people created.

Exit codes: 0 nothing is left after the next up, 1 something failed or is unknown, or the service does not offer a list that
would show it, 2 something is left, 3 the next up refuses, 4 nobody has the name, 64 the command line is invalid. With
several, the first of 1, 4, 3, 2.`;

interface OffboardOptions {
  readonly stack?: string;
  readonly cwd?: string;
  readonly files?: string;
  readonly org?: readonly string[];
  readonly format?: readonly string[];
  readonly dryRun?: boolean;
}

export const offboard: CliCommand = {
  name: "offboard",
  summary: "Takes people out of the files that declare access, and shows what access is left.",
  examples: ["ada@example.com --stack prod", "ada@example.com bob@example.com --files access --dry-run"],
  define(command) {
    const [, description, current] = FOLDER_ARGUMENT;
    command
      .argument("<name...>", "usernames of the people")
      .addOption(
        stackOption("stack whose settings are used and whose state is read; default: the selected one"),
      )
      .addOption(folderOption())
      .option("--files <folder>", description, current)
      .addOption(searchedOrganizations())
      .addOption(formatOption(FORMATS))
      .option("--dry-run", "show the edits and write nothing")
      .addHelpText("after", HELP);
  },
  async run({ options, args, terminal: outer }) {
    const {
      stack,
      cwd,
      files: folder = ".",
      org = [],
      format = [],
      dryRun = false,
    }: OffboardOptions = options;
    const names = distinct(args.map((name) => name.trim()));
    if (names.includes("")) throw new UsageError("<name>: must be a username.");
    checkOrganizationIds(org);
    const outputs = readOutputs(format, outer.cwd, FORMATS);
    await checkWritable(outputs);
    const terminal = inFolder(outer, cwd);
    const at = { folder, cwd: terminal.cwd };
    const read = readFaultyFolder(folder, terminal.cwd);
    const service = await readService(names, { stack, orgIds: org }, terminal);
    const plan = planEdits(
      read,
      service.people.flatMap(({ names: known, taken }) => known.filter((each) => !isOneOf(each, taken))),
      at,
    );
    if (!dryRun && plan.faults.length === 0) await writeEdits(plan.edits);
    const report = reportOn(names, plan, service, { isDryRun: dryRun, folder: at, read, orgIds: org });
    await writeOutputs(outputs, outer, (each) => each(report));
    return exitCodeOf(report);
  },
};

interface Run {
  readonly isDryRun: boolean;
  readonly folder: Folder;
  /** The files without the edits. */
  readonly read: ReadFolder;
  /** To which the search is limited; none if it is not. */
  readonly orgIds: readonly string[];
}

function reportOn(names: readonly string[], plan: Plan, service: Service, run: Run): OffboardReport {
  const { people, organizations, resources, settings, stack, unknown } = service;
  const { isDryRun, folder, read, orgIds } = run;
  const { edits, kept, faults, files } = plan;
  const isWhole = faults.length === 0;
  const declared = new Declared(files, read.files, isWhole, resources, folder, organizations);
  const nextUp = new NextUp(declared, organizations, Date.now());
  const refusalsOf = settings && refusalsIn({ organizations, declared, nextUp, settings });
  const everyone = distinct([
    ...peopleRead(organizations).map(({ username }) => username),
    ...allOf(read.files).flatMap(namesIn),
  ]);
  const nearTo = misspelledAmong(everyone.map((name) => ({ name })));
  return {
    schemaVersion: 1,
    isDryRun,
    stack,
    refreshBeforeUpdate: settings?.refreshBeforeUpdate,
    orgIds,
    files: isWhole ? edits.map(reported) : [],
    kept: kept.map(reported),
    faults: faults.map(faultLine),
    people: people.map((person, index): Offboarded => {
      const name = names[index] ?? "";
      const leaver: Leaver = { ...person, ...divided(person, declared, (...of) => nextUp.removes(...of)) };
      const { refused, unknown: perhaps } = refusalsOf?.(leaver) ?? {
        refused: [],
        unknown: ownerless(leaver, read.files, files),
      };
      const created = service.created[index] ?? { keys: [], serviceAccounts: [], laterNames: [] };
      const unsure = [...perhaps, ...perhapsAccepted(leaver, declared), ...later(name, created)];
      return offboarded(name, leaver, { ...created, refused, unknown: unsure }, nearTo, {
        plan,
        service,
        run,
      });
    }),
    unknown,
    mapsGroups: organizations
      .flatMap(placesWithGroups)
      .map(({ kind, name, id }) => `${kind} ${withId(name, id)}`),
  };
}

/** What becomes of one person. */
function offboarded(
  name: string,
  leaver: Leaver,
  { unknown: unsure, ...own }: Created & Refusals,
  nearTo: (name: string) => readonly { readonly name: string }[],
  { plan, service, run }: { readonly plan: Plan; readonly service: Service; readonly run: Run },
): Offboarded {
  const { names: known, taken, ending } = leaver;
  const { edits, kept, faults } = plan;
  const { read, orgIds } = run;
  const isUnsearched = ({ isOutside }: AccessEntry) => orgIds.length > 0 && isOutside === true;
  const unsearched = [
    ...leaver.left.filter(isUnsearched).map(placeText),
    ...filesElsewhere(known, read.files, orgIds, service.settings),
  ];
  const isNamed = (file: EditedFile) => file.removed.some((entry) => isOneOf(entry.name, known));
  const isFound =
    leaver.person !== undefined || leaver.userIds.length > 0 || [...edits, ...kept].some(isNamed);
  const person = {
    ...{ ...own, name, isFound, ending },
    left: leaver.left.filter((entry) => !isUnsearched(entry)),
    unknown: [...unsure, ...unsearched.map(notSearched)],
    otherNames: known.filter((each) => !sameName(each, name)),
    presentName: renamedTo(name, leaver),
    taken: taken.flatMap((each) => linesWith(each, read)),
    didYouMean: isFound ? [] : nearTo(name).map((each) => each.name),
  };
  const isUnread = service.unknown.length > 0;
  const [isKept, hasFaults] = [kept.some(isNamed), faults.length > 0];
  return { ...person, result: resultOf(person, { isUnread, isKept, hasFaults }) };
}

interface Outcome {
  readonly isUnread: boolean;
  /** A file still lists the person. */
  readonly isKept: boolean;
  readonly hasFaults: boolean;
}

function resultOf(person: Omit<Offboarded, "result">, { isUnread, isKept, hasFaults }: Outcome): Result {
  const { refused, unknown, left, keys, serviceAccounts, taken } = person;
  if (isUnread || unknown.length > 0) return "unknown";
  if (!person.isFound) return "not found";
  if (hasFaults || refused.length > 0) return "refused";
  return isKept || [left, keys, serviceAccounts, taken].some(({ length }) => length > 0) ? "left" : "done";
}

/** Letter case may distinguish several accounts, and any of them may have the name. */
function renamedTo(name: string, { person }: SearchedPerson): string | undefined {
  const present = (person?.accounts ?? []).map(({ username }) => username);
  return isOneOf(name, present) ? undefined : present[0];
}

/** The files of organizations to which the search is not limited, if they list the person. */
function filesElsewhere(
  names: readonly string[],
  files: AccessFiles,
  orgIds: readonly string[],
  settings: Service["settings"],
): readonly string[] {
  const searched = new Set(orgIds.map((id) => id.toLowerCase()));
  const isElsewhere = (orgId = settings?.orgId) => orgId !== undefined && !searched.has(orgId.toLowerCase());
  return allOf(files)
    .filter((file) => searched.size > 0 && isElsewhere(file.orgId) && isListed(names, file))
    .map(({ file }) => file);
}

function notSearched(what: string): Unread {
  return {
    what,
    reason:
      "--org does not name its organization, so it was not searched. Run the command again with --org for it.",
  };
}

/** Nobody can know which account has accepted an invitation if it has another name by now. */
function perhapsAccepted({ names, userIds, person }: SearchedPerson, declared: Declared): Unread[] {
  if (userIds.length > 0 || (person?.accounts ?? []).length > 0) return [];
  return declared.placesOfGoneInvitations(names).map(({ kind, name, id }) => ({
    what: `${kind} ${withId(name, id)}`,
    reason: `The invitation is gone, and no account is named ${names.join(" or ")}: whoever accepted it may have been renamed since. Look with opsmanager access for somebody whom nothing declares there, and run the command again with that name. If there is nobody, pulumi up forgets the invitation.`,
  }));
}

/** Somebody has acted by the name, and is called otherwise now. */
function later(name: string, { laterNames }: Created): Unread[] {
  return laterNames.map((now) => ({
    what: `account ${now}`,
    reason: `By events, it was named ${name}. Run the command with ${now}.`,
  }));
}

/** Without the service, the files alone show who owns a place. */
function ownerless({ names }: SearchedPerson, before: AccessFiles, after: AccessFiles): Unread[] {
  const now = Date.now();
  const still = new Set(
    placesWithOwners(after).flatMap(({ place, owners, ends = [] }) => {
      const over = ends.filter(({ property, until }) => property === "members" && isOver(until, now));
      return owners.some((owner) => !over.some((end) => end.name === owner)) ? [place] : [];
    }),
  );
  return placesWithOwners(before)
    .filter(({ place, owners }) => !still.has(place) && owners.some((owner) => isOneOf(owner, names)))
    .map(({ place }) => ({
      what: place,
      reason:
        "It has no other owner in its file. Unless somebody else owns it directly, the next up refuses: name another owner first.",
    }));
}

/** The lines that name somebody; nobody knows who is meant. */
function linesWith(name: string, { files, locate }: ReadFolder) {
  const lines = peopleOf(files).flatMap(({ file, names }) =>
    names.filter((each) => sameName(each.name, name)).map(({ path }) => locationText(locate(file, path))),
  );
  return lines.length === 0 ? [] : [{ name, lines: [...new Set(lines)] }];
}

function reported({ name: file, removed: entries }: EditedFile) {
  return { file, entries };
}
