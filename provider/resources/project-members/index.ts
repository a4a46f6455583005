/**
 * The people of one project: the declared ones and, if the program requires it, no others. Limits
 * protect people from removal.
 */

import type { Difference } from "../difference";
import { sameName } from "../membership/membership";
import { ignoresProperty } from "../property-path";
import type { DiffRequest, Resource } from "../resource";
import { destroyMemberList } from "./delete";
import { memberListDifferences } from "./diff";
import { asMemberListInputs, checkProjectMembers, projectMembersInputs } from "./inputs";
import { readMemberList } from "./read";
import { asMemberListState, type MemberListState, observationOf, projectMembersOutputs } from "./state";
import { create, update } from "./write";

export const projectMembers: Resource<"ProjectMembers"> = {
  name: "ProjectMembers",
  description: `The people of one project: members and pending invitations, with their roles.

Creating and updating add or invite the declared people. A person who was declared and leaves \`members\` is removed. People whom this resource never declared stay, unless \`removeUnlisted\` is \`true\`: then they are removed, and show as drift. Additions come first and removals last, never more than \`maxRemovals\` and never the last owner. People whom \`ignoreUsers\` matches, and those who are members only through a team or the organization, are not changed. Destroying removes no one, unless \`onDestroy\` is \`remove\`.

Use \`ProjectMember\` instead to manage some people beside others whom the program does not know; never both for one project.`,
  importId: "id of the project, 24 hexadecimal digits",
  inputs: projectMembersInputs,
  outputs: projectMembersOutputs,
  repeats: { memberDetails: "members" },
  maps: ["members"],
  check: checkProjectMembers,
  diff,
  create,
  read: readMemberList,
  update,
  delete: destroyMemberList,
  // The people are added or invited again.
  restoredBy: () => "update",
  changesByItself: (state) =>
    asMemberListState(state, "").memberDetails.some(
      ({ status, ignored }) => status === "pending" && !ignored,
    ),
};

function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asMemberListState(state, id);
  context.session.observations.record(context.urn, observationOf(recorded));
  const { projectId, members } = asMemberListInputs(inputs);
  if (projectId === recorded.projectId && typeof members === "object") {
    claimRecorded(recorded, Object.keys(members), context);
  }
  return memberListDifferences(
    recorded,
    asMemberListInputs(inputs),
    asMemberListInputs(oldInputs),
    ignoresProperty(ignoreChanges),
  );
}

/**
 * Claims the recorded identities. Check knows only the names of the program, and another resource
 * may have recorded the same person by others. A refresh calls Diff before any Check, so it claims
 * none.
 */
function claimRecorded(
  { projectId, memberDetails }: MemberListState,
  names: readonly string[],
  { session }: DiffRequest["context"],
): void {
  const holder = session.claims.declarerOfAll(projectId);
  if (holder === undefined) return;
  for (const detail of memberDetails) {
    const { username, declaredAs, declared } = detail;
    // Only ids distinguish an unlisted account from a listed one that has its former name.
    if (!declared) continue;
    const isNamed = names.some((name) => sameName(name, username) || sameName(name, declaredAs));
    if (isNamed) session.claims.claimMember(holder, projectId, detail);
  }
}
