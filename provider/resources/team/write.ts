/** Creates, adopts, renames and fills a team of an organization. */

import { listedName } from "../../access/person";
import type { Access, Place } from "../../access/places";
import { createTeam, listUsersOfTeam, renameTeam, type TeamResponse } from "../../api/teams";
import { hasCode, PartialFailure, RefusedError } from "../../text/errors";
import { joinId, splitId } from "../../text/object-id";
import { checkedAs, toProperties } from "../contract/border";
import type { Origin } from "../contract/on-destroy";
import { ignoresProperty } from "../contract/property-path";
import { effectiveRemovals, emptyListReason } from "../contract/removal-settings";
import type { Context, CreateRequest, CreateResult, UpdateRequest } from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, UNKNOWN } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import {
  orStillUnknown,
  readDespite,
  rereadAfterCancel,
  rereadAfterWrite,
  stillUnknown,
} from "../evidence/reread";
import { refusalOf } from "../people/protect";
import { claimTeam, claimTeamId } from "../people/team-claims";
import { type TeamPerson, withRecorded } from "../people/team-person";
import { named, teamNamed } from "../reads/find-team";
import { TeamCache } from "../reads/teams";
import { ObservationLog } from "../session/observations";
import { RemovalBudget, removalOf } from "../session/removal-budget";
import { purposeOf } from "../session/shared-reads";
import { GivenNames, heldByOther, nameIsTaken, renameIsTaken } from "../session/taken-name";
import { applyPlan, asSent, unreadable } from "./apply-plan";
import {
  asTeamInputs,
  type KnownTeamInputs,
  onDestroySetting,
  type TeamInputs,
  teamConflict,
} from "./inputs";
import { asDeclared, planPeople, type TeamPlan, unlistedInTeam } from "./plan";
import { findTeam } from "./read";
import { asTeamState, type TeamState, toTeamState } from "./state";

export async function create({ preview, ...request }: CreateRequest): Promise<CreateResult> {
  const inputs = asTeamInputs(request.inputs);
  const { context } = request;
  if (hasUnknown(inputs)) {
    warnOfUnknowns(context, inputs.orgId);
    return { id: "", state: previewState(inputs) };
  }
  const known = checkedAs<KnownTeamInputs>(inputs);
  const { orgId, usernames } = known;
  const existing = await existingTeam(known, context, preview);
  const id = existing ? joinId(orgId, existing.id) : "";
  const seen = context.session.of(ObservationLog).last(context.urn);
  const former = seen?.kind === "Team" ? seen : undefined;
  // A replacement finds the team that it replaces.
  const replaced = former?.id === id ? former : undefined;
  if (existing) {
    if (known.teamId === undefined && replaced === undefined) throw refusalOfName(known, existing, context);
    const held = heldByOther(orgId, existing.id, context);
    if (held !== undefined) throw held;
    claimFound(orgId, existing, context);
  }
  const people = existing
    ? withRecorded(await listPeople(orgId, existing, context), replaced?.recorded ?? [])
    : [];
  if (existing)
    context.log.found?.(accessIn({ kind: "team", id: existing.id, name: existing.name, orgId }, people));
  const recorded = former && splitId(former.id).ownerId === orgId ? former.recorded : [];
  const planned = { orgId, teamName: existing?.name ?? known.name, purpose: purposeOf(preview), recorded };
  // An adoption removes no one. A replacement removes people who are no longer listed.
  const plan = await planPeople(planned, usernames, people, false, context);
  if (existing) {
    refuseRemovals(plan, known, existing, context);
    if (replaced === undefined) announceAdoption(existing, known, plan, context);
    else reportUnlisted(existing.name, plan, context.log.info);
  }
  if (preview) {
    if (replaced !== undefined) announce(known.name, plan, context);
    return { id, state: previewState(inputs, existing && { teamId: existing.id }) };
  }
  if (existing) {
    const origin = replaced?.origin ?? "adopted";
    const team = await withName(orgId, existing, known.name, context);
    return { id, state: toProperties(await settle({ team, origin, people, plan, known, context })) };
  }
  const { team, origin } = await createNew(known, plan, context);
  claimFound(orgId, team, context);
  const state = await settle({ team, origin, people: undefined, plan, known, context });
  return { id: joinId(orgId, team.id), state: toProperties(state) };
}

/**
 * The team that the program adopts by its ID, or the one that has the declared name.
 *
 * @throws RefusedError if the organization has no team of that ID
 */
async function existingTeam(
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
  const named = await teamNamed(name, orgId, context, purposeOf(preview));
  const isFreed = preview && named && context.session.of(GivenNames).mayBeGivenUp("Team", orgId, named);
  return isFreed ? undefined : named;
}

