/** Events: what the service records of changes, and how it lists them. Their switches: `../cli/verify.test.ts`. */
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import type { ServiceAccountFacts } from "../../../sandbox/make";
import { call } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();

type Json = Readonly<Record<string, unknown>>;

async function list(sandbox: Sandbox, path: string): Promise<Json[]> {
  return (await call(sandbox, "GET", path)).json.results;
}

/** The names of a list, the oldest first. */
const names = async (sandbox: Sandbox, path: string): Promise<unknown[]> =>
  (await list(sandbox, path)).map(({ eventTypeName }) => eventTypeName).reverse();

const orgEvents = ({ orgId }: Sandbox): string => `/orgs/${orgId}/events`;

/** Whom or what an event names besides the organization, in words. */
function wordsOf({ eventTypeName, groupId, teamId, orgId, ...event }: Json): string {
  expect(orgId).toBeDefined();
  const places = [groupId && "project", teamId && "team"];
  const targets = [event.targetUsername, event.targetPublicKey, event.accessListEntry];
  return [eventTypeName, ...places, ...targets].filter(Boolean).join(" ");
}

interface Place {
  readonly sandbox: Sandbox;
  readonly orgId: string;
  readonly groupId: string;
}

const ada = { username: "ada" };
const readOnly = ["GROUP_READ_ONLY"];

test.each<{ what: string; set?: SandboxOptions; change: (place: Place) => unknown; events: string[] }>([
  {
    what: "a person has events from the account to the removal, and none without a change",
    change: ({ sandbox, orgId, groupId }) => {
      sandbox.setMember(groupId, ada, readOnly);
      sandbox.setMember(groupId, ada, ["GROUP_OWNER"]);
      sandbox.setMember(groupId, ada, ["GROUP_OWNER"]);
      sandbox.setOrgMember(orgId, ada, ["ORG_OWNER"]);
      sandbox.removeOrgMember(orgId, ada);
    },
    events: [
      "USER_CREATED_AUDIT ada",
      "JOINED_ORG ada",
      "JOINED_GROUP project ada",
      "USER_ROLES_CHANGED_AUDIT project ada",
      "USER_ROLES_CHANGED_AUDIT ada",
      "REMOVED_FROM_ORG ada",
      "REMOVED_FROM_GROUP project ada",
    ],
  },
  {
    what: "a service account is named by no event of its life",
    set: { undocumentedEvents: true },
    change: ({ sandbox, orgId, groupId }) => {
      const roles = [{ orgId, roleName: "ORG_MEMBER" }];
      const { clientId } = sandbox.addServiceAccount({ name: "deploy", roles });
      const change = (facts: ServiceAccountFacts) => sandbox.changeServiceAccount(clientId, facts);
      change({ name: "release" });
      change({ roles: [...roles, { groupId, roleName: "GROUP_OWNER" }] });
      change({ roles: [{ orgId, roleName: "ORG_OWNER" }] });
      change({ accessList: [{ cidrBlock: "192.0.2.7/32", created: "2026-01-01T00:00:00Z" }] });
      change({ clientSecret: "rotated" });
      sandbox.removeServiceAccount(clientId);
    },
    events: [
      "SERVICE_ACCOUNT_CREATED",
      "SERVICE_ACCOUNT_DETAILS_CHANGED",
      "SERVICE_ACCOUNT_ADDED_TO_GROUP project",
      "SERVICE_ACCOUNT_ROLES_CHANGED",
      "SERVICE_ACCOUNT_REMOVED_FROM_GROUP project",
      "SERVICE_ACCOUNT_ACCESS_LIST_ENTRY_ADDED 192.0.2.7/32",
      "SERVICE_ACCOUNT_SECRET_ADDED",
      "SERVICE_ACCOUNT_SECRET_DELETED",
      "SERVICE_ACCOUNT_DELETED",
    ],
  },
  {
    what: "an accepted invitation is followed by the membership, a deleted one by its own event",
    set: { undocumentedEvents: true },
    change: ({ sandbox, orgId, groupId }) => {
      sandbox.acceptInvitation(sandbox.addInvitation(groupId, { ...ada, roles: readOnly }).id);
      sandbox.removeInvitation(sandbox.addInvitation(groupId, { username: "bob", roles: readOnly }).id);
      sandbox.removeInvitation(
        sandbox.addOrgInvitation(orgId, { username: "bob", roles: ["ORG_MEMBER"] }).id,
      );
    },
    events: [
      "INVITED_TO_GROUP project ada",
      "USER_CREATED_AUDIT ada",
      "JOINED_ORG ada",
      "JOINED_GROUP project ada",
      "INVITED_TO_GROUP project bob",
      "GROUP_INVITATION_DELETED project bob",
      "INVITED_TO_ORG bob",
      "ORG_INVITATION_DELETED bob",
    ],
  },
  {
    what: "teams have events, those about projects name the project as well",
    change: ({ sandbox, groupId }) => {
      const { id } = sandbox.addUser(ada);
      const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [id] });
      sandbox.changeTeam(teamId, { name: "renamed", userIds: [] });
      sandbox.setProjectTeam(groupId, { teamId, roleNames: readOnly });
      sandbox.setProjectTeam(groupId, { teamId, roleNames: ["GROUP_OWNER"] });
      sandbox.removeTeam(teamId);
    },
    events: [
      "TEAM_CREATED team",
      "USER_ADDED_TO_TEAM team ada",
      "TEAM_NAME_CHANGED team",
      "REMOVED_FROM_TEAM team ada",
      "TEAM_ADDED_TO_GROUP project team",
      "TEAM_ROLES_MODIFIED project team",
      "TEAM_REMOVED_FROM_GROUP project team",
      "TEAM_DELETED team",
    ],
  },
  {
    what: "names, tags, agent keys and roles of keys have no event, as no document names one",
    change: changeNamesAndKeys,
    events: ["ORG_API_KEY_ADDED other", "ORG_API_KEY_DELETED other", "ORG_RENAMED"],
  },
  {
    what: "they have the names of Atlas with undocumented events",
    set: { undocumentedEvents: true },
    change: changeNamesAndKeys,
    events: [
      "GROUP_NAME_CHANGED project",
      "GROUP_TAGS_MODIFIED project",
      "AGENT_API_KEY_CREATED project",
      "AGENT_API_KEY_DELETED project",
      "API_KEY_CREATED other",
      "API_KEY_DESCRIPTION_CHANGED other",
      "API_KEY_ADDED_TO_GROUP project other",
      "API_KEY_ROLES_CHANGED other",
      "API_KEY_ROLES_CHANGED project other",
      "API_KEY_ROLES_CHANGED other",
      "API_KEY_REMOVED_FROM_GROUP project other",
      "API_KEY_ACCESS_LIST_ENTRY_ADDED other 192.0.2.7/32",
      "API_KEY_ACCESS_LIST_ENTRY_DELETED other 192.0.2.7/32",
      "API_KEY_DELETED other",
      "ORG_RENAMED",
    ],
  },
  {
    what: "the deletion of a project is one event, whatever it held",
    set: { undocumentedEvents: true },
    change: async ({ sandbox, groupId }) => {
      await call(sandbox, "DELETE", `/groups/${groupId}`);
      expect((await call(sandbox, "GET", `/groups/${groupId}/events`)).status).toBe(404);
    },
    events: ["GROUP_DELETED project"],
  },
])("$what", async ({ set, change, events }) => {
  const sandbox = await start(set);
  const { id: groupId } = sandbox.addProject({ name: "payments" });
  sandbox.setMember(groupId, { username: "olga" }, ["GROUP_OWNER"]);
  const before = (await list(sandbox, orgEvents(sandbox))).length;
  await change({ sandbox, orgId: sandbox.orgId, groupId });
  const all = (await list(sandbox, orgEvents(sandbox))).reverse().slice(before);
  expect(all.map(wordsOf)).toEqual(events);
  if (events.includes("GROUP_DELETED project")) return;
  const ofProject = (await list(sandbox, `/groups/${groupId}/events`)).reverse().map(wordsOf);
  const expected = events.filter((event) => event.includes(" project"));
  expect(ofProject.slice(ofProject.length - expected.length)).toEqual(expected);
});

