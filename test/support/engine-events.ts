import { readFile } from "node:fs/promises";

/**
 * What the engine reports about a run in its event log (`--event-log`, one JSON object per line). Only what tests request is
 * typed; the raw events stay at hand.
 */
export interface EngineEvent {
  readonly sequence: number;
  readonly resourcePreEvent?: { readonly metadata: StepMetadata };
  readonly resOutputsEvent?: { readonly metadata: StepMetadata; readonly planning?: boolean };
  readonly resOpFailedEvent?: { readonly metadata: StepMetadata };
  readonly diagnosticEvent?: {
    readonly urn?: string;
    readonly message: string;
    readonly severity: Severity;
    readonly ephemeral?: boolean;
  };
  readonly summaryEvent?: {
    readonly resourceChanges: Readonly<Record<string, number>>;
    readonly isPreview: boolean;
  };
}

type Severity = "debug" | "info" | "info#err" | "warning" | "error";

export interface PropertyDiff {
  readonly diffKind: "add" | "add-replace" | "delete" | "delete-replace" | "update" | "update-replace";
  readonly inputDiff: boolean;
}

export interface ResourceSnapshot {
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly provider: string;
}

interface StepMetadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly old: ResourceSnapshot | null;
  readonly new: ResourceSnapshot | null;
  readonly keys?: readonly string[];
  readonly diffs?: readonly string[];
  readonly detailedDiff: Readonly<Record<string, PropertyDiff>> | null;
  readonly logical?: boolean;
}

/** One thing the engine did, or in a preview would do, to one resource. */
export interface Step {
  /** `create`, `same`, `update`, `delete`, `replace`, `create-replacement`, `delete-replaced`, `read`, `refresh`, `import`, ... */
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly detailedDiff: Readonly<Record<string, PropertyDiff>>;
  /** Top-level properties that changed. */
  readonly diffs: readonly string[];
  /** Top-level properties that demand a replacement. */
  readonly replaceKeys: readonly string[];
  readonly old: ResourceSnapshot | null;
  readonly new: ResourceSnapshot | null;
  readonly phase: "preview" | "run";
  readonly failed: boolean;
  /** What a refresh found: `op` reports what changed at the service (`update`, `delete`, `same`), and nothing was written there. */
  readonly refreshed: boolean;
  /** Whether the engine counts it; it does not count the halves of a replacement, nor a refresh within another operation. */
  readonly logical: boolean;
}

export interface Diagnostic {
  readonly severity: Severity;
  readonly message: string;
  readonly urn: string | undefined;
}

export async function readEvents(path: string): Promise<EngineEvent[]> {
  const text = await readFile(path, "utf8").catch(() => ""); // a run that fails early writes no log
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as EngineEvent);
}

/** The steps of our resources, in the order they ended. The stack and the providers are left out. */
export function stepsOf(events: readonly EngineEvent[]): Step[] {
  // A replaced object that is still to be deleted has the URN of its replacement, and both are refreshed.
  const refreshing: string[] = [];
  const endsRefresh = (urn: string) => {
    const index = refreshing.indexOf(urn);
    if (index >= 0) refreshing.splice(index, 1);
    return index >= 0;
  };
  return events.flatMap((event) => {
    const begun = event.resourcePreEvent?.metadata;
    if (begun?.op === "refresh") refreshing.push(begun.urn);
    const done = event.resOutputsEvent;
    const metadata = done?.metadata ?? event.resOpFailedEvent?.metadata;
    if (metadata === undefined || isEngineResource(metadata.type)) return [];
    return [
      {
        op: metadata.op,
        urn: metadata.urn,
        type: metadata.type,
        name: nameOf(metadata.urn),
        detailedDiff: metadata.detailedDiff ?? {},
        diffs: metadata.diffs ?? [],
        replaceKeys: metadata.keys ?? [],
        old: metadata.old,
        new: metadata.new,
        phase: done?.planning ? "preview" : "run",
        failed: done === undefined,
        refreshed: endsRefresh(metadata.urn),
        logical: metadata.logical ?? false,
      },
    ];
  });
}

/**
 * How many resources each operation touched, e.g. `{ create: 1, same: 2 }`, as the summary of `command` counts them. Failed
 * steps are not counted, and previewed ones only where nothing was run.
 */
export function countChanges(command: string, steps: readonly Step[]): Record<string, number> {
  const phase = steps.some((step) => step.phase === "run") ? "run" : "preview";
  const counts: Record<string, number> = {};
  for (const step of steps) {
    const counted = command === "refresh" ? step.refreshed : step.logical;
    if (counted && step.phase === phase && !step.failed) counts[step.op] = (counts[step.op] ?? 0) + 1;
  }
  return counts;
}

/** What the run printed for the user, without the marks of color. */
export function diagnosticsOf(events: readonly EngineEvent[]): Diagnostic[] {
  return events.flatMap(({ diagnosticEvent: event }) =>
    event === undefined || event.ephemeral
      ? []
      : [
          {
            severity: event.severity,
            message: event.message.replace(/<\{%.*?%\}>/g, "").trim(),
            urn: event.urn,
          },
        ],
  );
}

export function isEngineResource(type: string): boolean {
  return type === "pulumi:pulumi:Stack" || type.startsWith("pulumi:providers:");
}

/** The last part of a URN; a resource's name may itself hold `::`. */
export function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** Stands for a value that is not known yet, in the steps of a preview. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
