/** Events of the engine as pulumi 3.259 wrote them, cut down to what is read. */

import { type EngineRun, EventReader } from "../../../../cli/lib/engine-events";
import type { StateResource } from "../../../../cli/lib/stack-export";
import type { StackState } from "../../../../cli/lib/stacks";

export type Values = Readonly<Record<string, unknown>>;

/** A secret in the stream: the engine's signature, and no value. */
export const secretValue = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "[secret]",
};

export function urnOf(name: string, type = "opsmanager:index:Project"): string {
  return `urn:pulumi:test::platform::${type}::${name}`;
}

export interface StepFacts {
  readonly op: string;
  readonly name?: string;
  readonly type?: string;
  readonly old?: Values | null;
  readonly new?: Values | null;
  /** Kind by path. */
  readonly diff?: Readonly<Record<string, string>>;
  readonly outputs?: Values;
}

function metadata({
  op,
  name = "payments",
  type = "opsmanager:index:Project",
  diff,
  outputs = {},
  ...sides
}: StepFacts) {
  const side = (inputs: Values | null | undefined) =>
    inputs ? { id: "5f0000000000000000000001", inputs, outputs: { ...inputs, ...outputs } } : null;
  const entries = Object.entries(diff ?? {}).map(([path, diffKind]) => [
    path,
    { diffKind, inputDiff: false },
  ]);
  return {
    op,
    urn: urnOf(name, type),
    type,
    old: side(sides.old),
    new: side(sides.new),
    detailedDiff: diff ? Object.fromEntries(entries) : null,
  };
}

export const line = (event: object) => `${JSON.stringify({ sequence: 1, timestamp: 1, ...event })}\n`;

/** What a refresh writes of a resource. */
export function refreshed(facts: StepFacts): string {
  const done = metadata(facts);
  return (
    line({ resourcePreEvent: { metadata: { ...done, op: "refresh" } } }) +
    line({ resOutputsEvent: { metadata: done } })
  );
}

/** What a preview writes of what the program would do. */
export function planned(facts: StepFacts): string {
  return line({ resOutputsEvent: { metadata: { ...metadata(facts), logical: true } } });
}

export function diagnostic(severity: string, message: string, urn?: string): string {
  return line({ diagnosticEvent: { severity, message: `${message}\n`, ...(urn && { urn }) } });
}

export function summary(resourceChanges: Readonly<Record<string, number>>): string {
  return line({ summaryEvent: { resourceChanges } });
}

export function runOf(...lines: readonly string[]): EngineRun {
  const reader = new EventReader();
  reader.take(lines.join(""));
  return reader.end();
}

export type StateFacts = Partial<Pick<StateResource, "initErrors" | "ignoreChanges">>;

/** A stack with these resources: name and id. */
export function stateOf(
  resources: Readonly<Record<string, StateFacts & { type?: string; id: string }>>,
): StackState {
  return {
    stack: "test",
    project: "platform",
    isShared: false,
    components: [],
    replaced: [],
    pending: [],
    resources: Object.entries(resources).map(
      ([name, { type = "opsmanager:index:Project", id, ...facts }]) => ({
        urn: urnOf(name, type),
        type,
        id,
        ...facts,
      }),
    ),
  };
}
