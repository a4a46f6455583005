/** The form of responses: headers, fields, lists, envelopes; and what is in the request log. */
import { apiPath, authorization, call, nonceOf, send } from "./client";
import { scenes } from "./scene";

const start = scenes();

test("a refusal has the documented fields", async () => {
  const { ask, ids } = await start();
  expect((await ask("GET /groups/{nobody}")).json).toEqual({
    detail: expect.any(String),
    error: 404,
    errorCode: "GROUP_NOT_FOUND",
    parameters: [ids.nobody],
    reason: "Not Found",
  });
  expect((await ask("GET /nothing")).json).toMatchObject({ parameters: ["/api/public/v1.0/nothing"] });
});

test("a path outside of the API is 404 without a challenge, a body of another type is 415, and a slash at the end changes nothing", async () => {
  const { sandbox } = await start({ challenge: "none" });
  const response = await fetch(`${sandbox.baseUrl}/user/login`);
  expect([response.status, response.headers.get("www-authenticate")]).toEqual([404, null]);
  const parts = { ...sandbox, method: "POST", uri: apiPath("/groups"), nonce: await nonceOf(sandbox) };
  const headers = { Authorization: authorization(parts), "Content-Type": "text/plain" };
  expect((await send(sandbox, "POST", "/groups", headers, "{}")).status).toBe(415);
  expect((await call(sandbox, "GET", "/groups/")).status).toBe(200);
});

test("the request log records what happened, without secrets", async () => {
  const { sandbox, ids, ask } = await start();
  await ask("PATCH /groups/{project}?pretty=true", { agentApiKey: "hush-hush", links: [] });
  const [unauthenticated, refused] = sandbox.requests;
  expect(unauthenticated).toMatchObject({ status: 401, authorized: false, refusal: "no-credentials" });
  expect(refused).toMatchObject({
    method: "PATCH",
    path: apiPath(`/groups/${ids.project}`),
    query: "pretty=true",
    publicKey: sandbox.publicKey,
    authorized: true,
    digest: { form: "qop", nc: 1 },
    status: 400,
    errorCode: "ATTRIBUTE_READ_ONLY",
    body: { agentApiKey: "<secret>", links: [] },
  });
  const agentKey = sandbox.project(ids.project ?? "")?.agentApiKey ?? "";
  await ask(`GET /groups/byAgentApiKey/${agentKey}?key=${agentKey}`);
  expect(sandbox.requests.at(-1)).toMatchObject({
    path: apiPath("/groups/byAgentApiKey/<secret>"),
    query: "key=<secret>",
  });
  const log = JSON.stringify(sandbox.requests);
  for (const secret of ["hush-hush", agentKey, sandbox.privateKey, "response="]) {
    expect(log).not.toContain(secret);
  }
});
