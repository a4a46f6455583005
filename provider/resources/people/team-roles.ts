/**
 * Roles of a team that a service shows among the roles of the people in it.
 *
 * The documents do not state whether `roles` of an account contains them. So a role counts as a role
 * of a team only after a write. The service then accepted other roles and still shows this one, and
 * a team of the person has it in the project. The state records that, because a read cannot
 * distinguish such a role from a direct one.
 */

import type { Membership } from "../../access/person";
import type { ProjectContext } from "../contract/resource";
import { Refusal } from "../evidence/refusal";
import { TeamCache } from "../reads/teams";

/** The roles that are shown beside those that the service accepted; none if one of these lacks. */
export function rolesBeside(accepted: readonly string[], { roles }: Membership): readonly string[] {
  const isComplete = accepted.every((role) => roles.includes(role));
  return isComplete ? roles.filter((role) => !accepted.includes(role)) : [];
}

/**
 * The membership without those of the suspected roles that a team of the person has in the project.
 *
 * @param suspected roles that may come through a team
 */
export async function withoutTeamRoles(
  membership: Membership,
  suspected: readonly string[],
  { session, signal, projectId }: ProjectContext,
): Promise<Membership> {
  if (membership.status !== "active") return membership;
  const { roles, teamIds = [] } = membership;
  if (teamIds.length === 0 || !roles.some((role) => suspected.includes(role))) return membership;
  const teams = await session.of(TeamCache).ofProject.shared(projectId, signal);
  if (teams instanceof Refusal) return membership;
  const ofTeams = new Set(
    teams.filter(({ teamId }) => teamIds.includes(teamId)).flatMap((team) => team.roles),
  );
  const teamRoles = roles.filter((role) => suspected.includes(role) && ofTeams.has(role));
  const own = roles.filter((role) => !teamRoles.includes(role));
  // A person without a role in the project itself is not listed, so one of these is direct.
  return teamRoles.length === 0 || own.length === 0 ? membership : { ...membership, roles: own, teamRoles };
}
