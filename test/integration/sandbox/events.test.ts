import type { Sandbox } from "../../../sandbox";
import { call } from "./client";
import { sandboxes } from "./with-sandbox";

/** Events: what the service records of changes, and how it lists them. Their switches: `../cli/verify.test.ts`. */

const start = sandboxes();

const EVENT_KEYS = ["groupId", "orgId", "teamId", "targetUsername", "targetPublicKey", "accessListEntry"];

type Json = Readonly<Record<string, unknown>>;

async function list(sandbox: Sandbox, path: string): Promise<Json[]> {
  return (await call(sandbox, "GET", path)).json.results;
}

/** The names of a list, the oldest first. */
const names = async (sandbox: Sandbox, path: string): Promise<unknown[]> =>
  (await list(sandbox, path)).map(({ eventTypeName }) => eventTypeName).reverse();

const orgEvents = ({ orgId }: Sandbox): string => `/orgs/${orgId}/events`;

/** The names that `change` adds to the organization's events, each with the objects that it names. */
async function eventsOf(sandbox: Sandbox, change: () => unknown): Promise<Json[]> {
  const known = (await list(sandbox, orgEvents(sandbox))).length;
  await change();
  const now = await list(sandbox, orgEvents(sandbox));
  return now
    .slice(0, now.length - known)
    .reverse()
    .map(({ eventTypeName, ...event }) => ({
      eventTypeName,
      ...Object.fromEntries(Object.entries(event).filter(([name]) => EVENT_KEYS.includes(name))),
    }));
}

test("a change through the API is an event of the key, and a direct change is one of a person", async () => {
  const sandbox = await start();
  const { orgId, publicKey } = sandbox;
  const { json: project } = await call(sandbox, "POST", "/groups", { name: "payments", orgId });
  sandbox.actAs({ username: "ann@example.com", remoteAddress: "198.51.100.7" });
  sandbox.setMember(project.id, { username: "bob@example.com" }, ["GROUP_READ_ONLY"]);
  const path = `/groups/${project.id}/events`;
  const [joined, , created] = await list(sandbox, path);
  const { id: apiKeyId } = sandbox.state.keys[0] ?? {};
  expect(created).toMatchObject({
    eventTypeName: "GROUP_CREATED",
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    groupId: project.id,
    orgId,
    apiKeyId,
    publicKey,
    remoteAddress: "127.0.0.1",
    isGlobalAdmin: true,
  });
  expect(created).not.toHaveProperty("username");
  expect(joined).toMatchObject({
    eventTypeName: "JOINED_GROUP",
    targetUsername: "bob@example.com",
    username: "ann@example.com",
    userId: expect.stringMatching(/^[0-9a-f]{24}$/),
    remoteAddress: "198.51.100.7",
    isGlobalAdmin: false,
  });
  expect(joined).not.toHaveProperty("publicKey");
  const one = await call(sandbox, "GET", `${path}/${joined?.id}`);
  expect(one.json).toEqual(joined);
  const { id: other } = sandbox.addProject({ name: "orders" });
  expect((await call(sandbox, "GET", `/groups/${other}/events/${joined?.id}`)).status).toBe(404);
});

test("people of a project and an organization have events from the account to the removal", async () => {
  const sandbox = await start();
  const { orgId } = sandbox;
  const { id: groupId } = sandbox.addProject({ name: "payments" });
  const bob = { username: "bob@example.com" };
  const targetUsername = bob.username;
  const inProject = { groupId, orgId, targetUsername };
  const inOrg = { orgId, targetUsername };
  expect(await eventsOf(sandbox, () => sandbox.setMember(groupId, bob, ["GROUP_READ_ONLY"]))).toEqual([
    { eventTypeName: "USER_CREATED_AUDIT", ...inOrg },
    { eventTypeName: "JOINED_ORG", ...inOrg },
    { eventTypeName: "JOINED_GROUP", ...inProject },
  ]);
  const changed = await eventsOf(sandbox, () => sandbox.setMember(groupId, bob, ["GROUP_OWNER"]));
  expect(changed).toEqual([{ eventTypeName: "USER_ROLES_CHANGED_AUDIT", ...inProject }]);
  expect(await eventsOf(sandbox, () => sandbox.setMember(groupId, bob, ["GROUP_OWNER"]))).toEqual([]);
  const promoted = await eventsOf(sandbox, () => sandbox.setOrgMember(orgId, bob, ["ORG_OWNER"]));
  expect(promoted).toEqual([{ eventTypeName: "USER_ROLES_CHANGED_AUDIT", ...inOrg }]);
  expect(await eventsOf(sandbox, () => sandbox.removeOrgMember(orgId, bob))).toEqual([
    { eventTypeName: "REMOVED_FROM_ORG", ...inOrg },
    { eventTypeName: "REMOVED_FROM_GROUP", ...inProject },
  ]);
});

