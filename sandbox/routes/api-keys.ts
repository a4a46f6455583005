import {
  administeredProject,
  belongsTo,
  isGlobal,
  isOrgOwner,
  ownedOrg,
  readableOrg,
  readableProject,
} from "../access";
import { refuse } from "../errors";
import { blockOf, hasAddress } from "../key-access";
import { newKey } from "../make";
import type { AccessListEntry, ApiKey, Org, Project, RoleGrant } from "../model";
import { page } from "../paging";
import type { Call, Reply, Route } from "../router";
import type { World } from "../store";
import { apiKeyView } from "../views";
import { checkOrgRoles, checkProjectRoles, readBody, readListBody } from "./body";
import { deletionReply } from "./deletion";

/** Longest description (documentation of the organization's API keys). */
const MOST_CHARACTERS = 250;

const requestedOrg = (call: Call): Org => readableOrg(call.world, call.key, call.param("orgId"));

const changedOrg = (call: Call): Org => ownedOrg(call.world, call.key, call.param("orgId"));

const keysOf = (world: World, orgId: string): ApiKey[] =>
  world.store.keys.filter((key) => belongsTo(world, key, orgId));

function keyWithId(call: Call, orgId: string): ApiKey {
  const id = call.param("keyId");
  const key = keysOf(call.world, orgId).find((candidate) => candidate.id === id.toLowerCase());
  if (key === undefined) throw keyNotFound(call, id);
  return key;
}

const keyNotFound = ({ world }: Call, id: string) =>
  refuse.apiKeyNotFound(world.switches.unknownApiKey === "400" ? 400 : 404, id);

/** Any role in the organization is enough (documentation of the organization's API keys). */
function listKeys(call: Call): Reply {
  const org = requestedOrg(call);
  return page(call, keysOf(call.world, org.id), (key) => apiKeyView(call, key));
}

/** Needs a global role (documentation of the global API keys). */
function listGlobalKeys(call: Call): Reply {
  if (!isGlobal(call.key)) throw refuse.unauthorized();
  return page(call, call.world.store.keys.filter(isGlobal), (key) => apiKeyView(call, key));
}

function getKey(call: Call): Reply {
  return { status: 200, body: apiKeyView(call, keyWithId(call, requestedOrg(call).id)) };
}

function checkDescription(desc: string | undefined): void {
  if (desc !== undefined && (desc.trim() === "" || desc.length > MOST_CHARACTERS))
    throw refuse.invalidAttribute("desc");
}

const readOnlyKeyFields = ["id", "publicKey", "privateKey"];

/** The body of a creation, in an organization or in a project. */
function readNewKey(call: Call) {
  const body = readBody(call.body, readOnlyKeyFields, (fields) => ({
    desc: fields.required("desc", fields.text("desc")),
    roles: fields.required("roles", fields.texts("roles")),
  }));
  checkDescription(body.desc);
  return body;
}

function createKey(call: Call): Reply {
  const { store, switches } = call.world;
  const org = changedOrg(call);
  const { desc, roles } = readNewKey(call);
  checkOrgRoles(roles);
  const most = switches.maxApiKeys;
  if (most > 0 && keysOf(call.world, org.id).length >= most) throw refuse.tooManyApiKeys(most);
  const made = newKey({ desc, orgId: org.id, roles: grantsIn({ orgId: org.id }, roles) });
  store.keys.put(made);
  const shown = switches.apiKeyInAnswer ? made.privateKey : undefined;
  return { status: Number(switches.apiKeyStatus), body: apiKeyView(call, made, shown) };
}

const grantsIn = (place: Omit<RoleGrant, "roleName">, roles: readonly string[]): RoleGrant[] =>
  [...new Set(roles)].map((roleName) => ({ ...place, roleName }));

