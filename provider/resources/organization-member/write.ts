/** Invites one person to an organization, and changes the roles of an invitation or a member. */

import { organizationInvitations } from "../../api/invitations";
import { setRolesInOrganization } from "../../api/users";
import { hasCode, messageOf, PartialFailure, RefusedError } from "../../text/errors";
import { checkedAs, toProperties } from "../contract/border";
import type { Origin } from "../contract/on-destroy";
import { ignoresProperty } from "../contract/property-path";
import type { Context, CreateRequest, CreateResult, UpdateRequest } from "../contract/resource";
import { withoutAddedRole } from "../contract/roles";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, sameSet, UNKNOWN } from "../contract/values";
import { isOperationNotOffered, meaningOf } from "../evidence/meaning";
import { orStillUnknown, rereadAfterCancel, rereadAfterWrite, stillUnknown } from "../evidence/reread";
import {
  isOnlyOwner,
  isOwner,
  type OrganizationPeople,
  OrganizationPeopleCache,
} from "../people/organization-people";
import { type Membership, pendingMembership } from "../people/person";
import { isRefused, toInvitation } from "../people/project-people-cache";
import { recordedIdentity } from "../people/resolve";
import { accountByName } from "../people/write";
import { ObservationLog } from "../session/observations";
import { Queues } from "../session/queues";
import { type Purpose, purposeOf } from "../session/shared-reads";
import {
  asOrganizationMemberInputs,
  claimFound,
  type KnownOrganizationMemberInputs,
  type OrganizationMemberInputs,
  onDestroySetting,
} from "./inputs";
import {
  asOrganizationMemberState,
  type OrganizationMemberState,
  organizationMemberId,
  personIn,
  toOrganizationMemberState,
} from "./state";

export async function create({ inputs: properties, preview, context }: CreateRequest): Promise<CreateResult> {
  const inputs = asOrganizationMemberInputs(properties);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(context, inputs.orgId);
    return { id: "", state: previewState(inputs) };
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
    announceAdoption(person, wanted, context);
  }
  const seen = log.last(context.urn);
  // A replacement of the same person keeps the recorded origin.
  const kept = seen?.kind === "OrganizationMember" && seen.id === id ? seen.origin : "adopted";
  const origin = person === undefined ? "created" : kept;
  if (preview) {
    const state = person && toOrganizationMemberState(orgId, person, inputs, origin);
    return { id: person === undefined ? "" : id, state: previewState(inputs, state) };
  }
  return { id, state: await settle({ id, person, wanted, origin, context }) };
}

export async function update(request: UpdateRequest): Promise<Properties> {
  const { id, context } = request;
  const recorded = asOrganizationMemberState(request.state, id);
  const inputs = asOrganizationMemberInputs(request.inputs);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, recorded);
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
    return previewState(inputs, recorded);
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
  if (isRefused(people.members)) throw people.members.error;
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
  if (!isRefused(invitations)) return;
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
  return isOwner(person) && !roles.includes("ORG_OWNER");
}

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

function announceAdoption(
  person: Membership,
  { orgId, roles, ...inputs }: KnownOrganizationMemberInputs,
  { log }: Context,
): void {
  const stage = person.status === "active" ? "is in" : "is invited to";
  const live = withoutAddedRole(person.roles, roles);
  const changes = sameSet(live, roles)
    ? ""
    : `: roles ${live.join(", ") || "none"} become ${roles.join(", ")}`;
  const end =
    onDestroySetting.effective(inputs) === "release"
      ? ""
      : ` From now on this resource manages this person: destroying it, or removing it from the program, removes them from the organization, and so from its teams and projects. To prevent that, set onDestroy to "release".`;
  log.info(`${person.username} ${stage} organization ${orgId} already${changes}.${end}`);
}

interface Settlement {
  readonly id: string;
  readonly person: Membership | undefined;
  readonly wanted: KnownOrganizationMemberInputs;
  readonly origin: Origin;
  readonly context: Context;
}

