import { gitHash } from "../render";
import type { Call, Reply, Route } from "../router";
import { agentKeyRoutes } from "./agent-keys";
import { invitationRoutes } from "./invitations";
import { organizationRoutes } from "./organizations";
import { projectRoutes } from "./projects";
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
];

function getRoot(call: Call): Reply {
  const links = [{ rel: "self", href: call.apiUrl }];
  return { status: 200, body: { appName: "MongoDB Ops Manager", build: gitHash, throttling: false, links } };
}
