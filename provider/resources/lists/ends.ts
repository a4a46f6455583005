/**
 * People of a list whose access has a last day. The list names them also once it is over: then Check marks them
 * (`contract/until.ts`), and each of them leaves alone, whatever else of the list cannot be done.
 */

import { z } from "zod";
import { foldName, type Identity, listedName } from "../../access/person";
import { own } from "../../text/own";
import type { Frozen } from "../contract/border";
import { knownTexts } from "../contract/canonical";
import type { LocatedFailure } from "../contract/check";
import { recordsIn, textIn } from "../contract/declared";
import { changeKind, type Difference, UPDATE_WITHOUT_PATH } from "../contract/difference";
import { optionalText, requiredText } from "../contract/fields";
import { pathText } from "../contract/property-path";
import type { Context } from "../contract/resource";
import type { Session } from "../contract/session";
import {
  type EndedPerson,
  endedIn,
  endOutputs,
  isDay,
  isOver,
  withDaysOf,
  withoutMark,
} from "../contract/until";
import { hasUnknown, inOrder, isList, isRecord, type Properties, type Value } from "../contract/values";
import { resolve } from "../people/resolve";
import { PUT_OFF_BY_CLOCK, reasonOf, tooEarly } from "../session/ends";

/** The properties that list people. */
export const peopleLists = ["members", "usernames"] as const;

type List = (typeof peopleLists)[number];

/**
 * @param names the schema of one username
 * @param list the property that lists the people
 */
export function listUntilInput(names: z.ZodType<string>, list: List) {
  return z
    .record(
      names,
      z.string("must be text").refine(isDay, "must be the last day, in UTC, such as 2026-12-31"),
      "must be a map from username to last day",
    )
    .optional()
    .meta({
      description: `Last days of people in \`${list}\`, in UTC, by username, such as \`2026-12-31\`. The first update after a day removes the person, whoever added them, even if other changes of the list fail. Keep the person in \`${list}\`: with a later day, or none, an update adds them again. No limit counts the removal if the day was recorded before it passed.`,
    });
}

/**
 * Last days of people whom the list does not name, and second ones of one person.
 *
 * @param shape the faults of all names: whoever is misnamed is not missing
 */
export function listUntilFailures(
  given: Properties,
  list: List,
  shape: readonly LocatedFailure[],
): LocatedFailure[] {
  const { until, [list]: people } = given;
  const isMisnamed = shape.some(({ property }) => property === list || property === "until");
  if (isMisnamed || !isRecord(until) || hasUnknown(namesOf(people))) return [];
  const listed = new Set(knownTexts(namesOf(people)).map(foldName));
  const seen = new Set<string>();
  return Object.keys(until).flatMap((name): LocatedFailure[] => {
    const path = ["until", name];
    const [folded, text] = [foldName(name), pathText(path)];
    const isRepeated = seen.has(folded);
    seen.add(folded);
    if (isRepeated)
      return [{ property: "until", path, reason: `${text} is a second last day of one person: remove one.` }];
    if (listed.has(folded)) return [];
    const reason = `${text} is the last day of somebody who is not in ${list}: add the name to ${list}, or remove it from until.`;
    return [{ property: "until", path, reason }];
  });
}

/** The names of a list, as far as they are known. */
function namesOf(people: Value | undefined): Value {
  return isRecord(people) ? Object.keys(people) : (people ?? []);
}

/** The inputs of a list that names whoever is to have access, and tells the others apart. */
export type Split<Inputs> = Inputs & { readonly ended: readonly EndedPerson[] };

/** @param inputs checked or recorded, with the marks of Check */
export function splitEnded<Inputs>(inputs: Properties, list: List): Split<Inputs> {
  const ended = endedIn(inputs);
  return { ...lasting(withoutMark(inputs), ended, list), ended } as Split<Inputs>;
}

/** The inputs without these people of the list. */
export function lasting(inputs: Properties, ended: readonly EndedPerson[], list: List): Properties {
  const isEnded = isNameOf(ended);
  const { [list]: people } = inputs;
  if (isList(people))
    return { ...inputs, [list]: people.filter((name) => typeof name !== "string" || !isEnded(name)) };
  if (!isRecord(people)) return inputs;
  return { ...inputs, [list]: Object.fromEntries(Object.entries(people).filter(([name]) => !isEnded(name))) };
}

