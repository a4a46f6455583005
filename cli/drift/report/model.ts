/** What the command and its formats ask a report. */
import { withoutIndexes } from "../../../provider/resources/contract/property-path";
import {
  differenceKinds,
  type Finding,
  type Report,
  type Undetermined,
  type Unmanaged,
  type UnmanagedKind,
  type UnmanagedRow,
  unmanagedKinds,
} from "./schema";

export {
  type Coverage,
  differenceKinds,
  type EarlierEntry,
  type Finding,
  type LastEvent,
  type OrganizationCoverage,
  type Report,
  type Undetermined,
  type Unmanaged,
  type UnmanagedKind,
  type UnmanagedRow,
  unmanagedKinds,
} from "./schema";

/** The rows in the order of the kinds, with the names of their organizations as far as they are known. */
export function unmanagedOf({ organizations, rows, ...others }: Unmanaged): Unmanaged {
  const names = new Map(organizations.map(({ orgId, name }) => [orgId, name]));
  const named = (row: UnmanagedRow): UnmanagedRow => {
    const name = row.orgId === undefined ? undefined : names.get(row.orgId);
    if (name === undefined) return row;
    const isInIt = row.place.id === row.orgId;
    return { ...row, orgName: name, ...(isInIt && { place: { ...row.place, name } }) };
  };
  const ofKind = (kind: UnmanagedKind) => rows.filter((row) => row.kind === kind).map(named);
  return { ...others, organizations, rows: unmanagedKinds.flatMap(ofKind) };
}

/**
 * What is undetermined if `--unmanaged` was given and nothing could be searched: `unmanaged` is
 * absent then.
 */
export const UNMANAGED_UNKNOWN = "unmanaged objects";

/**
 * What a resource could own and none does. People with access only through a team or the organization
 * are left out: a project cannot manage them.
 */
export function ownable({ unmanaged }: Pick<Report, "unmanaged">): readonly UnmanagedRow[] {
  return unmanaged?.rows.filter(({ status }) => status !== "indirect") ?? [];
}

/** What a report holds about one stack. */
export function ofStack({ findings, unreadable }: Report, stack: string) {
  const isOwn = (entry: { readonly stack?: string | undefined }) => entry.stack === stack;
  return { findings: findings.filter(isOwn), unreadable: unreadable.filter(isOwn) };
}

/** The undetermined entries of one cause, or a single one. */
export interface UndeterminedRow extends Undetermined {
  /** All of them, the one that explains the cause first. */
  readonly entries: readonly Undetermined[];
}

/**
 * Undetermined entries as rows: those that have a cause in common are one row, which has the
 * explanation and the earliest date.
 */
export function undeterminedRows({ unreadable }: Pick<Report, "unreadable">): UndeterminedRow[] {
  const causeOf = (entry: Undetermined) => {
    const { sharedCause, stack, ignored } = entry;
    return sharedCause ? JSON.stringify([sharedCause, stack, ignored]) : entry;
  };
  return [...Map.groupBy(unreadable, causeOf).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { sharedCause, stack } = first;
    const explaining = unreadable.find(
      (entry) => entry.stack === stack && entry.what === sharedCause?.explainedBy,
    );
    const since = same.flatMap((entry) => entry.since ?? []).sort()[0];
    return [{ ...first, reason: explaining?.reason ?? first.reason, ...(since && { since }), entries: same }];
  });
}

/** The findings, undetermined entries or unmanaged rows that no rule ignores. */
export function notIgnored<T extends Pick<Finding, "ignored">>(entries: readonly T[]): T[] {
  return entries.filter(({ ignored }) => ignored === undefined);
}

/** Whether the report was compared with an earlier one, so entries can be new. */
export function isCompared({ previous }: Report): boolean {
  return previous?.generatedAt !== undefined;
}

/** Whether the earlier report lacks this entry. */
export function isNew(report: Report, { since }: Pick<Finding, "since">): boolean {
  return isCompared(report) && since === report.generatedAt;
}

/** Everything that a rule can ignore. */
function everything(report: Report): readonly Pick<Finding, "ignored" | "since">[] {
  return [...report.findings, ...report.unreadable, ...ownable(report)];
}

/** The number of new entries that no rule ignores, unmanaged objects included. */
export function countNew(report: Report): number {
  return notIgnored(everything(report)).filter((entry) => isNew(report, entry)).length;
}

/** The number of ignored entries of every kind. */
export function countIgnored(report: Report): number {
  return everything(report).filter(({ ignored }) => ignored !== undefined).length;
}

/** The counts of a stack's part of the report, for a table of the stacks. */
export function stackCounts(report: Report, stack: string) {
  const { findings, unreadable } = ofStack(report, stack);
  const [counted, undetermined] = [notIgnored(findings), notIgnored(unreadable).length];
  return {
    byKind: countsByKind(counted),
    undetermined,
    ignored: findings.length - counted.length + unreadable.length - undetermined,
  };
}

/** The number of differences of each kind, in the order of `differenceKinds`. */
export function countsByKind(findings: readonly Finding[]): number[] {
  return differenceKinds.map((kind) => findings.filter((finding) => finding.kind === kind).length);
}

// What identifies an entry of a report in the next run, whatever the live value is.

/** The path of a property. An entry of a list is identified by its value, because its index changes. */
export function propertyIdentity({ property, declared, live }: Finding): unknown[] {
  const list = withoutIndexes(property);
  return list === property ? [property] : [list, declared ?? live];
}

export function undeterminedIdentity({ what }: Undetermined): unknown[] {
  return ["unreadable", what];
}

export function unmanagedIdentity({ kind, holder, place }: UnmanagedRow): unknown[] {
  return ["unmanaged", ...(kind === "projects" ? [] : [place.id]), holder.id];
}
