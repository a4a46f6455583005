/** What a run of `pulumi preview` or `pulumi up` changes, read from the engine's events. Pure. */

import { inOrder, isRecord } from "../../provider/resources/contract/values";
import { foldName } from "../../provider/resources/people/person";
import { isUrn } from "../../provider/resources/session/claims";
import { own } from "../../provider/text/own";
import { isHiddenProperty, UNKNOWN_SENTINELS } from "../../provider/text/sentinels";
import { visibleText } from "../../provider/text/visible-text";
import { createRedact } from "../../provider/transport";
import type { Diagnostic, EngineRun, Snapshot, Step } from "../engine-events";
import { kindOf, logicalName, treatmentOf } from "../own-resources";
import { changedValues } from "../step-values";
import { readable, type ValueDifference } from "../value-differences";

/** What a run does to resources, in the order of the tables. */
export const operations = ["create", "change", "replace", "import", "delete", "release"] as const;

type Operation = (typeof operations)[number];

const OPERATION_OF_STEP: Readonly<Record<string, Operation>> = {
  create: "create",
  update: "change",
  replace: "replace",
  import: "import",
  delete: "delete",
};

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

/** The changes of one project or team, or of all resources that are in none. */
export interface Group {
  readonly what: "project" | "team" | "organization" | "other";
  readonly name: string;
  readonly changes: readonly Change[];
  /** People and teams that get access, and those that lose it. */
  readonly coming: readonly string[];
  readonly going: readonly string[];
}

export interface Summary {
  readonly command: "preview" | "up";
  readonly stack: string;
  /** Whether the changes were made. A preview makes none, and `pulumi up` begins with one. */
  readonly isDone: boolean;
  /** Sorted by name; those without a change are left out. */
  readonly groups: readonly Group[];
  /** Whether the run failed. */
  readonly hasFailed: boolean;
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
}

export function summaryOf(run: EngineRun, { command, stack, failure }: RunFacts): Summary {
  const all = run.steps.filter(({ isRefresh }) => !isRefresh);
  const done = all.filter(({ isPlanned }) => !isPlanned);
  const isDone = command === "up" && (done.length > 0 || run.failed.length > 0);
  const steps = (isDone ? done : all).filter(isCounted);
  const failed = new Set(run.failed.filter(isCounted));
  const [own, others] = split([...steps, ...failed], ({ type }) => treatmentOf(type) !== undefined);
  const containers = containersOf(run);
  const groups = [...Map.groupBy(own, (step) => containers.keyOf(step))].map(([key, members]) => ({
    ...containers.container(key, members),
    changes: changesOf(members, failed),
    ...accessOf(members, failed),
  }));
  const other = {
    what: "other",
    name: "",
    changes: changesOf(others, failed),
    coming: [],
    going: [],
  } as const;
  const errors = messagesOf(run.diagnostics, ["error"]).filter(({ text }) => !GENERAL_ERROR.test(text));
  return {
    command,
    stack: stackIn(all) ?? stack ?? "",
    isDone,
    groups: [...groups.sort((one, next) => inOrder(one.name, next.name)), other].filter(
      ({ changes }) => changes.length > 0,
    ),
    hasFailed: failure !== undefined,
    errors: errors.length > 0 || failure === undefined ? errors : [{ text: failure }],
    warnings: messagesOf(run.diagnostics, ["warning"]),
  };
}

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
    const text = redact(message.replace(/<\{%.*?%\}>/g, "").trim());
    // A message about the stack is about the run.
    return urn && !urn.includes("::pulumi:pulumi:Stack::") ? { name: logicalName(urn), text } : { text };
  });
  return [...new Map(messages.map((message) => [JSON.stringify(message), message])).values()];
}

// The changes of a step.

function changesOf(steps: readonly Step[], failed: ReadonlySet<Step>): Change[] {
  return steps
    .flatMap((step) => changeOf(step, failed.has(step)))
    .sort((one, next) => inOrder(one.name, next.name) || inOrder(one.kind, next.kind));
}

