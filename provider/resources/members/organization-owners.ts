/** An organization keeps an owner who can sign in, and its member keeps what this run declares below it. */

import { type Identity, type Member, type Membership, OWNER_ROLE } from "../../access/person";
import { type Access, type Deletion, endsWith } from "../../access/places";
import { RefusedError } from "../../text/errors";
import type { Context } from "../contract/resource";
import { howToKeep } from "../contract/until";
import { isOperationNotOffered } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { placesText, refuseToDeleteFirst, refuseToEndDeclared } from "../people/declared-below";
import type { PeoplePlace } from "../people/place";
import { removeMember, withdrawInvitation } from "../people/removal";
import {
  accessBelow,
  isOnlyOwner,
  isOwner,
  ORGANIZATION_OWNER,
  OrganizationPeopleCache,
  ownersAmong,
} from "../reads/organization-people";
import { type PeopleLists, ProjectPeopleCache } from "../reads/project-people";
import { PutOffError } from "../session/ends";
import { Holdings } from "../session/holdings";
import { Queues } from "../session/queues";
import { RemovalBudget, removalOf, requireRemovals } from "../session/removal-budget";
import type { Purpose } from "../session/shared-reads";
import { Unregistered } from "../session/unregistered";

/** Whether nothing happened because the service has no operation that removes people. */
function isRemovalNotOffered(error: unknown): boolean {
  return error instanceof RefusedError && isOperationNotOffered(error.cause);
}

const RELEASE = 'To only remove the resource from the state, set onDestroy to "release" and run pulumi up.';

function losesOwnership(person: Membership, roles: readonly string[]): boolean {
  return isOwner(person) && !roles.includes(ORGANIZATION_OWNER);
}

/** Only warns, because another resource of the run may add an owner before. */
export function warnOfDemotion(
  person: Membership,
  roles: readonly string[],
  people: PeopleLists,
  { context: { log } }: PeoplePlace,
): void {
  if (losesOwnership(person, roles) && isOnlyOwner(person, people)) {
    log.warn(
      `${person.username} is the only owner of the organization. The update fails unless another member becomes an owner before.`,
    );
  }
}

/**
 * Runs a write that changes or ends a membership. One that takes the ownership from a person runs after all
 * others of the organization: an organization keeps an owner who can sign in. A list without any owner does
 * not show whether the person is one.
 *
 * @param left the roles that the person has afterwards; none for a removal
 * @throws RefusedError if the person is the only owner, or may be
 */
export async function besideAnotherOwner<T>(
  person: Membership,
  left: readonly string[],
  place: PeoplePlace,
  write: () => Promise<T>,
): Promise<T> {
  if (person.status !== "active" || left.includes(ORGANIZATION_OWNER)) return write();
  const showsOwners = ownersAmong(await readPeople(place, "reading")).length > 0;
  if (showsOwners && !losesOwnership(person, left)) return write();
  return place.context.session.of(Queues).oneAtATime(["owners of organization", place.id], async () => {
    refuseLastOwner(person, left, await readPeople(place, "writing"), place);
    return write();
  });
}

async function readPeople(
  { id, context: { session, signal } }: PeoplePlace,
  purpose: Purpose,
): Promise<PeopleLists> {
  const people = await session.of(OrganizationPeopleCache).read(id, purpose, signal);
  if (people.members instanceof Refusal) throw people.members.error;
  return people;
}

function refuseLastOwner(
  person: Membership,
  left: readonly string[],
  people: PeopleLists,
  { text, context }: PeoplePlace,
): void {
  const leaves = left.length === 0;
  const release = howToKeep(context.end, RELEASE);
  if (ownersAmong(people).length === 0) {
    throw new RefusedError(
      `${person.username} ${leaves ? `was not removed from ${text}` : `keeps ORG_OWNER in ${text}`}: its list of people shows no owner, so the provider cannot tell whether this is the last one. Give ORG_OWNER to a member first. ${release}`,
    );
  }
  if (isOnlyOwner(person, people)) {
    throw new RefusedError(
      `${person.username} is the only owner of ${text} and ${leaves ? "was not removed" : "keeps ORG_OWNER"}. Give ORG_OWNER to another member first; an invited person counts only after accepting. ${release}`,
    );
  }
}

/**
 * Removes the membership and every pending invitation. An owner is removed only beside another one,
 * also one who has accepted the invitation since the read.
 *
 * @param recorded a program may declare the person by this name, or by the declared one
 */
export async function removeBesideAnotherOwner(
  person: Membership,
  recorded: Identity,
  declared: Identity,
  place: PeoplePlace,
): Promise<void> {
  await removeWithInvitations(person, [person, recorded, declared], place, person);
}

