/** The form of responses: headers, fields, lists, envelopes; and what is in the request log. */
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { apiPath, authorization, nonceOf, outcome, send } from "./client";
import { scenes } from "./scene";

const start = scenes();
const readOnly = ["GROUP_READ_ONLY"];

test("a response has the documented headers, and is one line or indented", async () => {
  const { ask } = await start();
  const { headers, text } = await ask("GET /groups");
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "application/json",
    "strict-transport-security": "max-age=300",
    vary: "Accept-Encoding",
    "x-mongodb-service-version": expect.stringMatching(
      /^gitHash=[0-9a-f]{40}; versionString=\d+\.\d+\.\d+\.\S+$/,
    ),
    date: expect.any(String),
  });
  expect(Number(headers.get("content-length"))).toBe(Buffer.byteLength(text));
  expect(text).not.toContain("\n");
  expect((await ask("GET /groups?pretty=true")).text).toContain('\n  "results"');
});

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

test("a path outside of the API is 404 without a challenge, and a body of another type 415", async () => {
  const { sandbox } = await start({ challenge: "none" });
  const response = await fetch(`${sandbox.baseUrl}/user/login`);
  expect([response.status, response.headers.get("www-authenticate")]).toEqual([404, null]);
  const parts = { ...sandbox, method: "POST", uri: apiPath("/groups"), nonce: await nonceOf(sandbox) };
  const headers = { Authorization: authorization(parts), "Content-Type": "text/plain" };
  expect((await send(sandbox, "POST", "/groups", headers, "{}")).status).toBe(415);
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
  expect(await enveloped("GET /groups/x")).toMatchObject({
    status: 404,
    content: { errorCode: "INVALID_GROUP_ID" },
  });
  expect(await enveloped("DELETE /groups/{project}/invites/{invitation}")).toEqual({
    status: 204,
    content: {},
  });
});

