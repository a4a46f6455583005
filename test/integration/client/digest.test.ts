/** Digest over real connections: what each call costs, and what is signed. */
import { createHash } from "node:crypto";
import { UNREAD_BODY } from "../../../provider/api/client";
import { getProject } from "../../../provider/api/projects";
import type { Sandbox } from "../../../sandbox";
import { clientFactory, failureOf } from "./with-client";

const start = clientFactory();

const refused = (sandbox: Sandbox) => sandbox.requests.filter(({ authorized }) => !authorized);
const refusals = ({ requests }: Sandbox) => requests.map(({ refusal }) => refusal);
const accepted = (count: number) => Array.from({ length: count }, () => undefined);

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

test("a service that forgets its nonces costs one request more, and no caller notices it", async () => {
  const { sandbox, read } = await withProject();
  await read();
  sandbox.expireNonces();
  for (const _ of "ab") await read();
  expect(refusals(sandbox)).toEqual(["no-credentials", undefined, "stale-nonce", ...accepted(2)]);
});

test("a nonce that goes stale under load costs one refusal for each call under way, and none for other calls", async () => {
  const { sandbox, read } = await withProject({ nonceLifetimeSeconds: 60 });
  await times(50, read);
  sandbox.advanceClock(61);
  sandbox.clearRequests();
  expect(await times(200, read)).toHaveLength(200);
  expect(refused(sandbox).length).toBeGreaterThan(0);
  expect(refused(sandbox).length).toBeLessThanOrEqual(16);
  expect(sandbox.requests).toHaveLength(200 + refused(sandbox).length);
  sandbox.clearRequests();
  await times(50, read);
  expect(refused(sandbox)).toEqual([]);
});

test("a service that names the next nonce in its responses never has to refuse one, however many go stale", async () => {
  const { sandbox, read } = await withProject({ authenticationInfo: "both", nonceLifetimeSeconds: 60 });
  for (const _ of "abcdef") {
    await read();
    sandbox.advanceClock(40);
  }
  expect(refusals(sandbox)).toEqual(["no-credentials", ...accepted(6)]);
  expect(sandbox.requests.map(({ digest }) => digest?.nc)).toEqual([undefined, ...Array(6).fill(1)]);
});

test("a service whose proof is wrong is warned of once, and its responses count", async () => {
  const { sandbox, read, warnings } = await withProject({ authenticationInfo: "wrong-rspauth" });
  for (const _ of "abc") expect((await read()).name).toBe("payments");
  expect(warnings).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+: A response's rspauth is wrong/),
  ]);
  expect(sandbox.requests.map(({ digest }) => digest?.nc)).toEqual([undefined, 1, 2, 3]);
});

describe("a wrong key", () => {
  test.each([
    { challenge: "qop", seen: ["no-credentials", "wrong-response"] },
    { challenge: "op", seen: ["no-credentials", "wrong-response", "wrong-response"] },
  ] as const)(
    "costs these requests where the challenge states $challenge, however many calls there are: $seen",
    async ({ challenge, seen }) => {
      const { sandbox, read } = await withProject({ challenge }, { privateKey: "wrong" });
      const results = await Promise.allSettled(Array.from({ length: 20 }, read));
      await failureOf(read());
      expect(results.every(({ status }) => status === "rejected")).toBe(true);
      expect(refusals(sandbox)).toEqual(seen);
    },
  );

  test("is not what a missing role is taken for", async () => {
    const { sandbox, client, read } = await withProject({ unknownProject: "NOT_IN_GROUP" });
    const error = await failureOf(getProject(client, "5f00000000000000000000a9"));
    expect(error).toMatchObject({ code: "OPSMANAGER_API", errorCode: "NOT_IN_GROUP" });
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

test.each([
  { encoding: "UTF-8", realm: Buffer.from('Schlüssel "A"', "utf8").toString("latin1") },
  { encoding: "ISO-8859-1", realm: 'Schlüssel "A"' },
])(
  "a realm in $encoding goes into the response byte by byte, as does a private key beyond ASCII in UTF-8",
  async ({ realm }) => {
    const md5 = (bytes: string) => createHash("md5").update(bytes, "latin1").digest("hex");
    const escaped = realm.replaceAll('"', '\\"');
    const privateKey = "gehëim";
    const { client } = await start.server(
      (request, response) => {
        const { authorization = "" } = request.headers;
        const nc = /nc=(\w+)/.exec(authorization)?.[1];
        const cnonce = /cnonce="(\w+)"/.exec(authorization)?.[1];
        const secret = md5(`public:${realm}:${Buffer.from(privateKey, "utf8").toString("latin1")}`);
        const proof = md5(`${secret}:n+/=:${nc}:${cnonce}:auth:${md5(`GET:${request.url}`)}`);
        const isRight = authorization.includes(`realm="${escaped}"`) && authorization.includes(proof);
        const challenge = { "www-authenticate": `Digest realm="${escaped}", nonce="n+/=", qop="auth"` };
        response.writeHead(isRight ? 204 : 401, isRight ? {} : challenge).end();
      },
      { privateKey },
    );
    const action = { action: "Reading a page", method: "GET", shape: UNREAD_BODY } as const;
    await expect(client.call({ ...action, path: ["groups"] })).resolves.toBeUndefined();
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
  const action = { action: "Reading a project by name", method: "GET", shape: UNREAD_BODY } as const;
  const call = client.call({ ...action, path: ["groups", "byName", name], query: { note: name } });
  await expect(call).resolves.toBeUndefined();
  expect(sandbox.requests.at(-1)).toMatchObject({ status: 200, authorized: true });
});
