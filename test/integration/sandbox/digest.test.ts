import { createHash } from "node:crypto";
import type { Sandbox } from "../../../sandbox";
import {
  apiPath,
  authorization,
  call,
  challengeOf,
  type DigestParts,
  nonceOf,
  type SandboxResponse,
  send,
} from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();

/** GET /groups with this nonce and whatever else is to be wrong. */
async function get(
  sandbox: Sandbox,
  parts: Partial<DigestParts> & { nonce: string },
): Promise<SandboxResponse> {
  const { publicKey, privateKey } = sandbox;
  const whole = { publicKey, privateKey, method: "GET", uri: apiPath("/groups"), nc: "00000001", ...parts };
  return send(sandbox, "GET", "/groups", { Authorization: authorization(whole) });
}

const refusal = (sandbox: Sandbox) => sandbox.requests.at(-1)?.refusal;

describe("the challenge", () => {
  test("has the form seen on the real service", async () => {
    const response = await send(await start(), "GET", "/groups");
    expect(response.status).toBe(401);
    expect(challengeOf(response)).toMatch(
      /^Digest realm="MMS Public API", domain="", nonce="[A-Za-z0-9+/]+=*", algorithm=MD5, qop="auth", stale=false$/,
    );
    expect(response.headers.get("content-type")).toBe("application/json;charset=ISO-8859-1");
    const detail = "You are not authorized for this resource.";
    expect(response.json).toEqual({ error: 401, reason: "Unauthorized", detail });
  });

  test("contains op instead of qop if it follows the API document", async () => {
    const sandbox = await start({ challenge: "op" });
    const challenge = challengeOf(await send(sandbox, "GET", "/groups"));
    expect(challenge).toContain('algorithm=MD5, op="auth", stale=false');
    expect(challenge).not.toContain("qop");
  });

  test("has neither when it is RFC 2069", async () => {
    const sandbox = await start({ challenge: "none" });
    expect(challengeOf(await send(sandbox, "GET", "/groups"))).toContain("algorithm=MD5, stale=false");
  });

  test("offers every algorithm in one header, weakest first, when that is switched on", async () => {
    const challenge = challengeOf(await send(await start({ digestAlgorithm: "all" }), "GET", "/groups"));
    expect(
      [...challenge.matchAll(/Digest realm=[^,]+, domain="", nonce="[^"]+", algorithm=([\w-]+)/g)].map(
        ([, name]) => name,
      ),
    ).toEqual(["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256", "SHA-512-256-sess"]);
  });

  test("states the accepted form of names", async () => {
    const sandbox = await start({ userNames: "utf-8" });
    expect(challengeOf(await send(sandbox, "GET", "/groups"))).toContain("charset=UTF-8, stale=false");
    sandbox.setSwitches({ userNames: "userhash" });
    expect(challengeOf(await send(sandbox, "GET", "/groups"))).toContain(
      "charset=UTF-8, userhash=true, stale=",
    );
  });

  test("carries an opaque value that must come back, when that is switched on", async () => {
    const sandbox = await start({ opaque: true });
    expect((await call(sandbox, "GET", "/groups")).status).toBe(200);
    expect((await get(sandbox, { nonce: await nonceOf(sandbox) })).status).toBe(401);
  });
});

