/** The inputs of ProjectMember and their validation. */

import { z } from "zod";
import type { Identity } from "../../access/person";
import type { Access } from "../../access/places";
import { checkedAs, type InputsOf } from "../contract/border";
import { lowerId, sortedTexts } from "../contract/canonical";
import type { CheckFailure } from "../contract/check";
import { checkedInputs } from "../contract/checked-inputs";
import { accessOf, personIn, projectIn } from "../contract/declared";
import { objectId } from "../contract/fields";
import { removeByDefault } from "../contract/on-destroy";
import type { CheckRequest, CheckResult } from "../contract/resource";
import { known, type Properties } from "../contract/values";
import { roleFailures, roleList, usernameText, warnOfUnknownRoles } from "../people/inputs";
import { claimDeclared } from "../people/member-claims";

export const onDestroySetting = removeByDefault(
  "What destroying does: `remove` removes the person from the project or deletes the invitation; `release` only removes the resource from the state.",
);

export const projectMemberInputs = z.strictObject({
  projectId: objectId("the id of a project").meta({
    description:
      "ID of the project, 24 hexadecimal digits. If it changes, the person is added to the new project first and removed from the old one last.",
  }),
  username: usernameText().optional().meta({
    description:
      "Name of the person, usually an email address; case does not count. One of `username`, `userId` and `invitationId` is needed; more than one must mean the same person.",
  }),
  userId: objectId("the id of a user").optional().meta({
    description: "ID of an existing account, 24 hexadecimal digits, in place of `username`.",
  }),
  invitationId: objectId("the id of an invitation").optional().meta({
    description: "ID of a pending invitation to take over, 24 hexadecimal digits, in place of `username`.",
  }),
  roles: roleList().optional().meta({
    description:
      "Project roles of the person, a set with at least one entry, such as `GROUP_READ_ONLY`. Required with `username`. With an ID and without `roles`, the roles are not managed.",
  }),
  onDestroy: onDestroySetting.input,
});

export type MemberInputs = InputsOf<typeof projectMemberInputs>;

export const asMemberInputs = checkedAs<MemberInputs>;

/** The identity that the program declares, as far as it is known. */
export function declaredIdentity({ username, userId, invitationId }: Partial<MemberInputs>): Identity {
  return { username: known(username), userId: known(userId), invitationId: known(invitationId) };
}

export function check(request: CheckRequest): CheckResult {
  const { context } = request;
  const forms = { projectId: lowerId, userId: lowerId, invitationId: lowerId, roles: sortedTexts };
  const checked = checkedInputs(projectMemberInputs, forms, request, (given) => [
    ...identityFailures(given),
    ...roleFailures(given.roles, ["roles"]),
  ]);
  if (checked.failures.length > 0) return checked;
  warnOfUnknownRoles(checked.inputs.roles, context.log);
  const { projectId, ...declared } = asMemberInputs(checked.inputs);
  if (typeof projectId !== "string") return checked;
  const rival = claimDeclared(declaredIdentity(declared), { ...context, projectId });
  return rival === undefined ? checked : { ...checked, failures: [rival] };
}

function identityFailures(inputs: Properties): CheckFailure[] {
  const { username, userId, invitationId, roles } = inputs;
  if (username === undefined && userId === undefined && invitationId === undefined) {
    const reason = "One of username, userId and invitationId is required to identify the person.";
    return [{ property: "", reason }];
  }
  if (roles !== undefined || userId !== undefined || invitationId !== undefined) return [];
  const person = typeof username === "string" ? username : "the person";
  const reason = `roles is missing: set the roles of ${person} in the project, such as ["GROUP_READ_ONLY"].`;
  return [{ property: "roles", reason }];
}

export function declares(inputs: Properties, state?: Properties): readonly Access[] {
  return accessOf(personIn(inputs, state), projectIn(inputs, state), inputs.roles);
}
