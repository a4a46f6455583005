/**
 * The report in words, once for all formats: what it begins with, and its entries. A format decides where
 * an entry stands and how it is marked up. What an entry says is decided here. Pure.
 */
import { isUrn } from "../../../provider/resources/session/claims";
import { shortList } from "../../../provider/text/list";
import { visibleText } from "../../../provider/text/visible-text";
import { eventText, timeText } from "../../lib/last-event";
import { kindOf, logicalName, typeOf } from "../../lib/own-resources";
import { counted } from "../../lib/terminal";
import { byImportance, consequences } from "./importance";
import {
  differenceKinds,
  type EarlierEntry,
  type Finding,
  isCompared,
  isNew,
  ownable,
  propertyIdentity,
  type Report,
  type Undetermined,
  type UndeterminedRow,
  type UnmanagedKind,
  type UnmanagedRow,
  undeterminedIdentity,
  undeterminedRows,
  unmanagedIdentity,
  unmanagedKinds,
} from "./model";
import { changesSentence, hints, resultSentences, resultTitle } from "./summary";
import {
  type UnmanagedColumn,
  unmanagedColumns,
  unmanagedHeading,
  unmanagedLine,
  unmanagedPath,
  unmanagedText,
} from "./unmanaged-kinds";
import { quotedIfNeeded, valueText } from "./values";

export type EntryKind =
  | Finding["kind"]
  | "undetermined"
  | "unmanaged"
  /** Access only through a team or the organization. */
  | "indirect"
  /** Of the earlier report, and not in this one. */
  | "resolved"
  | "notChecked";

/** The columns of the unmanaged kinds, and those of the other entries. */
type FactName =
  | UnmanagedColumn
  | "resource"
  | "difference"
  | "property"
  | "declared"
  | "live"
  | "stack"
  | "what"
  | "reason"
  | "kind"
  | "since"
  | "projects"
  | "cause"
  | "with it"
  | "listed account"
  | "end"
  | "last matching event"
  | "age";

/** A fact with its name: a column of a table. */
export interface Fact {
  readonly name: FactName;
  /** As it is: a format escapes it. */
  readonly text: string;
  /** Text of our own. Other text comes from outside, so it is escaped, and shown as code where possible. */
  readonly isOurs?: boolean;
}

/** What is known about an entry beside what it is: why it differs, since when, who may have done it. */
interface Remark extends Fact {
  /** The remark in parentheses in a line; default: the text. */
  readonly words?: string;
}

/** A difference, or something else that the report lists. */
export interface Entry
  extends Partial<Pick<Finding, "cause" | "ignored" | "lastEvent" | "location" | "since">> {
  readonly kind: EntryKind;
  readonly stack?: string | undefined;
  /** The resource with its kind, `payments (Project)`, or what else it is about. */
  readonly subject: string;
  /** What identifies the subject: its URN, or a path of our own. */
  readonly path: string;
  /** Its own name, the same in each run: `payments`, `Key refused`. */
  readonly name: string;
  /** ID of the resource of a difference, if it is known. */
  readonly id?: string | undefined;
  /** What it is below its heading, in visible characters: `tags: declared ["a"], live ["b"]` */
  readonly line: string;
  /** What it is, in a sentence, whose full stop may be missing: `statement` adds it. */
  readonly sentence: string;
  readonly facts: readonly Fact[];
  readonly remarks: readonly Remark[];
  /** The rule that ignores it, with its reason and last day. */
  readonly rule?: string | undefined;
  readonly isNew: boolean;
  /** The values that identify it in the next run. */
  readonly identity: readonly unknown[];
  /** What several resources have in common: each of them. */
  readonly members?: readonly string[];
  /** It follows from another entry, which names it: the resource of a deleted project. */
  readonly isConsequence?: boolean;
  /** Of something unmanaged. */
  readonly unmanagedKind?: UnmanagedKind;
}

/** Entries under a heading. */
export interface Section {
  readonly about: "differences" | "undetermined" | "earlier" | "unmanaged";
  readonly title: string;
  /** What its entries are called; default: a number alone. */
  readonly noun?: readonly [one: string, many: string];
  /** The stack whose differences these are. */
  readonly stack?: string;
  readonly entries: readonly Entry[];
}

