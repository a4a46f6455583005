/** Texts that several formats share. Pure. */
import { owningRight } from "../../../provider/access/rights";
import { isUrn } from "../../../provider/resources/session/claims";
import { shortList } from "../../../provider/text/list";
import { visibleText } from "../../../provider/text/visible-text";
import { organizationText } from "../../lib/organization";
import { kindOf, logicalName, typeOf } from "../../lib/own-resources";
import { counted, listed } from "../../lib/terminal";
import {
  type Coverage,
  countIgnored,
  countNew,
  countsByKind,
  type DriftReport,
  differenceKinds,
  type EarlierEntry,
  type Finding,
  isCompared,
  isNew,
  notIgnored,
  type Undetermined,
  type UndeterminedRow,
  type Unmanaged,
  type UnmanagedEntry,
  type UnmanagedKind,
  undeterminedRows,
  unmanagedEntries,
  unmanagedKinds,
} from "../report";

/** Formats a value as JSON in one line. */
export function valueText(value: unknown): string {
  return value === undefined ? "nothing" : visibleText(JSON.stringify(value));
}

/** The kind of a resource of either provider, such as `Project`. */
export function kindOfResource({ type }: Pick<Finding, "type">): string {
  return kindOf(type) ?? type;
}

/** More names would hide the cause that the things have in common. */
const MOST_THINGS_NAMED = 3;

/**
 * What could not be determined: a resource by its logical name and its kind, `payments (Project)`;
 * anything else, such as a list of the service, as it is. Of several with one cause, the cause and their
 * number: `Key refused, 36 resources: payments (Project), ...`
 */
export function undeterminedText({
  what,
  sharedCause,
  things = [],
}: Pick<Undetermined, "what" | "sharedCause"> & Partial<Pick<UndeterminedRow, "things">>): string {
  if (sharedCause !== undefined && things.length > 1) {
    const names = things.map((thing) => undeterminedText({ what: thing.what }));
    return `${causeCount(sharedCause.name, things.length)}: ${shortList(names, MOST_THINGS_NAMED)}`;
  }
  return isUrn(what) ? `${logicalName(what)} (${kindOfResource({ type: typeOf(what) })})` : what;
}

/** `Key refused, 36 resources` */
export function causeCount(cause: string, count: number): string {
  return `${cause}, ${counted(count, "resource")}`;
}

