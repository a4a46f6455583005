/** How every format says what was found. Pure. */
import type { DriftReport, Finding, Unmanaged } from "../report";
import { countedFindings } from "../report";

/** A value as a person reads it: JSON in one line. */
export function valueText(value: unknown): string {
  return value === undefined ? "nothing" : visible(JSON.stringify(value));
}

/**
 * Control characters, line ends, and those that change the direction of a text or cannot be seen are written as `\uXXXX`: XML
 * forbids some, a table breaks at others, and some let a text look like another.
 */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\uFFFE\uFFFF]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** `Project` of `opsmanager:index:Project`, and of the dynamic door's token. */
export function kindOfResource({ type }: Pick<Finding, "type">): string {
  return type.split(":").at(-1) ?? type;
}

/** `tags[0] was changed by hand: declared "a", live "b"` */
export function differenceText({ kind, comparison, property, declared, live }: Finding): string {
  const what = property === "" ? "The whole object" : visible(property);
  const than = comparison === "program" ? " (compared with the program)" : "";
  if (kind === "deleted") return `${what} is gone at the service${than}.`;
  return `${what} was ${kind}${than}: declared ${valueText(declared)}, live ${valueText(live)}.`;
}

/** In the order in which each group first comes. */
export function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** `1 person`, `2 people` */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The result in one sentence. */
export function verdictOf(report: DriftReport): string {
  const findings = countedFindings(report);
  const resources = new Set(findings.map(({ urn }) => urn)).size;
  const drift = `${counted(findings.length, "difference", "differences")} in ${counted(resources, "resource", "resources")}`;
  if (report.result === "clean") return "no drift";
  if (report.result === "drift") return drift;
  const unknown = `${counted(report.unreadable.length, "thing", "things")} could not be looked at`;
  return findings.length === 0 ? unknown : `${unknown}, and ${drift}`;
}

/** Who counts as unmanaged: whoever is in only through a team or the organization is not managed in a project at all. */
export function directPeople({ people }: Unmanaged): Unmanaged["people"] {
  return people.filter(({ status }) => status !== "indirect");
}

/** `97 of 100 (97%)`; never rounded up to all of them. */
export function coverageText({
  total,
  managed,
}: {
  readonly total: number;
  readonly managed: number;
}): string {
  return total === 0 ? "0 of 0" : `${managed} of ${total} (${Math.floor((managed / total) * 100)}%)`;
}
