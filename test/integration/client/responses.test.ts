/** Responses of proxies, gateways and other servers that are not this API. */
import { listAgentKeys } from "../../../provider/api/agent-keys";
import type { ApiClient } from "../../../provider/api/client";
import { organizationInvitations } from "../../../provider/api/invitations";
import { listProjectsOfOrganization } from "../../../provider/api/organizations";
import { createProject, deleteProject, getProject, updateProject } from "../../../provider/api/projects";
import { listTeamsOfProject } from "../../../provider/api/teams";
import { listUsersOfOrganization, listUsersOfProject } from "../../../provider/api/users";
import { meaningOf } from "../../../provider/resources/evidence/meaning";
import { always, clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const project = { id, name: "payments", orgId: "5f00000000000000000000b1" };
const html = { "content-type": "text/html;charset=utf-8" };
const page = "<!DOCTYPE html><html><body>Sign in</body></html>";

describe("a web page", () => {
  test.each<[string, number, (client: ApiClient) => Promise<unknown>]>([
    ["200 instead of a project", 200, (client) => getProject(client, id)],
    ["200 instead of an empty response", 200, (client) => deleteProject(client, id)],
    ["404 of some other server", 404, (client) => getProject(client, id)],
    ["403 of a gateway", 403, (client) => createProject(client, { name: "n", orgId: "o" })],
    ["401 that offers no way to sign in", 401, (client) => getProject(client, id)],
  ])("with status %s is an unexpected response that names baseUrl", async (_, status, call) => {
    const { client } = await start.server(always(status, page, html));
    const error = await failureOf(call(client));
    expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
    expect(error.message).toContain(
      `returned status ${status} with a web page. Check baseUrl (${client.origin})`,
    );
  });

  // A service without the operation was taken for a wrong baseUrl, so nothing worked on one with few operations.
  test.each([404, 405, 501])(
    "with status %i from a service that accepted the key is an operation that it does not offer",
    async (status) => {
      const { sandbox, client } = await start.sandbox();
      const fault = { status, body: page, contentType: "text/html" };
      sandbox.addFault({ pathPattern: `/groups/${id}$`, fault });
      await listProjectsOfOrganization(client, sandbox.orgId);
      const error = await failureOf(getProject(client, id));
      expect(error).toMatchObject({ code: "OPSMANAGER_API", status, errorCode: undefined });
      expect(error.message).toContain(
        `Reading project ${id} failed: ${status} with a web page. The service has`,
      );
      expect(meaningOf(error)).toBe("missing-operation");
    },
  );
});

describe("a response that is not JSON", () => {
  test.each([
    ["text", "fine", "text/plain"],
    ["half an object", '{"id":', "application/json"],
    ["nothing at all", "", "application/json"],
  ])("but %s is an unexpected response that reports what came", async (_, body, contentType) => {
    const { client } = await start.server(always(200, body, { "content-type": contentType }));
    const error = await failureOf(getProject(client, id));
    expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
    expect(error.message).toContain(`(status 200, ${contentType}) is not JSON`);
  });
});

describe("JSON of another shape", () => {
  test("is named by its clientFactory, without its values: they may be secret", async () => {
    const unlike = { ...project, name: { agentApiKey: "0a1b2c3d" }, tags: ["A", 7] };
    const { client } = await start.server(always(200, unlike));
    const error = await failureOf(getProject(client, id));
    expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
    expect(error.message).toContain("name (invalid_type), tags.1 (invalid_type)");
    expect(error.message).not.toContain("0a1b2c3d");
  });

  const wrongId = "5f00000000000000000000a2";
  const placeId = "5f00000000000000000000b1";
  const user = { id: wrongId, roles: [] };
  const invitation = { id: wrongId, createdAt: "", expiresAt: "", inviterUsername: "", roles: [] };

  test.each<[string, (client: ApiClient) => Promise<unknown>, object, string]>([
    [
      "projects",
      (client) => listProjectsOfOrganization(client, placeId),
      { results: [project, { ...project, id: wrongId, name: null }], totalCount: 2 },
      `Listing the projects of organization ${placeId} failed: the response does not have the properties of this API: 1.name of entry ${wrongId} (invalid_type).`,
    ],
    [
      "people, without a username",
      (client) => listUsersOfProject(client, placeId),
      { results: [user], totalCount: 1 },
      `Listing the people of project ${placeId} failed: the response does not have the properties of this API: 0.username of entry ${wrongId} (invalid_type).`,
    ],
    [
      "people, without an ID",
      (client) => listUsersOfOrganization(client, placeId),
      { results: [{ username: "ada" }], totalCount: 1 },
      `Listing the people of organization ${placeId} failed: the response does not have the properties of this API: 0.id (invalid_type).`,
    ],
    [
      "invitations, which have no pages",
      (client) => organizationInvitations.list(client, placeId),
      [invitation],
      `Listing the pending invitations to organization ${placeId} failed: the response does not have the properties of this API: 0.username of entry ${wrongId} (invalid_type)`,
    ],
    [
      "agent keys, whose ID has another name",
      (client) => listAgentKeys(client, placeId),
      [{ _id: wrongId, desc: 7 }],
      `of entry ${wrongId} (invalid_`,
    ],
    [
      "teams",
      (client) => listTeamsOfProject(client, placeId),
      { results: [{ teamId: wrongId, roleNames: [{ roleName: "GROUP_OWNER" }] }], totalCount: 1 },
      `0.roleNames.0 of entry ${wrongId} (invalid_type).`,
    ],
  ])("in one entry of a list names the list and the entry: %s", async (_, list, body, message) => {
    const { client } = await start.server(always(200, body));
    expect((await failureOf(list(client))).message).toContain(message);
  });

  // The action names the object already.
  test("in one object names no entry", async () => {
    const { client } = await start.server(always(200, { ...project, name: null }));
    expect((await failureOf(getProject(client, id))).message).toContain(": name (invalid_type).");
  });

  test("that names __proto__ changes no object", async () => {
    const body = `{"__proto__":{"polluted":1},"hostCounts":{"__proto__":5,"primary":1},${JSON.stringify(project).slice(1)}`;
    const { client } = await start.server(always(200, body));
    const read = await getProject(client, id);
    expect(read.hostCounts?.primary).toBe(1);
    expect("polluted" in read).toBe(false);
    expect("polluted" in {}).toBe(false);
  });
});

describe("what is read", () => {
  test.each([
    ["in an envelope", { status: 200, content: project }],
    ["in an envelope of an old version", { status: 200, envelope: project }],
    ["with unknown fields", { ...project, idpGroupMappings: [], links: [] }],
    ["with nulls for what is absent", { ...project, tags: null, ldapGroupMappings: null, hostCounts: null }],
  ])("is a project %s", async (_, body) => {
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
    const body = {
      error: 404,
      errorCode: "GROUP_NOT_FOUND",
      reason: "Not Found",
      detail: "No group.",
      parameters: [id, 10, { a: 1 }],
    };
    const { client } = await start.server(always(404, body));
    expect(await failureOf(getProject(client, id))).toMatchObject({
      name: "ApiError",
      code: "OPSMANAGER_API",
      status: 404,
      errorCode: "GROUP_NOT_FOUND",
      reason: "Not Found",
      detail: "No group.",
      parameters: [id, 10, { a: 1 }],
    });
  });

  test("in plain text is quoted in one line, with what a terminal would obey shown", async () => {
    const { client } = await start.server(
      always(400, "bad\n\u001b[31mgateway\u0007 request", { "content-type": "text/plain" }),
    );
    expect((await failureOf(getProject(client, id))).message).toBe(
      `Reading project ${id} failed: 400 bad \\u001b[31mgateway\\u0007 request.`,
    );
  });

  test("of a service that requires another authentication method reports it", async () => {
    const headers = { ...html, "www-authenticate": 'Basic realm="proxy"' };
    const { client } = await start.server(always(401, page, headers));
    const error = await failureOf(getProject(client, id));
    expect(error).toMatchObject({ code: "OPSMANAGER_API", status: 401 });
    expect(error.message).toContain("does not accept HTTP Digest with MD5 or SHA-256");
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
