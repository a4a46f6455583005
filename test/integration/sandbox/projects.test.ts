import type { Sandbox } from "../../../sandbox";
import { call, type SandboxResponse } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();

const outcome = ({ status, json }: SandboxResponse): string =>
  [status, json?.errorCode].filter(Boolean).join(" ");

const create = (sandbox: Sandbox, body: Record<string, unknown>): Promise<SandboxResponse> =>
  call(sandbox, "POST", "/groups", { orgId: sandbox.orgId, ...body });

const patch = (sandbox: Sandbox, id: string, body: unknown): Promise<SandboxResponse> =>
  call(sandbox, "PATCH", `/groups/${id}`, body);

const owners = ["GROUP_OWNER", "GROUP_READ_ONLY"].map((roleName) => ({
  roleName,
  ldapGroups: [`cn=${roleName}`],
}));

describe("creating a project", () => {
  test("returns 201 with every documented field of a project without agents, and the oldest organization owner owns it", async () => {
    const sandbox = await start({ ldap: true });
    const response = await create(sandbox, { name: "payments", withDefaultAlertsSettings: false });
    expect(response.status).toBe(201);
    const documented = ["id", "name", "orgId", "hostCounts", "activeAgentCount", "replicaSetCount"];
    const others = ["shardCount", "publicApiEnabled", "agentApiKey", "tags", "ldapGroupMappings", "links"];
    expect(Object.keys(response.json).sort()).toEqual([...documented, ...others].sort());
    const users = await call(sandbox, "GET", `/groups/${response.json.id}/users`);
    expect(users.json.results.map((user: { username: string }) => user.username)).toEqual([
      "owner@example.com",
    ]);
  });

  test("gives it to the account of projectOwnerId", async () => {
    const sandbox = await start();
    const { id } = sandbox.addUser({ username: "boss@example.com" });
    const path = `/groups?projectOwnerId=${id}`;
    const created = await call(sandbox, "POST", path, { name: "payments", orgId: sandbox.orgId });
    const grant = { groupId: created.json.id, roleName: "GROUP_OWNER" };
    expect(sandbox.user({ id })?.roles).toContainEqual(grant);
    expect(sandbox.user({ username: "owner@example.com" })?.roles).not.toContainEqual(grant);
  });

  test("without orgId makes an organization of the same name, even a second one", async () => {
    const sandbox = await start();
    for (const name of ["payments", "payments"]) await call(sandbox, "POST", "/groups", { name });
    expect(sandbox.state.orgs.map(({ name }) => name)).toEqual(["Example Org", "payments", "payments"]);
  });

  test("is refused for a name that the organization has, unless duplicates are allowed", async () => {
    const sandbox = await start();
    await create(sandbox, { name: "payments" });
    expect(outcome(await create(sandbox, { name: "payments" }))).toBe("409 GROUP_ALREADY_EXISTS");
    const otherOrg = sandbox.addOrg({ name: "Other" });
    expect(outcome(await create(sandbox, { name: "payments", orgId: otherOrg.id }))).toBe("201");
    expect(outcome(await call(sandbox, "GET", "/groups/byName/payments"))).toBe("409 MULTIPLE_GROUPS");
    sandbox.setSwitches({ allowDuplicateNames: true });
    expect(outcome(await create(sandbox, { name: "payments" }))).toBe("201");
  });

  test.each([
    ["an empty name", { name: " " }, "400 INVALID_GROUP_NAME"],
    ["a name of 65 characters", { name: "x".repeat(65) }, "400 INVALID_GROUP_NAME"],
    ["a reserved name", { name: "10gen-x" }, "400 INVALID_GROUP_NAME_10GEN"],
    ["no name", {}, "400 MISSING_ATTRIBUTE"],
    ["a name that is no text", { name: 1 }, "400 INVALID_ATTRIBUTE"],
    ["an unknown field", { name: "a", colour: "red" }, "400 INVALID_ATTRIBUTE"],
    ["a read-only field", { name: "a", id: "5f00000000000000000000a1" }, "400 ATTRIBUTE_READ_ONLY"],
    ["an unknown organization", { name: "a", orgId: "5f00000000000000000000a1" }, "404 ORG_NOT_FOUND"],
    ["a malformed organization", { name: "a", orgId: "x" }, "404 INVALID_ORG_ID"],
  ])("is refused for %s", async (_, body, expected) => {
    const sandbox = await start();
    expect(outcome(await create(sandbox, body))).toBe(expected);
    expect(sandbox.state.projects).toEqual([]);
  });

  test("can insist on withDefaultAlertsSettings: false, as some versions do", async () => {
    const sandbox = await start({ defaultAlerts: "refuse" });
    expect(outcome(await create(sandbox, { name: "a" }))).toBe("401 BILLING_UNSUPPORTED");
    expect(outcome(await create(sandbox, { name: "a", withDefaultAlertsSettings: false }))).toBe("201");
  });
});

