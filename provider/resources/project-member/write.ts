/** Creates and updates the membership of one person in one project. */

import { PartialFailure, RefusedError } from "../../errors";
import { type KnownOf, toProperties } from "../border";
import { meaningOf } from "../meaning";
import {
  type Identity,
  identityOf,
  type Membership,
  nameOf,
  rolesOf,
  sameName,
  usernameOf,
} from "../membership/membership";
import { factsOf, type ProjectFacts } from "../membership/project-facts";
import { recordedIdentity } from "../membership/recorded-identity";
import {
  accountById,
  addOrInvite,
  giveRoles,
  membershipAfter,
  membershipIn,
  UnreadWrite,
} from "../membership/write";
import type { Origin } from "../observations";
import { ignoresProperty } from "../property-path";
import type { Context, CreateRequest, CreateResult, UpdateRequest } from "../resource";
import { warnOfUnknowns } from "../unknowns";
import { hasUnknown, known, type Properties, sameSet, UNKNOWN, withoutUndefined } from "../values";
import { claim, find } from "./find-member";
import { asMemberInputs, type MemberInputs, type projectMemberInputs } from "./inputs";
import {
  asMemberState,
  effectiveOnDestroy,
  type MemberState,
  memberId,
  recordedMemberIdentity,
  toMemberState,
  withRecordedInvitation,
} from "./state";
import { lacksMemberList, unverified } from "./without-member-list";

export async function create({ inputs: properties, preview, context }: CreateRequest): Promise<CreateResult> {
  const inputs = asMemberInputs(properties);
  if (hasUnknown(properties)) {
    warnOfUnknowns(context);
    return { id: "", state: previewState(inputs, undefined) };
  }
  const { projectId, roles, ...declared } = knownInputs(inputs);
  const rival = context.session.claims.claimDeclared(context.urn, projectId, declared);
  if (rival) throw new RefusedError(rival.reason);
  const { peopleCache } = context.session;
  const look = preview ? peopleCache.shared : peopleCache.gathered;
  const projectPeople = await look.call(peopleCache, projectId, context.signal);
  if (lacksMemberList(projectPeople)) {
    const state = await unverified(projectId, inputs, context);
    // The ID has no username: an invitation shows one and a user does not.
    const { username: _, ...ids } = declared;
    return { id: memberId(projectId, ids), state: toProperties(state) };
  }
  const replaced = replacedIdentity(projectId, declared, context);
  const recorded = replaced && membershipIn(projectId, projectPeople, replaced);
  const asserted = recorded ? { invitationId: declared.invitationId } : declared;
  const { membership, who } = await find({ projectId, declared, asserted, recorded, projectPeople, context });
  if (membership) announceAdoption(projectId, membership, inputs, context);
  else refuseImpossible(projectId, who, roles);
  if (preview) {
    const state = membership && toMemberState(projectId, membership, inputs, "adopted", {});
    return { id: state ? idOf(projectId, inputs, state) : "", state: previewState(inputs, state) };
  }
  // Asked before the write: after it nothing may stand between what was done and its record.
  const facts = await factsOf(projectId, context);
  const settlement = { projectId, membership, who, roles, context };
  const now = await writeMembership(settlement).catch((error: unknown) => {
    if (!(error instanceof UnreadWrite)) throw error;
    const state = unreadState(settlement, inputs, membership ? "adopted" : "created", facts);
    throw new PartialFailure(idOf(projectId, inputs, state), toProperties(state), [error.message]);
  });
  const state = toMemberState(projectId, now, inputs, membership ? "adopted" : "created", facts);
  const id = idOf(projectId, inputs, state);
  // Where this replaces a resource that held the same person, how they came here stays true.
  const seen = context.session.observations.last(context.urn);
  const settled = membership && seen?.id === id ? { ...state, origin: seen.origin } : state;
  refuseOtherRoles(id, settled, roles);
  return { id, state: toProperties(settled) };
}

/**
 * The recorded ids of the person, if this replaces a resource of the same person or takes over from one. A person whom another
 * resource declares is not who this name means today.
 */
