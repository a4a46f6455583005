/** What a report begins with: the result, what has changed since an earlier report, and hints. Pure. */

import { endSentences } from "../../../projects/as-of";
import { isFederated } from "../../../provider/access/places";
import { parsePath } from "../../../provider/resources/contract/property-path";
import { shortList } from "../../../provider/text/list";
import { visibleText } from "../../../provider/text/visible-text";
import { timeText } from "../../lib/last-event";
import { kindOf } from "../../lib/own-resources";
import { counted, listed } from "../../lib/terminal";
import { consequences } from "./importance";
import {
  countIgnored,
  countNew,
  countsByKind,
  differenceKinds,
  type Finding,
  isCompared,
  notIgnored,
  ownable,
  type Report,
  undeterminedRows,
} from "./model";

/** How the titles name each result. */
const VERDICTS: Readonly<Record<Report["result"], string>> = {
  clean: "No drift",
  drift: "Drift",
  unknown: "Not determined",
};

/** `1 new, 2 resolved`, or `Nothing new`. Empty if there is no earlier report. */
function changesText(report: Report): string {
  if (!isCompared(report)) return "";
  const [added, resolved] = [countNew(report), report.previous?.resolved.length ?? 0];
  const counts = [added > 0 ? `${added} new` : "", resolved > 0 ? `${resolved} resolved` : ""].filter(
    Boolean,
  );
  return counts.join(", ") || "Nothing new";
}

/** The changes since the earlier report in a sentence; none without `--previous`. */
export function changesSentence(report: Report): string[] {
  const { previous } = report;
  if (previous === undefined) return [];
  if (previous.generatedAt === undefined)
    return [previous.incomparable ?? "There is no earlier report, so nothing counts as new."];
  return [`${changesText(report)} since the report of ${timeText(previous.generatedAt)}.`];
}

/**
 * The result as a title: `Drift: 2 differences in 1 resource`, or `No drift; 3 unmanaged, not counted`. It begins with
 * the changes since an earlier report: `1 new. Drift: ...`.
 */
export function resultTitle(report: Report): string {
  return [changesText(report), verdictTitle(report)].filter(Boolean).join(". ");
}