function refusalOfName(
  { orgId, name }: KnownTeamInputs,
  { id }: TeamResponse,
  context: Context,
): RefusedError {
  return nameIsTaken({ kind: "Team", orgId, name, ids: [id] }, context);
}

export async function update(request: UpdateRequest): Promise<Properties> {
  const { context } = request;
  const recorded = asTeamState(request.state, request.id);
  const inputs = asTeamInputs(request.inputs);
  if (hasUnknown(request.inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, recorded);
  }
  const known = checkedAs<KnownTeamInputs>(inputs);
  const { orgId, teamId, origin } = recorded;
  const isIgnored = ignoresProperty(request.ignoreChanges);
  const team = await findTeam(orgId, teamId, recorded.name, context, purposeOf(request.preview));
  if (team instanceof Refusal) throw team.error;
  if (team === undefined) {
    throw new RefusedError(
      `Team "${recorded.name}" (${teamId}) was deleted since it was recorded. To create it again, run: pulumi up --refresh.`,
    );
  }
  const rival = claimTeamId(orgId, { teamName: known.name }, teamId, context.session);
  if (rival !== undefined) throw new RefusedError(teamConflict({ teamName: team.name }, rival).reason);
  const people = withRecorded(await listPeople(orgId, team, context), recorded.people);
  const ignoresPeople = isIgnored("usernames");
  const wanted = ignoresPeople ? people.filter(({ declared }) => declared).map(listedName) : known.usernames;
  const removeUnlisted = !ignoresPeople && effectiveRemovals(known).removeUnlisted;
  const planned = { orgId, teamName: team.name, purpose: purposeOf(request.preview) };
  const plan = await planPeople(planned, wanted, people, removeUnlisted, context);
  refuseRemovals(plan, known, team, context);
  if (request.preview) {
    announce(team.name, plan, context);
    return previewState(inputs, recorded);
  }
  const renamed = await withName(orgId, team, isIgnored("name") ? team.name : known.name, context);
  const settlement = { team: renamed, origin, people, plan, known: { ...known, orgId }, context };
  return toProperties(await settle(settlement));
}

function accessIn(place: Place, people: readonly TeamPerson[]): Access[] {
  return people.map(({ userId, username }) => ({ holder: { kind: "person", userId, username }, place }));
}

/** @throws RefusedError if another resource declares the team */
function claimFound(orgId: string, { id, name }: TeamResponse, context: Context): void {
  const other = claimTeam(orgId, { teamId: id }, context);
  if (other !== undefined) throw new RefusedError(teamConflict({ teamName: name }, other).reason);
}

async function listPeople(orgId: string, { id, name }: TeamResponse, { session, signal }: Context) {
  return listUsersOfTeam(session.client, orgId, named(id, name), signal);
}

function announceAdoption(
  { id, name }: TeamResponse,
  declared: KnownTeamInputs,
  plan: TeamPlan,
  { log }: Context,
): void {
  const renaming = name === declared.name ? "" : ` Its name becomes "${declared.name}".`;
  const destroying =
    onDestroySetting.effective(declared, "adopted") === "delete"
      ? `Destroying deletes it, because the program declares onDestroy: "delete".`
      : `Destroying releases it, unless onDestroy is "delete".`;
  log.info(`Team "${name}" (${id}) is adopted.${renaming} ${destroying}`);
  reportUnlisted(name, plan, log.warn);
}

function reportUnlisted(name: string, { staying }: TeamPlan, report: (message: string) => void): void {
  const unlisted = unlistedInTeam(name, staying);
  if (unlisted !== undefined) report(unlisted);
}

function announce(name: string, { additions, removals }: TeamPlan, { log }: Context): void {
  if (additions.length > 0) log.info(`${namesOf(additions)} will be added to team "${name}".`);
  if (removals.length > 0) log.info(`${namesOf(removals)} will be removed from team "${name}".`);
}

/** @throws RefusedError before anything is written */
function refuseRemovals(
  { removals }: TeamPlan,
  inputs: KnownTeamInputs,
  { id: teamId, name }: TeamResponse,
  { session }: Context,
): void {
  const { maxRemovals } = effectiveRemovals(inputs);
  const refusal = refusalOf(removals, {
    listed: { names: inputs.usernames, reason: () => emptyListReason("usernames") },
    maxRemovals: {
      most: maxRemovals,
      reason: (leaving) =>
        `${namesOf(leaving)} would be removed from team "${name}", more than maxRemovals (${maxRemovals}), so nothing was changed. Set maxRemovals to ${leaving.length} if that is intended, or add them to usernames.`,
    },
    budget: {
      left: session.of(RemovalBudget),
      removalOf: (person) => removalOf(teamId, person),
      reason: (leaving, overall) =>
        `No one was removed from team "${name}" (${namesOf(leaving)}): ${overall}`,
    },
  });
  if (refusal !== undefined) throw new RefusedError(refusal);
}

