import { isOwner, readableProject } from "../access";
import { refuse } from "../errors";
import { isId, newAgentApiKey, newId } from "../ids";
import type { AgentKey, Project } from "../model";
import type { Call, Reply, Route } from "../router";
import { agentKeyView } from "../views";
import { readBody } from "./body";
import { deletionReply } from "./deletion";

/** Longest description (documentation of the agent API keys). */
const MOST_CHARACTERS = 1000;

const requestedProject = (call: Call): Project =>
  readableProject(call.world, call.key, call.param("groupId"));

function ownedProject(call: Call): Project {
  const project = requestedProject(call);
  if (!isOwner(call.key, project)) throw refuse.unauthorized();
  return project;
}

function listAgentKeys(call: Call): Reply {
  const { agentKeyList } = call.world.switches;
  const views = requestedProject(call).agentKeys.map((key) => agentKeyView(call, key, maskedKey(key)));
  // The documented list is a bare array without pages.
  if (agentKeyList === "array") return { status: 200, body: views };
  return { status: 200, isList: true, body: { links: [], results: views, totalCount: views.length } };
}

/** 28 asterisks and the last four characters. */
const maskedKey = ({ key }: AgentKey): string => `${"*".repeat(28)}${key.slice(-4)}`;

function createAgentKey(call: Call): Reply {
  const { store, clock, switches } = call.world;
  const project = ownedProject(call);
  const desc = readBody(call.body, ["_id", "key"], (fields) => fields.text("desc") ?? "");
  const isTaken = project.agentKeys.some((key) => key.desc === desc);
  const isRefused =
    desc.length > MOST_CHARACTERS ||
    (switches.agentKeyDesc !== "any" && desc.trim() === "") ||
    (switches.agentKeyDesc === "unique" && isTaken);
  if (isRefused) throw refuse.invalidAttribute("desc");
  const most = switches.maxAgentKeys;
  if (most > 0 && project.agentKeys.length >= most) throw refuse.tooManyAgentKeys(most);
  const made: AgentKey = {
    id: newId(),
    key: newAgentApiKey(),
    desc,
    createdBy: "PUBLIC_API",
    createdTime: clock.now(),
    createdIpAddr: "127.0.0.1",
  };
  store.projects.put({ ...project, agentKeys: [...project.agentKeys, made] });
  const shown = switches.agentKeyInAnswer ? made.key : undefined;
  return { status: Number(switches.agentKeyStatus), body: agentKeyView(call, made, shown) };
}

function deleteAgentKey(call: Call): Reply {
  const { store, switches } = call.world;
  const project = ownedProject(call);
  const id = call.param("keyId");
  const others = project.agentKeys.filter((key) => key.id !== id.toLowerCase());
  if (!isId(id) || others.length === project.agentKeys.length) {
    throw switches.unknownAgentKey === "INVALID_KEY_ID"
      ? refuse.invalidKeyId(id)
      : refuse.resourceNotFound(call.path);
  }
  if (others.length === 0 && switches.lastAgentKey === "keep") throw refuse.unauthorized();
  store.projects.put({ ...project, agentKeys: others });
  return deletionReply(switches.deleteAgentKeyStatus, switches);
}

export const agentKeyRoutes: readonly Route[] = [
  { method: "GET", pattern: "/groups/{groupId}/agentapikeys", handle: listAgentKeys },
  { method: "POST", pattern: "/groups/{groupId}/agentapikeys", handle: createAgentKey },
  { method: "DELETE", pattern: "/groups/{groupId}/agentapikeys/{keyId}", handle: deleteAgentKey },
];
