/**
 * Finds the person of a project that a program means, and verifies that all its identities mean the same person.
 *
 * `gather` reads what is known of the identities, and `meant` decides.
 */

import { type Identity, type Membership, memberName, sameName } from "../../access/person";
import { RefusedError } from "../../text/errors";
import { own } from "../../text/own";
import type { ProjectContext } from "../contract/resource";
import { meaningOf } from "../evidence/meaning";
import { type Account, accountById, accountByName } from "../people/accounts";
import { claimOne, membersOf, refuseConflict } from "../people/member-claims";
import { findMembership, lookUpMembership } from "../people/memberships";
import { entriesOf, type PeopleLists } from "../reads/project-people";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import type { FoundMember, MemberPlace, MemberSearch, MemberState } from "./port";
import { memberId, recordedIdentity, withoutRecordedTeamRoles } from "./record";

/** The project of a place, for what only projects have. */
export function projectOf({ id, context }: MemberPlace): ProjectContext {
  return { ...context, projectId: id };
}

/** What is known of the person before anyone decides who is meant. */
interface Gathered {
  /** The membership of the recorded identity. */
  readonly recorded: Membership | undefined;
  /** The identities of the program that have not been verified yet. */
  readonly asserted: Identity;
  /** The membership that the lists show without an account. */
  readonly seen: Membership | undefined;
  /** The account that the program gives. */
  readonly account: Account | "unknown" | undefined;
  /** The recorded account of a person who has left, if no account has the name that the program gives. */
  readonly former: Account | "unknown" | undefined;
}

/**
 * Finds whom a create or an update means.
 *
 * @throws RefusedError if the identities do not mean one person, or if the person cannot be added
 */
export async function findForWrite(search: MemberSearch): Promise<FoundMember> {
  const { place, roles } = search;
  const context = projectOf(place);
  const found = meant(search, await gather(search, context));
  // Check may not have known what was found.
  refuseConflict(claimOne(found.who, context));
  if (found.membership === undefined) refuseImpossible(place, found.who, roles);
  return found;
}

async function gather(search: MemberSearch, context: ProjectContext): Promise<Gathered> {
  const { declared, people, before } = search;
  const { userId, invitationId } = declared;
  const recorded = await recordedMembership(search, context);
  const asserted = unverified(search, recorded);
  // An id identifies alone. A name finds people only if the program gives no `userId`.
  const byId = userId === undefined ? declared : { userId, invitationId };
  const seen = recorded ?? lookUpMembership(context.projectId, people, byId);
  const account = await accountFor(declared, asserted, seen, context);
  const former = before?.recorded.userId;
  const mayReturn = seen === undefined && account === undefined && userId === undefined;
  const returning = mayReturn && former !== undefined ? await existingAccount(former, context) : undefined;
  return { recorded, asserted, seen, account, former: returning };
}

/** The membership of a recorded person: of this resource, or of one that it replaces or takes over from. */
async function recordedMembership(
  { declared, people, place, before }: MemberSearch,
  context: ProjectContext,
): Promise<Membership | undefined> {
  if (before === undefined) {
    const replaced = replacedIdentity(declared, context);
    return replaced && lookUpMembership(place.id, people, replaced);
  }
  const who = recordedIdentity(before.recorded, declared, people);
  const seen = lookUpMembership(place.id, people, who);
  return seen && withoutRecordedTeamRoles(seen, before.recorded, place);
}

/** A recorded identity remains verified for its account, also if the name of the account has changed. */
function unverified({ declared, before }: MemberSearch, recorded: Membership | undefined): Identity {
  if (recorded === undefined) return declared;
  if (before === undefined) return { invitationId: declared.invitationId };
  const { oldInputs } = before;
  const account = before.recorded.userId ?? oldInputs.userId;
  if (declared.userId !== undefined && declared.userId !== account) return declared;
  const changed = Object.entries(declared).filter(
    ([property, value]) => own({ ...oldInputs }, property) !== value,
  );
  return Object.fromEntries(changed);
}

/** The account of a person who is not a member. An invitation does not show its account. */
async function accountFor(
  declared: Identity,
  asserted: Identity,
  seen: Membership | undefined,
  context: ProjectContext,
): Promise<Account | "unknown" | undefined> {
  if (seen?.status === "active") return undefined;
  const userId = asserted.userId ?? (seen ? undefined : declared.userId);
  if (userId !== undefined) return accountById(userId, context);
  if (seen || declared.username === undefined) return undefined;
  const account = await accountByName(declared.username, context);
  return typeof account === "string" ? undefined : account;
}

/**
 * Pure.
 *
 * @throws RefusedError if the identities do not mean one person; the error of a list that has to decide
 */
