import type { LdapGroupMapping, RoleGrant, Sandbox, SandboxOptions } from "../../../sandbox";
import { apiPath, authorization, call, type KeyPair, nonceOf, type SandboxResponse, send } from "./client";
import { sandboxes } from "./with-sandbox";

/**
 * Points on which documents and clients differ, or that no document decides: each switch works both ways. Every test sets
 * the values that it compares, so that none depends on the default.
 */

const start = sandboxes();

const outcome = ({ status, json }: SandboxResponse): string =>
  [status, json?.errorCode].filter(Boolean).join(" ");

const mapping = (...roles: string[]): LdapGroupMapping[] =>
  roles.map((roleName) => ({ roleName, ldapGroups: [`cn=${roleName}`] }));

const patchMappings = async (sandbox: Sandbox, id: string, ldapGroupMappings: unknown): Promise<string> =>
  outcome(await call(sandbox, "PATCH", `/groups/${id}`, { ldapGroupMappings }));

const names = (response: SandboxResponse): string[] =>
  response.json.results.map(({ name }: { name: string }) => name);

/** A key with these roles; `GROUP_` roles in this project, `ORG_` roles in the first organization. */
function keyWith(sandbox: Sandbox, groupId: string, ...roles: string[]): KeyPair {
  const grant = (roleName: string): RoleGrant => {
    if (roleName.startsWith("GROUP_")) return { groupId, roleName };
    return roleName.startsWith("ORG_") ? { orgId: sandbox.orgId, roleName } : { roleName };
  };
  return sandbox.addKey({ roles: roles.map(grant) });
}

describe("LDAP mappings", () => {
  const documented: SandboxOptions = {
    ldap: true,
    requiredLdapRole: "GROUP_OWNER",
    ldapMappingRoles: "documented",
    emptyLdapMappings: "refuse",
    ldapMappingsInPost: "required",
  };
  const lenient: SandboxOptions = {
    ldap: true,
    requiredLdapRole: "",
    ldapMappingRoles: "any",
    emptyLdapMappings: "clear",
    ldapMappingsInPost: "optional",
  };
  const missing = "400 MISSING_ROLE_ENTRY_IN_LDAP_MAPPING";

  test.each([
    ["without GROUP_OWNER", mapping("GROUP_READ_ONLY"), missing, "200"],
    ["that is empty", [], missing, "200"],
    ["with GROUP_USER_ADMIN", mapping("GROUP_OWNER", "GROUP_USER_ADMIN"), "400 INVALID_ENUM_VALUE", "200"],
    ["with GROUP_OWNER", mapping("GROUP_OWNER", "GROUP_READ_ONLY"), "200", "200"],
  ])("a list %s, %j, is %s as documented, and can be %s", async (_, mappings, strict, kind) => {
    const sandbox = await start(documented);
    const { id } = sandbox.addProject({ name: "a", ldapGroupMappings: mapping("GROUP_OWNER") });
    expect(await patchMappings(sandbox, id, mappings)).toBe(strict);
    sandbox.setSwitches(lenient);
    expect(await patchMappings(sandbox, id, mappings)).toBe(kind);
    expect(sandbox.project(id)?.ldapGroupMappings).toEqual(mappings);
  });

  test("can be required when a project is created", async () => {
    const sandbox = await start(documented);
    const create = async (name: string, more: object = {}): Promise<string> =>
      outcome(await call(sandbox, "POST", "/groups", { name, orgId: sandbox.orgId, ...more }));
    expect(await create("a")).toBe(missing);
    expect(sandbox.state.projects).toEqual([]);
    expect(await create("b", { ldapGroupMappings: mapping("GROUP_OWNER") })).toBe("201");
    sandbox.setSwitches(lenient);
    expect(await create("a")).toBe("201");
  });
});

