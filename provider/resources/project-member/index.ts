/**
 * One person in one project, invited or active.
 *
 * Each operation searches for the person first: by account, then by name, then among the pending
 * invitations. So an invitation that was accepted, deleted or has expired is never mistaken for
 * another person.
 */

import type { Difference } from "../difference";
import type { Identity } from "../membership/membership";
import { ignoresProperty } from "../property-path";
import type { CreateRequest, DiffRequest, Resource } from "../resource";
import type { Properties } from "../values";
import { destroyMember } from "./delete";
import { memberDifferences, staysTheSame } from "./diff";
import { asMemberInputs, checkProjectMember, declaredIdentity, projectMemberInputs } from "./inputs";
import { importMember, readMember } from "./read";
import { asMemberState, type MemberState, observationOf, projectMemberOutputs } from "./state";
import { create, update } from "./write";

export const projectMember: Resource<"ProjectMember"> = {
  name: "ProjectMember",
  description: `One person's place in one project: as a member, or invited and not yet accepted. Other members of the project are not changed.

Creating adds or invites the person, or adopts a person who is in the project or invited already and gives them the declared roles. An accepted invitation is the same person: no second invitation, no difference. Destroying removes the person from the project, pending invitations included, unless \`onDestroy\` is \`release\`; the account stays. This includes an adopted person: if you remove the resource from the program, the person is removed from the project.

Use \`ProjectMembers\` instead if one list decides who is in the project; never both for one project.`,
  importId: "`<projectId>/` and the username, the user id or the invitation id",
  inputs: projectMemberInputs,
  outputs: projectMemberOutputs,
  check: checkProjectMember,
  diff,
  create: (request) => during(request, request.inputs, () => create(request)),
  read: (request) =>
    request.state === undefined || request.oldInputs === undefined
      ? importMember(request.id, request.context)
      : readMember(request.id, request.state, request.oldInputs, request.context),
  update: (request) => during(request, request.state, () => update(request)),
  delete: (request) => during(request, request.state, () => destroyMember(request)),
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
    ? context.session.peopleCache.during(projectId, operation)
    : operation();
}

function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asMemberState(state, id);
  context.session.observations.record(
    context.urn,
    observationOf(id, recorded.origin, asMemberInputs(oldInputs), recorded),
  );
  const differences = memberDifferences(
    recorded,
    asMemberInputs(inputs),
    asMemberInputs(oldInputs),
    ignoresProperty(ignoreChanges),
  );
  if (staysTheSame(differences)) claimRecorded(recorded, declaredIdentity(asMemberInputs(inputs)), context);
  return differences;
}

/**
 * Claims the recorded identities. Check knows only those of the program, and another resource may
 * have recorded the same person by others. A refresh calls Diff before any Check, so it claims
 * none.
 */
function claimRecorded(recorded: MemberState, declared: Identity, { session }: DiffRequest["context"]): void {
  const holder = session.claims.declarerOf(recorded.projectId, declared);
  if (holder === undefined) return;
  const { userId, invitationId, username } = recorded;
  // The name of an invitation is not the account's name for ever.
  const isVerified = declared.userId === undefined || recorded.status === "active";
  session.claims.claimMember(holder, recorded.projectId, {
    userId: userId ?? declared.userId,
    invitationId,
    username: isVerified ? username : undefined,
  });
}
