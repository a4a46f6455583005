/**
 * One person in one project, whatever stage they are at: invited, or in.
 *
 * Every verb looks for the person first: by account, then by name, then among the pending invitations. So an invitation that was
 * accepted, taken back or has expired is never mistaken for another person.
 */
import { PartialFailure, RefusedError } from "../../errors";
import type { Difference } from "../difference";
import { ignoresProperty } from "../ignore-changes";
import { meaningOf } from "../meaning";
import type { Origin } from "../project/project-state";
import type { Context, CreateRequest, CreateResult, DiffRequest, Resource, UpdateRequest } from "../resource";
import { warnOfUnknowns } from "../unknowns";
import { hasUnknown, known, type Properties, sameSet, UNKNOWN, withoutUndefined } from "../values";
import { claimDeclared, claimPerson, declarerOf } from "./claims";
import { type Identity, identityOf, nameOf, type Place, rolesOf, sameName, usernameOf } from "./person";
import { accountById, admit, giveRoles, placeAfter, placeIn, UnreadWrite } from "./places";
import { factsOf, type ProjectFacts } from "./project-facts";
import { destroyMember } from "./project-member-destroy";
import {
  asMemberInputs,
  checkProjectMember,
  declaredIdentity,
  type MemberInputs,
  projectMemberInputs,
} from "./project-member-inputs";
import { importMember, readMember } from "./project-member-read";
import { claim, find } from "./project-member-search";
import {
  asMemberState,
  asProperties,
  effectiveOnDestroy,
  type MemberState,
  memberDifferences,
  memberId,
  projectMemberOutputs,
  recordedPerson,
  sightingOf,
  staysTheSame,
  toMemberState,
  withRecordedInvitation,
} from "./project-member-state";
import { listsNobody, unverified } from "./project-member-unlisted";
import { recordedUnder } from "./recorded-under";

export const projectMember: Resource = {
  name: "ProjectMember",
  description: `One person's place in one project: as a member, or invited and not yet accepted. Nobody else in the project is touched.

Creating adds or invites the person, or adopts a person who is in the project or invited already and gives them the declared roles. An accepted invitation is the same person: no second invitation, no difference. Destroying removes the person from the project, pending invitations included, unless \`onDestroy\` is \`release\`; the account stays. This includes an adopted person: a person who leaves the program leaves the project.

Use \`ProjectMembers\` instead if one list decides who is in the project; never both for one project.`,
  inputs: projectMemberInputs,
  outputs: projectMemberOutputs,
  check: checkProjectMember,
  diff,
  create,
  read: (request) =>
    request.state === undefined || request.oldInputs === undefined
      ? importMember(request.id, request.context)
      : readMember(request.id, request.state, request.oldInputs, request.context),
  update,
  delete: destroyMember,
  changesByItself: ({ status }) => status === "pending",
};

function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asMemberState(state, id);
  context.session.sighted(context.urn, sightingOf(id, recorded.origin, asMemberInputs(oldInputs), recorded));
  const differences = memberDifferences(
    recorded,
    asMemberInputs(inputs),
    asMemberInputs(oldInputs),
    ignoresProperty(ignoreChanges),
  );
  if (staysTheSame(differences)) claimRecorded(recorded, declaredIdentity(asMemberInputs(inputs)), context);
  return differences;
}

/**
 * Check knows people by what the program says only; another resource of the same person may be recorded otherwise. A refresh
 * asks for differences too, before any Check: that declares nobody.
 */
function claimRecorded(recorded: MemberState, declared: Identity, { session }: DiffRequest["context"]): void {
  const holder = declarerOf(session, recorded.projectId, declared);
  if (holder === undefined) return;
  const { userId, invitationId, username } = recorded;
  // The name of an invitation is not the account's name for ever.
  const isVerified = declared.userId === undefined || recorded.status === "active";
  claimPerson({ session, urn: holder }, recorded.projectId, {
    userId: userId ?? declared.userId,
    invitationId,
    username: isVerified ? username : undefined,
  });
}

