import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import type { Sandbox } from "../../../sandbox";
import { routes } from "../../../sandbox/routes";
import { sandboxes } from "./with-sandbox";

// Any HTTP client must be able to use the sandbox. curl brings its own Digest, written by people who never saw ours.

const start = sandboxes();
const run = promisify(execFile);
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

interface Operation {
  /** As in the list of routes. */
  readonly route: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
}

interface Subject {
  readonly orgId: string;
  readonly projectId: string;
  readonly doomedId: string;
  readonly memberId: string;
  readonly outsiderId: string;
  readonly invitationId: string;
  readonly teamId: string;
  readonly otherTeamId: string;
  readonly agentKeyId: string;
  readonly apiKeyId: string;
  readonly leaverId: string;
  readonly orgInvitationId: string;
}

function fill(sandbox: Sandbox): Subject {
  const project = sandbox.addProject({ name: "payments & more" });
  sandbox.setMember(project.id, { username: "owner@example.com" }, ["GROUP_OWNER"]);
  return {
    orgId: sandbox.orgId,
    projectId: project.id,
    doomedId: sandbox.addProject({ name: "doomed" }).id,
    memberId: sandbox.setMember(project.id, { username: "member@example.com" }, ["GROUP_READ_ONLY"]).id,
    outsiderId: sandbox.addUser({ username: "outsider@example.com" }).id,
    invitationId: sandbox.addInvitation(project.id, {
      username: "new@example.com",
      roles: ["GROUP_READ_ONLY"],
    }).id,
    teamId: sandbox.addTeam({
      name: "team & co",
      userIds: [sandbox.addUser({ username: "first@example.com" }).id],
    }).id,
    otherTeamId: sandbox.addTeam({ name: "doomed" }).id,
    agentKeyId: sandbox.addAgentKey(project.id).id,
    apiKeyId: sandbox.addKey({ desc: "doomed", orgId: sandbox.orgId }).id,
    orgInvitationId: sandbox.addOrgInvitation(sandbox.orgId, {
      username: "newest@example.com",
      roles: ["ORG_MEMBER"],
    }).id,
    leaverId: sandbox.setOrgMember(sandbox.orgId, { username: "leaver@example.com" }, ["ORG_MEMBER"]).id,
  };
}

function orgInvitationOperations({ orgId, orgInvitationId }: Subject): Operation[] {
  const [all, one] = ["/orgs/{orgId}/invites", "/orgs/{orgId}/invites/{invitationId}"];
  const path = `/orgs/${orgId}/invites`;
  const body = { username: "made@example.com", roles: ["ORG_MEMBER"] };
  return [
    { route: `GET ${all}`, path, status: 200 },
    { route: `POST ${all}`, path, body, status: 201 },
    { route: `PATCH ${all}`, path, body, status: 200 },
    { route: `GET ${one}`, path: `${path}/${orgInvitationId}`, status: 200 },
    {
      route: `PATCH ${one}`,
      path: `${path}/${orgInvitationId}`,
      body: { roles: ["ORG_OWNER"] },
      status: 200,
    },
    { route: `DELETE ${one}`, path: `${path}/${orgInvitationId}`, status: 204 },
  ];
}

/** The IDs of events are not known here, so the requests for one event name an unknown one. */
function eventOperations({ orgId, projectId }: Subject): Operation[] {
  const unknown = "5f00000000000000000000e9";
  return [
    { route: "GET /groups/{groupId}/events", path: `/groups/${projectId}/events`, status: 200 },
    {
      route: "GET /groups/{groupId}/events/{eventId}",
      path: `/groups/${projectId}/events/${unknown}`,
      status: 404,
    },
    { route: "GET /orgs/{orgId}/events", path: `/orgs/${orgId}/events?includeRaw=true`, status: 200 },
    { route: "GET /orgs/{orgId}/events/{eventId}", path: `/orgs/${orgId}/events/${unknown}`, status: 404 },
  ];
}