export interface Document {
  readonly report: Report;
  /** `Drift: 2 differences in 1 resource`, with what is new. */
  readonly title: string;
  /** The result in sentences. */
  readonly result: string;
  /** What has changed since the earlier report, and what a reader should know: a sentence each. */
  readonly changes: readonly string[];
  readonly hints: readonly string[];
  /** The differences first, then what could not be determined. */
  readonly entries: readonly Entry[];
}

export function documentOf(report: Report): Document {
  const remarksOf = (entry: Pick<Finding, "since" | "lastEvent">) => remarks(report, entry);
  const own = <T extends Pick<Finding, "since" | "ignored">>(source: T) => ({
    isNew: isNew(report, source),
    rule: source.ignored && ruleText(source.ignored),
  });
  const causes = consequences(report.findings);
  const goneWith = Map.groupBy(causes.keys(), (finding) => causes.get(finding));
  return {
    report,
    title: resultTitle(report),
    result: resultSentences(report),
    changes: changesSentence(report),
    hints: hints(report),
    entries: [
      ...byImportance(report.findings).map((finding) => ({
        ...ofFinding(finding, [
          ...listedAccountRemark(finding),
          ...endRemark(finding),
          ...withItRemark(goneWith.get(finding)),
          ...remarksOf(finding),
        ]),
        ...own(finding),
        isConsequence: causes.has(finding),
      })),
      ...undeterminedRows(report).map((row) => ({ ...ofUndetermined(row, remarksOf(row)), ...own(row) })),
      ...earlierEntries(report),
      ...ownable(report).map((row) => ({ ...ofUnmanaged(row, remarksOf(row)), ...own(row) })),
      ...indirectEntries(report),
    ],
  };
}

/** What a report in sentences begins with: the result, and what has changed since the earlier report. */
export function firstLine({ result, changes }: Pick<Document, "result" | "changes">): string {
  return [result, ...changes].join(" ");
}

/** What could not be determined of no checked stack: a stack that failed as a whole, a list of the service. */
export function undeterminedElsewhere({ report, entries }: Document): Entry[] {
  const stacks = new Set<string | undefined>(report.stacks.map(({ stack }) => stack));
  return entries.filter(({ kind, stack }) => kind === "undetermined" && !stacks.has(stack));
}

/** The entries with their headings, in the order of the document. */
export function sectionsOf({ entries }: Document): Section[] {
  const of = (kind: EntryKind) => entries.filter((entry) => entry.kind === kind);
  const differences = Map.groupBy(entries.filter(isDifference), ({ stack = "" }) => stack);
  const sections: Section[] = [
    ...[...differences].map(([stack, own]) => ({
      about: "differences" as const,
      title: stack,
      noun: ["difference", "differences"] as const,
      stack,
      entries: own,
    })),
    { about: "undetermined", title: "Could not be determined", entries: of("undetermined") },
    { about: "earlier", title: EARLIER.resolved, entries: of("resolved") },
    { about: "earlier", title: EARLIER.notChecked, entries: of("notChecked") },
    ...unmanagedKinds.map((kind) => ({
      about: "unmanaged" as const,
      title: unmanagedHeading(kind),
      entries: entries.filter(({ unmanagedKind }) => unmanagedKind === kind),
    })),
    { about: "unmanaged", title: INDIRECT, noun: ["person", "people"], entries: of("indirect") },
  ];
  return sections.filter((each) => each.entries.length > 0);
}

/** The number of the entries that are shown of a section: `3`, `4 differences`. */
export function sectionCount({ noun }: Section, { length }: readonly Entry[]): string {
  return noun === undefined ? String(length) : counted(length, ...noun);
}

export const EARLIER = { resolved: "Resolved", notChecked: "Not checked this time" } as const;

const INDIRECT = "Access only through a team or the organization, which a project cannot manage";

export function isDifference({ kind }: Entry): boolean {
  return differenceKinds.some((each) => each === kind);
}

/**
 * The entries for a reader: those that no rule ignores and that follow from no other one, the new ones first. Beside
 * that, the order stays the same.
 */
