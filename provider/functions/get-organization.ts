/** One organization, by its ID or by its name. */
import { z } from "zod";
import { listOrganizations } from "../api/organizations";
import { nameText, objectId, requiredText } from "../resources/contract/fields";
import { organizationRoles } from "../resources/contract/roles";
import { mappingOutputs } from "../resources/managed/group-mappings";
import { toLive } from "../resources/organization/inputs";
import { RefusedError } from "../text/errors";
import { defineLookup } from "./lookup";

export const getOrganization = defineLookup({
  name: "getOrganization",
  description:
    "Looks up an organization by its name or its id, with the groups that have roles in it. Needs an API key with any role in the organization.",
  inputs: z.strictObject({
    orgId: objectId("the id of an organization").optional().meta({
      defaultText: "the setting `orgId`, without `name`",
      description: "ID of the organization, 24 hexadecimal digits. Ignored with `name`.",
    }),
    name: nameText().optional().meta({ description: "Exact name of the organization." }),
  }),
  outputs: z.object({
    orgId: requiredText("ID of the organization, 24 hexadecimal digits."),
    name: requiredText("Name of the organization."),
    ...mappingOutputs(organizationRoles),
  }),
  check: ({ orgId, name }) =>
    orgId === undefined && name === undefined
      ? [{ property: "", reason: "orgId and name are missing. Give one of them." }]
      : [],
  async invoke({ args: { orgId, name }, context }) {
    const organizations = await listOrganizations(context.session.client, context.signal);
    const found = organizations.filter((organization) =>
      name === undefined ? organization.id === orgId : organization.name === name,
    );
    const [only, ...others] = found;
    const wanted = name === undefined ? `the id ${orgId}` : `the name "${name}"`;
    if (only === undefined) {
      throw new RefusedError(
        `The API key can see no organization with ${wanted}. Check it, or use another key.`,
      );
    }
    if (others.length > 0) {
      throw new RefusedError(
        `${found.length} organizations have ${wanted}: ${found.map(({ id }) => id).join(", ")}. Set orgId instead.`,
      );
    }
    return toLive(only);
  },
});
