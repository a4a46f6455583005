/** The inputs of OrganizationMember and their validation. */
import { z } from "zod";
import type { Identity } from "../../access/person";
import type { Access } from "../../access/places";
import { RefusedError } from "../../text/errors";
import { checkedAs, type InputsOf, type KnownOf, type Present } from "../contract/border";
import { lowerId, sortedTexts } from "../contract/canonical";
import { checkedInputs } from "../contract/checked-inputs";
import { accessOf, organizationIn, personIn } from "../contract/declared";
import { objectId } from "../contract/fields";
import { removeByDefault } from "../contract/on-destroy";
import type { CheckRequest, CheckResult, Context } from "../contract/resource";
import { organizationRoles } from "../contract/roles";
import type { Properties } from "../contract/values";
import { roleFailures, roleList, usernameText, warnOfUnknownRoles } from "../people/inputs";
import { declaredTwice, membersOf } from "../people/member-claims";
import { Claims, isUrn } from "../session/claims";

export const onDestroySetting = removeByDefault(
  "What destroying does: `remove` removes the person from the organization, and so from its teams and projects, or deletes the invitation; `release` only removes the resource from the state.",
);

export const organizationMemberInputs = z.strictObject({
  orgId: objectId("the id of an organization").optional().meta({
    defaultText: "the setting `orgId`",
    description:
      "ID of the organization, 24 hexadecimal digits. If it changes, the person is invited to the new organization first and removed from the old one last.",
  }),
  username: usernameText().meta({
    description:
      "Name of the person, usually an email address; case does not count. If it changes to that of another person, the resource is replaced.",
  }),
  roles: roleList("a person", organizationRoles).meta({
    description:
      "Roles of the person in the organization, a set with at least one entry, such as `ORG_MEMBER`. An ORG_MEMBER that the service adds to others is no difference.",
  }),
  onDestroy: onDestroySetting.input,
});

/** Check adds the organization. */
export type OrganizationMemberInputs = Present<InputsOf<typeof organizationMemberInputs>, "orgId">;

/** Inputs of which nothing is unknown. */
export type KnownOrganizationMemberInputs = Present<KnownOf<typeof organizationMemberInputs>, "orgId">;

export const asOrganizationMemberInputs = checkedAs<OrganizationMemberInputs>;

export function check(request: CheckRequest): CheckResult {
  const { session, urn, log } = request.context;
  const forms = { orgId: lowerId, roles: sortedTexts };
  const checked = checkedInputs(organizationMemberInputs, forms, request, ({ roles }) =>
    roleFailures(roles, ["roles"], organizationRoles),
  );
  if (checked.failures.length > 0) return checked;
  warnOfUnknownRoles(checked.inputs.roles, log, organizationRoles);
  const { orgId, username } = checked.inputs;
  if (typeof orgId !== "string" || typeof username !== "string") return checked;
  const other = session.of(Claims).claim(membersOf(orgId, { username }), urn);
  if (other === undefined || !isUrn(urn)) return checked;
  return { ...checked, failures: [declaredTwice(username, `organization ${orgId}`, other)] };
}

/**
 * Claims what a resource has found or recorded of its person.
 *
 * @throws RefusedError if another resource has claimed the person
 */
export function claimFound(
  orgId: string,
  username: string,
  person: Identity,
  { session }: Pick<Context, "session">,
): void {
  const { userId, invitationId } = person;
  const found = membersOf(orgId, { userId, invitationId });
  const other = session.of(Claims).claimFound(membersOf(orgId, { username }), found);
  if (other !== undefined)
    throw new RefusedError(declaredTwice(username, `organization ${orgId}`, other).reason);
}

export function declares(inputs: Properties, state?: Properties): readonly Access[] {
  return accessOf(personIn(inputs, state), organizationIn(inputs), inputs.roles);
}