function updateKey(call: Call): Reply {
  const { store, switches } = call.world;
  const org = changedOrg(call);
  const key = keyWithId(call, org.id);
  const { desc, roles } = readBody(call.body, readOnlyKeyFields, (fields) => ({
    desc: fields.text("desc"),
    roles: fields.texts("roles"),
  }));
  if (desc === undefined && roles === undefined)
    throw refuse.missingAny("MISSING_ONE_OF_ATTRIBUTES", ["desc", "roles"]);
  checkDescription(desc);
  if (roles !== undefined) checkOrgRoles(roles);
  const isKept = ({ orgId, groupId }: RoleGrant) =>
    orgId !== org.id && (groupId === undefined || switches.projectRolesOfKey === "keep");
  const changed: ApiKey = {
    ...key,
    orgId: org.id,
    desc: desc ?? key.desc,
    roles:
      roles === undefined ? key.roles : [...grantsIn({ orgId: org.id }, roles), ...key.roles.filter(isKept)],
  };
  return { status: 200, body: apiKeyView(call, store.keys.put(changed)) };
}

function deleteKey(call: Call): Reply {
  const { store, switches } = call.world;
  const org = changedOrg(call);
  store.keys.delete(keyWithId(call, org.id).publicKey);
  return deletionReply(switches.deleteApiKeyStatus, switches);
}

// Keys in a project

const requestedProject = (call: Call): Project =>
  readableProject(call.world, call.key, call.param("groupId"));

const changedProject = (call: Call): Project =>
  administeredProject(call.world, call.key, call.param("groupId"));

const isIn =
  (projectId: string) =>
  ({ roles }: ApiKey): boolean =>
    roles.some(({ groupId }) => groupId === projectId);

function listProjectKeys(call: Call): Reply {
  const { id, orgId } = requestedProject(call);
  return page(call, keysOf(call.world, orgId).filter(isIn(id)), (key) => apiKeyView(call, key));
}

function readProjectRoles(call: Call): string[] {
  const roles = readBody(call.body, readOnlyKeyFields, (fields) => {
    fields.text("desc");
    return fields.required("roles", fields.texts("roles"));
  });
  checkProjectRoles(roles);
  return roles;
}

/** Makes a key of the organization, and gives it roles in the project. */
function createProjectKey(call: Call): Reply {
  const { store, switches } = call.world;
  const { id: groupId, orgId } = changedProject(call);
  const { desc, roles } = readNewKey(call);
  checkProjectRoles(roles);
  const made = store.keys.put(newKey({ desc, orgId, roles: grantsIn({ groupId }, roles) }));
  return { status: Number(switches.apiKeyStatus), body: apiKeyView(call, made, made.privateKey) };
}

/** Assigns a key of the organization, or replaces the roles that it has in the project. */
function setProjectRoles(call: Call): Reply {
  const { store } = call.world;
  const { id: groupId, orgId } = changedProject(call);
  const key = keyWithId(call, orgId);
  const others = key.roles.filter((grant) => grant.groupId !== groupId);
  const roles = [...others, ...grantsIn({ groupId }, readProjectRoles(call))];
  return { status: 200, body: apiKeyView(call, store.keys.put({ ...key, orgId, roles })) };
}

function unassign(call: Call): Reply {
  const { store, switches } = call.world;
  const { id: groupId, orgId } = changedProject(call);
  const key = keyWithId(call, orgId);
  if (!isIn(groupId)(key)) throw keyNotFound(call, key.id);
  store.keys.put({ ...key, orgId, roles: key.roles.filter((grant) => grant.groupId !== groupId) });
  return deletionReply(switches.deleteApiKeyStatus, switches);
}

// Access lists

/** The key whose access list the path names: a key reads its own, an owner of the organization each. */
function keyWithAccessList(call: Call): ApiKey {
  const org = requestedOrg(call);
  const key = keyWithId(call, org.id);
  if (key.id !== call.key.id && !isOrgOwner(call.key, org.id)) throw refuse.accessListDenied();
  return key;
}

function entryView(
  call: Call,
  key: ApiKey,
  { cidrBlock, created }: AccessListEntry,
): Record<string, unknown> {
  const [address = "", bits] = cidrBlock.split("/");
  const isAddress = bits === (address.includes(":") ? "128" : "32");
  const path = isAddress ? address : encodeURIComponent(cidrBlock);
  return {
    cidrBlock,
    ...(isAddress ? { ipAddress: address } : {}),
    count: 0,
    created,
    links: [
      { rel: "self", href: `${call.apiUrl}/orgs/${key.orgId ?? ""}/apiKeys/${key.id}/accessList/${path}` },
    ],
  };
}