/** The live list as inputs. Whoever has ended stays as given, so that it stays known what was granted. */
export function liveInputs(live: Properties, oldInputs: Properties, list: List): Properties {
  const isEnded = isNameOf(endedIn(oldInputs));
  const { [list]: now } = live;
  const { [list]: before } = oldInputs;
  if (isList(now)) {
    const lasting = knownTexts(now).filter((name) => !isEnded(name));
    return { ...oldInputs, [list]: [...lasting, ...knownTexts(before).filter(isEnded)].sort(inOrder) };
  }
  const entries = (people: Value | undefined) => Object.entries<Value>(isRecord(people) ? people : {});
  const lasting = entries(now).filter(([name]) => !isEnded(name));
  const ended = entries(before).filter(([name]) => isEnded(name));
  return { ...oldInputs, [list]: Object.fromEntries([...lasting, ...ended]) };
}

/** Whether a name is that of one of these people. */
export function isNameOf(people: readonly { readonly name: string }[]): (name: string) => boolean {
  const names = new Set(people.map(({ name }) => foldName(name)));
  return (name) => names.has(foldName(name));
}

// ------------------------------------------------------------------------------------------- records

const endOfPerson = z
  .object({
    username: requiredText("Name of the person in `until`."),
    userId: optionalText(
      "ID of the account, 24 hexadecimal digits, if the person was there when the day passed.",
    ),
    ...endOutputs,
  })
  .meta({ typeName: "EndOfPerson", description: "One person of a list whose last day is over." });

export type EndOfPerson = Frozen<z.output<typeof endOfPerson>>;

export const endsOutput = z.array(endOfPerson).optional().meta({
  description: "What became of the people whose last day is over, sorted by name; absent if there are none.",
});

/** Whom a list means, and which of them are there although their day is over. */
export type Resolved<Person extends Present> = ReturnType<typeof resolve<Person>> & {
  /** By the name in `until`. */
  readonly ending: ReadonlyMap<string, Person>;
};

export type Present = Parameters<typeof resolve>[1][number];
type Recorded = Parameters<typeof resolve>[2][number];

/** What a list says of people, and what is recorded of them. */
export interface Named {
  /** Names of those who are to be there. */
  readonly names: readonly string[];
  readonly ended: readonly EndedPerson[];
  readonly recorded: readonly Recorded[];
  readonly ends: readonly EndOfPerson[];
}

/**
 * Whoever was recorded when the day passed is the one whose access has ended: another account may have the name now. An
 * account that a name without a last day means too does not end.
 */
export function resolveEnds<Person extends Present>(
  { names, ended, recorded, ends }: Named,
  people: readonly Person[],
): Resolved<Person> {
  const gone = ends.map(({ username, userId }) => ({ username, userId, declared: true }));
  const all = resolve([...names, ...ended.map(({ name }) => name)], people, [...gone, ...recorded]);
  const isEnded = isNameOf(ended);
  const meant = [...recorded.filter(({ declared, declaredAs }) => declared || declaredAs), ...gone];
  const accountOf = new Map(
    meant.flatMap((one) => (one.userId === undefined ? [] : [[foldName(listedName(one)), one.userId]])),
  );
  const inDoubt = new Set(
    all.twice.flatMap((both) => (both.every(isEnded) ? [] : both.map((name) => all.found.get(name)))),
  );
  const isEnding = ([name, person]: readonly [string, Person]) =>
    isEnded(name) &&
    !inDoubt.has(person) &&
    (accountOf.get(foldName(name)) ?? person.userId) === person.userId;
  const ending = new Map([...all.found].filter(isEnding));
  const found = new Map([...all.found].filter(([name]) => !isEnded(name)));
  const named = new Set([...found.values(), ...ending.values(), ...inDoubt]);
  return {
    ...all,
    ...{ found, ending },
    missing: all.missing.filter((name) => !isEnded(name)),
    others: people.filter((person) => !named.has(person)),
  };
}

/** What an operation knows of the ends. */
export interface EndsOf {
  /** What was recorded before. */
  readonly before: readonly EndOfPerson[];
  /** Whose access ended by it, by name. */
  readonly ending?: ReadonlyMap<string, Identity>;
  /** Why it was in vain, by name. */
  readonly vain?: ReadonlyMap<string, unknown>;
  readonly session: Session;
}

/** Whose ends are recorded, with the accounts that were there. */
export function identitiesOf({ before, ending = new Map() }: EndsOf): EndOfPerson[] {
  const now = [...ending].map(([username, { userId }]) => ({ username, userId }));
  const isNow = isNameOf([...ending.keys()].map((name) => ({ name })));
  return [...before.filter(({ username }) => !isNow(username)), ...now];
}

/**
 * What to record of the ends.
 *
 * @param there who of them is still there, by name
 */