describe("people from LDAP groups", () => {
  const owners = "cn=owners";
  const readers = "cn=readers";
  const mappings = [
    { roleName: "GROUP_OWNER", ldapGroups: [owners] },
    { roleName: "GROUP_READ_ONLY", ldapGroups: [readers, owners] },
  ];

  async function company(options: SandboxOptions = {}) {
    const sandbox = await start({ ldapPeople: true, ...options });
    const project = sandbox.addProject({ name: "payments", ldapGroupMappings: mappings });
    const other = sandbox.addProject({ name: "without mappings" });
    const ada = sandbox.addUser({ username: "ada@example.com", ldapGroups: [owners] });
    const bob = sandbox.addUser({ username: "bob@example.com", ldapGroups: [readers] });
    sandbox.setMember(project.id, { username: "manual@example.com" }, ["GROUP_OWNER"]);
    sandbox.setMember(other.id, { username: "manual@example.com" }, ["GROUP_OWNER"]);
    const people = async (id: string): Promise<Record<string, string[]>> => {
      const { json } = await call(sandbox, "GET", `/groups/${id}/users`);
      return Object.fromEntries(
        json.results.map(({ username, roles }: { username: string; roles: RoleGrant[] }) => [
          username,
          roles.filter(({ groupId }) => groupId === id).map(({ roleName }) => roleName),
        ]),
      );
    };
    return { sandbox, project, other, ada, bob, people };
  }

  const synchronized = {
    "ada@example.com": ["GROUP_OWNER", "GROUP_READ_ONLY"],
    "bob@example.com": ["GROUP_READ_ONLY"],
  };

  test("replace those of a project with mappings within an hour, the last owner included", async () => {
    const { sandbox, project, other, people } = await company();
    expect(await people(project.id)).toEqual({ "manual@example.com": ["GROUP_OWNER"] });
    sandbox.advanceClock(3600);
    expect(await people(project.id)).toEqual(synchronized);
    expect(await people(other.id)).toEqual({ "manual@example.com": ["GROUP_OWNER"] });
  });

  test("come back after a removal, with the next synchronization", async () => {
    const { sandbox, project, bob, people } = await company();
    sandbox.syncLdapPeople();
    const removed = await call(sandbox, "DELETE", `/groups/${project.id}/users/${bob.id}`);
    expect(removed.status).toBe(200);
    expect(Object.keys(await people(project.id))).toEqual(["ada@example.com"]);
    sandbox.syncLdapPeople();
    expect(await people(project.id)).toEqual(synchronized);
    sandbox.changeUser(bob.id, { ldapGroups: [] });
    sandbox.advanceClock(3600);
    expect(Object.keys(await people(project.id))).toEqual(["ada@example.com"]);
  });

  test("are neither invited nor added; with invitations they are", async () => {
    const { sandbox, other, bob } = await company();
    const invite = () =>
      call(sandbox, "POST", `/groups/${other.id}/invites`, {
        username: "new@example.com",
        roles: ["GROUP_READ_ONLY"],
      });
    const add = () =>
      call(sandbox, "POST", `/groups/${other.id}/users`, [
        { id: bob.id, roles: [{ roleName: "GROUP_READ_ONLY" }] },
      ]);
    const refused = "403 INVITATION_ONLY_MODE_OR_LDAP";
    expect([outcome(await invite()), outcome(await add())]).toEqual([refused, refused]);
    sandbox.setSwitches({ bypassInvitations: true });
    expect([outcome(await invite()), outcome(await add())]).toEqual([refused, refused]);
    sandbox.setSwitches({ bypassInvitations: false, ldapPeople: false });
    expect([outcome(await invite()), outcome(await add())]).toEqual(["201", "200"]);
  });

  test("make the service LDAP-backed: mappings are accepted and answered", async () => {
    const { sandbox, project } = await company({ ldap: false });
    expect(await patchMappings(sandbox, project.id, mappings)).toBe("200");
    expect((await call(sandbox, "GET", `/groups/${project.id}`)).json.ldapGroupMappings).toEqual(mappings);
  });
});

