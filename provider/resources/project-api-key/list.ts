import { z } from "zod";
import { listApiKeysOfProject } from "../../api/api-keys";
import { joinId } from "../../text/object-id";
import { projectIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";
import { entriesOf } from "../people/api-keys";

export const projectApiKeyListing = defineListing(
  z.strictObject({ projectId: projectIdInput }),
  async ({ projectId }, { session, signal }) => {
    const keys = entriesOf(await listApiKeysOfProject(session.client, projectId, signal), projectId);
    return keys.map(({ keyId, description, publicKey }) => ({
      id: joinId(projectId, keyId),
      name: description ?? publicKey,
    }));
  },
);