describe("updating a project", () => {
  test("changes only what is sent, and [] clears where the service accepts it for mappings", async () => {
    const sandbox = await start({ ldap: true, emptyLdapMappings: "clear" });
    const { id } = sandbox.addProject({ name: "old", tags: ["A"], ldapGroupMappings: owners });
    expect((await patch(sandbox, id, { name: "new" })).json).toMatchObject({ name: "new", tags: ["A"] });
    expect((await patch(sandbox, id, { tags: [] })).json).toMatchObject({
      tags: [],
      ldapGroupMappings: owners,
    });
    expect((await patch(sandbox, id, { ldapGroupMappings: [] })).json).toMatchObject({
      ldapGroupMappings: [],
    });
    expect(sandbox.project(id)).toMatchObject({ name: "new", tags: [], ldapGroupMappings: [] });
  });

  test("responds with the agentApiKey as the API document specifies, or without it", async () => {
    const sandbox = await start();
    const { id, agentApiKey } = sandbox.addProject({ name: "a" });
    expect((await patch(sandbox, id, { tags: ["A"] })).json.agentApiKey).toBe(agentApiKey);
    sandbox.setSwitches({ agentApiKeyInPatch: false });
    expect((await patch(sandbox, id, { tags: ["B"] })).json).not.toHaveProperty("agentApiKey");
    expect((await call(sandbox, "GET", `/groups/${id}`)).json).not.toHaveProperty("agentApiKey");
  });

  test("without any field is refused with the chosen code, or accepted", async () => {
    const sandbox = await start();
    const { id } = sandbox.addProject({ name: "a" });
    const got = [];
    for (const emptyPatch of ["MISSING_ONE_OF_THREE_ATTRIBUTES", "MISSING_ATTRIBUTE", "accept"] as const) {
      sandbox.setSwitches({ emptyPatch });
      got.push(outcome(await patch(sandbox, id, {})));
    }
    expect(got).toEqual(["400 MISSING_ONE_OF_THREE_ATTRIBUTES", "400 MISSING_ATTRIBUTE", "200"]);
  });

  test("tolerates the project's own id and orgId in the body, as an official client sends them", async () => {
    const sandbox = await start();
    const { id, orgId } = sandbox.addProject({ name: "a" });
    expect(outcome(await patch(sandbox, id, { id, orgId, tags: ["A"] }))).toBe("200");
    expect(outcome(await patch(sandbox, id, { id: orgId, tags: ["A"] }))).toBe("400 GROUP_MISMATCH");
    expect(outcome(await patch(sandbox, id, { orgId: id, tags: ["A"] }))).toBe("400 ATTRIBUTE_READ_ONLY");
  });

  test.each([
    ["a read-only field", { activeAgentCount: 3 }, "400 ATTRIBUTE_READ_ONLY"],
    ["an unknown field", { owner: "me" }, "400 INVALID_ATTRIBUTE"],
    ["tags: null", { tags: null }, "400 INVALID_ATTRIBUTE"],
    ["a list", [], "400 INVALID_JSON"],
    ["broken JSON", "{", "400 INVALID_JSON"],
  ])("is refused for %s", async (_, body, expected) => {
    const sandbox = await start();
    const { id } = sandbox.addProject({ name: "a" });
    expect(outcome(await patch(sandbox, id, body))).toBe(expected);
  });

  test("refuses a name another project of the organization has, and any name when renaming is not allowed", async () => {
    const sandbox = await start();
    const { id } = sandbox.addProject({ name: "a" });
    sandbox.addProject({ name: "b" });
    expect(outcome(await patch(sandbox, id, { name: "b" }))).toBe("409 GROUP_ALREADY_EXISTS");
    expect(outcome(await patch(sandbox, id, { name: "a" }))).toBe("200");
    sandbox.setSwitches({ renaming: "refuse" });
    expect(outcome(await patch(sandbox, id, { name: "c" }))).toBe("403 CANNOT_CHANGE_GROUP_NAME");
  });
});