describe("tags of a key without a global role", () => {
  test.each([
    ["GROUP_AUTOMATION_ADMIN", "allow", "200", ["B"]],
    ["GROUP_OWNER", "allow", "200", ["B"]],
    ["ORG_OWNER", "allow", "200", ["B"]],
    ["GLOBAL_AUTOMATION_ADMIN", "allow", "200", ["B"]],
    ["GROUP_READ_ONLY", "allow", "401 USER_UNAUTHORIZED", ["A"]],
    ["GROUP_USER_ADMIN", "allow", "401 USER_UNAUTHORIZED", ["A"]],
    ["GROUP_OWNER", "hide", "200", undefined],
    ["GROUP_AUTOMATION_ADMIN", "hide", "401 USER_UNAUTHORIZED", undefined],
    ["GROUP_OWNER", "refuse", "401 USER_UNAUTHORIZED", undefined],
  ] as const)(
    "that is %s with %s: writing them is %s, reading them gives %j",
    async (role, mode, expected, seen) => {
      const sandbox = await start({ tagsWithoutGlobalRole: mode });
      const { id } = sandbox.addProject({ name: "a", tags: ["A"] });
      const key = keyWith(sandbox, id, role);
      expect(outcome(await call(sandbox, "PATCH", `/groups/${id}`, { tags: ["B"] }, key))).toBe(expected);
      expect((await call(sandbox, "GET", `/groups/${id}`, undefined, key)).json.tags).toEqual(seen);
    },
  );

  test("does not give Project Automation Admin the name or the mappings", async () => {
    const sandbox = await start({ tagsWithoutGlobalRole: "allow", ldap: true });
    const { id } = sandbox.addProject({ name: "a" });
    const key = keyWith(sandbox, id, "GROUP_AUTOMATION_ADMIN");
    for (const body of [
      { name: "b" },
      { tags: ["B"], name: "b" },
      { ldapGroupMappings: mapping("GROUP_OWNER") },
    ])
      expect(outcome(await call(sandbox, "PATCH", `/groups/${id}`, body, key))).toBe("401 USER_UNAUTHORIZED");
    expect(sandbox.project(id)).toMatchObject({ name: "a", tags: [] });
  });

  test.each([
    ["store", "201", ["A"]],
    ["ignore", "201", []],
    ["refuse", "400 INVALID_ATTRIBUTE", undefined],
  ] as const)("in POST /groups: %s is %s, and the project has %j", async (tagsInPost, expected, stored) => {
    const sandbox = await start({ tagsInPost });
    const body = { name: "a", orgId: sandbox.orgId, tags: ["A"] };
    expect(outcome(await call(sandbox, "POST", "/groups", body))).toBe(expected);
    expect(sandbox.state.projects[0]?.tags).toEqual(stored);
    expect(outcome(await call(sandbox, "POST", "/groups", { ...body, name: "b", tags: ["ä"] }))).toMatch(
      /^400 /,
    );
  });
});

describe("looking up an account", () => {
  async function lookup(options: SandboxOptions) {
    const sandbox = await start(options);
    const here = sandbox.addProject({ name: "here" });
    const elsewhere = sandbox.addProject({ name: "elsewhere" });
    const reader = ["GROUP_READ_ONLY"];
    const colleague = sandbox.setMember(here.id, { username: "colleague@example.com" }, reader);
    const other = sandbox.setMember(elsewhere.id, { username: "other@example.com" }, reader);
    const inTeam = sandbox.addUser({ username: "team@example.com" });
    const team = sandbox.addTeam({ userIds: [inTeam.id] });
    sandbox.setProjectTeam(here.id, { teamId: team.id, roleNames: reader });
    const outcomes = async (...roles: string[]): Promise<string[]> => {
      const key = keyWith(sandbox, here.id, ...roles);
      const responses = [];
      for (const { id } of [colleague, inTeam, other])
        responses.push(outcome(await call(sandbox, "GET", `/users/${id}`, undefined, key)));
      const byName = await call(sandbox, "GET", `/users/byName/${other.username}`, undefined, key);
      expect(outcome(byName)).toBe(responses[2]);
      return responses;
    };
    return { sandbox, outcomes };
  }
  const no = "401 NOT_USER_ADMIN";

  test.each([
    ["GROUP_USER_ADMIN", ["200", "200", no]],
    ["GROUP_OWNER", ["200", "200", no]],
    ["ORG_OWNER", ["200", "200", "200"]],
    ["GLOBAL_READ_ONLY", ["200", "200", "200"]],
    ["GROUP_READ_ONLY", [no, no, no]],
    ["ORG_READ_ONLY", [no, no, no]],
  ])("by %s needs Project User Admin in a common project: %j", async (role, expected) => {
    const { outcomes } = await lookup({ accountLookup: "user-admin" });
    expect(await outcomes(role)).toEqual(expected);
  });

  test("can need an organization in common only", async () => {
    const { outcomes } = await lookup({ accountLookup: "organization" });
    // A user with access through a team alone has no role in the organization here.
    expect(await outcomes("GROUP_READ_ONLY")).toEqual(["200", "401 USER_UNAUTHORIZED", "200"]);
  });
});

