import type { Sandbox } from "../../../sandbox";
import { controlRoutes } from "../../../sandbox/control-routes";
import { call } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();

interface ControlResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly json: any;
}

async function control(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<ControlResponse> {
  const text = typeof body === "string" ? body : body === undefined ? null : JSON.stringify(body);
  const response = await fetch(sandbox.controlUrl + path, { method, body: text });
  return { status: response.status, json: await response.json() };
}

describe("the control address", () => {
  const roles = ["GROUP_READ_ONLY"];
  const used = new Set<string>();

  /** `does` carries out an operation, and adds it to `used`. */
  async function startWithPayments() {
    const sandbox = await start();
    const does = async (method: string, path: string, body?: unknown) => {
      const { status, json } = await control(sandbox, method, path, body);
      expect([method, path, status, json.error]).toEqual([method, path, 200, undefined]);
      const segments = path.split("/");
      const route = controlRoutes.find(({ method: m, pattern }) => {
        const parts = pattern.split("/");
        return (
          m === method &&
          parts.length === segments.length &&
          parts.every((p, i) => p.startsWith("{") || p === segments[i])
        );
      });
      used.add(`${method} ${route?.pattern}`);
      return json;
    };
    const project = await does("POST", "/projects", { name: "payments", tags: Array(12).fill("x") });
    return { sandbox, does, project };
  }

  test("changes organizations and projects, also in what the API cannot change", async () => {
    const { sandbox, does, project } = await startWithPayments();
    const org = await does("POST", "/orgs", { name: "Other" });
    expect(await does("PATCH", `/orgs/${org.id}`, { name: "Another" })).toMatchObject({ name: "Another" });
    const invited = await does("POST", `/orgs/${org.id}/invitations`, {
      username: "bob@example.com",
      roles: ["ORG_OWNER"],
    });
    expect((await does("POST", `/invitations/${invited.id}/accept`)).roles).toEqual([
      { orgId: org.id, roleName: "ORG_OWNER" },
    ]);
    await does("POST", `/orgs/${org.id}/users`, { username: "ann@example.com", roles: ["ORG_MEMBER"] });
    await does("DELETE", `/orgs/${org.id}/users/ann@example.com`);
    const changed = await does("POST", `/projects/${project.id}`, {
      orgId: org.id,
      activeAgentCount: 2,
      hasBackups: true,
    });
    expect(changed).toMatchObject({ name: "payments", orgId: org.id, activeAgentCount: 2, hasBackups: true });
    await does("POST", "/actor", { username: "ann@example.com", remoteAddress: "198.51.100.7" });
    await does("DELETE", `/projects/${project.id}`);
    const { json: events } = await call(sandbox, "GET", `/orgs/${org.id}/events`);
    const actor = { username: "ann@example.com", remoteAddress: "198.51.100.7" };
    expect(events.results[0]).toMatchObject({ eventTypeName: "GROUP_DELETED", ...actor });
    expect((await does("GET", "/state")).projects).toEqual([]);
  });

  test("changes users, their roles in a project, invitations and LDAP groups", async () => {
    const { sandbox, does, project } = await startWithPayments();
    const user = await does("POST", "/users", { username: "a@example.com" });
    await does("PATCH", `/users/${user.id}`, { username: "A@example.com" });
    await does("POST", `/projects/${project.id}/users`, { username: "a@example.com", roles });
    await does("POST", `/projects/${project.id}/users`, { id: user.id, roles: ["GROUP_OWNER"] });
    expect(sandbox.user({ id: user.id })).toMatchObject({ username: "A@example.com" });
    expect(sandbox.user({ id: user.id })?.roles).toContainEqual({
      groupId: project.id,
      roleName: "GROUP_OWNER",
    });
    await does("DELETE", `/projects/${project.id}/users/a@example.com`);
    expect(sandbox.user({ id: user.id })?.roles).not.toContainEqual({
      groupId: project.id,
      roleName: "GROUP_OWNER",
    });

    const send = (name: string) =>
      does("POST", `/projects/${project.id}/invitations`, { username: name, roles });
    const [accepted, expired, removed] = [
      await send("b@example.com"),
      await send("c@example.com"),
      await send("d@example.com"),
    ];
    await does("POST", `/invitations/${accepted.id}/accept`);
    await does("POST", `/invitations/${expired.id}/expire`);
    await does("DELETE", `/invitations/${removed.id}`);
    expect((await call(sandbox, "GET", `/groups/${project.id}/invites`)).json).toEqual([]);

    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }];
    await does("POST", `/projects/${project.id}`, { ldapGroupMappings });
    await does("PATCH", `/users/${user.id}`, { ldapGroups: ["cn=owners"] });
    await does("POST", "/ldap/sync");
    expect(sandbox.user({ id: user.id })?.roles).toContainEqual({
      groupId: project.id,
      roleName: "GROUP_OWNER",
    });
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
    expect((await call(sandbox, "GET", "/groups", undefined, key)).status).toBe(200);
    await does("PATCH", `/keys/${key.publicKey}`, { ipAllowed: false });
    expect((await call(sandbox, "GET", "/groups", undefined, key)).status).toBe(403);
    await does("DELETE", `/keys/${key.publicKey}`);
    expect((await call(sandbox, "GET", "/groups", undefined, key)).status).toBe(401);

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
    expect(Date.parse(time)).toBeGreaterThan(Date.now() + 86_000_000);
    const { headers } = await call(sandbox, "GET", "/groups");
    expect(Date.parse(headers.get("date") ?? "")).toBeGreaterThan(Date.now() + 86_000_000);
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

  test.each([
    ["GET", "/nothing", undefined, 404, "does not know GET /nothing"],
    ["DELETE", "/state", undefined, 405, "has no DELETE /state"],
    ["POST", "/projects", "{", 400, "not JSON"],
    ["POST", "/projects", [], 400, "must be a JSON object"],
    ["POST", "/projects", {}, 400, "lacks name"],
    ["POST", "/projects", { name: 1 }, 400, "name must be text"],
    ["POST", "/projects", { name: "a", colour: 1 }, 400, "unknown field: colour"],
    ["POST", "/projects", { name: "a", orgId: "x" }, 404, "no organization x"],
    ["POST", "/projects/x", { name: "a" }, 404, "no project x"],
    ["POST", "/invitations/x/accept", {}, 404, "no invitation x"],
    [
      "PATCH",
      "/switches",
      { ldap: "yes", colour: 1 },
      400,
      "ldap must be true or false; there is no switch called colour",
    ],
    ["PATCH", "/switches", [], 400, "must be an object"],
    ["POST", "/faults", { fault: "explode" }, 400, "fault must be one of"],
    ["POST", "/faults", { fault: { status: 999 } }, 400, "status must be"],
    ["POST", "/faults", { fault: "truncate", times: -1 }, 400, "times must be"],
  ])("returns %s %s with %j by saying what is wrong", async (method, path, body, status, words) => {
    const response = await control(await start(), method, path, body);
    expect([response.status, response.json.error]).toEqual([status, expect.stringContaining(words)]);
  });

  test("changes no switch when one of several is wrong", async () => {
    const sandbox = await start();
    await control(sandbox, "PATCH", "/switches", { ldap: true, challenge: "basic" });
    expect(sandbox.switches.ldap).toBe(false);
  });
});

describe("an injected fault", () => {
  test("an outage does not outlive the sandbox", async () => {
    const sandbox = await start();
    sandbox.addFault({ meets: "all", fault: { outageMs: 3_600_000 } });
    await expect(fetch(`${sandbox.baseUrl}/api/public/v1.0/groups`)).rejects.toThrow();
    await sandbox.close();
  });

  test("applies to as many requests as it specifies, one rule after the other", async () => {
    const sandbox = await start();
    sandbox.addFault({ times: 2, fault: { status: 500 } });
    sandbox.addFault({ times: 0, pathPattern: "/orgs", fault: { status: 503 } });
    const statuses = [];
    for (const path of ["/groups", "/orgs", "/orgs", "/groups", "/orgs"]) {
      statuses.push((await call(sandbox, "GET", path)).status);
    }
    expect(statuses).toEqual([500, 500, 503, 200, 503]);
    sandbox.clearFaults();
    expect((await call(sandbox, "GET", "/orgs")).status).toBe(200);
  });

  test("applies to the requests with a matching body, however many others have the same path", async () => {
    const sandbox = await start();
    sandbox.addFault({ method: "POST", bodyPattern: '"name":"two"', fault: { status: 502 } });
    const create = async (name: string) => {
      const { status } = await call(sandbox, "POST", "/groups", { name, orgId: sandbox.orgId });
      return status;
    };
    expect([await create("one"), await create("two"), await create("two")]).toEqual([201, 502, 201]);
  });
});
