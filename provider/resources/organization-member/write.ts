/** Invites one person to an organization, and changes the roles of an invitation or a member. */

import { type Membership, pendingMembership } from "../../access/person";
import { organizationInvitations } from "../../api/invitations";
import { removeUserFromOrganization, setRolesInOrganization } from "../../api/users";
import { messageOf, PartialFailure, RefusedError } from "../../text/errors";
import { checkedAs, toProperties } from "../contract/border";
import type { Origin } from "../contract/on-destroy";
import { ignoresProperty } from "../contract/property-path";
import type { Context, CreateRequest, CreateResult, UpdateRequest } from "../contract/resource";
import { withoutAddedRole } from "../contract/roles";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, sameSet } from "../contract/values";
import { isOperationNotOffered, meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { previewState } from "../people/outputs";
import { recordedIdentity } from "../people/resolve";
import {
  type Accepted,
  accountByName,
  adding,
  announceAdoption,
  giveRoles,
  membershipAfter,
  type PeoplePlace,
} from "../people/write";
import {
  isOnlyOwner,
  isOwner,
  type OrganizationPeople,
  OrganizationPeopleCache,
  ownersAmong,
  unknownInvitations,
} from "../reads/organization-people";
import { toInvitation } from "../reads/project-people";
import { ObservationLog } from "../session/observations";
import { Queues } from "../session/queues";
import { type Purpose, purposeOf } from "../session/shared-reads";
import {
  asOrganizationMemberInputs,
  claimFound,
  type KnownOrganizationMemberInputs,
  onDestroySetting,
} from "./inputs";
import {
  asOrganizationMemberState,
  membershipIn,
  type OrganizationMemberState,
  organizationMemberId,
  personIn,
  toOrganizationMemberState,
} from "./state";

export async function create({ inputs: properties, preview, context }: CreateRequest): Promise<CreateResult> {
  const inputs = asOrganizationMemberInputs(properties);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(context, inputs.orgId);
    return { id: "", state: previewState(inputs, undefined, onDestroySetting) };
  }
  const wanted = checkedAs<KnownOrganizationMemberInputs>(inputs);
  const { orgId, username, roles } = wanted;
  const people = await readPeople(orgId, purposeOf(preview), context);
  const id = organizationMemberId(orgId, username);
  const log = context.session.of(ObservationLog);
  // The account may have another name since another resource, or this one before, recorded it.
  const before = recordedIdentity(log, orgId, { username });
  const person = personIn(people, username, before && { ...before, status: "active" });
  if (person === undefined) requireInvitations(people, username, orgId);
  else {
    claimFound(orgId, username, person, context);
    if (preview) warnOfDemotion(person, roles, people, context);
    const live = { ...person, roles: withoutAddedRole(person.roles, roles) };
    announceAdoption(live, roles, inputs, organizationPlace(orgId, context));
  }
  const seen = log.last(context.urn);
  // A replacement of the same person keeps the recorded origin.
  const kept = seen?.kind === "OrganizationMember" && seen.id === id ? seen.origin : "adopted";
  const origin = person === undefined ? "created" : kept;
  if (preview) {
    const state = person && toOrganizationMemberState(orgId, person, inputs, origin);
    return { id: person === undefined ? "" : id, state: previewState(inputs, state, onDestroySetting) };
  }
  return { id, state: await settle({ id, person, wanted, origin, context }) };
}

export async function update(request: UpdateRequest): Promise<Properties> {
  const { id, context } = request;
  const recorded = asOrganizationMemberState(request.state, id);
  const inputs = asOrganizationMemberInputs(request.inputs);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, recorded, onDestroySetting);
  }
  const given = checkedAs<KnownOrganizationMemberInputs>(inputs);
  const { orgId } = recorded;
  const people = await readPeopleFor(recorded, given.username, context);
  const person = personIn(people, given.username, recorded);
  if (person === undefined) {
    refuseOtherAccount(people, given.username, orgId);
    requireInvitations(people, given.username, orgId);
  } else claimFound(orgId, given.username, person, context);
  const isIgnored = ignoresProperty(request.ignoreChanges)("roles");
  const wanted = isIgnored && person ? { ...given, roles: person.roles } : given;
  if (request.preview) {
    if (person !== undefined) warnOfDemotion(person, wanted.roles, people, context);
    return previewState(inputs, recorded, onDestroySetting);
  }
  const origin = person === undefined ? "created" : recorded.origin;
  return settle({ id, person, wanted, origin, context });
}

