/** What became of the entries of a list. Pure. */
import { type EngineRun, withoutColors } from "../lib/engine-events";
import type { ImportEntry } from "../lib/import-list";
import { logicalName, typeOf } from "../lib/own-resources";
import type { StackExport } from "../lib/stack-export";

export interface ImportOutcome {
  readonly imported: readonly ImportEntry[];
  /** Entries whose object does not exist, or that the key cannot see. */
  readonly gone: readonly ImportEntry[];
  /** Entries that failed for another reason. */
  readonly failed: readonly { readonly entry: ImportEntry; readonly reason: string }[];
  /** Entries that the engine did not reach. */
  readonly left: readonly ImportEntry[];
}

/** The engine's message (3.259.0, `ImportStep.Apply`) if the read finds nothing. */
const GONE = /^resource '.*' does not exist$/s;

/** The entries that the stack does not hold. */
export function waitingEntries(
  entries: readonly ImportEntry[],
  { resources }: Pick<StackExport, "resources">,
): ImportEntry[] {
  const held = new Set(resources.map(({ urn }) => nameIn(urn)));
  return entries.filter((entry) => !held.has(nameOf(entry)));
}

export function outcomeOf(waiting: readonly ImportEntry[], run: EngineRun): ImportOutcome {
  const done = new Set(run.steps.filter(({ op }) => op === "import").map(({ urn }) => nameIn(urn)));
  const reasons = new Map(run.failed.map(({ urn }) => [nameIn(urn), "pulumi gave no reason."]));
  for (const { urn, message, severity } of run.diagnostics) {
    if (urn !== undefined && severity === "error") reasons.set(nameIn(urn), withoutColors(message));
  }
  const refused = waiting.flatMap((entry) => {
    const reason = reasons.get(nameOf(entry));
    return reason === undefined ? [] : [{ entry, reason }];
  });
  return {
    imported: waiting.filter((entry) => done.has(nameOf(entry))),
    gone: refused.filter(({ reason }) => GONE.test(reason)).map(({ entry }) => entry),
    failed: refused.filter(({ reason }) => !GONE.test(reason)),
    left: waiting.filter((entry) => !done.has(nameOf(entry)) && !reasons.has(nameOf(entry))),
  };
}

/** All entries of a list have the same parent, so type and name distinguish them. */
function nameOf({ type, name, logicalName: own = name }: ImportEntry): string {
  return `${type} ${own}`;
}

function nameIn(urn: string): string {
  return `${typeOf(urn)} ${logicalName(urn)}`;
}
