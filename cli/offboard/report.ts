/** The result of `opsmanager offboard`, as the JSON format has it, and as text. Pure. */
import { serviceAccountText } from "../../provider/access/places";
import { shortList } from "../../provider/text/list";
import { visibleText } from "../../provider/text/visible-text";
import type { Unread } from "../lib/access/reading";
import { organizationText } from "../lib/organization";
import { counted, listed } from "../lib/terminal";
import type { RemovedEntry } from "./edit";
import type { Refusals } from "./failures";
import { type Divided, placeText } from "./left";

/** The exit code of each result; with several people, the first of them that one has. */
export const EXIT_CODES = { unknown: 1, "not found": 4, refused: 3, left: 2, done: 0 } as const;

export type Result = keyof typeof EXIT_CODES;

interface InOrganization {
  readonly orgId: string;
  readonly orgName: string | undefined;
}

/** With what a person may still sign in, as far as events show. */
export interface Created {
  /** API keys that the person created, and may know. */
  readonly keys: readonly (InOrganization & {
    readonly publicKey: string;
    readonly description: string | undefined;
  })[];
  /**
   * Service accounts with a secret that was made when the person made an account or a secret. No event names the account,
   * so it may be that of somebody else.
   */
  readonly serviceAccounts: readonly (InOrganization & {
    readonly clientId: string;
    readonly name: string | undefined;
  })[];
  /** If nobody has the name: what accounts are called now that have acted by it. */
  readonly laterNames: readonly string[];
}

export interface Offboarded extends Divided, Refusals, Created {
  /** As given on the command line, without blanks around it. */
  readonly name: string;
  readonly result: Result;
  /** Whether an account, an invitation, a file or the state has one of the names. */
  readonly isFound: boolean;
  /** Others of the same account, which files and states may have. */
  readonly otherNames: readonly string[];
  /** That of the account now, if it is another one: after the `up`, the state does not know the former one. */
  readonly presentName?: string | undefined;
  /** Names of the account by which somebody else is known as well, with the lines of files that have them. */
  readonly taken: readonly { readonly name: string; readonly lines: readonly string[] }[];
  /** Known names that are nearly this one, if nobody was found. */
  readonly didYouMean: readonly string[];
}

interface ReportedFile {
  readonly file: string;
  readonly entries: readonly RemovedEntry[];
}

export interface OffboardReport {
  /** Increased when a field changes its meaning or is removed. New fields may be added at any time. */
  readonly schemaVersion: 1;
  readonly isDryRun: boolean;
  /** Stack whose state shows what is declared; absent if none is selected or nothing could be read. */
  readonly stack?: string | undefined;
  /** The setting: if it is off, the report is about `pulumi up --refresh`. Absent if the settings could not be read. */
  readonly refreshBeforeUpdate?: boolean | undefined;
  /** The organizations to which the search was limited; empty if it was not. */
  readonly orgIds: readonly string[];
  /** Files that were changed, or would be. Empty if there are faults. */
  readonly files: readonly ReportedFile[];
  /** Files that still list people who leave, because nobody else would be in the list. */
  readonly kept: readonly ReportedFile[];
  /** What would be wrong with the files after the edits. */
  readonly faults: readonly string[];
  readonly people: readonly Offboarded[];
  /** What could not be read, for all of them. */
  readonly unknown: readonly Unread[];
  /** The organizations and projects in which groups of LDAP or of an identity provider have roles. */
  readonly mapsGroups: readonly string[];
}

export function exitCodeOf({ people }: OffboardReport): number {
  const results = new Set(people.map(({ result }) => result));
  const [first = "done"] = (Object.keys(EXIT_CODES) as Result[]).filter((each) => results.has(each));
  return EXIT_CODES[first];
}

const MOST_NAMED = 5;

export function text(report: OffboardReport): string {
  const { people, unknown, mapsGroups } = report;
  const paragraphs = [
    filesText(report),
    report.refreshBeforeUpdate === false
      ? ["The setting refreshBeforeUpdate is off, so every up in this report means pulumi up --refresh."]
      : [],
    ...people.map((person) => personText(person, report)),
    section(
      "Unknown:",
      unknown.map(({ what, reason }) => `? ${what}: ${reason}`),
    ),
    mapsGroups.length > 0
      ? [
          `Groups of LDAP or of an identity provider have roles in these places, and a login can give them again: ${shortList(mapsGroups, MOST_NAMED)}. Take the person out of the groups.`,
        ]
      : [],
  ];
  return `${paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(visibleText).join("\n"))
    .join("\n\n")}\n`;
}

