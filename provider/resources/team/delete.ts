/** Deletes or releases a team of an organization. */

import { deleteTeam, listUsersOfTeam, type TeamResponse } from "../../api/teams";
import { messageOf, PartialFailure, RefusedError } from "../../text/errors";
import { joinId } from "../../text/object-id";
import { toProperties } from "../contract/border";
import type { TeamPerson } from "../contract/people-outputs";
import type { Context, DeleteRequest } from "../contract/resource";
import type { EndedPerson } from "../contract/until";
import { inOrder, known } from "../contract/values";
import { isErrorResponse, isTeamInUse, meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { carryOut } from "../lists/changes";
import { endedAtDelete, endsByPerson, resolveEnds } from "../lists/ends";
import { limitsOf, tellLeaving } from "../lists/plan";
import { refuseToEndDeclared } from "../people/declared-below";
import { refusalOf } from "../people/protect";
import { ProjectCache } from "../reads/projects";
import { named, TeamCache } from "../reads/teams";
import { ObservationLog } from "../session/observations";
import { waitForDeletion, whileRefused } from "../session/pause";
import { RemovalBudget, removalOf } from "../session/removal-budget";
import { declarerOfTeam } from "../session/team-claims";
import { ChangedTeam } from "./changes";
import { asTeamInputs, onDestroySetting } from "./inputs";
import { accessIn } from "./plan";
import { findTeam, usersOf } from "./read";
import { asTeamState, observationOf, type TeamState, withRecorded } from "./state";

export async function remove({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asTeamState(state, id);
  const { orgId, teamId, name, origin } = recorded;
  const { session, log, signal, urn } = context;
  // A replacement that deletes first creates next. It then finds a team that stays, and the accounts
  // of declared names.
  session.of(ObservationLog).record(urn, observationOf(recorded));
  const inputs = asTeamInputs(oldInputs);
  if (onDestroySetting.effective(inputs, origin) === "release") {
    // Whose day is over is for the resource that declares the team now, such as a replacement.
    if (declarerOfTeam(orgId, { teamId, teamName: name }, session, urn) === undefined)
      await endOverdue(recorded, endedAtDelete({ oldInputs, state }, session), context);
    log.info(`Team "${name}" (${teamId}, ${origin}) was released: it stays in the service with its people.`);
    return;
  }
  const team = await findTeam(orgId, teamId, name, context, "writing");
  if (team === undefined) return;
  if (team instanceof Refusal) throw team.error;
  // Another resource may declare the team by the name that it has now.
  const declarer = declarerOfTeam(orgId, { teamId, teamName: team.name }, session, urn);
  if (declarer !== undefined) {
    log.info(`Team "${team.name}" (${teamId}) was kept because ${declarer} declares it.`);
    return;
  }
  const names = new Set([team.name, name, known(inputs.name)]);
  const deletions = [...names].map((teamName) => {
    return { of: "holder", holder: { kind: "team", teamId, teamName }, orgId } as const;
  });
  await refuseToEndDeclared(deletions, `Team "${team.name}" (${teamId}) was not deleted`, context);
  await reserveRemovals(orgId, team, context);
  let projectIds: Iterable<string> = await session.of(ProjectCache).ids.fresh(orgId, signal);
  try {
    await whileRefused(
      async () => {
        const reasons = await projectsWith(teamId, projectIds, context);
        projectIds = reasons.keys();
        if (reasons.size > 0) throw new TeamInUse([...reasons.values()].join(" "));
        await deleteTeam(session.client, orgId, named(teamId, team.name), signal);
      },
      // Pulumi deletes a project and a team side by side if the ProjectTeam is deletedWith the project.
      // The deletion of the project may begin after that of the team was refused.
      (error, refusals) =>
        isInUse(error) ? waitForDeletion(refusals, session.of(ProjectCache).deletesProjects()) : undefined,
      signal,
    );
  } catch (error) {
    if (isInUse(error)) {
      throw new RefusedError(
        `Team "${team.name}" (${teamId}) was not deleted: a project still has it, or may have it. Remove it from its projects first, also from those that this program does not declare, or set onDestroy to "release" and run pulumi up. (${error.message})`,
        { cause: error },
      );
    }
    if (!isErrorResponse(error) || signal.aborted) throw error;
    const now = await findTeam(orgId, teamId, name, context, "writing").catch(() => team);
    if (now !== undefined) throw error;
  } finally {
    session.of(TeamCache).ofOrganization.written(orgId);
  }
}

/**
 * A last day counts more than `onDestroy`.
 *
 * @throws PartialFailure if somebody whose day is over is still in the team
 */
async function endOverdue(
  recorded: TeamState,
  ended: readonly EndedPerson[],
  context: Context,
): Promise<void> {
  const { orgId, teamId, name } = recorded;
  if (ended.length === 0) return;
  const team = await findTeam(orgId, teamId, name, context, "writing");
  if (team === undefined) return;
  if (team instanceof Refusal) throw team.error;
  const { session, signal, log } = context;
  const list = async (by: AbortSignal) => {
    const users = await listUsersOfTeam(session.client, orgId, named(teamId, team.name), by);
    return withRecorded(users, recorded.people);
  };
  const people = await list(signal);
  const { ending } = resolveEnds(
    { names: [], ended, ends: recorded.ends ?? [], recorded: recorded.people },
    people,
  );
  const place = new ChangedTeam({ ...named(teamId, team.name), orgId }, list, context);
  const removals = [...endsByPerson({ ended, ending })].map(([person, end]) => place.removal(person, end));
  const limits = limitsOf<TeamPerson>(
    {
      ...{ placeId: teamId, place: `team "${team.name}"`, settings: recorded, list: undefined },
      isPlannedEnd: (person) => removals.some(({ leaver, end }) => leaver === person && end?.isPlanned),
      consequence: "Nobody was removed from",
      advice: (count) => `Set maxRemovals to ${count}, run pulumi up, and destroy again.`,
    },
    session,
  );
  const refusal = refusalOf([...ending.values()], limits);
  if (refusal !== undefined) throw new RefusedError(refusal);
  const changes = { additions: [], others: [], removals: [], ends: removals };
  const outcome = await carryOut(changes, people, place, signal);
  const { reasons, lastOwners, notOffered } = outcome;
  const isThere = ({ userId }: TeamPerson) => outcome.people.some((other) => other.userId === userId);
  const left = [...ending.values()].filter((person) => !isThere(person));
  tellLeaving(accessIn({ kind: "team", id: teamId, name: team.name, orgId }, left), log);
  for (const { message } of notOffered) log.warn(message);
  const staying = [...reasons, ...lastOwners];
  if (staying.length > 0) throw new PartialFailure(joinId(orgId, teamId), toProperties(recorded), staying);
}

/** A project has the team, or may have it. */
class TeamInUse extends Error {}

function isInUse(error: unknown): error is Error {
  return error instanceof TeamInUse || isTeamInUse(error);
}

/**
 * The projects that have the team or may have it, with a sentence about each. Atlas refuses to delete
 * a team that a project has. The pages about the user interface of Ops Manager describe another
 * behavior: the team leaves its projects. Its people then lose roles that other programs gave them.
 */
async function projectsWith(
  teamId: string,
  projectIds: Iterable<string>,
  { session, signal }: Context,
): Promise<ReadonlyMap<string, string>> {
  const reasons = new Map<string, string>();
  const check = async (projectId: string) => {
    if (session.of(ProjectCache).isDeleted(projectId)) return;
    const teams = await session.of(TeamCache).ofProject.fresh(projectId, signal);
    if (!(teams instanceof Refusal)) {
      if (teams.some((entry) => entry.teamId === teamId)) {
        reasons.set(projectId, `Project ${projectId} has it.`);
      }
    } else if (meaningOf(teams.error) !== "deleted") {
      reasons.set(
        projectId,
        `The teams of project ${projectId} could not be read. ${messageOf(teams.error)}`,
      );
    }
  };
  await Promise.all([...projectIds].map(check));
  return reasons;
}

/**
 * Each person of the team counts as a removal.
 *
 * @throws RefusedError if the run would remove too many people
 */
async function reserveRemovals(orgId: string, team: TeamResponse, context: Context): Promise<void> {
  const users = await usersOf(orgId, team, context);
  if (users instanceof Refusal) throw users.error;
  const names = users.map(({ username }) => username).sort(inOrder);
  const refused = `Team "${team.name}" (${team.id}) was not deleted, because its people would leave it (${names.join(", ")})`;
  const removals = users.map(({ id, username }) => removalOf(team.id, { userId: id, username }));
  context.session.of(RemovalBudget).require(removals, refused);
}
