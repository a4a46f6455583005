import { z } from "zod";
import { orgIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";
import { allMemberships } from "../people/memberships";
import { OrganizationPeopleCache, unknownInvitations } from "../people/organization-people";
import { isRefused } from "../people/project-people-cache";
import { organizationMemberId } from "./state";

/** Members and pending invitations, each person once. */
export const organizationMemberListing = defineListing(
  z.strictObject({ orgId: orgIdInput }),
  async ({ orgId }, { session, signal }) => {
    const people = await session.of(OrganizationPeopleCache).people.shared(orgId, signal);
    const refusal = isRefused(people.members) ? people.members : unknownInvitations(people, false);
    if (refusal !== undefined) throw refusal.error;
    return allMemberships(people).map(({ username }) => ({
      id: organizationMemberId(orgId, username),
      name: username,
    }));
  },
);
