/**
 * One person in one project, invited or active.
 *
 * Each operation searches for the person first: by account, then by name, then among the pending
 * invitations. So an invitation that was accepted, deleted or has expired is never mistaken for
 * another person.
 */

import type { CreateRequest, Resource } from "../contract/resource";
import type { Properties } from "../contract/values";
import { ProjectPeopleCache } from "../reads/project-people";
import { remove } from "./delete";
import { diff } from "./diff";
import { check, declares, projectMemberInputs } from "./inputs";
import { memberListing } from "./list";
import { read } from "./read";
import { projectMemberOutputs } from "./state";
import { create, update } from "./write";

export const projectMember: Resource<"ProjectMember"> = {
  name: "ProjectMember",
  description: `One person's membership in one project: as a member, or invited and not yet accepted. Other members of the project are not changed.

Creating adds or invites the person, or adopts a person who is in the project or invited already and gives them the declared roles. An accepted invitation is the same person: no second invitation, no difference. Destroying removes the person from the project, pending invitations included, unless \`onDestroy\` is \`release\`; the account stays. This includes an adopted person: if you remove the resource from the program, the person is removed from the project.

Use \`ProjectMembers\` instead if one list decides who is in the project; never both for one project.`,
  importId: "`<projectId>/` and the username, the user id or the invitation id",
  inputs: projectMemberInputs,
  listing: memberListing,
  outputs: projectMemberOutputs,
  check,
  diff,
  declares,
  create: (request) => during(request, request.inputs, () => create(request)),
  read,
  update: (request) => during(request, request.state, () => update(request)),
  delete: (request) => during(request, request.state, () => remove(request)),
  duties: {
    whenRemoved:
      'the person leaves the project, even if adopted, with every pending invitation; with `onDestroy: "release"` they stay',
    counted: "the person",
    whenDeletedFirst:
      "the person leaves the project and is added or invited again, and an invited account has to accept; one given by `invitationId` alone is retained. The old name of a renamed account is invited, so write the new name into the program first",
    withFourOperations:
      "works with `userId` or `invitationId`, without `roles`: the `status` of a user is `unverified`; an invitation is `pending`, and no operation shows whether it was accepted; destroying removes the user or revokes the invitation",
    identifiedBy: ["projectId", "username", "userId", "invitationId"],
  },
  subject: ({ projectId, username, userId, invitationId }) => {
    const person = [username, userId, invitationId].find((text) => typeof text === "string");
    return [String(projectId), ...(person === undefined ? [] : [person])].join("/");
  },
  // The people are added or invited again.
  restoredBy: () => "update",
  changesByItself: ({ status }) => status === "pending",
};

/** Operations on people of one project share reads. An unknown project is not read. */
function during<T>(
  { context }: Pick<CreateRequest, "context">,
  { projectId }: Properties,
  operation: () => Promise<T>,
): Promise<T> {
  return typeof projectId === "string"
    ? context.session.of(ProjectPeopleCache).during(projectId, operation)
    : operation();
}
