/** Who of the people of a place is listed, who leaves, and how many may in one operation. */

import { foldName, type Identity, nameOfTwo } from "../../access/person";
import type { Access } from "../../access/places";
import { RefusedError } from "../../text/errors";
import { formatNotice, type Notice } from "../../text/notices";
import type { ToldAccess } from "../../text/told-access";
import { effectiveRemovals, emptyListReason } from "../contract/removal-settings";
import type { Context, Log } from "../contract/resource";
import type { Session } from "../contract/session";
import type { EndedPerson } from "../contract/until";
import {
  type Limits,
  never,
  type PlanFacts,
  type PlanProtection,
  type Protected,
  protect,
} from "../people/protect";
import { RemovalBudget, removalOf } from "../session/removal-budget";
import { endsByPerson, leavingNow, type Named, type Present, type Resolved, resolveEnds } from "./ends";

/** A program's list, and the people whom it may mean. */
export interface ListedPeople<Person> extends Named {
  readonly people: readonly Person[];
  /** Accounts that are not in the place, and that a name may mean. */
  readonly elsewhere?: readonly Person[];
}

/** What the list knows; whose names are listed follows from it. */
export type ListFacts<Person> = Omit<PlanFacts<Person>, "isListedName" | "declarerOf"> & {
  /** @param named the listed people, by their names in the program */
  declarerOf(person: Person, named: ReadonlyMap<string, Person>): string | undefined;
};

/** The listed people, and the others: who leaves, and why the rest stays. */
export interface PeoplePlan<Person extends Present>
  extends Omit<Resolved<Person>, "others">,
    Protected<Person, PlanProtection> {
  /** The last day of a person, if it is over. */
  readonly endOf: (person: Person) => EndedPerson | undefined;
  /** Whether that is so, or this resource declared the person. */
  readonly isNamed: (person: Person) => boolean;
}

export function planPeople<Person extends Present>(
  { people, elsewhere = [], ...list }: ListedPeople<Person>,
  { declarerOf, isDeclared, isIgnored, ...facts }: ListFacts<Person>,
): PeoplePlan<Person> {
  const { others, ...resolved } = resolveEnds(list, [...people, ...elsewhere]);
  const ends = endsByPerson({ ended: list.ended, ending: resolved.ending });
  const isNamed = (person: Person) => isDeclared(person) || ends.has(person);
  const listed = new Set(list.names.map(foldName));
  const absent = new Set(elsewhere);
  const unlisted = [...others, ...ends.keys()].filter((person) => !absent.has(person));
  return {
    ...resolved,
    endOf: (person) => ends.get(person),
    isNamed,
    ...protect(unlisted, {
      ...facts,
      isDeclared: isNamed,
      // An account whose last day is over ends by whatever name it has now.
      isIgnored: (person) => !ends.has(person) && isIgnored(person),
      isListedName: (person) => !ends.has(person) && listed.has(foldName(person.username)),
      declarerOf: (person) => declarerOf(person, resolved.found),
    }),
  };
}

/** What to expect of those who are to leave, where it is not that they do. */
export type Foreseen<Person> = ReadonlyMap<Person, ToldAccess["foreseen"]>;

interface OfPlace<Person> {
  /** Whether a role above the place gives a person more than being in it. */
  readonly isAbove?: ((person: Person) => boolean) | undefined;
  /** Who may stay as the last one of the place. */
  readonly foresee: (leaving: readonly Person[]) => Foreseen<Person>;
}

/** What a plan does with the people of a place, for `Log.tell`. */
export function toldOf<Person extends Present>(
  { found, leaving, keptBy }: Pick<PeoplePlan<Person>, "found" | "leaving" | "keptBy">,
  accessOf: (people: readonly Person[]) => readonly Access[],
  { isAbove = never, foresee }: OfPlace<Person>,
): ToldAccess[] {
  const foreseen = foresee(leaving);
  const told = (people: readonly Person[], fate: ToldAccess["fate"], why?: ToldAccess["why"]) =>
    people.flatMap((person) =>
      accessOf([person]).map((access) => ({
        ...{ ...access, fate, why, teamIds: person.teamIds },
        foreseen: foreseen.get(person),
      })),
    );
  const [above, undeclared] = [true, false].map((wanted) =>
    keptBy("undeclared").filter((person) => isAbove(person) === wanted),
  );
  return [
    ...told([...found.values()], "stays"),
    ...told(leaving, "leaves"),
    ...told(above ?? [], "kept", "owner above"),
    ...told(undeclared ?? [], "kept", "undeclared"),
    ...(["ignored", "listed name", "declared elsewhere"] as const).flatMap((why) =>
      told(keptBy(why), "kept", why),
    ),
  ];
}

interface OfUpdate<Person extends Present>
  extends Pick<PeoplePlan<Person>, "found" | "leaving" | "keptBy" | "endOf">,
    OfPlace<Person> {
  /** Whether the update removes a person whose last day is not over. */
  readonly isLeaving: (person: Person) => boolean;
  readonly maxRemovals: number;
}

/**
 * Tells whom an update takes out of its place, and who stays undeclared. The state shows the others.
 *
 * @param isIgnored whether `ignoreChanges` names the list, so only ends are carried out
 */
