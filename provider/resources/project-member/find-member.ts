/**
 * Finds the person that a program means, and verifies that all its identities mean the same person.
 */

import { type Identity, type Membership, sameName } from "../../access/person";
import { RefusedError } from "../../text/errors";
import type { CheckFailure } from "../contract/check";
import type { ProjectContext } from "../contract/resource";
import { meaningOf } from "../evidence/meaning";
import { claimDeclared, claimOne } from "../people/member-claims";
import { findMembership, recordedMemberIdentity } from "../people/resolve";
import { type Account, accountById, accountByName, lookUpMembership } from "../people/write";
import { entriesOf, type ProjectPeople, ProjectPeopleCache } from "../reads/project-people";
import type { MemberState } from "./state";

/** Claims an identity that Check may not have known. */
export function claimIdentity(who: Identity, context: ProjectContext): void {
  refuseRival(claimOne(who, context));
}

/** Claims the identity that the program gives, as Check does. */
export function claimGiven(who: Identity, context: ProjectContext): void {
  refuseRival(claimDeclared(who, context));
}

function refuseRival(rival: CheckFailure | undefined): void {
  if (rival) throw new RefusedError(rival.reason);
}

interface RecordedMember {
  readonly projectPeople: ProjectPeople;
  /**
   * The identities by which the person is searched for in the lists. `unknown`: one of the
   * invitations may be theirs, and these credentials may not read the account.
   */
  readonly who: Identity | "unknown";
}

/**
 * The lists of people, and the identity by which a recorded person is searched for in them. For
 * operations that take an absent person for deleted:
 *
 * - A person whom the lists lack is searched for in a second read.
 * - The names of an account count if the record does not prove which invitation is its own. That is
 *   so if the read after the write failed, or if the person is invited twice.
 */
export async function findRecorded(
  recorded: MemberState,
  declared: Identity,
  seen: ProjectPeople,
  context: ProjectContext,
): Promise<RecordedMember> {
  const { session, signal, projectId } = context;
  const identityIn = (lists: ProjectPeople) => recordedMemberIdentity(recorded, declared, lists);
  const isComplete = (lists: ProjectPeople) => membershipIn(lists, identityIn(lists)) !== undefined;
  const projectPeople = await session.of(ProjectPeopleCache).confirmed(projectId, seen, isComplete, signal);
  const who = identityIn(projectPeople);
  if (who.userId === undefined || !needsName(recorded, who, projectPeople)) return { projectPeople, who };
  const account = await accountById(who.userId, context).catch((error: unknown) => {
    if (meaningOf(error) !== "deleted") throw error;
    return undefined;
  });
  const current = typeof account === "object" ? account.username : undefined;
  const hasNoName = account === "unknown" && recorded.username === undefined;
  if (hasNoName && entriesOf(projectPeople.invitations).length > 0) return { projectPeople, who: account };
  // An invitation may keep the name to which it was sent.
  const named = [current, isProven(recorded) ? undefined : recorded.username]
    .filter((username) => username !== undefined)
    .map((username) => ({ ...who, username }));
  const found = named.find((candidate) => membershipIn(projectPeople, candidate) !== undefined);
  return { projectPeople, who: found ?? who };
}

function membershipIn({ members, invitations }: ProjectPeople, who: Identity): Membership | undefined {
  return findMembership(entriesOf(members), entriesOf(invitations), who);
}

/** Whether the record has an identity that the service returned for the membership itself. */
function isProven({ status, invitationId }: MemberState): boolean {
  return status === "active" || invitationId !== undefined;
}

function needsName(recorded: MemberState, who: Identity, projectPeople: ProjectPeople): boolean {
  const membership = membershipIn(projectPeople, who);
  if (membership === undefined) return !isProven(recorded);
  const { status, username, invitations } = membership;
  const sameNamed = entriesOf(projectPeople.invitations).filter((one) => sameName(one.username, username));
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

interface FoundMember {
  readonly membership: Membership | undefined;
  /** The person to add or invite if there is no membership. */
  readonly who: Identity;
}

/** An id identifies alone. A name finds people only if the program gives no `userId`. */
export async function findMember(search: Search): Promise<FoundMember> {
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
