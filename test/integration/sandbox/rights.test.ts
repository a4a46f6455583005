/** What a key may do with its roles, and what it sees. */
import type { SandboxOptions } from "../../../sandbox";
import { outcome } from "./client";
import { scenes } from "./scene";

const start = scenes();

interface Right {
  readonly request: string;
  readonly body?: unknown;
  readonly set?: SandboxOptions;
  /** The response to a key with each role. */
  readonly is: Readonly<Record<string, string>>;
}

const noUserAdmin = "401 NOT_GROUP_USER_ADMIN";
const noOwner = "401 USER_UNAUTHORIZED";
const noLookup = "401 NOT_USER_ADMIN";
const noOrgOwner = "401 NOT_ORG_ADMIN";
const outsideProject = "401 NOT_IN_GROUP";
const noOne = { GROUP_READ_ONLY: noUserAdmin };

const rights: readonly Right[] = [
  {
    request: "GET /groups/{project}/invites",
    is: {
      GROUP_OWNER: "200",
      GROUP_USER_ADMIN: "200",
      ORG_OWNER: "200",
      GLOBAL_OWNER: "200",
      GLOBAL_USER_ADMIN: "200",
      GROUP_READ_ONLY: noUserAdmin,
      GROUP_AUTOMATION_ADMIN: noUserAdmin,
      ORG_READ_ONLY: noUserAdmin,
      ORG_MEMBER: outsideProject,
      GLOBAL_READ_ONLY: noUserAdmin,
    },
  },
  { request: "POST /groups/{project}/invites", is: noOne },
  { request: "PATCH /groups/{project}/invites", is: noOne },
  { request: "POST /groups/{project}/users", is: noOne },
  { request: "DELETE /groups/{project}/users/{member}", is: noOne },
  {
    request: "POST /groups",
    body: { name: "new", orgId: "{org}" },
    is: {
      ORG_OWNER: "201",
      ORG_GROUP_CREATOR: "201",
      GLOBAL_OWNER: "201",
      ORG_MEMBER: "401 NOT_ORG_GROUP_CREATOR",
      ORG_READ_ONLY: "401 NOT_ORG_GROUP_CREATOR",
    },
  },
  {
    request: "POST /groups",
    body: { name: "new" },
    is: { ORG_GROUP_CREATOR: "401 API_KEY_CANNOT_CREATE_ORG" },
  },
  { request: "GET /groups/{other}", is: { GROUP_OWNER: outsideProject } },
  { request: "GET /orgs/{foreignOrg}/groups", is: { ORG_OWNER: "401 NOT_IN_ORG" } },
  {
    request: "PATCH /groups/{project}",
    body: { name: "new" },
    is: { GROUP_OWNER: "200", GROUP_READ_ONLY: noOwner, GROUP_AUTOMATION_ADMIN: noOwner },
  },
  { request: "DELETE /groups/{project}", is: { GROUP_OWNER: "200", GROUP_READ_ONLY: noOwner } },
  {
    request: "PATCH /groups/{project}",
    body: { tags: ["B"] },
    set: { tagsWithoutGlobalRole: "allow" },
    is: {
      GROUP_OWNER: "200",
      GROUP_AUTOMATION_ADMIN: "200",
      GLOBAL_AUTOMATION_ADMIN: "200",
      GROUP_READ_ONLY: noOwner,
      GROUP_USER_ADMIN: noOwner,
    },
  },
  {
    request: "PATCH /groups/{project}",
    body: { tags: ["B"] },
    set: { tagsWithoutGlobalRole: "hide" },
    is: { GROUP_OWNER: "200", GROUP_AUTOMATION_ADMIN: noOwner },
  },
  {
    request: "GET /users/{member}",
    set: { accountLookup: "user-admin" },
    is: {
      GROUP_OWNER: "200",
      GROUP_USER_ADMIN: "200",
      GLOBAL_READ_ONLY: "200",
      GROUP_READ_ONLY: noLookup,
      ORG_READ_ONLY: noLookup,
    },
  },
  { request: "GET /users/{outsider}", is: { ORG_OWNER: noLookup, GLOBAL_READ_ONLY: "200" } },
  { request: "GET /users/{ann}", set: { accountLookup: "organization" }, is: { GROUP_READ_ONLY: "200" } },
  { request: "GET /users/{outsider}", set: { accountLookup: "organization" }, is: { ORG_OWNER: noOwner } },
  { request: "PATCH /orgs/{org}", body: { name: "New" }, is: { ORG_OWNER: "200", ORG_MEMBER: noOrgOwner } },
  { request: "POST /orgs/{org}/invites", is: { ORG_MEMBER: noOrgOwner } },
  { request: "GET /orgs/{org}/teams/{team}", is: { ORG_MEMBER: "200" } },
  { request: "GET /orgs/{org}/apiKeys", is: { GROUP_READ_ONLY: "200", ORG_MEMBER: "200" } },
  {
    request: "GET /orgs/{org}/apiKeys/{apiKey}/accessList",
    is: { ORG_OWNER: "200", ORG_MEMBER: "400 API_KEY_ACCESS_LIST_ACCESS_DENIED" },
  },
  {
    request: "POST /groups/{project}/agentapikeys",
    body: { desc: "a" },
    is: { GROUP_OWNER: "201", GROUP_READ_ONLY: noOwner, GROUP_AUTOMATION_ADMIN: noOwner },
  },
];

