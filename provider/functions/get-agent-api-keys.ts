/** The agent API keys of one project, without the keys themselves. */
import { z } from "zod";
import { listAgentKeys } from "../api/agent-keys";
import { optionalText, projectIdInput, requiredText } from "../resources/contract/fields";
import { inOrder } from "../resources/contract/values";
import { defineLookup } from "./lookup";

const key = z
  .object({
    keyId: requiredText("ID of the key, 24 hexadecimal digits."),
    description: optionalText("What the key is for."),
    keySuffix: optionalText("The last four characters of the key. The service masks the others."),
    createdAt: optionalText("When the key was created: ISO 8601, UTC."),
    createdBy: optionalText(
      "What created the key, such as `USER`, `PUBLIC_API` or `PROVISIONING`. A key that `AgentApiKey` created has `PUBLIC_API`.",
    ),
  })
  .meta({ typeName: "ProjectAgentApiKey", description: "An agent API key of a project, masked." });

export const getAgentApiKeys = defineLookup({
  name: "getAgentApiKeys",
  description:
    "Looks up all agent API keys of a project, also those that others created. The service masks the keys: only their last four characters are returned. Needs an API key with the role Project Read Only.",
  inputs: z.strictObject({ projectId: projectIdInput }),
  outputs: z.object({
    projectId: requiredText("ID of the project, 24 hexadecimal digits."),
    keys: z.array(key).meta({ description: "All keys, sorted by id." }),
  }),
  async invoke({ args: { projectId }, context }) {
    const responses = await listAgentKeys(context.session.client, projectId, context.signal);
    const keys = responses
      .map(({ keyId, description, keySuffix, createdAt, createdBy }) => {
        return { keyId, description, keySuffix, createdAt, createdBy };
      })
      .sort((one, other) => inOrder(one.keyId, other.keyId));
    return { projectId, keys };
  },
});
