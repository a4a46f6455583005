/** The findings of checks, and their output formats. */
import { counted, section, styled, type Terminal } from "../terminal";

export type Outcome = "ok" | "warning" | "failed" | "skipped";

export interface Finding {
  /** Stable name for scripts, `section.check`: `connection.certificate`. */
  readonly check: string;
  readonly outcome: Outcome;
  /** What was observed. */
  readonly says: string;
  /** What to do about it. */
  readonly advice?: string;
}

function findingMaker(outcome: Outcome) {
  return (check: string, says: string, advice?: string): Finding => ({
    check,
    outcome,
    says,
    ...(advice ? { advice } : {}),
  });
}

export const ok = findingMaker("ok");
export const warning = findingMaker("warning");
export const failed = findingMaker("failed");
export const skipped = findingMaker("skipped");

export function countOutcomes(findings: readonly Finding[]): Readonly<Record<Outcome, number>> {
  const counts = { ok: 0, warning: 0, failed: 0, skipped: 0 };
  for (const { outcome } of findings) counts[outcome] += 1;
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

const STYLES = { ok: "green", warning: "yellow", failed: "red", skipped: "gray" } as const;
const OUTCOME_WIDTH = 9;

/**
 * The text format: one line for each finding below the section's title, followed by the advice.
 */
export function asText(findings: readonly Finding[], terminal: Pick<Terminal, "hasColors">): string {
  const sections = Object.entries(SECTIONS).flatMap(([name, title]) => {
    const own = findings.filter(({ check }) => check.startsWith(`${name}.`));
    const lines = own.map((one) => formatFinding(one, terminal));
    return section(terminal, title, lines);
  });
  const counts = countOutcomes(findings);
  const summary = `${counts.ok} ok, ${counted(counts.warning, "warning")}, ${counts.failed} failed, ${counts.skipped} skipped`;
  return `${[...sections, summary].join("\n\n")}\n`;
}

function formatFinding({ outcome, says, advice }: Finding, terminal: Pick<Terminal, "hasColors">): string {
  const line = `  ${styled(terminal, STYLES[outcome], outcome.padEnd(OUTCOME_WIDTH))}${says}`;
  return advice === undefined ? line : `${line}\n  ${" ".repeat(OUTCOME_WIDTH)}-> ${advice}`;
}

/**
 * Increased when a field changes its meaning or is removed; new fields and checks may be added at
 * any time.
 */
const SCHEMA_VERSION = 1;

/** The JSON format. @param address of the service, if known */
export function asJson(findings: readonly Finding[], address: string | undefined): string {
  const counts = countOutcomes(findings);
  const outcome = counts.failed > 0 ? "failed" : counts.warning > 0 ? "warning" : "ok";
  return `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, address, outcome, counts, checks: findings }, undefined, 2)}\n`;
}
