/** Responses of proxies, gateways and other servers that are not this API. */
import { listAgentKeys } from "../../../provider/api/agent-keys";
import type { ApiClient } from "../../../provider/api/client";
import { organizationInvitations } from "../../../provider/api/invitations";
import { createProject, deleteProject, getProject, updateProject } from "../../../provider/api/projects";
import { always, clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const project = { id, name: "payments", orgId: "5f00000000000000000000b1" };
const html = { "content-type": "text/html;charset=utf-8" };
const page = "<!DOCTYPE html><html><body>Sign in</body></html>";

type Call = (client: ApiClient) => Promise<unknown>;
const read: Call = (client) => getProject(client, id);
const create: Call = (client) => createProject(client, { name: "n", orgId: "o" });

/** The error of a call that gets this response. */
async function errorOf(call: Call, ...response: Parameters<typeof always>) {
  const { client } = await start.server(always(...response));
  return { error: await failureOf(call(client)), origin: client.origin };
}

describe("a web page", () => {
  test.each([
    { what: "200 instead of a project", status: 200, call: read },
    { what: "200 instead of an empty response", status: 200, call: (client) => deleteProject(client, id) },
    { what: "401 that offers no way to sign in", status: 401, call: read },
  ] satisfies { what: string; status: number; call: Call }[])(
    "with status $what is an unexpected response that names baseUrl",
    async ({ status, call }) => {
      const { error, origin } = await errorOf(call, status, page, html);
      expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
      expect(error.message).toContain(`returned status ${status} with a web page. Check baseUrl (${origin})`);
    },
  );
});

const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
const json = "application/json";

test.each([
  { what: "nothing at all", body: "", type: json, message: `(status 200, ${json}) is not JSON` },
  { what: "endless brackets", body: "[".repeat(1_000_000), type: json, message: "is not JSON" },
  {
    what: "a deep envelope",
    body: `{"status":200,"content":${deep}}`,
    type: json,
    message: "the whole response (invalid_type)",
  },
  {
    what: "a deep name",
    body: `{"id":"${id}","orgId":"b1","name":${deep}}`,
    type: json,
    message: "name (invalid_type)",
  },
])("$what is an unexpected response that reports what came", async ({ body, type, message }) => {
  const { error } = await errorOf(read, 200, body, { "content-type": type });
  expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
  expect(error.message).toContain(message);
});

test("a response that announces more than 32 MiB ends the exchange before any of it comes", async () => {
  const limit = 32 * 1024 * 1024;
  const { client } = await start.server((_, response) => {
    response.writeHead(200, { "content-length": limit + 1 }).flushHeaders();
  });
  expect((await failureOf(getProject(client, id))).message).toContain(`is longer than ${limit} bytes`);
});

test.each([200, 201, 204])(
  "a POST that is answered %i without a body has an unknown outcome",
  async (status) => {
    const { error } = await errorOf(create, status, "", {});
    expect(error).toMatchObject({ code: "OPSMANAGER_OUTCOME_UNKNOWN" });
  },
);

describe("JSON of another shape", () => {
  test("is named by its fields, without its values: they may be secret", async () => {
    const unlike = { ...project, name: { agentApiKey: "0a1b2c3d" }, tags: ["A", 7] };
    const { error } = await errorOf(read, 200, unlike);
    expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
    // The action names the object already.
    expect(error.message).toContain(": name (invalid_type), tags.1 (invalid_type).");
    expect(error.message).not.toContain("0a1b2c3d");
  });

  const wrongId = "5f00000000000000000000a2";

  // Its ID was recorded, so destroying took the access of somebody else away.
  test("that is about another object is refused", async () => {
    const { error } = await errorOf(read, 200, { ...project, id: wrongId });
    expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
    expect(error.message).toContain(`the response is about ${wrongId}. Check the proxies`);
  });
  const placeId = "5f00000000000000000000b1";
  const of = (name: string, fault: string) =>
    `Listing the ${name} ${placeId} failed: the response does not have the properties of this API: ${fault} (invalid_type)`;

  test.each<{ list: string; call: Call; body: object; message: string }>([
    {
      list: "invitations, which have no pages",
      call: (client) => organizationInvitations.list(client, placeId),
      body: [{ id: wrongId, createdAt: "", expiresAt: "", inviterUsername: "", roles: [] }],
      message: of("pending invitations to organization", `0.username of entry ${wrongId}`),
    },
    {
      list: "agent keys, whose ID has another name",
      call: (client) => listAgentKeys(client, placeId),
      body: [{ _id: wrongId, desc: 7 }],
      message: `of entry ${wrongId} (invalid_`,
    },
  ])("in one entry of a list names the list and the entry: $list", async ({ call, body, message }) => {
    expect((await errorOf(call, 200, body)).error.message).toContain(message);
  });

  test("that names __proto__ changes no object", async () => {
    const body = `{"__proto__":{"polluted":1},"hostCounts":{"__proto__":5,"primary":1},${JSON.stringify(project).slice(1)}`;
    const { client } = await start.server(always(200, body));
    const made = await getProject(client, id);
    expect(made.hostCounts?.primary).toBe(1);
    expect("polluted" in made).toBe(false);
    expect("polluted" in {}).toBe(false);
  });
});

describe("what is read", () => {
  test.each([
    { how: "in an envelope", body: { status: 200, content: project } },
    { how: "in an envelope of an old version", body: { status: 200, envelope: project } },
    { how: "with unknown fields", body: { ...project, idpGroupMappings: [], links: [] } },
    { how: "with nulls for what is absent", body: { ...project, tags: null, ldapGroupMappings: null } },
  ])("is a project $how", async ({ body }) => {
    const { client } = await start.server(always(200, body));
    expect(await getProject(client, id)).toMatchObject(project);
  });

  test("never holds the key of the agents", async () => {
    const { client } = await start.server(always(200, { ...project, agentApiKey: "0a1b2c3d" }));
    expect(JSON.stringify(await updateProject(client, id, { name: "payments" }))).not.toContain("0a1b2c3d");
  });
});

describe("an error response", () => {
  test("keeps status, errorCode, reason, detail and parameters", async () => {
    const facts = { errorCode: "GROUP_NOT_FOUND", reason: "Not Found", detail: "No group." };
    const body = { error: 404, ...facts, parameters: [id, 10, { a: 1 }] };
    const { error } = await errorOf(read, 404, body);
    const expected = { name: "ApiError", code: "OPSMANAGER_API", status: 404, ...facts };
    expect(error).toMatchObject({ ...expected, parameters: body.parameters });
  });

  test("in plain text is quoted in one line, with what a terminal would obey shown", async () => {
    const plain = { "content-type": "text/plain" };
    const { error } = await errorOf(read, 400, "bad\n\u001b[31mgateway\u0007 request", plain);
    expect(error.message).toBe(`Reading project ${id} failed: 400 bad \\u001b[31mgateway\\u0007 request.`);
  });
});

test.each(["", ".", ".."])(
  "the id %p makes no request, because the address would be another one",
  async (odd) => {
    const reached: string[] = [];
    const { client } = await start.server((request) => reached.push(request.url ?? ""));
    const error = await failureOf(deleteProject(client, odd));
    expect(error).toMatchObject({ code: "OPSMANAGER_REFUSED" });
    expect(reached).toEqual([]);
  },
);
