/** What the Digest of the service requires. `opsmanager verify` finds each of its forms, and `interop/` has other clients. */
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
async function get(sandbox: Sandbox, parts: Partial<DigestParts> & { nonce: string }) {
  const { publicKey, privateKey } = sandbox;
  const whole = { publicKey, privateKey, method: "GET", uri: apiPath("/groups"), nc: "00000001", ...parts };
  return send(sandbox, "GET", "/groups", { Authorization: authorization(whole) });
}

const refusal = (sandbox: Sandbox) => sandbox.requests.at(-1)?.refusal;

test("the challenge has the form seen on the real service", async () => {
  const response = await send(await start(), "GET", "/groups");
  expect(response.status).toBe(401);
  expect(challengeOf(response)).toMatch(
    /^Digest realm="MMS Public API", domain="", nonce="[A-Za-z0-9+/]+=*", algorithm=MD5, qop="auth", stale=false$/,
  );
  expect(response.headers.get("content-type")).toBe("application/json;charset=ISO-8859-1");
  const detail = "You are not authorized for this resource.";
  expect(response.json).toEqual({ error: 401, reason: "Unauthorized", detail });
});

test("an opaque value must come back", async () => {
  const sandbox = await start({ opaque: true });
  expect((await call(sandbox, "GET", "/groups")).status).toBe(200);
  expect((await get(sandbox, { nonce: await nonceOf(sandbox) })).status).toBe(401);
});

test("Authentication-Info proves that the service knows the key, and is in responses to accepted keys alone", async () => {
  const sandbox = await start({ authenticationInfo: "both" });
  const infoOf = ({ headers }: SandboxResponse) => headers.get("authentication-info");
  const md5 = (text: string) => createHash("md5").update(text).digest("hex");
  const nonce = await nonceOf(sandbox);
  const info = infoOf(await get(sandbox, { nonce })) ?? "";
  const secret = md5(`${sandbox.publicKey}:MMS Public API:${sandbox.privateKey}`);
  const proof = md5(`${secret}:${nonce}:00000001:0a4f113b:auth:${md5(`:${apiPath("/groups")}`)}`);
  expect(info).toContain(`qop=auth, rspauth="${proof}", cnonce="0a4f113b", nc=00000001, nextnonce="`);
  const next = /nextnonce="([^"]+)"/.exec(info)?.[1] ?? "";
  expect((await get(sandbox, { nonce: next })).status).toBe(200);
  expect(infoOf(await get(sandbox, { nonce: next, privateKey: "wrong" }))).toBeNull();
});

test("a nonce takes each count once, also below an earlier one unless counts must rise", async () => {
  const sandbox = await start();
  const nonce = await nonceOf(sandbox);
  const status = async (nc: string) => (await get(sandbox, { nonce, nc })).status;
  // One well-known client writes 1 without zeros.
  for (const nc of ["00000003", "00000002", "1"]) expect(await status(nc)).toBe(200);
  expect(await status("0")).toBe(401);
  expect(challengeOf(await get(sandbox, { nonce, nc: "00000002" }))).toContain("stale=true");
  expect(refusal(sandbox)).toBe("replayed-count");
  expect(await status("00000009")).toBe(200);
  sandbox.setSwitches({ nonceCount: "rising" });
  expect(await status("00000008")).toBe(401);
});

test("a nonce is stale after its lifetime, when all were expired and when it was never issued, for who knows the key", async () => {
  const sandbox = await start({ nonceLifetimeSeconds: 60 });
  const nonce = await nonceOf(sandbox);
  sandbox.advanceClock(59);
  expect((await get(sandbox, { nonce })).status).toBe(200);
  sandbox.advanceClock(1);
  expect(challengeOf(await get(sandbox, { nonce, nc: "00000002" }))).toContain("stale=true");
  expect(challengeOf(await get(sandbox, { nonce, privateKey: "wrong" }))).toContain("stale=false");
  const another = await nonceOf(sandbox);
  sandbox.expireNonces();
  for (const old of [another, "bm90IGlzc3VlZA=="]) {
    expect(challengeOf(await get(sandbox, { nonce: old }))).toContain("stale=true");
  }
});

test.each<{ what: string; parts: Partial<DigestParts>; refusal: string }>([
  { what: "an unknown key", parts: { publicKey: "unknown" }, refusal: "unknown-key" },
  { what: "a wrong key", parts: { privateKey: "wrong" }, refusal: "wrong-response" },
  { what: "another method", parts: { method: "DELETE" }, refusal: "wrong-response" },
])("credentials with $what are refused without stale", async ({ parts, refusal: why }) => {
  const sandbox = await start();
  const response = await get(sandbox, { nonce: await nonceOf(sandbox), ...parts });
  expect(challengeOf(response)).toContain("stale=false");
  expect(refusal(sandbox)).toBe(why);
});

test("credentials for another uri, or for one without the query, are a bad request", async () => {
  const sandbox = await start();
  expect((await get(sandbox, { nonce: await nonceOf(sandbox), uri: apiPath("/orgs") })).status).toBe(400);
  const parts = { ...sandbox, method: "GET", nc: "00000001", uri: apiPath("/groups") };
  const header = authorization({ ...parts, nonce: await nonceOf(sandbox) });
  const response = await send(sandbox, "GET", "/groups?itemsPerPage=1", { Authorization: header });
  expect(response.status).toBe(400);
});

const fields = 'username="a", realm="MMS Public API", nonce="n", uri="/", response="r"';

test.each([
  { what: "nothing after the scheme", header: "Digest " },
  { what: "another scheme", header: "Basic dXNlcjpwYXNz" },
  { what: "broken quoting", header: 'Digest username="a, realm=' },
  { what: "another realm", header: `Digest ${fields.replace("MMS Public API", "other")}` },
  { what: "an unknown algorithm", header: `Digest ${fields}, algorithm=SHA3-512` },
  { what: "auth-int", header: `Digest ${fields}, qop=auth-int` },
])("credentials with $what are malformed", async ({ header }) => {
  const sandbox = await start();
  expect((await send(sandbox, "GET", "/groups", { Authorization: header })).status).toBe(401);
  expect(refusal(sandbox)).toBe("malformed");
});