test.each(
  rights.map((right) => [`${right.request} ${JSON.stringify([right.body, right.set])}`, right] as const),
)("%s", async (_, { request, body, set, is }) => {
  const got: Record<string, string> = {};
  for (const role of Object.keys(is)) {
    const { ask, keyWith } = await start(set);
    got[role] = outcome(await ask(request, body, keyWith(role)));
  }
  expect(got).toEqual(is);
});

test("an administrator of a project looks up the people of its teams, as they are in it", async () => {
  const { sandbox, ids, ask, keyWith } = await start({ accountLookup: "user-admin" });
  const key = keyWith("GROUP_USER_ADMIN");
  expect(outcome(await ask("GET /users/{ann}", undefined, key))).toBe(noLookup);
  sandbox.setProjectTeam(ids.project ?? "", { teamId: ids.team ?? "", roleNames: ["GROUP_READ_ONLY"] });
  expect(outcome(await ask("GET /users/{ann}", undefined, key))).toBe("200");
});

test("the list of an organization has all its projects for any of its roles, or the visible ones", async () => {
  const { sandbox, ask, keyWith } = await start({ orgProjects: "all" });
  const lists = async (role: string) => {
    const key = keyWith(role);
    const all = ["GET /groups", "GET /orgs/{org}/groups"].map((request) => ask(request, undefined, key));
    return (await Promise.all(all)).map(({ json }) => json.totalCount);
  };
  expect(await lists("GROUP_READ_ONLY")).toEqual([1, 1]);
  expect(await lists("ORG_READ_ONLY")).toEqual([2, 2]);
  expect(await lists("ORG_MEMBER")).toEqual([0, 2]);
  sandbox.setSwitches({ orgProjects: "visible" });
  expect(await lists("ORG_MEMBER")).toEqual([0, 0]);
});

test("the keys of an organization are shown with their roles there, without global keys and private parts", async () => {
  const { sandbox, ids, ask, keyWith } = await start();
  const [reader, global] = [keyWith("GROUP_READ_ONLY"), keyWith("GLOBAL_READ_ONLY")];
  const { json, text } = await ask("GET /orgs/{org}/apiKeys", undefined, reader);
  const roles = [{ groupId: ids.project, roleName: "GROUP_READ_ONLY" }];
  expect(json.results.find((one: { publicKey: string }) => one.publicKey === reader.publicKey)).toMatchObject(
    { roles },
  );
  for (const { publicKey } of [global, sandbox]) expect(text).not.toContain(publicKey);
  for (const { privateKey } of [reader, global, sandbox]) expect(text).not.toContain(privateKey);
});
