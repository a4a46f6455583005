import { gitHash } from "../render";
import type { Call, Reply, Route } from "../router";
import { agentKeyRoutes } from "./agent-keys";
import { apiKeyRoutes } from "./api-keys";
import { eventRoutes } from "./events";
import { invitationRoutes } from "./invitations";
import { organizationRoutes } from "./organizations";
import { projectRoutes } from "./projects";
import { serviceAccountRoutes } from "./service-accounts";
import { teamRoutes } from "./teams";
import { userRoutes } from "./users";

const rootRoutes: readonly Route[] = [{ method: "GET", pattern: "/", handle: getRoot }];

/** THE list of operations. */
export const routes: readonly Route[] = [
  ...rootRoutes,
  ...projectRoutes,
  ...userRoutes,
  ...invitationRoutes,
  ...organizationRoutes,
  ...teamRoutes,
  ...agentKeyRoutes,
  ...apiKeyRoutes,
  ...serviceAccountRoutes,
  ...eventRoutes,
];

function getRoot(call: Call): Reply {
  const links = [{ rel: "self", href: call.apiUrl }];
  const { key } = call;
  // Atlas shows the caller's key there. No document of Ops Manager or Cloud Manager names it.
  const isShown = call.world.switches.rootApiKey && "publicKey" in key;
  const apiKey = isShown
    ? { apiKey: { id: key.id, publicKey: key.publicKey, accessList: [], roles: key.roles } }
    : {};
  const facts = { appName: "MongoDB Ops Manager", build: gitHash, throttling: false };
  return { status: 200, body: { ...facts, ...apiKey, links } };
}
