/**
 * Finds the person of a project that a program means, and verifies that all its identities mean the same person.
 */

import { type Identity, type Membership, memberName, sameName } from "../../access/person";
import { RefusedError } from "../../text/errors";
import { own } from "../../text/own";
import type { ProjectContext } from "../contract/resource";
import { meaningOf } from "../evidence/meaning";
import { claimOne, membersOf } from "../people/member-claims";
import { recordedIdentity, recordedMemberIdentity } from "../people/resolve";
import { type Account, accountById, accountByName, lookUpMembership } from "../people/write";
import { entriesOf, type ProjectPeople } from "../reads/project-people";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import type { FoundMember, MemberInputs, MemberPlace, MemberSearch, MemberState } from "./port";
import { memberId, membershipIn, withoutRecordedTeamRoles } from "./record";

/** The project of a place, for what only projects have. */
export function projectOf({ id, context }: MemberPlace): ProjectContext {
  return { ...context, projectId: id };
}

/** Claims what was found: Check may not have known it. */
function claimIdentity(who: Identity, context: ProjectContext): void {
  const rival = claimOne(who, context);
  if (rival) throw new RefusedError(rival.reason);
}

/**
 * Finds whom a create or an update means.
 *
 * @throws RefusedError if the identities do not mean one person, or if the person cannot be added
 */
export async function findForWrite(search: MemberSearch): Promise<FoundMember> {
  const { roles, before, place } = search;
  const context = projectOf(place);
  if (before === undefined) {
    const found = await findNew(search, context);
    if (!found.membership) refuseImpossible(place, found.who, roles);
    return { ...found, isRecorded: false };
  }
  const { found, isRecorded } = await findAgain(search, before, context);
  if (found.membership) return { ...found, isRecorded };
  const who = await returningIdentity(before.recorded, found.who, context);
  refuseImpossible(place, who, roles);
  return { membership: undefined, who, isRecorded };
}

async function findNew({ declared, people }: MemberSearch, context: ProjectContext): Promise<Found> {
  const replaced = replacedIdentity(declared, context);
  const recorded = replaced && lookUpMembership(context.projectId, people, replaced);
  const asserted = recorded ? { invitationId: declared.invitationId } : declared;
  return findMember({ declared, asserted, recorded, projectPeople: people, context });
}

async function findAgain(
  { declared, people, place }: MemberSearch,
  { recorded, oldInputs }: Required<MemberSearch>["before"],
  context: ProjectContext,
): Promise<{ readonly found: Found; readonly isRecorded: boolean }> {
  const recordedPerson = recordedMemberIdentity(recorded, declared, people);
  const seen = lookUpMembership(context.projectId, people, recordedPerson);
  const same = seen && (await withoutRecordedTeamRoles(seen, recorded, place));
  // A recorded identity remains verified for this account, also if its name has changed.
  const account = recorded.userId ?? oldInputs.userId;
  const isVerified = same !== undefined && (declared.userId === undefined || declared.userId === account);
  const asserted = isVerified ? changedIdentity(declared, oldInputs) : declared;
  const found = await findMember({ declared, asserted, recorded: same, projectPeople: people, context });
  return { found, isRecorded: same !== undefined };
}

/**
 * The identity properties that changed in the program. A renamed account with a recorded id is
 * still the same person.
 */
function changedIdentity(declared: Identity, oldInputs: MemberInputs): Identity {
  const entries = Object.entries(declared).filter(
    ([property, value]) => own({ ...oldInputs }, property) !== value,
  );
  return Object.fromEntries(entries);
}

/**
 * A program may keep the old name of an account that was renamed: if no account has this name, the
 * recorded account is meant.
 */
async function returningIdentity(
  { userId }: MemberState,
  who: Identity,
  context: ProjectContext,
): Promise<Identity> {
  if (who.userId !== undefined || userId === undefined) return who;
  const account = await existingAccount(userId, context);
  if (account === undefined) return who;
  const found = account === "unknown" ? { ...who, userId } : account;
  claimIdentity(found, context);
  return found;
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
  if (userId !== undefined) return recordedIdentity(log, projectId, { userId });
  const seen = log.last(urn);
  // The ID keeps a name that the program may never have given. Another account may have it now.
  const isNamed = username === undefined || seen?.names.some((name) => sameName(name.username, username));
  const isSame = seen?.kind === "ProjectMember" && seen.id === memberId(projectId, declared);
  if (isNamed && isSame && seen.recorded) return seen.recorded;
  return username === undefined || invitationId !== undefined
    ? undefined
    : recordedIdentity(log, projectId, { username });
}