describe("Authentication-Info", () => {
  const infoOf = ({ headers }: SandboxResponse) => headers.get("authentication-info");

  test("is not sent, as on the real service, unless it is switched on", async () => {
    expect(infoOf(await call(await start(), "GET", "/groups"))).toBeNull();
  });

  test("proves that the service knows the key, and names a nonce that is good", async () => {
    const sandbox = await start({ authenticationInfo: "both" });
    const md5 = (text: string) => createHash("md5").update(text).digest("hex");
    const nonce = await nonceOf(sandbox);
    const info = infoOf(await get(sandbox, { nonce })) ?? "";
    const secret = md5(`${sandbox.publicKey}:MMS Public API:${sandbox.privateKey}`);
    const proof = md5(`${secret}:${nonce}:00000001:0a4f113b:auth:${md5(`:${apiPath("/groups")}`)}`);
    expect(info).toContain(`qop=auth, rspauth="${proof}", cnonce="0a4f113b", nc=00000001, nextnonce="`);
    const next = /nextnonce="([^"]+)"/.exec(info)?.[1] ?? "";
    expect((await get(sandbox, { nonce: next })).status).toBe(200);
  });

  test("is in responses to accepted keys only", async () => {
    const sandbox = await start({ authenticationInfo: "both" });
    const response = await get(sandbox, { nonce: await nonceOf(sandbox), privateKey: "wrong" });
    expect([response.status, infoOf(response)]).toEqual([401, null]);
  });
});

describe("a nonce", () => {
  test("may be used again with a rising nc", async () => {
    const sandbox = await start();
    const nonce = await nonceOf(sandbox);
    expect((await get(sandbox, { nonce })).status).toBe(200);
    expect((await get(sandbox, { nonce, nc: "00000002" })).status).toBe(200);
    expect(sandbox.requests.map(({ digest }) => digest?.nc)).toEqual([undefined, 1, 2]);
  });

  test("is refused as stale when an nc comes twice", async () => {
    const sandbox = await start();
    const nonce = await nonceOf(sandbox);
    await get(sandbox, { nonce });
    const replay = await get(sandbox, { nonce });
    expect(replay.status).toBe(401);
    expect(challengeOf(replay)).toContain("stale=true");
    expect(refusal(sandbox)).toBe("replayed-count");
  });

  test("takes an nc below an earlier one, since requests may overtake each other, unless nc must rise", async () => {
    const sandbox = await start();
    const nonce = await nonceOf(sandbox);
    await get(sandbox, { nonce, nc: "00000003" });
    expect((await get(sandbox, { nonce, nc: "00000002" })).status).toBe(200);
    sandbox.setSwitches({ nonceCount: "rising" });
    expect((await get(sandbox, { nonce, nc: "00000001" })).status).toBe(401);
  });

  test("takes nc=1 as one well-known client writes it, but not nc=0", async () => {
    const sandbox = await start();
    const nonce = await nonceOf(sandbox);
    expect((await get(sandbox, { nonce, nc: "1" })).status).toBe(200);
    expect((await get(sandbox, { nonce, nc: "0" })).status).toBe(401);
  });

  test("is stale after its lifetime, and only for who knows the key", async () => {
    const sandbox = await start({ nonceLifetimeSeconds: 60 });
    const nonce = await nonceOf(sandbox);
    sandbox.advanceClock(59);
    expect((await get(sandbox, { nonce })).status).toBe(200);
    sandbox.advanceClock(1);
    expect(challengeOf(await get(sandbox, { nonce, nc: "00000002" }))).toContain("stale=true");
    expect(challengeOf(await get(sandbox, { nonce, privateKey: "wrong" }))).toContain("stale=false");
  });

  test("is stale when all nonces were expired at the control address, and when the sandbox never issued it", async () => {
    const sandbox = await start();
    const nonce = await nonceOf(sandbox);
    sandbox.expireNonces();
    expect(challengeOf(await get(sandbox, { nonce }))).toContain("stale=true");
    expect(challengeOf(await get(sandbox, { nonce: "bm90IGlzc3VlZA==" }))).toContain("stale=true");
  });

  test.each([
    ["refuse", "stale=true"],
    ["refuse-silently", "stale=false"],
  ] as const)("is good for one request when reuse is %s, then %s", async (nonceReuse, stale) => {
    const sandbox = await start({ nonceReuse });
    const nonce = await nonceOf(sandbox);
    expect((await get(sandbox, { nonce })).status).toBe(200);
    const again = await get(sandbox, { nonce, nc: "00000002" });
    expect(again.status).toBe(401);
    expect(challengeOf(again)).toContain(stale);
  });
});