describe("an operation that does not exist", () => {
  const summaryOf = async (sandbox: Sandbox, method: string, path: string) => {
    const response = await call(sandbox, method, path);
    return [response.status, response.json?.errorCode, response.headers.get("content-type")];
  };

  test("is RESOURCE_NOT_FOUND with the path as parameter, or has no errorCode, or is a web page", async () => {
    const sandbox = await start({ unknownPath: "RESOURCE_NOT_FOUND" });
    expect((await call(sandbox, "GET", "/nothing")).json).toEqual({
      detail: expect.stringContaining("/api/public/v1.0/nothing"),
      error: 404,
      errorCode: "RESOURCE_NOT_FOUND",
      parameters: ["/api/public/v1.0/nothing"],
      reason: "Not Found",
    });
    expect(await summaryOf(sandbox, "DELETE", "/groups")).toEqual([405, undefined, "application/json"]);
    sandbox.setSwitches({ unknownPath: "bare" });
    expect(await summaryOf(sandbox, "GET", "/nothing")).toEqual([404, undefined, "application/json"]);
    sandbox.setSwitches({ unknownPath: "web-page" });
    const page = "text/html;charset=utf-8";
    expect(await summaryOf(sandbox, "GET", "/nothing")).toEqual([404, undefined, page]);
    expect(await summaryOf(sandbox, "DELETE", "/groups")).toEqual([405, undefined, page]);
    expect((await call(sandbox, "GET", "/nothing")).text).toContain("404 Not Found");
  });

  test("is answered in the same forms if only the documented operations exist", async () => {
    const sandbox = await start({ onlyDocumented: true, unknownPath: "RESOURCE_NOT_FOUND" });
    const { id } = sandbox.addProject({ name: "a" });
    const code = "RESOURCE_NOT_FOUND";
    expect(await summaryOf(sandbox, "GET", `/groups/${id}`)).toEqual([404, code, "application/json"]);
    sandbox.setSwitches({ unknownPath: "web-page" });
    expect((await summaryOf(sandbox, "GET", `/groups/${id}`))[2]).toMatch("text/html");
  });

  test("is found out only with valid credentials", async () => {
    const sandbox = await start({ unknownPath: "web-page" });
    expect((await send(sandbox, "GET", "/nothing")).status).toBe(401);
  });
});

describe("deleting a project", () => {
  test("returns 200 or 202", async () => {
    const sandbox = await start({ deleteProjectStatus: "202" });
    const [first, second] = [sandbox.addProject({ name: "a" }), sandbox.addProject({ name: "b" })];
    expect((await call(sandbox, "DELETE", `/groups/${first.id}`)).status).toBe(202);
    sandbox.setSwitches({ deleteProjectStatus: "200" });
    expect((await call(sandbox, "DELETE", `/groups/${second.id}`)).status).toBe(200);
  });

  test("can leave it in lists for a while, where a read of it finds nothing", async () => {
    const sandbox = await start({ deletedProjectListedSeconds: 60 });
    const { id } = sandbox.addProject({ name: "a" });
    const lists = ["/groups", `/orgs/${sandbox.orgId}/groups`];
    const listed = async () =>
      (await Promise.all(lists.map((path) => call(sandbox, "GET", path)))).map(names);
    await call(sandbox, "DELETE", `/groups/${id}`);
    expect(await listed()).toEqual([["a"], ["a"]]);
    expect(outcome(await call(sandbox, "GET", `/groups/${id}`))).toBe("404 GROUP_NOT_FOUND");
    expect(outcome(await call(sandbox, "GET", "/groups/byName/a"))).toBe("404 GROUP_NAME_NOT_FOUND");
    sandbox.advanceClock(60);
    expect(await listed()).toEqual([[], []]);
  });

  test("can leave its name taken for a while, in its organization", async () => {
    const sandbox = await start({ deletedProjectNameSeconds: 60 });
    const other = sandbox.addOrg({ name: "Other" });
    const { id } = sandbox.addProject({ name: "a" });
    const create = async (orgId: string): Promise<string> =>
      outcome(await call(sandbox, "POST", "/groups", { name: "a", orgId }));
    await call(sandbox, "DELETE", `/groups/${id}`);
    expect(await create(sandbox.orgId)).toBe("409 GROUP_ALREADY_EXISTS");
    expect(await create(other.id)).toBe("201");
    sandbox.advanceClock(60);
    expect(await create(sandbox.orgId)).toBe("201");
  });
});

