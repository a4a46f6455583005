/** Creates and updates the membership of one person in one project. */

import { type Identity, type Membership, memberName, sameName } from "../../access/person";
import { PartialFailure, RefusedError } from "../../text/errors";
import { own } from "../../text/own";
import { type KnownOf, toProperties } from "../contract/border";
import type { Origin } from "../contract/on-destroy";
import { ignoresProperty } from "../contract/property-path";
import type {
  Context,
  CreateRequest,
  CreateResult,
  ProjectContext,
  UpdateRequest,
} from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, known, type Properties, sameSet, withoutUndefined } from "../contract/values";
import { meaningOf } from "../evidence/meaning";
import { membersOf } from "../people/member-claims";
import { previewState } from "../people/outputs";
import { recordedIdentity, recordedMemberIdentity } from "../people/resolve";
import { rolesBeside, withoutRecordedTeamRoles, withoutTeamRoles } from "../people/team-roles";
import {
  accountById,
  addOrInvite,
  announceAdoption,
  giveRoles,
  lookUpMembership,
  membershipAfter,
  projectPlace,
} from "../people/write";
import { factsOf, type ProjectFacts } from "../reads/project-facts";
import { ProjectPeopleCache } from "../reads/project-people";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { claimGiven, claimIdentity, findMember } from "./find-member";
import { asMemberInputs, type MemberInputs, onDestroySetting, type projectMemberInputs } from "./inputs";
import { asMemberState, type MemberState, memberId, toMemberState, withRecordedInvitation } from "./state";
import { lacksMemberList, unverified } from "./without-member-list";

export async function create({ preview, ...request }: CreateRequest): Promise<CreateResult> {
  const inputs = asMemberInputs(request.inputs);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(request.context, inputs.projectId);
    return { id: "", state: previewState(inputs, undefined, onDestroySetting) };
  }
  const { projectId, roles, ...declared } = knownInputs(inputs);
  const context = { ...request.context, projectId };
  claimGiven(declared, context);
  const peopleCache = context.session.of(ProjectPeopleCache);
  const projectPeople = await (preview
    ? peopleCache.shared(projectId, context.signal)
    : peopleCache.gathered(projectId, context.signal));
  if (lacksMemberList(projectPeople)) {
    const state = await unverified(inputs, context);
    // The ID has no username: an invitation shows one and a user does not.
    const { username: _, ...ids } = declared;
    return { id: memberId(projectId, ids), state: toProperties(state) };
  }
  const replaced = replacedIdentity(declared, context);
  const recorded = replaced && lookUpMembership(projectId, projectPeople, replaced);
  const asserted = recorded ? { invitationId: declared.invitationId } : declared;
  const { membership, who } = await findMember({ declared, asserted, recorded, projectPeople, context });
  const place = projectPlace(context);
  if (membership) announceAdoption(membership, roles, inputs, place);
  else refuseImpossible(projectId, who, roles);
  if (preview) {
    const state = membership && toMemberState(projectId, membership, inputs, "adopted", {});
    return {
      id: state ? idOf(projectId, inputs, state) : "",
      state: previewState(inputs, state, onDestroySetting),
    };
  }
  // Read before the write: a failure after the write would prevent that its result is recorded.
  const facts = await factsOf(context);
  const origin = membership ? "adopted" : "created";
  const settlement = { membership, who, roles, inputs, origin, facts, context } as const;
  const state = await settle(settlement, (unread) => idOf(projectId, inputs, unread));
  const id = idOf(projectId, inputs, state);
  // A replacement of the same person retains the recorded origin.
  const seen = context.session.of(ObservationLog).last(context.urn);
  const settled = membership && seen?.id === id ? { ...state, origin: seen.origin } : state;
  refuseOtherRoles(id, settled, roles);
  return { id, state: toProperties(settled) };
}

/**
 * The recorded ids of the person, if this replaces a resource of the same person or takes over from
 * one. The name does not count if another resource declares that person.
 */
function replacedIdentity(declared: Identity, context: ProjectContext): Identity | undefined {
  const former = previousIdentity(declared, context);
  if (former === undefined) return undefined;
  const { userId, invitationId } = former;
  if (userId === undefined && invitationId === undefined) return undefined;
  const declarer = context.session.of(Claims).declarerOf(membersOf(context.projectId, former));
  return declarer === undefined || declarer === context.urn ? { userId, invitationId } : undefined;
}

