/** One person in one organization, invited or active. */

import { z } from "zod";
import { type Identity, type Membership, pendingMembership } from "../../access/person";
import { organizationInvitations } from "../../api/invitations";
import { removeUserFromOrganization, setRolesInOrganization } from "../../api/users";
import { messageOf, RefusedError } from "../../text/errors";
import type { CheckFailure } from "../contract/check";
import { accessOf, allOf, personIn as declaredPerson, organizationIn } from "../contract/declared";
import { objectId, orgIdInput, requiredText } from "../contract/fields";
import { defineListing } from "../contract/listing";
import { removeByDefault } from "../contract/on-destroy";
import { roleList, usernameText } from "../contract/people-inputs";
import { recordedInvitation, recordedUserId } from "../contract/people-outputs";
import type { Context } from "../contract/resource";
import { organizationRoles, withoutAddedRole } from "../contract/roles";
import { endOutputs, untilInput } from "../contract/until";
import { sameSet } from "../contract/values";
import { isOperationNotOffered, meaningOf } from "../evidence/meaning";
import { removeAtEnd } from "../evidence/not-offered";
import { Refusal } from "../evidence/refusal";
import { accountByName } from "../people/accounts";
import { claimPerson, declaredTwice, membersOf, refuseConflict } from "../people/member-claims";
import { findMembership } from "../people/memberships";
import { adding } from "../people/write";
import { OrganizationPeopleCache, unknownInvitations } from "../reads/organization-people";
import { type PeopleLists, toInvitation } from "../reads/project-people";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { memberResource } from "./engine";
import {
  besideAnotherOwner,
  refuseToEndBelow,
  removeBesideAnotherOwner,
  warnOfDemotion,
} from "./organization-owners";
import type { FoundMember, MemberPlace, MemberPort, MemberSearch } from "./port";
import { listedMembers } from "./read";
import { findRecorded, recordedIdentity } from "./record";

const onDestroy = removeByDefault(
  "What destroying does: `remove` removes the person from the organization, and so from its teams and projects, or deletes the invitation; `release` only removes the resource from the state.",
);

const inputs = z.strictObject({
  orgId: objectId("the id of an organization").optional().meta({
    defaultText: "the setting `orgId`",
    description:
      "ID of the organization, 24 hexadecimal digits. If it changes, the person is invited to the new organization first and removed from the old one last.",
  }),
  username: usernameText().meta({
    description:
      "Name of the person, usually an email address; case does not count. If it changes to that of another person, the resource is replaced.",
  }),
  roles: roleList("a person", organizationRoles).meta({
    description:
      "Roles of the person in the organization, a set with at least one entry, such as `ORG_MEMBER`. If the service adds `ORG_MEMBER` to others, that is not a difference.",
  }),
  until: untilInput(
    "the person in the organization",
    "removes the person, whoever added them, and so does each later update if somebody brings them back",
    "invites the person again",
  ),
  onDestroy: onDestroy.input,
});

/** Outputs beside those that hold the live value of an input. */
const outputs = z.object({
  orgId: requiredText("ID of the organization, 24 hexadecimal digits."),
  status: z.enum(["active", "pending", "ended"]).meta({
    description:
      "`active`: in the organization. `pending`: invited, not yet accepted. `ended`: not in the organization, because the last day is over.",
  }),
  username: requiredText("Name of the person as the service spells it."),
  userId: recordedUserId,
  ...recordedInvitation,
  origin: z.enum(["created", "adopted", "imported"]).meta({
    description: "Whether this resource invited the person, adopted them, or imported them.",
  }),
  onDestroy: onDestroy.output,
  ...endOutputs,
});

const port: MemberPort = {
  failuresIn: () => [],
  defaults: (username) => ({ username, status: "pending", roles: [] }),
  shownRoles: (live, declared) => withoutAddedRole(live, declared),
  place: organizationPlace,
  claim: ({ username }, orgId, context) =>
    claimPerson({ username }, { kind: "organization", id: orgId }, context),
  claimRecorded: claimFound,
  identify: async (_, who) => who,
  find,
  remove: removeBesideAnotherOwner,
  refuseEnd: async (recorded, declared, place) => {
    if (recorded.status === "active") await refuseToEndBelow(recorded, [recorded, declared], [], place);
  },
  removalFailed: async (error) => {
    throw error;
  },
};

function claimFound(
  { userId, invitationId }: Identity,
  { username = "" }: Identity,
  orgId: string,
  { session }: Pick<Context, "session">,
): CheckFailure | undefined {
  const found = membersOf(orgId, { userId, invitationId });
  const other = session.of(Claims).claimFound(membersOf(orgId, { username }), found);
  const place = { kind: "organization", id: orgId } as const;
  return other === undefined ? undefined : declaredTwice({ username }, place, other);
}

async function find(search: MemberSearch): Promise<FoundMember> {
  const { declared, roles, keepsRoles, preview, place, before } = search;
  const people =
    before === undefined
      ? search.people
      : (await findRecorded(port, before.recorded, declared, search.people, place)).people;
  if (people.members instanceof Refusal) throw people.members.error;
  const recorded = before?.recorded ?? recordedElsewhere(declared, place);
  const who = recorded ? recordedIdentity(recorded, declared, people) : declared;
  const membership = personIn(people, who);
  if (membership === undefined) {
    if (before) refuseOtherAccount(people, declared, place);
    requireInvitations(people, declared, place);
  } else {
    refuseConflict(claimFound(membership, declared, place.id, place.context));
    if (preview && roles && !keepsRoles) warnOfDemotion(membership, roles, people, place);
  }
  return {
    membership,
    who: membership ?? declared,
    isRecorded: before !== undefined && membership !== undefined,
  };
}