describe("a project", () => {
  test("has tags and mappings as an entry of its organization's list, or lacks them there", async () => {
    const sandbox = await start({ ldap: true, orgProjectFields: "all" });
    const ldapGroupMappings = mapping("GROUP_OWNER");
    const { id } = sandbox.addProject({ name: "a", tags: ["A"], ldapGroupMappings });
    const entry = async () => (await call(sandbox, "GET", `/orgs/${sandbox.orgId}/groups`)).json.results[0];
    expect(await entry()).toMatchObject({ id, tags: ["A"], ldapGroupMappings });
    sandbox.setSwitches({ orgProjectFields: "without-tags-and-mappings" });
    const { tags, ldapGroupMappings: mappings, ...others } = await entry();
    expect([tags, mappings, others.id]).toEqual([undefined, undefined, id]);
    expect((await call(sandbox, "GET", "/groups")).json.results[0]).toMatchObject({ tags: ["A"] });
  });

  test("without an active agent has lastActiveAgent or lacks it", async () => {
    const sandbox = await start({ lastActiveAgent: "with-agents" });
    const { id } = sandbox.addProject({ name: "a" });
    const seen = async () => (await call(sandbox, "GET", `/groups/${id}`)).json.lastActiveAgent;
    expect(await seen()).toBeUndefined();
    sandbox.changeProject(id, { activeAgentCount: 1 });
    expect(await seen()).toEqual(expect.any(String));
    sandbox.changeProject(id, { activeAgentCount: 0 });
    sandbox.setSwitches({ lastActiveAgent: "always" });
    expect(await seen()).toEqual(expect.any(String));
  });

  test("has the documented host counts, or master and slave as well", async () => {
    const sandbox = await start({ masterSlaveCounts: false });
    const { id } = sandbox.addProject({ name: "a" });
    const seen = async () =>
      Object.keys((await call(sandbox, "GET", `/groups/${id}`)).json.hostCounts).sort();
    expect(await seen()).toEqual(["arbiter", "config", "mongos", "primary", "secondary"]);
    sandbox.setSwitches({ masterSlaveCounts: true });
    expect(await seen()).toEqual(["arbiter", "config", "master", "mongos", "primary", "secondary", "slave"]);
  });
});

