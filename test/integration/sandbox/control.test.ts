/** The control address, with each of its operations, and injected faults. */
import type { Sandbox } from "../../../sandbox";
import { controlRoutes } from "../../../sandbox/control-routes";
import { call, outcome, type SandboxResponse } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();

async function control(sandbox: Sandbox, method: string, path: string, body?: unknown) {
  const text = typeof body === "string" ? body : body === undefined ? null : JSON.stringify(body);
  const response = await fetch(sandbox.controlUrl + path, { method, body: text });
  const json: SandboxResponse["json"] = await response.json();
  return { status: response.status, json };
}

describe("the control address", () => {
  const roles = ["GROUP_READ_ONLY"];
  const used = new Set<string>();

  function patternOf(method: string, path: string): string | undefined {
    const matches = (pattern: string) => new RegExp(`^${pattern.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
    return controlRoutes.find((route) => route.method === method && matches(route.pattern))?.pattern;
  }

  /** `does` carries out an operation, and adds it to `used`. */
  async function startWithPayments() {
    const sandbox = await start();
    const does = async (method: string, path: string, body?: unknown) => {
      const { status, json } = await control(sandbox, method, path, body);
      expect({ method, path, status, error: json.error }).toEqual({ method, path, status: 200 });
      used.add(`${method} ${patternOf(method, path)}`);
      return json;
    };
    const project = await does("POST", "/projects", { name: "payments", tags: Array(12).fill("x") });
    return { sandbox, does, project };
  }

  test("changes organizations and projects, also in what the API cannot change", async () => {
    const { sandbox, does, project } = await startWithPayments();
    const org = await does("POST", "/orgs", { name: "Other" });
    expect(await does("PATCH", `/orgs/${org.id}`, { name: "Another" })).toMatchObject({ name: "Another" });
    const owner = { username: "bob@example.com", roles: ["ORG_OWNER"] };
    const invited = await does("POST", `/orgs/${org.id}/invitations`, owner);
    expect((await does("POST", `/invitations/${invited.id}/accept`)).roles).toEqual([
      { orgId: org.id, roleName: "ORG_OWNER" },
    ]);
    await does("POST", `/orgs/${org.id}/users`, { username: "ann@example.com", roles: ["ORG_MEMBER"] });
    await does("DELETE", `/orgs/${org.id}/users/ann@example.com`);
    const facts = { orgId: org.id, activeAgentCount: 2, hasBackups: true };
    expect(await does("POST", `/projects/${project.id}`, facts)).toMatchObject({
      name: "payments",
      ...facts,
    });
    const actor = { username: "ann@example.com", remoteAddress: "198.51.100.7" };
    await does("POST", "/actor", actor);
    await does("DELETE", `/projects/${project.id}`);
    const { json: events } = await call(sandbox, "GET", `/orgs/${org.id}/events`);
    expect(events.results[0]).toMatchObject({ eventTypeName: "GROUP_DELETED", ...actor });
    expect((await does("GET", "/state")).projects).toEqual([]);
  });

  test("changes users, their roles in a project, invitations and LDAP groups", async () => {
    const { sandbox, does, project } = await startWithPayments();
    const owner = { groupId: project.id, roleName: "GROUP_OWNER" };
    const user = await does("POST", "/users", { username: "a@example.com" });
    const rolesNow = () => sandbox.user({ id: user.id })?.roles;
    await does("PATCH", `/users/${user.id}`, { username: "A@example.com" });
    expect(sandbox.user({ id: user.id })).toMatchObject({ username: "A@example.com" });
    await does("POST", `/projects/${project.id}/users`, { username: "a@example.com", roles });
    await does("POST", `/projects/${project.id}/users`, { id: user.id, roles: ["GROUP_OWNER"] });
    expect(rolesNow()).toContainEqual(owner);
    await does("DELETE", `/projects/${project.id}/users/a@example.com`);
    expect(rolesNow()).not.toContainEqual(owner);

    const invite = async (username: string) =>
      `/invitations/${(await does("POST", `/projects/${project.id}/invitations`, { username, roles })).id}`;
    await does("POST", `${await invite("b@example.com")}/accept`);
    await does("POST", `${await invite("c@example.com")}/expire`);
    await does("DELETE", await invite("d@example.com"));
    expect((await call(sandbox, "GET", `/groups/${project.id}/invites`)).json).toEqual([]);

    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }];
    await does("POST", `/projects/${project.id}`, { ldapGroupMappings });
    await does("PATCH", `/users/${user.id}`, { ldapGroups: ["cn=owners"] });
    await does("POST", "/ldap/sync");
    expect(rolesNow()).toContainEqual(owner);
  });

  test("changes teams, agent API keys, API keys and service accounts", async () => {
    const { sandbox, does, project } = await startWithPayments();
    const user = await does("POST", "/users", { username: "a@example.com" });
    const team = await does("POST", "/teams", { name: "platform" });
    await does("PATCH", `/teams/${team.id}`, { userIds: [user.id] });
    await does("POST", `/projects/${project.id}/teams`, { teamId: team.id, roleNames: roles });
    expect(sandbox.project(project.id)?.teams).toEqual([{ teamId: team.id, roleNames: roles }]);
    await does("DELETE", `/teams/${team.id}`);
    expect(sandbox.project(project.id)?.teams).toEqual([]);
    const agentKey = await does("POST", `/projects/${project.id}/agent-keys`, { desc: "agents" });
    expect(sandbox.project(project.id)?.agentKeys).toHaveLength(2);
    await does("DELETE", `/projects/${project.id}/agent-keys/${agentKey.id}`);
    expect(sandbox.project(project.id)?.agentKeys).toMatchObject([{ createdBy: "PROVISIONING" }]);

    const key = await does("POST", "/keys", { roles: [{ roleName: "GLOBAL_OWNER" }] });
    const read = async () => outcome(await call(sandbox, "GET", "/groups", undefined, key));
    expect(await read()).toBe("200");
    await does("PATCH", `/keys/${key.publicKey}`, { ipAllowed: false });
    expect(await read()).toBe("403 IP_ADDRESS_NOT_ON_ACCESS_LIST");
    await does("DELETE", `/keys/${key.publicKey}`);
    expect(await read()).toBe("401");

    const { clientId } = await does("POST", "/service-accounts", { roles: [{ roleName: "GLOBAL_OWNER" }] });
    await does("PATCH", `/service-accounts/${clientId}`, { clientSecret: "rotated" });
    expect(sandbox.state.serviceAccounts).toMatchObject([{ clientId, clientSecret: "rotated" }]);
    await does("DELETE", `/service-accounts/${clientId}`);
    expect(sandbox.state.serviceAccounts).toEqual([]);
  });

  test("changes switches, the clock, nonces and faults, and lists and forgets requests", async () => {
    const { sandbox, does } = await startWithPayments();
    expect(await does("PATCH", "/switches", { ldap: true })).toMatchObject({ ldap: true });
    expect(await does("GET", "/switches")).toEqual(sandbox.switches);
    const { time } = await does("POST", "/clock", { advanceSeconds: 86_400 });
    const { headers } = await call(sandbox, "GET", "/groups");
    for (const date of [time, headers.get("date") ?? ""]) {
      expect(Date.parse(date)).toBeGreaterThan(Date.now() + 86_000_000);
    }
    await does("POST", "/nonces/expire");
    await does("POST", "/tokens/revoke");
    await does("POST", "/faults", { fault: "truncate" });
    expect(await does("GET", "/faults")).toEqual([{ fault: "truncate", times: 1 }]);
    await does("DELETE", "/faults");
    expect(sandbox.faults).toEqual([]);
    expect((await does("GET", "/requests")).length).toBe(sandbox.requests.length);
    await does("DELETE", "/requests");
    expect(sandbox.requests).toEqual([]);
  });

  test("has no operations that these tests do not use", () => {
    expect([...used].sort()).toEqual(
      controlRoutes.map(({ method, pattern }) => `${method} ${pattern}`).sort(),
    );
  });

  test.each<{ request: string; body?: unknown; is: string }>([
    { request: "GET /nothing", is: "404 The control address does not know GET /nothing" },
    { request: "POST /projects", body: "{", is: "400 not JSON" },
    { request: "POST /projects", body: [], is: "400 must be a JSON object" },
    { request: "POST /projects", body: {}, is: "400 lacks name" },
    { request: "POST /projects", body: { name: "a", colour: 1 }, is: "400 unknown field: colour" },
    { request: "POST /projects", body: { name: "a", orgId: "x" }, is: "404 no organization x" },
    {
      request: "PATCH /switches",
      body: { ldap: true, colour: 1 },
      is: "400 there is no switch called colour",
    },
    { request: "POST /faults", body: { fault: "explode" }, is: "400 fault must be one of" },
    { request: "POST /faults", body: { fault: "truncate", times: -1 }, is: "400 times must be" },
  ])("refuses $request $body and changes nothing: $is", async ({ request, body, is }) => {
    const sandbox = await start();
    const [method = "", path = ""] = request.split(" ");
    const { status, json } = await control(sandbox, method, path, body);
    expect([status, json.error]).toEqual([Number(is.slice(0, 3)), expect.stringContaining(is.slice(4))]);
    expect({ ldap: sandbox.switches.ldap, faults: sandbox.faults }).toEqual({ ldap: false, faults: [] });
  });
});

describe("an injected fault", () => {
  test("applies to as many requests as it specifies, one rule after the other, by path and by body", async () => {
    const sandbox = await start();
    sandbox.addFault({ times: 2, fault: { status: 500 } });
    sandbox.addFault({ times: 0, pathPattern: "/orgs", fault: { status: 503 } });
    sandbox.addFault({ method: "POST", bodyPattern: '"name":"two"', fault: { status: 502 } });
    const statuses = [];
    for (const path of ["/groups", "/orgs", "/orgs", "/groups", "/orgs"]) {
      statuses.push((await call(sandbox, "GET", path)).status);
    }
    expect(statuses).toEqual([500, 500, 503, 200, 503]);
    const create = async (name: string) =>
      (await call(sandbox, "POST", "/groups", { name, orgId: sandbox.orgId })).status;
    expect([await create("one"), await create("two"), await create("two")]).toEqual([201, 502, 201]);
    sandbox.clearFaults();
    expect((await call(sandbox, "GET", "/orgs")).status).toBe(200);
  });
});