/** @throws the error if the members cannot be read */
export async function readPeople(
  orgId: string,
  purpose: Purpose,
  { session, signal }: Pick<Context, "session" | "signal">,
): Promise<OrganizationPeople> {
  const people = await session.of(OrganizationPeopleCache).people.read(orgId, purpose, signal);
  if (people.members instanceof Refusal) throw people.members.error;
  return people;
}

/**
 * The people, read again if the lists lack a recorded person: who accepts an invitation between the
 * two requests is in neither.
 */
export async function readPeopleFor(
  recorded: OrganizationMemberState,
  declaredName: string,
  context: Pick<Context, "session" | "signal">,
): Promise<OrganizationPeople> {
  const people = await readPeople(recorded.orgId, "writing", context);
  const isThere = personIn(people, declaredName, recorded) !== undefined;
  return isThere ? people : readPeople(recorded.orgId, "writing", context);
}

/** A person who is no member may be invited already, and a second invitation may void the first. */
function requireInvitations({ invitations }: OrganizationPeople, username: string, orgId: string): void {
  if (!(invitations instanceof Refusal)) return;
  const why =
    meaningOf(invitations.error) === "missing-operation"
      ? "this service does not offer invitations to organizations."
      : "its pending invitations cannot be read, so the provider cannot determine whether one exists. Reading them needs Organization Owner.";
  throw new RefusedError(
    `${username} was not invited to organization ${orgId}: ${why} (${messageOf(invitations.error)})`,
    { cause: invitations.error },
  );
}

/** The recorded account has left the organization, and another one has its name now. */
function refuseOtherAccount(people: OrganizationPeople, username: string, orgId: string): void {
  if (personIn(people, username)?.status !== "active") return;
  throw new RefusedError(
    `${username} in organization ${orgId} is another account now: the recorded one has left. Nothing was written. To manage the other account, run pulumi refresh, and then pulumi up.`,
  );
}

function losesOwnership(person: Membership, roles: readonly string[]): boolean {
  return isOwner(person) && !roles.includes(OWNER);
}

const OWNER = "ORG_OWNER";

/** Only warns, because another resource of the run may add an owner before. */
function warnOfDemotion(
  person: Membership,
  roles: readonly string[],
  people: OrganizationPeople,
  { log }: Context,
): void {
  if (losesOwnership(person, roles) && isOnlyOwner(person, people)) {
    log.warn(
      `${person.username} is the only owner of the organization. The update fails unless another member becomes an owner before.`,
    );
  }
}

interface Settlement {
  readonly id: string;
  readonly person: Membership | undefined;
  readonly wanted: KnownOrganizationMemberInputs;
  readonly origin: Origin;
  readonly context: Context;
}

/** Makes the membership as the program declares it, and returns what to record. */
async function settle({ id, person, wanted, origin, context }: Settlement): Promise<Properties> {
  const { orgId, username, roles } = wanted;
  const place = organizationPlace(orgId, context);
  const stateOf = (live: Membership, how: Origin) =>
    toProperties(toOrganizationMemberState(orgId, live, wanted, how));
  if (person && place.hasRoles(person, roles)) return stateOf(person, origin);
  const unread = () => {
    const { userId, invitationId, status = "pending" } = person ?? {};
    const onDestroy = onDestroySetting.effective(wanted);
    const state = { orgId, username, userId, invitationId, status, roles, origin, onDestroy };
    return [id, toProperties(state)] as const;
  };
  const write = person ? giveRoles(person, roles, place) : invite(wanted, place);
  const sent = { write, who: person ?? { username }, roles, place, unread };
  const { membership: live, isFound } = await membershipAfter(sent);
  if (isFound) announceAdoption(live, roles, wanted, place);
  const state = stateOf(live, isFound ? "adopted" : origin);
  if (place.hasRoles(live, roles)) return state;
  throw new PartialFailure(id, state, [
    `The service accepted ${username} with ${roles.join(", ")} for organization ${orgId}, but it stored ${live.roles.join(", ") || "no role"}.`,
  ]);
}

