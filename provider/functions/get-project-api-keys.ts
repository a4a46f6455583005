import { z } from "zod";
import { optionalText, projectIdInput, requiredText, roleTexts } from "../resources/contract/fields";
import { inOrder } from "../resources/contract/values";
import { keysOfProject } from "../resources/reads/api-keys";
import { defineLookup } from "./lookup";

const projectKey = z
  .object({
    keyId: requiredText("ID of the key, 24 hexadecimal digits."),
    description: optionalText("What the key is for."),
    publicKey: requiredText("The public key: the name with which programs authenticate."),
    roles: roleTexts("Project roles of the key, sorted."),
  })
  .meta({ typeName: "ProjectApiKeyRoles", description: "An API key that has roles in a project." });

export const getProjectApiKeys = defineLookup({
  name: "getProjectApiKeys",
  description:
    "Looks up the programmatic API keys that have roles in a project; none is an empty list. Keys with roles in the organization alone are not included. Needs an API key with any role in the project.",
  inputs: z.strictObject({ projectId: projectIdInput }),
  outputs: z.object({
    projectId: requiredText("ID of the project, 24 hexadecimal digits."),
    keys: z.array(projectKey).meta({ description: "The keys, sorted by id." }),
  }),
  async invoke({ args: { projectId }, context }) {
    const keys = await keysOfProject(context.session.client, projectId, context.signal);
    return { projectId, keys: keys.sort((one, other) => inOrder(one.keyId, other.keyId)) };
  },
});
