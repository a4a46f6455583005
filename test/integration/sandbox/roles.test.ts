import type { RoleGrant, Sandbox } from "../../../sandbox";
import { call, type KeyPair, type SandboxResponse } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();

const outcome = ({ status, json }: SandboxResponse): string =>
  [status, json?.errorCode].filter(Boolean).join(" ");

interface Scenario {
  readonly sandbox: Sandbox;
  readonly projectId: string;
  readonly otherId: string;
  /** A key with these roles; `HERE` stands for the project, `ORG` for the organization. */
  key(...roles: string[]): KeyPair;
}

async function scenario(options: Parameters<typeof start>[0] = {}): Promise<Scenario> {
  const sandbox = await start(options);
  const projectId = sandbox.addProject({ name: "payments", tags: ["A"] }).id;
  const otherId = sandbox.addProject({ name: "other", tags: ["A"] }).id;
  sandbox.setMember(projectId, { username: "owner@example.com" }, ["GROUP_OWNER"]);
  const grant = (roleName: string): RoleGrant => {
    if (roleName.startsWith("GROUP_")) return { groupId: projectId, roleName };
    return roleName.startsWith("ORG_") ? { orgId: sandbox.orgId, roleName } : { roleName };
  };
  return { sandbox, projectId, otherId, key: (...roles) => sandbox.addKey({ roles: roles.map(grant) }) };
}

const visibleNames = async ({ sandbox }: Scenario, path: string, key: KeyPair): Promise<string[]> =>
  (await call(sandbox, "GET", path, undefined, key)).json.results.map((row: { name: string }) => row.name);