/**
 * The identity by which a recorded person is searched for in the lists. The names of an account count if
 * the record does not prove which invitation is its own. That is so if the read after the write failed, or
 * if the person is invited twice.
 */
export async function identify(
  recorded: MemberState,
  who: Identity,
  people: ProjectPeople,
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
  return named.find((candidate) => membershipIn(people, candidate) !== undefined) ?? who;
}

/** Whether the record has an identity that the service returned for the membership itself. */
function isProven({ status, invitationId }: MemberState): boolean {
  return status === "active" || invitationId !== undefined;
}

function needsName(recorded: MemberState, who: Identity, people: ProjectPeople): boolean {
  const membership = membershipIn(people, who);
  if (membership === undefined) return !isProven(recorded);
  const { status, username, invitations } = membership;
  const sameNamed = entriesOf(people.invitations).filter((one) => sameName(one.username, username));
  return status === "pending" && sameNamed.length > invitations.length;
}

interface Search {
  readonly declared: Identity;
  /** The identities that have not been verified yet. */
  readonly asserted: Identity;
  /** The membership of the recorded identity. */
  readonly recorded: Membership | undefined;
  readonly projectPeople: ProjectPeople;
  readonly context: ProjectContext;
}

type Found = Pick<FoundMember, "membership" | "who">;

/** An id identifies alone. A name finds people only if the program gives no `userId`. */
async function findMember(search: Search): Promise<Found> {
  const { declared, asserted, recorded, projectPeople, context } = search;
  const { projectId } = context;
  const { userId, invitationId } = declared;
  const ids = userId === undefined ? declared : { userId, invitationId };
  const seen = recorded ?? lookUpMembership(projectId, projectPeople, ids);
  const lookup = await accountFor(search, seen);
  const account = lookup === "unknown" ? undefined : lookup;
  const membership = seen ?? (account && lookUpMembership(projectId, projectPeople, account));
  const found = membership ?? account;
  if (lookup === "unknown" && (asserted.username ?? asserted.invitationId) !== undefined) {
    throw unverifiable(projectId, asserted);
  }
  if (found) {
    const invited = entriesOf(projectPeople.invitations).find(
      (invitation) => invitation.invitationId === asserted.invitationId,
    );
    const names = [asserted.userId === undefined ? undefined : account?.username, invited?.username];
    refuseContradiction(search, found, names);
    claimIdentity(found, context);
  }
  return { membership, who: found ?? (userId === undefined ? declared : { userId }) };
}

/** The account of a person who is not a member. An invitation does not show its account. */
async function accountFor(
  { declared, asserted, context }: Search,
  seen: Membership | undefined,
): Promise<Account | "unknown" | undefined> {
  if (seen?.status === "active") return undefined;
  const userId = asserted.userId ?? (seen ? undefined : declared.userId);
  if (userId !== undefined) return accountById(userId, context);
  if (seen || declared.username === undefined) return undefined;
  const account = await accountByName(declared.username, context);
  return typeof account === "string" ? undefined : account;
}

function unverifiable(projectId: string, asserted: Identity): RefusedError {
  return new RefusedError(
    `${identityText(asserted)} cannot be verified to be the same person in project ${projectId}: these credentials may not read account ${asserted.userId}. These credentials need the role Project User Admin in a project of this account. Or remove the others from the program. Nothing was written.`,
  );
}

/** @param names of the account and the invitation that the program gives ids of */
function refuseContradiction(
  { declared, asserted, context: { projectId } }: Search,
  found: Identity & Pick<Membership, "username">,
  names: readonly (string | undefined)[],
): void {
  const { username, userId } = asserted;
  const otherName = [username, ...names].some(
    (name) => name !== undefined && !sameName(name, found.username),
  );
  const otherId = userId !== undefined && found.userId !== undefined && userId !== found.userId;
  if (!otherName && !otherId) return;
  const actual = found.userId === undefined ? found.username : `${found.username} (user ${found.userId})`;
  throw new RefusedError(
    `${identityText(declared)} do not name the same person in project ${projectId}: found ${actual}. Remove one of them, or correct it. Nothing was written.`,
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
