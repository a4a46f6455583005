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

test("an envelope is around one entity, a status in a list, and represents a 204", async () => {
  const { ask, ids } = await start();
  const enveloped = async (request: string) => (await ask(`${request}?envelope=true`)).json;
  expect(await enveloped("GET /groups/{project}")).toMatchObject({
    status: 200,
    content: { id: ids.project },
  });
  expect(await enveloped("GET /groups")).toMatchObject({ status: 200, totalCount: 2, results: [{}, {}] });
  expect(await enveloped("GET /groups/{other}/invites")).toEqual({ status: 200, content: [] });
  expect(await enveloped("DELETE /groups/{project}/invites/{invitation}")).toEqual({
    status: 204,
    content: {},
  });
});

test("lists have pages of a hundred entries or the requested size, a total and links to the adjacent pages", async () => {
  const { sandbox, ask } = await start();
  for (let index = 0; index < 99; index += 1) sandbox.addProject({ name: `p${index}` });
  expect((await ask("GET /groups")).json.results).toHaveLength(100);
  expect((await ask("GET /groups?itemsPerPage=500")).json.results).toHaveLength(101);
  const { json } = await ask("GET /groups?pageNum=2&itemsPerPage=2");
  expect(json).toMatchObject({ results: [{ name: "p0" }, { name: "p1" }], totalCount: 101 });
  const links = json.links.map(({ rel, href }: { rel: string; href: string }) => [rel, href.split("?")[1]]);
  expect(links).toEqual([
    ["previous", "pageNum=1&itemsPerPage=2"],
    ["self", "pageNum=2&itemsPerPage=2"],
    ["next", "pageNum=3&itemsPerPage=2"],
  ]);
  const { json: last } = await ask("GET /groups?itemsPerPage=101&includeCount=false");
  expect(last).not.toHaveProperty("totalCount");
  expect(last.links.map(({ rel }: { rel: string }) => rel)).toEqual(["self"]);
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
