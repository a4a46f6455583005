/** Creates and updates one member: finds the person, adopts or invites them, and settles their roles. */

import { type Identity, type Membership, memberName } from "../../access/person";
import { hasCode, messageOf, PartialFailure } from "../../text/errors";
import { checkedAs, toProperties } from "../contract/border";
import { rolesIn, textIn } from "../contract/declared";
import type { Origin } from "../contract/on-destroy";
import { ignoresProperty } from "../contract/property-path";
import type { CreateRequest, CreateResult, UpdateRequest } from "../contract/resource";
import { announceOverwritten } from "../contract/roles";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, sameSet } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { RUN_AGAIN, reachedAfterLoss, rereadAfterWrite } from "../evidence/reread";
import { refuseConflict } from "../people/member-claims";
import { findMembership } from "../people/memberships";
import { announceAdoption } from "../people/place";
import { rolesBeside } from "../people/team-roles";
import { type Accepted, giveRoles } from "../people/write";
import type { ProjectFacts } from "../reads/project-facts";
import type { PeopleLists } from "../reads/project-people";
import { ObservationLog } from "../session/observations";
import type { FoundMember, MemberInputs, MemberKind, MemberPlace, MemberState } from "./port";
import {
  asMemberState,
  declaredIdentity,
  memberId,
  placeIdOf,
  previewState,
  toMemberState,
  withoutMembers,
  withRecordedInvitation,
} from "./record";

export async function create(
  kind: MemberKind,
  { inputs: given, preview, context }: CreateRequest,
): Promise<CreateResult> {
  const inputs = checkedAs<MemberInputs>(given);
  if (hasUnknown(given)) {
    warnOfUnknowns(context, given[kind.placeProperty]);
    return { id: "", state: previewState(inputs, undefined, kind) };
  }
  const place = kind.place(textIn(given, kind.placeProperty) ?? "", context);
  return place.sharingReads(() => add(kind, inputs, preview, place));
}

async function add(
  kind: MemberKind,
  inputs: MemberInputs,
  preview: boolean,
  place: MemberPlace,
): Promise<CreateResult> {
  const { context } = place;
  const declared = declaredIdentity(inputs);
  const roles = rolesIn(inputs.roles);
  refuseConflict(kind.claim(declared, place.id, context));
  const people = await place.lists(preview ? "shared" : "gathered");
  if (people.members instanceof Refusal) {
    const state = await withoutMembers(kind, people.members).write(kind, people.members, inputs, place);
    // The ID has no username: an invitation shows one and a user does not.
    return { id: memberId(place.id, { ...declared, username: undefined }), state: toProperties(state) };
  }
  const search = { declared, roles, keepsRoles: false, preview, people, place };
  const { membership, who } = await kind.find(search);
  if (membership) announceFound(kind, membership, roles, inputs, place);
  // The username as the program writes it: an account that is renamed later keeps the id.
  const idOf = (person: Identity) =>
    memberId(place.id, { ...person, username: declared.username ?? person.username });
  const origin = membership ? adoptedAs(kind, idOf(membership), place) : "created";
  if (preview) {
    const state = membership && toMemberState(kind, place.id, membership, inputs, origin, {});
    return { id: membership ? idOf(membership) : "", state: previewState(inputs, state, kind) };
  }
  // Read before the write: a failure after the write would prevent that its result is recorded.
  const facts = await place.facts();
  const state = await settle({ kind, membership, who, roles, inputs, origin, people, facts, place, idOf });
  const id = idOf(state);
  refuseOtherRoles(id, state, roles, place);
  return { id, state: toProperties(state) };
}

/** A replacement of the same person retains the recorded origin. */
function adoptedAs(
  { name: kind }: MemberKind,
  id: string,
  { context: { session, urn } }: MemberPlace,
): Origin {
  const seen = session.of(ObservationLog).last(urn);
  return seen?.kind === kind && seen.id === id ? seen.origin : "adopted";
}