describe("a key", () => {
  test.each([
    ["GROUP_OWNER", "200"],
    ["GROUP_USER_ADMIN", "200"],
    ["ORG_OWNER", "200"],
    ["GLOBAL_OWNER", "200"],
    ["GLOBAL_USER_ADMIN", "200"],
    ["GROUP_READ_ONLY", "401 NOT_GROUP_USER_ADMIN"],
    ["GROUP_AUTOMATION_ADMIN", "401 NOT_GROUP_USER_ADMIN"],
    ["ORG_READ_ONLY", "401 NOT_GROUP_USER_ADMIN"],
    ["ORG_MEMBER", "401 NOT_IN_GROUP"],
    ["GLOBAL_READ_ONLY", "401 NOT_GROUP_USER_ADMIN"],
  ])("with %s gets %s for the invitations of a project", async (role, expected) => {
    const { sandbox, projectId, key } = await scenario();
    const pair = key(role);
    expect(outcome(await call(sandbox, "GET", `/groups/${projectId}/invites`, undefined, pair))).toBe(
      expected,
    );
  });

  test("without Project User Admin may do none of the calls about people", async () => {
    const { sandbox, projectId, key } = await scenario();
    const pair = key("GROUP_READ_ONLY");
    const { id } = sandbox.addInvitation(projectId, {
      username: "n@example.com",
      roles: ["GROUP_READ_ONLY"],
    });
    const owner = sandbox.user({ username: "owner@example.com" })?.id;
    const paths = [
      ["GET", `invites/${id}`],
      ["DELETE", `invites/${id}`],
      ["POST", "invites"],
      ["PATCH", "invites"],
      ["PATCH", `invites/${id}`],
      ["POST", "users"],
      ["DELETE", `users/${owner}`],
    ] as const;
    for (const [method, path] of paths) {
      const response = await call(sandbox, method, `/groups/${projectId}/${path}`, undefined, pair);
      expect(outcome(response)).toBe("401 NOT_GROUP_USER_ADMIN");
    }
  });

  test.each([
    ["ORG_OWNER", "201"],
    ["ORG_GROUP_CREATOR", "201"],
    ["GLOBAL_OWNER", "201"],
    ["ORG_MEMBER", "401 NOT_ORG_GROUP_CREATOR"],
    ["ORG_READ_ONLY", "401 NOT_ORG_GROUP_CREATOR"],
  ])("with %s gets %s for creating a project", async (role, expected) => {
    const { sandbox, key } = await scenario();
    const body = { name: "new", orgId: sandbox.orgId };
    expect(outcome(await call(sandbox, "POST", "/groups", body, key(role)))).toBe(expected);
  });

  test("that may only create projects owns the ones it made", async () => {
    const { sandbox, projectId, key } = await scenario();
    const pair = key("ORG_GROUP_CREATOR");
    const { json } = await call(sandbox, "POST", "/groups", { name: "new", orgId: sandbox.orgId }, pair);
    expect(outcome(await call(sandbox, "PATCH", `/groups/${json.id}`, { name: "newer" }, pair))).toBe("200");
    expect(outcome(await call(sandbox, "PATCH", `/groups/${projectId}`, { name: "x" }, pair))).toBe(
      "401 NOT_IN_GROUP",
    );
    expect(outcome(await call(sandbox, "POST", "/groups", { name: "no org" }, pair))).toBe(
      "401 API_KEY_CANNOT_CREATE_ORG",
    );
  });

  test("may change and delete a project only as its owner", async () => {
    const { sandbox, projectId, key } = await scenario();
    const path = `/groups/${projectId}`;
    const [reader, owner] = [key("GROUP_READ_ONLY"), key("GROUP_OWNER")];
    expect(outcome(await call(sandbox, "PATCH", path, { name: "x" }, reader))).toBe("401 USER_UNAUTHORIZED");
    expect(outcome(await call(sandbox, "DELETE", path, undefined, reader))).toBe("401 USER_UNAUTHORIZED");
    expect(outcome(await call(sandbox, "PATCH", path, { name: "x" }, owner))).toBe("200");
    expect(outcome(await call(sandbox, "DELETE", path, undefined, owner))).toBe("200");
  });

  test("with a project role sees that project; the organization's list shows an organization role everything", async () => {
    const here = await scenario();
    const orgList = `/orgs/${here.sandbox.orgId}/groups`;
    const [member, orgMember, orgReader] = [
      here.key("GROUP_READ_ONLY"),
      here.key("ORG_MEMBER"),
      here.key("ORG_READ_ONLY"),
    ];
    expect(await visibleNames(here, "/groups", member)).toEqual(["payments"]);
    expect(await visibleNames(here, orgList, member)).toEqual(["payments"]);
    expect(await visibleNames(here, "/groups", orgMember)).toEqual([]);
    expect(await visibleNames(here, orgList, orgMember)).toEqual(["payments", "other"]);
    expect(await visibleNames(here, "/groups", orgReader)).toEqual(["payments", "other"]);
    here.sandbox.setSwitches({ orgProjects: "visible" });
    expect(await visibleNames(here, orgList, orgMember)).toEqual([]);
  });

  test("gets NOT_IN_GROUP for a project it may not see, and NOT_IN_ORG for such an organization", async () => {
    const { sandbox, otherId, key } = await scenario();
    const pair = key("GROUP_READ_ONLY");
    const foreign = sandbox.addOrg({ name: "Foreign" });
    expect(outcome(await call(sandbox, "GET", `/groups/${otherId}`, undefined, pair))).toBe(
      "401 NOT_IN_GROUP",
    );
    expect(outcome(await call(sandbox, "GET", "/groups/byName/other", undefined, pair))).toBe(
      "404 GROUP_NAME_NOT_FOUND",
    );
    expect(outcome(await call(sandbox, "GET", `/orgs/${foreign.id}/groups`, undefined, pair))).toBe(
      "401 NOT_IN_ORG",
    );
    expect(await visibleNames({ sandbox } as Scenario, "/orgs", pair)).toEqual(["Example Org"]);
  });

  test("cannot read a project after it moves to another organization", async () => {
    const { sandbox, projectId, key } = await scenario();
    const pair = key("ORG_OWNER");
    sandbox.changeProject(projectId, { orgId: sandbox.addOrg({ name: "Other" }).id });
    expect(outcome(await call(sandbox, "GET", `/groups/${projectId}`, undefined, pair))).toBe(
      "401 NOT_IN_GROUP",
    );
    expect((await call(sandbox, "GET", `/groups/${projectId}`)).json.name).toBe("payments");
  });

  test("may look up accounts in projects that it administers only, unless it has a global role", async () => {
    const { sandbox, key } = await scenario();
    const { id } = sandbox.addUser({ username: "stranger@example.com" });
    const known = sandbox.user({ username: "owner@example.com" })?.id;
    const pair = key("ORG_OWNER");
    expect(outcome(await call(sandbox, "GET", `/users/${known}`, undefined, pair))).toBe("200");
    expect(outcome(await call(sandbox, "GET", `/users/${id}`, undefined, pair))).toBe("401 NOT_USER_ADMIN");
    expect(outcome(await call(sandbox, "GET", `/users/${id}`, undefined, key("GLOBAL_READ_ONLY")))).toBe(
      "200",
    );
  });

  test("from outside of its IP access list is refused with 403", async () => {
    const { sandbox } = await scenario();
    sandbox.changeKey(sandbox.publicKey, { ipAllowed: false });
    const response = await call(sandbox, "GET", "/groups");
    expect(outcome(response)).toBe("403 IP_ADDRESS_NOT_ON_ACCESS_LIST");
    expect(response.json.detail).toContain("127.0.0.1");
  });

  test("that was removed or rotated is a bad credential", async () => {
    const { sandbox, key } = await scenario();
    const pair = key("GLOBAL_OWNER");
    sandbox.changeKey(pair.publicKey, { privateKey: "new" });
    expect(outcome(await call(sandbox, "GET", "/groups", undefined, pair))).toBe("401");
    expect(outcome(await call(sandbox, "GET", "/groups", undefined, { ...pair, privateKey: "new" }))).toBe(
      "200",
    );
    sandbox.removeKey(pair.publicKey);
    expect(outcome(await call(sandbox, "GET", "/groups", undefined, { ...pair, privateKey: "new" }))).toBe(
      "401",
    );
  });
});

