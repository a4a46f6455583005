/** Any HTTP client must be able to use the sandbox. curl has its own Digest, written by people who never saw ours. */
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { routes } from "../../../sandbox/routes";
import { apiPath } from "./client";
import { type Scene, scenes } from "./scene";

const start = scenes();
const run = promisify(execFile);
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

interface Operation {
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
}

const roles = ["GROUP_READ_ONLY"];
const orgRoles = ["ORG_MEMBER"];
const newKey = { desc: "made by curl", roles: orgRoles };

const listOf = (list: string): [string, Operation][] => {
  const path = `/orgs/{org}/apiKeys/{apiKey}/${list}`;
  const route = `/orgs/{orgId}/apiKeys/{keyId}/${list}`;
  return [
    [`POST ${route}`, { path, body: [{ ipAddress: "192.0.2.7" }], status: 200 }],
    [`GET ${route}`, { path, status: 200 }],
    [`GET ${route}/{entry}`, { path: `${path}/192.0.2.7%2F32`, status: 200 }],
    [`DELETE ${route}/{entry}`, { path: `${path}/192.0.2.7`, status: 204 }],
  ];
};

/** Every operation once, in an order in which each finds what it needs. */
const operations: Readonly<Record<string, Operation>> = {
  "GET /": { path: "", status: 200 },
  "GET /orgs": { path: "/orgs", status: 200 },
  "GET /orgs/{orgId}": { path: "/orgs/{org}", status: 200 },
  "POST /orgs": { path: "/orgs", body: { name: "made by curl" }, status: 200 },
  "DELETE /orgs/{orgId}": { path: "/orgs/{org}", status: 409 },
  "GET /orgs/{orgId}/groups": { path: "/orgs/{org}/groups?name=PAY", status: 200 },
  "GET /orgs/{orgId}/users": { path: "/orgs/{org}/users", status: 200 },
  "PATCH /orgs/{orgId}": { path: "/orgs/{org}", body: { name: "renamed by curl" }, status: 200 },
  "GET /orgs/{orgId}/events": { path: "/orgs/{org}/events?includeRaw=true", status: 200 },
  "GET /orgs/{orgId}/events/{eventId}": { path: "/orgs/{org}/events/{nobody}", status: 404 },
  "GET /groups": { path: "/groups?itemsPerPage=1&pageNum=2", status: 200 },
  "POST /groups": { path: "/groups", body: { name: "made by curl & more", orgId: "{org}" }, status: 201 },
  "GET /groups/byName/{name}": { path: "/groups/byName/made%20by%20curl%20%26%20more", status: 200 },
  "GET /groups/{groupId}": { path: "/groups/{project}", status: 200 },
  "GET /groups/byAgentApiKey/{agentApiKey}": { path: "/groups/byAgentApiKey/unknown", status: 401 },
  "GET /groups/{groupId}/backupConfigs": { path: "/groups/{project}/backupConfigs", status: 200 },
  "PATCH /groups/{groupId}": { path: "/groups/{project}", body: { tags: ["BY-CURL"] }, status: 200 },
  "DELETE /groups/{groupId}": { path: "/groups/{other}", status: 200 },
  "GET /groups/{groupId}/events": { path: "/groups/{project}/events", status: 200 },
  "GET /groups/{groupId}/events/{eventId}": { path: "/groups/{project}/events/{nobody}", status: 404 },

  "GET /orgs/{orgId}/teams": { path: "/orgs/{org}/teams", status: 200 },
  "POST /orgs/{orgId}/teams": { path: "/orgs/{org}/teams", body: { name: "team & co" }, status: 200 },
  "GET /orgs/{orgId}/teams/byName/{name}": { path: "/orgs/{org}/teams/byName/team%20%26%20co", status: 200 },
  "GET /orgs/{orgId}/teams/{teamId}": { path: "/orgs/{org}/teams/{team}", status: 200 },
  "PATCH /orgs/{orgId}/teams/{teamId}": {
    path: "/orgs/{org}/teams/{team}",
    body: { name: "renamed" },
    status: 200,
  },
  "GET /orgs/{orgId}/teams/{teamId}/users": { path: "/orgs/{org}/teams/{team}/users", status: 200 },
  "POST /orgs/{orgId}/teams/{teamId}/users": {
    path: "/orgs/{org}/teams/{team}/users",
    body: [{ id: "{bob}" }],
    status: 200,
  },
  "DELETE /orgs/{orgId}/teams/{teamId}/users/{userId}": {
    path: "/orgs/{org}/teams/{team}/users/{bob}",
    status: 204,
  },
  "GET /groups/{groupId}/teams": { path: "/groups/{project}/teams", status: 200 },
  "POST /groups/{groupId}/teams": {
    path: "/groups/{project}/teams",
    body: [{ teamId: "{team}", roleNames: roles }],
    status: 200,
  },
  "GET /groups/{groupId}/teams/{teamId}": { path: "/groups/{project}/teams/{team}", status: 404 },
  "PATCH /groups/{groupId}/teams/{teamId}": {
    path: "/groups/{project}/teams/{team}",
    body: { roleNames: roles },
    status: 200,
  },
  "DELETE /groups/{groupId}/teams/{teamId}": { path: "/groups/{project}/teams/{team}", status: 204 },
  "DELETE /orgs/{orgId}/teams/{teamId}": { path: "/orgs/{org}/teams/{team}", status: 204 },

  "GET /groups/{groupId}/agentapikeys": { path: "/groups/{project}/agentapikeys", status: 200 },
  "POST /groups/{groupId}/agentapikeys": {
    path: "/groups/{project}/agentapikeys",
    body: { desc: "made by curl" },
    status: 201,
  },
  "DELETE /groups/{groupId}/agentapikeys/{keyId}": {
    path: "/groups/{project}/agentapikeys/{agentKey}",
    status: 200,
  },
  "GET /orgs/{orgId}/apiKeys": { path: "/orgs/{org}/apiKeys", status: 200 },
  "POST /orgs/{orgId}/apiKeys": { path: "/orgs/{org}/apiKeys", body: newKey, status: 200 },
  "GET /orgs/{orgId}/apiKeys/{keyId}": { path: "/orgs/{org}/apiKeys/{apiKey}", status: 200 },
  "PATCH /orgs/{orgId}/apiKeys/{keyId}": {
    path: "/orgs/{org}/apiKeys/{apiKey}",
    body: { desc: "changed by curl" },
    status: 200,
  },
  ...Object.fromEntries(["accessList", "whitelist"].flatMap(listOf)),
  "GET /groups/{groupId}/apiKeys": { path: "/groups/{project}/apiKeys", status: 200 },
  "POST /groups/{groupId}/apiKeys": {
    path: "/groups/{project}/apiKeys",
    body: { ...newKey, roles },
    status: 200,
  },
  "PATCH /groups/{groupId}/apiKeys/{keyId}": {
    path: "/groups/{project}/apiKeys/{apiKey}",
    body: { roles },
    status: 200,
  },
  "DELETE /groups/{groupId}/apiKeys/{keyId}": { path: "/groups/{project}/apiKeys/{apiKey}", status: 204 },
  "DELETE /orgs/{orgId}/apiKeys/{keyId}": { path: "/orgs/{org}/apiKeys/{apiKey}", status: 204 },

  "GET /groups/{groupId}/users": { path: "/groups/{project}/users?flattenTeams=true", status: 200 },
  "POST /groups/{groupId}/users": {
    path: "/groups/{project}/users",
    body: [{ id: "{member}", roles: [{ roleName: "GROUP_USER_ADMIN" }] }],
    status: 200,
  },
  "GET /users/byName/{username}": { path: "/users/byName/member%40example.com", status: 200 },
  "GET /users/{userId}": { path: "/users/{member}", status: 200 },
  "PATCH /users/{userId}": { path: "/users/{member}", body: { firstName: "M" }, status: 200 },
  "DELETE /groups/{groupId}/users/{userId}": { path: "/groups/{project}/users/{member}", status: 200 },
  "PUT /orgs/{orgId}/users/{userId}/roles": {
    path: "/orgs/{org}/users/{ann}/roles",
    body: { orgRoles: ["ORG_READ_ONLY"] },
    status: 200,
  },
  "DELETE /orgs/{orgId}/users/{userId}": { path: "/orgs/{org}/users/{ann}", status: 204 },
  "GET /groups/{groupId}/invites": {
    path: "/groups/{project}/invites?username=new%40example.com",
    status: 200,
  },
  "POST /groups/{groupId}/invites": {
    path: "/groups/{project}/invites",
    body: { username: "more@example.com", roles },
    status: 201,
  },
  "PATCH /groups/{groupId}/invites": {
    path: "/groups/{project}/invites",
    body: { username: "new@example.com", roles },
    status: 200,
  },
  "GET /groups/{groupId}/invites/{invitationId}": {
    path: "/groups/{project}/invites/{invitation}",
    status: 200,
  },
  "PATCH /groups/{groupId}/invites/{invitationId}": {
    path: "/groups/{project}/invites/{invitation}",
    body: { roles },
    status: 200,
  },
  "DELETE /groups/{groupId}/invites/{invitationId}": {
    path: "/groups/{project}/invites/{invitation}",
    status: 204,
  },
  "POST /users": {
    path: "/users",
    body: { username: "nina@example.com", password: "Abcd1234!", firstName: "Nina", lastName: "Example" },
    status: 201,
  },
  "DELETE /users/{userId}": { path: "/users/{outsider}", status: 200 },
  "GET /orgs/{orgId}/invites": { path: "/orgs/{org}/invites", status: 200 },
  "POST /orgs/{orgId}/invites": {
    path: "/orgs/{org}/invites",
    body: { username: "made@example.com", roles: orgRoles },
    status: 201,
  },
  "PATCH /orgs/{orgId}/invites": {
    path: "/orgs/{org}/invites",
    body: { username: "made@example.com", roles: orgRoles },
    status: 200,
  },
  "GET /orgs/{orgId}/invites/{invitationId}": { path: "/orgs/{org}/invites/{orgInvitation}", status: 200 },
  "PATCH /orgs/{orgId}/invites/{invitationId}": {
    path: "/orgs/{org}/invites/{orgInvitation}",
    body: { roles: ["ORG_OWNER"] },
    status: 200,
  },
  "DELETE /orgs/{orgId}/invites/{invitationId}": { path: "/orgs/{org}/invites/{orgInvitation}", status: 204 },
};

