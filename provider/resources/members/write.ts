/** Creates and updates one member: finds the person, adopts or invites them, and settles their roles. */

import { type Identity, type Membership, memberName } from "../../access/person";
import { RefusedError } from "../../text/errors";
import { checkedAs, toProperties } from "../contract/border";
import { rolesIn, textIn } from "../contract/declared";
import type { Origin } from "../contract/on-destroy";
import { ignoresProperty } from "../contract/property-path";
import type { CreateRequest, CreateResult, UpdateRequest } from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, sameSet } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { ObservationLog } from "../session/observations";
import type { MemberInputs, MemberPlace, MemberPort, MemberState } from "./port";
import {
  asMemberState,
  declaredIdentity,
  memberId,
  placeIdOf,
  previewState,
  toMemberState,
  withRecordedInvitation,
} from "./record";
import { announceFound, refuseOtherRoles, settle } from "./settle";

export async function create(
  port: MemberPort,
  { inputs: given, preview, context }: CreateRequest,
): Promise<CreateResult> {
  const inputs = checkedAs<MemberInputs>(given);
  if (hasUnknown(given)) {
    warnOfUnknowns(context, given[port.placeProperty]);
    return { id: "", state: previewState(inputs, undefined, port) };
  }
  const place = port.place(textIn(given, port.placeProperty) ?? "", context);
  const declared = declaredIdentity(inputs);
  const roles = rolesIn(inputs.roles);
  claimGiven(port, declared, place);
  const people = await place.lists(preview ? "shared" : "gathered");
  if (people.members instanceof Refusal) {
    const state = await port.unlisted.write(port, people.members, inputs, place);
    // The ID has no username: an invitation shows one and a user does not.
    return { id: memberId(place.id, { ...declared, username: undefined }), state: toProperties(state) };
  }
  const search = { declared, roles, keepsRoles: false, preview, people, place };
  const { membership, who } = await port.find(search);
  if (membership) announceFound(port, membership, roles, inputs, place);
  // The username as the program writes it: an account that is renamed later keeps the id.
  const idOf = (person: Identity) =>
    memberId(place.id, { ...person, username: declared.username ?? person.username });
  const origin = membership ? adoptedAs(port, idOf(membership), place) : "created";
  if (preview) {
    const state = membership && toMemberState(port, place.id, membership, inputs, origin, {});
    return { id: membership ? idOf(membership) : "", state: previewState(inputs, state, port) };
  }
  // Read before the write: a failure after the write would prevent that its result is recorded.
  const facts = await place.facts();
  const state = await settle({ port, membership, who, roles, inputs, origin, facts, place, idOf });
  const id = idOf(state);
  refuseOtherRoles(id, state, roles, place);
  return { id, state: toProperties(state) };
}

function claimGiven(port: MemberPort, declared: Identity, { id, context }: MemberPlace): void {
  const rival = port.claim(declared, id, context);
  if (rival) throw new RefusedError(rival.reason);
}

/** A replacement of the same person retains the recorded origin. */
function adoptedAs({ kind }: MemberPort, id: string, { context: { session, urn } }: MemberPlace): Origin {
  const seen = session.of(ObservationLog).last(urn);
  return seen?.kind === kind && seen.id === id ? seen.origin : "adopted";
}

export async function update(port: MemberPort, request: UpdateRequest): Promise<Properties> {
  const { id, preview, context } = request;
  const inputs = checkedAs<MemberInputs>(request.inputs);
  const oldInputs = checkedAs<MemberInputs>(request.oldInputs);
  const recorded = asMemberState(port, request.state, id);
  const place = port.place(placeIdOf(port, request.state, id), context);
  announceUnmanaged(recorded, inputs, oldInputs, place);
  if (hasUnknown(request.inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, recorded, port);
  }
  const declared = declaredIdentity(inputs);
  const roles = rolesIn(inputs.roles);
  claimGiven(port, declared, place);
  const people = await place.lists("gathered");
  if (people.members instanceof Refusal) {
    return toProperties(await port.unlisted.write(port, people.members, inputs, place, recorded));
  }
  const keepsRoles = ignoresProperty(request.ignoreChanges)("roles");
  const before = { recorded, oldInputs };
  const search = { declared, roles, keepsRoles, preview, people, place, before };
  const { membership, who, isRecorded } = await port.find(search);
  const wanted = membership && keepsRoles ? undefined : roles;
  if (membership && isRecorded) announceOverwritten(port, recorded, membership, wanted, place);
  else if (membership) announceFound(port, membership, wanted, inputs, place);
  if (preview) return previewState(inputs, recorded, port);
  const facts = await place.facts(recorded);
  const origin = isRecorded ? recorded.origin : membership ? "adopted" : "created";
  const beginning = { port, membership, who, roles: wanted, inputs, origin, facts, place } as const;
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

/**
 * What the diff cannot show: roles that changed after they were recorded and would be overwritten
 * now.
 */
function announceOverwritten(
  port: MemberPort,
  recorded: MemberState,
  membership: Membership,
  wanted: readonly string[] | undefined,
  { context: { log } }: MemberPlace,
): void {
  const live = port.shownRoles(membership.roles, wanted);
  // Roles that were never read are a difference of their own.
  if (!wanted || !recorded.roles || sameSet(live, wanted) || sameSet(live, recorded.roles)) return;
  log.info(
    `Roles of ${membership.username} changed in the service since they were recorded: ${live.join(", ")} become ${wanted.join(", ")}.`,
  );
}
