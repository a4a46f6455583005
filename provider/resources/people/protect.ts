/**
 * Who is not removed. Pure, except that allowed removals are reserved in the budget of the run.
 *
 * A list decides three times: whom an operation plans to remove, whether it may remove that many, and who
 * stays after all when additions are done. Each stage takes all of its facts. A kind without such a
 * protection says so, because a fact that was only forgotten would drop a protection silently.
 *
 * The protections of a stage are tried in the order of its table, and the first that applies to a person
 * decides. "Why somebody is not removed" in docs/reliability.md is generated from the three tables.
 */

import type { Removal, RemovalBudget } from "../session/removal-budget";

/** What decides who leaves. */
export interface PlanFacts<Person> {
  /** Whether `ignoreUsers` matches the person. */
  readonly isIgnored: (person: Person) => boolean;
  /** Whether the program lists the name of the person, and means another account. */
  readonly isListedName: (person: Person) => boolean;
  /** Whether this resource declared the person. */
  readonly isDeclared: (person: Person) => boolean;
  /** Whether people are removed whom this resource never declared. */
  readonly removeUnlisted: boolean;
  /** The resource of this run that declares the person. */
  readonly declarerOf: (person: Person) => string | undefined;
}

/** How many may leave, before the first write. */
export interface Limits<Person> {
  /** Whether the person's last day is over, and was recorded before it passed. No limit counts that. */
  readonly isPlannedEnd: (person: Person) => boolean;
  /**
   * The names that the program lists. None may come of a list that failed to load. `undefined` on destroy,
   * which has no list.
   */
  readonly listed: (Limit<Person> & { readonly names: readonly string[] }) | undefined;
  readonly maxRemovals: Limit<Person> & { readonly most: number };
  /** What all resources together may still remove. */
  readonly budget: Budget<Person>;
}

/** Who stays although they were to leave. */
interface EndFacts<Person> {
  /** Listed people who could not be added. Each may be one of those who leave. */
  readonly unfinished: readonly string[];
  /** Whether the person is the last direct owner of the project. */
  readonly isLastOwner: (person: Person) => boolean;
}

/** For a protection that a kind does not have, or that cannot apply. */
export const never = (): false => false;
/** For a place whose people no other resource declares, or where that is not known. */
export const noOne = (): undefined => undefined;

interface Limit<Person> {
  readonly reason: (leaving: readonly Person[]) => string;
}

interface Budget<Person> {
  readonly left: RemovalBudget;
  readonly removalOf: (person: Person) => Removal;
  /** @param overall why the run must not remove them, as the end of a sentence */
  readonly reason: (leaving: readonly Person[], overall: string) => string;
}

/** A question that the documents answer: Markdown, in whole sentences. */
export interface Described {
  readonly name: string;
  /** With yes as the answer, the protection applies. */
  readonly question: string;
  /** What happens then, with each kind of resource that has the protection, and what to do. */
  readonly answer: string;
  /** Whether it also protects a person whose last day is over. */
  readonly afterLastDay: string;
  /** Whether it also protects the people of a resource that is destroyed. */
  readonly onDestroy: string;
}

interface Keeping extends Described {
  keeps<Person>(person: Person, facts: PlanFacts<Person>): boolean;
}

interface Limiting extends Described {
  /** Why all stay; `undefined` if they may leave. */
  refusal<Person>(leaving: readonly Person[], limits: Limits<Person>): string | undefined;
}

interface KeepingAfterAll extends Described {
  keeps<Person>(person: Person, facts: EndFacts<Person>): boolean;
}

const inPlan = [
  {
    name: "ignored",
    question: "Does `ignoreUsers` match the person?",
    answer:
      "They stay, even in the update that takes the pattern out; the next one treats them like anyone else. Only `ProjectMembers` has this input.",
    afterLastDay: "no",
    onDestroy: "no",
    keeps: (person, { isIgnored }) => isIgnored(person),
  },
  {
    name: "listed name",
    question: "Has the person taken the name of a listed person whose own account was renamed?",
    answer:
      "They stay in the project or team, and a warning names both accounts. Once the list has the new name of the renamed account, they count as undeclared.",
    afterLastDay: "no",
    onDestroy: "no",
    keeps: (person, { isListedName }) => isListedName(person),
  },
  {
    name: "undeclared",
    question: "Did the resource never declare the person, and is `removeUnlisted` not `true`?",
    answer:
      "They stay, and beside a list `opsmanager drift` reports them. To remove them, set `removeUnlisted`, which `ProjectMembers` follows on create and on update, a `Team` only on update. Destroying never follows it.",
    afterLastDay: "no",
    onDestroy: "yes",
    keeps: (person, { isDeclared, removeUnlisted }) => !removeUnlisted && !isDeclared(person),
  },
  {
    name: "declared elsewhere",
    question: "Does any resource of the same run declare the person in the project or organization?",
    answer:
      "They stay. To remove them, take out every declaration in the same commit. A `Team` doesn't ask this, because nothing else declares its people. `pulumi destroy` sees no declarations.",
    afterLastDay: "yes",
    onDestroy: "yes",
    keeps: (person, { declarerOf }) => declarerOf(person) !== undefined,
  },
] as const satisfies readonly Keeping[];