export function counting(entries: readonly Entry[]): Entry[] {
  const own = entries.filter(({ ignored, isConsequence }) => ignored === undefined && !isConsequence);
  return [...own.filter((entry) => entry.isNew), ...own.filter((entry) => !entry.isNew)];
}

/** The entry in a sentence with its remarks, or with some of them. */
export function statement({ sentence, remarks: own }: Entry, shown: readonly Remark[] = own): string {
  const text = `${sentence}${remarksText(shown)}`;
  return /[.!?]$/.test(sentence) ? text : `${text}.`;
}

/** The remarks of an entry, each in parentheses. */
export function remarksText(shown: readonly Remark[]): string {
  return shown.map(({ text, words = text }) => ` (${words})`).join("");
}

// The entries of each kind.

type Source = Omit<Entry, "isNew" | "rule">;

function ofFinding(finding: Finding, others: readonly Remark[]): Source {
  const { kind, stack, urn, name, id, property, declared, live, comparison } = finding;
  const { cause, ignored, lastEvent, location, since } = finding;
  const isWhole = property === "";
  const sides = bothSides(finding);
  const shown = visibleText(property);
  const text = isWhole ? wholeObjectText(finding) : `${shown}: ${sides}`;
  const sentence = isWhole || kind === "undeclared" ? text : `${shown} was ${kind}: ${sides}`;
  const subject = subjectOf(finding);
  const where = projectsOfTeam(finding);
  const value = (side: unknown, more = "") =>
    side === undefined ? "" : [valueText(side), more].filter(Boolean).join(" ");
  return {
    ...{ kind, stack, subject, path: urn, name, id, line: text, sentence: `${subject}: ${sentence}` },
    facts: [
      { name: "property", text: isWhole ? wholeObjectText(finding) : property, isOurs: isWhole },
      { name: "declared", text: kind === "added" || kind === "undeclared" ? "" : value(declared) },
      { name: "live", text: kind === "removed" ? "" : value(live, where) },
      { name: "status", text: finding.object?.status ?? "", isOurs: true },
    ],
    remarks: [{ name: "cause", text: causeText(finding), isOurs: true }, ...others],
    identity: [kind, comparison, urn, ...propertyIdentity(finding)],
    ...{ cause, ignored, lastEvent, location, since },
  };
}

function ofUndetermined(row: UndeterminedRow, others: readonly Remark[]): Source {
  const { what, reason, ignored, location, since, sharedCause, stack, entries } = row;
  const isGroup = sharedCause !== undefined && entries.length > 1;
  const subject = visibleText(undeterminedText(row));
  const words = visibleText(reason.replace(/\s+/g, " "));
  return {
    ...{ kind: "undetermined", stack, subject, path: what, line: `${subject}: ${words}` },
    // Which resource explains the cause may change from run to run.
    name: isGroup ? sharedCause.name : undeterminedText({ what }),
    identity: isGroup ? ["unreadable", stack, sharedCause.name] : undeterminedIdentity(row),
    sentence: `${subject} could not be determined: ${words}`,
    facts: [
      { name: "stack", text: stack ?? "" },
      { name: "what", text: subject },
      { name: "reason", text: words },
    ],
    remarks: others,
    members: entries.map((entry) => undeterminedText({ what: entry.what })),
    ...{ ignored, location, since },
  };
}

function ofUnmanaged(row: UnmanagedRow, others: readonly Remark[]): Source {
  const { kind, holder, status, ignored, lastEvent, since } = row;
  const line = unmanagedLine(row);
  return {
    ...{ kind: "unmanaged", unmanagedKind: kind, subject: unmanagedText(row), path: unmanagedPath(row) },
    ...{ name: holder.name, line, sentence: `${line}, and no resource owns that` },
    facts: unmanagedColumns(row).map(([name, text]) => ({
      name,
      text,
      isOurs: name === "status" && !!status,
    })),
    remarks: others,
    identity: unmanagedIdentity(row),
    ...{ ignored, lastEvent, since },
  };
}

/** More names would hide what matters: an owner of the organization is in all of its projects. */
const MOST_PROJECTS_NAMED = 3;