function meant(search: MemberSearch, { recorded, asserted, seen, account, former }: Gathered): FoundMember {
  const { declared, people, place, before } = search;
  const { userId } = declared;
  if (account === "unknown") refuseUnverifiable(place, asserted);
  const known = account === "unknown" ? undefined : account;
  const membership = seen ?? (known && lookUpMembership(place.id, people, known));
  const found = membership ?? known;
  if (found) refuseContradiction(search, asserted, known, found);
  // A program may keep the old name of an account that was renamed.
  const returning = former === "unknown" ? { ...declared, userId: before?.recorded.userId } : former;
  const absent = returning ?? (userId === undefined ? declared : { userId });
  return { membership, who: found ?? absent, isRecorded: before !== undefined && recorded !== undefined };
}

/** These credentials may not read the account: then nothing that the program gives beside it can be verified. */
function refuseUnverifiable({ text }: MemberPlace, asserted: Identity): void {
  if ((asserted.username ?? asserted.invitationId) === undefined) return;
  throw new RefusedError(
    `${identityText(asserted)} cannot be verified to be the same person in ${text}: these credentials may not read account ${asserted.userId}. These credentials need the role Project User Admin in a project of this account. Or remove the others from the program. Nothing was written.`,
  );
}

function refuseContradiction(
  { declared, people, place }: MemberSearch,
  { username, userId, invitationId }: Identity,
  account: Account | undefined,
  found: Identity & Pick<Membership, "username">,
): void {
  const invited = entriesOf(people.invitations).find((one) => one.invitationId === invitationId);
  const names = [username, userId === undefined ? undefined : account?.username, invited?.username];
  const isOtherName = names.some((name) => name !== undefined && !sameName(name, found.username));
  const isOtherId = userId !== undefined && found.userId !== undefined && userId !== found.userId;
  if (!isOtherName && !isOtherId) return;
  const actual = found.userId === undefined ? found.username : `${found.username} (user ${found.userId})`;
  throw new RefusedError(
    `${identityText(declared)} do not name the same person in ${place.text}: found ${actual}. Remove one of them, or correct it. Nothing was written.`,
  );
}

function identityText({ username, userId, invitationId }: Identity): string {
  const texts = [
    username === undefined ? undefined : `username "${username}"`,
    userId === undefined ? undefined : `userId ${userId}`,
    invitationId === undefined ? undefined : `invitationId ${invitationId}`,
  ];
  return texts.filter((text) => text !== undefined).join(" and ");
}

async function existingAccount(
  userId: string,
  context: ProjectContext,
): Promise<Account | "unknown" | undefined> {
  return accountById(userId, context).catch((error: unknown) => {
    if (meaningOf(error) !== "deleted") throw error;
    return undefined;
  });
}

function refuseImpossible({ text }: MemberPlace, who: Identity, roles: readonly string[] | undefined): void {
  if (who.userId === undefined && who.username === undefined) {
    throw new RefusedError(
      `Invitation ${who.invitationId} to ${text} is not pending: it was accepted, has expired or was deleted. Set username or userId instead.`,
    );
  }
  if (roles === undefined) {
    throw new RefusedError(
      `${memberName(who)} is not in ${text}, and a member without roles cannot be added. Set roles.`,
    );
  }
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
  const log = session.of(ObservationLog);
  if (userId !== undefined) return log.identityOf(projectId, { userId });
  const seen = log.last(urn);
  // The ID keeps a name that the program may never have given. Another account may have it now.
  const isNamed = username === undefined || seen?.names.some((name) => sameName(name.username, username));
  const isSame = seen?.kind === "ProjectMember" && seen.id === memberId(projectId, declared);
  if (isNamed && isSame && seen.recorded) return seen.recorded;
  return username === undefined || invitationId !== undefined
    ? undefined
    : log.identityOf(projectId, { username });
}

/**
 * The identity by which a recorded person is searched for in the lists. The names of an account count if
 * the record does not prove which invitation is its own. That is so if the read after the write failed, or
 * if the person is invited twice.
 */
export async function identify(
  recorded: MemberState,
  who: Identity,
  people: PeopleLists,
  place: MemberPlace,
): Promise<Identity | "unknown"> {
  if (who.userId === undefined || !needsName(recorded, who, people)) return who;
  const account = await existingAccount(who.userId, projectOf(place));
  const current = typeof account === "object" ? account.username : undefined;
  const hasNoName = account === "unknown" && recorded.username === undefined;
  if (hasNoName && entriesOf(people.invitations).length > 0) return account;
  // An invitation may keep the name to which it was sent.
  const named = [current, isProven(recorded) ? undefined : recorded.username]
    .filter((username) => username !== undefined)
    .map((username) => ({ ...who, username }));
  return named.find((candidate) => findMembership(people, candidate) !== undefined) ?? who;
}

/** Whether the record has an identity that the service returned for the membership itself. */
function isProven({ status, invitationId }: MemberState): boolean {
  return status === "active" || invitationId !== undefined;
}

function needsName(recorded: MemberState, who: Identity, people: PeopleLists): boolean {
  const membership = findMembership(people, who);
  if (membership === undefined) return !isProven(recorded);
  const { status, username, invitations } = membership;
  const sameNamed = entriesOf(people.invitations).filter((one) => sameName(one.username, username));
  return status === "pending" && sameNamed.length > invitations.length;
}