/** Every operation once, in an order in which each finds what it needs. */
function operations(subject: Subject): Operation[] {
  const project = `/groups/${subject.projectId}`;
  const invitation = `${project}/invites/${subject.invitationId}`;
  const roles = ["GROUP_READ_ONLY"];
  const newName = { name: "made by curl", orgId: subject.orgId };
  const members = [{ id: subject.memberId, roles: [{ roleName: "GROUP_USER_ADMIN" }] }];
  const teams = `/orgs/${subject.orgId}/teams`;
  const team = `${teams}/${subject.teamId}`;
  const inProject = `${project}/teams/${subject.teamId}`;
  const ofTeam = "/orgs/{orgId}/teams/{teamId}";
  const teamOfProject = "/groups/{groupId}/teams/{teamId}";
  const apiKeys = `/orgs/${subject.orgId}/apiKeys`;
  const apiKey = `${apiKeys}/${subject.apiKeyId}`;
  const ofKey = "/orgs/{orgId}/apiKeys/{keyId}";
  const keyOfProject = "/groups/{groupId}/apiKeys/{keyId}";
  const newKey = { desc: "made by curl", roles: ["ORG_MEMBER"] };
  const address = "192.0.2.7";
  return [
    ...orgInvitationOperations(subject),
    ...eventOperations(subject),
    { route: "GET /", path: "", status: 200 },
    { route: "GET /groups", path: "/groups?itemsPerPage=1&pageNum=2", status: 200 },
    { route: "POST /groups", path: "/groups", body: newName, status: 201 },
    { route: "GET /groups/byName/{name}", path: "/groups/byName/payments%20%26%20more", status: 200 },
    { route: "GET /groups/{groupId}", path: project, status: 200 },
    { route: "PATCH /groups/{groupId}", path: project, body: { tags: ["BY-CURL"] }, status: 200 },
    { route: "DELETE /groups/{groupId}", path: `/groups/${subject.doomedId}`, status: 200 },
    { route: "GET /groups/{groupId}/teams", path: `${project}/teams`, status: 200 },
    { route: "GET /orgs/{orgId}/teams", path: teams, status: 200 },
    { route: "POST /orgs/{orgId}/teams", path: teams, body: { name: "made by curl" }, status: 200 },
    { route: "GET /orgs/{orgId}/teams/byName/{name}", path: `${teams}/byName/team%20%26%20co`, status: 200 },
    { route: `GET ${ofTeam}`, path: team, status: 200 },
    { route: `PATCH ${ofTeam}`, path: team, body: { name: "renamed" }, status: 200 },
    { route: `GET ${ofTeam}/users`, path: `${team}/users`, status: 200 },
    { route: `POST ${ofTeam}/users`, path: `${team}/users`, body: [{ id: subject.memberId }], status: 200 },
    {
      route: "POST /groups/{groupId}/teams",
      path: `${project}/teams`,
      body: [{ teamId: subject.teamId, roleNames: roles }],
      status: 200,
    },
    { route: `GET ${teamOfProject}`, path: inProject, status: 404 },
    { route: `PATCH ${teamOfProject}`, path: inProject, body: { roleNames: roles }, status: 200 },
    { route: `DELETE ${teamOfProject}`, path: inProject, status: 204 },
    {
      route: `DELETE ${ofTeam}/users/{userId}`,
      path: `${team}/users/${subject.memberId}`,
      status: 204,
    },
    { route: `DELETE ${ofTeam}`, path: `${teams}/${subject.otherTeamId}`, status: 204 },
    { route: "GET /groups/{groupId}/agentapikeys", path: `${project}/agentapikeys`, status: 200 },
    {
      route: "POST /groups/{groupId}/agentapikeys",
      path: `${project}/agentapikeys`,
      body: { desc: "made by curl" },
      status: 201,
    },
    {
      route: "DELETE /groups/{groupId}/agentapikeys/{keyId}",
      path: `${project}/agentapikeys/${subject.agentKeyId}`,
      status: 200,
    },
    { route: "GET /groups/{groupId}/users", path: `${project}/users?flattenTeams=true`, status: 200 },
    { route: "POST /groups/{groupId}/users", path: `${project}/users`, body: members, status: 200 },
    { route: "GET /users/byName/{username}", path: "/users/byName/member%40example.com", status: 200 },
    { route: "GET /users/{userId}", path: `/users/${subject.memberId}`, status: 200 },
    {
      route: "PATCH /users/{userId}",
      path: `/users/${subject.memberId}`,
      body: { firstName: "M" },
      status: 200,
    },
    {
      route: "DELETE /groups/{groupId}/users/{userId}",
      path: `${project}/users/${subject.memberId}`,
      status: 200,
    },
    {
      route: "GET /groups/{groupId}/invites",
      path: `${project}/invites?username=new%40example.com`,
      status: 200,
    },
    {
      route: "POST /groups/{groupId}/invites",
      path: `${project}/invites`,
      body: { username: "more@example.com", roles },
      status: 201,
    },
    {
      route: "PATCH /groups/{groupId}/invites",
      path: `${project}/invites`,
      body: { username: "new@example.com", roles },
      status: 200,
    },
    { route: "GET /groups/{groupId}/invites/{invitationId}", path: invitation, status: 200 },
    {
      route: "PATCH /groups/{groupId}/invites/{invitationId}",
      path: invitation,
      body: { roles },
      status: 200,
    },
    { route: "DELETE /groups/{groupId}/invites/{invitationId}", path: invitation, status: 204 },
    { route: "GET /orgs", path: "/orgs", status: 200 },
    { route: "GET /orgs/{orgId}", path: `/orgs/${subject.orgId}`, status: 200 },
    { route: "GET /orgs/{orgId}/groups", path: `/orgs/${subject.orgId}/groups?name=PAY`, status: 200 },
    { route: "GET /orgs/{orgId}/users", path: `/orgs/${subject.orgId}/users`, status: 200 },
    { route: "GET /orgs/{orgId}/apiKeys", path: apiKeys, status: 200 },
    { route: "POST /orgs/{orgId}/apiKeys", path: apiKeys, body: newKey, status: 200 },
    { route: `GET ${ofKey}`, path: apiKey, status: 200 },
    { route: `PATCH ${ofKey}`, path: apiKey, body: { desc: "changed by curl" }, status: 200 },
    ...["accessList", "whitelist"].flatMap((list): Operation[] => [
      {
        route: `POST ${ofKey}/${list}`,
        path: `${apiKey}/${list}`,
        body: [{ ipAddress: address }],
        status: 200,
      },
      { route: `GET ${ofKey}/${list}`, path: `${apiKey}/${list}`, status: 200 },
      { route: `GET ${ofKey}/${list}/{entry}`, path: `${apiKey}/${list}/${address}%2F32`, status: 200 },
      { route: `DELETE ${ofKey}/${list}/{entry}`, path: `${apiKey}/${list}/${address}`, status: 204 },
    ]),
    { route: "GET /groups/{groupId}/apiKeys", path: `${project}/apiKeys`, status: 200 },
    {
      route: "POST /groups/{groupId}/apiKeys",
      path: `${project}/apiKeys`,
      body: { desc: "made by curl", roles },
      status: 200,
    },
    {
      route: `PATCH ${keyOfProject}`,
      path: `${project}/apiKeys/${subject.apiKeyId}`,
      body: { roles },
      status: 200,
    },
    { route: `DELETE ${keyOfProject}`, path: `${project}/apiKeys/${subject.apiKeyId}`, status: 204 },
    { route: `DELETE ${ofKey}`, path: apiKey, status: 204 },
    {
      route: "PATCH /orgs/{orgId}",
      path: `/orgs/${subject.orgId}`,
      body: { name: "renamed by curl" },
      status: 200,
    },
    {
      route: "PUT /orgs/{orgId}/users/{userId}/roles",
      path: `/orgs/${subject.orgId}/users/${subject.leaverId}/roles`,
      body: { orgRoles: ["ORG_READ_ONLY"] },
      status: 200,
    },
    {
      route: "DELETE /orgs/{orgId}/users/{userId}",
      path: `/orgs/${subject.orgId}/users/${subject.leaverId}`,
      status: 204,
    },
  ];
}

