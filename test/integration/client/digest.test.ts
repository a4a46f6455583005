import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { UNREAD_BODY } from "../../../provider/api/client";
import { createProject, getProject } from "../../../provider/api/projects";
import type { Sandbox } from "../../../sandbox";
import { clientFactory, failureOf } from "./with-client";

const start = clientFactory();

const refused = (sandbox: Sandbox) => sandbox.requests.filter(({ authorized }) => !authorized);

async function withProject(...[options, settings]: Parameters<typeof start.sandbox>) {
  const connection = await start.sandbox(options, settings);
  const { id } = connection.sandbox.addProject({ name: "payments" });
  return { ...connection, id, read: () => getProject(connection.client, id) };
}

const times = <T>(count: number, action: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, action));

test("200 first calls at once cost one challenge and one request each", async () => {
  const { sandbox, read } = await withProject({}, { maxConcurrentRequests: 200 });
  const projects = await times(200, read);
  expect(projects.every(({ name }) => name === "payments")).toBe(true);
  expect(sandbox.requests).toHaveLength(201);
  expect(refused(sandbox)).toHaveLength(1);
});

test("a connection that breaks after the challenge concerns its own call alone, not those that wait for it", async () => {
  const { sandbox, read } = await withProject();
  sandbox.addFault({ fault: "reset-before-write" });
  const calls = await Promise.allSettled(Array.from({ length: 10 }, read));
  expect(calls.map(({ status }) => status)).toEqual(["rejected", ...Array(9).fill("fulfilled")]);
  expect(refused(sandbox)).toHaveLength(2);
});

test("every call after the first costs one request, with a count that rises", async () => {
  const { sandbox, read } = await withProject();
  for (const _ of "abc") await read();
  expect(sandbox.requests.map(({ digest }) => digest?.nc)).toEqual([undefined, 1, 2, 3]);
});

test("a service that forgets its nonces costs one request more, and no caller notices it", async () => {
  const { sandbox, read } = await withProject();
  await read();
  sandbox.expireNonces();
  await read();
  await read();
  expect(sandbox.requests.map(({ refusal }) => refusal)).toEqual([
    "no-credentials",
    undefined,
    "stale-nonce",
    undefined,
    undefined,
  ]);
});

test("a nonce that goes stale under load costs one refusal for each call under way, and none for other calls", async () => {
  const { sandbox, read } = await withProject({ nonceLifetimeSeconds: 60 });
  await times(50, read);
  sandbox.advanceClock(61);
  sandbox.clearRequests();
  const projects = await times(200, read);
  expect(projects).toHaveLength(200);
  expect(refused(sandbox).length).toBeGreaterThan(0);
  expect(refused(sandbox).length).toBeLessThanOrEqual(16);
  expect(sandbox.requests).toHaveLength(200 + refused(sandbox).length);
  sandbox.clearRequests();
  await times(50, read);
  expect(refused(sandbox)).toEqual([]);
});

describe("16 calls under way whose nonces go stale twice in a row", () => {
  async function refusedTwice(settings = {}) {
    const connection = await start.sandbox({}, { maxConcurrentRequests: 16, ...settings });
    const { sandbox, client } = connection;
    const ids = Array.from({ length: 16 }, (_, index) => sandbox.addProject({ name: `project-${index}` }).id);
    const read = (id: string) => getProject(client, id);
    const staleTwice = () => {
      for (const id of ids)
        sandbox.addFault({ pathPattern: `/groups/${id}$`, times: 2, fault: "stale-nonce" });
      sandbox.clearRequests();
    };
    return { ...connection, ids, read, staleTwice };
  }

  test("all succeed, each with a challenge of its own, and later ones share a nonce again", async () => {
    const { sandbox, ids, read, staleTwice } = await refusedTwice();
    await read(ids[0] ?? "");
    staleTwice();
    expect(await Promise.all(ids.map(read))).toHaveLength(16);
    expect(sandbox.requests.filter(({ fault }) => fault === "stale-nonce")).toHaveLength(32);
    expect(sandbox.requests.length).toBeLessThanOrEqual(16 * 4);
    sandbox.clearRequests();
    await Promise.all(ids.map(read));
    expect(sandbox.requests).toHaveLength(16);
  });

  test("also when half of them write, and nothing is written twice", async () => {
    const { sandbox, client, ids, read, staleTwice } = await refusedTwice();
    await read(ids[0] ?? "");
    staleTwice();
    sandbox.addFault({ method: "POST", pathPattern: "/groups$", times: 2, fault: "stale-nonce" });
    const { orgId } = sandbox;
    await Promise.all([createProject(client, { name: "orders", orgId }), ...ids.slice(1).map(read)]);
    expect(sandbox.state.projects.filter(({ name }) => name === "orders")).toHaveLength(1);
  });
});

