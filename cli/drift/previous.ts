/** `--previous`: what is new since an earlier report, and what is resolved. */

import { readFile } from "node:fs/promises";
import { withoutUndefined } from "../../provider/resources/contract/values";
import { ConfigurationError, messageOf } from "../../provider/text/errors";
import { kindOf, typeOf } from "../own-resources";
import { fingerprintOf } from "../sarif";
import { undeterminedText, unmanagedText } from "./formats/wording";
import { propertyIdentity, undeterminedIdentity, unmanagedIdentity } from "./identity";
import {
  type DriftReport,
  driftReport,
  type EarlierEntry,
  type Finding,
  mapUnmanaged,
  notIgnored,
  type Undetermined,
  unmanagedEntries,
} from "./report";

/** The report that `--previous` names. */
export interface EarlierReport {
  /** `undefined` if there is no such file yet: the first run has no earlier report. */
  readonly report: DriftReport | undefined;
}

/**
 * Reads an earlier report in the JSON format.
 *
 * @throws ConfigurationError if the file cannot be read, or is no report of a known version
 */
export async function readEarlierReport(file: string): Promise<EarlierReport> {
  try {
    return { report: parsedReport(await readFile(file, "utf8")) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { report: undefined };
    throw new ConfigurationError(
      `The earlier report ${file} cannot be used: ${messageOf(error)}. Name a file that --format json=FILE has written, or delete this one to begin without an earlier report.`,
    );
  }
}

function parsedReport(text: string): DriftReport {
  const content: unknown = JSON.parse(text);
  const { data, error } = driftReport.safeParse(content);
  if (data !== undefined) return data;
  const [{ path = [], message = "" } = {}] = error.issues;
  throw new Error(
    path[0] === "schemaVersion"
      ? "it has no schemaVersion that this version of opsmanager reads, which is 1"
      : `it is no drift report (${path.length === 0 ? "" : `${path.join(".")}: `}${message})`,
  );
}

/**
 * The report with the date of the first report that has each entry, and with the entries of the
 * earlier report that it lacks.
 */
export function withEarlier(report: DriftReport, { report: earlier }: EarlierReport): DriftReport {
  const known = new Map(earlier && entriesOf(earlier).map((entry) => [entry.fingerprint, entry.since]));
  const dated = <T extends object>(thing: T, identity: readonly unknown[]): T => ({
    ...thing,
    since: known.get(fingerprintOf(identity)) ?? report.generatedAt,
  });
  const current = new Set(entriesOf(report).map(({ fingerprint }) => fingerprint));
  const missing = (earlier ? entriesOf(earlier) : []).filter(
    ({ isIgnored, fingerprint }) => !isIgnored && !current.has(fingerprint),
  );
  const ended = (outcome: "resolved" | "not checked") =>
    missing
      .filter((entry) => outcomeOf(entry, report) === outcome)
      .map(({ isIgnored: _, ...entry }): EarlierEntry => entry);
  const { findings, unreadable, unmanaged } = report;
  const identities = new Map(
    unmanagedEntries(unmanaged).map((entry) => [entry.object, unmanagedIdentity(entry)]),
  );
  return {
    ...report,
    findings: findings.map((finding) => dated(finding, findingIdentity(finding))),
    unreadable: unreadable.map((thing) => dated(thing, undeterminedIdentity(thing))),
    ...(unmanaged && {
      unmanaged: mapUnmanaged(unmanaged, (object) => {
        const identity = identities.get(object);
        return identity === undefined ? object : dated(object, identity);
      }),
    }),
    previous: {
      ...(earlier && { generatedAt: earlier.generatedAt }),
      resolved: ended("resolved"),
      notChecked: ended("not checked"),
    },
  };
}

/**
 * The finding, whatever it was compared with: a program that fails in one run does not make the
 * same difference a new one.
 */
function findingIdentity(finding: Finding): unknown[] {
  return [finding.kind, finding.urn, ...propertyIdentity(finding)];
}

interface Entry extends EarlierEntry {
  readonly isIgnored: boolean;
}

/** The entries of all kinds, and those that the report has only carried on. */
function entriesOf({ findings, unreadable, unmanaged, previous, generatedAt }: DriftReport): Entry[] {
  const entry = (
    identity: readonly unknown[],
    facts: Pick<EarlierEntry, "kind" | "what" | "stack" | "urn">,
    { since = generatedAt, ignored }: Pick<Finding, "since" | "ignored">,
  ): Entry => ({ ...facts, fingerprint: fingerprintOf(identity), since, isIgnored: ignored !== undefined });
  return [
    ...findings.map((finding) => {
      const { kind, stack, urn } = finding;
      return entry(findingIdentity(finding), { kind, what: findingText(finding), stack, urn }, finding);
    }),
    ...unreadable.map((thing) => {
      const { what, stack } = thing;
      const facts = withoutUndefined({ stack, urn: isResource(thing) ? what : undefined });
      return entry(
        undeterminedIdentity(thing),
        { kind: "undetermined", what: undeterminedText(thing), ...facts },
        thing,
      );
    }),
    ...unmanagedEntries(unmanaged).map((thing) =>
      entry(unmanagedIdentity(thing), { kind: "unmanaged", what: unmanagedText(thing) }, thing),
    ),
    ...(previous?.notChecked ?? []).map((carried) => ({ ...carried, isIgnored: false })),
  ];
}

function isResource({ what }: Undetermined): boolean {
  return kindOf(typeOf(what)) !== undefined;
}

function findingText({ name, type, property }: Finding): string {
  const resource = `${name} (${kindOf(type) ?? type})`;
  return property === "" ? resource : `${resource}: ${property}`;
}

/**
 * What became of an entry that the report lacks. `undefined` if this run had not to check it:
 * its stack was not given, or `--unmanaged` was not.
 */
function outcomeOf(entry: EarlierEntry, report: DriftReport): "resolved" | "not checked" | undefined {
  const { kind, stack } = entry;
  const { unreadable, unmanaged } = report;
  const isOfService = kind === "unmanaged" || (kind === "undetermined" && stack === undefined);
  const given = [...report.stacks, ...unreadable].map((thing) => thing.stack);
  if (isOfService ? unmanaged === undefined : !given.includes(stack)) return undefined;
  return unreadable.some((thing) => mayHide(thing, entry)) ? "not checked" : "resolved";
}

/** Whether an entry may be missing only because of something that could not be determined. */
function mayHide(thing: Undetermined, { kind, stack, urn }: EarlierEntry): boolean {
  if (kind === "undetermined") return false;
  const isOfService = thing.stack === undefined && notIgnored([thing]).length > 0;
  if (kind === "unmanaged") return notIgnored([thing]).length > 0;
  return (
    thing.what === urn ||
    (thing.stack === stack && !isResource(thing)) ||
    (kind === "undeclared" && isOfService)
  );
}