/** People who have access only through a team or the organization: each person once. */
function indirectEntries({ unmanaged }: Report): Entry[] {
  const rows = unmanaged?.rows.filter(({ status }) => status === "indirect") ?? [];
  return [...Map.groupBy(rows, ({ holder }) => holder.name)].map(([name, same]): Entry => {
    const places = same.map(({ place }) => quotedIfNeeded(place.name));
    const projects =
      places.length > MOST_PROJECTS_NAMED ? counted(places.length, "project") : places.join(", ");
    const line = `${visibleText(name)} in ${projects}`;
    return {
      ...{ kind: "indirect", subject: name, path: `person/${name}`, name, line, sentence: `${line}.` },
      facts: [
        { name: "person", text: name },
        { name: "projects", text: projects },
      ],
      ...{ remarks: [], isNew: false, identity: [] },
    };
  });
}

/** The entries of the earlier report that this one lacks. */
function earlierEntries({ previous }: Report): Entry[] {
  const toEntry =
    (outcome: keyof typeof EARLIER) =>
    (entry: EarlierEntry): Entry => {
      const { what, kind, since, stack, fingerprint } = entry;
      const began = `since ${timeText(since)}`;
      const facts = [kind, began, ...(stack === undefined ? [] : [`stack ${stack}`])];
      const line = visibleText(`${what} (${facts.join(", ")})`);
      return {
        ...{
          kind: outcome,
          stack,
          subject: what,
          path: what,
          name: what,
          line,
          sentence: `${kind}, ${began}`,
        },
        facts: [
          { name: "stack", text: stack ?? "" },
          { name: "what", text: what },
          { name: "kind", text: kind, isOurs: true },
          { name: "since", text: timeText(since), isOurs: true },
        ],
        ...{ remarks: [], isNew: false, identity: [fingerprint] },
      };
    };
  return [
    ...(previous?.resolved ?? []).map(toEntry("resolved")),
    ...(previous?.notChecked ?? []).map(toEntry("notChecked")),
  ];
}

// The remarks.

/** The age and the last event of an entry, as far as they are known. A new remark is shown by every format. */
function remarks(report: Report, entry: Pick<Finding, "since" | "lastEvent">): readonly Remark[] {
  const [age, event] = [ageText(report, entry), lastEventText(entry)];
  const found: readonly Remark[] = [
    { name: "last matching event", text: event, words: `last matching event: ${event}` },
    { name: "age", text: age, isOurs: true },
  ];
  return found.filter(({ text }) => text !== "");
}

/** Whom the program means by the name of an undeclared person. */
function listedAccountRemark({ object }: Finding): Remark[] {
  const { listedAccount: text } = object ?? {};
  if (text === undefined) return [];
  return [{ name: "listed account", text, words: `the list means ${text}, which was renamed` }];
}

/** Why an access should not be there any more. */
function endRemark({ end }: Finding): Remark[] {
  if (end === undefined) return [];
  const { until, overdueSince, overdueReason } = end;
  const since = overdueSince === undefined ? "" : `, overdue since ${overdueSince}`;
  const why = overdueReason === undefined ? "" : `: ${overdueReason}`;
  const text = `${until}${since}${why}`.replace(/\.$/, "");
  return [{ name: "end", text, words: `its last day was ${text}` }];
}

/** The resources that no longer exist because their project does not. */
function withItRemark(gone: readonly Finding[] = []): Remark[] {
  if (gone.length === 0) return [];
  const names = shortList(gone.map(subjectOf), MOST_ENTRIES_NAMED);
  const text = `${counted(gone.length, "resource")}: ${names}`;
  return [{ name: "with it", text, words: `and with it ${text}` }];
}

/** `payments (Project)` */
function subjectOf(finding: Finding): string {
  return `${visibleText(finding.name)} (${kindOfResource(finding)})`;
}

/** `new`, or since when an entry is there. Empty if the report was not compared. */
function ageText(report: Report, entry: Pick<Finding, "since">): string {
  if (!isCompared(report) || entry.since === undefined) return "";
  return isNew(report, entry) ? "new" : `since ${timeText(entry.since)}`;
}

/** Empty if none was sought, or the events are unknown: a hint says that once. */
function lastEventText({ lastEvent }: Pick<Finding, "lastEvent">): string {
  return lastEvent === undefined || lastEvent.outcome === "unknown" ? "" : eventText(lastEvent);
}