function previousIdentity(
  declared: Identity,
  { session, urn, projectId }: ProjectContext,
): Identity | undefined {
  const { username, userId, invitationId } = declared;
  if (userId !== undefined) return recordedIdentity(session.of(ObservationLog), projectId, { userId });
  const seen = session.of(ObservationLog).last(urn);
  // The ID keeps a name that the program may never have given. Another account may have it now.
  const isNamed = username === undefined || seen?.names.some((name) => sameName(name.username, username));
  if (
    isNamed &&
    seen?.kind === "ProjectMember" &&
    seen.recorded &&
    seen.id === memberId(projectId, declared)
  ) {
    return seen.recorded;
  }
  return username === undefined || invitationId !== undefined
    ? undefined
    : recordedIdentity(session.of(ObservationLog), projectId, { username });
}

type KnownMemberInputs = Omit<KnownOf<typeof projectMemberInputs>, "onDestroy">;

/** Only for inputs without anything unknown. */
function knownInputs(inputs: MemberInputs): KnownMemberInputs {
  const { projectId, username, userId, invitationId, roles } = inputs;
  return withoutUndefined({ projectId, username, userId, invitationId, roles }) as KnownMemberInputs;
}

/** The username as the program writes it: an account that is renamed later keeps the id. */
function idOf(projectId: string, { username }: MemberInputs, state: Identity): string {
  return memberId(projectId, { ...state, username: known(username) ?? state.username });
}

function refuseImpossible(projectId: string, who: Identity, roles: readonly string[] | undefined): void {
  if (who.userId === undefined && who.username === undefined) {
    throw new RefusedError(
      `Invitation ${who.invitationId} to project ${projectId} is not pending: it was accepted, has expired or was deleted. Set username or userId instead.`,
    );
  }
  if (roles === undefined) {
    throw new RefusedError(
      `${memberName(who)} is not in project ${projectId}, and a member without roles cannot be added. Set roles.`,
    );
  }
}

interface Settlement {
  readonly membership: Membership | undefined;
  /** All known identities of the person. */
  readonly who: Identity;
  readonly roles: readonly string[] | undefined;
  readonly inputs: MemberInputs;
  readonly origin: Origin;
  readonly facts: ProjectFacts;
  readonly context: ProjectContext;
}

/**
 * Makes the membership as the program declares it, by at most one write, and returns what to
 * record.
 */
async function settle(settlement: Settlement, idOf: (state: MemberState) => string): Promise<MemberState> {
  const { membership, who, roles = [], inputs, origin, facts, context } = settlement;
  const stateOf = (live: Membership, how: Origin) =>
    toMemberState(context.projectId, live, inputs, how, facts);
  if (membership && (!settlement.roles || sameSet(membership.roles, roles)))
    return stateOf(membership, origin);
  const place = projectPlace(context);
  const write = membership ? giveRoles(membership, roles, place) : addOrInvite(who, roles, context);
  const unread = (shown: Identity) => {
    const state = unreadState(settlement, shown);
    return [idOf(state), toProperties(state)] as const;
  };
  const sent = { write, who: membership ?? who, roles, place, unread };
  const { membership: live, isFound } = await membershipAfter(sent);
  if (isFound) announceAdoption(live, settlement.roles, inputs, place);
  // What was written has to be recorded, also if the teams cannot be read.
  const now = await withoutTeamRoles(live, rolesBeside(roles, live), context).catch(() => live);
  return stateOf(now, isFound ? "adopted" : origin);
}

/** What was sent: the service accepted it, and the result could not be read. */
function unreadState(
  { membership, roles, inputs, origin, facts, context }: Settlement,
  who: Identity,
): MemberState {
  const { userId, invitationId, username } = membership ?? who;
  return {
    ...withoutUndefined({ userId, invitationId, username }),
    projectId: context.projectId,
    status: membership?.status ?? "unverified",
    roles: roles ? [...roles] : undefined,
    ...facts,
    origin,
    onDestroy: onDestroySetting.effective(inputs),
  };
}

/** The service may have stored other roles than were sent. */
function refuseOtherRoles(id: string, state: MemberState, wanted: readonly string[] | undefined): void {
  const roles = state.roles ?? [];
  if (!wanted || sameSet(roles, wanted)) return;
  const reason = `roles of ${memberName(state)} in project ${state.projectId} were sent as ${wanted.join(", ")}, but the service stored ${roles.join(", ")}.`;
  throw new PartialFailure(id, toProperties(state), [reason]);
}

