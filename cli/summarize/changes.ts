/** What a run of `pulumi preview` or `pulumi up` changes, read from the engine's events. Pure. */

import { pathText } from "../../provider/resources/contract/property-path";
import { inOrder } from "../../provider/resources/contract/values";
import { resourceKinds } from "../../provider/resources/kinds";
import { refersToOther } from "../../provider/resources/session/shared-causes";
import { shortList } from "../../provider/text/list";
import { parseReference } from "../../provider/text/references";
import { MARK } from "../../provider/text/sentinels";
import { visibleText } from "../../provider/text/visible-text";
import { createRedact } from "../../provider/transport";
import type { CausedValue, ChangedValue } from "../lib/causes";
import { type Diagnostic, type EngineRun, type Step, withoutColors } from "../lib/engine-events";
import { kindOf, logicalName, treatmentOf } from "../lib/own-resources";
import type { Sentence } from "../lib/sentence";
import { counted } from "../lib/terminal";
import { type AccessOfRun, Comparison, type NewOwner, type UndeclaredHolder } from "./access";
import { type ChangedDay, calendarOf, endedValues, isEnd } from "./calendar";
import { type Change, type Group, operations, type Story, stories } from "./groups";
import { withoutGuesses } from "./guessed";
import { allValues, Origins } from "./origins";
import { type OutsideChange, outsideChanges } from "./outside";
import { NO_ORGANIZATIONS, type OrganizationFacts, Places, type StateOptions } from "./places";
import { isStack, type Refusal, Simulation } from "./simulation";

export interface Summary {
  readonly command: "preview" | "up";
  readonly stack: string;
  /** Whether the changes were made. A preview makes none, and `pulumi up` begins with one. */
  readonly isDone: boolean;
  /** Sorted by cause and name; those without a change are left out. */
  readonly groups: readonly Group[];
  /** What somebody changed outside Pulumi, and the run changes back. */
  readonly outside: readonly OutsideChange[];
  readonly undeclared: readonly UndeclaredHolder[];
  /** How many resources the run has not read, so that it does not show what somebody changed. */
  readonly unread: number;
  /** Deletions that the provider will refuse, or may refuse. */
  readonly refusals: readonly Refusal[];
  readonly newOwners: readonly NewOwner[];
  /** The last days that the program gives, changes or takes away. */
  readonly changedDays: readonly ChangedDay[];
  /** What changes beyond what the run shows. */
  readonly notes: readonly Sentence[];
  /** Whether the run failed. */
  readonly hasFailed: boolean;
  /** A cause that several resources share comes first, followed by their number. */
  readonly errors: readonly Message[];
  readonly warnings: readonly Message[];
}

interface Message {
  /** Logical names of the resources; absent if the message is about the run. */
  readonly name?: string;
  readonly text: string;
}

interface RunFacts {
  readonly command: Summary["command"];
  /** As it was named; the events have the name as well. */
  readonly stack: string | undefined;
  /** Pulumi's message if it failed. */
  readonly failure: string | undefined;
  /** What the events do not show of the state before the run, by URN. */
  readonly options?: ReadonlyMap<string, StateOptions>;
  /** Whether the command line leaves resources out. */
  readonly isPartial?: boolean;
  readonly startedAt?: Date;
  readonly organizations?: OrganizationFacts;
}