describe("a response", () => {
  test("with an unknown key, a wrong key or another method is refused without stale", async () => {
    const sandbox = await start();
    const nonce = await nonceOf(sandbox);
    const refusals = [];
    for (const wrong of [{ publicKey: "unknown" }, { privateKey: "wrong" }, { method: "DELETE" }]) {
      const response = await get(sandbox, { nonce, ...wrong });
      expect(challengeOf(response)).toContain("stale=false");
      refusals.push(refusal(sandbox));
    }
    expect(refusals).toEqual(["unknown-key", "wrong-response", "wrong-response"]);
  });

  test("for another uri is a bad request", async () => {
    const sandbox = await start();
    const response = await get(sandbox, { nonce: await nonceOf(sandbox), uri: apiPath("/orgs") });
    expect([response.status, response.json.errorCode]).toEqual([400, undefined]);
  });

  test("must contain the query in its uri", async () => {
    const sandbox = await start();
    const target = "/groups?itemsPerPage=1&pretty=true";
    expect((await call(sandbox, "GET", target)).status).toBe(200);
    const { publicKey, privateKey } = sandbox;
    const parts = { publicKey, privateKey, method: "GET", nc: "00000001" };
    const header = authorization({ ...parts, uri: apiPath("/groups"), nonce: await nonceOf(sandbox) });
    expect((await send(sandbox, "GET", target, { Authorization: header })).status).toBe(400);
  });

  test.each([
    ["nothing after the scheme", "Digest "],
    ["another scheme", "Basic dXNlcjpwYXNz"],
    ["broken quoting", 'Digest username="a, realm='],
    ["another realm", 'Digest username="a", realm="other", nonce="n", uri="/", response="r"'],
    [
      "an unknown algorithm",
      'Digest username="a", realm="MMS Public API", algorithm=SHA3-512, nonce="n", uri="/", response="r"',
    ],
    [
      "auth-int",
      'Digest username="a", realm="MMS Public API", qop=auth-int, nonce="n", uri="/", response="r"',
    ],
  ])("with %s is refused as malformed", async (_, header) => {
    const sandbox = await start();
    expect((await send(sandbox, "GET", "/groups", { Authorization: header })).status).toBe(401);
    expect(refusal(sandbox)).toBe("malformed");
  });

  test("with another algorithm than the challenge's is refused", async () => {
    const sandbox = await start({ digestAlgorithm: "SHA-256" });
    expect((await get(sandbox, { nonce: await nonceOf(sandbox) })).status).toBe(401);
    expect(refusal(sandbox)).toBe("wrong-form");
  });

  test.each([
    ["qop", "both", { withQop: 200, without: 401 }],
    ["none", "both", { withQop: 401, without: 200 }],
    ["op", "both", { withQop: 200, without: 200 }],
    ["op", "qop", { withQop: 200, without: 401 }],
    ["op", "rfc2069", { withQop: 401, without: 200 }],
  ] as const)(
    "to the challenge %s (op accepts %s) may have these forms",
    async (challenge, opAccepts, expected) => {
      const sandbox = await start({ challenge, opAccepts });
      const { publicKey, privateKey } = sandbox;
      const parts = { publicKey, privateKey, method: "GET", uri: apiPath("/groups") };
      const status = async (nc: { nc?: string }): Promise<number> => {
        const header = authorization({ ...parts, ...nc, nonce: await nonceOf(sandbox) });
        return (await send(sandbox, "GET", "/groups", { Authorization: header })).status;
      };
      expect({ withQop: await status({ nc: "00000001" }), without: await status({}) }).toEqual(expected);
    },
  );

  test("of many requests at once with one nonce is accepted for each", async () => {
    const sandbox = await start();
    const nonce = await nonceOf(sandbox);
    const counts = Array.from({ length: 30 }, (_, index) => (index + 1).toString(16).padStart(8, "0"));
    const responses = await Promise.all(counts.map((nc) => get(sandbox, { nonce, nc })));
    expect(responses.map(({ status }) => status)).toEqual(counts.map(() => 200));
  });
});
