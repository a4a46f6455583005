/**
 * Which resource declares which team, in an organization or in a project.
 *
 * A program may declare a team by its name alone, and other teams get names. So the ID for which a
 * declared name stands is remembered as soon as it is known.
 */

import type { Context } from "../contract/resource";
import type { Session } from "../contract/session";
import { Claims, existing, type Subject } from "./claims";
import { GivenNames } from "./taken-name";

/** A team by its ID, by its name, or by both. */
export interface TeamIdentity {
  readonly teamId?: string | undefined;
  readonly teamName?: string | undefined;
}

/** @param placeId ID of the organization, or of the project */
function teamOf(placeId: string, { teamId, teamName }: TeamIdentity): Subject {
  return [
    ...(teamId === undefined ? [] : [["team", placeId, teamId] as const]),
    ...(teamName === undefined ? [] : [["team name", placeId, teamName] as const]),
  ];
}

/** Claims a team that the program gives. @returns another resource that has claimed it by its ID or name */
export function claimTeam(
  placeId: string,
  team: TeamIdentity,
  { session, urn }: Pick<Context, "session" | "urn">,
): string | undefined {
  return session.of(Claims).claim(teamOf(placeId, team), urn);
}

/**
 * Claims the ID of a team for the resource that declares the team: Check may know only its name.
 *
 * @param declared what the program calls the team
 * @returns another resource that has claimed the ID
 */
export function claimTeamId(
  placeId: string,
  declared: TeamIdentity,
  teamId: string,
  session: Session,
): string | undefined {
  const declarer = declarerOfTeam(placeId, declared, session);
  // A refresh compares without a program, with the name of the state.
  if (declarer === undefined) return undefined;
  if (declared.teamName !== undefined)
    session.of(GivenNames).give("Team", placeId, declared.teamName, teamId);
  return session.of(Claims).claim(teamOf(placeId, { teamId }), declarer);
}

/**
 * The resource that declares the team in the project or organization, by its ID or name. A name
 * that stands for a team with another ID does not count.
 *
 * @param deleted the resource whose object Delete concerns
 */
export function declarerOfTeam(
  placeId: string,
  { teamId, teamName }: TeamIdentity,
  session: Session,
  deleted?: string,
): string | undefined {
  const named = teamName === undefined ? undefined : session.of(GivenNames).idOf("Team", placeId, teamName);
  const isOther = teamId !== undefined && named !== undefined && named !== teamId;
  const subject = teamOf(placeId, { teamId, teamName: isOther ? undefined : teamName });
  return session.of(Claims).declarerOf([...existing(placeId, teamId), ...subject], deleted);
}
