/** Texts that several formats share. Pure. */
import { visibleText } from "../../../visible-text";
import { kindOf } from "../../own-resources";
import { counted } from "../../terminal";
import type { Coverage, DriftReport, Finding, Unmanaged, UnmanagedObjects } from "../report";
import { allUnmanaged, countedFindings, countedUnmanaged, countedUnreadable } from "../report";

/** Formats a value as JSON in one line. */
export function valueText(value: unknown): string {
  return value === undefined ? "nothing" : visibleText(JSON.stringify(value));
}

/** The kind of a resource of either provider, such as `Project`. */
export function kindOfResource({ type }: Pick<Finding, "type">): string {
  return kindOf(type) ?? type;
}

/** Why the live value differs, as far as the state proves it. */
const CAUSES: Readonly<Record<Finding["cause"], string>> = {
  outside: "changed outside Pulumi",
  "not-applied": "not applied yet",
  both: "changed outside Pulumi, and the program is not applied yet",
  unknown: "changed outside Pulumi or not applied yet",
};

/** `changed outside Pulumi`; names the comparison only if it is not the one with the program. */
export function causeText({ cause, comparison }: Pick<Finding, "cause" | "comparison">): string {
  return comparison === "state" ? `${CAUSES[cause]}, compared with the state` : CAUSES[cause];
}

/** `tags[0] was changed: declared "a", live "b" (changed outside Pulumi).` */
export function differenceText(finding: Finding): string {
  const { kind, property } = finding;
  if (property === "") return `${wholeObjectText(finding)} (${causeText(finding)}).`;
  return `${visibleText(property)} was ${kind}: ${valuesText(finding)} (${causeText(finding)}).`;
}

/** `declared "a", live "b"` */
export function valuesText({ kind, declared, live }: Finding): string {
  if (kind === "added") return `live ${valueText(live)}, not declared`;
  if (kind === "removed") return `declared ${valueText(declared)}, not there`;
  return `declared ${valueText(declared)}, live ${valueText(live)}`;
}

/** Describes a difference of the whole object, without a full stop. */
export function wholeObjectText({ kind }: Pick<Finding, "kind">): string {
  if (kind === "deleted") return "The whole object no longer exists";
  return kind === "removed"
    ? "It is in the program but not in the stack: the next up creates or adopts it"
    : "It is in the stack but no longer in the program: the next up destroys it";
}

/** The suffix of a difference that a rule ignores. */
export function ignoredText({ reason, expires }: NonNullable<Finding["ignored"]>): string {
  return ` (ignored: ${visibleText(reason)}${expires === undefined ? "" : `, until ${expires}`})`;
}

/** The result in one sentence. */
export function verdictOf(report: DriftReport): string {
  const findings = countedFindings(report);
  const unread = countedUnreadable(report).length;
  const parts = [
    unread > 0 ? `${counted(unread, "thing")} could not be determined` : "",
    findings.length > 0 ? differencesText(findings) : "",
    report.unmanaged ? unmanagedVerdict(report.unmanaged) : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "none" : parts.join("; ");
}

/** `2 differences in 1 resource` */
export function differencesText(findings: readonly Finding[]): string {
  const resources = new Set(findings.map(({ stack, urn }) => `${stack} ${urn}`)).size;
  return `${counted(findings.length, "difference")} in ${counted(resources, "resource")}`;
}

/** Empty if every object is managed. */
function unmanagedVerdict(found: Unmanaged): string {
  const unmanaged = countedUnmanaged(found);
  if (allUnmanaged(unmanaged).length === 0) return "";
  return `${LIST.format(countsOf(unmanaged))} unmanaged`;
}

const LIST = new Intl.ListFormat("en");

/** `2 projects` and `1 person`; with teams and their members only if there are any. */
export function countsOf({ projects, people, teams, teamPeople }: UnmanagedObjects): string[] {
  return [
    counted(projects.length, "project"),
    counted(people.length, "person", "people"),
    ...(teams.length > 0 ? [counted(teams.length, "team")] : []),
    ...(teamPeople.length > 0 ? [counted(teamPeople.length, "team member")] : []),
  ];
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
  const { projects, people, teams, teamPeople } = organization;
  return new Map([
    ["projects", projects],
    ["people", people],
    ...(teams ? [["teams", teams] as const] : []),
    ...(teamPeople ? [["team members", teamPeople] as const] : []),
  ]);
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