function replacedIdentity(projectId: string, declared: Identity, context: Context): Identity | undefined {
  const former = previousIdentity(projectId, declared, context);
  if (former === undefined) return undefined;
  const { userId, invitationId } = former;
  if (userId === undefined && invitationId === undefined) return undefined;
  const declarer = context.session.claims.declarerOf(projectId, former);
  return declarer === undefined || declarer === context.urn ? { userId, invitationId } : undefined;
}

function previousIdentity(
  projectId: string,
  declared: Identity,
  { session, urn }: Context,
): Identity | undefined {
  const { username, userId, invitationId } = declared;
  if (userId !== undefined) return recordedIdentity(session.observations, projectId, { userId });
  const seen = session.observations.last(urn);
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
    : recordedIdentity(session.observations, projectId, { username });
}

type KnownInputs = Omit<KnownOf<typeof projectMemberInputs>, "onDestroy">;

/** Only for inputs without anything unknown. */
function knownInputs(inputs: MemberInputs): KnownInputs {
  const { projectId, username, userId, invitationId, roles } = inputs;
  return withoutUndefined({ projectId, username, userId, invitationId, roles }) as KnownInputs;
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
      `${nameOf(who)} is not in project ${projectId}, and a member without roles cannot be added. Set roles.`,
    );
  }
}

function announceAdoption(
  projectId: string,
  membership: Membership,
  inputs: Partial<MemberInputs>,
  { log }: Context,
): void {
  const roles = known(inputs.roles);
  const stage = membership.status === "active" ? "is in" : "is invited to";
  const changes =
    !roles || sameSet(rolesOf(membership), roles)
      ? ""
      : `: roles ${rolesOf(membership).join(", ")} become ${roles.join(", ")}`;
  const end =
    effectiveOnDestroy(inputs) === "release"
      ? ""
      : ` From now on this resource manages this person: destroying it, or removing it from the program, removes them from the project. To prevent that, set onDestroy to "release".`;
  log.info(`${usernameOf(membership)} ${stage} project ${projectId} already${changes}.${end}`);
}

interface MembershipWrite {
  readonly projectId: string;
  readonly membership: Membership | undefined;
  /** Everything that is known of who it is. */
  readonly who: Identity;
  readonly roles: readonly string[] | undefined;
  readonly context: Context;
}

/** Brings the person to where the program wants them, with at most one write. */
async function writeMembership({
  projectId,
  membership,
  who,
  roles,
  context,
}: MembershipWrite): Promise<Membership> {
  if (membership && (!roles || sameSet(rolesOf(membership), roles))) return membership;
  const wanted = roles ?? [];
  const write = membership
    ? giveRoles(projectId, membership, wanted, context)
    : addOrInvite(projectId, who, wanted, context);
  return membershipAfter(write, projectId, membership ? identityOf(membership) : who, wanted, context);
}

/** What was sent: the service accepted it, and the result could not be read. */
function unreadState(
  { projectId, who, membership, roles }: MembershipWrite,
  inputs: MemberInputs,
  origin: Origin,
  facts: ProjectFacts,
): MemberState {
  const identity = membership ? identityOf(membership) : who;
  return {
    ...withoutUndefined(identity),
    projectId,
    status: membership?.status ?? "unverified",
    roles: roles ? [...roles] : undefined,
    ...facts,
    origin,
    onDestroy: effectiveOnDestroy(inputs),
  };
}

/** The service may have stored something else than it was sent. */
function refuseOtherRoles(id: string, state: MemberState, wanted: readonly string[] | undefined): void {
  const roles = state.roles ?? [];
  if (!wanted || sameSet(roles, wanted)) return;
  const reason = `roles of ${nameOf(state)} in project ${state.projectId} were sent as ${wanted.join(", ")}, but the service stored ${roles.join(", ")}.`;
  throw new PartialFailure(id, toProperties(state), [reason]);
}

/** The predictable outputs of a preview: declared values over recorded or live ones, the rest unknown. */
function previewState(inputs: MemberInputs, recorded: MemberState | undefined): Properties {
  const base = recorded ?? { status: UNKNOWN, origin: UNKNOWN };
  return toProperties({
    ...base,
    ...inputs,
    username: recorded?.username ?? inputs.username ?? UNKNOWN,
    onDestroy: hasUnknown(inputs.onDestroy) ? UNKNOWN : effectiveOnDestroy(inputs),
  });
}

