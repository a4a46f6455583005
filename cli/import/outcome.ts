/** What became of the entries of a list. Pure. */
import { inOneLine } from "../../provider/text/visible-text";
import { type EngineRun, withoutColors } from "../lib/engine-events";
import { type ImportEntry, type ListPlaces, placeOfUrn } from "../lib/import-list";
import { logicalName, treatmentOf, typeOf } from "../lib/own-resources";
import type { StackExport } from "../lib/stack-export";

export interface ImportOutcome {
  readonly imported: readonly ImportEntry[];
  /** Entries whose object does not exist, or that the key cannot see. */
  readonly gone: readonly ImportEntry[];
  /** Entries that failed for another reason. */
  readonly failed: readonly { readonly entry: ImportEntry; readonly reason: string }[];
  /** Entries that the engine did not reach. */
  readonly left: readonly ImportEntry[];
  /** Errors that concern no entry, such as a wrong setting of the provider. */
  readonly errors: readonly string[];
}

export const nothingWaiting: ImportOutcome = { imported: [], gone: [], failed: [], left: [], errors: [] };

/**
 * What must be imported in a second run. The engine imports what is below the file of an organization after
 * everything else, and only if all of that succeeded (`deploy/import.go`). So one object that no longer exists would
 * stop the people and keys of the organization.
 */
export function stoppedByOthers({ gone, failed, left }: ImportOutcome): readonly ImportEntry[] {
  return gone.length + failed.length > 0 ? left : [];
}

/** The outcome of a run, and of another one for what it left. */
export function together(first: ImportOutcome, rest: ImportOutcome): ImportOutcome {
  return {
    imported: [...first.imported, ...rest.imported],
    gone: [...first.gone, ...rest.gone],
    failed: [...first.failed, ...rest.failed],
    left: rest.left,
    errors: [...new Set([...first.errors, ...rest.errors])],
  };
}

/** The engine's message (3.259.0, `ImportStep.Apply`) if the read finds nothing. */
const GONE = /^resource '.*' does not exist$/s;

/**
 * Whether the program has run since what the stack holds of the list was imported. Then everything in a project or an
 * organization is deleted with it, which no list can say.
 */
export function isRecorded(
  entries: readonly ImportEntry[],
  { placeOf }: Pick<ListPlaces, "placeOf">,
  { resources }: Pick<StackExport, "resources">,
): boolean {
  const places = new Set(entries.map(placeOf));
  return resources.every(
    ({ urn, type, deletedWith }) =>
      deletedWith !== undefined || treatmentOf(type)?.isContainer !== false || !places.has(placeOfUrn(urn)),
  );
}

/** The entries that the stack does not hold where the list has them. */
export function waitingEntries(
  entries: readonly ImportEntry[],
  { placeOf }: Pick<ListPlaces, "placeOf">,
  { resources }: Pick<StackExport, "resources">,
): ImportEntry[] {
  const held = new Set(resources.map(({ urn }) => placeOfUrn(urn)));
  return entries.filter((entry) => !held.has(placeOf(entry)));
}

export function outcomeOf(waiting: readonly ImportEntry[], run: EngineRun): ImportOutcome {
  const done = new Set(run.steps.filter(({ op }) => op === "import").map(({ urn }) => nameIn(urn)));
  const reasons = new Map(run.failed.map(({ urn }) => [nameIn(urn), "pulumi gave no reason."]));
  for (const { urn, message, severity } of run.diagnostics) {
    if (urn !== undefined && severity === "error") reasons.set(nameIn(urn), withoutColors(message));
  }
  const names = new Set(waiting.map(nameOf));
  const refused = waiting.flatMap((entry) => {
    const reason = reasons.get(nameOf(entry));
    return reason === undefined ? [] : [{ entry, reason }];
  });
  return {
    imported: waiting.filter((entry) => done.has(nameOf(entry))),
    gone: refused.filter(({ reason }) => GONE.test(reason)).map(({ entry }) => entry),
    failed: refused.filter(({ reason }) => !GONE.test(reason)),
    left: waiting.filter((entry) => !done.has(nameOf(entry)) && !reasons.has(nameOf(entry))),
    errors: errorsOf(run, (urn) => !names.has(nameIn(urn))),
  };
}

/**
 * The messages of errors, without the engine's last one, which repeats the first.
 *
 * @param isMeant for those of a resource
 */
export function errorsOf({ diagnostics }: EngineRun, isMeant = (_urn: string) => true): string[] {
  return diagnostics
    .filter(({ urn, severity }) => severity === "error" && (urn === undefined || isMeant(urn)))
    .map(({ message }) => withoutColors(message))
    .filter((message) => !message.startsWith("update failed"));
}

/** The first error in one line, without the stack of a language host; `undefined` if there is none. */
export function failureOf(run: EngineRun): string | undefined {
  const lines = errorsOf(run)[0]
    ?.split("\n")
    .filter((line) => !/^\s+at /.test(line));
  return lines && inOneLine(lines.map((line) => line.trim()).join(" "));
}

/** Names of a type are unique in a folder of files, so type and name distinguish the entries. */
function nameOf({ type, name, logicalName: own = name }: ImportEntry): string {
  return `${type} ${own}`;
}

function nameIn(urn: string): string {
  return `${typeOf(urn)} ${logicalName(urn)}`;
}
