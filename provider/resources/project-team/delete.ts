/** Removes a team from a project. */

import { removeTeamFromProject } from "../../api/teams";
import type { DeleteRequest, ProjectContext } from "../contract/resource";
import { Refusal } from "../evidence/refusal";
import { orReached } from "../evidence/reread";
import { explainOnlyOwner } from "../people/only-owner";
import { declarerOfTeam } from "../people/team-claims";
import { absenceOfProject, isProjectDeleted } from "../reads/absence";
import { named, nameOfTeam } from "../reads/find-team";
import { type ProjectTeamEntry, TeamCache } from "../reads/teams";
import { ProjectWrites } from "../session/project-writes";
import { RemovalBudget } from "../session/removal-budget";
import { asProjectTeamInputs, onDestroySetting } from "./inputs";
import { asProjectTeamState, type ProjectTeamState } from "./state";
import { discardReads } from "./write";

export async function remove({ id, state, oldInputs, ...request }: DeleteRequest): Promise<void> {
  const recorded = asProjectTeamState(state, id);
  const { projectId, teamId } = recorded;
  const context = { ...request.context, projectId };
  const { session, log, signal } = context;
  const text = `Team ${recorded.teamName ?? teamId}`;
  if (onDestroySetting.effective(asProjectTeamInputs(oldInputs)) === "release") {
    log.info(`${text} was released and is not changed in project ${projectId}.`);
    return;
  }
  const teams = await session.of(TeamCache).ofProject.fresh(projectId, signal);
  if (teams instanceof Refusal) {
    const absence = await absenceOfProject(teams.error, recorded, context);
    if (absence === "deleted") return;
    throw teams.error;
  }
  if (!teams.some((team) => team.teamId === teamId)) return;
  // Another resource may declare the team by the name that it has now.
  const teamName = (await nameOfTeam(teamId, recorded.orgId, context)) ?? recorded.teamName;
  const owner = declarerOfTeam(projectId, { teamId, teamName }, session, context.urn);
  if (owner !== undefined) {
    log.info(`${text} in project ${projectId} was kept because ${owner} declares it.`);
    return;
  }
  const removal = { placeId: projectId, holder: teamId };
  session.of(RemovalBudget).require([removal], `${text} was not removed from project ${projectId}`);
  await removeListed(recorded, context).catch(async (error: unknown) => {
    if (await isProjectDeleted(error, recorded, context)) return;
    throw explainOnlyOwner(text, context, error);
  });
}

async function removeListed({ teamId, teamName }: ProjectTeamState, context: ProjectContext): Promise<void> {
  const { session, projectId, signal } = context;
  const goal = {
    read: (by: AbortSignal) => session.of(TeamCache).ofProject.fresh(projectId, by),
    isReached: (now: readonly ProjectTeamEntry[] | Refusal) =>
      !(now instanceof Refusal) && !now.some((team) => team.teamId === teamId),
  };
  await session.of(ProjectWrites).ofTeam(projectId, async () => {
    const removal = removeTeamFromProject(session.client, projectId, named(teamId, teamName), signal);
    await orReached(removal, goal, signal).finally(() => discardReads(context));
  });
}