const beforeWrites = [
  {
    name: "empty list",
    question: "Does the list name no one?",
    answer:
      'The update fails: `ProjectMembers` removes nobody, and a `Team` writes nothing at all. To remove all declared people, run `up` with `onDestroy: "remove"` (a `Team`: `"delete"`), then delete the resource.',
    afterLastDay: "no",
    onDestroy: "no",
    refusal: (leaving, { listed }) =>
      listed?.names.length === 0 && leaving.length > 0 ? listed.reason(leaving) : undefined,
  },
  {
    name: "maxRemovals",
    question: "Would more people leave the list than `maxRemovals` (5) allows?",
    answer:
      "The update fails, and nobody leaves the list. Check who would leave, and raise the limit for one run.",
    afterLastDay: "if recorded late",
    onDestroy: "yes",
    refusal: (leaving, { maxRemovals }) =>
      leaving.length > maxRemovals.most ? maxRemovals.reason(leaving) : undefined,
  },
  {
    name: "maxRemovalsPerRun",
    question:
      "Would all resources together remove more people than the setting `maxRemovalsPerRun` (100) allows?",
    answer:
      "The update of a list fails, and nobody leaves it. A person, team or key with a resource of its own stays, with an error. Check who would leave, and raise the limit for one run.",
    afterLastDay: "if recorded late",
    onDestroy: "yes",
    refusal: (leaving, { budget }) => {
      const overall = budget.left.reserve(leaving.map(budget.removalOf));
      return overall === undefined ? undefined : budget.reason(leaving, overall);
    },
  },
] as const satisfies readonly Limiting[];

const atTheEnd = [
  {
    name: "unfinished",
    question: "Could a listed person not be added?",
    answer:
      "A `Team` removes nobody, and its update fails. `ProjectMembers` does the same only if it is not known which account the name means; otherwise, the others still leave. Correct what the error names, and run `up` again.",
    afterLastDay: "if recorded late",
    onDestroy: "no",
    keeps: (_, { unfinished }) => unfinished.length > 0,
  },
  {
    name: "last owner",
    question: "Is the person the last owner of a project?",
    answer:
      "They stay, with an error, until another member has the owning role; destroying `ProjectMembers` only warns. `ProjectMembers` counts only direct owners; for a `ProjectMember` or a `Team`, the service decides. An `OrganizationMember` also keeps the only owner of the organization.",
    afterLastDay: "yes",
    onDestroy: "yes",
    keeps: (person, { isLastOwner }) => isLastOwner(person),
  },
] as const satisfies readonly KeepingAfterAll[];

/** All protections, in the order in which they are tried. */
export const protections: readonly Described[] = [...inPlan, ...beforeWrites, ...atTheEnd];

export interface Protected<Person, Name> {
  readonly leaving: readonly Person[];
  /** The people who stay because of one of these protections. */
  readonly keptBy: (...names: readonly Name[]) => Person[];
}

export type PlanProtection = (typeof inPlan)[number]["name"];

/** Who leaves by the plan. */
export function protect<Person>(
  people: readonly Person[],
  facts: PlanFacts<Person>,
): Protected<Person, PlanProtection> {
  return separate(people, (person) => inPlan.find(({ keeps }) => keeps(person, facts))?.name);
}

/**
 * Why no one may leave; `undefined` if they may. Then their removals are reserved in the budget of the
 * run.
 */
export function refusalOf<Person>(leaving: readonly Person[], limits: Limits<Person>): string | undefined {
  const counted = leaving.filter((person) => !limits.isPlannedEnd(person));
  for (const limit of beforeWrites) {
    const refusal = limit.refusal(counted, limits);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Who of those who were to leave does. */
export function protectAtTheEnd<Person>(
  people: readonly Person[],
  facts: EndFacts<Person>,
): Protected<Person, (typeof atTheEnd)[number]["name"]> {
  return separate(people, (person) => atTheEnd.find(({ keeps }) => keeps(person, facts))?.name);
}

function separate<Person, Name>(
  people: readonly Person[],
  protectionOf: (person: Person) => Name | undefined,
): Protected<Person, Name> {
  const kept = new Map(people.map((person) => [person, protectionOf(person)]));
  return {
    leaving: people.filter((person) => kept.get(person) === undefined),
    keptBy: (...names) => people.filter((person) => names.some((name) => name === kept.get(person))),
  };
}