/** What could not be determined: each cause with its number of resources, and the number of other entries. */
export function undeterminedCounts(report: DriftReport): string[] {
  const rows = undeterminedRows(report, notIgnored(report.unreadable));
  const causes = rows.flatMap(({ sharedCause, things }) =>
    sharedCause ? [causeCount(sharedCause.name, things.length)] : [],
  );
  const others = rows.filter(({ sharedCause }) => sharedCause === undefined).length;
  if (causes.length === 0) return others === 0 ? [] : [counted(others, "entry", "entries")];
  return [...causes, ...(others === 0 ? [] : [counted(others, "other entry", "other entries")])];
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
export function causeText({
  cause,
  comparison,
  kind,
  expiredAt,
}: Pick<Finding, "cause" | "comparison" | "kind" | "expiredAt">): string {
  const general = kind === "undeclared" && cause === "unknown" ? CHANGED_BY_KEY : CAUSES[cause];
  const text = expiredAt === undefined ? general : `${general} on ${timeText(expiredAt)}`;
  return comparison === "state" ? `${text}, compared with the state` : text;
}

/** `name was changed: declared "a", live "b" (changed outside Pulumi).` */
export function differenceText(finding: Finding): string {
  const { kind, property } = finding;
  if (property === "") return `${wholeObjectText(finding)} (${causeText(finding)}).`;
  if (kind === "undeclared") {
    return `${visibleText(property)}: ${bothSides(finding)} (${causeText(finding)}).`;
  }
  return `${visibleText(property)} was ${kind}: ${bothSides(finding)} (${causeText(finding)}).`;
}

/** `declared "a", live "b"` */
export function bothSides({ kind, declared, live, object }: Finding): string {
  if (kind === "undeclared") {
    const where = projectsOfTeam({ object });
    const roles = where === "" ? valueText(live) : `${valueText(live)} ${where}`;
    return [object?.status, roles, "not declared"].filter(Boolean).join(", ");
  }
  if (kind === "added") return `live ${valueText(live)}, not declared`;
  if (kind === "removed") return `declared ${valueText(declared)}, not there`;
  return `declared ${valueText(declared)}, live ${valueText(live)}`;
}

/** `in payments`, `in 12 projects`: where a person has the roles of a team. Empty for others. */
export function projectsOfTeam({ object }: Pick<Finding, "object">): string {
  const { projects = [] } = object ?? {};
  const names = projects.map(({ projectName }) => quotedIfNeeded(projectName));
  if (names.length > MOST_PROJECTS_NAMED) return `in ${names.length} projects`;
  return names.length === 0 ? "" : `in ${names.join(", ")}`;
}

/** Describes a difference of the whole object, without a full stop. */
export function wholeObjectText({ kind }: Pick<Finding, "kind">): string {
  if (kind === "deleted") return "The whole object no longer exists";
  return kind === "removed"
    ? "It is in the program but not in the stack: the next up creates or adopts it"
    : "It is in the stack but no longer in the program: the next up destroys it";
}

/** The reason of a rule that ignores something, and the last day of the rule. */
export function ruleText({ reason, expires }: NonNullable<Finding["ignored"]>): string {
  return expires === undefined ? reason : `${reason}, until ${expires}`;
}

/** How the titles name each result. */
const VERDICTS: Readonly<Record<DriftReport["result"], string>> = {
  clean: "No drift",
  drift: "Drift",
  unknown: "Not determined",
};

/** A time to the minute: `2026-11-23 06:00 UTC`. */
export function timeText(iso: string): string {
  return `${iso.slice(0, "2026-11-23T06:00".length).replace("T", " ")} UTC`;
}

/** `1 new, 2 resolved`, or `Nothing new`. Empty if there is no earlier report. */
export function changesText(report: DriftReport): string {
  if (!isCompared(report)) return "";
  const [added, resolved] = [countNew(report), report.previous?.resolved.length ?? 0];
  const counts = [added > 0 ? `${added} new` : "", resolved > 0 ? `${resolved} resolved` : ""].filter(
    Boolean,
  );
  return counts.join(", ") || "Nothing new";
}

/** The changes since the earlier report in a sentence; none without `--previous`. */
export function changesSentence(report: DriftReport): string[] {
  const { previous } = report;
  if (previous === undefined) return [];
  if (previous.generatedAt === undefined) return ["There is no earlier report, so nothing counts as new."];
  return [`${changesText(report)} since the report of ${timeText(previous.generatedAt)}.`];
}

/** `new`, or since when an entry is there. Empty if the report was not compared. */
export function ageText(report: DriftReport, thing: Pick<Finding, "since">): string {
  if (!isCompared(report) || thing.since === undefined) return "";
  return isNew(report, thing) ? "new" : `since ${timeText(thing.since)}`;
}

/** What is known about when an entry began: its age and its last event. */
export type Dated = Pick<Finding, "since" | "lastEvent">;

/** `last matching event: 2026-11-24 10:02 UTC by mallory@example.com from 192.0.2.7`. Empty if none was sought, or the events are unknown: a hint says that once. */
export function lastEventText({ lastEvent }: Dated): string {
  if (lastEvent === undefined || lastEvent.outcome === "unknown") return "";
  const { outcome, time = "", username, publicKey, isOwnKey, address } = lastEvent;
  if (outcome !== "found") return `last matching event: ${outcome}`;
  const key = publicKey && `API key ${publicKey}${isOwnKey ? " (the one of this command)" : ""}`;
  const [by, from] = [username ?? key, address].map((each) => each && visibleText(each));
  return `last matching event: ${timeText(time)}${by ? ` by ${by}` : ""}${from ? ` from ${from}` : ""}`;
}

/** The age and the last event of an entry, each in parentheses. */
export function remarks(report: DriftReport, thing: Dated): string {
  const texts = [ageText(report, thing), lastEventText(thing)].filter(Boolean);
  return texts.map((text) => ` (${text})`).join("");
}

interface EarlierSection {
  readonly outcome: "resolved" | "notChecked";
  readonly title: string;
  readonly entries: readonly EarlierEntry[];
}

/** The entries of the earlier report that this one lacks, as sections with a title. */
export function earlierSections({ previous }: DriftReport): EarlierSection[] {
  const sections: EarlierSection[] = [
    { outcome: "resolved", title: "Resolved", entries: previous?.resolved ?? [] },
    { outcome: "notChecked", title: "Not checked this time", entries: previous?.notChecked ?? [] },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}

/** `payments (Project): name (changed, since 2026-11-23 06:00 UTC, stack prod)` */
export function earlierText({ what, kind, since, stack }: EarlierEntry): string {
  const facts = [kind, `since ${timeText(since)}`, ...(stack === undefined ? [] : [`stack ${stack}`])];
  return visibleText(`${what} (${facts.join(", ")})`);
}

/**
 * The result as a title: `Drift: 2 differences in 1 resource`, or `No drift; 1 project unmanaged,
 * not counted`. It begins with the changes since an earlier report: `1 new. Drift: ...`.
 */
export function resultTitle(report: DriftReport): string {
  return [changesText(report), verdictTitle(report)].filter(Boolean).join(". ");
}

function verdictTitle(report: DriftReport): string {
  const { result, findings, unmanaged } = report;
  const differences = notIgnored(findings);
  const unowned = notIgnored(unmanagedEntries(unmanaged));
  const unmanagedText = `${listed(countsOf(unowned))} unmanaged`;
  const isCounted = unmanaged?.countsAsDrift === true;
  const counts = [
    ...undeterminedCounts(report),
    ...(differences.length > 0 ? [differenceCounts(differences)] : []),
    ...(unowned.length > 0 && isCounted ? [unmanagedText] : []),
  ];
  const verdict = counts.length === 0 ? VERDICTS[result] : `${VERDICTS[result]}: ${counts.join("; ")}`;
  return unowned.length > 0 && !isCounted ? `${verdict}; ${unmanagedText}, not counted` : verdict;
}

/** What a reader should know beside the result, a sentence each. */
export function hints(report: DriftReport): string[] {
  return [...undeclaredHint(report), ...eventsHint(report)];
}

/** The lists of events that could not be read, a sentence for each reason. */
function eventsHint({ eventsUnread = [] }: DriftReport): string[] {
  // The reason of a list contains its ID.
  const byReason = Map.groupBy(eventsUnread, ({ reason }) => reason.replaceAll(/[0-9a-f]{24}/g, ""));
  return [...byReason.values()].map((same) =>
    unreadEventsText({
      what: shortList(
        same.map(({ what }) => what),
        MOST_LISTS_NAMED,
      ),
      reason: same[0]?.reason ?? "",
    }),
  );
}

/** More names would hide the result: a report begins with them. */
const MOST_LISTS_NAMED = 3;

/** `Who changed it is unknown for project 5f…: The service does not offer events.` */
export function unreadEventsText({ what, reason }: NonNullable<DriftReport["eventsUnread"]>[number]): string {
  return visibleText(`Who changed it is unknown for ${what}: ${reason}`.replace(/\s+/g, " "));
}

/** The resources with `removeUnlisted`. */
const LISTS_OF_PEOPLE = ["ProjectMembers", "Team"];

/**
 * What to do about undeclared people, about other undeclared holders of roles, and about people of
 * undeclared teams, as far as there are any.
 */
function undeclaredHint({ findings }: DriftReport): string[] {
  const undeclared = notIgnored(findings).filter(({ kind }) => kind === "undeclared");
  // People whose names are secret have no object.
  const byObject = Map.groupBy(undeclared, ({ object }) =>
    object?.projects === undefined ? (object?.what ?? "person") : "person of a team",
  );
  const kinds = new Set(byObject.get("person")?.map(kindOfResource));
  const lists = LISTS_OF_PEOPLE.filter((kind) => kinds.has(kind));
  const others = [
    ...(byObject.has("team") ? ["teams"] : []),
    ...(byObject.has("key") ? ["API keys"] : []),
    ...(byObject.has("group") ? ["groups"] : []),
    ...(kinds.size > lists.length ? ["owners beside a ProjectMember"] : []),
  ];
  const ignoreUsers = lists.includes("ProjectMembers") ? " or ignoreUsers of ProjectMembers" : "";
  return [
    ...(lists.length > 0
      ? [
          `Undeclared people stay, unless removeUnlisted of their ${lists.join(" or ")} is true. To remove them, set removeUnlisted, or use Ops Manager. To accept them, declare them, or add an ignore rule${ignoreUsers}.`,
        ]
      : []),
    ...(others.length > 0
      ? [
          `Undeclared ${listed(others)} stay. To remove them, use Ops Manager. To accept them, declare them, or add an ignore rule.`,
        ]
      : []),
    ...(byObject.has("person of a team")
      ? [
          "People of a team that no Team declares can own projects through it. To declare them, use Team. To accept all people of the team, add an ignore rule of the kind unmanaged for it.",
        ]
      : []),
  ];
}

/**
 * The result in sentences: `Drift: 2 differences in 1 resource (1 changed, 1 added). 1 ignored.`
 * With `--fail-on-unmanaged`, unmanaged objects are drift although every resource is as declared.
 */
export function resultSentences(report: DriftReport): string {
  const findings = notIgnored(report.findings);
  const undetermined = undeterminedCounts(report).join("; ");
  const ignored = countIgnored(report);
  const kinds = countsByKind(findings).flatMap((count, index) =>
    count === 0 ? [] : [`${count} ${differenceKinds[index]}`],
  );
  const differences = `${differenceCounts(findings)} (${kinds.join(", ")})`;
  const verdict = VERDICTS[report.result];
  const sentences: Readonly<Record<DriftReport["result"], string>> = {
    clean: `${verdict}.`,
    drift:
      findings.length > 0
        ? `${verdict}: ${differences}.`
        : `${verdict}: unmanaged objects, but no difference.`,
    unknown: `${verdict}: ${undetermined}${findings.length > 0 ? `. Beside that: ${differences}` : ""}.`,
  };
  return [sentences[report.result], ...(ignored > 0 ? [`${ignored} ignored.`] : [])].join(" ");
}

/**
 * What a report in sentences begins with. The first line is the result and what has changed since
 * the earlier report, so it is enough for the subject of an email. The hints follow, a line each.
 *
 * @param emphasized for the result
 */
export function summaryLines(report: DriftReport, emphasized = (result: string) => result): string[] {
  const result = emphasized(resultSentences(report));
  return [[result, ...changesSentence(report)].join(" "), ...hints(report)];
}

/** `2 differences in 1 resource` */
function differenceCounts(findings: readonly Finding[]): string {
  const resources = new Set(findings.map(({ stack, urn }) => `${stack} ${urn}`)).size;
  return `${counted(findings.length, "difference")} in ${counted(resources, "resource")}`;
}

/** How the texts name one unmanaged object of a kind, and several. */
export const unmanagedNouns: Readonly<
  Record<UnmanagedKind, { readonly one: string; readonly many: string }>
> = {
  projects: { one: "project", many: "projects" },
  people: { one: "person", many: "people" },
  teams: { one: "team", many: "teams" },
  keys: { one: "API key", many: "API keys" },
  mappings: { one: "group mapping", many: "group mappings" },
  owners: { one: "organization owner", many: "organization owners" },
  ownerKeys: { one: "organization owner key", many: "organization owner keys" },
  teamPeople: { one: "team member", many: "team members" },
};

/** The kinds of unmanaged objects as a list in words. A pending invitation is one of a person. */
export function kindsOfUnmanaged(): string {
  return listed(unmanagedKinds.map((kind) => unmanagedNouns[kind].many));
}

/** The unmanaged objects of each kind; of the other kinds than projects and people only if there are any. */
export function unmanagedByKind(
  entries: readonly UnmanagedEntry[],
): { readonly kind: UnmanagedKind; readonly own: readonly UnmanagedEntry[] }[] {
  return unmanagedKinds
    .map((kind) => ({ kind, own: entries.filter((entry) => entry.kind === kind) }))
    .filter(({ kind, own }) => own.length > 0 || kind === "projects" || kind === "people");
}

/** `2 projects` and `1 person`; teams and their members only if there are any. */
export function countsOf(entries: readonly UnmanagedEntry[]): string[] {
  return unmanagedByKind(entries).map(({ kind, own }) => {
    const { one, many } = unmanagedNouns[kind];
    return counted(own.length, one, many);
  });
}

/** The heading of a list of unmanaged objects: `Team members that no resource owns`. */
export function unmanagedHeading(kind: UnmanagedKind): string {
  const { many } = unmanagedNouns[kind];
  return `${many.charAt(0).toUpperCase()}${many.slice(1)} that no resource owns`;
}

/**
 * An unmanaged object and what it is in: `bob@example.com in payments (5f…)`, `API key deploy
 * (abcdefgh) in payments (5f…)`.
 */
export function unmanagedText(entry: UnmanagedEntry): string {
  return UNMANAGED_TEXTS[entry.kind](entry);
}

const UNMANAGED_TEXTS: Readonly<Record<UnmanagedKind, (entry: UnmanagedEntry) => string>> = {
  projects: labelText,
  people: ({ name, container }) => `${visibleText(name)} in ${labelText(container)}`,
  teams: ({ name, container }) => `team ${quotedIfNeeded(name)} in ${labelText(container)}`,
  keys: ({ name, id, container }) => `API key ${labelText({ name, id })} in ${labelText(container)}`,
  mappings: ({ name, container }) => `${name} of ${labelText(container)}`,
  owners: (entry) => `${visibleText(entry.name)}, ${ownerText(entry)}`,
  ownerKeys: (entry) => `API key ${labelText(entry)}, ${ownerText(entry)}`,
  teamPeople: ({ name, container, ...entry }) =>
    `${visibleText(name)} in team ${labelText(container)} of ${organizationText(entry)}`,
};

/** `an owner of organization Example (5f…)`, or what else the roles allow there. */
export function ownerText({ status, roles, ...entry }: UnmanagedEntry): string {
  const effects = roles.map((role) => owningRight(role)?.effect);
  // Reports of earlier versions have owners without their roles.
  const isOwner = roles.length === 0 || effects.includes("owns");
  const right = isOwner
    ? "an owner of"
    : effects.includes("makes owners")
      ? "able to make owners of"
      : "with a role that this version does not know in";
  const invited = status === "pending" ? `invited${isOwner ? " as" : ","} ` : "";
  return `${invited}${right} ${organizationText(entry)}`;
}

/** `payments (5f…)`; the ID alone if the name is not known. */
function labelText({ name, id }: UnmanagedEntry["container"]): string {
  return name === id ? id : `${quotedIfNeeded(name)} (${id})`;
}

/** A name, in quotes if it could be mistaken for other text of the line. */
export function quotedIfNeeded(name: string): string {
  return /^[\w.@+-]+$/.test(name) ? name : valueText(name);
}

/** More names would hide what matters: an owner of the organization is in all of its projects. */
const MOST_PROJECTS_NAMED = 3;

/**
 * People who have access only through a team or the organization: each person once, with the
 * projects by name, or their number.
 */
export function indirectPeople({ people }: Unmanaged) {
  const indirect = people.filter(({ status }) => status === "indirect");
  return [...Map.groupBy(indirect, ({ username }) => username)].map(([username, memberships]) => ({
    username,
    projects:
      memberships.length > MOST_PROJECTS_NAMED
        ? memberships.length
        : memberships.map((membership) => membership.projectName),
  }));
}

/** What an organization has counts of, each with its counts. */
export function coveragesOf(organization: Unmanaged["organizations"][number]): Map<string, Coverage> {
  return new Map(
    unmanagedKinds.flatMap((kind) => {
      const coverage = organization[kind];
      return coverage ? [[unmanagedNouns[kind].many, coverage] as const] : [];
    }),
  );
}

/**
 * `97 of 100 (97%)`, or `97 of 100 projects managed (97%)`; never rounded up to 100%.
 *
 * @param what what was counted: ` projects managed`
 */
export function coverageText({ total, managed }: Coverage, what = ""): string {
  const counts = `${managed} of ${total}${what}`;
  return total === 0 ? counts : `${counts} (${Math.floor((managed / total) * 100)}%)`;
}
