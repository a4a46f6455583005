/**
 * Reads the engine's events of a preview, one JSON object per line (pulumi,
 * sdk/go/common/apitype/events.go).
 *
 * The default of `--json` is a summary in one piece, which is not used. There, a resource that a
 * refresh found unchanged and one that was never read are both `refresh`
 * (pkg/backend/display/json.go). It also prints nothing before the end.
 */
import { z } from "zod";
import type { Holder } from "../../provider/access/places";
import { fates, foreseenFates, keptBecause, TOLD_ACCESS, type Told } from "../../provider/text/told-access";
import { UNKNOWN_SETTINGS } from "../../provider/text/unknown-settings";
import { propertyValues } from "./stack-export";

/** Makes `pulumi preview --json` and `pulumi refresh --preview-only --json` write the stream. */
export const STREAMING = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" } as const;

const snapshot = z.object({
  /** Marks a resource that a replacement still has to delete; its successor has the same URN. */
  delete: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  id: z.string().optional(),
  /** URN. */
  parent: z.string().optional(),
  /** `true` for a resource of a provider, absent for a component. */
  custom: z.boolean().optional(),
  /** Differs from the step's own URN if an alias gave the resource another name. */
  urn: z.string().optional(),
  inputs: propertyValues.nullish(),
  outputs: propertyValues.nullish(),
});

export type Snapshot = z.output<typeof snapshot>;

const metadata = z.object({
  op: z.string(),
  urn: z.string(),
  type: z.string(),
  old: snapshot.nullish(),
  new: snapshot.nullish(),
  diffs: z.array(z.string()).nullish(),
  detailedDiff: z
    .record(z.string(), z.object({ diffKind: z.string(), inputDiff: z.boolean().optional() }))
    .nullish(),
  logical: z.boolean().optional(),
  /** URN and ID; empty for a component. */
  provider: z.string().optional(),
});

const diagnostic = z.object({ urn: z.string().optional(), message: z.string().trim(), severity: z.string() });

const engineEvent = z.object({
  resourcePreEvent: z.object({ metadata }).optional(),
  resOutputsEvent: z.object({ metadata, planning: z.boolean().optional() }).optional(),
  resOpFailedEvent: z.object({ metadata }).optional(),
  diagnosticEvent: diagnostic.optional(),
  summaryEvent: z.object({ resourceChanges: z.record(z.string(), z.number()).nullish() }).optional(),
});

/** The result for one resource. */
export interface Step extends z.output<typeof metadata> {
  /** `true` for a read of the live object; `false` for what the program would do. */
  readonly isRefresh: boolean;
  /** Of a preview, also of the one that `pulumi up` begins with. */
  readonly isPlanned: boolean;
  /** An update of a preview that the engine did not ask the provider about. */
  readonly isGuessed?: true;
}

export type Diagnostic = z.output<typeof diagnostic>;

const text = z.string().optional();
const place = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("organization"), id: z.string() }),
  z.object({ kind: z.literal("project"), id: z.string(), orgId: text }),
  z.object({ kind: z.literal("team"), id: text, name: text, orgId: z.string() }),
]);
const holder = z.union(
  Object.values({
    person: z.object({ kind: z.literal("person"), userId: text, invitationId: text, username: text }),
    team: z.object({ kind: z.literal("team"), teamId: text, teamName: text }),
    "API key": z.object({ kind: z.literal("API key"), keyId: text, publicKey: text }),
    "agent API key": z.object({ kind: z.literal("agent API key"), keyId: text }),
    "service account": z.object({ kind: z.literal("service account"), clientId: z.string(), name: text }),
    group: z.object({
      kind: z.literal("group"),
      property: z.enum(["ldapGroupMappings", "idpGroupMappings"]),
      name: z.string(),
    }),
  } satisfies { readonly [Kind in Holder["kind"]]: z.ZodType<Extract<Holder, { kind: Kind }>> }),
);
const access = z.object({ holder, place, roles: z.array(z.string()).optional() });
const told = z.object({
  kind: z.string(),
  accesses: z.array(
    access.extend({
      fate: z.enum(fates),
      foreseen: z.enum(foreseenFates).optional(),
      why: z.enum(keptBecause).optional(),
      isPending: z.literal(true).optional(),
      teamIds: z.array(z.string()).optional(),
    }),
  ),
});

/** What the operation of a resource does with accesses. */
export interface ToldByResource extends Told {
  /** That of the stack, or none, for the dynamic provider. */
  readonly urn: string | undefined;
}