export async function update(kind: MemberKind, request: UpdateRequest): Promise<Properties> {
  const place = kind.place(placeIdOf(kind, request.state, request.id), request.context);
  return place.sharingReads(() => change(kind, request, place));
}

async function change(kind: MemberKind, request: UpdateRequest, place: MemberPlace): Promise<Properties> {
  const { id, preview, context } = request;
  const inputs = checkedAs<MemberInputs>(request.inputs);
  const oldInputs = checkedAs<MemberInputs>(request.oldInputs);
  const recorded = asMemberState(kind, request.state, id);
  announceUnmanaged(recorded, inputs, oldInputs, place);
  if (hasUnknown(request.inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, recorded, kind);
  }
  const declared = declaredIdentity(inputs);
  const roles = rolesIn(inputs.roles);
  refuseConflict(kind.claim(declared, place.id, context));
  const people = await place.lists("gathered");
  if (people.members instanceof Refusal) {
    const unlisted = withoutMembers(kind, people.members);
    return toProperties(await unlisted.write(kind, people.members, inputs, place, recorded));
  }
  const keepsRoles = ignoresProperty(request.ignoreChanges)("roles");
  const before = { recorded, oldInputs };
  const search = { declared, roles, keepsRoles, preview, people, place, before };
  const { membership, who, isRecorded } = await kind.find(search);
  const wanted = membership && keepsRoles ? undefined : roles;
  if (membership && isRecorded) {
    const shown = (beside: readonly string[]) => kind.shownRoles(membership.roles, beside);
    announceOverwritten(membership.username, { recorded: recorded.roles, wanted, shown }, context.log);
  } else if (membership) announceFound(kind, membership, wanted, inputs, place);
  if (preview) return previewState(inputs, recorded, kind);
  const facts = await place.facts(recorded);
  const origin = isRecorded ? recorded.origin : membership ? "adopted" : "created";
  const beginning = { kind, membership, who, roles: wanted, inputs, origin, people, facts, place } as const;
  const current = await settle({ ...beginning, idOf: () => id });
  const state = withRecordedInvitation(current, recorded, people, place);
  refuseOtherRoles(id, state, wanted, place);
  return toProperties(state);
}

function announceUnmanaged(
  recorded: MemberState,
  inputs: MemberInputs,
  oldInputs: MemberInputs,
  { context: { log } }: MemberPlace,
): void {
  if (inputs.roles === undefined && oldInputs.roles !== undefined) {
    log.info(`roles of ${memberName(recorded)} are no longer managed; nothing was sent.`);
  }
}

/** What a write begins with. */
interface Beginning extends Pick<FoundMember, "membership" | "who"> {
  readonly kind: MemberKind;
  /** The roles to give; `undefined` if those that the person has stay. */
  readonly roles: readonly string[] | undefined;
  readonly inputs: MemberInputs;
  readonly origin: Origin;
  /** The lists before the write. */
  readonly people: PeopleLists;
  readonly facts: ProjectFacts;
  readonly place: MemberPlace;
  /** The ID of the resource, by the identities that are known after the write. */
  readonly idOf: (person: Identity) => string;
}

/**
 * Makes the membership as the program declares it. That is at most one write, unless another program adds the person
 * at the same time.
 *
 * @returns what to record
 * @throws PartialFailure if the service accepted the write, and no read shows the result
 * @throws OutcomeUnknownError if the response was lost, and no read shows the result
 */
