import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { apiPath, authorization, call, nonceOf, send } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();

describe("a response", () => {
  test("carries the documented headers", async () => {
    const { headers } = await call(await start(), "GET", "/groups");
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("strict-transport-security")).toBe("max-age=300");
    expect(headers.get("vary")).toBe("Accept-Encoding");
    expect(headers.get("x-mongodb-service-version")).toMatch(
      /^gitHash=[0-9a-f]{40}; versionString=\d+\.\d+\.\d+\.\S+$/,
    );
    expect(Number(headers.get("content-length"))).toBeGreaterThan(0);
    expect(headers.get("date")).not.toBeNull();
  });

  test("has the chosen version, or none", async () => {
    const sandbox = await start({ versionString: "v20260101" });
    const version = async () =>
      (await call(sandbox, "GET", "/groups")).headers.get("x-mongodb-service-version");
    expect(await version()).toContain("versionString=v20260101");
    sandbox.setSwitches({ versionString: "" });
    expect(await version()).toBeNull();
  });

  test("is one line, or indented with pretty=true", async () => {
    const sandbox = await start();
    expect((await call(sandbox, "GET", "/orgs")).text).not.toContain("\n");
    expect((await call(sandbox, "GET", "/orgs?pretty=true")).text).toContain('\n  "results"');
  });

  test("has an envelope around one entity, and a status in a list", async () => {
    const sandbox = await start();
    const { id } = sandbox.addProject({ name: "a" });
    const entity = await call(sandbox, "GET", `/groups/${id}?envelope=true`);
    expect(entity.json).toMatchObject({ status: 200, content: { id } });
    const list = await call(sandbox, "GET", "/groups?envelope=true");
    expect(list.json).toMatchObject({ status: 200, totalCount: 1, results: [{ id }] });
    const invites = await call(sandbox, "GET", `/groups/${id}/invites?envelope=true`);
    expect(invites.json).toEqual({ status: 200, content: [] });
    const missing = await call(sandbox, "GET", "/groups/x?envelope=true");
    expect([missing.status, missing.json.status, missing.json.content.errorCode]).toEqual([
      404,
      404,
      "INVALID_GROUP_ID",
    ]);
  });

  test("in an envelope represents a 204 without a body", async () => {
    const sandbox = await start();
    const { id } = sandbox.addProject({ name: "a" });
    const roles = ["GROUP_READ_ONLY"];
    const one = sandbox.addInvitation(id, { username: "a@example.com", roles });
    const two = sandbox.addInvitation(id, { username: "b@example.com", roles });
    const plain = await call(sandbox, "DELETE", `/groups/${id}/invites/${one.id}`);
    expect([plain.status, plain.text]).toEqual([204, ""]);
    const wrapped = await call(sandbox, "DELETE", `/groups/${id}/invites/${two.id}?envelope=true`);
    expect(wrapped.json).toEqual({ status: 204, content: {} });
  });

  test("to a deletion is a 204 with {} on the wire where that is chosen, and the connection continues", async () => {
    const sandbox = await start({ deletionBody: "empty-object" });
    const { id } = sandbox.addProject({ name: "a" });
    const { id: invitation } = sandbox.addInvitation(id, {
      username: "a@example.com",
      roles: ["GROUP_READ_ONLY"],
    });
    const uri = apiPath(`/groups/${id}/invites/${invitation}`);
    const nonce = await nonceOf(sandbox);
    const header = authorization({ ...sandbox, method: "DELETE", uri, nonce, nc: "00000001" });
    const { hostname, port } = new URL(sandbox.baseUrl);
    const socket = connect(Number(port), hostname);
    // Two requests over one connection, as their bytes stand: clients of Node's hide what is wrong with the first response.
    socket.write(`DELETE ${uri} HTTP/1.1\r\nHost: x\r\nAuthorization: ${header}\r\n\r\n`);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(await text(socket)).toMatch(
      /^HTTP\/1\.1 204 [\s\S]*Content-Length: 2\r\n[\s\S]*\r\n\r\n\{\}HTTP\/1\.1 404 /,
    );
    expect(sandbox.state.invitations).toEqual([]);
  });

  test("to a wrong request has the documented shape of an error", async () => {
    const { json } = await call(await start(), "GET", "/groups/5f00000000000000000000a9");
    expect(json).toEqual({
      detail: expect.any(String),
      error: 404,
      errorCode: "GROUP_NOT_FOUND",
      parameters: ["5f00000000000000000000a9"],
      reason: "Not Found",
    });
  });
});

