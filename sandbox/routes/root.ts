import { gitHash } from "../render";
import type { Call, Reply, Route } from "../router";

function getRoot(call: Call): Reply {
  const links = [{ rel: "self", href: call.apiUrl }];
  return { status: 200, body: { appName: "MongoDB Ops Manager", build: gitHash, throttling: false, links } };
}

export const rootRoutes: readonly Route[] = [{ method: "GET", pattern: "/", handle: getRoot }];