async function settle(beginning: Beginning): Promise<MemberState> {
  const { kind, membership, who, roles, inputs, people, facts, place } = beginning;
  const stateOf = (live: Membership, origin = beginning.origin) => {
    const state = toMemberState(kind, place.id, live, inputs, origin, facts);
    // The deletion of another record of this person sees it. A conflict must not lose this record: the next Diff reports it.
    kind.claimRecorded(state, declaredIdentity(inputs), place.id, place.context);
    return state;
  };
  if (membership && (!roles || place.hasRoles(membership, roles))) return stateOf(membership);
  const sent = roles ?? [];
  const write = membership ? giveRoles(membership, sent, place) : place.add(who, sent);
  const answer = await write.catch(foundAfterLoss(membership ?? who, sent, place));
  if ("found" in answer) {
    announceFound(kind, answer.found, roles, inputs, place);
    return settle({ ...beginning, membership: answer.found, origin: "adopted" });
  }
  const live = answer.membership ?? (await readAccepted(answer.who, sent, beginning));
  // What was written has to be recorded, also if the teams cannot be read.
  const now = await place.ownRoles(live, rolesBeside(sent, live)).catch(() => live);
  // Of an account that these credentials can't look up, only the result shows the name that was invited before.
  const earlier = membership ? undefined : findMembership(people, live);
  if (earlier === undefined) return stateOf(now);
  announceFound(kind, earlier, roles, inputs, place);
  return stateOf(now, "adopted");
}

function announceFound(
  kind: MemberKind,
  membership: Membership,
  roles: readonly string[] | undefined,
  inputs: MemberInputs,
  place: MemberPlace,
): void {
  const shown = { ...membership, roles: kind.shownRoles(membership.roles, roles) };
  announceAdoption(shown, roles, inputs, place);
}

/** Searches for the person if the response to the write was lost. */
function foundAfterLoss(who: Identity, roles: readonly string[], place: MemberPlace) {
  const read = (by: AbortSignal) => place.read(who, by);
  const isReached = (now: Membership | undefined) => now !== undefined && place.hasRoles(now, roles);
  return async (lost: unknown): Promise<Accepted> => {
    if (!hasCode(lost, "OPSMANAGER_OUTCOME_UNKNOWN")) throw lost;
    return { membership: await reachedAfterLoss(lost, { read, isReached }), who };
  };
}

/** @param who the person, by the identities that the response to the write shows */
async function readAccepted(
  who: Identity,
  sent: readonly string[],
  beginning: Beginning,
): Promise<Membership> {
  const { membership, place, idOf } = beginning;
  const accepted = `The service accepted ${memberName(who)} with ${sent.join(", ")} for ${place.text}`;
  const failed = (reason: string) => {
    const person = membership ?? who;
    return new PartialFailure(idOf(person), toProperties(unreadState(person, beginning)), [reason]);
  };
  const read = (by: AbortSignal) => place.read(who, by);
  const now = await rereadAfterWrite(read, place.context.signal).catch((error: unknown) => {
    throw failed(`${accepted}, but the result could not be read. ${RUN_AGAIN} (${messageOf(error)})`);
  });
  if (now) return now;
  throw failed(`${accepted}, but shows neither a membership nor an invitation. ${RUN_AGAIN}`);
}

/** What was sent: the service accepted it, and the result could not be read. */
function unreadState(
  { userId, invitationId, username }: Identity,
  { kind, membership, roles, inputs, origin, facts, place }: Beginning,
): MemberState {
  return {
    [kind.placeProperty]: place.id,
    username,
    userId,
    invitationId,
    status: membership?.status ?? kind.defaults("").status,
    roles,
    ...facts,
    origin,
    onDestroy: kind.onDestroy.effective(inputs),
  };
}

/** The service may have stored other roles than were sent. */
function refuseOtherRoles(
  id: string,
  state: MemberState,
  wanted: readonly string[] | undefined,
  place: MemberPlace,
): void {
  const roles = state.roles ?? [];
  if (!wanted || sameSet(roles, wanted)) return;
  const reason = `The service stored the roles of ${memberName(state)} in ${place.text} as ${roles.join(", ") || "none"} instead of ${wanted.join(", ")}.`;
  throw new PartialFailure(id, toProperties(state), [reason]);
}
