import { z } from "zod";
import { orgIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";
import { Refusal } from "../evidence/refusal";
import { allMemberships } from "../people/memberships";
import { OrganizationPeopleCache, unknownInvitations } from "../reads/organization-people";
import { organizationMemberId } from "./state";

/** Members and pending invitations, each person once. */
export const organizationMemberListing = defineListing(
  z.strictObject({ orgId: orgIdInput }),
  async ({ orgId }, { session, signal }) => {
    const people = await session.of(OrganizationPeopleCache).people.shared(orgId, signal);
    const refusal = people.members instanceof Refusal ? people.members : unknownInvitations(people, false);
    if (refusal !== undefined) throw refusal.error;
    return allMemberships(people).map(({ username }) => ({
      id: organizationMemberId(orgId, username),
      name: username,
    }));
  },
);
