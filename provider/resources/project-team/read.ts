/** Reads a team in a project, for a refresh and for an import. */

import { importedParts, joinId } from "../../text/object-id";
import { toProperties } from "../contract/border";
import { withForms } from "../contract/canonical";
import type { Context, ReadRequest, ReadResult } from "../contract/resource";
import { meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { warnOfUnread } from "../evidence/unread-warning";
import { absenceOfProject } from "../reads/absence";
import { nameOfTeam, teamNamed } from "../reads/find-team";
import { factsOf } from "../reads/project-facts";
import { TeamCache } from "../reads/teams";
import { asProjectTeamInputs } from "./inputs";
import { asProjectTeamState, toProjectTeamState } from "./state";

export async function read(request: ReadRequest): Promise<ReadResult | undefined> {
  const { id, state, oldInputs, context } = request;
  if (state === undefined || oldInputs === undefined) return importProjectTeam(id, context);
  const { session, signal } = context;
  const recorded = asProjectTeamState(state, id);
  const { projectId, teamId, origin } = recorded;
  const teams = await session.of(TeamCache).ofProject.shared(projectId, signal);
  if (teams instanceof Refusal) {
    if ((await absenceOfProject(teams.error, recorded, context)) === "deleted") return undefined;
    warnOfUnread("teams", projectId, teams.error, context);
    return { id, state: toProperties(recorded), inputs: oldInputs };
  }
  const entry = teams.find((team) => team.teamId === teamId);
  if (entry === undefined) return undefined;
  const { orgId } = await factsOf({ ...context, projectId }, recorded);
  const teamName = (await nameOfTeam(teamId, orgId, context)) ?? recorded.teamName;
  const live = toProjectTeamState(entry, asProjectTeamInputs(oldInputs), {
    projectId,
    teamName,
    orgId,
    origin,
  });
  return { id, state: toProperties(live), inputs: withForms(oldInputs, { roles: () => entry.roles }) };
}

/** Imports by the ID of the team, then by its exact name. */
async function importProjectTeam(id: string, operation: Context): Promise<ReadResult | undefined> {
  const { ownerId: projectId, name: team } = importedParts(
    id,
    "a team in a project: a ProjectTeam is imported by <projectId>/<teamId> or <projectId>/<team name>.",
  );
  const context = { ...operation, projectId };
  const teams = await context.session.of(TeamCache).ofProject.shared(projectId, context.signal);
  if (teams instanceof Refusal) {
    if (meaningOf(teams.error) === "deleted") return undefined;
    throw teams.error;
  }
  const { orgId } = await factsOf(context);
  const entryOf = (teamId: string | undefined) => teams.find((entry) => entry.teamId === teamId);
  const byId = entryOf(team.toLowerCase());
  const entry =
    byId ?? (orgId === undefined ? undefined : entryOf((await teamNamed(team, orgId, context))?.id));
  if (entry === undefined) return undefined;
  const { teamId, roles } = entry;
  const teamName = await nameOfTeam(teamId, orgId, context);
  const state = toProjectTeamState(entry, {}, { projectId, teamName, orgId, origin: "imported" });
  return {
    id: joinId(projectId, teamId),
    state: toProperties(state),
    inputs: { projectId, teamId, roles },
  };
}
