/** `--previous`: what is new since an earlier report, and what is resolved. */

import { readFile } from "node:fs/promises";
import { z } from "zod";
import { withoutUndefined } from "../../provider/resources/contract/values";
import { isUrn } from "../../provider/resources/session/claims";
import { ConfigurationError, messageOf } from "../../provider/text/errors";
import { fingerprintOf } from "../lib/sarif";
import { kindOfResource, undeterminedText } from "./report/document";
import {
  type EarlierEntry,
  type Finding,
  notIgnored,
  ownable,
  propertyIdentity,
  type Report,
  UNMANAGED_UNKNOWN,
  type Undetermined,
  undeterminedIdentity,
  unmanagedIdentity,
} from "./report/model";
import { driftReport } from "./report/schema";
import { unmanagedText } from "./report/unmanaged-kinds";

/** The report that `--previous` names. */
export interface EarlierReport {
  /** `undefined` if there is no such file yet, as in the first run, or none that can be compared. */
  readonly report: Report | undefined;
  /** Why it cannot be compared, in a sentence. */
  readonly incomparable?: string;
}

const AFRESH = "so nothing counts as new or resolved this time. The next run can compare with this report.";

/** A report of any version of the format. */
const anyReport = z.object({
  schemaVersion: z.int(),
  tool: z.object({ name: z.literal("opsmanager"), version: z.string().regex(/^[\w.+-]{1,50}$/) }),
});

/**
 * Reads an earlier report in the JSON format. One in another version of the format, as in the first run after an
 * upgrade, is not compared, because a part of it would make known differences new, or resolve others.
 *
 * @throws ConfigurationError if the file cannot be read, is damaged, or is no report
 */
export async function readEarlierReport(file: string): Promise<EarlierReport> {
  try {
    const content: unknown = JSON.parse(await readFile(file, "utf8"));
    const { data } = driftReport.safeParse(content);
    if (data !== undefined) return { report: data };
    const other = anyReport.safeParse(content);
    if (!other.success) throw new Error("it is not a drift report");
    if (driftReport.shape.schemaVersion.safeParse(other.data.schemaVersion).success)
      throw new Error("it is a damaged drift report");
    const incomparable = `The earlier report is one of opsmanager ${other.data.tool.version} in a format that this version does not read, ${AFRESH}`;
    return { report: undefined, incomparable };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { report: undefined };
    throw new ConfigurationError(
      `The earlier report ${file} cannot be used: ${messageOf(error)}. Name a file that --format json=FILE has written, or delete this one to begin without an earlier report.`,
    );
  }
}

/** The report with the date of the first report that has each entry, and with the entries of the earlier report that it lacks. */
export function withEarlier(report: Report, given: EarlierReport): Report {
  const { report: earlier, incomparable } = comparableWith(report, given);
  const before = earlier ? entriesOf(earlier) : [];
  const known = new Map(before.map(({ fingerprint, since }) => [fingerprint, since]));
  const entries = entriesOf(report);
  const dates = new Map(
    entries.map(({ thing, fingerprint }) => [thing, known.get(fingerprint) ?? report.generatedAt]),
  );
  const dated = <T extends object>(thing: T): T => ({
    ...thing,
    ...withoutUndefined({ since: dates.get(thing) }),
  });
  const result = {
    ...report,
    findings: report.findings.map(dated),
    unreadable: report.unreadable.map(dated),
    ...(report.unmanaged && {
      unmanaged: { ...report.unmanaged, rows: report.unmanaged.rows.map(dated) },
    }),
  };
  const current = new Set(entries.map(({ fingerprint }) => fingerprint));
  const missing = before.filter(({ isIgnored, fingerprint }) => !isIgnored && !current.has(fingerprint));
  const ended = (outcome: "resolved" | "not checked") =>
    missing
      .filter((entry) => outcomeOf(entry, result) === outcome)
      .map(({ isIgnored: _, thing: _thing, ...entry }): EarlierEntry => entry);
  return {
    ...result,
    previous: {
      ...withoutUndefined({ generatedAt: earlier?.generatedAt, incomparable }),
      resolved: ended("resolved"),
      notChecked: ended("not checked"),
    },
  };
}