function namesOf(people: readonly { readonly username: string }[]): string {
  return people.map(({ username }) => username).join(", ");
}

interface NewTeam {
  readonly team: TeamResponse;
  readonly origin: Origin;
}

async function createNew(
  { orgId, name }: KnownTeamInputs,
  { additions }: TeamPlan,
  context: Context,
): Promise<NewTeam> {
  const { session, signal } = context;
  const usernames = additions.map(({ username }) => username);
  try {
    return { team: await createTeam(session.client, orgId, { name, usernames }, signal), origin: "created" };
  } catch (error) {
    if (!hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) throw error;
    return { team: await findAfterLostResponse(orgId, name, error, context), origin: "adopted" };
  } finally {
    session.of(TeamCache).ofOrganization.written(orgId);
  }
}

/**
 * Another program may have created a team of this name at the same time, so a found one counts as
 * adopted.
 */
async function findAfterLostResponse(
  orgId: string,
  name: string,
  lost: unknown,
  context: Context,
): Promise<TeamResponse> {
  context.session.of(TeamCache).ofOrganization.written(orgId);
  const read = rereadAfterCancel((signal) => teamNamed(name, orgId, { ...context, signal }));
  const found = await orStillUnknown(read, lost);
  if (found === undefined) throw stillUnknown(lost);
  context.log.warn(
    `The response to creating team "${name}" in organization ${orgId} was lost, and the organization has a team of that name now: ${found.id}. Another program may have created it, so it is recorded as adopted. If it is yours, declare onDestroy: "delete", and destroying deletes it.`,
  );
  return found;
}

/**
 * The team with this name, renamed if it has another one.
 *
 * @throws RefusedError if another team has the name
 */
async function withName(
  orgId: string,
  team: TeamResponse,
  newName: string,
  context: Context,
): Promise<TeamResponse> {
  const { session, signal } = context;
  const { id, name } = team;
  if (name === newName) return team;
  const holderNow = (by: AbortSignal) => teamNamed(newName, orgId, { ...context, signal: by }, "writing");
  try {
    await renameTeam(session.client, orgId, named(id, name), newName, signal);
  } catch (refusal) {
    const holder = await readDespite(refusal, holderNow, signal);
    if (holder === undefined) throw refusal;
    if (holder.id !== id)
      throw renameIsTaken({ kind: "Team", orgId, name: newName, ids: [holder.id] }, context);
  } finally {
    session.of(TeamCache).ofOrganization.written(orgId);
  }
  return { id, name: newName };
}

interface Settlement {
  readonly team: TeamResponse;
  readonly origin: Origin;
  /** The people who are in the team; `undefined` if the team was just created and not read. */
  readonly people: readonly TeamPerson[] | undefined;
  readonly plan: TeamPlan;
  readonly known: KnownTeamInputs;
  readonly context: Context;
}

/** Adds and removes people one by one, reads the team again, and returns what to record. */
async function settle({ team, origin, people, plan, known, context }: Settlement): Promise<TeamState> {
  const { orgId } = known;
  const stateOf = (current: readonly TeamPerson[]) =>
    toTeamState(
      { orgId, teamId: team.id, name: team.name, people: asDeclared(current, plan), origin },
      known,
    );
  const failed = (current: readonly TeamPerson[], reasons: readonly string[]) =>
    new PartialFailure(joinId(orgId, team.id), toProperties(stateOf(current)), reasons);
  const place = {
    ...named(team.id, team.name),
    orgId,
    list: async (signal: AbortSignal) =>
      withRecorded(await listPeople(orgId, team, { ...context, signal }), people ?? []),
  };
  // Some versions ignore the people in the request that creates a team.
  const before =
    people ??
    (await rereadAfterWrite(place.list, context.signal).catch((error: unknown) => {
      throw failed(plan.additions.map(asSent), [unreadable(place, error)]);
    }));
  const outcome = await applyPlan(plan, before, place, context);
  if (outcome.reasons.length > 0) throw failed(outcome.people, outcome.reasons);
  return stateOf(outcome.people);
}

/** The predictable outputs of a preview. */
function previewState(inputs: TeamInputs, recorded: Partial<TeamState> = {}): Properties {
  const { origin } = recorded;
  return toProperties({
    ...inputs,
    ...effectiveRemovals(inputs),
    teamId: recorded.teamId ?? inputs.teamId ?? UNKNOWN,
    people: UNKNOWN,
    origin: origin ?? UNKNOWN,
    onDestroy:
      inputs.onDestroy ?? (origin === undefined ? UNKNOWN : onDestroySetting.effective(inputs, origin)),
  });
}