function changeNamesAndKeys({ sandbox, orgId, groupId }: Place): void {
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
  sandbox.changeOrg(orgId, { name: "Renamed Org" });
}

test("a change through the API is an event of the key, and a direct change is one of a person", async () => {
  const sandbox = await start();
  const { orgId, publicKey } = sandbox;
  const { json: project } = await call(sandbox, "POST", "/groups", { name: "payments", orgId });
  sandbox.actAs({ username: "ann@example.com", remoteAddress: "198.51.100.7" });
  sandbox.setMember(project.id, { username: "bob@example.com" }, readOnly);
  const path = `/groups/${project.id}/events`;
  const [joined, , created] = await list(sandbox, path);
  const { id: apiKeyId } = sandbox.state.keys[0] ?? {};
  const ofKey = { apiKeyId, publicKey, remoteAddress: "127.0.0.1", isGlobalAdmin: true };
  expect(created).toMatchObject({ eventTypeName: "GROUP_CREATED", groupId: project.id, orgId, ...ofKey });
  expect(created).not.toHaveProperty("username");
  const ofPerson = { username: "ann@example.com", remoteAddress: "198.51.100.7", isGlobalAdmin: false };
  expect(joined).toMatchObject({
    eventTypeName: "JOINED_GROUP",
    targetUsername: "bob@example.com",
    ...ofPerson,
  });
  expect(joined).not.toHaveProperty("publicKey");
  expect((await call(sandbox, "GET", `${path}/${joined?.id}`)).json).toEqual(joined);
  const { id: other } = sandbox.addProject({ name: "orders" });
  expect((await call(sandbox, "GET", `/groups/${other}/events/${joined?.id}`)).status).toBe(404);
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
  expect(await names(sandbox, `${path}?minDate=${at}&maxDate=${at}`)).toEqual(["TEAM_CREATED"]);
  expect(await names(sandbox, `${path}?eventType=GROUP_CREATED`)).toHaveLength(2);
  expect(await names(sandbox, `${path}?itemsPerPage=1&pageNum=2`)).toEqual(["TEAM_CREATED"]);
});
