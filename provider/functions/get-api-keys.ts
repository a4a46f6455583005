/** The API keys of one organization, without their private keys. */
import { z } from "zod";
import { listApiKeys } from "../api/api-keys";
import { optionalText, requiredText, roleTexts } from "../resources/contract/fields";
import { organizationFailures, orgIdOrSetting } from "../resources/contract/organization";
import { organizationRoles, rolesAmong } from "../resources/contract/roles";
import { inOrder } from "../resources/contract/values";
import { defineLookup } from "./lookup";

const projectRolesOfKey = z
  .object({
    projectId: requiredText("ID of the project, 24 hexadecimal digits."),
    roles: roleTexts("Project roles of the key, sorted."),
  })
  .meta({ typeName: "ApiKeyProjectRoles", description: "The roles of an API key in one project." });

const apiKeySummary = z
  .object({
    keyId: requiredText("ID of the key, 24 hexadecimal digits."),
    description: optionalText("What the key is for."),
    publicKey: requiredText("The public key: the name with which programs authenticate."),
    roles: roleTexts("Roles in the organization, sorted.", organizationRoles),
    projects: z.array(projectRolesOfKey).meta({
      description: "The projects in which the key has roles, sorted by id.",
    }),
  })
  .meta({
    typeName: "ApiKeySummary",
    description: "An API key of an organization, without its private key.",
  });

export const getApiKeys = defineLookup({
  name: "getApiKeys",
  description:
    "Looks up all programmatic API keys of an organization with their roles, also those that others created. Global keys belong to no organization and are not included. Needs an API key with any role in the organization.",
  inputs: z.strictObject({ orgId: orgIdOrSetting }),
  outputs: z.object({
    orgId: requiredText("ID of the organization, 24 hexadecimal digits."),
    keys: z.array(apiKeySummary).meta({ description: "All keys, sorted by id." }),
  }),
  check: organizationFailures,
  async invoke({ args: { orgId = "" }, context }) {
    const responses = await listApiKeys(context.session.client, orgId, context.signal);
    const keys = responses
      .map(({ keyId, description, publicKey, roles }) => ({
        keyId,
        description,
        publicKey,
        roles: rolesAmong(roles, (role) => role.orgId === orgId),
        projects: [...new Set(roles.flatMap(({ projectId }) => projectId ?? []))]
          .sort(inOrder)
          .map((projectId) => ({
            projectId,
            roles: rolesAmong(roles, (role) => role.projectId === projectId),
          })),
      }))
      .sort((one, other) => inOrder(one.keyId, other.keyId));
    return { orgId, keys };
  },
});
