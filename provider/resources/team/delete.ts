/** Deletes or releases a team of an organization. */
import { deleteTeam, type TeamResponse } from "../../api/teams";
import { RefusedError } from "../../errors";
import { isErrorResponse, isTeamInUse } from "../meaning";
import { waitForDeletion, whileRefused } from "../pause";
import { Refusal } from "../refusal";
import type { Context, DeleteRequest } from "../resource";
import { inOrder } from "../values";
import { named } from "./find-team";
import { asTeamInputs } from "./inputs";
import { findTeam, usersOf } from "./read";
import { asTeamState, effectiveOnDestroy, observationOf } from "./state";

export async function remove({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asTeamState(state, id);
  const { orgId, teamId, name, origin } = recorded;
  const { session, log, signal, urn } = context;
  if (effectiveOnDestroy(asTeamInputs(oldInputs), origin) === "release") {
    log.info(`Team "${name}" (${teamId}, ${origin}) was released: the service retains it and its people.`);
    return;
  }
  const team = await findTeam(orgId, teamId, name, context, true);
  if (team === undefined) return;
  if (team instanceof Refusal) throw team.error;
  // Another resource may declare the team by the name that it has now.
  const owner = session.claims.declarerOfTeam(orgId, { teamId, teamName: team.name });
  if (owner !== undefined) {
    // A replacement that deletes first creates next, and then finds this team.
    if (owner === urn) session.observations.record(owner, observationOf(recorded));
    log.info(`Team "${team.name}" (${teamId}) is retained: declared by ${owner}.`);
    return;
  }
  await reserveRemovals(orgId, team, context);
  try {
    await whileRefused(
      () => deleteTeam(session.client, orgId, named(teamId, team.name), signal),
      // Pulumi deletes a project and a team side by side if the ProjectTeam is deletedWith the project.
      // The deletion of the project may begin after that of the team was refused.
      (error, refusals) =>
        isTeamInUse(error) ? waitForDeletion(refusals, session.projectCache.deletesProjects()) : undefined,
      signal,
    );
  } catch (error) {
    if (isTeamInUse(error)) {
      throw new RefusedError(
        `Team "${team.name}" (${teamId}) was not deleted: a project still has it. Remove it from its projects first, also from those that this program does not declare, or set onDestroy to "release" and run pulumi up. (${error.message})`,
        { cause: error },
      );
    }
    if (!isErrorResponse(error) || signal.aborted) throw error;
    const now = await findTeam(orgId, teamId, name, context, true).catch(() => team);
    if (now !== undefined) throw error;
  } finally {
    session.teamCache.ofOrganization.written(orgId);
  }
}

/**
 * Each person of the team counts as a removal.
 *
 * @throws RefusedError if the run would remove too many people
 */
async function reserveRemovals(orgId: string, team: TeamResponse, context: Context): Promise<void> {
  const users = await usersOf(orgId, team, context);
  if (users instanceof Refusal) throw users.error;
  const refusal = context.session.reserveRemovals(users.length);
  if (refusal === undefined) return;
  const names = users.map(({ username }) => username).sort(inOrder);
  throw new RefusedError(
    `Team "${team.name}" (${team.id}) was not deleted, because its people would leave it (${names.join(", ")}): ${refusal}`,
  );
}
