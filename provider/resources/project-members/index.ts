/**
 * The people of one project: the declared ones and, if the program requires it, no others. Limits
 * protect people from removal.
 */

import { z } from "zod";
import { getProject } from "../../api/projects";
import { nothingElse } from "../contract/declared";
import { projectIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";
import type { Resource } from "../contract/resource";
import { remove } from "./delete";
import { diff, remark } from "./diff";
import { check, declares, projectMembersInputs } from "./inputs";
import { readPeople } from "./plan";
import { read } from "./read";
import { asMemberListState, projectMembersOutputs } from "./state";
import { create, update } from "./write";

/** One list for each project: the people of the project are one object. */
const listing = defineListing(
  z.strictObject({ projectId: projectIdInput }),
  async ({ projectId }, { session, signal }) => {
    const { id, name } = await getProject(session.client, projectId, signal);
    return [{ id, name }];
  },
);

export const projectMembers: Resource<"ProjectMembers"> = {
  name: "ProjectMembers",
  description: `The people of one project: members and pending invitations, with their roles.

Creating and updating add or invite the declared people, and remove those who have left \`members\`. People whom this resource never declared stay, and each preview names them, unless \`removeUnlisted\` is \`true\`. Removals come last, never more than \`maxRemovals\` and never the last direct owner. People whom \`ignoreUsers\` matches, and those who are members only through a team or the organization, are left alone. Destroying removes nobody, unless \`onDestroy\` is \`remove\`.

To manage only some people of a project, use \`ProjectMember\` instead. Never use both for one project.`,
  inputs: projectMembersInputs,
  listing,
  outputs: projectMembersOutputs,
  repeats: { memberDetails: "members", until: "members", ends: "members" },
  maps: ["members", "until", "ended"],
  check,
  diff,
  declares,
  deletes: nothingElse,
  readPeople,
  remark,
  create,
  read,
  update,
  delete: remove,
  duties: {
    whenRemoved: 'Everyone stays. With `onDestroy: "remove"`, the declared people leave the project.',
    counted: "each person",
    whenDeletedFirst:
      'Nothing happens to the people. With `onDestroy: "remove"`, they leave and are added or invited again, as with `ProjectMember`.',
    withFourOperations: "Cannot be created.",
    identifiedBy: ["projectId"],
  },
  subject: ({ projectId }) => String(projectId),
  // The people are added or invited again.
  restoredBy: () => "update",
  changesByItself: (state) =>
    asMemberListState(state, "").memberDetails.some(
      ({ status, ignored }) => status === "pending" && !ignored,
    ),
};