describe("a request", () => {
  test.each([
    ["GET", "/nothing", 404, "RESOURCE_NOT_FOUND"],
    ["GET", "/groups//", 404, "RESOURCE_NOT_FOUND"],
    ["GET", "/groups/%ZZ", 404, "RESOURCE_NOT_FOUND"],
    ["DELETE", "/groups", 405, undefined],
    ["PATCH", "/groups/5f00000000000000000000a1/users/5f00000000000000000000a2", 405, undefined],
  ])("%s %s is answered with %i %s", async (method, path, status, errorCode) => {
    const { json } = await call(await start(), method, path);
    expect([json.error, json.errorCode]).toEqual([status, errorCode]);
  });

  test("outside of the API's address is a 404 without a challenge", async () => {
    const sandbox = await start();
    const response = await fetch(`${sandbox.baseUrl}/user/login`);
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([404, null]);
  });

  test("with a body that is too large or no JSON is refused", async () => {
    const sandbox = await start();
    const { id } = sandbox.addProject({ name: "a" });
    const large = await call(sandbox, "PATCH", `/groups/${id}`, { name: "x".repeat(1024 * 1024) });
    expect(large.status).toBe(413);
    const response = await fetch(`${sandbox.baseUrl}${apiPath("/groups")}`, {
      method: "POST",
      body: "name=a",
    });
    expect(response.status).toBe(401);
  });

  test("with another content type is refused", async () => {
    const sandbox = await start({ challenge: "none" });
    const { publicKey, privateKey } = sandbox;
    const parts = {
      publicKey,
      privateKey,
      method: "POST",
      uri: apiPath("/groups"),
      nonce: await nonceOf(sandbox),
    };
    const headers = { Authorization: authorization(parts), "Content-Type": "text/plain" };
    expect((await send(sandbox, "POST", "/groups", headers, "{}")).status).toBe(415);
  });

  test("over the limit per minute is answered with 429 and the chosen Retry-After", async () => {
    const sandbox = await start({ requestsPerMinute: 1 });
    const limited = async () => {
      const { status, json, headers } = await call(sandbox, "GET", "/orgs");
      return [status, json.errorCode, headers.get("retry-after")];
    };
    expect(await limited()).toEqual([200, undefined, null]);
    expect(await limited()).toEqual([429, "RATE_LIMITED", expect.stringMatching(/^\d+$/)]);
    sandbox.setSwitches({ retryAfter: "date" });
    expect(await limited()).toEqual([429, "RATE_LIMITED", expect.stringMatching(/ GMT$/)]);
    sandbox.setSwitches({ retryAfter: "none" });
    expect(await limited()).toEqual([429, "RATE_LIMITED", null]);
    sandbox.advanceClock(60);
    expect((await limited())[0]).toBe(200);
  });

  test("waits for the chosen latency", async () => {
    const sandbox = await start();
    sandbox.setSwitches({ latencyMs: 30 });
    const before = performance.now();
    await send(sandbox, "GET", "/groups");
    // Timers may fire up to a millisecond early.
    expect(performance.now() - before).toBeGreaterThanOrEqual(29);
  });

  test("that is waiting does not keep the sandbox from closing", async () => {
    const sandbox = await start();
    sandbox.addFault({ meets: "all", fault: { delayMs: 600_000 } });
    const waiting = send(sandbox, "GET", "/groups").catch(() => "cut");
    // The rule is used up when the request has arrived and begun to wait.
    while (sandbox.faults.length > 0) await new Promise((resolve) => setImmediate(resolve));
    await sandbox.close();
    expect(await waiting).toBe("cut");
  });
});

describe("a sandbox with only the documented operations", () => {
  test("has the four, and answers everything else like a path that does not exist", async () => {
    const sandbox = await start({ onlyDocumented: true });
    const { id } = sandbox.addProject({ name: "a" });
    const roles = ["GROUP_READ_ONLY"];
    const member = sandbox.setMember(id, { username: "m@example.com" }, roles);
    const invitation = sandbox.addInvitation(id, { username: "n@example.com", roles });
    const status = async (method: string, path: string, body?: unknown) => {
      const response = await call(sandbox, method, path, body);
      return [response.status, response.json?.errorCode];
    };
    expect(await status("PATCH", `/groups/${id}`, { name: "b" })).toEqual([200, undefined]);
    expect(await status("GET", `/groups/${id}/invites/${invitation.id}`)).toEqual([200, undefined]);
    expect(await status("DELETE", `/groups/${id}/invites/${invitation.id}`)).toEqual([204, undefined]);
    expect(await status("DELETE", `/groups/${id}/users/${member.id}`)).toEqual([200, undefined]);
    const others = [
      ["GET", "/groups"],
      ["GET", `/groups/${id}`],
      ["DELETE", `/groups/${id}`],
      ["GET", `/groups/${id}/users`],
      ["GET", `/groups/${id}/invites`],
      ["POST", `/groups/${id}/invites`],
      ["PATCH", `/groups/${id}/invites/${invitation.id}`],
      ["GET", "/orgs"],
      ["GET", `/users/${member.id}`],
    ] as const;
    for (const [method, path] of others)
      expect(await status(method, path)).toEqual([404, "RESOURCE_NOT_FOUND"]);
  });
});

test("the request log records what happened, without secrets", async () => {
  const sandbox = await start();
  const { id } = sandbox.addProject({ name: "a" });
  sandbox.clearRequests();
  await call(sandbox, "PATCH", `/groups/${id}?pretty=true`, { agentApiKey: "hush-hush", links: [] });
  const [unauthenticated, refused] = sandbox.requests;
  expect(unauthenticated).toMatchObject({ status: 401, authorized: false, refusal: "no-credentials" });
  expect(refused).toMatchObject({
    method: "PATCH",
    path: apiPath(`/groups/${id}`),
    query: "pretty=true",
    publicKey: sandbox.publicKey,
    authorized: true,
    digest: { form: "qop", nc: 1 },
    status: 400,
    errorCode: "ATTRIBUTE_READ_ONLY",
    body: { agentApiKey: "<secret>", links: [] },
  });
  const log = JSON.stringify(sandbox.requests);
  for (const secret of ["hush-hush", sandbox.privateKey, "response="]) expect(log).not.toContain(secret);
});