export async function update(request: UpdateRequest): Promise<Properties> {
  const { id, preview } = request;
  const inputs = asMemberInputs(request.inputs);
  const oldInputs = asMemberInputs(request.oldInputs);
  const recorded = asMemberState(request.state, id);
  const { projectId } = recorded;
  const context = { ...request.context, projectId };
  announceUnmanaged(recorded, inputs, oldInputs, context);
  if (hasUnknown(request.inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, recorded, onDestroySetting);
  }
  const { roles, projectId: _same, ...declared } = knownInputs(inputs);
  claimGiven(declared, context);
  const projectPeople = await context.session.of(ProjectPeopleCache).gathered(projectId, context.signal);
  if (lacksMemberList(projectPeople)) return toProperties(await unverified(inputs, context, recorded));
  const recordedPerson = recordedMemberIdentity(recorded, declared, projectPeople);
  const seen = lookUpMembership(projectId, projectPeople, recordedPerson);
  const same = seen && (await withoutRecordedTeamRoles(seen, recorded, context));
  // A recorded identity remains verified for this account, also if its name has changed.
  const account = recorded.userId ?? oldInputs.userId;
  const isVerified = same !== undefined && (declared.userId === undefined || declared.userId === account);
  const asserted = isVerified ? changedIdentity(declared, oldInputs) : declared;
  const found = await findMember({ declared, asserted, recorded: same, projectPeople, context });
  const { membership } = found;
  const who = membership ? found.who : await returningIdentity(recorded, found.who, context);
  if (!membership) refuseImpossible(projectId, who, roles);
  const wanted = membership && ignoresProperty(request.ignoreChanges)("roles") ? undefined : roles;
  if (same) announceOverwritten(recorded, same, wanted, context);
  else if (membership) announceAdoption(membership, wanted, inputs, projectPlace(context));
  if (preview) return previewState(inputs, recorded, onDestroySetting);
  const facts = await factsOf(context, recorded);
  const origin = same ? recorded.origin : membership ? "adopted" : "created";
  const settlement = { membership, who, roles: wanted, inputs, origin, facts, context } as const;
  const current = await settle(settlement, () => id);
  const state = withRecordedInvitation(current, recorded, projectPeople, context);
  refuseOtherRoles(id, state, wanted);
  return toProperties(state);
}

/**
 * A program may keep the old name of an account that was renamed: if no account has this name, the
 * recorded account is meant.
 */
async function returningIdentity(
  recorded: MemberState,
  who: Identity,
  context: ProjectContext,
): Promise<Identity> {
  if (who.userId !== undefined || recorded.userId === undefined) return who;
  const { userId } = recorded;
  const account = await accountById(userId, context).catch((error: unknown) => {
    if (meaningOf(error) !== "deleted") throw error;
    return undefined;
  });
  if (account === undefined) return who;
  const found = account === "unknown" ? { ...who, userId } : account;
  claimIdentity(found, context);
  return found;
}

/**
 * The identity properties that changed in the program. A renamed account with a recorded id is
 * still the same person.
 */
function changedIdentity(declared: Identity, oldInputs: MemberInputs): Identity {
  const entries = Object.entries(declared).filter(([property, value]) => own(oldInputs, property) !== value);
  return Object.fromEntries(entries);
}

function announceUnmanaged(
  recorded: MemberState,
  inputs: MemberInputs,
  oldInputs: MemberInputs,
  { log }: Context,
): void {
  if (inputs.roles === undefined && oldInputs.roles !== undefined) {
    log.info(`roles of ${memberName(recorded)} are no longer managed; nothing was sent.`);
  }
}

/**
 * What the diff cannot show: roles that changed after they were recorded and would be overwritten
 * now.
 */
function announceOverwritten(
  recorded: MemberState,
  membership: Membership,
  wanted: readonly string[] | undefined,
  { log }: Context,
): void {
  const live = membership.roles;
  // Roles that were never read are a difference of their own.
  if (!wanted || !recorded.roles || sameSet(live, wanted) || sameSet(live, recorded.roles)) return;
  log.info(
    `Roles of ${membership.username} changed in the service since they were recorded: ${live.join(", ")} become ${wanted.join(", ")}.`,
  );
}
