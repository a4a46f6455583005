/** The team itself, without its people: which one the program means, how it is created and renamed. */

import { createTeam, renameTeam, type TeamResponse } from "../../api/teams";
import { hasCode, RefusedError } from "../../text/errors";
import type { Origin } from "../contract/on-destroy";
import type { TeamPerson } from "../contract/people-outputs";
import type { Context } from "../contract/resource";
import { Refusal } from "../evidence/refusal";
import { orStillUnknown, readDespite, rereadAfterCancel, stillUnknown } from "../evidence/reread";
import { named, TeamCache, teamNamed } from "../reads/teams";
import { purposeOf } from "../session/shared-reads";
import { GivenNames, renameIsTaken } from "../session/taken-name";
import { claimTeam } from "../session/team-claims";
import { type KnownTeamInputs, onDestroySetting, teamConflict } from "./inputs";
import { findTeam } from "./read";

/**
 * The team that the program adopts by its ID, or the one that has the declared name.
 *
 * @throws RefusedError if the organization has no team of that ID
 */
export async function existingTeam(
  { orgId, teamId, name }: KnownTeamInputs,
  context: Context,
  preview: boolean,
): Promise<TeamResponse | undefined> {
  if (teamId !== undefined) {
    const team = await findTeam(orgId, teamId, name, context, purposeOf(preview));
    if (team instanceof Refusal) throw team.error;
    if (team !== undefined) return team;
    throw new RefusedError(
      `Organization ${orgId} has no team with the id ${teamId}. Correct teamId, or remove it to create a team named "${name}". Nothing was written.`,
    );
  }
  const found = await teamNamed(name, orgId, context, purposeOf(preview));
  const isFreed = preview && found && context.session.of(GivenNames).mayBeGivenUp("Team", orgId, found);
  return isFreed ? undefined : found;
}

/** @throws RefusedError if another resource declares the team */
export function claimFound(orgId: string, { id, name }: TeamResponse, context: Context): void {
  const other = claimTeam(orgId, { teamId: id }, context);
  if (other !== undefined) throw new RefusedError(teamConflict({ teamName: name }, other).reason);
}

/** A team that exists now. */
export interface NewTeam {
  readonly team: TeamResponse;
  readonly origin: Origin;
}

export async function createNew(
  inputs: KnownTeamInputs,
  additions: readonly TeamPerson[],
  context: Context,
): Promise<NewTeam> {
  const { orgId, name } = inputs;
  const { session, signal } = context;
  const usernames = additions.map(({ username }) => username);
  try {
    return { team: await createTeam(session.client, orgId, { name, usernames }, signal), origin: "created" };
  } catch (error) {
    if (!hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) throw error;
    return { team: await findAfterLostResponse(inputs, error, context), origin: "adopted" };
  } finally {
    session.of(TeamCache).ofOrganization.written(orgId);
  }
}

/**
 * Another program may have created a team of this name at the same time, so a found one counts as
 * adopted.
 */
async function findAfterLostResponse(
  { orgId, name, onDestroy }: KnownTeamInputs,
  lost: unknown,
  context: Context,
): Promise<TeamResponse> {
  context.session.of(TeamCache).ofOrganization.written(orgId);
  const read = rereadAfterCancel((signal) => teamNamed(name, orgId, { ...context, signal }));
  const found = await orStillUnknown(read, lost);
  if (found === undefined) throw stillUnknown(lost);
  const destroying =
    onDestroySetting.effective({ onDestroy }, "adopted") === "delete"
      ? 'Destroying deletes it, because the program declares onDestroy: "delete". If it is not yours, remove that line before you destroy.'
      : 'If it is yours, declare onDestroy: "delete", and destroying deletes it.';
  context.log.warn(
    `Team "${name}" (${found.id}) of organization ${orgId} is recorded as adopted: the response to creating it was lost, so another program may have created it. ${destroying}`,
  );
  return found;
}

/**
 * The team with this name, renamed if it has another one.
 *
 * @throws RefusedError if another team has the name
 */
export async function withName(
  orgId: string,
  team: TeamResponse,
  newName: string,
  context: Context,
): Promise<TeamResponse> {
  const { session, signal } = context;
  const { id, name } = team;
  if (name === newName) return team;
  const teamNow = (by: AbortSignal) => teamNamed(newName, orgId, { ...context, signal: by }, "writing");
  try {
    await renameTeam(session.client, orgId, named(id, name), newName, signal);
  } catch (refusal) {
    const now = await readDespite(refusal, teamNow, signal);
    if (now === undefined) throw refusal;
    if (now.id !== id) throw renameIsTaken({ kind: "Team", orgId, name: newName, ids: [now.id] }, context);
  } finally {
    session.of(TeamCache).ofOrganization.written(orgId);
  }
  return { id, name: newName };
}