test("an accepted invitation is followed by the membership, a deleted one by its own event", async () => {
  const sandbox = await start({ undocumentedEvents: true });
  const { orgId } = sandbox;
  const { id: groupId } = sandbox.addProject({ name: "payments" });
  const facts = { username: "bob@example.com", roles: ["GROUP_READ_ONLY"] };
  const accepted = await eventsOf(sandbox, () =>
    sandbox.acceptInvitation(sandbox.addInvitation(groupId, facts).id),
  );
  expect(accepted.map(({ eventTypeName }) => eventTypeName)).toEqual([
    "INVITED_TO_GROUP",
    "USER_CREATED_AUDIT",
    "JOINED_ORG",
    "JOINED_GROUP",
  ]);
  const target = { targetUsername: "new@example.com", orgId };
  const other = { username: "new@example.com", roles: ["ORG_MEMBER"] };
  expect(
    await eventsOf(sandbox, () => {
      sandbox.removeInvitation(sandbox.addInvitation(groupId, { ...facts, ...other }).id);
      sandbox.removeInvitation(sandbox.addOrgInvitation(orgId, other).id);
    }),
  ).toEqual([
    { eventTypeName: "INVITED_TO_GROUP", groupId, ...target },
    { eventTypeName: "GROUP_INVITATION_DELETED", groupId, ...target },
    { eventTypeName: "INVITED_TO_ORG", ...target },
    { eventTypeName: "ORG_INVITATION_DELETED", ...target },
  ]);
});

test("teams have events of the organization, and those about projects are in the project as well", async () => {
  const sandbox = await start();
  const { orgId } = sandbox;
  const { id: groupId } = sandbox.addProject({ name: "payments" });
  const { id } = sandbox.addUser({ username: "bob@example.com" });
  const events = await eventsOf(sandbox, () => {
    const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [id] });
    sandbox.changeTeam(teamId, { name: "renamed", userIds: [] });
    sandbox.setProjectTeam(groupId, { teamId, roleNames: ["GROUP_READ_ONLY"] });
    sandbox.setProjectTeam(groupId, { teamId, roleNames: ["GROUP_OWNER"] });
    sandbox.removeTeam(teamId);
  });
  const [teamId] = events.map((event) => event.teamId);
  const team = { orgId, teamId };
  const person = { ...team, targetUsername: "bob@example.com" };
  expect(events).toEqual([
    { eventTypeName: "TEAM_CREATED", ...team },
    { eventTypeName: "USER_ADDED_TO_TEAM", ...person },
    { eventTypeName: "TEAM_NAME_CHANGED", ...team },
    { eventTypeName: "REMOVED_FROM_TEAM", ...person },
    { eventTypeName: "TEAM_ADDED_TO_GROUP", ...team, groupId },
    { eventTypeName: "TEAM_ROLES_MODIFIED", ...team, groupId },
    { eventTypeName: "TEAM_REMOVED_FROM_GROUP", ...team, groupId },
    { eventTypeName: "TEAM_DELETED", ...team },
  ]);
  expect(await names(sandbox, `/groups/${groupId}/events`)).toEqual([
    "GROUP_CREATED",
    "TEAM_ADDED_TO_GROUP",
    "TEAM_ROLES_MODIFIED",
    "TEAM_REMOVED_FROM_GROUP",
  ]);
});

test("by default, names, tags, mappings and roles of keys have no event, as no document names one", async () => {
  const sandbox = await start();
  const { orgId } = sandbox;
  const { id } = sandbox.addProject({ name: "payments" });
  const events = await eventsOf(sandbox, () => {
    sandbox.changeProject(id, { name: "renamed", tags: ["A"] });
    sandbox.changeProject(id, { idpGroupMappings: [{ roleName: "GROUP_OWNER", idpGroups: ["a"] }] });
    sandbox.addAgentKey(id);
    const { publicKey } = sandbox.addKey({ orgId, publicKey: "other" });
    sandbox.changeKey(publicKey, { desc: "changed", roles: [{ orgId, roleName: "ORG_MEMBER" }] });
    sandbox.removeKey(publicKey);
    sandbox.changeOrg(orgId, { name: "Renamed Org" });
  });
  expect(events).toEqual([
    { eventTypeName: "ORG_API_KEY_ADDED", orgId, targetPublicKey: "other" },
    { eventTypeName: "ORG_API_KEY_DELETED", orgId, targetPublicKey: "other" },
    { eventTypeName: "ORG_RENAMED", orgId },
  ]);
});