export function endsAfter(
  ended: readonly EndedPerson[],
  there: ReadonlyMap<string, Identity>,
  { before, ending, vain, session: { client } }: EndsOf,
): EndOfPerson[] {
  const now = new Date(client.now()).toISOString();
  const formerOf = new Map(before.map((end) => [foldName(end.username), end]));
  const ends = ended.map(({ name, until }): EndOfPerson => {
    const former = formerOf.get(foldName(name));
    const person = there.get(name);
    const userId = (person ?? ending?.get(name))?.userId ?? former?.userId;
    const who = { username: name, userId };
    const { endedAt, overdueSince, overdueReason } = former ?? {};
    // What has not come yet is neither done nor overdue.
    if (endedAt === undefined && !isOver(until, client.now()))
      return { ...who, overdueReason: PUT_OFF_BY_CLOCK };
    if (person === undefined) return { ...who, endedAt: ending?.has(name) ? now : (endedAt ?? now) };
    if (vain?.has(name))
      return { ...who, overdueSince: overdueSince ?? now, overdueReason: reasonOf(vain.get(name)) };
    return { ...who, overdueSince, overdueReason };
  });
  return ends.sort((one, other) => inOrder(one.username, other.username));
}

export function recordedEnds(state: Properties): EndOfPerson[] {
  return recordsIn(state.ends).flatMap((end) => {
    const username = textIn(end, "username");
    const names = ["userId", "endedAt", "overdueSince", "overdueReason"] as const;
    const others = Object.fromEntries(names.map((name) => [name, textIn(end, name)]));
    return username === undefined ? [] : [{ username, ...others }];
  });
}

/** Recorded inputs with the last days and the ends of the state. */
export function withEndsOf(state: Properties, oldInputs: Properties): Properties {
  return withDaysOf(
    state,
    oldInputs,
    recordedEnds(state).map(({ username }) => username),
  );
}

/** Those whose last day is over by what a deletion is given. */
export function endedAtDelete(
  { oldInputs, state }: { readonly oldInputs: Properties; readonly state: Properties },
  { client }: Session,
): EndedPerson[] {
  return endedIn(withEndsOf(state, oldInputs)).filter(({ until }) => isOver(until, client.now()));
}

// ------------------------------------------------------------------------------------------- differences

/** Changes of the last days, and an update for each end that is not recorded as done, or that is none any more. */
export function listEndDifferences(
  { until: days, ended }: Split<{ readonly until?: unknown }>,
  { until: oldDays }: { readonly until?: unknown },
  ends: readonly EndOfPerson[],
): Difference[] {
  if (hasUnknown(days)) return [{ path: ["until"], kind: changeKind(oldDays, days), inputDiff: true }];
  const before = isRecord(oldDays) ? oldDays : {};
  const after = isRecord(days) ? days : {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(inOrder);
  const changes = names.flatMap((name): Difference[] => {
    const [one, other] = [own(before, name), own(after, name)];
    return one === other ? [] : [{ path: ["until", name], kind: changeKind(one, other), inputDiff: true }];
  });
  const done = ends.filter(({ endedAt }) => endedAt !== undefined);
  const isDone = isNameOf(done.map(({ username }) => ({ name: username })));
  const isRecorded = ends.length === ended.length && ended.every(({ name }) => isDone(name));
  return isRecorded ? changes : [...changes, UPDATE_WITHOUT_PATH];
}

// ------------------------------------------------------------------------------------------- the removal

/** Finds the last day of whoever leaves because of it. */
export function endsByPerson<Person>({
  ended,
  ending,
}: Pick<Named, "ended"> & { readonly ending: ReadonlyMap<string, Person> }): ReadonlyMap<
  Person,
  EndedPerson
> {
  const byName = new Map(ended.map((end) => [end.name, end]));
  return new Map(
    [...ending].flatMap(([name, person]) => {
      const end = byName.get(name);
      return end === undefined ? [] : [[person, end] as const];
    }),
  );
}

interface Leaving<Person> {
  readonly leaving: readonly Person[];
  readonly endOf: (person: Person) => EndedPerson | undefined;
}

/** Who leaves now. Those whose day is not over by the service's clock stay for now. */
export function leavingNow<Person>({ leaving, endOf }: Leaving<Person>, { client }: Session): Person[] {
  return leaving.filter((person) => {
    const end = endOf(person);
    return end === undefined || isOver(end.until, client.now());
  });
}

/**
 * Says whose end is put off.
 *
 * @param place such as `project 5f0000000000000000000101`
 */
export function warnOfEarlyEnds(
  ended: readonly EndedPerson[],
  place: string,
  { session, log }: Pick<Context, "session" | "log">,
): void {
  for (const { name, until } of ended) {
    const early = tooEarly(until, `${name} is removed from ${place}`, session);
    if (early !== undefined) log.warn(early.message);
  }
}