/** Names and pseudonyms are not compared: whoever has `--mask-people` would be new. */
function comparableWith({ peopleMasked }: Report, given: EarlierReport): EarlierReport {
  if (given.report === undefined || given.report.peopleMasked === peopleMasked) return given;
  const incomparable = `The earlier report was written ${peopleMasked ? "without" : "with"} --mask-people, ${AFRESH}`;
  return { report: undefined, incomparable };
}

/**
 * The finding, whatever it was compared with: a program that fails in one run does not make the
 * same difference a new one.
 */
function findingIdentity(finding: Finding): unknown[] {
  return [finding.kind, finding.urn, ...propertyIdentity(finding)];
}

interface Entry extends EarlierEntry {
  /** The object in the report. */
  readonly thing: object;
  readonly isIgnored: boolean;
}

/** The entries of all kinds, and those that the report has only carried on. */
function entriesOf({ findings, unreadable, previous, generatedAt, ...report }: Report): Entry[] {
  const entry = (
    identity: readonly unknown[],
    facts: Omit<EarlierEntry, "fingerprint" | "since">,
    thing: Pick<Finding, "since" | "ignored">,
  ): Entry => {
    const { since = generatedAt, ignored } = thing;
    return { ...facts, thing, fingerprint: fingerprintOf(identity), since, isIgnored: ignored !== undefined };
  };
  return [
    ...findings.map((finding) => {
      const { kind, stack, urn } = finding;
      return entry(findingIdentity(finding), { kind, what: findingText(finding), stack, urn }, finding);
    }),
    ...unreadable.map((thing) => {
      const { what, stack } = thing;
      const facts = withoutUndefined({ stack, urn: isUrn(what) ? what : undefined });
      return entry(
        undeterminedIdentity(thing),
        { kind: "undetermined", what: undeterminedText(thing), ...facts },
        thing,
      );
    }),
    ...ownable(report).map((row) =>
      entry(unmanagedIdentity(row), { kind: "unmanaged", what: unmanagedText(row) }, row),
    ),
    ...(previous?.notChecked ?? []).map((carried) => ({ ...carried, thing: carried, isIgnored: false })),
  ];
}

function findingText({ name, type, property }: Finding): string {
  const resource = `${name} (${kindOfResource({ type })})`;
  return property === "" ? resource : `${resource}: ${property}`;
}

/**
 * What became of an entry that the report lacks. `undefined` if this run had not to check it:
 * its stack was not given, or `--unmanaged` was not.
 */
function outcomeOf(entry: EarlierEntry, report: Report): "resolved" | "not checked" | undefined {
  const { kind, stack } = entry;
  const { stacks, unreadable, unmanaged } = report;
  const carriedIf = (couldNotBe: (thing: Undetermined) => boolean) =>
    unreadable.some(couldNotBe) ? "not checked" : undefined;
  const isOfService = kind === "unmanaged" || (kind === "undetermined" && stack === undefined);
  if (isOfService && unmanaged === undefined) return carriedIf(({ what }) => what === UNMANAGED_UNKNOWN);
  if (!isOfService && !stacks.some((each) => each.stack === stack))
    return carriedIf((thing) => thing.stack === stack);
  return unreadable.some((thing) => mayHide(thing, entry)) ? "not checked" : "resolved";
}

/**
 * Whether an entry may be missing only because of something that could not be determined.
 *
 * @param thing of the dated report
 */
function mayHide(thing: Undetermined, { kind, stack, urn, since }: EarlierEntry): boolean {
  const isIgnored = notIgnored([thing]).length === 0;
  const isOfService = thing.stack === undefined && !isIgnored;
  // What could not be determined before the entry was found did not hide it.
  const isNewer = thing.since !== undefined && thing.since > since;
  if (kind === "unmanaged") return isNewer && !isIgnored;
  if (kind === "undetermined" && stack === undefined) return isNewer && isOfService;
  const isOfWholeStack = thing.stack === stack && !isUrn(thing.what);
  // The program of a stack is undetermined for a reason of its own.
  if (kind === "undetermined") return urn !== undefined && isOfWholeStack;
  return thing.what === urn || isOfWholeStack || (kind === "undeclared" && isOfService);
}