async function create({ inputs: properties, preview, context }: CreateRequest): Promise<CreateResult> {
  const inputs = asMemberInputs(properties);
  if (hasUnknown(properties)) {
    warnOfUnknowns(context);
    return { id: "", state: previewState(inputs, undefined) };
  }
  const { projectId, roles, ...declared } = knownInputs(inputs);
  const rival = claimDeclared(context, projectId, declared);
  if (rival) throw new RefusedError(rival.reason);
  const { rosters } = context.session;
  const look = preview ? rosters.shared : rosters.fresh;
  const roster = await look.call(rosters, projectId, context.signal);
  if (listsNobody(roster)) {
    const state = await unverified(projectId, inputs, context);
    // An invitation tells the name and a user does not, so neither is called by it.
    const { username: _, ...ids } = declared;
    return { id: memberId(projectId, ids), state: asProperties(state) };
  }
  const replaced = replacedPerson(projectId, declared, context);
  const recorded = replaced && placeIn(projectId, roster, replaced);
  const asserted = recorded ? { invitationId: declared.invitationId } : declared;
  const { place, who } = await find({ projectId, declared, asserted, recorded, roster, context });
  if (place) announceAdoption(projectId, place, inputs, context);
  else refuseImpossible(projectId, who, roles);
  if (preview) {
    const state = place && toMemberState(projectId, place, inputs, "adopted", {});
    return { id: state ? idOf(projectId, inputs, state) : "", state: previewState(inputs, state) };
  }
  // Asked before the write: after it nothing may stand between what was done and its record.
  const facts = await factsOf(projectId, context);
  const settlement = { projectId, place, who, roles, context };
  const now = await settle(settlement).catch((error: unknown) => {
    if (!(error instanceof UnreadWrite)) throw error;
    const state = unreadState(settlement, inputs, place ? "adopted" : "created", facts);
    throw new PartialFailure(idOf(projectId, inputs, state), asProperties(state), [error.message]);
  });
  const state = toMemberState(projectId, now, inputs, place ? "adopted" : "created", facts);
  const id = idOf(projectId, inputs, state);
  // Where this replaces a resource that held the same person, how they came here stays true.
  const seen = context.session.lastSighting(context.urn);
  const settled = place && seen?.id === id ? { ...state, origin: seen.origin as Origin } : state;
  refuseOtherRoles(id, settled, roles);
  return { id, state: asProperties(settled) };
}

/**
 * The recorded ids of the person, if this replaces a resource of the same person or takes over from one. A person whom another
 * resource declares is not who this name means today.
 */
function replacedPerson(projectId: string, declared: Identity, context: Context): Identity | undefined {
  const former = formerPerson(projectId, declared, context);
  if (former === undefined) return undefined;
  const { userId, invitationId } = former;
  if (userId === undefined && invitationId === undefined) return undefined;
  const declarer = declarerOf(context.session, projectId, former);
  return declarer === undefined || declarer === context.urn ? { userId, invitationId } : undefined;
}

function formerPerson(
  projectId: string,
  declared: Identity,
  { session, urn }: Context,
): Identity | undefined {
  const { username, userId, invitationId } = declared;
  if (userId !== undefined) return recordedUnder(session, projectId, { userId });
  const seen = session.lastSighting(urn);
  // The id keeps a name that the program may never have given, and that another account may have now.
  const isNamed = username === undefined || seen?.names.some((name) => sameName(name, username));
  if (isNamed && seen?.recorded !== undefined && seen.id === memberId(projectId, declared)) {
    return asMemberState(seen.recorded, seen.id);
  }
  return username === undefined || invitationId !== undefined
    ? undefined
    : recordedUnder(session, projectId, { username });
}

interface KnownInputs extends Identity {
  readonly projectId: string;
  readonly roles?: readonly string[] | undefined;
}

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
      `Invitation ${who.invitationId} to project ${projectId} is not pending: it was accepted, has expired or was taken back. Give username or userId instead.`,
    );
  }
  if (roles === undefined) {
    throw new RefusedError(
      `${nameOf(who)} is not in project ${projectId}, and without roles nobody can be let in. Give roles.`,
    );
  }
}

function announceAdoption(
  projectId: string,
  place: Place,
  inputs: Partial<MemberInputs>,
  { log }: Context,
): void {
  const roles = known(inputs.roles);
  const stage = place.status === "active" ? "is in" : "is invited to";
  const changes =
    !roles || sameSet(rolesOf(place), roles)
      ? ""
      : `: roles ${rolesOf(place).join(", ")} become ${roles.join(", ")}`;
  const end =
    effectiveOnDestroy(inputs) === "release"
      ? ""
      : ` From now on this resource manages this person: destroying it, or taking it out of the program, removes them from the project. To leave them in, set onDestroy to "release".`;
  log.info(`${usernameOf(place)} ${stage} project ${projectId} already${changes}.${end}`);
}

interface Settlement {
  readonly projectId: string;
  readonly place: Place | undefined;
  /** Everything that is known of who it is. */
  readonly who: Identity;
  readonly roles: readonly string[] | undefined;
  readonly context: Context;
}