async function curl(sandbox: Sandbox, { route, path, body }: Operation): Promise<number> {
  const url = `${sandbox.baseUrl}/api/public/v1.0${path}`;
  const key = `${sandbox.publicKey}:${sandbox.privateKey}`;
  const data =
    body === undefined ? [] : ["--header", "Content-Type: application/json", "--data", JSON.stringify(body)];
  const method = route.split(" ")[0] ?? "GET";
  const quiet = ["--silent", "--output", "/dev/null", "--write-out", "%{http_code}"];
  const { stdout } = await run("curl", [
    ...quiet,
    "--digest",
    "--user",
    key,
    "--request",
    method,
    ...data,
    url,
  ]);
  return Number(stdout);
}

const someId = "5f00000000000000000000a1";
const unknownSubject: Subject = {
  orgId: someId,
  projectId: someId,
  doomedId: someId,
  memberId: someId,
  outsiderId: someId,
  invitationId: someId,
  teamId: someId,
  otherTeamId: someId,
  agentKeyId: someId,
  apiKeyId: someId,
  leaverId: someId,
  orgInvitationId: someId,
};

test("the list of operations tried with curl is the complete list of operations", () => {
  const tried = operations(unknownSubject).map(({ route }) => route);
  expect(tried.sort()).toEqual(routes.map(({ method, pattern }) => `${method} ${pattern}`).sort());
});

const withCurl = hasCurl ? test : test.skip;

describe(hasCurl ? "curl --digest" : "curl --digest (skipped: there is no curl on PATH)", () => {
  withCurl.each(["qop", "op", "none"] as const)(
    "can call every operation when the challenge is %s",
    async (challenge) => {
      const sandbox = await start({ challenge, orgUserChanges: "offered" });
      const expected = [];
      const got = [];
      for (const operation of operations(fill(sandbox))) {
        expected.push(`${operation.status} ${operation.route}`);
        got.push(`${await curl(sandbox, operation)} ${operation.route}`);
      }
      expect(got).toEqual(expected);
      const forms = new Set(
        sandbox.requests.map(({ digest }) => digest?.form).filter((form) => form !== undefined),
      );
      expect([...forms]).toEqual([challenge === "qop" ? "qop" : "rfc2069"]);
    },
  );

  withCurl("is refused with a wrong private key", async () => {
    const sandbox = await start();
    const [operation] = operations(fill(sandbox));
    sandbox.changeKey(sandbox.publicKey, { privateKey: "rotated" });
    expect(operation && (await curl(sandbox, operation))).toBe(401);
    expect(sandbox.requests.map(({ refusal }) => refusal)).toEqual(["no-credentials", "wrong-response"]);
  });
});
