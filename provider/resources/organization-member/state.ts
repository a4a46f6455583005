/** The recorded state of one person in an organization. Pure. */
import { z } from "zod";
import type { Identity, Membership } from "../../access/person";
import { joinId, splitId } from "../../text/object-id";
import { recordedAs, type StateOf } from "../contract/border";
import { optionalText, requiredText } from "../contract/fields";
import type { Origin } from "../contract/on-destroy";
import { withoutAddedRole } from "../contract/roles";
import { known, type Properties } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { recordedUserId } from "../people/outputs";
import { findMembership, recordedMemberIdentity } from "../people/resolve";
import type { OrganizationPeople } from "../reads/organization-people";
import { entriesOf } from "../reads/project-people";
import type { Observation } from "../session/observations";
import { type OrganizationMemberInputs, onDestroySetting, type organizationMemberInputs } from "./inputs";

/** Outputs beside those that hold the live value of an input. */
export const organizationMemberOutputs = z.object({
  orgId: requiredText("ID of the organization, 24 hexadecimal digits."),
  status: z.enum(["active", "pending"]).meta({
    description: "`active`: in the organization. `pending`: invited, not yet accepted.",
  }),
  username: requiredText("Name of the person as the service spells it."),
  userId: recordedUserId,
  invitationId: optionalText("ID of the invitation while it is pending, 24 hexadecimal digits."),
  createdAt: optionalText("When the pending invitation was sent: ISO 8601, UTC."),
  expiresAt: optionalText("When the pending invitation expires: ISO 8601, UTC."),
  inviterUsername: optionalText("User or API key that sent the pending invitation."),
  origin: z.enum(["created", "adopted", "imported"]).meta({
    description: "Whether this resource invited the person, adopted them, or imported them.",
  }),
  onDestroy: onDestroySetting.output,
});

export type OrganizationMemberState = StateOf<
  typeof organizationMemberInputs,
  typeof organizationMemberOutputs
>;

/** State comes from our own replies. The id has the organization and the declared name. */
export function asOrganizationMemberState(state: Properties, id: string): OrganizationMemberState {
  const recorded = recordedAs<OrganizationMemberState>(state);
  const { ownerId, name } = splitId(id);
  return {
    ...recorded,
    orgId: recorded.orgId ?? ownerId,
    username: recorded.username ?? name,
    status: recorded.status ?? "pending",
    roles: recorded.roles ?? [],
    origin: recorded.origin ?? "adopted",
    onDestroy: recorded.onDestroy ?? "remove",
  };
}

export function organizationMemberId(orgId: string, username: string): string {
  return joinId(orgId, username);
}

export function toOrganizationMemberState(
  orgId: string,
  { status, username, userId, invitationId, roles, invitations }: Membership,
  inputs: Partial<OrganizationMemberInputs>,
  origin: Origin,
): OrganizationMemberState {
  const [newest] = status === "pending" ? invitations : [];
  return {
    orgId,
    status,
    username,
    userId,
    invitationId,
    roles: withoutAddedRole(roles, known(inputs.roles) as readonly string[] | undefined),
    createdAt: newest?.createdAt,
    expiresAt: newest?.expiresAt,
    inviterUsername: newest?.inviterUsername,
    origin,
    onDestroy: onDestroySetting.effective(inputs),
  };
}

/**
 * @param declared what the program called the person when this was recorded
 * @param recorded only if a read found the person
 */
export function observationOf(
  id: string,
  origin: Origin,
  declared: string | undefined,
  recorded?: Identity,
): Observation {
  const names = [{ username: declared }];
  return { kind: "OrganizationMember", id, ownerId: splitId(id).ownerId, origin, names, recorded };
}

/** The person among those who are there: by the recorded account or invitation, then by name. */
export function personIn(
  people: OrganizationPeople,
  username: string,
  recorded?: Identity & Pick<OrganizationMemberState, "status">,
): Membership | undefined {
  const who = recorded === undefined ? { username } : recordedMemberIdentity(recorded, { username }, people);
  return membershipIn(people, who);
}

/**
 * A member keeps the known invitation while invitations cannot be read, because destroying deletes
 * it.
 */
export function membershipIn(
  { members, invitations }: OrganizationPeople,
  who: Identity,
): Membership | undefined {
  const person = findMembership(entriesOf(members), entriesOf(invitations), who);
  return person && invitations instanceof Refusal ? { ...person, invitationId: who.invitationId } : person;
}
