/** The recorded state of a team of an organization. Pure. */
import { z } from "zod";
import { foldName, listedName, sameName } from "../../access/person";
import type { UserResponse } from "../../api/users";
import { joinId, splitId } from "../../text/object-id";
import { type Present, recordedAs, type StateOf } from "../contract/border";
import { knownTexts } from "../contract/canonical";
import { requiredText } from "../contract/fields";
import type { Origin } from "../contract/on-destroy";
import { type TeamPerson, teamPerson } from "../contract/people-outputs";
import { effectiveRemovals } from "../contract/removal-settings";
import { inOrder, known, type Properties, withoutUndefined } from "../contract/values";
import { type EndsOf, endsAfter, endsOutput, identitiesOf, resolveEnds } from "../lists/ends";
import type { Observation } from "../session/observations";
import { onDestroySetting, type TeamInputs, type teamInputs } from "./inputs";

/** Outputs beside those that hold the live value of an input. */
export const teamOutputs = z.object({
  teamId: requiredText("ID of the team, 24 hexadecimal digits."),
  orgId: requiredText("ID of the organization, 24 hexadecimal digits."),
  usernames: z.array(z.string()).meta({
    description:
      "The declared people who are in the team, and those who still are although their last day is over, sorted. With `removeUnlisted`, also all others in it.",
  }),
  ends: endsOutput,
  people: z.array(teamPerson).meta({ description: "All people of the team, sorted by username." }),
  origin: z.enum(["created", "adopted", "imported"]).meta({
    description: "How the team came into this stack; decides what destroying does if `onDestroy` is absent.",
  }),
  onDestroy: onDestroySetting.output,
});

/** The settings have the value that applies, whether the program gives it or not. */
export type TeamState = Present<
  StateOf<typeof teamInputs, typeof teamOutputs>,
  "maxRemovals" | "removeUnlisted"
>;

/** State comes from our own replies. An older one may lack what came later; the id has both ids. */
export function asTeamState(state: Properties, id: string): TeamState {
  const recorded = recordedAs<TeamState>(state);
  const { placeId: orgId, name: teamId } = splitId(id);
  const origin = recorded.origin ?? "adopted";
  return {
    orgId: recorded.orgId ?? orgId,
    teamId: recorded.teamId ?? teamId,
    name: recorded.name ?? "",
    usernames: recorded.usernames ?? [],
    people: recorded.people ?? [],
    ...withoutUndefined({ ends: recorded.ends, until: recorded.until }),
    origin,
    onDestroy: recorded.onDestroy ?? onDestroySetting.effective({}, origin),
    ...effectiveRemovals(recorded),
  };
}

/** For a replacement: it keeps how the team came into the stack, and who is declared in it. */
export function observationOf({ orgId, teamId, origin, people, ends = [] }: TeamState): Observation {
  return { kind: "Team", id: joinId(orgId, teamId), origin, names: [], recorded: people, ends };
}

interface RecordedTeam {
  readonly orgId: string;
  readonly teamId: string;
  readonly name: string;
  readonly people: readonly TeamPerson[];
  readonly origin: Origin;
}

/** @param ends absent for an import */
export function toTeamState(facts: RecordedTeam, inputs: Partial<TeamInputs>, ends?: EndsOf): TeamState {
  const settings = effectiveRemovals(inputs);
  const declared = facts.people.filter((person) => person.declared);
  const names = new Set(declared.map((person) => foldName(listedName(person))));
  // An account that has the name of a declared one now is in `people` alone.
  const undeclared = facts.people.filter((person) => !person.declared);
  const { ended = [], until } = inputs;
  const before = ends === undefined ? [] : identitiesOf(ends);
  const { ending } = resolveEnds({ names: [], ended, ends: before, recorded: facts.people }, facts.people);
  const isEnding = new Set(ending.values());
  const shown = undeclared.filter(
    (person) => !names.has(foldName(person.username)) && (settings.removeUnlisted || isEnding.has(person)),
  );
  const spelled = new Map(knownTexts(inputs.usernames).map((name) => [foldName(name), name]));
  const spell = (name: string) => spelled.get(foldName(name)) ?? name;
  return {
    ...facts,
    ...settings,
    ...withoutUndefined({ until: known(until) as TeamState["until"] }),
    ...(ends !== undefined && ended.length > 0 && { ends: endsAfter(ended, ending, ends) }),
    usernames: [...declared, ...shown].map((person) => spell(listedName(person))).sort(inOrder),
    onDestroy: onDestroySetting.effective(inputs, facts.origin),
  };
}

/**
 * The people of a team with what is recorded about them. An account that was renamed since keeps
 * the name by which it was declared.
 */
export function withRecorded(users: readonly UserResponse[], recorded: readonly TeamPerson[]): TeamPerson[] {
  const before = new Map(recorded.map((person) => [person.userId, person]));
  return users
    .map(({ id: userId, username }): TeamPerson => {
      const known = before.get(userId);
      const declaredName = known?.declared ? listedName(known) : undefined;
      const declaredAs = sameName(declaredName, username) ? undefined : declaredName;
      return { userId, username, declared: known?.declared ?? false, declaredAs };
    })
    .sort((one, other) => inOrder(one.username, other.username));
}
