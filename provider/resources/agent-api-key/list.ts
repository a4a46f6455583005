import { z } from "zod";
import { listAgentKeys } from "../../api/agent-keys";
import { joinId } from "../../text/object-id";
import { projectIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";

/** The name of a key is its description. The service shows no key itself. */
export const agentApiKeyListing = defineListing(
  z.strictObject({ projectId: projectIdInput }),
  async ({ projectId }, { session, signal }) => {
    const keys = await listAgentKeys(session.client, projectId, signal);
    return keys.map(({ keyId, description = "" }) => ({ id: joinId(projectId, keyId), name: description }));
  },
);
