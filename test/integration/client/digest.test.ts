/** Digest over real connections: what each call costs, and what is signed. */
import { createHash } from "node:crypto";
import { UNREAD_BODY } from "../../../provider/api/client";
import { getProject } from "../../../provider/api/projects";
import type { Sandbox } from "../../../sandbox";
import { clientFactory, failureOf } from "./with-client";

const start = clientFactory();

const refusals = ({ requests }: Sandbox) => requests.map(({ refusal }) => refusal);

async function withProject(...[options, settings]: Parameters<typeof start.sandbox>) {
  const connection = await start.sandbox(options, settings);
  const { id } = connection.sandbox.addProject({ name: "payments" });
  return { ...connection, id, read: () => getProject(connection.client, id) };
}

test("200 first calls at once cost one challenge and one request each", async () => {
  const { sandbox, read } = await withProject({}, { maxConcurrentRequests: 200 });
  const projects = await Promise.all(Array.from({ length: 200 }, read));
  expect(projects.every(({ name }) => name === "payments")).toBe(true);
  expect(refusals(sandbox)).toEqual(["no-credentials", ...Array(200).fill(undefined)]);
});

const everyCause =
  /^Reading project \w+ failed: 401 .*refused API key \w+ from the provider's arguments. Possible causes: the key pair is wrong or was deleted; the key belongs to another service or organization; it has an access list without this machine's address .*; it lacks the role for this, or the project does not exist.*pulumi up --refresh --run-program/;

describe("a wrong key", () => {
  test.each([
    { challenge: "qop", seen: ["no-credentials", "wrong-response"] },
    { challenge: "op", seen: ["no-credentials", "wrong-response", "wrong-response"] },
  ] as const)(
    "costs these requests where the challenge states $challenge, however many calls there are: $seen",
    async ({ challenge, seen }) => {
      const { sandbox, read } = await withProject({ challenge }, { privateKey: "wrong" });
      const results = await Promise.allSettled(Array.from({ length: 20 }, read));
      expect((await failureOf(read())).message).toMatch(everyCause);
      expect(results.every(({ status }) => status === "rejected")).toBe(true);
      expect(refusals(sandbox)).toEqual(seen);
    },
  );

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

test.each(["a name/ü?#&=+%;b:c@d,e$f", '"quoted" \\ <tag> {x} [y] |^` (brackets)*!~'])(
  "%p in the address is signed as it is sent",
  async (name) => {
    const { sandbox, client } = await withProject();
    sandbox.addProject({ name });
    const action = { action: "Reading a project by name", method: "GET", shape: UNREAD_BODY } as const;
    const call = client.call({ ...action, path: ["groups", "byName", name], query: { note: name } });
    await expect(call).resolves.toBeUndefined();
    expect(sandbox.requests.at(-1)).toMatchObject({ status: 200, authorized: true });
  },
);
