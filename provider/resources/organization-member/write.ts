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
import { isOnlyOwner, type OrganizationPeople, OrganizationPeopleCache } from "../people/organization-people";
import { type Membership, pendingMembership } from "../people/person";
import { isRefused, toInvitation } from "../people/project-people-cache";
import { type Purpose, purposeOf } from "../session/shared-reads";
import {
  asOrganizationMemberInputs,
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
  const person = personIn(people, username);
  if (person === undefined) requireInvitations(people, username, orgId);
  else {
    refuseDemotion(person, roles, people, orgId);
    announceAdoption(person, wanted, context);
  }
  const id = organizationMemberId(orgId, username);
  const origin = person === undefined ? "created" : "adopted";
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
  const people = await readPeople(orgId, "writing", context);
  const person = personIn(people, given.username, recorded);
  if (person === undefined) requireInvitations(people, given.username, orgId);
  const isIgnored = ignoresProperty(request.ignoreChanges)("roles");
  const wanted = isIgnored && person ? { ...given, roles: person.roles } : given;
  if (person !== undefined) refuseDemotion(person, wanted.roles, people, orgId);
  if (request.preview) return previewState(inputs, recorded);
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

/** A person who is no member may be invited already, and a second invitation may void the first. */
function requireInvitations({ invitations }: OrganizationPeople, username: string, orgId: string): void {
  if (!isRefused(invitations)) return;
  throw new RefusedError(
    `${username} was not invited to organization ${orgId}: its pending invitations cannot be read, so the provider cannot determine whether one exists. Reading them needs Organization Owner. (${messageOf(invitations.error)})`,
    { cause: invitations.error },
  );
}

/** An organization keeps an owner who can sign in. */
function refuseDemotion(
  person: Membership,
  roles: readonly string[],
  people: OrganizationPeople,
  orgId: string,
): void {
  if (roles.includes("ORG_OWNER") || !isOnlyOwner(person, people)) return;
  throw new RefusedError(
    `${person.username} is the only owner of organization ${orgId} and did not lose ORG_OWNER. Give it to another member first; an invited person counts only after accepting.`,
  );
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

/** One write. @returns the membership, if the response shows it */
async function write({ person, wanted, context }: Settlement): Promise<Membership | undefined> {
  const { orgId, username, roles } = wanted;
  const { session, signal } = context;
  const { client } = session;
  if (person === undefined) {
    const invitation = await organizationInvitations.send(client, orgId, { username, roles }, signal);
    return invitation && pendingMembership([toInvitation(invitation)]);
  }
  if (person.status === "active") {
    await setRolesOfMember(person, wanted, context);
    return undefined;
  }
  const [newest] = person.invitations;
  try {
    const invitation = await organizationInvitations.update(client, orgId, newest, roles, signal);
    return pendingMembership([toInvitation(invitation)], person.userId);
  } catch (error) {
    if (meaningOf(error) !== "deleted") throw error;
    // Accepted since the read: the same roles, given to a member.
    const now = personIn(await readPeople(orgId, "writing", context), username, person);
    if (now?.status !== "active") throw error;
    await setRolesOfMember(now, wanted, context);
    return undefined;
  }
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
