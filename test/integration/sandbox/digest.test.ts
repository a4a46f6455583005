/**
 * Which credentials the sandbox refuses, and why: the tests of the client rely on it. `opsmanager verify` finds each form of
 * the challenge, and `interop/` has other clients.
 */
import type { Sandbox } from "../../../sandbox";
import { apiPath, authorization, challengeOf, type DigestParts, nonceOf, send } from "./client";
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

test("a nonce takes each count once, until all were expired, and is stale only for who knows the key", async () => {
  const sandbox = await start();
  const nonce = await nonceOf(sandbox);
  // One well-known client writes 1 without zeros.
  for (const nc of ["00000003", "00000002", "1"])
    expect((await get(sandbox, { nonce, nc })).status).toBe(200);
  expect((await get(sandbox, { nonce, nc: "0" })).status).toBe(401);
  expect(challengeOf(await get(sandbox, { nonce, nc: "00000002" }))).toContain("stale=true");
  expect(refusal(sandbox)).toBe("replayed-count");
  sandbox.expireNonces();
  for (const old of [nonce, "bm90IGlzc3VlZA=="]) {
    const count = { nonce: old, nc: "00000009" };
    expect(challengeOf(await get(sandbox, count))).toContain("stale=true");
    expect(challengeOf(await get(sandbox, { ...count, privateKey: "wrong" }))).toContain("stale=false");
  }
});

const fields = 'username="a", realm="MMS Public API", nonce="n", uri="/", response="r"';

test.each<{ what: string; parts?: Partial<DigestParts>; header?: string; status?: number; why?: string }>([
  { what: "an unknown key", parts: { publicKey: "unknown" }, why: "unknown-key" },
  { what: "a wrong key", parts: { privateKey: "wrong" }, why: "wrong-response" },
  { what: "another method", parts: { method: "DELETE" }, why: "wrong-response" },
  { what: "another uri", parts: { uri: apiPath("/orgs") }, status: 400, why: "wrong-uri" },
  { what: "nothing after the scheme", header: "Digest " },
  { what: "another scheme", header: "Basic dXNlcjpwYXNz" },
  { what: "broken quoting", header: 'Digest username="a, realm=' },
  { what: "another realm", header: `Digest ${fields.replace("MMS Public API", "other")}` },
  { what: "an unknown algorithm", header: `Digest ${fields}, algorithm=SHA3-512` },
  { what: "auth-int", header: `Digest ${fields}, qop=auth-int` },
])("credentials with $what are refused", async ({ parts, header, status = 401, why = "malformed" }) => {
  const sandbox = await start();
  const response =
    header === undefined
      ? await get(sandbox, { nonce: await nonceOf(sandbox), ...parts })
      : await send(sandbox, "GET", "/groups", { Authorization: header });
  expect([response.status, refusal(sandbox)]).toEqual([status, why]);
  expect(challengeOf(response)).not.toContain("stale=true");
});
