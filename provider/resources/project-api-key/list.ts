import { z } from "zod";
import { joinId } from "../../text/object-id";
import { projectIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";
import { keysOfProject } from "../reads/api-keys";

export const projectApiKeyListing = defineListing(
  z.strictObject({ projectId: projectIdInput }),
  async ({ projectId }, { session, signal }) => {
    const keys = await keysOfProject(session.client, projectId, signal);
    return keys.map(({ keyId, description, publicKey }) => ({
      id: joinId(projectId, keyId),
      name: description ?? publicKey,
    }));
  },
);
