/**
 * Who is not removed. Pure, except that allowed removals are reserved in the budget of the run.
 *
 * The protections are tried in the order of the table, and the first that applies to a person decides.
 * A protection applies where its fact is given. So one table serves the plan, the limits before the
 * first write, and the removals at the end. "Who is removed" in docs/reliability.md is generated from it.
 */

import type { Removal, RemovalBudget } from "../session/removal-budget";

/** What decides whether people are removed. */
export interface Facts<Person> {
  /** Whether `ignoreUsers` matches the person. */
  readonly isIgnored?: (person: Person) => boolean;
  /** Whether the program lists the name of the person, and means another account. */
  readonly isListedName?: (person: Person) => boolean;
  /** Whether this resource declared the person. Without it, each of the people was declared. */
  readonly isDeclared?: (person: Person) => boolean;
  /** Whether people are removed whom this resource never declared. Default: false. */
  readonly removeUnlisted?: boolean;
  /** The resource of this run that declares the person. */
  readonly declarerOf?: (person: Person) => string | undefined;
  /** The names that the program lists. None may come of a list that failed to load. */
  readonly listed?: Limit<Person> & { readonly names: readonly string[] };
  readonly maxRemovals?: Limit<Person> & { readonly most: number };
  /** What all resources together may still remove. */
  readonly budget?: Budget<Person>;
  /** Listed people who could not be added. Each may be one of those who leave. */
  readonly unfinished?: readonly string[];
  /** Whether the person is the last direct owner of the project. */
  readonly isLastOwner?: (person: Person) => boolean;
}

interface Limit<Person> {
  readonly reason: (leaving: readonly Person[]) => string;
}

interface Budget<Person> {
  readonly left: RemovalBudget;
  readonly removalOf: (person: Person) => Removal;
  /** @param overall why the run must not remove them, as the end of a sentence */
  readonly reason: (leaving: readonly Person[], overall: string) => string;
}

/** A row of the table in the documents: Markdown. */
export interface Described {
  readonly name: string;
  /** Who stays. */
  readonly who: string;
  /** What happens, by kind of resource; absent if it has no such protection. */
  readonly outcome: Readonly<Partial<Record<"ProjectMember" | "ProjectMembers" | "Team", string>>>;
}

interface OfOnePerson extends Described {
  keeps<Person>(person: Person, facts: Facts<Person>): boolean;
}

interface OfAll extends Described {
  /** Why all stay; `undefined` if they may leave. */
  refusal<Person>(leaving: readonly Person[], facts: Facts<Person>): string | undefined;
}

const STAYS = "stays";

export const protections = [
  {
    name: "ignored",
    who: "a person whom `ignoreUsers` matches, also before the present update",
    outcome: { ProjectMembers: STAYS },
    keeps: (person, { isIgnored }) => isIgnored?.(person) === true,
  },
  {
    name: "listed name",
    who: "an account that has a listed name now, while the recorded account has another one",
    outcome: {
      ProjectMembers: "stays; a warning names both accounts",
      Team: "stays; a warning names both accounts",
    },
    keeps: (person, { isListedName }) => isListedName?.(person) === true,
  },
  {
    name: "undeclared",
    who: "a person whom this resource never declared",
    outcome: {
      ProjectMember: STAYS,
      ProjectMembers:
        "stays, and `opsmanager drift` reports it; with `removeUnlisted: true` removed, on create and on update",
      Team: "stays, and `opsmanager drift` reports it; with `removeUnlisted: true` removed by an update",
    },
    keeps: (person, { isDeclared, removeUnlisted }) =>
      removeUnlisted !== true && isDeclared?.(person) === false,
  },
  {
    name: "declared elsewhere",
    who: "a person whom any resource of the same run declares in the project",
    outcome: { ProjectMember: STAYS, ProjectMembers: STAYS },
    keeps: (person, { declarerOf }) => declarerOf?.(person) !== undefined,
  },
  {
    name: "empty list",
    who: "everyone, if the program lists no one",
    outcome: {
      ProjectMembers: "no one is removed, with an error",
      Team: "nothing is written, with an error",
    },
    refusal: (leaving, { listed }) =>
      listed?.names.length === 0 && leaving.length > 0 ? listed.reason(leaving) : undefined,
  },
  {
    name: "maxRemovals",
    who: "everyone, if more people would leave than `maxRemovals` (5)",
    outcome: {
      ProjectMembers: "no one is removed, with an error",
      Team: "nothing is written, with an error",
    },
    refusal: (leaving, { maxRemovals }) =>
      maxRemovals !== undefined && leaving.length > maxRemovals.most
        ? maxRemovals.reason(leaving)
        : undefined,
  },
  {
    name: "maxRemovalsPerRun",
    who: "everyone, if all resources together would remove more people than the setting `maxRemovalsPerRun` (100)",
    outcome: {
      ProjectMember: "stays, with an error",
      ProjectMembers: "no one is removed, with an error",
      Team: "nothing is written, with an error",
    },
    refusal: (leaving, { budget }) => {
      const overall = budget?.left.reserve(leaving.map(budget.removalOf));
      return overall === undefined ? undefined : budget?.reason(leaving, overall);
    },
  },
  {
    name: "unfinished",
    who: "everyone, while a listed person could not be added",
    outcome: {
      ProjectMembers: "no one is removed, with an error, if it is not known which account the name means",
      Team: "no one is removed, with an error",
    },
    keeps: (_, { unfinished = [] }) => unfinished.length > 0,
  },
  {
    name: "last owner",
    who: "the last owner of a project; owners through a team do not count",
    outcome: {
      ProjectMember: "stays, with an error",
      ProjectMembers: "stays, with an error; on destroy with a warning",
      Team: "stays in the team, with an error",
    },
    keeps: (person, { isLastOwner }) => isLastOwner?.(person) === true,
  },
] as const satisfies readonly (OfOnePerson | OfAll)[];

export type ProtectionName = (typeof protections)[number]["name"];

export interface Protected<Person> {
  readonly leaving: readonly Person[];
  /** Why everyone stays. Then no one is leaving. */
  readonly refusal: string | undefined;
  /** The people who stay because of one of these protections. */
  readonly keptBy: (...names: readonly ProtectionName[]) => Person[];
}

/** Separates the people who may be removed from those who stay. */
export function protect<Person>(people: readonly Person[], facts: Facts<Person>): Protected<Person> {
  const kept = new Map<Person, ProtectionName>();
  let leaving = people;
  let refusal: string | undefined;
  for (const protection of protections) {
    if ("refusal" in protection) {
      refusal ??= protection.refusal(leaving, facts);
    } else {
      for (const person of leaving) if (protection.keeps(person, facts)) kept.set(person, protection.name);
    }
    leaving = refusal === undefined ? leaving.filter((person) => !kept.has(person)) : [];
  }
  const keptBy: Protected<Person>["keptBy"] = (...names) =>
    people.filter((person) => names.some((name) => kept.get(person) === name));
  return { leaving, refusal, keptBy };
}