describe("a wrong key", () => {
  test("is not tried more often where the service calls every nonce stale", async () => {
    const always401 = (_: unknown, response: ServerResponse) => {
      sent += 1;
      const header = `Digest realm="r", nonce="n${sent}", qop="auth", stale=true`;
      response.writeHead(401, { "WWW-Authenticate": header }).end();
    };
    let sent = 0;
    const { client } = await start.server(always401);
    const { message } = await failureOf(getProject(client, "5f00000000000000000000a9"));
    expect(message).toContain("rejects each of its own nonces as stale");
    expect(sent).toBe(3);
  });

  test("costs two requests, however many calls there are, and no more afterwards", async () => {
    const { sandbox, read } = await withProject({}, { privateKey: "wrong" });
    const results = await Promise.allSettled(Array.from({ length: 20 }, read));
    await failureOf(read());
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
    expect(sandbox.requests.map(({ refusal }) => refusal)).toEqual(["no-credentials", "wrong-response"]);
  });

  test("costs three requests where the challenge states op", async () => {
    const { sandbox, read } = await withProject({ challenge: "op" }, { privateKey: "wrong" });
    await failureOf(read());
    await failureOf(read());
    expect(sandbox.requests).toHaveLength(3);
  });

  test("is not retried, whatever maxRetries is", async () => {
    const { sandbox, lines, read } = await withProject({}, { privateKey: "wrong", maxRetries: 4 });
    await failureOf(read());
    expect(sandbox.requests).toHaveLength(2);
    expect(lines.filter((line) => line.includes("attempt"))).toEqual([]);
  });

  test("is not what a missing role is taken for", async () => {
    const { sandbox, client, read } = await withProject({ unknownProject: "NOT_IN_GROUP" });
    expect(await failureOf(getProject(client, "5f00000000000000000000a9"))).toMatchObject({
      code: "OPSMANAGER_API",
      errorCode: "NOT_IN_GROUP",
    });
    await read();
    expect(refused(sandbox)).toHaveLength(1);
  });

  test("in one provider leaves another one in the same process alone", async () => {
    const { sandbox, read, id } = await withProject();
    const { baseUrl, publicKey } = sandbox;
    const other = start.client({ baseUrl, publicKey, privateKey: "wrong" });
    await failureOf(getProject(other.client, id));
    expect((await read()).name).toBe("payments");
  });
});

describe.each([
  ["qop", {}],
  ["op, and takes both forms", { challenge: "op" }],
  ["op, and takes the RFC 2069 form", { challenge: "op", opAccepts: "rfc2069" }],
  ["op, and takes qop=auth", { challenge: "op", opAccepts: "qop" }],
  ["neither", { challenge: "none" }],
  ["qop and opaque", { opaque: true }],
  ["MD5-sess", { digestAlgorithm: "MD5-sess" }],
  ["SHA-256", { digestAlgorithm: "SHA-256" }],
  ["SHA-256-sess", { digestAlgorithm: "SHA-256-sess" }],
  ["SHA-512-256", { digestAlgorithm: "SHA-512-256" }],
  [
    "SHA-512-256-sess, and names the next nonce",
    { digestAlgorithm: "SHA-512-256-sess", authenticationInfo: "both" },
  ],
  ["every algorithm there is", { digestAlgorithm: "all" }],
  ["charset=UTF-8", { userNames: "utf-8" }],
  ["userhash=true", { userNames: "userhash", digestAlgorithm: "SHA-256" }],
] as const)("a service whose challenge has %s", (_, options) => {
  test("is understood, and after a stale nonce too", async () => {
    const { sandbox, read } = await withProject(options);
    await times(5, read);
    sandbox.expireNonces();
    await times(5, read);
    sandbox.clearRequests();
    await times(5, read);
    expect(refused(sandbox)).toEqual([]);
  });
});

describe.each([
  ["takes each nonce once", { nonceReuse: "refuse" }],
  ["takes each nonce once and does not report it as stale", { nonceReuse: "refuse-silently" }],
  ["requires counts in order", { nonceCount: "rising" }],
] as const)("a service that %s", (_, options) => {
  test("answers every one of many calls at once", async () => {
    const { read } = await withProject(options);
    expect(await times(100, read)).toHaveLength(100);
  });
});

describe("a service that names the next nonce in its responses", () => {
  test("never has to refuse one, however many go stale", async () => {
    const { sandbox, read } = await withProject({ authenticationInfo: "both", nonceLifetimeSeconds: 60 });
    for (const _ of "abcdef") {
      await read();
      sandbox.advanceClock(40);
    }
    expect(sandbox.requests.map(({ refusal }) => refusal)).toEqual([
      "no-credentials",
      ...Array(6).fill(undefined),
    ]);
    expect(sandbox.requests.map(({ digest }) => digest?.nc)).toEqual([undefined, ...Array(6).fill(1)]);
  });

  test("answers many calls at once with one request each", async () => {
    const { sandbox, read, warnings } = await withProject({ authenticationInfo: "both" });
    for (const _ of "abc") await times(50, read);
    expect(sandbox.requests).toHaveLength(151);
    expect(warnings).toEqual([]);
  });

  test("and takes each nonce once answers many calls at once with hardly more than one request each", async () => {
    const { sandbox, read } = await withProject({ authenticationInfo: "nextnonce", nonceReuse: "refuse" });
    for (const _ of "abcdef") await times(16, read);
    sandbox.clearRequests();
    await times(100, read);
    expect(refused(sandbox)).toEqual([]);
  });
});