/** Makes the membership as the program declares it, and returns what to record. */
async function settle(settlement: Settlement): Promise<Properties> {
  const { id, person, wanted, origin, context } = settlement;
  const { orgId, username, roles } = wanted;
  const isAsDeclared = (live: Membership) => sameSet(withoutAddedRole(live.roles, roles), roles);
  const stateOf = (live: Membership) => toProperties(toOrganizationMemberState(orgId, live, wanted, origin));
  if (person && isAsDeclared(person)) return stateOf(person);
  const { people: reads } = context.session.of(OrganizationPeopleCache);
  let lost: unknown;
  const shown = await write(settlement)
    .finally(() => reads.written(orgId))
    .catch((error: unknown) => {
      if (!hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) throw error;
      lost = error;
      return undefined;
    });
  const read = async (signal: AbortSignal) =>
    personIn(await readPeople(orgId, "writing", { ...context, signal }), username, person);
  if (lost !== undefined) {
    const now = await orStillUnknown(rereadAfterCancel(read), lost);
    if (now === undefined || !isAsDeclared(now)) throw stillUnknown(lost);
    return stateOf(now);
  }
  const sent = `The service accepted ${username} with ${roles.join(", ")} for organization ${orgId}`;
  const now = shown ?? (await rereadAfterWrite(read, context.signal).catch((error: unknown) => error));
  if (now instanceof Error || now === undefined) {
    const problem =
      now === undefined
        ? "but shows neither a membership nor an invitation."
        : `but the result could not be read. (${messageOf(now)})`;
    const { userId, invitationId, status = "pending" } = person ?? {};
    const unread = { orgId, username, userId, invitationId, status, roles, origin };
    const state = { ...unread, onDestroy: onDestroySetting.effective(wanted) };
    throw new PartialFailure(id, toProperties(state), [
      `${sent}, ${problem} Run pulumi up again: it continues from what exists.`,
    ]);
  }
  const live = now as Membership;
  if (isAsDeclared(live)) return stateOf(live);
  throw new PartialFailure(id, stateOf(live), [
    `${sent}, but it stored ${live.roles.join(", ") || "no role"}.`,
  ]);
}

/** One write that is accepted. @returns the membership, if the response shows it */
async function write(settlement: Settlement): Promise<Membership | undefined> {
  const { person, wanted, context } = settlement;
  const { orgId, username, roles } = wanted;
  const { session, signal } = context;
  const { client } = session;
  if (person === undefined) {
    // Recognized by its ID, the account is the same person if it is renamed before it accepts.
    const account = await accountByName(username, context);
    const invitation = await organizationInvitations.send(client, orgId, { username, roles }, signal);
    const userId = typeof account === "object" ? account.userId : undefined;
    return invitation && pendingMembership([toInvitation(invitation)], userId);
  }
  if (person.status === "active") {
    const set = () => setRolesOfMember(person, wanted, context);
    await (losesOwnership(person, roles)
      ? besideAnotherOwner(orgId, person, "did not lose ORG_OWNER", set, context)
      : set());
    return undefined;
  }
  const [newest] = person.invitations;
  try {
    const invitation = await organizationInvitations.update(client, orgId, newest, roles, signal);
    return pendingMembership([toInvitation(invitation)], person.userId);
  } catch (error) {
    if (meaningOf(error) !== "deleted") throw error;
    const now = personIn(await readPeople(orgId, "writing", context), username, person);
    // Accepted since the read: the same roles, given to a member.
    if (now?.status === "active") return write({ ...settlement, person: now });
    throw error;
  }
}

/**
 * Runs a write that takes the ownership from a person, after all others of the organization: an
 * organization keeps an owner who can sign in.
 *
 * @param refusal what did not happen, as the end of the sentence: `was not removed`
 * @throws RefusedError if the person is the only owner
 */
export async function besideAnotherOwner<T>(
  orgId: string,
  person: Membership,
  refusal: string,
  write: () => Promise<T>,
  context: Context,
): Promise<T> {
  return context.session.of(Queues).oneAtATime(["owners of organization", orgId], async () => {
    if (isOnlyOwner(person, await readPeople(orgId, "writing", context))) {
      throw new RefusedError(
        `${person.username} is the only owner of organization ${orgId} and ${refusal}. Give ORG_OWNER to another member first; an invited person counts only after accepting. To only remove the resource from the state, set onDestroy to "release" and run pulumi up.`,
      );
    }
    return write();
  });
}

async function setRolesOfMember(
  { userId, username }: Membership & { readonly status: "active" },
  { orgId, roles }: KnownOrganizationMemberInputs,
  { session, signal }: Context,
): Promise<void> {
  await setRolesInOrganization(session.client, orgId, { userId, username }, roles, signal).catch(
    (error: unknown) => {
      if (!isOperationNotOffered(error)) throw error;
      throw new RefusedError(
        `${messageOf(error)} Only Cloud Manager documents this operation, so nothing was changed. Change the roles of ${username} in the service's web interface, and run pulumi up again; or add roles to ignoreChanges.`,
        { cause: error },
      );
    },
  );
}

/** The predictable outputs of a preview: declared values over recorded or live ones, the rest unknown. */
function previewState(inputs: OrganizationMemberInputs, recorded?: OrganizationMemberState): Properties {
  return toProperties({
    ...(recorded ?? { status: UNKNOWN, origin: UNKNOWN }),
    ...inputs,
    username: recorded?.username ?? inputs.username,
    onDestroy: hasUnknown(inputs.onDestroy) ? UNKNOWN : onDestroySetting.effective(inputs),
  });
}
