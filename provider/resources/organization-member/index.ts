/** One person in one organization, invited or active. */
import type { Resource } from "../contract/resource";
import { remove } from "./delete";
import { diff } from "./diff";
import { check, declares, organizationMemberInputs } from "./inputs";
import { organizationMemberListing } from "./list";
import { read } from "./read";
import { organizationMemberOutputs } from "./state";
import { create, update } from "./write";

export const organizationMember: Resource<"OrganizationMember"> = {
  name: "OrganizationMember",
  description: `One person's membership in one organization: as a member, or invited and not yet accepted. Other members of the organization are not changed.

Creating invites the person, or adopts a person who is in the organization or invited already and gives them the declared roles. Destroying removes the person from the organization, pending invitations included, unless \`onDestroy\` is \`release\`. Who leaves an organization also leaves its teams and projects; the account stays. The only owner of an organization is never removed or demoted.

Only Cloud Manager documents how roles of members are changed and how members are removed. Where the service does not offer it, these two are an error and change nothing; invitations work.`,
  importId: "`<orgId>/` and the username or the user id",
  inputs: organizationMemberInputs,
  listing: organizationMemberListing,
  outputs: organizationMemberOutputs,
  check,
  diff,
  declares,
  create,
  read,
  update,
  delete: remove,
  duties: {
    whenRemoved:
      'the person leaves the organization, with their roles in its projects and their place in its teams; with `onDestroy: "release"` they stay. If the service does not offer the removal of people, nothing changes, with an error',
    counted: "the person, in the organization and in each project and team",
    whenDeletedFirst:
      "the person leaves the organization and is invited again, and has to accept; who has access in a project or team of it stays, with an error",
    withFourOperations: "cannot be created",
    identifiedBy: ["orgId", "username"],
  },
  subject: ({ orgId, username }) => [orgId, username].filter((text) => typeof text === "string").join("/"),
  // The person is invited again.
  restoredBy: () => "update",
  changesByItself: ({ status }) => status === "pending",
};
