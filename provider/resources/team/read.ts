/** Reads a team of an organization, for a refresh and for an import. */

import { getTeam, listUsersOfTeam, type TeamResponse } from "../../api/teams";
import { RefusedError } from "../../text/errors";
import { importedParts, joinId, OBJECT_ID } from "../../text/object-id";
import { toProperties } from "../contract/border";
import type { Context, ReadRequest, ReadResult } from "../contract/resource";
import { meaningOf } from "../evidence/meaning";
import { orRefusal, Refusal } from "../evidence/refusal";
import { warnOfUnread } from "../evidence/unread-warning";
import { liveInputs, withEndsOf } from "../lists/ends";
import { OrganizationPeopleCache } from "../reads/organization-people";
import { named, TeamCache, teamNamed } from "../reads/teams";
import { ObservationLog } from "../session/observations";
import type { Purpose } from "../session/shared-reads";
import { asTeamInputs } from "./inputs";
import { asTeamState, observationOf, toTeamState, withRecorded } from "./state";

export async function read(request: ReadRequest): Promise<ReadResult | undefined> {
  const { id, state, oldInputs, context } = request;
  if (state === undefined || oldInputs === undefined) return importTeam(id, context);
  const recorded = asTeamState(state, id);
  const { orgId, teamId } = recorded;
  context.session.of(ObservationLog).record(context.urn, observationOf(recorded));
  const team = await findTeam(orgId, teamId, recorded.name, context);
  if (team === undefined) return undefined;
  const retained = ({ error }: Refusal): ReadResult => {
    warnOfUnread("organization", orgId, error, context, `team "${recorded.name}"`);
    return { id, state: toProperties(recorded), inputs: oldInputs };
  };
  if (team instanceof Refusal) return retained(team);
  const users = await usersOf(orgId, team, context);
  if (users instanceof Refusal) return retained(users);
  const people = withRecorded(users, recorded.people);
  const facts = { orgId, teamId, name: team.name, people, origin: recorded.origin };
  const declared = asTeamInputs(withEndsOf(state, oldInputs));
  const live = toTeamState(facts, declared, { before: recorded.ends ?? [], session: context.session });
  const inputs = { ...liveInputs(toProperties(live), oldInputs, "usernames"), name: live.name };
  return { id, state: toProperties(live), inputs };
}

/**
 * The team as the list of its organization shows it. A list contains only teams that the API key can
 * see, so a team that it lacks is read singly.
 *
 * The documents do not state what the service returns for a hidden team. So "not found" means deleted
 * only if no one in the organization is in the team. If the list shows no teams at all, it proves
 * nothing.
 *
 * @param purpose for a write, the lists are read after this call
 * @returns `undefined` if the team was deleted
 */
export async function findTeam(
  orgId: string,
  teamId: string,
  teamName: string,
  { session, signal }: Context,
  purpose: Purpose = "reading",
): Promise<TeamResponse | Refusal | undefined> {
  const teams = await session.of(TeamCache).ofOrganization.read(orgId, purpose, signal);
  if (teams instanceof Refusal) return teams;
  const listed = teams.find(({ id }) => id === teamId);
  if (listed) return listed;
  const single = await orRefusal(getTeam(session.client, orgId, { teamId, teamName }, signal));
  if (!(single instanceof Refusal) || meaningOf(single.error) !== "deleted") return single;
  const users = await session.of(OrganizationPeopleCache).accounts.read(orgId, purpose, signal);
  if (users instanceof Refusal) return users;
  const refusal = (reason: string) => new Refusal(new RefusedError(reason, { cause: single.error }));
  if (users.every(({ teamIds }) => !teamIds)) {
    return refusal(
      `Team "${teamName}" (${teamId}) stays in the state: it seems to be deleted, but organization ${orgId} lists its people without their teams (teamIds). If it was deleted, run pulumi state delete.`,
    );
  }
  if (!users.some(({ teamIds }) => teamIds?.includes(teamId))) return undefined;
  return refusal(
    `Team "${teamName}" (${teamId}) is hidden from these credentials: organization ${orgId} does not list it, but people of the organization are in it. These credentials need the role Organization Owner.`,
  );
}

export async function usersOf(orgId: string, { id, name }: TeamResponse, { session, signal }: Context) {
  return orRefusal(listUsersOfTeam(session.client, orgId, named(id, name), signal));
}

/** Imports by the ID of the team, then by its exact name. */
async function importTeam(id: string, context: Context): Promise<ReadResult | undefined> {
  const { placeId: orgId, name: wanted } = importedParts(
    id,
    "a team of an organization: a Team is imported by <orgId>/<teamId> or <orgId>/<team name>.",
  );
  const byId = OBJECT_ID.test(wanted)
    ? await findTeam(orgId, wanted.toLowerCase(), wanted, context)
    : undefined;
  const team = byId ?? (await teamNamed(wanted, orgId, context));
  if (team === undefined) return undefined;
  if (team instanceof Refusal) throw team.error;
  const users = await usersOf(orgId, team, context);
  if (users instanceof Refusal) throw users.error;
  // The generated inputs list all people.
  const people = withRecorded(users, []).map((person) => ({ ...person, declared: true }));
  const state = toTeamState({ orgId, teamId: team.id, name: team.name, people, origin: "imported" }, {});
  const { name, usernames } = state;
  return { id: joinId(orgId, team.id), state: toProperties(state), inputs: { orgId, name, usernames } };
}
