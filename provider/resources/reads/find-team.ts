/** Finds a team of an organization by its name, and the name of a team by its ID. */

import type { TeamName, TeamResponse } from "../../api/teams";
import { messageOf, RefusedError } from "../../text/errors";
import type { Context } from "../contract/resource";
import { Refusal } from "../evidence/refusal";
import type { Purpose } from "../session/shared-reads";
import { TeamCache } from "./teams";

/**
 * The team's name, for messages and outputs.
 *
 * @returns `undefined` if the API key does not see the team, or the organization is not known
 */
export async function nameOfTeam(
  teamId: string,
  orgId: string | undefined,
  { session, signal }: Context,
): Promise<string | undefined> {
  if (orgId === undefined) return undefined;
  const teams = await session.of(TeamCache).ofOrganization.shared(orgId, signal);
  return teams instanceof Refusal ? undefined : teams.find(({ id }) => id === teamId)?.name;
}

/**
 * Finds the team of exactly this name. A team may have been created since the list was read, so a
 * list without it is read again.
 *
 * @param purpose for a write, the list is read after this call: another team may have the name since
 * then
 * @throws RefusedError if the API key cannot list the teams
 */
export async function teamNamed(
  name: string,
  orgId: string,
  { session, signal }: Context,
  purpose: Purpose = "reading",
): Promise<TeamResponse | undefined> {
  const { ofOrganization } = session.of(TeamCache);
  const find = (teams: readonly TeamResponse[] | Refusal) => {
    if (!(teams instanceof Refusal)) return teams.find((team) => team.name === name);
    const { error } = teams;
    throw new RefusedError(
      `Team "${name}" cannot be found by name: these credentials cannot list the teams of organization ${orgId}. (${messageOf(error)})`,
      { cause: error },
    );
  };
  const known = purpose === "writing" ? undefined : find(await ofOrganization.shared(orgId, signal));
  return known ?? find(await ofOrganization.fresh(orgId, signal));
}

/** What messages call a team. */
export function named(teamId: string, name: string | undefined): TeamName {
  return { teamId, teamName: name ?? teamId };
}