export function summaryOf(given: EngineRun, facts: RunFacts): Summary {
  const { command, stack, failure, options = new Map(), isPartial = false, startedAt = new Date() } = facts;
  const { organizations = NO_ORGANIZATIONS } = facts;
  const { people } = organizations;
  const isDoneStep = ({ isRefresh, isPlanned }: Step) => !isRefresh && !isPlanned;
  const isDone = command === "up" && (given.steps.some(isDoneStep) || given.failed.length > 0);
  const cautious = isDone ? { steps: given.steps, notes: [] } : withoutGuesses(given);
  const run = { ...given, steps: cautious.steps };
  const all = run.steps.filter(({ isRefresh }) => !isRefresh);
  const steps = isDone ? all.filter(isDoneStep) : all;
  const unfinished = [...options].filter(([, { initErrors }]) => (initErrors?.length ?? 0) > 0);
  const origins = new Origins(run.steps.filter(isOwn), new Set(unfinished.map(([urn]) => urn)));
  const places = new Places(run.steps.filter(isOwn), origins, organizations.names, options.values());
  const { told, diagnostics } = run;
  const everything = [...steps, ...run.failed];
  const own = { steps: steps.filter(isOwn), failed: run.failed.filter(isOwn), everything };
  const done = new Simulation({ ...own, told, options, isDone, isPartial, people }, places, origins);
  const access = new Comparison(done, places, origins).result();
  const calendar = calendarOf(own.steps, done.facts, places, startedAt);
  const failed = new Set(run.failed.map(({ urn }) => logicalName(urn)));
  const errors = messagesOf(run.diagnostics, ["error"]).filter(({ text }) => namesCause(text, failed));
  const groups = groupsOf(everything.filter(isCounted), {
    failed: new Set(run.failed),
    access,
    places,
    origins,
  });
  return {
    command,
    stack: stackIn(all) ?? stack ?? "",
    isDone,
    groups,
    outside: outsideChanges(groups, diagnostics),
    undeclared: access.undeclared,
    unread: own.steps.filter((step) => step.old && origins.refreshOf(step) === undefined).length,
    refusals: access.refusals,
    newOwners: access.newOwners,
    changedDays: calendar.changes,
    notes: [...cautious.notes, ...access.notes, ...calendar.notes, ...organizations.notes],
    hasFailed: failure !== undefined,
    errors: errors.length > 0 || failure === undefined ? byMeaning(errors) : [{ text: failure }],
    warnings: byText(messagesOf(run.diagnostics, ["warning"])),
  };
}

interface GroupFacts {
  readonly failed: ReadonlySet<Step>;
  readonly access: AccessOfRun;
  readonly places: Places;
  readonly origins: Origins;
}

const OTHER = "";

function groupsOf(steps: readonly Step[], { failed, access, places, origins }: GroupFacts): Group[] {
  const again = new Set(steps.filter((step) => origins.isAgain(step)).map(({ urn }) => urn));
  // What the dynamic provider replaces because it was deleted has nothing to release.
  const existing = steps.filter(({ op, urn }) => op !== "delete-replaced" || !again.has(urn));
  const all = existing.flatMap((step) => {
    const key = isOwn(step) ? places.keyOf(step) : OTHER;
    const facts = { hasFailed: failed.has(step), isReleased: access.released.has(step) };
    const changes = changesOf(step, origins, facts);
    const isMoved = places.isAgain(key) && origins.isReferring(step);
    return changes.map(({ cause, ...change }) =>
      isMoved
        ? { key, cause: "outside" as const, change: { ...change, values: [] } }
        : { key, cause, change },
    );
  });
  return stories.flatMap((cause) => {
    const byKey = Map.groupBy(
      all.filter((each) => each.cause === cause),
      ({ key }) => key,
    );
    const lists = [byKey, access.gained, access.lost, access.unclear];
    const keys = [...new Set(lists.flatMap((list) => [...list.keys()]))].filter((key) => !places.isGone(key));
    const groups = keys.map((key): Group => {
      const isMain = cause === (all.find((each) => each.key === key)?.cause ?? "program");
      return {
        ...(key === OTHER ? { what: "other", name: "" } : places.named(key)),
        cause,
        changes: (byKey.get(key) ?? []).map(({ change }) => change).sort(byName),
        gained: (access.gained.get(key) ?? []).filter((holder) => holder.cause === cause),
        lost: (access.lost.get(key) ?? []).filter((holder) => holder.cause === cause),
        unclear: isMain ? (access.unclear.get(key) ?? []) : [],
        isAgain: places.isAgain(key),
      };
    });
    const isOther = ({ what }: Group) => Number(what === "other");
    return groups
      .filter(({ changes, gained, lost, unclear }) => [changes, gained, lost, unclear].some(isFilled))
      .sort((one, next) => isOther(one) - isOther(next) || inOrder(one.name, next.name));
  });
}

function isFilled({ length }: readonly unknown[]): boolean {
  return length > 0;
}

function byName(one: Change, next: Change): number {
  return inOrder(one.name, next.name) || inOrder(one.kind, next.kind);
}

/** A comment has more readers than the log of a run. */
const redact = createRedact([]);

/**
 * Whether it is not the end of each failed run, nor about the outputs of a resource that failed for its own reason, nor the
 * engine's words for a failure whose reason the dynamic provider has sent apart (adapter.ts).
 */
function namesCause(text: string, failed: ReadonlySet<string>): boolean {
  const [, missing] = /\bresource (.+) \[[^\]]*\] failed to register\b/.exec(text) ?? [];
  const isWithoutCause = /^(preview failed|update failed|resource init failed)$/.test(text);
  return !isWithoutCause && !(missing !== undefined && failed.has(missing));
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
    const text = redact(withoutColors(message).replace(/^1 error occurred:\s+\* /, ""));
    // A message about the stack is about the run.
    return urn && !isStack(urn) ? { name: logicalName(urn), text } : { text };
  });
  return [...new Map(messages.map((message) => [JSON.stringify(message), message])).values()];
}