/** @param counted the person as the removal budget counts them in the organization: before they accepted */
async function removeWithInvitations(
  person: Membership,
  known: readonly Identity[],
  place: PeoplePlace,
  counted: Membership,
): Promise<void> {
  const { context, id: orgId } = place;
  const refused = `${person.username} was not removed from ${place.text}`;
  // An invitation gives no access yet. Whoever accepts it meanwhile is removed as a member, below.
  const below = person.status === "active" ? await accessBelow(orgId, person, context) : [];
  if (person.status === "active") await refuseToEndBelow(person, known, below, place);
  const removals = [
    removalOf(orgId, counted),
    ...below.map(({ place: { id } }) => removalOf(id ?? "", person)),
  ];
  const removal = async () => {
    for (const invitation of person.invitations) {
      await withdrawInvitation(person, invitation, place, async (accepted) => {
        // A member is removed below.
        if (person.status === "pending") await removeWithInvitations(accepted, known, place, counted);
      });
    }
    if (person.status === "pending") return;
    await removeMember(person, place);
    const others = below.length === 0 ? "" : `, and with it ${placesText(below)}`;
    context.log.info(`${person.username} left ${place.text}${others}.`);
  };
  const leave = async () => {
    const reserved = requireRemovals(context, removals, refused);
    await besideAnotherOwner(person, [], place, () => place.writing(removal)).catch((error: unknown) => {
      if (isRemovalNotOffered(error)) context.session.of(RemovalBudget).giveBack(reserved);
      throw error;
    });
  };
  await besideOwnersBelow(person, below, refused, place, leave);
}

/** @throws RefusedError if the person would lose access that this run declares, or may still declare */
export async function refuseToEndBelow(
  { userId, username: name }: Identity,
  known: readonly Identity[],
  below: readonly Pick<Access, "place" | "roles">[],
  { context, id: orgId, text }: PeoplePlace,
): Promise<void> {
  const refused = `${name} was not removed from ${text}`;
  const names = new Set(known.flatMap(({ username }) => username ?? []));
  const deletions = [...names].map((username) => {
    return { of: "holder", holder: { kind: "person", userId, username }, orgId } as const;
  });
  await refuseToEndDeclared(deletions, refused, context);
  const stays = `${name} stays in ${text} for now`;
  putOffBefore(deletions, stays, context);
  putOffAfterFailure(
    below.map(({ place, roles }) => ({ place, roles, holder: { kind: "person", userId, username: name } })),
    stays,
    context,
  );
  refuseToDeleteFirst(below, refused, context);
}

/**
 * An end waits until access below has left, which this run has read and does not declare so far. Once the engine destroys, it
 * has declared everything, and the order of deletions is its own.
 */
function putOffBefore(deletions: readonly Deletion[], stays: string, { session, urn, end }: Context): void {
  if (end === undefined || end.isDestroyed) return;
  const held = session
    .of(Holdings)
    .others(urn)
    .filter((access) => deletions.some((deletion) => endsWith(access, deletion) === true));
  if (held.length === 0) return;
  throw new PutOffError(
    `${stays}: when this run began, the stack still declared access that would end with it, to ${placesText(held)}. The last day, ${end.until}, is over. If that access leaves the program, the next update ends the rest; otherwise give it the same last day.`,
    "Put off: access below it was still declared when the run began.",
  );
}

/** An end waits for what access below depends on: its project or its team, which failed in this run. */
function putOffAfterFailure(below: readonly Access[], stays: string, { session, end }: Context): void {
  if (end === undefined) return;
  const perhaps = session.of(Unregistered).among(below);
  if (perhaps.length === 0) return;
  throw new PutOffError(
    `${stays}: with it would end the access to ${placesText(perhaps)}, which the program may still declare, because what that depends on failed in this run. The last day, ${end.until}, is over. The next update in which this succeeds ends it.`,
    "Put off: what access below depends on failed.",
  );
}

/**
 * Removes an owner of projects after all others of the organization: each project keeps a direct owner.
 *
 * @throws RefusedError if a project would have none any more; also the error of an unreadable list
 */
async function besideOwnersBelow(
  { userId }: Membership,
  below: readonly Pick<Access, "place" | "roles">[],
  refused: string,
  { id: orgId, context: { session, signal, end } }: PeoplePlace,
  leave: () => Promise<void>,
): Promise<void> {
  const owned = below.filter(
    ({ place, roles = [] }) => place.kind === "project" && roles.includes(OWNER_ROLE),
  );
  if (owned.length === 0) return leave();
  await session.of(Queues).oneAtATime(["owners of projects below organization", orgId], async () => {
    const lastIn = await Promise.all(
      owned.map(async (access) => {
        const { members } = await session.of(ProjectPeopleCache).fresh(access.place.id ?? "", signal);
        if (members instanceof Refusal) throw members.error;
        const isAnother = (other: Member) => other.userId !== userId && other.roles.includes(OWNER_ROLE);
        return members.some(isAnother) ? [] : [access];
      }),
    );
    const left = lastIn.flat();
    if (left.length === 0) return leave();
    throw new RefusedError(
      `${refused}: no direct owner would be left in ${placesText(left)}. Give GROUP_OWNER there to another member first. ${howToKeep(end, RELEASE)}`,
    );
  });
}