function verdictTitle(report: Report): string {
  const { result, findings, unmanaged } = report;
  const differences = notIgnored(findings);
  const unowned = notIgnored(ownable(report));
  const unmanagedText = `${unowned.length} unmanaged`;
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
export function hints(report: Report): string[] {
  return [...undeclaredHint(report), ...endsHint(report), ...eventsHint(report)];
}

function endsHint({ ends = [], generatedAt }: Report): string[] {
  const named = ends.map(({ username, name, ...end }) => ({ ...end, holder: username ?? name ?? "" }));
  return endSentences(named, new Date(generatedAt));
}

/** The lists of events that could not be read, a sentence for each reason. */
function eventsHint({ eventsUnread = [] }: Report): string[] {
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
export function unreadEventsText({ what, reason }: NonNullable<Report["eventsUnread"]>[number]): string {
  return visibleText(`Who changed it is unknown for ${what}: ${reason}`.replace(/\s+/g, " "));
}

/** The resources with `removeUnlisted`. */
const LISTS_OF_PEOPLE = ["ProjectMembers", "Team"];

/**
 * What to do about undeclared people, about other undeclared holders of roles, and about people of
 * undeclared teams, as far as there are any.
 */
function undeclaredHint({ findings }: Report): string[] {
  const all = notIgnored(findings).filter(({ kind }) => kind === "undeclared");
  const isNamesake = ({ object }: Finding) => object?.listedAccount !== undefined;
  const undeclared = all.filter((finding) => !isNamesake(finding));
  // People whose names are secret have no object.
  const byObject = Map.groupBy(undeclared, ({ object, property }) => {
    if (object?.projects !== undefined) return "person of a team";
    return isFederated(String(parsePath(property)[0])) ? "federated group" : (object?.what ?? "person");
  });
  const people = Map.groupBy(byObject.get("person") ?? [], ({ object }) => object?.in === "organization");
  const groups = Map.groupBy(byObject.get("group") ?? [], ({ object }) => object?.in === "organization");
  const kinds = new Set(people.get(false)?.map(({ type }) => kindOf(type) ?? type));
  const lists = LISTS_OF_PEOPLE.filter((kind) => kinds.has(kind));
  const others = [
    ...(byObject.has("team") ? ["teams"] : []),
    ...(byObject.has("key") ? ["API keys"] : []),
    ...(groups.has(false) ? ["groups"] : []),
    ...(kinds.size > lists.length ? ["owners beside a ProjectMember"] : []),
    ...(people.has(true) ? ["owners of organizations"] : []),
  ];
  const beyondResources = [
    ...(byObject.has("service account") ? ["service accounts"] : []),
    ...(byObject.has("federated group") ? ["groups of a federation"] : []),
  ];
  const ignoreUsers = lists.includes("ProjectMembers") ? " or ignoreUsers of ProjectMembers" : "";
  return [
    ...(all.some(isNamesake)
      ? [
          "An account that has taken the name of a listed one stays, also with removeUnlisted: list the renamed account by its new name, and run pulumi up.",
        ]
      : []),
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
    ...(groups.has(true)
      ? [
          "Undeclared groups that own an organization stay, and an update refuses mappings without any of the present owner groups, such as []. To remove one, use Ops Manager. Or declare it beside a group of yours, run pulumi up, and take it out once somebody of yours has signed in as an owner. To accept it, declare it, or add an ignore rule.",
        ]
      : []),
    ...(beyondResources.length > 0
      ? [
          `Undeclared ${listed(beyondResources)} stay, and no resource declares them. To remove them, use Cloud Manager. To accept them, add an ignore rule.`,
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
export function resultSentences(report: Report): string {
  const findings = notIgnored(report.findings);
  const undetermined = undeterminedCounts(report).join("; ");
  const ignored = countIgnored(report);
  const kinds = countsByKind(findings).flatMap((count, index) =>
    count === 0 ? [] : [`${count} ${differenceKinds[index]}`],
  );
  const differences = `${differenceCounts(findings)} (${kinds.join(", ")})`;
  const verdict = VERDICTS[report.result];
  const sentences: Readonly<Record<Report["result"], string>> = {
    clean: `${verdict}.`,
    drift:
      findings.length > 0
        ? `${verdict}: ${differences}.`
        : `${verdict}: unmanaged objects, but no difference.`,
    unknown: `${verdict}: ${undetermined}${findings.length > 0 ? `. Beside that: ${differences}` : ""}.`,
  };
  return [sentences[report.result], ...(ignored > 0 ? [`${ignored} ignored.`] : [])].join(" ");
}

/** `2 differences in 1 resource`, and the number of resources that no longer exist because their project does not. */
function differenceCounts(findings: readonly Finding[]): string {
  const following = consequences(findings);
  const own = findings.filter((finding) => !following.has(finding));
  const resources = new Set(own.map(({ stack, urn }) => `${stack} ${urn}`)).size;
  const text = `${counted(own.length, "difference")} in ${counted(resources, "resource")}`;
  return following.size === 0
    ? text
    : `${text}, and ${counted(following.size, "resource")} of deleted projects`;
}

/** What could not be determined: each cause with its number of resources, and the number of other entries. */
function undeterminedCounts(report: Report): string[] {
  const rows = undeterminedRows({ unreadable: notIgnored(report.unreadable) });
  const causes = rows.flatMap(({ sharedCause, entries }) =>
    sharedCause ? [`${sharedCause.name}, ${counted(entries.length, "resource")}`] : [],
  );
  const others = rows.filter(({ sharedCause }) => sharedCause === undefined).length;
  if (causes.length === 0) return others === 0 ? [] : [counted(others, "entry", "entries")];
  return [...causes, ...(others === 0 ? [] : [counted(others, "other entry", "other entries")])];
}