describe("tags without a global role", () => {
  const path = (id: string): string => `/groups/${id}`;

  test("are written but never answered (hide)", async () => {
    const { sandbox, projectId, key } = await scenario({ tagsWithoutGlobalRole: "hide" });
    const pair = key("ORG_OWNER");
    const response = await call(sandbox, "PATCH", path(projectId), { tags: ["B"] }, pair);
    expect(outcome(response)).toBe("200");
    expect(response.json).not.toHaveProperty("tags");
    expect(sandbox.project(projectId)?.tags).toEqual(["B"]);
    expect(await visibleNames({ sandbox } as Scenario, "/groups?tag=B", pair)).toEqual([]);
  });

  test("are refused on write and not answered (refuse)", async () => {
    const { sandbox, projectId, key } = await scenario({ tagsWithoutGlobalRole: "refuse" });
    const pair = key("ORG_OWNER");
    const body = { name: "x", tags: ["B"] };
    expect(outcome(await call(sandbox, "PATCH", path(projectId), body, pair))).toBe("401 USER_UNAUTHORIZED");
    expect(sandbox.project(projectId)).toMatchObject({ name: "payments", tags: ["A"] });
    const reader = key("ORG_OWNER", "GLOBAL_READ_ONLY");
    expect((await call(sandbox, "GET", path(projectId), undefined, reader)).json.tags).toEqual(["A"]);
    expect(outcome(await call(sandbox, "PATCH", path(projectId), body, reader))).toBe(
      "401 USER_UNAUTHORIZED",
    );
  });

  test("are like every other field by default", async () => {
    const { sandbox, projectId, key } = await scenario();
    const response = await call(sandbox, "PATCH", path(projectId), { tags: ["B"] }, key("GROUP_OWNER"));
    expect(response.json.tags).toEqual(["B"]);
  });
});

test("a key with any role in an organization reads its keys with their roles there, and no private part", async () => {
  const { sandbox, projectId, key } = await scenario();
  const [reader, elsewhere] = [key("GROUP_READ_ONLY"), key("GLOBAL_READ_ONLY")];
  const { status, json, text } = await call(
    sandbox,
    "GET",
    `/orgs/${sandbox.orgId}/apiKeys`,
    undefined,
    reader,
  );
  expect(status).toBe(200);
  const rolesByKey = Object.fromEntries(
    json.results.map(({ publicKey, roles }: { publicKey: string; roles: unknown }) => [publicKey, roles]),
  );
  expect(rolesByKey[reader.publicKey]).toEqual([{ groupId: projectId, roleName: "GROUP_READ_ONLY" }]);
  expect(Object.keys(rolesByKey)).not.toContain(elsewhere.publicKey);
  // A global key belongs to no organization.
  expect(Object.keys(rolesByKey)).not.toContain(sandbox.publicKey);
  for (const { privateKey } of [reader, elsewhere, sandbox]) expect(text).not.toContain(privateKey);
});