describe("organizations", () => {
  test("are filtered by their whole name or by its beginning, without regard to case", async () => {
    const sandbox = await start({ orgNameFilter: "exact" });
    for (const name of ["org1", "ORG1", "org123"]) sandbox.addOrg({ name });
    expect(names(await call(sandbox, "GET", "/orgs?name=Org1"))).toEqual(["org1", "ORG1"]);
    sandbox.setSwitches({ orgNameFilter: "prefix" });
    expect(names(await call(sandbox, "GET", "/orgs?name=Org1"))).toEqual(["org1", "ORG1", "org123"]);
  });

  test("that are deleted are seen with a global role only, unless includeDeletedOrgs=false", async () => {
    const sandbox = await start();
    const old = sandbox.addOrg({ name: "Old" });
    sandbox.changeOrg(old.id, { isDeleted: true });
    const all = async (query: string, key: KeyPair = sandbox) =>
      (await call(sandbox, "GET", `/orgs${query}`, undefined, key)).json.results.map(
        ({ name, isDeleted }: { name: string; isDeleted: boolean }) => [name, isDeleted],
      );
    const living = ["Example Org", false];
    expect(await all("")).toEqual([living, ["Old", true]]);
    expect(await all("?includeDeletedOrgs=true")).toEqual([living, ["Old", true]]);
    expect(await all("?includeDeletedOrgs=false")).toEqual([living]);
    const local = sandbox.addKey({
      roles: [sandbox.orgId, old.id].map((orgId) => ({ orgId, roleName: "ORG_OWNER" })),
    });
    expect(await all("?includeDeletedOrgs=true", local)).toEqual([living]);
    expect((await call(sandbox, "GET", `/orgs/${old.id}`)).json.isDeleted).toBe(true);
    expect(outcome(await call(sandbox, "GET", `/orgs/${old.id}`, undefined, local))).toBe(
      "404 ORG_NOT_FOUND",
    );
    expect(outcome(await call(sandbox, "POST", "/groups", { name: "a", orgId: old.id }))).toBe(
      "404 ORG_NOT_FOUND",
    );
  });
});

describe("what clients and documents send", () => {
  test("a slash at the end of a path, HEAD, and GET of the root are answered", async () => {
    const sandbox = await start();
    sandbox.addProject({ name: "a" });
    expect(names(await call(sandbox, "GET", "/groups/"))).toEqual(["a"]);
    for (const path of ["", "/"]) {
      const { status, json } = await call(sandbox, "GET", path);
      expect([status, json.appName, json.build]).toEqual([
        200,
        "MongoDB Ops Manager",
        expect.stringMatching(/^[0-9a-f]{40}$/),
      ]);
    }
    const parts = { ...sandbox, method: "HEAD", uri: apiPath("/groups"), nonce: await nonceOf(sandbox) };
    const headers = { Authorization: authorization({ ...parts, nc: "00000001" }) };
    const head = await send(sandbox, "HEAD", "/groups", headers);
    expect([head.status, head.text, Number(head.headers.get("content-length")) > 0]).toEqual([200, "", true]);
  });

  test("the version is in refusals too, or in successful responses alone", async () => {
    const sandbox = await start({ versionOnErrors: true });
    const version = async () =>
      (await call(sandbox, "GET", "/groups/x")).headers.get("x-mongodb-service-version");
    expect(await version()).toContain("versionString=8.0.0");
    expect((await send(sandbox, "GET", "/groups")).headers.get("x-mongodb-service-version")).not.toBeNull();
    sandbox.setSwitches({ versionOnErrors: false });
    expect(await version()).toBeNull();
  });

  test("the project's own id, orgId and agentApiKey in PATCH /groups change nothing", async () => {
    const sandbox = await start();
    const { id, orgId, agentApiKey } = sandbox.addProject({ name: "a" });
    const body = { id, orgId, name: "b", tags: ["A"], agentApiKey: "another" };
    expect(outcome(await call(sandbox, "PATCH", `/groups/${id}`, body))).toBe("200");
    expect(sandbox.project(id)).toMatchObject({ name: "b", orgId, agentApiKey });
  });

  test("the project in the roles of POST users, and the name in PATCH of an invitation, are accepted", async () => {
    const sandbox = await start({ bypassInvitations: true });
    const { id } = sandbox.addProject({ name: "a" });
    const { id: userId } = sandbox.addUser({ username: "ada@example.com" });
    const add = async (groupId: string) =>
      outcome(
        await call(sandbox, "POST", `/groups/${id}/users`, [
          { id: userId, roles: [{ groupId, roleName: "GROUP_READ_ONLY" }] },
        ]),
      );
    expect(await add("5f00000000000000000000a1")).toBe("400 INVALID_ATTRIBUTE");
    expect(await add(id)).toBe("200");
    const roles = ["GROUP_READ_ONLY"];
    const invitation = sandbox.addInvitation(id, { username: "new@example.com", roles });
    const body = { username: "other@example.com", roles: ["GROUP_OWNER"] };
    const { json } = await call(sandbox, "PATCH", `/groups/${id}/invites/${invitation.id}`, body);
    expect(json).toMatchObject({ id: invitation.id, username: "new@example.com", roles: ["GROUP_OWNER"] });
  });

  test("an organization's key has an id and a description; a name may not contain 10gen- or -10gen", async () => {
    const sandbox = await start();
    const { id, publicKey } = sandbox.addKey({
      desc: "for CI",
      roles: [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }],
    });
    const { json } = await call(sandbox, "GET", `/orgs/${sandbox.orgId}/apiKeys`);
    expect(json.results).toContainEqual(expect.objectContaining({ id, desc: "for CI", publicKey }));
    for (const name of ["a 10gen-b", "a-10gen b"])
      expect(outcome(await call(sandbox, "POST", "/groups", { name, orgId: sandbox.orgId }))).toBe(
        "400 INVALID_GROUP_NAME_10GEN",
      );
  });

  test("an account without a mobile number has no such field", async () => {
    const sandbox = await start();
    const { id } = sandbox.addUser({ username: "ada@example.com" });
    const read = async () => (await call(sandbox, "GET", `/users/${id}`)).json;
    expect(await read()).not.toHaveProperty("mobileNumber");
    sandbox.changeUser(id, { mobileNumber: "+353 1 5550100" });
    expect((await read()).mobileNumber).toBe("+353 1 5550100");
  });
});

