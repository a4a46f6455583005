/** The results of checks, and their output formats. */
import { counted, section, styled, type Terminal } from "../lib/terminal";

type CheckOutcome = "ok" | "warning" | "failed" | "skipped";

/** What was observed by a check. */
export interface Finding {
  readonly outcome: CheckOutcome;
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

export interface DoctorResult extends Finding {
  /** Stable name for scripts, `section.check`: `connection.certificate`. */
  readonly check: string;
}

export function named(check: string, finding: Finding): DoctorResult {
  return { check, ...finding };
}

function findingMaker(outcome: CheckOutcome) {
  return (text: string, advice?: string): Finding => ({ outcome, text, ...(advice && { advice }) });
}

export const ok = findingMaker("ok");
export const warning = findingMaker("warning");
export const failed = findingMaker("failed");
export const skipped = findingMaker("skipped");

export function countOutcomes(results: readonly DoctorResult[]): Readonly<Record<CheckOutcome, number>> {
  const counts = { ok: 0, warning: 0, failed: 0, skipped: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}

/** Sections in their order, with their titles. */
const SECTIONS = {
  environment: "Environment",
  settings: "Settings",
  connection: "Connection",
  service: "Service",
  key: "API key",
  operations: "Operations",
};

const OUTCOME_STYLES = { ok: "green", warning: "yellow", failed: "red", skipped: "gray" } as const;
const OUTCOME_WIDTH = 9;

/**
 * The text format: one line for each check below the section's title, followed by the advice. Checks
 * with the same result share a line.
 */
export function asText(results: readonly DoctorResult[], terminal: Pick<Terminal, "hasColors">): string {
  const sections = Object.entries(SECTIONS).flatMap(([name, title]) => {
    const own = results.filter(({ check }) => check.startsWith(`${name}.`));
    const shared = Map.groupBy(own, ({ check: _, ...result }) => JSON.stringify(result));
    const lines = [...shared.values()].flatMap(([first, ...others]) =>
      first ? [resultLine(withNames(first, others), terminal)] : [],
    );
    return section(terminal, title, lines);
  });
  const counts = countOutcomes(results);
  const summary = `${counts.ok} ok, ${counted(counts.warning, "warning")}, ${counts.failed} failed, ${counts.skipped} skipped`;
  return `${[...sections, summary].join("\n\n")}\n`;
}

/** The result of several checks, with their names. */
function withNames(first: DoctorResult, others: readonly DoctorResult[]): DoctorResult {
  const names = [first, ...others].map(({ check }) => check.replace(/^\w+\./, ""));
  return others.length === 0 ? first : { ...first, text: `${first.text} (${names.join(", ")})` };
}

function resultLine({ outcome, text, advice }: DoctorResult, terminal: Pick<Terminal, "hasColors">): string {
  const line = `  ${styled(terminal, OUTCOME_STYLES[outcome], outcome.padEnd(OUTCOME_WIDTH))}${text}`;
  return advice === undefined ? line : `${line}\n  ${" ".repeat(OUTCOME_WIDTH)}-> ${advice}`;
}

/**
 * Increased when a field changes its meaning or is removed; new fields and checks may be added at
 * any time.
 */
const SCHEMA_VERSION = 1;

/** A check in the JSON format. Version 1 names the field for the text `says`. */
export type CheckJson = Omit<DoctorResult, "text"> & { readonly says: string };

/** The JSON format. @param address of the service, if known */
export function asJson(results: readonly DoctorResult[], address: string | undefined): string {
  const counts = countOutcomes(results);
  const outcome = counts.failed > 0 ? "failed" : counts.warning > 0 ? "warning" : "ok";
  const checks = results.map(
    ({ text, advice, ...check }): CheckJson => ({ ...check, says: text, ...(advice && { advice }) }),
  );
  return `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, address, outcome, counts, checks }, undefined, 2)}\n`;
}