function accessListReply(call: Call, key: ApiKey): Reply {
  return page(call, key.accessList, (entry) => entryView(call, key, entry));
}

function requestedEntry(call: Call, key: ApiKey): AccessListEntry {
  const text = decodeURIComponent(call.param("entry"));
  const entry = key.accessList.find(({ cidrBlock }) => cidrBlock === blockOf(text));
  if (entry === undefined) throw refuse.accessListEntryNotFound(text);
  return entry;
}

function addEntries(call: Call): Reply {
  const { store, clock, switches } = call.world;
  const key = keyWithAccessList(call);
  const blocks = readListBody(call.body, (fields) => {
    const [address, block] = [fields.text("ipAddress"), fields.text("cidrBlock")];
    if ((address === undefined) === (block === undefined)) throw refuse.badAccessListEntry();
    const name = address === undefined ? "cidrBlock" : "ipAddress";
    const given = blockOf(address ?? block ?? "");
    if (given === undefined || address?.includes("/")) throw refuse.invalidAttribute(name);
    return given;
  });
  const repeated = blocks.find((block, index) => blocks.indexOf(block) < index);
  if (repeated !== undefined) throw refuse.repeatedAddress(repeated);
  const isThere = (block: string) => key.accessList.some(({ cidrBlock }) => cidrBlock === block);
  const there = blocks.find(isThere);
  if (there !== undefined && switches.accessListAgain === "refuse") throw refuse.accessListEntryThere(there);
  const added = blocks
    .filter((block) => !isThere(block))
    .map((cidrBlock) => ({ cidrBlock, created: clock.iso() }));
  return accessListReply(call, store.keys.put({ ...key, accessList: [...key.accessList, ...added] }));
}

function removeEntry(call: Call): Reply {
  const { store, switches } = call.world;
  const key = keyWithAccessList(call);
  const entry = requestedEntry(call, key);
  if (switches.callerAddress === "keep" && hasAddress(entry, call.ip))
    throw refuse.callerInAccessList(entry.cidrBlock);
  store.keys.put({ ...key, accessList: key.accessList.filter((other) => other !== entry) });
  return deletionReply("204", switches);
}

const one = "/orgs/{orgId}/apiKeys/{keyId}";
/** The name since 5.0, and the one before. */
const lists = [`${one}/accessList`, `${one}/whitelist`];
const inProject = "/groups/{groupId}/apiKeys";

export const apiKeyRoutes: readonly Route[] = [
  { method: "GET", pattern: "/orgs/{orgId}/apiKeys", handle: listKeys },
  { method: "GET", pattern: "/admin/apiKeys", handle: listGlobalKeys },
  { method: "POST", pattern: "/orgs/{orgId}/apiKeys", handle: createKey },
  { method: "GET", pattern: one, handle: getKey },
  { method: "PATCH", pattern: one, handle: updateKey },
  { method: "DELETE", pattern: one, handle: deleteKey },
  ...lists.flatMap((list): Route[] => [
    { method: "GET", pattern: list, handle: (call) => accessListReply(call, keyWithAccessList(call)) },
    { method: "POST", pattern: list, handle: addEntries },
    {
      method: "GET",
      pattern: `${list}/{entry}`,
      handle: (call) => {
        const key = keyWithAccessList(call);
        return { status: 200, body: entryView(call, key, requestedEntry(call, key)) };
      },
    },
    { method: "DELETE", pattern: `${list}/{entry}`, handle: removeEntry },
  ]),
  { method: "GET", pattern: inProject, handle: listProjectKeys },
  { method: "POST", pattern: inProject, handle: createProjectKey },
  { method: "PATCH", pattern: `${inProject}/{keyId}`, handle: setProjectRoles },
  { method: "DELETE", pattern: `${inProject}/{keyId}`, handle: unassign },
];
