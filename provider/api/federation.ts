/**
 * Calls about the federation of an organization of Cloud Manager with an identity provider. Ops Manager offers none of
 * them. They are documented for Organization Owner.
 */
import { z } from "zod";
import { operation } from "./client";

/** The federation of an organization, which several organizations may share. */
export const getFederation = operation((orgId: string) => ({
  action: `Reading the federation settings of organization ${orgId}`,
  method: "GET",
  path: ["orgs", orgId, "federationSettings"],
  // No document says how an organization without a federation looks.
  shape: z.object({ id: z.string().nullish(), hasRoleMappings: z.boolean().nullish().catch(undefined) }),
}));

const roleAssignment = z
  .object({ role: z.string(), orgId: z.string().nullish(), groupId: z.string().nullish() })
  .transform(({ role, orgId, groupId }) => ({
    role,
    /** ID of the organization or the project, in lower case. An assignment with both has the role of the one it belongs to. */
    placeId: ((role.startsWith("ORG_") ? orgId : groupId) ?? groupId ?? orgId)?.toLowerCase(),
  }));

const connectedOrganization = z.object({
  /** Which roles a group of the identity provider gives. A group may have several. */
  roleMappings: z
    .array(
      z.object({
        externalGroupName: z.string(),
        roleAssignments: z
          .array(roleAssignment)
          .nullish()
          .transform((all) => all ?? []),
      }),
    )
    .nullish(),
  /** Roles in the organization of everyone whom the identity provider lets in. */
  postAuthRoleGrants: z
    .array(z.string())
    .nullish()
    .transform((all) => all ?? []),
});

/** What the federation gives in one of its organizations. */
export const getConnectedOrganization = operation((federationId: string, orgId: string) => ({
  action: `Reading the federation of organization ${orgId}`,
  method: "GET",
  path: ["federationSettings", federationId, "connectedOrgConfigs", orgId],
  shape: connectedOrganization,
}));