/** Why the live value differs, as far as the state or the service proves it. */
const CAUSES: Readonly<Record<Finding["cause"], string>> = {
  outside: "changed outside Pulumi",
  "not-applied": "not applied yet",
  both: "changed outside Pulumi, and the program is not applied yet",
  unknown: "changed outside Pulumi or not applied yet",
  expired: "the invitation expired",
};

/** Of something that is not declared, and that Pulumi itself may have changed. */
const CHANGED_BY_KEY = "changed with the API key of Pulumi, by a run or by another user of the key";

/**
 * `changed outside Pulumi`, `the invitation expired on 2026-11-23 06:00 UTC`; names the comparison only if it is
 * not the one with the program.
 */
function causeText({
  cause,
  comparison,
  kind,
  expiredAt,
}: Pick<Finding, "cause" | "comparison" | "kind" | "expiredAt">): string {
  const general = kind === "undeclared" && cause === "unknown" ? CHANGED_BY_KEY : CAUSES[cause];
  const text = expiredAt === undefined ? general : `${general} on ${timeText(expiredAt)}`;
  return comparison === "state" ? `${text}, compared with the state` : text;
}

/** The reason of a rule that ignores something, and the last day of the rule. */
function ruleText({ reason, expires }: NonNullable<Finding["ignored"]>): string {
  return expires === undefined ? reason : `${reason}, until ${expires}`;
}

// The differences.

/** The kind of a resource of either provider, such as `Project`. */
export function kindOfResource({ type }: Pick<Finding, "type">): string {
  return kindOf(type) ?? type;
}

/** `declared "a", live "b"` */
function bothSides({ kind, declared, live, object }: Finding): string {
  if (kind === "undeclared") {
    const roles = [valueText(live), projectsOfTeam({ object })].filter(Boolean).join(" ");
    return [object?.status, roles, "not declared"].filter(Boolean).join(", ");
  }
  if (kind === "added") return `live ${valueText(live)}, not declared`;
  if (kind === "removed") return `declared ${valueText(declared)}, not there`;
  return `declared ${valueText(declared)}, live ${valueText(live)}`;
}

/** `in payments`, `in 12 projects`: where a person has the roles of a team. Empty for others. */
function projectsOfTeam({ object }: Pick<Finding, "object">): string {
  const { projects = [] } = object ?? {};
  const names = projects.map(({ projectName }) => quotedIfNeeded(projectName));
  if (names.length > MOST_PROJECTS_NAMED) return `in ${names.length} projects`;
  return names.length === 0 ? "" : `in ${names.join(", ")}`;
}

/** Describes a difference of the whole object, without a full stop. */
function wholeObjectText({ kind, end }: Pick<Finding, "kind" | "end">): string {
  if (end !== undefined)
    return kind === "removed"
      ? "It is in the program but not in the stack, and its last day is over: the next up takes away what is there"
      : "It is there although its last day is over: the next up takes it away";
  if (kind === "deleted") return "The whole object no longer exists";
  return kind === "removed"
    ? "It is in the program but not in the stack: the next up creates or adopts it"
    : "It is in the stack but no longer in the program: the next up destroys it";
}

// What could not be determined.

/** More names would hide the cause that the entries have in common. */
const MOST_ENTRIES_NAMED = 3;

/**
 * What could not be determined: a resource by its logical name and its kind, `payments (Project)`;
 * anything else, such as a list of the service, as it is. Of several with one cause, the cause and their
 * number: `Key refused, 36 resources: payments (Project), ...`
 */
export function undeterminedText({
  what,
  sharedCause,
  entries = [],
}: Pick<Undetermined, "what" | "sharedCause"> & Partial<Pick<UndeterminedRow, "entries">>): string {
  if (sharedCause !== undefined && entries.length > 1) {
    const names = entries.map((entry) => undeterminedText({ what: entry.what }));
    const count = counted(entries.length, "resource");
    return `${sharedCause.name}, ${count}: ${shortList(names, MOST_ENTRIES_NAMED)}`;
  }
  return isUrn(what) ? `${logicalName(what)} (${kindOfResource({ type: typeOf(what) })})` : what;
}
