/**
 * Faults of earlier versions of this provider. A search that does not find them in those versions proves nothing about others:
 * `npm run worlds -- --provider REF`.
 */
import type { Counterexample } from "./play";
import type { DeclareMember, OutsideStep, Person, World } from "./world";

export interface KnownFault {
  readonly name: string;
  /** @param world in its shortest form: each step is necessary */
  isShownBy(found: Counterexample, world: World): boolean;
}

type OutsideWithPerson = Extract<OutsideStep, { readonly person: Person }>;

/** Whom these changes outside Pulumi are about. */
function peopleOf({ steps }: World, outside: OutsideWithPerson["outside"]): readonly Person[] {
  return steps.flatMap((step) =>
    "outside" in step && step.outside === outside ? [(step as OutsideWithPerson).person] : [],
  );
}

const declaredById = ({ steps }: World): readonly Person[] =>
  steps
    .filter((step): step is DeclareMember => "declare" in step && step.declare === "ProjectMember")
    .filter(({ by }) => by === "userId" || by === "current name and userId")
    .map(({ person }) => person);

const isDisturbed = ({ steps }: World): boolean =>
  steps.some((step) => "run" in step && ("fault" in step || "interruptAfter" in step));

export const knownFaults: readonly KnownFault[] = [
  {
    name: "one bare 404, 405 or 501 for the list of invitations means that no one is invited",
    isShownBy: ({ story }) => story.some((line) => /with "bare (404|405|501)" on .*\/invites/.test(line)),
  },
  {
    name: "a declared person who left and came back stays when the resource is destroyed",
    isShownBy({ invariant }, world) {
      const [left, back] = [peopleOf(world, "remove member"), peopleOf(world, "return member")];
      const returned = [...back, ...peopleOf(world, "set member")];
      return (
        invariant === "no member who left the state is left behind" &&
        !isDisturbed(world) &&
        world.steps.some((step) => "declare" in step && step.declare === "ProjectMembers") &&
        left.some((person) => returned.includes(person))
      );
    },
  },
  {
    name: "a pending person declared by userId becomes the account that got the name",
    isShownBy(_, world) {
      const [left, renamed] = [peopleOf(world, "remove member"), peopleOf(world, "reuse name")];
      const declared = declaredById(world);
      return (
        !isDisturbed(world) && renamed.some((person) => declared.includes(person) && !left.includes(person))
      );
    },
  },
  {
    name: "a member declared by userId becomes the account that got the name",
    isShownBy(_, world) {
      const [left, renamed] = [peopleOf(world, "remove member"), peopleOf(world, "reuse name")];
      const declared = declaredById(world);
      return (
        !isDisturbed(world) && renamed.some((person) => declared.includes(person) && left.includes(person))
      );
    },
  },
];
