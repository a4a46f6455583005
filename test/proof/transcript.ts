/**
 * What a command did, in a form in which two versions of the provider can be compared: the requests, what was said,
 * and what it came to.
 */
import type { RequestRecord } from "../../sandbox";
import { type Json, type OperationResult, sameJson, type Values } from "./engine-model";

/** One command of a story or a world. */
export interface CommandRecord {
  readonly command: string;
  readonly requests: readonly Exchange[];
  /** The facts of messages, warnings and information, sorted. */
  readonly said: readonly string[];
  /** Failures, steps, differences and the state, as JSON. */
  readonly result: Json;
  /** The service disturbed the command, or the user interrupted it: a version with fewer reads is disturbed elsewhere. */
  readonly isDisturbed: boolean;
}

type Exchange = { readonly write: string } | { readonly reads: readonly string[] };

interface CommandFacts {
  readonly command: string;
  readonly requests: readonly RequestRecord[];
  /** `warning: text` */
  readonly texts: readonly string[];
  readonly result: OperationResult;
  readonly isInterrupted?: boolean;
}

export function recordOf({
  command,
  requests,
  texts,
  result,
  isInterrupted = false,
}: CommandFacts): CommandRecord {
  const { ok, state, steps, failures, detailedDiffs = {} } = result;
  const answered = requests.filter(({ authorized, fault }) => authorized || fault !== undefined);
  return {
    command,
    requests: exchangesOf(answered),
    said: texts
      .filter((text) => !/^debug: (?!\[found)/.test(text))
      .map(factsOf)
      .sort(),
    result: plain({
      ok,
      failures: failures.map((failure) => ({ ...failure, message: factsOf(failure.message) })),
      steps: steps.map(({ name, kind, isHalf = false }) => ({ name, kind, isHalf })),
      detailedDiffs,
      state: state.map((resource) => ({ ...resource, initErrors: resource.initErrors.map(factsOf) })),
    }),
    isDisturbed: isInterrupted || requests.some(({ fault }) => fault !== undefined),
  };
}

/** Writes in their order, and between them what was read, each once. */
function exchangesOf(requests: readonly RequestRecord[]): Exchange[] {
  const exchanges: Exchange[] = [];
  let reads = new Set<string>();
  const endReads = () => {
    exchanges.push({ reads: [...reads].sort() });
    reads = new Set();
  };
  for (const { method, path, query, body, status, fault } of requests) {
    const what = `${method} ${path}${query && `?${query}`}`;
    const answer = [status, fault].filter((part) => part !== undefined).join(" ");
    if (method === "GET") reads.add(`${what}: ${answer}`);
    else {
      endReads();
      exchanges.push({ write: `${what} ${JSON.stringify(body)}: ${answer}` });
    }
  }
  endReads();
  return exchanges;
}

const FACT =
  /urn:[^\s"'\]]+|"[^"]*"|[\w.+-]+@[\w.-]*\w|\b[0-9a-f]{24}\b|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b\d{3}\b/g;

/** The severity of a message, and what it names. Two versions may say the same in other words. */
function factsOf(text: string): string {
  const [severity = ""] = /^\w+: /.exec(text) ?? [];
  return severity + [...new Set(text.match(FACT) ?? [])].sort().join(" ");
}

/** Without what differs in each run: times and addresses. */
function plain(value: unknown): Json {
  const text = JSON.stringify(value)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "TIME")
    .replace(/127\.0\.0\.1:\d+/g, "ADDRESS");
  return JSON.parse(text);
}

/** How two versions differ. */
export interface Deviation {
  readonly what: string;
  readonly reference: string;
  readonly now: string;
}

export interface Comparison {
  readonly deviation?: Deviation;
  /** Reads of the reference that are not made any more. */
  readonly fewerReads: number;
  /** A disturbance met the two versions at different requests, so nothing later was compared. */
  readonly isOpen: boolean;
}

export function compareRecords(
  reference: readonly CommandRecord[],
  now: readonly CommandRecord[],
): Comparison {
  let fewerReads = 0;
  for (const [index, before] of reference.entries()) {
    const after = now[index];
    const command = `command ${index + 1} (${before.command})`;
    if (after === undefined)
      return {
        deviation: deviation(`${command} is missing`, before.command, undefined),
        fewerReads,
        isOpen: false,
      };
    const reads = fewerReadsIn(before, after);
    fewerReads += reads ?? 0;
    const isOpen = reads !== 0 && before.isDisturbed;
    const different = differenceOf(before, after);
    if (different === undefined) continue;
    if (isOpen) return { fewerReads, isOpen };
    const [what, one, other] = different;
    return { deviation: deviation(`${what} of ${command}`, one, other), fewerReads, isOpen: false };
  }
  const [more] = now.slice(reference.length);
  const added = more && { deviation: deviation("a further command", undefined, more.command) };
  return { ...added, fewerReads, isOpen: false };
}

function differenceOf(
  before: CommandRecord,
  after: CommandRecord,
): readonly [what: string, one: unknown, other: unknown] | undefined {
  const [writes, writesNow] = [writesOf(before), writesOf(after)];
  if (!sameJson(writes, writesNow)) return ["the writes", writes, writesNow];
  const more = moreReads(before, after);
  if (more.length > 0) return ["a further read", [], more];
  if (!sameJson(before.result, after.result)) return differentPart(before.result, after.result);
  if (!sameJson(before.said, after.said)) return ["what is said", before.said, after.said];
  return undefined;
}

const writesOf = ({ requests }: CommandRecord) =>
  requests.flatMap((exchange) => ("write" in exchange ? [exchange.write] : []));

const readsOf = ({ requests }: CommandRecord) =>
  requests.flatMap((exchange) => ("reads" in exchange ? [exchange.reads] : []));

/** What is read between two writes and was not read there before. */
function moreReads(before: CommandRecord, after: CommandRecord): string[] {
  const known = readsOf(before);
  return readsOf(after).flatMap((reads, index) => reads.filter((read) => !known[index]?.includes(read)));
}

/** `undefined` if the writes differ. */
function fewerReadsIn(before: CommandRecord, after: CommandRecord): number | undefined {
  if (before.requests.length !== after.requests.length) return undefined;
  return moreReads(after, before).length;
}

/** The first property that differs: a whole state says little. */
function differentPart(one: Json, other: Json): readonly [string, Json | undefined, Json | undefined] {
  const [before, after] = [one as Values, other as Values];
  const key = Object.keys(before).find((name) => !sameJson(before[name] ?? null, after[name] ?? null)) ?? "";
  return [key, before[key], after[key]];
}

const deviation = (what: string, reference: unknown, now: unknown): Deviation => ({
  what,
  reference: JSON.stringify(reference, undefined, 2) ?? "nothing",
  now: JSON.stringify(now, undefined, 2) ?? "nothing",
});
