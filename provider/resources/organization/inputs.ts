/** What a program declares of an organization, what is recorded of it, and what the service shows. Pure. */

import { z } from "zod";
import type { Access } from "../../access/places";
import type { OrganizationFields, OrganizationResponse } from "../../api/organizations";
import { checkedAs, type InputsOf, recordedAs, type StateOf } from "../contract/border";
import { lowerId, withForms, withoutNulls } from "../contract/canonical";
import { failuresOfProgram, locatedShapeFailures } from "../contract/check";
import { organizationIn } from "../contract/declared";
import { nameText, objectId, requiredText } from "../contract/fields";
import { organizationFailures, withOrganization } from "../contract/organization";
import type { CheckRequest, CheckResult } from "../contract/resource";
import { organizationRoles } from "../contract/roles";
import { type Properties, withoutUndefined } from "../contract/values";
import {
  canonicalMappings,
  groupsWithAccess,
  mappingFailures,
  mappingInputs,
  warnOfDoubtfulMappings,
} from "../managed/group-mappings";
import { managedMappings } from "../managed/mapping-properties";
import { ManagedProperties, managedName } from "../managed/properties";
import { Claims, type Subject } from "../session/claims";

const CLEARING = "`[]` removes all of them, unless one of them is for `ORG_OWNER`.";

export const organizationInputs = z.strictObject({
  orgId: objectId("the id of an organization").optional().meta({
    defaultText: "the setting `orgId`",
    description:
      "ID of the organization to adopt, 24 hexadecimal digits. If it changes, the resource adopts the other organization and releases this one.",
  }),
  name: nameText()
    .optional()
    .meta({ description: "Name of the organization. If omitted, the name is not managed." }),
  ...mappingInputs(organizationRoles, { ldap: CLEARING, idp: CLEARING }),
});

/** Outputs beside those that hold the live value of an input. */
export const organizationOutputs = z.object({
  orgId: requiredText("ID of the organization, 24 hexadecimal digits."),
  name: requiredText("Name of the organization in the service."),
  origin: z.enum(["adopted", "imported"]).meta({
    description: "How the organization came into this stack.",
  }),
  onDestroy: z.enum(["release"]).meta({
    description: "What destroying will do: it always leaves the organization in the service.",
  }),
});

export type OrganizationInputs = InputsOf<typeof organizationInputs>;
export type OrganizationState = StateOf<typeof organizationInputs, typeof organizationOutputs>;

export const asOrganizationInputs = checkedAs<OrganizationInputs>;

export function asOrganizationState(state: Properties, id: string): OrganizationState {
  return { ...toState({ orgId: id, name: "" }, "adopted"), ...recordedAs<OrganizationState>(state) };
}

export const managed = new ManagedProperties<OrganizationFields, OrganizationResponse, OrganizationInputs>({
  name: managedName,
  ...managedMappings,
});

/** What the service shows of an organization, in our form. */
export type LiveOrganization = Omit<OrganizationState, "origin" | "onDestroy">;

export function toLive(response: OrganizationResponse): LiveOrganization {
  return withoutUndefined({
    ...managed.shown(response),
    orgId: response.id.toLowerCase(),
    name: response.name,
  });
}

export function toState(live: LiveOrganization, origin: OrganizationState["origin"]): OrganizationState {
  return { ...live, origin, onDestroy: "release" };
}

export function check(request: CheckRequest): CheckResult {
  const { inputs, oldInputs, context } = request;
  const given = withOrganization(withoutNulls(inputs), context.session, oldInputs);
  const shape = failuresOfProgram(
    [...locatedShapeFailures(organizationInputs, given), ...organizationFailures(given)],
    request,
  );
  const failures = [...shape, ...failuresOfProgram(mappingFailures(given, organizationRoles), request)];
  if (shape.length > 0) return { inputs: given, failures };
  const canonical = withForms(given, { orgId: lowerId, ...canonicalMappings });
  if (failures.length > 0) return { inputs: canonical, failures };
  warnOfDoubtfulMappings(canonical, organizationRoles, context.log);
  claim(canonical.orgId, context);
  return { inputs: canonical, failures };
}

/** Two resources of one organization are possible, such as one for its name and one for its mappings. */
export function claim(
  orgId: unknown,
  { session, urn, log }: Pick<CheckRequest["context"], "session" | "urn" | "log">,
): void {
  if (typeof orgId !== "string") return;
  const subject: Subject = [["organization", orgId]];
  const other = session.of(Claims).take(subject, urn);
  if (other === undefined) return;
  log.warn(
    `Organization ${orgId} is also declared by ${other}: each will revert the other's changes of the same property.`,
  );
}

/** The groups to which the organization's mappings give roles. */
export function declares(inputs: Properties): readonly Access[] {
  const place = organizationIn(inputs);
  return place === undefined ? [] : groupsWithAccess(inputs, place);
}
