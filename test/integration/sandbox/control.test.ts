/** The control address, with each of its operations, and injected faults. */
import type { Sandbox } from "../../../sandbox";
import { controlRoutes } from "../../../sandbox/control-routes";
import { call, type SandboxResponse } from "./client";
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

  function patternOf(method: string, path: string): string | undefined {
    const matches = (pattern: string) => new RegExp(`^${pattern.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
    return controlRoutes.find((route) => route.method === method && matches(route.pattern))?.pattern;
  }

  // The operations call the methods of the sandbox, which the stories of the resources use.
  test("has an operation for each change, also for those that the API cannot make", async () => {
    const sandbox = await start();
    const used = new Set<string>();
    const does = async (request: string, body?: unknown) => {
      const [method = "", path = ""] = request.split(" ");
      const { status, json } = await control(sandbox, method, path, body);
      expect({ request, status, error: json.error }).toEqual({ request, status: 200 });
      used.add(`${method} ${patternOf(method, path)}`);
      return json;
    };
    const org = await does("POST /orgs", { name: "Other" });
    expect(await does(`PATCH /orgs/${org.id}`, { name: "Another" })).toMatchObject({ name: "Another" });
    const invited = { username: "bob@example.com", roles: ["ORG_OWNER"] };
    const { id: invitation } = await does(`POST /orgs/${org.id}/invitations`, invited);
    await does(`POST /invitations/${invitation}/accept`);
    await does(`POST /orgs/${org.id}/users`, { username: "ann@example.com", roles: ["ORG_MEMBER"] });
    await does(`DELETE /orgs/${org.id}/users/ann@example.com`);

    const { id: project } = await does("POST /projects", { name: "payments", tags: Array(12).fill("x") });
    const { id: user } = await does("POST /users", { username: "a@example.com" });
    await does(`PATCH /users/${user}`, { username: "A@example.com", ldapGroups: ["cn=owners"] });
    await does(`POST /projects/${project}/users`, { id: user, roles });
    await does(`DELETE /projects/${project}/users/a@example.com`);
    const { id: expired } = await does(`POST /projects/${project}/invitations`, {
      username: "c@example.com",
      roles,
    });
    await does(`POST /invitations/${expired}/expire`);
    const { id: deleted } = await does(`POST /projects/${project}/invitations`, {
      username: "d@example.com",
      roles,
    });
    await does(`DELETE /invitations/${deleted}`);
    await does("PATCH /switches", { ldap: true });
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }];
    const facts = { orgId: org.id, activeAgentCount: 2, hasBackups: true, ldapGroupMappings };
    expect(await does(`POST /projects/${project}`, facts)).toMatchObject({ name: "payments", ...facts });
    await does("POST /ldap/sync");
    const { id: team } = await does("POST /teams", { name: "platform" });
    await does(`PATCH /teams/${team}`, { userIds: [user] });
    await does(`POST /projects/${project}/teams`, { teamId: team, roleNames: roles });
    await does(`DELETE /teams/${team}`);
    const { id: agentKey } = await does(`POST /projects/${project}/agent-keys`, { desc: "agents" });
    await does(`DELETE /projects/${project}/agent-keys/${agentKey}`);
    const { publicKey } = await does("POST /keys", { roles: [{ roleName: "GLOBAL_OWNER" }] });
    await does(`PATCH /keys/${publicKey}`, { ipAllowed: false });
    await does(`DELETE /keys/${publicKey}`);
    const { clientId } = await does("POST /service-accounts", { roles: [{ roleName: "GLOBAL_OWNER" }] });
    await does(`PATCH /service-accounts/${clientId}`, { clientSecret: "rotated" });
    await does(`DELETE /service-accounts/${clientId}`);
    const state = await does("GET /state");
    expect(state).toMatchObject({
      invitations: [{ username: "c@example.com" }],
      teams: [],
      serviceAccounts: [],
      keys: [{}],
    });
    expect(state.projects).toMatchObject([{ teams: [], agentKeys: [{ createdBy: "PROVISIONING" }] }]);
    expect(sandbox.user({ id: user })).toMatchObject({
      username: "A@example.com",
      roles: expect.arrayContaining([{ groupId: project, roleName: "GROUP_OWNER" }]),
    });

    const actor = { username: "ann@example.com", remoteAddress: "198.51.100.7" };
    await does("POST /actor", actor);
    await does(`DELETE /projects/${project}`);
    const { json: events } = await call(sandbox, "GET", `/orgs/${org.id}/events`);
    expect(events.results[0]).toMatchObject({ eventTypeName: "GROUP_DELETED", ...actor });
    expect(await does("GET /switches")).toEqual(sandbox.switches);
    const { time } = await does("POST /clock", { advanceSeconds: 86_400 });
    expect(Date.parse(time)).toBeGreaterThan(Date.now() + 86_000_000);
    await does("POST /nonces/expire");
    await does("POST /tokens/revoke");
    await does("POST /faults", { fault: "truncate" });
    expect(await does("GET /faults")).toEqual([{ fault: "truncate", times: 1 }]);
    await does("DELETE /faults");
    expect((await does("GET /requests")).length).toBe(sandbox.requests.length);
    await does("DELETE /requests");
    expect([sandbox.faults, sandbox.requests]).toEqual([[], []]);
    expect([...used].sort()).toEqual(controlRoutes.map((route) => `${route.method} ${route.pattern}`).sort());
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