function changeOf(step: Step, hasFailed: boolean): Change[] {
  const operation = isRelease(step) ? "release" : own(OPERATION_OF_STEP, step.op);
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

/** Whether the object stays, and only the resource leaves the state. */
function isRelease({ op, old }: Step): boolean {
  return op === "delete" && old?.outputs?.onDestroy === "release";
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

// The project or team of a step.

function containersOf({ steps }: EngineRun) {
  const names = new Map<string, string>();
  /** Keys of projects without an ID, by their logical name. */
  const created = new Map<string, string>();
  for (const step of steps) {
    const { type, old, new: now } = step;
    const id = idOf(step);
    const { name, groupName, projectId } = {
      ...old?.outputs,
      ...now?.outputs,
      ...old?.inputs,
      ...now?.inputs,
    };
    const isProject = kindOf(type) === "Project";
    if (isProject && id && isKnown(name)) names.set(id, name);
    else if (isKnown(projectId) && isKnown(groupName) && !names.has(projectId))
      names.set(projectId, groupName);
    if (isProject && !id) {
      created.set(logicalName(step.urn), step.urn);
      if (isKnown(name)) names.set(step.urn, name);
    }
  }
  const keyOf = (step: Step): string => {
    const { type, urn, old, new: now } = step;
    const isIn = treatmentOf(type)?.belongsTo;
    const { projectId, orgId } = { ...old?.inputs, ...now?.inputs };
    if (isIn === "team") return `team ${urn}`;
    if (isIn === "organization") return `organization ${isKnown(orgId) ? orgId : logicalName(urn)}`;
    if (kindOf(type) === "Project") return `project ${idOf(step) ?? urn}`;
    if (isKnown(projectId)) return `project ${projectId}`;
    // A project file gives its key to the resources that it declares: `payments/ada@example.com`.
    const [key = ""] = logicalName(urn).split("/");
    return `project ${created.get(key) ?? key}`;
  };
  const container = (key: string, [first]: readonly Step[]): Pick<Group, "what" | "name"> => {
    const [, what, id = ""] = /^(project|team|organization) (.*)$/s.exec(key) ?? [];
    const { name } = { ...first?.old?.inputs, ...first?.new?.inputs };
    if (what === "team") return { what, name: isKnown(name) ? name : logicalName(id) };
    if (what === "organization") return { what, name: id };
    return { what: "project", name: names.get(id) ?? (isUrn(id) ? logicalName(id) : id) };
  };
  return { keyOf, container };
}

/** The ID of a project that exists: a project that is adopted has it in its inputs alone. */
function idOf({ old, new: now }: Step): string | undefined {
  return [now?.id, old?.id, now?.inputs?.projectId].find(isKnown);
}

function isKnown(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !UNKNOWN_SENTINELS.has(value);
}

// Who gets access to a project or team, and who loses it.

function accessOf(steps: readonly Step[], failed: ReadonlySet<Step>): Pick<Group, "coming" | "going"> {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  const isProjectDeleted = steps.some(
    (step) =>
      kindOf(step.type) === "Project" && step.op === "delete" && !isRelease(step) && !failed.has(step),
  );
  for (const step of steps) {
    if (failed.has(step)) continue;
    const old = whoHasAccess(step, step.old);
    // Of an unchanged resource, the events are read with its values on one side only.
    const stays = step.op === "same" || (isRelease(step) && !isProjectDeleted);
    const now = stays ? old : whoHasAccess(step, step.new);
    // Pulumi has not read an object that it imports.
    for (const name of step.op === "import" ? now : old) before.set(foldName(name), name);
    for (const name of now) after.set(foldName(name), name);
  }
  const only = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
    [...one].flatMap(([key, name]) => (other.has(key) ? [] : [name])).sort(inOrder);
  return { coming: only(after, before), going: only(before, after) };
}

function whoHasAccess({ type }: Step, side: Snapshot | null | undefined): readonly string[] {
  return side ? (treatmentOf(type)?.whoHasAccess(inputsOf(side), side.outputs ?? {}) ?? []) : [];
}

/** The name of a group in a text. */
export function groupName({ what, name }: Pick<Group, "what" | "name">): string {
  return what === "other" ? "other resources" : `${what} ${visibleText(name)}`;
}