async function invite(
  { username, roles }: KnownOrganizationMemberInputs,
  place: PeoplePlace,
): Promise<Accepted> {
  const { id, context } = place;
  const { session, signal } = context;
  // Recognized by its ID, the account is the same person if it is renamed before it accepts.
  const account = await accountByName(username, context);
  const userId = typeof account === "object" ? account.userId : undefined;
  const who = { username };
  return adding(who, roles, place, async () => {
    const invitation = await organizationInvitations.send(session.client, id, { username, roles }, signal);
    return { membership: invitation && pendingMembership([toInvitation(invitation)], userId), who };
  });
}

export function organizationPlace(orgId: string, context: Context): PeoplePlace {
  const { session, signal } = context;
  const { client } = session;
  const cache = session.of(OrganizationPeopleCache).people;
  const place: PeoplePlace = {
    text: `organization ${orgId}`,
    scope: "the organization, and so from its teams and projects",
    id: orgId,
    kind: "organization",
    context,
    invitations: organizationInvitations,
    read: async (who, by) => {
      const people = await readPeople(orgId, "writing", { session, signal: by });
      const person = membershipIn(people, who);
      const unread =
        person === undefined ? unknownInvitations(people, who.invitationId !== undefined) : undefined;
      if (unread !== undefined) throw unread.error;
      return person;
    },
    setRoles: (member, roles) =>
      besideAnotherOwner(member, roles, place, async () => {
        await setRolesInOrganization(client, orgId, member, roles, signal).catch((error: unknown) => {
          const advice = `nothing was changed. Change the roles of ${member.username} in the service's web interface, and run pulumi up again; or add roles to ignoreChanges.`;
          throw explainNotOffered(error, advice);
        });
        return undefined;
      }),
    remove: (member) =>
      removeUserFromOrganization(client, orgId, member, signal).catch((error: unknown) => {
        const advice = `${member.username} was not removed. Remove the person in the service's web interface, or set onDestroy to "release" and run pulumi up.`;
        throw explainNotOffered(error, advice);
      }),
    hasRoles: (live, sent) => sameSet(withoutAddedRole(live.roles, sent), sent),
    writing: (write) => write().finally(() => cache.written(orgId)),
  };
  return place;
}

/** @returns the error itself if it is another one */
function explainNotOffered(error: unknown, advice: string): unknown {
  if (!isOperationNotOffered(error)) return error;
  return new RefusedError(`${messageOf(error)} Only Cloud Manager documents this operation, so ${advice}`, {
    cause: error,
  });
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
  { id: orgId, context }: PeoplePlace,
  write: () => Promise<T>,
): Promise<T> {
  if (person.status !== "active" || left.includes(OWNER)) return write();
  const showsOwners = ownersAmong(await readPeople(orgId, "reading", context)).length > 0;
  if (showsOwners && !losesOwnership(person, left)) return write();
  return context.session.of(Queues).oneAtATime(["owners of organization", orgId], async () => {
    const people = await readPeople(orgId, "writing", context);
    const refusal = left.length === 0 ? "was not removed" : "did not get other roles";
    const release =
      'To only remove the resource from the state, set onDestroy to "release" and run pulumi up.';
    if (ownersAmong(people).length === 0) {
      throw new RefusedError(
        `${person.username} ${refusal} in organization ${orgId}: its list of people shows no owner, so the provider cannot tell whether this is the last one. Give ORG_OWNER to a member first. ${release}`,
      );
    }
    if (isOnlyOwner(person, people)) {
      throw new RefusedError(
        `${person.username} is the only owner of organization ${orgId} and ${left.length === 0 ? refusal : "did not lose ORG_OWNER"}. Give ORG_OWNER to another member first; an invited person counts only after accepting. ${release}`,
      );
    }
    return write();
  });
}