describe("tags", () => {
  const ten = Array.from({ length: 10 }, (_, index) => `T${index}`);

  test("are at most ten, and the eleventh has two known refusals", async () => {
    const sandbox = await start();
    const { id } = sandbox.addProject({ name: "a" });
    expect(outcome(await patch(sandbox, id, { tags: ten }))).toBe("200");
    expect(outcome(await patch(sandbox, id, { tags: [...ten, "X"] }))).toBe("400 TOO_MANY_GROUP_TOKENS");
    sandbox.setSwitches({ tooManyTags: "TOO_MANY_GROUP_TAGS" });
    expect(outcome(await patch(sandbox, id, { tags: [...ten, "X"] }))).toBe("401 TOO_MANY_GROUP_TAGS");
    expect(sandbox.project(id)?.tags).toEqual(ten);
  });

  test.each([["x".repeat(33)], ["a b"], ["ä"], [""]])("refuse %j", async (tag) => {
    const sandbox = await start();
    const { id } = sandbox.addProject({ name: "a" });
    expect(outcome(await patch(sandbox, id, { tags: [tag] }))).toBe("400 INVALID_GROUP_TOKEN");
  });

  test("in lower case are kept, turned into upper case or refused", async () => {
    const sandbox = await start();
    const { id } = sandbox.addProject({ name: "a" });
    expect((await patch(sandbox, id, { tags: ["dev", "dev", "X.y_z-1"] })).json.tags).toEqual([
      "dev",
      "X.y_z-1",
    ]);
    sandbox.setSwitches({ lowerCaseTags: "upper" });
    expect((await patch(sandbox, id, { tags: ["dev"] })).json.tags).toEqual(["DEV"]);
    sandbox.setSwitches({ lowerCaseTags: "refuse" });
    expect(outcome(await patch(sandbox, id, { tags: ["dev"] }))).toBe("400 INVALID_GROUP_TOKEN");
  });

  test("filter the list of projects, by all or by any of them", async () => {
    const sandbox = await start();
    sandbox.addProject({ name: "both", tags: ["A", "B"] });
    sandbox.addProject({ name: "one", tags: ["A"] });
    const names = async (): Promise<string[]> =>
      (await call(sandbox, "GET", "/groups?tag=A&tag=B")).json.results.map(
        (row: { name: string }) => row.name,
      );
    expect(await names()).toEqual(["both"]);
    sandbox.setSwitches({ tagFilter: "any" });
    expect(await names()).toEqual(["both", "one"]);
  });
});

describe("LDAP group mappings", () => {
  test("are refused and never answered when the service is not LDAP-backed", async () => {
    const sandbox = await start();
    const { id } = sandbox.addProject({ name: "a", ldapGroupMappings: owners });
    expect(outcome(await patch(sandbox, id, { ldapGroupMappings: owners }))).toBe(
      "400 DISALLOWED_ATTRIBUTE_TURN_ON_LDAP",
    );
    expect(outcome(await patch(sandbox, id, { ldapGroupMappings: [] }))).toBe(
      "400 DISALLOWED_ATTRIBUTE_TURN_ON_LDAP",
    );
    expect((await call(sandbox, "GET", `/groups/${id}`)).json).not.toHaveProperty("ldapGroupMappings");
  });

  test.each([
    ["a role twice", [...owners, ...owners], "400 DUPLICATE_ROLE_ENTRY_IN_LDAP_MAPPING"],
    [
      "a role without groups",
      [{ roleName: "GROUP_OWNER", ldapGroups: [] }],
      "400 MISSING_ROLE_ENTRY_IN_LDAP_MAPPING",
    ],
    ["an organization role", [{ roleName: "ORG_OWNER", ldapGroups: ["x"] }], "400 INVALID_ROLE_FOR_GROUP"],
    ["an unknown role", [{ roleName: "GROUP_KING", ldapGroups: ["x"] }], "400 INVALID_ENUM_VALUE"],
    ["an entry without role", [{ ldapGroups: ["x"] }], "400 MISSING_ATTRIBUTE"],
    [
      "an entry with an unknown field",
      [{ roleName: "GROUP_OWNER", ldapGroups: [], x: 1 }],
      "400 INVALID_ATTRIBUTE",
    ],
  ])("refuse %s", async (_, ldapGroupMappings, expected) => {
    const sandbox = await start({ ldap: true });
    const { id } = sandbox.addProject({ name: "a" });
    expect(outcome(await patch(sandbox, id, { ldapGroupMappings }))).toBe(expected);
  });

  test("require GROUP_OWNER, and refuse to be cleared", async () => {
    const sandbox = await start({ ldap: true });
    const { id } = sandbox.addProject({ name: "a" });
    expect(outcome(await patch(sandbox, id, { ldapGroupMappings: owners.slice(1) }))).toBe(
      "400 MISSING_ROLE_ENTRY_IN_LDAP_MAPPING",
    );
    expect(outcome(await patch(sandbox, id, { ldapGroupMappings: owners }))).toBe("200");
    expect(outcome(await patch(sandbox, id, { ldapGroupMappings: [] }))).toBe(
      "400 MISSING_ROLE_ENTRY_IN_LDAP_MAPPING",
    );
  });
});

