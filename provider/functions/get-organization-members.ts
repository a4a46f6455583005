/** All people of one organization, members and invitations. */
import { z } from "zod";
import { optionalText, requiredText, roleTexts } from "../resources/contract/fields";
import { organizationFailures, orgIdOrSetting } from "../resources/contract/organization";
import { memberOutputFields } from "../resources/contract/people-outputs";
import { organizationRoles } from "../resources/contract/roles";
import { Refusal } from "../resources/evidence/refusal";
import { allMemberships } from "../resources/people/memberships";
import { OrganizationPeopleCache, unknownInvitations } from "../resources/reads/organization-people";
import { toPersonOutput } from "./get-project-members";
import { defineLookup } from "./lookup";

const person = z
  .object({
    username: requiredText("Name of the person as the service spells it."),
    status: z
      .enum(["active", "pending"])
      .meta({ description: "`active`: a member. `pending`: invited, not yet accepted." }),
    roles: roleTexts("Roles in the organization, sorted; those that an invitation gives.", organizationRoles),
    ...memberOutputFields,
    inviterUsername: optionalText("User or API key that sent the pending invitation."),
  })
  .meta({
    typeName: "OrganizationPerson",
    description: "A person who is in an organization or invited to it.",
  });

export const getOrganizationMembers = defineLookup({
  name: "getOrganizationMembers",
  description:
    "Looks up all people in an organization: members and pending invitations. Needs an API key with the role Organization Owner; other keys may not see invitations.",
  inputs: z.strictObject({ orgId: orgIdOrSetting }),
  outputs: z.object({
    orgId: requiredText("ID of the organization, 24 hexadecimal digits."),
    members: z.array(person).meta({ description: "All people, sorted by username." }),
  }),
  check: organizationFailures,
  async invoke({ args: { orgId = "" }, context }) {
    const { session, signal } = context;
    const people = await session.of(OrganizationPeopleCache).read(orgId, "reading", signal);
    const refusal = people.members instanceof Refusal ? people.members : unknownInvitations(people, false);
    if (refusal !== undefined) throw refusal.error;
    return { orgId, members: allMemberships(people).map(toPersonOutput) };
  },
});