/** Brings the person to where the program wants them, with at most one write. */
async function settle({ projectId, place, who, roles, context }: Settlement): Promise<Place> {
  if (place && (!roles || sameSet(rolesOf(place), roles))) return place;
  const wanted = roles ?? [];
  const write = place ? giveRoles(projectId, place, wanted, context) : admit(projectId, who, wanted, context);
  return placeAfter(write, projectId, place ? identityOf(place) : who, wanted, context);
}

/** What was sent: the service accepted it, and the result could not be read. */
function unreadState(
  { projectId, who, place, roles }: Settlement,
  inputs: MemberInputs,
  origin: Origin,
  facts: ProjectFacts,
): MemberState {
  const identity = place ? identityOf(place) : who;
  return {
    ...withoutUndefined(identity),
    projectId,
    status: place?.status ?? "unverified",
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
  throw new PartialFailure(id, asProperties(state), [reason]);
}

/** What a preview can promise: what is recorded or live stays, declared values come over it, the rest is unknown. */
function previewState(inputs: MemberInputs, recorded: MemberState | undefined): Properties {
  const base = recorded ?? { status: UNKNOWN, origin: UNKNOWN };
  return withoutUndefined({
    ...base,
    ...inputs,
    username: recorded?.username ?? inputs.username ?? UNKNOWN,
    onDestroy: hasUnknown(inputs.onDestroy) ? UNKNOWN : effectiveOnDestroy(inputs),
  }) as unknown as Properties;
}

async function update(request: UpdateRequest): Promise<Properties> {
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
  const rival = claimDeclared(context, projectId, declared);
  if (rival) throw new RefusedError(rival.reason);
  const roster = await context.session.rosters.fresh(projectId, context.signal);
  if (listsNobody(roster)) return asProperties(await unverified(projectId, inputs, context, recorded));
  const same = placeIn(projectId, roster, recordedPerson(recorded, declared, roster));
  // What was verified when it was recorded stays so for this account, also if its name has changed.
  const account = recorded.userId ?? oldInputs.userId;
  const isVerified = same !== undefined && (declared.userId === undefined || declared.userId === account);
  const asserted = isVerified ? changedIdentity(declared, oldInputs) : declared;
  const found = await find({ projectId, declared, asserted, recorded: same, roster, context });
  const { place } = found;
  const who = place ? found.who : await returningPerson(recorded, found.who, context);
  if (!place) refuseImpossible(projectId, who, roles);
  const wanted = place && ignoresProperty(request.ignoreChanges)("roles") ? undefined : roles;
  if (same) announceOverwritten(recorded, same, wanted, context);
  else if (place) announceAdoption(projectId, place, withoutUndefined({ ...inputs, roles: wanted }), context);
  if (preview) return previewState(inputs, recorded);
  const facts = await factsOf(projectId, context, recorded);
  const origin = same ? recorded.origin : place ? "adopted" : "created";
  const settlement = { projectId, place, who, roles: wanted, context };
  const now = await settle(settlement).catch((error: unknown) => {
    if (!(error instanceof UnreadWrite)) throw error;
    const state = unreadState(settlement, inputs, origin, facts);
    throw new PartialFailure(id, asProperties(state), [error.message]);
  });
  const current = toMemberState(projectId, now, inputs, origin, facts);
  const state = same ? withRecordedInvitation(current, recorded, roster) : current;
  refuseOtherRoles(id, state, wanted);
  return asProperties(state);
}

/** A program may keep the old name of an account that was renamed: if no account has this name, the recorded account is meant. */
async function returningPerson(recorded: MemberState, who: Identity, context: Context): Promise<Identity> {
  if (who.userId !== undefined || recorded.userId === undefined) return who;
  const { userId } = recorded;
  const account = await accountById(userId, context).catch((error: unknown) => {
    if (meaningOf(error) !== "gone") throw error;
    return undefined;
  });
  if (account === undefined) return who;
  const found = account === "unknown" ? { ...who, userId } : account;
  claim(recorded.projectId, found, context);
  return found;
}

/** What the program says anew: an account that is known by its id and was renamed by hand still is whom it named before. */
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
  place: Place,
  wanted: readonly string[] | undefined,
  { log }: Context,
): void {
  const live = rolesOf(place);
  if (!wanted || sameSet(live, wanted) || sameSet(live, recorded.roles ?? [])) return;
  log.info(
    `Roles of ${usernameOf(place)} changed in the service since they were recorded: ${live.join(", ")} become ${wanted.join(", ")}.`,
  );
}