/** One row for what is said of several resources. */
function byText(messages: readonly Message[]): Message[] {
  return [...Map.groupBy(messages, ({ text }) => text)].map(([text, same]) => {
    const names = same.flatMap(({ name }) => name ?? []);
    return names.length === 0 ? { text } : { name: shortList(names, MOST_NAMES), text };
  });
}

/** One row for each cause: there may be hundreds of resources that fail for it. The one that explains it has it. */
function byMeaning(errors: readonly Message[]): Message[] {
  const [references, others] = split(errors, ({ text }) => refersToOther(withoutPrefix(text)));
  // A reference to a resource of the same name has the kind too.
  const explainedBy = ({ name }: Message) => {
    if (name === undefined) return [];
    const named = [name, ...resourceKinds.map((kind) => `${kind} ${name}`)].map(visibleText);
    return references.filter(({ text }) => named.includes(parseReference(withoutPrefix(text))?.name ?? ""));
  };
  const explained = new Set(others.flatMap(explainedBy));
  const unexplained = references.filter((message) => !explained.has(message));
  const rows = [...Map.groupBy([...others, ...unexplained], ({ text }) => text).values()].flatMap(
    ([first, ...same]) => (first ? [{ first, more: [...same, ...explainedBy(first)] }] : []),
  );
  const [shared, single] = split(rows, ({ more }) => more.length > 0);
  return [...shared, ...single].map(({ first, more }) =>
    more.length === 0 ? first : { ...first, text: `${first.text}${alsoFailed(more)}` },
  );
}

function alsoFailed(others: readonly Message[]): string {
  const names = shortList(
    others.flatMap(({ name }) => name ?? []),
    MOST_NAMES,
  );
  return ` ${counted(others.length, "more resource")} failed for the same reason: ${names}.`;
}

const MOST_NAMES = 5;

function withoutPrefix(text: string): string {
  return text.replace(/^Preview failed: /, "");
}

// The changes of a step.

interface ChangeFacts {
  readonly hasFailed: boolean;
  readonly isReleased: boolean;
}

/** What a step changes, for each cause. */
function changesOf(
  step: Step,
  origins: Origins,
  { hasFailed, isReleased }: ChangeFacts,
): (Change & { readonly cause: Story })[] {
  const name = step.op === "update" ? "change" : step.op;
  const operation = isReleased ? "release" : operations.find((each) => each === name);
  if (operation === undefined) return [];
  const { urn, type, old, new: now } = step;
  const about = {
    kind: kindOf(type) ?? type,
    name: logicalName(urn),
    hasFailed,
    resource: origins.resourceOf(step),
  };
  const whole = (values: readonly ChangedValue[], cause: Story = "program") => {
    return { ...about, operation, values, cause, isUnclear: false };
  };
  if (origins.isAgain(step)) {
    const program = origins.changesOf(step) ?? [];
    return [
      whole(origins.valuesOfAgain(step), "outside"),
      ...(program.length > 0 ? [{ ...whole(program), operation: "change" as const }] : []),
    ];
  }
  if (!old || !now) return [whole(allValues((now ?? old)?.inputs, now ? "after" : "before"))];
  const values = origins.changesOf(step);
  if (values === undefined && isEnd(step)) return [whole([], "calendar")];
  if (values === undefined) return [{ ...whole([], origins.causeOfUnclear(step)), isUnclear: true }];
  if (values.length === 0) return [whole([])];
  const [marks, others] = split(stillThere(values), ({ path }) => path[0] === MARK);
  const ends = marks.length > 0 && isEnd(step) ? [whole(endedValues(step, marks), "calendar")] : [];
  const byCause = [...Map.groupBy(others, ({ cause }) => cause)];
  return [...byCause.map(([cause, own]) => whole(own, cause)), ...ends];
}

/** What somebody changed about an entry of a map, such as a person, is not changed back where the run ends the entry. */
function stillThere(values: readonly CausedValue[]): CausedValue[] {
  const ended = new Set(
    values.flatMap(({ cause, path, ...sides }) =>
      cause === "program" && path.length > 1 && !("after" in sides) ? [pathText(path)] : [],
    ),
  );
  return values.filter(({ cause, path }) => cause !== "outside" || !ended.has(pathText(path)));
}
