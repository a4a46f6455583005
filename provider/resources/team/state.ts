/** The recorded state of a team of an organization. Pure. */
import { z } from "zod";
import { type Present, recordedAs, type StateOf } from "../border";
import { text } from "../fields";
import type { Observation, Origin } from "../observations";
import { splitId } from "../project-member/state";
import { DEFAULT_MAX_REMOVALS } from "../project-members/inputs";
import { inOrder, known, type Properties } from "../values";
import type { TeamInputs, teamInputs } from "./inputs";
import { listedName, type TeamPerson, teamPerson } from "./people";

/** Outputs beside those that hold the live value of an input. */
export const teamOutputs = z.object({
  teamId: text("Id of the team, 24 hexadecimal digits."),
  usernames: z.array(z.string()).meta({
    description:
      "The declared people who are in the team, sorted. With `removeUnlisted`, also all others in it.",
  }),
  people: z.array(teamPerson).meta({ description: "All people of the team, sorted by username." }),
  origin: z.enum(["created", "adopted", "imported"]).meta({
    description: "How the team came into this stack; decides what destroying does if `onDestroy` is absent.",
  }),
  onDestroy: z.enum(["delete", "release"]).meta({ description: "What destroying will do." }),
});

/** The settings have the value that applies, whether the program gives it or not. */
export type TeamState = Present<
  StateOf<typeof teamInputs, typeof teamOutputs>,
  "maxRemovals" | "removeUnlisted"
>;

/** State comes from our own replies. An older one may lack what came later; the id has both ids. */
export function asTeamState(state: Properties, id: string): TeamState {
  const recorded = recordedAs<TeamState>(state);
  const { projectId: orgId, person: teamId } = splitId(id);
  const origin = recorded.origin ?? "adopted";
  return {
    orgId: recorded.orgId ?? orgId,
    teamId: recorded.teamId ?? teamId,
    name: recorded.name ?? "",
    usernames: recorded.usernames ?? [],
    people: recorded.people ?? [],
    origin,
    onDestroy: recorded.onDestroy ?? effectiveOnDestroy({}, origin),
    ...effectiveSettings(recorded),
  };
}

export function effectiveSettings({
  maxRemovals,
  removeUnlisted,
}: Partial<Pick<TeamInputs, "maxRemovals" | "removeUnlisted">>): Pick<
  TeamState,
  "maxRemovals" | "removeUnlisted"
> {
  return {
    maxRemovals: known(maxRemovals) ?? DEFAULT_MAX_REMOVALS,
    removeUnlisted: known(removeUnlisted) ?? false,
  };
}

export function effectiveOnDestroy(
  { onDestroy }: Partial<Pick<TeamInputs, "onDestroy">>,
  origin: Origin,
): "delete" | "release" {
  return known(onDestroy) ?? (origin === "created" ? "delete" : "release");
}

export function idOfTeam(orgId: string, teamId: string): string {
  return `${orgId}/${teamId}`;
}

/** For a replacement: it keeps how the team came into the stack, and who is declared in it. */
export function observationOf({ orgId, teamId, origin, people }: TeamState): Observation {
  return { kind: "Team", id: idOfTeam(orgId, teamId), origin, names: [], recorded: people };
}

interface TeamFacts {
  readonly orgId: string;
  readonly teamId: string;
  readonly name: string;
  readonly people: readonly TeamPerson[];
  readonly origin: Origin;
}

export function toTeamState(facts: TeamFacts, inputs: Partial<TeamInputs>): TeamState {
  const settings = effectiveSettings(inputs);
  const shown = facts.people.filter(({ declared }) => declared || settings.removeUnlisted);
  return {
    ...facts,
    ...settings,
    usernames: shown.map(listedName).sort(inOrder),
    onDestroy: effectiveOnDestroy(inputs, facts.origin),
  };
}
