/** What a run of `pulumi preview` or `pulumi up` changes, read from the engine's events. Pure. */

import { inOrder, isRecord } from "../../provider/resources/contract/values";
import { refersToOther } from "../../provider/resources/session/shared-causes";
import { isHiddenProperty } from "../../provider/text/sentinels";
import { visibleText } from "../../provider/text/visible-text";
import { createRedact } from "../../provider/transport";
import {
  type Diagnostic,
  type EngineRun,
  type Snapshot,
  type Step,
  withoutColors,
} from "../lib/engine-events";
import { kindOf, logicalName, treatmentOf } from "../lib/own-resources";
import { changedValues } from "../lib/step-values";
import { readable, type ValueDifference } from "../lib/value-differences";
import {
  type AccessOfRun,
  accessOfRun,
  isStack,
  type NewOwner,
  type PlaceAccess,
  type Refusal,
  type StateOptions,
} from "./access";
import { type NamedPlace, Places } from "./places";
import type { Sentence } from "./sentence";

/** What a run does to resources, in the order of the tables. */
export const operations = ["create", "change", "replace", "import", "delete", "release"] as const;

type Operation = (typeof operations)[number];

const OPERATION_OF_STEP: ReadonlyMap<string, Operation> = new Map([
  ["create", "create"],
  ["update", "change"],
  ["replace", "replace"],
  ["import", "import"],
  ["delete", "delete"],
]);