describe("finding and deleting projects", () => {
  test("an id that does not exist, one that is malformed, and a name that is not there are distinguished", async () => {
    const sandbox = await start();
    const unknown = "/groups/5f00000000000000000000a1";
    expect(outcome(await call(sandbox, "GET", unknown))).toBe("404 GROUP_NOT_FOUND");
    expect(outcome(await call(sandbox, "GET", "/groups/short"))).toBe("404 INVALID_GROUP_ID");
    expect(outcome(await call(sandbox, "GET", "/groups/byName/x"))).toBe("404 GROUP_NAME_NOT_FOUND");
    expect(outcome(await call(sandbox, "GET", `/orgs/${sandbox.orgId}/groups?name=x`))).toBe("200");
    sandbox.setSwitches({
      unknownProject: "NOT_IN_GROUP",
      unknownName: "NOT_IN_GROUP",
      unknownNameInOrg: "GROUP_NAME_NOT_FOUND",
    });
    expect(outcome(await call(sandbox, "GET", unknown))).toBe("401 NOT_IN_GROUP");
    expect(outcome(await call(sandbox, "GET", "/groups/byName/x"))).toBe("401 NOT_IN_GROUP");
    expect(outcome(await call(sandbox, "GET", `/orgs/${sandbox.orgId}/groups?name=x`))).toBe(
      "404 GROUP_NAME_NOT_FOUND",
    );
  });

  test("the organization's name filter is a prefix without regard to case", async () => {
    const sandbox = await start();
    for (const name of ["Pay", "payments", "display"]) sandbox.addProject({ name });
    const { json } = await call(sandbox, "GET", `/orgs/${sandbox.orgId}/groups?name=PAY`);
    expect(json.results.map((row: { name: string }) => row.name)).toEqual(["Pay", "payments"]);
  });

  test("lists are paged, with the total and links to the adjacent pages", async () => {
    const sandbox = await start();
    for (const name of ["a", "b", "c", "d", "e"]) sandbox.addProject({ name });
    const { json } = await call(sandbox, "GET", "/groups?pageNum=2&itemsPerPage=2");
    expect(json.results.map((row: { name: string }) => row.name)).toEqual(["c", "d"]);
    expect(json.totalCount).toBe(5);
    expect(
      json.links.map(({ rel, href }: { rel: string; href: string }) => [rel, href.split("?")[1]]),
    ).toEqual([
      ["previous", "pageNum=1&itemsPerPage=2"],
      ["self", "pageNum=2&itemsPerPage=2"],
      ["next", "pageNum=3&itemsPerPage=2"],
    ]);
    const last = await call(sandbox, "GET", "/groups?pageNum=3&itemsPerPage=2&includeCount=false");
    expect(last.json).not.toHaveProperty("totalCount");
    expect(last.json.links.map(({ rel }: { rel: string }) => rel)).toEqual(["previous", "self"]);
    expect(outcome(await call(sandbox, "GET", "/groups?itemsPerPage=501"))).toBe(
      "400 INVALID_QUERY_PARAMETER",
    );
    expect(outcome(await call(sandbox, "GET", "/groups?pageNum=0"))).toBe("400 INVALID_QUERY_PARAMETER");
  });

  test("a page holds a hundred entries unless another size is requested", async () => {
    const sandbox = await start();
    for (let index = 0; index < 101; index += 1) sandbox.addProject({ name: `p${index}` });
    expect((await call(sandbox, "GET", "/groups")).json.results).toHaveLength(100);
    expect((await call(sandbox, "GET", "/groups?itemsPerPage=500")).json.results).toHaveLength(101);
  });

  test("deleting a project takes its people's roles and its invitations along", async () => {
    const sandbox = await start();
    const { id } = sandbox.addProject({ name: "a" });
    const member = sandbox.setMember(id, { username: "m@example.com" }, ["GROUP_OWNER"]);
    sandbox.addInvitation(id, { username: "n@example.com", roles: ["GROUP_READ_ONLY"] });
    const response = await call(sandbox, "DELETE", `/groups/${id}`);
    expect([response.status, response.text]).toEqual([200, ""]);
    expect(sandbox.state.invitations).toEqual([]);
    expect(sandbox.user({ id: member.id })?.roles).toEqual([
      { orgId: sandbox.orgId, roleName: "ORG_MEMBER" },
    ]);
  });

  test("a project with backups cannot be deleted", async () => {
    const sandbox = await start();
    const { id } = sandbox.addProject({ name: "a", hasBackups: true });
    expect(outcome(await call(sandbox, "DELETE", `/groups/${id}`))).toBe(
      "409 CANNOT_CLOSE_GROUP_ACTIVE_BACKUP",
    );
    sandbox.setSwitches({ activeBackupCode: "CANNOT_CLOSE_ACCOUNT_ACTIVE_BACKUP" });
    expect(outcome(await call(sandbox, "DELETE", `/groups/${id}`))).toBe(
      "409 CANNOT_CLOSE_ACCOUNT_ACTIVE_BACKUP",
    );
  });
});
