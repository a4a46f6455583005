/** The provider's client, with all of its layers, as the resources use it. */
import { createClient } from "../../../../provider/api/client";
import { getProject } from "../../../../provider/api/projects";
import { resolveSettings } from "../../../../provider/settings/config";
import { serveLoad } from "../load";

serveLoad(({ baseUrl, publicKey, privateKey, projectId, atOnce }) => {
  const args = { baseUrl, publicKey, privateKey, maxConcurrentRequests: atOnce };
  const settings = resolveSettings({ args, env: {}, isDefaultProvider: false, directory: __dirname });
  const client = createClient(settings, () => {});
  return { read: () => getProject(client, projectId), close: () => client.close() };
});