/** The account may have another name since another resource, or this one before, recorded it. */
function recordedElsewhere({ username }: Identity, { id, context }: MemberPlace) {
  const former = context.session.of(ObservationLog).identityOf(id, { username });
  return former && { ...former, status: "active" };
}

/**
 * A member keeps the known invitation while invitations cannot be read, because destroying deletes
 * it.
 */
function personIn(people: PeopleLists, who: Identity): Membership | undefined {
  const person = findMembership(people, who);
  return person && people.invitations instanceof Refusal
    ? { ...person, invitationId: who.invitationId }
    : person;
}

/** A person who isn't a member may have been invited, and a second invitation may void the first. */
function requireInvitations(
  { invitations }: PeopleLists,
  { username }: Identity,
  { text }: MemberPlace,
): void {
  if (!(invitations instanceof Refusal)) return;
  const why =
    meaningOf(invitations.error) === "missing-operation"
      ? "this service does not offer invitations to organizations."
      : "its pending invitations cannot be read, so the provider cannot tell whether one exists. Reading them needs Organization Owner.";
  throw new RefusedError(`${username} was not invited to ${text}: ${why} (${messageOf(invitations.error)})`, {
    cause: invitations.error,
  });
}

/** The recorded account has left the organization, and another one has its name now. */
function refuseOtherAccount(people: PeopleLists, { username }: Identity, { text }: MemberPlace): void {
  if (findMembership(people, { username })?.status !== "active") return;
  throw new RefusedError(
    `${username} in ${text} is another account now: the recorded one has left. Nothing was written. To manage the other account, run pulumi refresh, and then pulumi up.`,
  );
}

function organizationPlace(orgId: string, context: Context): MemberPlace {
  const { session, signal } = context;
  const { client } = session;
  const cache = session.of(OrganizationPeopleCache);
  const place: MemberPlace = {
    text: `organization ${orgId}`,
    scope: "the organization, and so from its teams and projects",
    id: orgId,
    kind: "organization",
    context,
    invitations: organizationInvitations,
    sharingReads: (operation) => operation(),
    lists: (how) => cache.read(orgId, how === "shared" ? "reading" : "writing", signal),
    unknownInvitations,
    facts: async () => ({}),
    ownRoles: async (membership) => membership,
    read: async (who, by) => {
      const people = await cache.read(orgId, "writing", by);
      if (people.members instanceof Refusal) throw people.members.error;
      const person = personIn(people, who);
      const unread = person ? undefined : unknownInvitations(people, who.invitationId !== undefined);
      if (unread !== undefined) throw unread.error;
      return person;
    },
    add: ({ username = "" }, roles) =>
      adding({ username }, place, async () => {
        // Recognized by its ID, the account is the same person if it is renamed before it accepts.
        const account = await accountByName(username, context);
        const userId = typeof account === "object" ? account.userId : undefined;
        const sent = await organizationInvitations.send(client, orgId, { username, roles }, signal);
        return { membership: sent && pendingMembership([toInvitation(sent)], userId), who: { username } };
      }),
    setRoles: (member, roles) =>
      besideAnotherOwner(member, roles, place, async () => {
        await setRolesInOrganization(client, orgId, member, roles, signal).catch((error: unknown) => {
          const advice = `nothing was changed. Change the roles of ${member.username} in the service's web interface, and run pulumi up again; or add roles to ignoreChanges.`;
          throw explainNotOffered(error, advice);
        });
        return undefined;
      }),
    remove: (member) => {
      const only = "Only Cloud Manager documents this operation, so";
      const stays = `${member.username} was not removed. Remove the person in the service's web interface`;
      const send = () => removeUserFromOrganization(client, orgId, member, signal);
      return removeAtEnd(send, context, `${only} ${stays}.`).catch((error: unknown) => {
        throw explainNotOffered(error, `${stays}, or set onDestroy to "release" and run pulumi up.`);
      });
    },
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

export const organizationMember = memberResource(
  {
    name: "OrganizationMember",
    description: `One person in one organization, from the invitation to the membership. Other people of the organization are left alone.

Creating invites the person, or adopts one who is already in the organization or invited, and gives them the declared roles. Destroying removes the person from the organization, pending invitations included, unless \`onDestroy\` is \`release\`. A person who leaves an organization also leaves its teams and projects, but keeps the account. The only owner of an organization is never removed or demoted.

Only Cloud Manager documents how to change the roles of members and how to remove them. On a service that does not offer this, both fail and change nothing, while invitations work.`,
    inputs,
    outputs,
    listing: defineListing(z.strictObject({ orgId: orgIdInput }), async ({ orgId }, { session, signal }) => {
      const people = await session.of(OrganizationPeopleCache).read(orgId, "reading", signal);
      return listedMembers(orgId, people, unknownInvitations(people, false));
    }),
    duties: {
      whenRemoved:
        'The person leaves the organization, with their roles in its projects and their place in its teams. With `onDestroy: "release"` they stay. If the service does not offer the removal of people, nothing changes, with an error.',
      counted: "the person, in the organization and in each project and team",
      whenDeletedFirst:
        "The person leaves the organization, is invited again and has to accept. Someone who has access in one of its projects or teams stays, with an error.",
      withFourOperations: "Cannot be created.",
      identifiedBy: ["orgId", "username"],
    },
    declares: (given, state) => accessOf(declaredPerson(given, state), organizationIn(given), given.roles),
    // An invitation is deleted alone.
    deletes: (state) => {
      const person = declaredPerson(state, undefined);
      return person && state.status === "active" ? allOf(person, state) : undefined;
    },
    placeProperty: "orgId",
    importedBy: ["username", "userId"],
    roles: organizationRoles,
    onDestroy,
  },
  port,
);