export async function update(request: UpdateRequest): Promise<Properties> {
  const { id, preview, context } = request;
  const inputs = asMemberInputs(request.inputs);
  const oldInputs = asMemberInputs(request.oldInputs);
  const recorded = asMemberState(request.state, id);
  announceUnmanaged(recorded, inputs, oldInputs, context);
  if (hasUnknown(request.inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, recorded);
  }
  const { projectId } = recorded;
  const { roles, projectId: _same, ...declared } = knownInputs(inputs);
  const rival = context.session.claims.claimDeclared(context.urn, projectId, declared);
  if (rival) throw new RefusedError(rival.reason);
  const projectPeople = await context.session.peopleCache.gathered(projectId, context.signal);
  if (lacksMemberList(projectPeople))
    return toProperties(await unverified(projectId, inputs, context, recorded));
  const same = membershipIn(
    projectId,
    projectPeople,
    recordedMemberIdentity(recorded, declared, projectPeople),
  );
  // What was verified when it was recorded stays so for this account, also if its name has changed.
  const account = recorded.userId ?? oldInputs.userId;
  const isVerified = same !== undefined && (declared.userId === undefined || declared.userId === account);
  const asserted = isVerified ? changedIdentity(declared, oldInputs) : declared;
  const found = await find({ projectId, declared, asserted, recorded: same, projectPeople, context });
  const { membership } = found;
  const who = membership ? found.who : await returningIdentity(recorded, found.who, context);
  if (!membership) refuseImpossible(projectId, who, roles);
  const wanted = membership && ignoresProperty(request.ignoreChanges)("roles") ? undefined : roles;
  if (same) announceOverwritten(recorded, same, wanted, context);
  else if (membership)
    announceAdoption(projectId, membership, withoutUndefined({ ...inputs, roles: wanted }), context);
  if (preview) return previewState(inputs, recorded);
  const facts = await factsOf(projectId, context, recorded);
  const origin = same ? recorded.origin : membership ? "adopted" : "created";
  const settlement = { projectId, membership, who, roles: wanted, context };
  const now = await writeMembership(settlement).catch((error: unknown) => {
    if (!(error instanceof UnreadWrite)) throw error;
    const state = unreadState(settlement, inputs, origin, facts);
    throw new PartialFailure(id, toProperties(state), [error.message]);
  });
  const current = toMemberState(projectId, now, inputs, origin, facts);
  const state = withRecordedInvitation(current, recorded, projectPeople, context);
  refuseOtherRoles(id, state, wanted);
  return toProperties(state);
}

/** A program may keep the old name of an account that was renamed: if no account has this name, the recorded account is meant. */
async function returningIdentity(recorded: MemberState, who: Identity, context: Context): Promise<Identity> {
  if (who.userId !== undefined || recorded.userId === undefined) return who;
  const { userId } = recorded;
  const account = await accountById(userId, context).catch((error: unknown) => {
    if (meaningOf(error) !== "deleted") throw error;
    return undefined;
  });
  if (account === undefined) return who;
  const found = account === "unknown" ? { ...who, userId } : account;
  claim(recorded.projectId, found, context);
  return found;
}

/** The identity properties that changed in the program. A renamed account with a recorded id is still the same person. */
function changedIdentity(declared: Identity, oldInputs: MemberInputs): Identity {
  const entries = Object.entries(declared).filter(
    ([property, value]) => oldInputs[property as keyof MemberInputs] !== value,
  );
  return Object.fromEntries(entries);
}

function announceUnmanaged(
  recorded: MemberState,
  inputs: MemberInputs,
  oldInputs: MemberInputs,
  { log }: Context,
): void {
  if (inputs.roles === undefined && oldInputs.roles !== undefined) {
    log.info(`roles of ${nameOf(recorded)} are no longer managed; nothing was sent.`);
  }
}

/** What the diff cannot show: roles that changed after they were recorded and would be overwritten now. */
function announceOverwritten(
  recorded: MemberState,
  membership: Membership,
  wanted: readonly string[] | undefined,
  { log }: Context,
): void {
  const live = rolesOf(membership);
  if (!wanted || sameSet(live, wanted) || sameSet(live, recorded.roles ?? [])) return;
  log.info(
    `Roles of ${usernameOf(membership)} changed in the service since they were recorded: ${live.join(", ")} become ${wanted.join(", ")}.`,
  );
}
