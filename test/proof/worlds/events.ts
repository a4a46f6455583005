/** What the engine writes about a command: its events, one a line, and its export of the state. From the engine's model. */
import {
  type Json,
  type ModelStep,
  type OperationResult,
  type Recorded,
  replaceSecrets,
  SECRET,
  SIGNATURE,
} from "../engine-model";
import type { World } from "./world";

export const STACK = "test";

const urnOf = ({ name, type }: Recorded, provider: World["provider"]): string =>
  `urn:pulumi:${STACK}::platform::${typeOf(type, provider)}::${name}`;

const typeOf = (type: string, provider: World["provider"]): string =>
  `${provider === "plugin" ? "opsmanager:index" : "pulumi-nodejs:dynamic/opsmanager"}:${type}`;

/** A message of the provider about a resource, or about the run. */
export interface PrintedText {
  readonly severity: string;
  readonly text: string;
  readonly urn?: string | undefined;
}

interface Facts {
  readonly provider: World["provider"];
  readonly isPreview: boolean;
  readonly printed?: readonly PrintedText[];
}

/** The lines of `--event-log`. */
export function eventsOf(
  { steps, failedSteps = [], failures, detailedDiffs = {} }: OperationResult,
  { provider, isPreview, printed = [] }: Facts,
): string {
  const metadataOf = (step: ModelStep) => {
    const { kind, old, now, isHalf } = step;
    const resource = now ?? old;
    if (resource === undefined) return undefined;
    const [diff, half] = [detailedDiffs[step.name], isHalf ? halves[kind] : undefined];
    const isRead = kind === "read" || kind === "read-deleted";
    return {
      op: isRead ? "refresh" : (half ?? kind),
      urn: urnOf(resource, provider),
      type: typeOf(resource.type, provider),
      old: old === undefined ? null : snapshotOf(old, provider),
      new: now === undefined ? null : snapshotOf(now, provider),
      ...(diff && !isRead && { detailedDiff: diff, diffs: [...new Set(Object.keys(diff).map(topOf))] }),
      ...(half === undefined && !isRead && { logical: true }),
    };
  };
  const planning = isPreview && { planning: true };
  const events = [
    ...steps.flatMap((step) => {
      const metadata = metadataOf(step);
      if (metadata === undefined) return [];
      const begun = metadata.op === "refresh" ? [{ resourcePreEvent: { metadata, ...planning } }] : [];
      return [...begun, { resOutputsEvent: { metadata, ...planning } }];
    }),
    ...failedSteps.flatMap((step) => {
      const metadata = metadataOf(step);
      return metadata === undefined ? [] : [{ resOpFailedEvent: { metadata } }];
    }),
    ...printed.map(({ severity, text, urn }) => ({ diagnosticEvent: { severity, message: text, urn } })),
    ...failures.map(({ message }) => ({ diagnosticEvent: { severity: "error", message } })),
    { summaryEvent: { resourceChanges: {}, isPreview } },
  ];
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

const halves: Readonly<Record<string, string>> = { create: "create-replacement", delete: "delete-replaced" };

const topOf = (path: string): string => path.split(/[.[]/)[0] ?? path;

function snapshotOf(resource: Recorded, provider: World["provider"]) {
  const { id, inputs, outputs, pendingDelete, retainOnDelete } = resource;
  return {
    urn: urnOf(resource, provider),
    type: typeOf(resource.type, provider),
    custom: true,
    id,
    inputs: hidden(inputs),
    outputs: hidden(outputs),
    ...(pendingDelete && { delete: true }),
    ...(retainOnDelete && { retainOnDelete }),
  };
}

/** With the mark of a secret in its place. */
const hidden = (value: Json): Json =>
  replaceSecrets(value, () => ({ [SIGNATURE]: SECRET, ciphertext: "[secret]" }));

/** The resources as `pulumi stack export` shows them. */
export function exportedFrom(state: readonly Recorded[], provider: World["provider"]) {
  return state.map((resource) => {
    const { initErrors, ignoreChanges, protect, deletedWith } = resource;
    const owner = state.find(({ type, name }) => type === "Project" && name === deletedWith);
    return {
      ...snapshotOf(resource, provider),
      initErrors,
      ignoreChanges,
      protect,
      ...(owner && { deletedWith: urnOf(owner, provider) }),
    };
  });
}