/** A value before and after the run; absent where there is none. */
export interface ChangedValue extends Pick<ValueDifference, "path"> {
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface Change {
  readonly operation: Operation;
  /** The kind of one of this provider's resources, or the type of another one. */
  readonly kind: string;
  readonly name: string;
  readonly values: readonly ChangedValue[];
  /** The engine reports a difference, but not which. */
  readonly isUnclear: boolean;
  /** The operation failed, so its outcome is that of the error. */
  readonly hasFailed: boolean;
}

/** The changes of one project, team or organization, or of all resources that are in none. */
export interface Group extends PlaceAccess {
  readonly what: NamedPlace["what"] | "other";
  readonly name: string;
  readonly changes: readonly Change[];
}

export interface Summary {
  readonly command: "preview" | "up";
  readonly stack: string;
  /** Whether the changes were made. A preview makes none, and `pulumi up` begins with one. */
  readonly isDone: boolean;
  /** Sorted by name; those without a change are left out. */
  readonly groups: readonly Group[];
  /** Deletions that the provider will refuse, or may refuse. */
  readonly refusals: readonly Refusal[];
  readonly newOwners: readonly (NewOwner & { readonly place: NamedPlace })[];
  /** What changes beyond what the run shows. */
  readonly notes: readonly Sentence[];
  /** Whether the run failed. */
  readonly hasFailed: boolean;
  /** A cause that several resources share comes first, followed by their number. */
  readonly errors: readonly Message[];
  readonly warnings: readonly Message[];
}

interface Message {
  /** Logical name of the resource; absent if the message is about the run. */
  readonly name?: string;
  readonly text: string;
}

interface RunFacts {
  readonly command: Summary["command"];
  /** As it was named; the events have the name as well. */
  readonly stack: string | undefined;
  /** Pulumi's message if it failed. */
  readonly failure: string | undefined;
  /** Resource options of the state before the run, by URN. */
  readonly options?: ReadonlyMap<string, StateOptions>;
  /** Whether the command line leaves resources out. */
  readonly isPartial?: boolean;
}

export function summaryOf(run: EngineRun, facts: RunFacts): Summary {
  const { command, stack, failure, options = new Map(), isPartial = false } = facts;
  const all = run.steps.filter(({ isRefresh }) => !isRefresh);
  const done = all.filter(({ isPlanned }) => !isPlanned);
  const isDone = command === "up" && (done.length > 0 || run.failed.length > 0);
  const steps = isDone ? done : all;
  const places = new Places(run.steps.filter(isOwn));
  const { found, diagnostics } = run;
  const own = { steps: steps.filter(isOwn), failed: run.failed.filter(isOwn) };
  const access = accessOfRun({ ...own, found, diagnostics, options, isDone, isPartial }, places);
  const errors = messagesOf(run.diagnostics, ["error"]).filter(({ text }) => !GENERAL_ERROR.test(text));
  return {
    command,
    stack: stackIn(all) ?? stack ?? "",
    isDone,
    groups: groupsOf([...steps, ...run.failed].filter(isCounted), new Set(run.failed), access, places),
    refusals: access.refusals,
    newOwners: access.newOwners.map((owner) => ({ ...owner, place: places.named(owner.key) })),
    notes: access.notes,
    hasFailed: failure !== undefined,
    errors: errors.length > 0 || failure === undefined ? causesFirst(errors) : [{ text: failure }],
    warnings: messagesOf(run.diagnostics, ["warning"]),
  };
}

function groupsOf(
  steps: readonly Step[],
  failed: ReadonlySet<Step>,
  { places: accesses, released }: AccessOfRun,
  places: Places,
): Group[] {
  const [own, others] = split(steps, isOwn);
  const changesOf = (group: readonly Step[] = []) =>
    group
      .flatMap((step) => changeOf(step, failed.has(step), released.has(step)))
      .sort((one, next) => inOrder(one.name, next.name) || inOrder(one.kind, next.kind));
  const byPlace = Map.groupBy(own, (step) => places.keyOf(step));
  const groups = [...new Set([...byPlace.keys(), ...accesses.keys()])].map((key) => ({
    ...places.named(key),
    changes: changesOf(byPlace.get(key)),
    ...(accesses.get(key) ?? NO_ACCESS),
  }));
  const other = { what: "other", name: "", changes: changesOf(others), ...NO_ACCESS } as const;
  return [...groups.sort((one, next) => inOrder(one.name, next.name)), other].filter(
    ({ changes, gained, lost, unclear, undeclared }) =>
      [changes, gained, lost, unclear, undeclared].some(({ length }) => length > 0),
  );
}

const NO_ACCESS: PlaceAccess = { gained: [], lost: [], unclear: [], undeclared: [] };

/** A comment has more readers than the log of a run. */
const redact = createRedact([]);

/** Ends the output of each failed run, and names no cause. */
const GENERAL_ERROR = /^(preview|update) failed$/;

/** The count of changes of each operation, in the order of `operations`. */
export function countsOf(changes: readonly Change[]): readonly (readonly [Operation, number])[] {
  return operations.map((operation) => [
    operation,
    changes.filter((change) => change.operation === operation).length,
  ]);
}

function isOwn({ type, old, new: now }: Step): boolean {
  return treatmentOf(type) !== undefined && (now ?? old)?.custom === true;
}

/** Whether a step concerns a resource of a provider, and not a part of a replacement. */
function isCounted({ type, logical, old, new: now }: Step): boolean {
  return logical !== false && !type.startsWith("pulumi:") && (now ?? old)?.custom === true;
}

function split<T>(things: readonly T[], isFirst: (thing: T) => boolean): [T[], T[]] {
  return [things.filter(isFirst), things.filter((thing) => !isFirst(thing))];
}

function stackIn([first]: readonly Step[]): string | undefined {
  return first && /^urn:pulumi:(.*?)::/.exec(first.urn)?.[1];
}

function messagesOf(diagnostics: readonly Diagnostic[], severities: readonly string[]): Message[] {
  const own = diagnostics.filter(({ severity }) => severities.includes(severity));
  const messages = own.map(({ urn, message }): Message => {
    const text = redact(withoutColors(message));
    // A message about the stack is about the run.
    return urn && !isStack(urn) ? { name: logicalName(urn), text } : { text };
  });
  return [...new Map(messages.map((message) => [JSON.stringify(message), message])).values()];
}

/**
 * The resource that explains a cause comes first. Those that fail for the same cause are counted: there may be
 * hundreds of them.
 */
function causesFirst(errors: readonly Message[]): Message[] {
  const [references, others] = split(errors, ({ text }) => refersToOther(withoutPrefix(text)));
  const counts = [...Map.groupBy(references, ({ text }) => withoutPrefix(text))].map(
    ([reference, { length }]) => ({
      reference,
      text: `${length} more ${length === 1 ? "resource" : "resources"} failed for the same reason. ${reference}`,
    }),
  );
  const explains = ({ name }: Message) =>
    name !== undefined && counts.some(({ reference }) => reference.endsWith(`: see ${visibleText(name)}.`));
  const [explaining, rest] = split(others, explains);
  return [...explaining, ...counts.map(({ text }) => ({ text })), ...rest];
}

function withoutPrefix(text: string): string {
  return text.replace(/^Preview failed: /, "");
}

// The changes of a step.

function changeOf(step: Step, hasFailed: boolean, isReleased: boolean): Change[] {
  const operation = isReleased ? "release" : OPERATION_OF_STEP.get(step.op);
  if (operation === undefined) return [];
  const { urn, type, old, new: now } = step;
  const values = old && now ? updatedValues(step) : allValues(now ?? old, now ? "after" : "before");
  const isUnclear = values === undefined;
  return [
    {
      operation,
      kind: kindOf(type) ?? type,
      name: logicalName(urn),
      values: values ?? [],
      isUnclear,
      hasFailed,
    },
  ];
}

function updatedValues(step: Step): ChangedValue[] | undefined {
  return changedValues(step, { declared: step.new, live: step.old })?.map(({ path, declared, live }) => ({
    path,
    ...(live !== undefined && { before: live }),
    ...(declared !== undefined && { after: declared }),
  }));
}

/** Of a map, such as `members`, each entry is a value. */
function allValues(side: Snapshot | null | undefined, when: "before" | "after"): ChangedValue[] {
  return Object.entries(inputsOf(side))
    .filter(([name]) => !isHiddenProperty(name))
    .flatMap(([name, value]) =>
      isRecord(value)
        ? Object.entries(value).map(([key, inner]) => ({ path: [name, key], [when]: inner }))
        : [{ path: [name], [when]: value }],
    );
}

function inputsOf(side: Snapshot | null | undefined): Readonly<Record<string, unknown>> {
  return readable(side?.inputs ?? {}) as Record<string, unknown>;
}

/** The name of a group in a text. */
export function groupName({ what, name }: Pick<Group, "what" | "name">): string {
  return what === "other" ? "other resources" : `${what} ${visibleText(name)}`;
}
