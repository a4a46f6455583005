/** One organization, adopted by its ID: its name and its group mappings. */

import { z } from "zod";
import { listOrganizations } from "../../api/organizations";
import { nothingElse } from "../contract/declared";
import { placeDifferences } from "../contract/difference";
import { defineListing } from "../contract/listing";
import { ignoresProperty } from "../contract/property-path";
import type { Resource } from "../contract/resource";
import {
  asOrganizationInputs,
  asOrganizationState,
  check,
  declares,
  managed,
  organizationInputs,
  organizationOutputs,
} from "./inputs";
import { read } from "./read";
import { create, update } from "./write";

export const organization: Resource<"Organization"> = {
  name: "Organization",
  description: `An organization of Ops Manager or Cloud Manager, adopted by its ID: its name, and the LDAP or identity provider groups that have roles in it. It is never created or deleted, and destroying the resource leaves it as it is.

Only declared properties are managed. If you leave a property out or remove it, the service keeps its value. A declared list of mappings is all that there is: an update removes every other mapping from it.

A group that is mapped to \`ORG_OWNER\` owns every project of the organization. An update keeps at least one of the groups that own it now, because nobody can tell whether another group has members. To exchange the only one, add the new group first.

Some services may let only Global User Admin write the mappings.`,
  inputs: organizationInputs,
  listing: defineListing(z.strictObject({}), async (_, { session, signal }) => {
    const organizations = await listOrganizations(session.client, signal);
    return organizations.map(({ id, name }) => ({ id, name }));
  }),
  outputs: organizationOutputs,
  check,
  diff({ id, state, oldInputs, inputs, ignoreChanges }) {
    const recorded = asOrganizationState(state, id);
    const [before, declared] = [asOrganizationInputs(oldInputs), asOrganizationInputs(inputs)];
    const isIgnored = ignoresProperty(ignoreChanges);
    return [
      ...placeDifferences("orgId", recorded.orgId, declared.orgId),
      ...managed.differences(recorded, declared),
      ...managed.unmanaged(declared, before),
    ].filter(({ path }) => !isIgnored(String(path[0])));
  },
  declares,
  deletes: nothingElse,
  create,
  read,
  update,
  delete: async ({ id, state, context }) => {
    const { name } = asOrganizationState(state, id);
    context.log.info(
      `Organization ${id} ("${name}") was released: it stays in the service with its name and mappings.`,
    );
  },
  duties: {
    whenRemoved: "The organization stays as it is, with its name and mappings.",
    counted: "nothing",
    whenDeletedFirst: "It is released and adopted again.",
    withFourOperations: "Cannot be adopted.",
    identifiedBy: ["orgId"],
  },
  subject: ({ orgId }) => String(orgId),
  // It cannot be created, so its absence is an error of Read.
  restoredBy: () => "update",
};