export function tellOfUpdate<Person extends Present>(
  { isAbove, foresee, isLeaving, maxRemovals, ...plan }: OfUpdate<Person>,
  accessOf: (people: readonly Person[]) => readonly Access[],
  { isIgnored, session, log }: Pick<Context, "session" | "log"> & { readonly isIgnored: boolean },
): void {
  const leaving = leavingNow(plan, session).filter(
    (person) => plan.endOf(person) !== undefined || (!isIgnored && isLeaving(person)),
  );
  const counted = leaving.filter((person) => plan.endOf(person)?.isPlanned !== true);
  const kept = counted.length > maxRemovals ? counted : [];
  const foreseeLimit: typeof foresee = (some) =>
    new Map([...foresee(some), ...kept.map((person) => [person, "may stay"] as const)]);
  const told = toldOf({ ...plan, leaving }, accessOf, { isAbove, foresee: foreseeLimit }).filter(
    ({ fate }) => fate !== "stays",
  );
  if (told.length > 0) log.tell?.(told);
}

/** Tells who has left with the resource: a last day counts more than `onDestroy`, which a state need not show. */
export function tellLeaving(left: readonly Access[], log: Log): void {
  log.tell?.(left.map((access) => ({ ...access, fate: "leaves" })));
}

export interface ListedPlace extends Pick<Notice, "subject" | "placeId"> {
  /** For messages: `project 5f0000000000000000000101`. */
  readonly text: string;
}

/** Warns of accounts that have a listed name now, while the program means others. */
export function warnOfNamesakes(
  place: ListedPlace,
  { found, keptBy }: Pick<PeoplePlan<Present>, "found" | "keptBy">,
  log: Log,
): void {
  const names = new Map([...found].map(([name, person]) => [foldName(name), person.username]));
  for (const { username } of keptBy("listed name")) {
    const newName = names.get(foldName(username)) ?? username;
    log.warn(undeclaredIn(place, nameOfTwo(username, place.text, newName)));
  }
}

/**
 * Says who leaves because a last day is over, and whom an update leaves in the place although the program does not mean them.
 *
 * @param unlisted the message about those whose names are not listed; `undefined` if there are none
 */
export function remarkOn<Person extends Present & { readonly username: string }>(
  place: ListedPlace,
  plan: Pick<PeoplePlan<Person>, "found" | "keptBy" | "leaving" | "endOf">,
  unlisted: (people: readonly Person[]) => string | undefined,
  log: Log,
): void {
  announceEnds(place.text, plan, log);
  warnOfNamesakes(place, plan, log);
  const message = unlisted(plan.keptBy("undeclared"));
  if (message !== undefined) log.info(undeclaredIn(place, message));
}

function undeclaredIn({ subject, placeId }: ListedPlace, sentence: string): string {
  return formatNotice({ code: "undeclared", subject, placeId }, sentence);
}

/**
 * Two names of one person would undo each other's part in each run.
 *
 * @param property the list, such as `members`
 * @param place such as `project 5f0000000000000000000101`
 * @throws RefusedError that names each such person
 */
export function refuseUnclearNames(
  property: string,
  place: string,
  { twice, found }: Pick<PeoplePlan<Present>, "twice" | "found">,
): void {
  const sentences = twice.map(
    ([one, other]) =>
      `${property} names one person of ${place} twice: "${one}" and "${other}" are both ${(found.get(one) ?? found.get(other))?.username ?? one}. Remove one of the names.`,
  );
  if (sentences.length > 0) throw new RefusedError(`${sentences.join(" ")} Nothing was written.`);
}

/** @param place such as `project 5f0000000000000000000101` */
export function announceEnds<Person extends { readonly username: string }>(
  place: string,
  { leaving, endOf }: Pick<PeoplePlan<Person & Present>, "leaving" | "endOf">,
  log: Log,
): void {
  for (const person of leaving) {
    const end = endOf(person);
    if (end !== undefined)
      log.info(`The last day, ${end.until}, is over: ${person.username} is removed from ${place}.`);
  }
}

interface NamedPerson extends Identity {
  readonly username: string;
}

interface Limited<Person> {
  readonly placeId: string;
  /** For messages, such as `project 5f0000000000000000000101`. */
  readonly place: string;
  readonly settings: Parameters<typeof effectiveRemovals>[0];
  /** The property that lists the people, and its names; `undefined` on destroy. */
  readonly list: readonly [property: "members" | "usernames", names: readonly string[]] | undefined;
  readonly isPlannedEnd: Limits<Person>["isPlannedEnd"];
  /** What a refusal means, before the place: `Nobody was removed from`. */
  readonly consequence: string;
  /** What to do to remove so many, as a sentence. */
  readonly advice: (count: number) => string;
}

/** How many people of a place may leave it in one operation. */
export function limitsOf<Person extends NamedPerson>(
  { placeId, place, settings, list, isPlannedEnd, consequence, advice }: Limited<Person>,
  session: Session,
): Limits<Person> {
  const { maxRemovals } = effectiveRemovals(settings);
  return {
    isPlannedEnd,
    listed: list && { names: list[1], reason: () => emptyListReason(list[0]) },
    maxRemovals: {
      most: maxRemovals,
      reason: (leaving) =>
        `${consequence} ${place}, because ${countOf(leaving)} would leave, more than maxRemovals (${maxRemovals}) allows: ${namesOf(leaving)}. ${advice(leaving.length)}`,
    },
    budget: {
      left: session.of(RemovalBudget),
      removalOf: (person) => removalOf(placeId, person),
      reason: (leaving, overall) => `Nobody was removed from ${place} (${namesOf(leaving)}): ${overall}`,
    },
  };
}

/** `1 person`, `3 people`. */
export function countOf({ length }: readonly unknown[]): string {
  return length === 1 ? "1 person" : `${length} people`;
}

export function namesOf(people: readonly { readonly username: string }[]): string {
  return people.map(({ username }) => username).join(", ");
}