test("a 204 with {} is on the wire where that is chosen, and the connection continues", async () => {
  const { sandbox, ids } = await start({ deletionBody: "empty-object" });
  const uri = apiPath(`/groups/${ids.project}/invites/${ids.invitation}`);
  const nonce = await nonceOf(sandbox);
  const header = authorization({ ...sandbox, method: "DELETE", uri, nonce, nc: "00000001" });
  const { hostname, port } = new URL(sandbox.baseUrl);
  const socket = connect(Number(port), hostname);
  // Two requests over one connection, as their bytes stand: clients of Node's hide what is wrong with the first response.
  socket.write(`DELETE ${uri} HTTP/1.1\r\nHost: x\r\nAuthorization: ${header}\r\n\r\n`);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  expect(await text(socket)).toMatch(
    /^HTTP\/1\.1 204 [\s\S]*Content-Length: 2\r\n[\s\S]*\r\n\r\n\{\}HTTP\/1\.1 404 /,
  );
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

test("lists are filtered by the beginning of a name, and organizations by the whole name or its beginning", async () => {
  const { sandbox, ask } = await start({ orgNameFilter: "exact" });
  for (const name of ["Pay", "display"]) sandbox.addProject({ name });
  expect((await ask("GET /orgs/{org}/groups?name=PAY")).json.totalCount).toBe(2);
  for (const name of ["org1", "ORG1", "org123"]) sandbox.addOrg({ name });
  expect((await ask("GET /orgs?name=Org1")).json.totalCount).toBe(2);
  sandbox.setSwitches({ orgNameFilter: "prefix" });
  expect((await ask("GET /orgs?name=Org1")).json.totalCount).toBe(3);
});

test("a new project has the documented fields, and its owner is the oldest of the organization or the named one", async () => {
  const { ask, ids, sandbox } = await start({ ldap: true });
  const { json } = await ask("POST /groups", {
    name: "new",
    orgId: "{org}",
    withDefaultAlertsSettings: false,
  });
  const documented = [
    "id",
    "name",
    "orgId",
    "hostCounts",
    "activeAgentCount",
    "replicaSetCount",
    "agentApiKey",
  ];
  const others = ["shardCount", "publicApiEnabled", "tags", "ldapGroupMappings", "links"];
  expect(Object.keys(json).sort()).toEqual([...documented, ...others].sort());
  expect((await ask("GET /groups/{last}/users")).json.results).toMatchObject([{ id: ids.owner }]);
  await ask("POST /groups?projectOwnerId={bob}", { name: "newer", orgId: "{org}" });
  expect((await ask("GET /groups/{last}/users")).json.results).toMatchObject([{ id: ids.bob }]);
  await ask("POST /groups", { name: "Foreign" });
  expect(sandbox.state.orgs.map(({ name }) => name)).toEqual(["Example Org", "Foreign", "Foreign"]);
});

test("a project that is deleted takes the roles of its people and its invitations along", async () => {
  const { sandbox, ids, play } = await start();
  await play([["DELETE /groups/{project}", "200"]]);
  expect(sandbox.state.invitations.map(({ id }) => id)).toEqual([ids.orgInvitation]);
  expect(sandbox.user({ id: ids.member ?? "" })?.roles).toEqual([{ orgId: ids.org, roleName: "ORG_MEMBER" }]);
});

test("without LDAP no response has mappings, and without a mobile number no account has one", async () => {
  const { sandbox, ask, ids } = await start();
  const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=a"] }];
  sandbox.changeProject(ids.project ?? "", { ldapGroupMappings });
  expect((await ask("GET /groups/{project}")).json).not.toHaveProperty("ldapGroupMappings");
  expect((await ask("GET /users/{ann}")).json).not.toHaveProperty("mobileNumber");
  sandbox.changeUser(ids.ann ?? "", { mobileNumber: "+353 1 5550100" });
  expect((await ask("GET /users/{ann}")).json.mobileNumber).toBe("+353 1 5550100");
});

test("people of a project have all their roles; those of the organization show on request alone", async () => {
  const { ask, ids } = await start();
  const { results } = (await ask("GET /groups/{project}/users")).json;
  expect(results[0].roles).toContainEqual({ orgId: ids.org, roleName: "ORG_OWNER" });
  expect((await ask("GET /groups/{other}/users")).json.totalCount).toBe(0);
  const { json } = await ask("GET /groups/{other}/users?includeOrgUsers=true");
  expect(json.results).toMatchObject([{ id: ids.owner }]);
});

test("POST users replaces the roles of a member, and invites other accounts", async () => {
  const { sandbox, ids, ask, play } = await start({ bypassInvitations: false });
  const as = (roleName: string, id: string) => ({ id, roles: [{ roleName }] });
  const users = "POST /groups/{project}/users";
  await play([[users, [as("GROUP_BACKUP_ADMIN", "{member}"), as("GROUP_BACKUP_ADMIN", "{ann}")], "200"]]);
  const { results } = (await ask("GET /groups/{project}/users")).json;
  expect(results[1].roles.at(-1)).toMatchObject({ roleName: "GROUP_BACKUP_ADMIN" });
  expect(results).toHaveLength(2);
  expect((await ask("GET /groups/{project}/invites")).json).toMatchObject([
    {},
    { username: "ann@example.com" },
  ]);
  // One request may exchange two owners, but not demote both.
  const demoted = as("GROUP_READ_ONLY", "{owner}");
  await play([[users, [demoted, as("GROUP_OWNER", "{member}")], "200"]]);
  sandbox.setMember(ids.project ?? "", { id: ids.owner ?? "" }, ["GROUP_OWNER"]);
  await play([[users, [demoted, as("GROUP_READ_ONLY", "{member}")], "403 CANNOT_DEMOTE_LAST_OWNER"]]);
});

test("an invitation has the documented fields, and the name that its project has now", async () => {
  const { sandbox, ask, ids } = await start();
  const { json, status } = await ask("POST /groups/{project}/invites", {
    username: "n@example.com",
    roles: readOnly,
  });
  const times = ["createdAt", "expiresAt"];
  const fields = ["id", "groupId", "groupName", "inviterUsername", "roles", "username", "teamIds"];
  expect(status).toBe(201);
  expect(Object.keys(json).sort()).toEqual([...fields, ...times].sort());
  expect(json).toMatchObject({
    groupId: ids.project,
    groupName: "payments",
    inviterUsername: sandbox.publicKey,
  });
  expect(json.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  sandbox.changeProject(ids.project ?? "", { name: "renamed" });
  expect((await ask("GET /groups/{project}/invites/{last}")).json.groupName).toBe("renamed");
  const named = "GET /groups/{project}/invites?username=N%40example.com";
  expect((await ask(named)).json).toMatchObject([{ username: "n@example.com" }]);
});

test("an invitation to an organization has its name, and gives roles and teams when it is accepted", async () => {
  const { sandbox, ask, ids } = await start();
  const { json } = await ask("PATCH /orgs/{org}/invites/{orgInvitation}", {
    roles: ["ORG_OWNER"],
    teamIds: ["{team}"],
  });
  expect(json).toMatchObject({ orgId: ids.org, orgName: "Example Org", teamIds: [ids.team] });
  expect(json).not.toHaveProperty("groupId");
  const { id, roles } = sandbox.acceptInvitation(json.id);
  expect(roles).toEqual([{ orgId: ids.org, roleName: "ORG_OWNER" }]);
  expect(sandbox.state.teams).toMatchObject([{ userIds: [ids.ann, id] }]);
  expect(outcome(await ask("GET /orgs/{org}/invites/{orgInvitation}"))).toBe("404 INVALID_INVITATION_ID");
});

test("the project's own id, orgId and agentApiKey in PATCH change nothing, as an official client sends them", async () => {
  const { sandbox, ids, play } = await start();
  const { agentApiKey } = sandbox.project(ids.project ?? "") ?? {};
  const body = { id: "{project}", orgId: "{org}", name: "b", tags: ["A"], agentApiKey: "another" };
  await play([["PATCH /groups/{project}", body, "200"]]);
  expect(sandbox.project(ids.project ?? "")).toMatchObject({
    name: "b",
    tags: ["A"],
    orgId: ids.org,
    agentApiKey,
  });
});

test("a request that is waiting does not keep the sandbox from closing", async () => {
  const { sandbox } = await start();
  sandbox.addFault({ meets: "all", fault: { delayMs: 600_000 } });
  const waiting = send(sandbox, "GET", "/groups").catch(() => "cut");
  // The rule is used up when the request has arrived and begun to wait.
  while (sandbox.faults.length > 0) await new Promise((resolve) => setImmediate(resolve));
  await sandbox.close();
  expect(await waiting).toBe("cut");
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