test("the strongest of many challenges is answered, in whatever headers and case they come", async () => {
  const nonces: (string | undefined)[] = [];
  const { client } = await start.server((request, response) => {
    const { authorization } = request.headers;
    if (authorization === undefined) {
      const digest = (algorithm: string) =>
        `digest REALM=r, nonce="${algorithm}+/==", QOP="auth-int, auth", algorithm=${algorithm}, new="a, b"`;
      response.setHeader("wWw-aUtHeNtIcAtE", [
        'Basic realm="r"',
        `${digest("MD5")}, ${digest("SHA-256-sess")}`,
        digest("SHA-256"),
        digest("SHA3-512"),
      ]);
    }
    nonces.push(/nonce="([^"]*)"/.exec(authorization ?? "")?.[1]);
    response.writeHead(authorization === undefined ? 401 : 204).end();
  });
  await client.call({ action: "Reading", method: "GET", shape: UNREAD_BODY, path: ["groups"] });
  await client.call({ action: "Reading", method: "GET", shape: UNREAD_BODY, path: ["groups"] });
  expect(nonces).toEqual([undefined, "SHA-256-sess+/==", "SHA-256-sess+/=="]);
});

describe.each([
  ["UTF-8", Buffer.from('Schlüssel "A"', "utf8").toString("latin1")],
  ["ISO-8859-1", 'Schlüssel "A"'],
])("a realm in %s", (_, realm) => {
  test("goes into the response byte by byte, as does a private key beyond ASCII in UTF-8", async () => {
    const md5 = (bytes: string) => createHash("md5").update(bytes, "latin1").digest("hex");
    const escaped = realm.replaceAll('"', '\\"');
    const privateKey = "gehëim";
    const { client } = await start.server(
      (request, response) => {
        const { authorization = "" } = request.headers;
        const [nc, cnonce] = [/nc=(\w+)/, /cnonce="(\w+)"/].map(
          (pattern) => pattern.exec(authorization)?.[1],
        );
        const secret = md5(`public:${realm}:${Buffer.from(privateKey, "utf8").toString("latin1")}`);
        const proof = md5(`${secret}:n+/=:${nc}:${cnonce}:auth:${md5(`GET:${request.url}`)}`);
        const right = authorization.includes(`realm="${escaped}"`) && authorization.includes(proof);
        response.setHeader("content-type", "application/json");
        if (!right)
          response.setHeader("WWW-Authenticate", `Digest realm="${escaped}", nonce="n+/=", qop="auth"`);
        response.writeHead(right ? 204 : 401).end();
      },
      { privateKey },
    );
    const call = client.call({
      action: "Reading a page",
      method: "GET",
      shape: UNREAD_BODY,
      path: ["groups"],
      query: { pageNum: 1 },
    });
    await expect(call).resolves.toBeUndefined();
  });
});

test("a service whose proof is wrong is warned of once, and its responses count", async () => {
  const { sandbox, read, warnings } = await withProject({ authenticationInfo: "wrong-rspauth" });
  for (const _ of "abc") expect((await read()).name).toBe("payments");
  expect(warnings).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+: A response's rspauth is wrong/),
  ]);
  expect(sandbox.requests.map(({ digest }) => digest?.nc)).toEqual([undefined, 1, 2, 3]);
});

test.each(["refuse", "refuse-silently"] as const)(
  "a service that takes each nonce once (%s) is offered none twice after three refusals",
  async (nonceReuse) => {
    const { sandbox, read } = await withProject({ nonceReuse });
    for (const _ of "abcdefgh") await read();
    expect(sandbox.requests.filter(({ refusal }) => refusal === "reused-nonce")).toHaveLength(3);
  },
);

test.each([
  "a name with spaces",
  "ü/ö?#&=+%",
  "'(brackets)*!~",
  "a;b:c@d,e$f",
  '"quoted" \\ <tag> {x} [y] |^`',
])("%p in the address is signed as it is sent", async (name) => {
  const { sandbox, client } = await withProject();
  sandbox.addProject({ name });
  const call = client.call({
    action: "Reading a project by name",
    method: "GET",
    shape: UNREAD_BODY,
    path: ["groups", "byName", name],
    query: { note: name },
  });
  await expect(call).resolves.toBeUndefined();
  expect(sandbox.requests.at(-1)).toMatchObject({ status: 200, authorized: true });
});
