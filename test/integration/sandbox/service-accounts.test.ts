/** The token endpoint of the embedded service, and what a token permits. */
import type { Sandbox } from "../../../sandbox";
import { send } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();
const form = { "Content-Type": "application/x-www-form-urlencoded" };

interface TokenRequest {
  readonly id?: string;
  readonly secret?: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

async function withAccount(options: Parameters<typeof start>[0] = {}) {
  const sandbox = await start(options);
  const account = sandbox.addServiceAccount({ roles: [{ roleName: "ORG_READ_ONLY", orgId: sandbox.orgId }] });
  const request = async (change: TokenRequest = {}) => {
    const { id = account.clientId, secret = account.clientSecret, method = "POST", headers = form } = change;
    const { body = "grant_type=client_credentials" } = change;
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
    const sent = method === "GET" ? null : body;
    const init = { method, headers: { ...headers, authorization }, body: sent };
    const response = await fetch(`${sandbox.baseUrl}/api/oauth/token`, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      json: text === "" ? undefined : JSON.parse(text),
    };
  };
  return { sandbox, account, request };
}

const read = (sandbox: Sandbox, token: string, path = "/groups") =>
  send(sandbox, "GET", path, { authorization: `Bearer ${token}` });

test("a token is one of RFC 6749, and has the roles of its account until it ends", async () => {
  const { sandbox, account, request } = await withAccount({ tokenLifetimeSeconds: 60 });
  const { id } = sandbox.addProject({ name: "payments" });
  const { status, headers, json } = await request();
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(json).toEqual({ access_token: expect.stringMatching(/^eyJ/), expires_in: 60, token_type: "Bearer" });
  const token = json.access_token;
  const payload = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
  expect(payload.sub).toBe(account.clientId);

  expect((await read(sandbox, token)).json.results).toMatchObject([{ id }]);
  const write = await send(sandbox, "DELETE", `/groups/${id}`, { authorization: `Bearer ${token}` });
  expect([write.status, write.json.errorCode]).toEqual([401, "USER_UNAUTHORIZED"]);
  expect((await read(sandbox, token, `/orgs/${sandbox.orgId}/apiKeys`)).json.results).toEqual([]);
  sandbox.advanceClock(60);
  const ended = await read(sandbox, token);
  expect([ended.status, ended.headers.get("www-authenticate")]).toEqual([
    401,
    'Bearer error="invalid_token"',
  ]);
});

test.each<[string, TokenRequest, number, string]>([
  ["a wrong secret", { secret: "wrong" }, 401, "invalid_client"],
  ["an unknown ID", { id: "wrong" }, 401, "invalid_client"],
  ["another grant type", { body: "grant_type=password" }, 400, "unsupported_grant_type"],
  ["no grant type", { body: "" }, 400, "invalid_request"],
  ["JSON", { headers: { "Content-Type": "application/json" } }, 400, "invalid_request"],
])("%s is refused with an error of RFC 6749", async (_, change, status, error) => {
  const { request } = await withAccount();
  const response = await request(change);
  expect(response).toMatchObject({ status, json: { error, error_description: expect.any(String) } });
});

test("another method is not allowed", async () => {
  const { request } = await withAccount();
  expect(await request({ method: "GET" })).toMatchObject({ status: 405 });
});

test("an account that is shut out, rotated, deleted, or whose tokens are revoked is refused", async () => {
  const { sandbox, account, request } = await withAccount();
  const { access_token: token } = (await request()).json;
  sandbox.changeServiceAccount(account.clientId, { ipAllowed: false });
  expect((await request()).json).toMatchObject({ error: "access_denied" });
  expect((await read(sandbox, token)).json).toMatchObject({ errorCode: "IP_ADDRESS_NOT_ON_ACCESS_LIST" });
  sandbox.changeServiceAccount(account.clientId, { ipAllowed: true, clientSecret: "rotated" });
  expect((await request()).json).toMatchObject({ error: "invalid_client" });
  expect((await read(sandbox, token)).status).toBe(200);
  sandbox.revokeTokens();
  expect((await read(sandbox, token)).status).toBe(401);
  const { access_token: second } = (await request({ secret: "rotated" })).json;
  sandbox.removeServiceAccount(account.clientId);
  expect((await read(sandbox, second)).status).toBe(401);
});

test("a minute has a limited number of tokens, and faults apply to requests for them", async () => {
  const { sandbox, request } = await withAccount({ tokenRequestsPerMinute: 2 });
  sandbox.addFault({ pathPattern: "/oauth/token", fault: { status: 503, body: { error: "server_error" } } });
  expect(await request()).toMatchObject({ status: 503, json: { error: "server_error" } });
  expect([(await request()).status, (await request()).status]).toEqual([200, 200]);
  const third = await request();
  expect(third).toMatchObject({ status: 429, json: { error: "rate_limited" } });
  expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(50);
  sandbox.advanceClock(60);
  expect((await request()).status).toBe(200);
});

test("a project that an account creates belongs to it, and the request log names the account and no secret", async () => {
  const { sandbox, account, request } = await withAccount();
  sandbox.changeServiceAccount(account.clientId, {
    roles: [{ roleName: "ORG_GROUP_CREATOR", orgId: sandbox.orgId }],
  });
  const { access_token: token } = (await request()).json;
  const body = { name: "payments", orgId: sandbox.orgId };
  const created = await send(sandbox, "POST", "/groups", { authorization: `Bearer ${token}` }, body);
  expect(created.status).toBe(201);
  expect((await read(sandbox, token, `/groups/${created.json.id}`)).status).toBe(200);
  expect(sandbox.state.keys).toHaveLength(1);
  expect(sandbox.requests).toMatchObject([
    { path: "/api/oauth/token", clientId: account.clientId, authorized: true, status: 200 },
    { method: "POST", clientId: account.clientId, authorized: true, status: 201 },
    { method: "GET", clientId: account.clientId, authorized: true, status: 200 },
  ]);
  expect(JSON.stringify(sandbox.requests)).not.toContain(token);
  expect(JSON.stringify(sandbox.requests)).not.toContain(account.clientSecret);
});