describe("a pending invitation of an account that is renamed", () => {
  const roles = ["GROUP_READ_ONLY"];
  const pending = async (sandbox: Sandbox, id: string): Promise<string[]> =>
    (await call(sandbox, "GET", `/groups/${id}/invites`)).json.map(
      ({ username }: { username: string }) => username,
    );

  test("makes the account a member when it is accepted, and no second account", async () => {
    for (const renamedInvitee of ["follows", "keeps-name"] as const) {
      const sandbox = await start({ renamedInvitee });
      const project = sandbox.addProject({ name: "a" });
      const ada = sandbox.addUser({ username: "ada@example.com" });
      const invitation = sandbox.addInvitation(project.id, { username: "ada@example.com", roles });
      sandbox.changeUser(ada.id, { username: "lovelace@example.com" });
      expect(await pending(sandbox, project.id)).toEqual([
        renamedInvitee === "follows" ? "lovelace@example.com" : "ada@example.com",
      ]);
      expect(sandbox.acceptInvitation(invitation.id).id).toBe(ada.id);
      expect(sandbox.user({ username: "ada@example.com" })).toBeUndefined();
    }
  });

  test("stays with its account when two accounts exchange their names, also one sent before there was an account", async () => {
    const sandbox = await start({ renamedInvitee: "follows" });
    const project = sandbox.addProject({ name: "a" });
    const [first, second] = ["ada@example.com", "bob@example.com"].map((username) => {
      const invitation = sandbox.addInvitation(project.id, { username, roles });
      return { invitation, account: sandbox.addUser({ username }) };
    });
    if (first === undefined || second === undefined) throw new Error("two are made above");
    sandbox.changeUser(first.account.id, { username: "between@example.com" });
    sandbox.changeUser(second.account.id, { username: "ada@example.com" });
    sandbox.changeUser(first.account.id, { username: "bob@example.com" });
    expect(await pending(sandbox, project.id)).toEqual(["bob@example.com", "ada@example.com"]);
    expect(sandbox.acceptInvitation(first.invitation.id).id).toBe(first.account.id);
    expect(sandbox.acceptInvitation(second.invitation.id).id).toBe(second.account.id);
  });

  test("cannot become ambiguous: no two accounts have one name", async () => {
    const sandbox = await start();
    const { id } = sandbox.addUser({ username: "ada@example.com" });
    const other = sandbox.addUser({ username: "bob@example.com" });
    const taken = "Another account has the username ADA@example.com.";
    expect(() => sandbox.addUser({ username: "ADA@example.com" })).toThrow(taken);
    expect(() => sandbox.changeUser(other.id, { username: "ADA@example.com" })).toThrow(taken);
    expect(sandbox.changeUser(id, { username: "ADA@example.com" }).id).toBe(id);
  });
});
