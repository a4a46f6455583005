import { z } from "zod";
import { listApiKeys } from "../../api/api-keys";
import { joinId } from "../../text/object-id";
import { orgIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";

/** The name of a key is its description. The service shows no private key. */
export const apiKeyListing = defineListing(
  z.strictObject({ orgId: orgIdInput }),
  async ({ orgId }, { session, signal }) => {
    const keys = await listApiKeys(session.client, orgId, signal);
    return keys.map(({ keyId, description = "" }) => ({ id: joinId(orgId, keyId), name: description }));
  },
);
