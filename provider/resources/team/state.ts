/** The recorded state of a team of an organization. Pure. */
import { z } from "zod";
import type { UserResponse } from "../../api/users";
import { type Frozen, type Present, recordedAs, type StateOf } from "../border";
import { optionalText, text } from "../fields";
import { sameName } from "../membership/membership";
import type { Observation, Origin } from "../observations";
import { splitId } from "../project-member/state";
import { DEFAULT_MAX_REMOVALS } from "../project-members/inputs";
import { inOrder, known, type Properties } from "../values";
import type { TeamInputs, teamInputs } from "./inputs";

const teamPerson = z
  .object({
    userId: text("Id of the account, 24 hexadecimal digits."),
    username: text("Name of the person as the service spells it."),
    declared: z.boolean().meta({
      description: "Whether this resource declares the person, by its last create, update or import.",
    }),
    declaredAs: optionalText("The name in the program, where it is not the name of the account."),
  })
  .meta({ typeName: "TeamPerson", description: "One person of a team." });

/** A person of a team, as recorded. */
export type TeamPerson = Frozen<z.output<typeof teamPerson>>;

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

/** For a replacement: it keeps how the team came into the stack. */
export function observationOf({ orgId, teamId, origin }: TeamState): Observation {
  return { kind: "Team", id: idOfTeam(orgId, teamId), origin, names: [] };
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
      const declaredName = known?.declared ? (known.declaredAs ?? known.username) : undefined;
      const declaredAs =
        declaredName === undefined || sameName(declaredName, username) ? undefined : declaredName;
      return { userId, username, declared: known?.declared ?? false, declaredAs };
    })
    .sort((one, other) => inOrder(one.username, other.username));
}

/** The name by which the program lists a person. */
export function listedName({ username, declaredAs }: Pick<TeamPerson, "username" | "declaredAs">): string {
  return declaredAs ?? username;
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
