/** The provider's client with the access token of a service account in the place of Digest. */
import { createClient } from "../../../../provider/api/client";
import { getProject } from "../../../../provider/api/projects";
import { resolveSettings } from "../../../../provider/settings/config";
import { serveLoad } from "../load";

serveLoad(({ baseUrl, publicKey, privateKey, projectId, atOnce }) => {
  const account = { clientId: publicKey, clientSecret: privateKey, tokenUrl: `${baseUrl}/token` };
  const args = { baseUrl, ...account, maxConcurrentRequests: atOnce };
  const settings = resolveSettings({ args, env: {}, isDefaultProvider: false, directory: __dirname });
  const client = createClient(settings, () => {});
  return { read: () => getProject(client, projectId), close: () => client.close() };
});