/** The events of a run, which may be incomplete. */
export interface EngineRun {
  readonly steps: readonly Step[];
  /** Operations that failed. */
  readonly failed: readonly Step[];
  readonly diagnostics: readonly Diagnostic[];
  readonly told: readonly ToldByResource[];
  /** URNs of providers whose settings a preview does not know. */
  readonly unconfigured: ReadonlySet<string>;
  /** The engine's own counts; `undefined` if the run ended before them. */
  readonly summary: Readonly<Record<string, number>> | undefined;
}

/** Parses the stream in pieces of any size. */
export class EventReader {
  /** The beginning of an incomplete line. */
  private rest: string[] = [];
  /**
   * Number of running refreshes by URN: a resource that is still to be deleted shares its
   * successor's URN.
   */
  private readonly refreshing = new Map<string, number>();
  private readonly steps: Step[] = [];
  private readonly failed: Step[] = [];
  private readonly diagnostics: Diagnostic[] = [];
  private readonly told: ToldByResource[] = [];
  private readonly unconfigured = new Set<string>();
  private summary: Record<string, number> | undefined;

  /** @param onStep called after each step */
  constructor(private readonly onStep: (step: Step) => void = () => {}) {}

  readonly take = (text: string): void => {
    const [first = "", ...lines] = text.split("\n");
    this.rest.push(first);
    for (const line of lines) {
      this.line(this.rest.join(""));
      this.rest = [line];
    }
  };

  end(): EngineRun {
    this.line(this.rest.join(""));
    this.rest = [];
    const { steps, failed, diagnostics, told, unconfigured, summary } = this;
    return { steps, failed, diagnostics, told, unconfigured, summary };
  }

  private runningRefreshes(urn: string): number {
    return this.refreshing.get(urn) ?? 0;
  }

  private ended(facts: z.output<typeof metadata>, isPlanned: boolean): Step {
    const before = this.runningRefreshes(facts.urn);
    this.refreshing.set(facts.urn, Math.max(before - 1, 0));
    return { ...facts, isRefresh: before > 0, isPlanned };
  }

  private line(line: string): void {
    const event = parseEvent(line);
    if (event === undefined) return;
    const begun = event.resourcePreEvent?.metadata;
    if (begun?.op === "refresh") this.refreshing.set(begun.urn, this.runningRefreshes(begun.urn) + 1);
    const done = event.resOutputsEvent;
    if (done !== undefined) {
      const step = withoutRepeatedValues(this.ended(done.metadata, done.planning === true));
      this.steps.push(step);
      this.onStep(step);
    }
    const failed = event.resOpFailedEvent?.metadata;
    if (failed !== undefined) this.failed.push(this.ended(failed, false));
    const diagnostic = event.diagnosticEvent;
    if (diagnostic?.severity === "debug") this.debug(diagnostic);
    else if (diagnostic !== undefined) this.diagnostics.push(diagnostic);
    if (event.summaryEvent !== undefined) this.summary = event.summaryEvent.resourceChanges ?? {};
  }

  private debug(diagnostic: Diagnostic): void {
    const { urn, message } = diagnostic;
    if (urn !== undefined && message.includes(UNKNOWN_SETTINGS)) this.unconfigured.add(urn);
    this.told.push(...toldIn(diagnostic));
  }
}

/**
 * Of an unchanged resource, as most are in a large stack, the declared values and the live outputs
 * are enough. Components are few.
 */
function withoutRepeatedValues(step: Step): Step {
  if (step.op !== "same" || (step.new ?? step.old)?.custom !== true) return step;
  const { old, new: live } = step;
  return { ...step, old: old && { ...old, outputs: null }, new: live && { ...live, inputs: null } };
}

/** The engine marks the color of a message in its text. */
export function withoutColors(message: string): string {
  return message.replace(/<\{%.*?%\}>/g, "").trim();
}

function toldIn({ urn, message }: Diagnostic): ToldByResource[] {
  const start = message.indexOf(TOLD_ACCESS);
  if (start === -1) return [];
  const found = parsed(told, withoutColors(message.slice(start + TOLD_ACCESS.length)));
  return found === undefined ? [] : [{ urn, ...found }];
}

/** Parses an event. Other lines, such as the output of a program, concern no resources. */
function parseEvent(line: string): z.output<typeof engineEvent> | undefined {
  return line.startsWith("{") ? parsed(engineEvent, line) : undefined;
}

function parsed<Shape extends z.ZodType>(shape: Shape, json: string): z.output<Shape> | undefined {
  try {
    return shape.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}