function filesText(report: OffboardReport): string[] {
  const { people, files, kept, faults, isDryRun, refreshBeforeUpdate } = report;
  if (faults.length > 0)
    return section(
      "No file was changed, because the files would have faults. Mend them, and run the command again:",
      faults,
    );
  const count = counted(files.length, "file");
  const up = refreshBeforeUpdate === false ? "pulumi up --refresh" : "pulumi up";
  const title =
    files.length === 0
      ? `No file was changed for ${listed(people.map(({ name }) => name))}.`
      : isDryRun
        ? `${count} would change. Nothing was written.`
        : `${count} changed. Run ${up} to end what ${files.length === 1 ? "it" : "they"} declared.`;
  return [
    title,
    ...files.map((file) => `  ${linesOf(file)}`),
    ...kept.map(
      (file) =>
        `  ${linesOf(file)}: left as it is, because nobody else would be in the list. Name somebody else there, and run the command again.`,
    ),
  ];
}

function linesOf({ file, entries }: ReportedFile): string {
  return entries.map(({ property, line }) => `${file}:${line} (${property})`).join(", ");
}

function personText(person: Offboarded, { people, faults, orgIds }: OffboardReport): string[] {
  const { name, result, isFound, otherNames, taken, didYouMean, ending, refused, left, keys, unknown } =
    person;
  const obstacle = faults.length > 0 ? "faults" : refused.length > 0 ? "refusals below" : undefined;
  const theNextEnds =
    obstacle === undefined ? "The next up ends" : `Without the ${obstacle}, the next up would end`;
  const there = orgIds.length > 0 ? " in the searched organizations" : "";
  const lines = [
    ...(isFound
      ? []
      : [`Nobody is named ${name}${there}${result === "not found" ? "" : ", as far as it could be read"}.`]),
    ...(didYouMean.length > 0 ? [`Did you mean ${listed(didYouMean)}?`] : []),
    ...(otherNames.length > 0 ? [`${name} is also known as ${listed(otherNames)}.`] : []),
    ...(person.presentName === undefined
      ? []
      : [`The account is named ${person.presentName} now: after the up, run the command with that name.`]),
    ...(ending.length > 0 ? [`${theNextEnds} ${counted(ending.length, "way", "ways")} of access.`] : []),
    ...section(
      "The next up refuses:",
      refused.map(({ what, reason }) => `${what}: ${reason}`),
    ),
    ...section(
      "Left, because the edited files do not declare it:",
      left.map((entry) => {
        const what = [...(entry.status === "pending" ? ["invited"] : []), ...entry.roles].join(", ");
        return `${placeText(entry)}${what === "" ? "" : `: ${what}`}. ${entry.howToEnd}`;
      }),
    ),
    ...section(
      "Names by which somebody else is known as well. Edit these lines by hand:",
      taken.map((each) => `${each.name}: ${each.lines.join(", ")}`),
    ),
    ...section(
      `API keys that ${name} created, as far as events show, and may know. Rotate or delete them:`,
      keys.map((key) => {
        const purpose = key.description ? ` ${JSON.stringify(key.description)}` : "";
        return `API key ${key.publicKey}${purpose} of ${organizationText(key)}`;
      }),
    ),
    ...section(
      `Service accounts of which ${name} perhaps knows a secret: it is from the time at which ${name} created an account or a secret, but events don't name the account. Replace the secret or delete the account:`,
      person.serviceAccounts.map(
        (account) => `${serviceAccountText(account)} of ${organizationText(account)}`,
      ),
    ),
    ...section(
      "Unknown whether this ends:",
      unknown.map(({ what, reason }) => `? ${what}: ${reason}`),
    ),
  ];
  if (result === "done") lines.push(`Nothing else is left of ${name}${there}.`);
  return people.length > 1 && lines.length > 0 ? [`${name}:`, ...lines] : lines;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}