async function curl({ sandbox, ids }: Scene, route: string, { path, body }: Operation): Promise<number> {
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (word, name: string) => ids[name] ?? word);
  const json = ["--header", "Content-Type: application/json"];
  const data = body === undefined ? [] : [...json, "--data", filled(JSON.stringify(body))];
  const quiet = ["--silent", "--output", "/dev/null", "--write-out", "%{http_code}"];
  const user = ["--digest", "--user", `${sandbox.publicKey}:${sandbox.privateKey}`];
  const method = ["--request", route.split(" ")[0] ?? ""];
  const url = `${sandbox.baseUrl}${apiPath(filled(path))}`;
  return Number((await run("curl", [...quiet, ...user, ...method, ...data, url])).stdout);
}

test("the list of operations tried with curl is the complete list of operations", () => {
  const all = routes.map(({ method, pattern }) => `${method} ${pattern}`);
  expect(Object.keys(operations).sort()).toEqual(all.sort());
});

const withCurl = hasCurl ? test : test.skip;

describe(hasCurl ? "curl --digest" : "curl --digest (skipped: there is no curl on PATH)", () => {
  withCurl("can call every operation", async () => {
    const scene = await start({ orgUserChanges: "offered" });
    const got: Record<string, number> = {};
    for (const [route, one] of Object.entries(operations)) got[route] = await curl(scene, route, one);
    const expected = Object.entries(operations).map(([route, { status }]) => [route, status]);
    expect(got).toEqual(Object.fromEntries(expected));
  });

  withCurl.each([
    ["qop", "qop"],
    ["op", "rfc2069"],
    ["none", "rfc2069"],
  ] as const)("answers the challenge %s in the form %s", async (challenge, form) => {
    const scene = await start({ challenge });
    expect(await curl(scene, "GET /groups", { path: "/groups", status: 200 })).toBe(200);
    expect(scene.sandbox.requests.at(-1)?.digest?.form).toBe(form);
  });
});