test("with undocumented events, names, tags and keys have the names of Atlas", async () => {
  const sandbox = await start({ undocumentedEvents: true });
  const { orgId } = sandbox;
  const { id: groupId } = sandbox.addProject({ name: "payments" });
  const events = await eventsOf(sandbox, () => {
    sandbox.changeProject(groupId, { name: "renamed", tags: ["A"] });
    sandbox.removeAgentKey(groupId, sandbox.addAgentKey(groupId).id);
    const { publicKey } = sandbox.addKey({ orgId, publicKey: "other" });
    const grant = { groupId, roleName: "GROUP_READ_ONLY" };
    sandbox.changeKey(publicKey, { desc: "changed", roles: [grant, { orgId, roleName: "ORG_MEMBER" }] });
    sandbox.changeKey(publicKey, { roles: [{ ...grant, roleName: "GROUP_OWNER" }] });
    sandbox.changeKey(publicKey, { roles: [] });
    const created = "2026-01-02T03:04:05Z";
    sandbox.changeKey(publicKey, { accessList: [{ cidrBlock: "192.0.2.7/32", created }] });
    sandbox.changeKey(publicKey, { accessList: [] });
    sandbox.removeKey(publicKey);
  });
  const inProject = { groupId, orgId };
  const key = { orgId, targetPublicKey: "other" };
  const entry = { ...key, accessListEntry: "192.0.2.7/32" };
  expect(events).toEqual([
    { eventTypeName: "GROUP_NAME_CHANGED", ...inProject },
    { eventTypeName: "GROUP_TAGS_MODIFIED", ...inProject },
    { eventTypeName: "AGENT_API_KEY_CREATED", ...inProject },
    { eventTypeName: "AGENT_API_KEY_DELETED", ...inProject },
    { eventTypeName: "API_KEY_CREATED", ...key },
    { eventTypeName: "API_KEY_DESCRIPTION_CHANGED", ...key },
    { eventTypeName: "API_KEY_ADDED_TO_GROUP", ...key, groupId },
    { eventTypeName: "API_KEY_ROLES_CHANGED", ...key },
    { eventTypeName: "API_KEY_ROLES_CHANGED", ...key, groupId },
    { eventTypeName: "API_KEY_ROLES_CHANGED", ...key },
    { eventTypeName: "API_KEY_REMOVED_FROM_GROUP", ...key, groupId },
    { eventTypeName: "API_KEY_ACCESS_LIST_ENTRY_ADDED", ...entry },
    { eventTypeName: "API_KEY_ACCESS_LIST_ENTRY_DELETED", ...entry },
    { eventTypeName: "API_KEY_DELETED", ...key },
  ]);
});

test("the deletion of a project is one event, and the organization keeps it", async () => {
  const sandbox = await start({ undocumentedEvents: true });
  const { id: groupId } = sandbox.addProject({ name: "payments" });
  sandbox.setMember(groupId, { username: "bob@example.com" }, ["GROUP_OWNER"]);
  sandbox.addInvitation(groupId, { username: "new@example.com", roles: ["GROUP_OWNER"] });
  const events = await eventsOf(sandbox, () => call(sandbox, "DELETE", `/groups/${groupId}`));
  expect(events).toEqual([{ eventTypeName: "GROUP_DELETED", groupId, orgId: sandbox.orgId }]);
  expect((await call(sandbox, "GET", `/groups/${groupId}/events`)).status).toBe(404);
});

test("events are selected by type and by a period that includes both ends", async () => {
  const sandbox = await start();
  const path = orgEvents(sandbox);
  sandbox.addProject({ name: "one" });
  sandbox.advanceClock(60);
  sandbox.addTeam({ name: "two" });
  sandbox.advanceClock(60);
  sandbox.addProject({ name: "three" });
  const [, middle] = await list(sandbox, path);
  const at = middle?.created;
  expect(await names(sandbox, `${path}?minDate=${at}`)).toEqual(["TEAM_CREATED", "GROUP_CREATED"]);
  expect(await names(sandbox, `${path}?maxDate=${at}`)).toEqual(["GROUP_CREATED", "TEAM_CREATED"]);
  expect(await names(sandbox, `${path}?minDate=${at}&maxDate=${at}`)).toEqual(["TEAM_CREATED"]);
  expect(await names(sandbox, `${path}?eventType=GROUP_CREATED`)).toHaveLength(2);
  expect(await names(sandbox, `${path}?itemsPerPage=1&pageNum=2`)).toEqual(["TEAM_CREATED"]);
  expect((await call(sandbox, "GET", `${path}?minDate=yesterday`)).json).toMatchObject({
    errorCode: "INVALID_QUERY_PARAMETER",
    parameters: ["minDate"],
  });
});
