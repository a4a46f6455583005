/** The token endpoint of the sandbox, and what a token permits. The client and `opsmanager verify` use both. */
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { call, outcome, send } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();

async function withAccount(options: SandboxOptions = {}) {
  const sandbox = await start(options);
  const roles = [{ roleName: "ORG_GROUP_CREATOR", orgId: sandbox.orgId }];
  const account = sandbox.addServiceAccount({ roles });
  const request = async (body = "grant_type=client_credentials", secret = account.clientSecret) => {
    const authorization = `Basic ${Buffer.from(`${account.clientId}:${secret}`).toString("base64")}`;
    const headers = { "Content-Type": "application/x-www-form-urlencoded", authorization };
    const response = await fetch(`${sandbox.baseUrl}/api/oauth/token`, { method: "POST", headers, body });
    return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) };
  };
  return { sandbox, account, request };
}

const as = (sandbox: Sandbox, token: string, method: string, path: string, body?: unknown) =>
  send(sandbox, method, path, { authorization: `Bearer ${token}` }, body);

test("a token has the roles of its account until it ends, and is in no log", async () => {
  const { sandbox, account, request } = await withAccount({ tokenLifetimeSeconds: 60 });
  const foreign = sandbox.addProject({ name: "foreign" }).id;
  const { json } = await request();
  expect(json).toEqual({ access_token: expect.stringMatching(/^eyJ/), expires_in: 60, token_type: "Bearer" });
  const token = json.access_token;
  const created = await as(sandbox, token, "POST", "/groups", { name: "payments", orgId: sandbox.orgId });
  expect(outcome(await as(sandbox, token, "GET", `/groups/${created.json.id}`))).toBe("200");
  expect(outcome(await as(sandbox, token, "DELETE", `/groups/${foreign}`))).toBe("401 NOT_IN_GROUP");
  const known = { clientId: account.clientId, authorized: true };
  expect(sandbox.requests.slice(0, 2)).toMatchObject([known, known]);
  for (const secret of [token, account.clientSecret]) {
    expect(JSON.stringify(sandbox.requests)).not.toContain(secret);
  }
  sandbox.advanceClock(60);
  const ended = await as(sandbox, token, "GET", "/groups");
  expect([ended.status, ended.headers.get("www-authenticate")]).toEqual([
    401,
    'Bearer error="invalid_token"',
  ]);
});

test("an account that is shut out, rotated, deleted, or whose tokens are revoked is refused", async () => {
  const { sandbox, account, request } = await withAccount();
  const { access_token: token } = (await request()).json;
  const read = async (one = token) => outcome(await as(sandbox, one, "GET", "/groups"));
  sandbox.changeServiceAccount(account.clientId, { ipAllowed: false });
  expect((await request()).json).toMatchObject({ error: "access_denied" });
  expect(await read()).toBe("403 IP_ADDRESS_NOT_ON_ACCESS_LIST");
  sandbox.changeServiceAccount(account.clientId, { ipAllowed: true, clientSecret: "rotated" });
  expect((await request()).json).toMatchObject({ error: "invalid_client" });
  expect(await read()).toBe("200");
  sandbox.revokeTokens();
  expect(await read()).toBe("401");
  const { access_token: second } = (await request(undefined, "rotated")).json;
  sandbox.removeServiceAccount(account.clientId);
  expect(await read(second)).toBe("401");
});

test("a minute has a limited number of tokens, and another grant or a fault gives none", async () => {
  const { sandbox, request } = await withAccount({ tokenRequestsPerMinute: 3 });
  expect((await request("grant_type=password")).json).toMatchObject({ error: "unsupported_grant_type" });
  sandbox.addFault({ pathPattern: "/oauth/token", fault: { status: 503, body: { error: "server_error" } } });
  expect(await request()).toMatchObject({ status: 503, json: { error: "server_error" } });
  expect([(await request()).status, (await request()).status]).toEqual([200, 200]);
  const limited = await request();
  expect(limited).toMatchObject({ status: 429, json: { error: "rate_limited" } });
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(50);
});

test("the lists show the accounts of their place page by page, by the switches, and no secret", async () => {
  const sandbox = await start({ serviceAccountLists: "offered" });
  const { orgId } = sandbox;
  const { id: groupId } = sandbox.addProject({ name: "payments" });
  const owner = { orgId, roleName: "ORG_OWNER" };
  const reader = { groupId, roleName: "GROUP_READ_ONLY" };
  const roles = [{ orgId, roleName: "ORG_MEMBER" }, reader];
  const made = [
    sandbox.addServiceAccount({ name: "deploy", desc: "for releases", roles }),
    sandbox.addServiceAccount({ name: "deploy", roles: [owner] }),
    sandbox.addServiceAccount({ name: "system", roles: [owner], isSystemManaged: true }),
  ];
  sandbox.addServiceAccount({ roles: [{ orgId: sandbox.addOrg().id, roleName: "ORG_OWNER" }] });
  const list = async (path: string) => {
    const { json, text } = await call(sandbox, "GET", path);
    for (const { clientSecret } of made) expect(text).not.toContain(clientSecret);
    return json.results.map((one: { name: string; roles: unknown }) => [one.name, one.roles]);
  };
  const [ofOrg, ofProject] = [`/orgs/${orgId}/serviceAccounts`, `/groups/${groupId}/serviceAccounts`];
  const [first, second] = await Promise.all(
    ["1", "2"].map((page) => call(sandbox, "GET", `${ofOrg}?itemsPerPage=1&pageNum=${page}`)),
  );
  const secret = {
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
  };
  const maskedSecretValue = `mdb_sa_sk_...${made[0]?.clientSecret.slice(-4)}`;
  expect(first?.json).toMatchObject({ totalCount: 2, results: [{ clientId: made[0]?.clientId }] });
  expect(first?.json.results).toEqual([
    {
      clientId: made[0]?.clientId,
      name: "deploy",
      description: "for releases",
      createdAt: expect.any(String),
      roles: ["ORG_MEMBER"],
      secrets: [{ ...secret, maskedSecretValue }],
    },
  ]);
  expect(second?.json.results).toMatchObject([{ clientId: made[1]?.clientId, roles: ["ORG_OWNER"] }]);
  expect(await list(ofProject)).toEqual([["deploy", ["GROUP_READ_ONLY"]]]);
  expect(await list(`${ofOrg}?includeSystemManaged=true`)).toHaveLength(3);
  sandbox.setSwitches({
    serviceAccountRoles: "objects",
    orgAccountsInProject: true,
    systemServiceAccounts: "shown",
  });
  const [deploy, ...owners] = [
    ["deploy", [reader]],
    ["deploy", [owner]],
    ["system", [owner]],
  ];
  expect(await list(ofProject)).toEqual([deploy, ...owners]);
  expect(await list(ofOrg)).toEqual([["deploy", roles], ...owners]);
  sandbox.setSwitches({ serviceAccountLists: "not-offered" });
  for (const path of [ofOrg, ofProject]) {
    expect(outcome(await call(sandbox, "GET", path))).toBe("404 RESOURCE_NOT_FOUND");
  }
});
