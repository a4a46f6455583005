/** Gives one person the declared roles in a place, and finds out what to record of it. */

import { type Identity, type Membership, memberName } from "../../access/person";
import { hasCode, messageOf, PartialFailure } from "../../text/errors";
import { toProperties } from "../contract/border";
import type { Origin } from "../contract/on-destroy";
import { sameSet } from "../contract/values";
import { reachedAfterLoss, rereadAfterWrite } from "../evidence/reread";
import { announceAdoption } from "../people/place";
import { rolesBeside } from "../people/team-roles";
import { type Accepted, giveRoles } from "../people/write";
import type { ProjectFacts } from "../reads/project-facts";
import type { MemberInputs, MemberPlace, MemberPort, MemberState } from "./port";
import { toMemberState } from "./record";

/** What a write begins with. */
interface Beginning {
  readonly port: MemberPort;
  readonly membership: Membership | undefined;
  /** All known identities of the person. */
  readonly who: Identity;
  /** The roles to give; `undefined` if those that the person has stay. */
  readonly roles: readonly string[] | undefined;
  readonly inputs: MemberInputs;
  readonly origin: Origin;
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
export async function settle(beginning: Beginning): Promise<MemberState> {
  const { port, membership, who, roles, inputs, origin, facts, place } = beginning;
  const stateOf = (live: Membership) => toMemberState(port, place.id, live, inputs, origin, facts);
  if (membership && (!roles || place.hasRoles(membership, roles))) return stateOf(membership);
  const sent = roles ?? [];
  const write = membership ? giveRoles(membership, sent, place) : place.add(who, sent);
  const answer = await write.catch(foundAfterLoss(membership ?? who, sent, place));
  if ("found" in answer) {
    announceFound(port, answer.found, roles, inputs, place);
    return settle({ ...beginning, membership: answer.found, origin: "adopted" });
  }
  const live = answer.membership ?? (await readAccepted(answer.who, sent, beginning));
  // What was written has to be recorded, also if the teams cannot be read.
  const now = await place.ownRoles(live, rolesBeside(sent, live)).catch(() => live);
  return stateOf(now);
}

export function announceFound(
  port: MemberPort,
  membership: Membership,
  roles: readonly string[] | undefined,
  inputs: MemberInputs,
  place: MemberPlace,
): void {
  const shown = { ...membership, roles: port.shownRoles(membership.roles, roles) };
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
  const next = "Run pulumi up again: it continues from what exists.";
  const failed = (reason: string) => {
    const person = membership ?? who;
    return new PartialFailure(idOf(person), toProperties(unreadState(person, beginning)), [reason]);
  };
  const read = (by: AbortSignal) => place.read(who, by);
  const now = await rereadAfterWrite(read, place.context.signal).catch((error: unknown) => {
    throw failed(`${accepted}, but the result could not be read. ${next} (${messageOf(error)})`);
  });
  if (now) return now;
  throw failed(`${accepted}, but shows neither a membership nor an invitation. ${next}`);
}

/** What was sent: the service accepted it, and the result could not be read. */
function unreadState(
  { userId, invitationId, username }: Identity,
  { port, membership, roles, inputs, origin, facts, place }: Beginning,
): MemberState {
  return {
    [port.placeProperty]: place.id,
    username,
    userId,
    invitationId,
    status: membership?.status ?? port.defaults("").status,
    roles,
    ...facts,
    origin,
    onDestroy: port.onDestroy.effective(inputs),
  };
}

/** The service may have stored other roles than were sent. */
export function refuseOtherRoles(
  id: string,
  state: MemberState,
  wanted: readonly string[] | undefined,
  place: MemberPlace,
): void {
  const roles = state.roles ?? [];
  if (!wanted || sameSet(roles, wanted)) return;
  const reason = `roles of ${memberName(state)} in ${place.text} were sent as ${wanted.join(", ")}, but the service stored ${roles.join(", ") || "no role"}.`;
  throw new PartialFailure(id, toProperties(state), [reason]);
}
