import type { SandboxOptions } from "../../../sandbox";
import { call, type SandboxResponse } from "./client";
import { sandboxes } from "./with-sandbox";

/** Invitations to an organization. The switches of invitations to projects are tested with those. */

const start = sandboxes();

const outcome = ({ status, json }: SandboxResponse): string =>
  [status, json?.errorCode].filter(Boolean).join(" ");

async function startWithTeam(options: SandboxOptions = {}) {
  const sandbox = await start(options);
  const { orgId } = sandbox;
  return {
    sandbox,
    orgId,
    team: sandbox.addTeam({ orgId, name: "platform" }),
    all: `/orgs/${orgId}/invites`,
  };
}

const body = { username: "ann@example.com", roles: ["ORG_MEMBER"] };

test("an invitation to an organization is sent, found, changed and accepted with its roles and teams", async () => {
  const { sandbox, orgId, team, all } = await startWithTeam();
  const { json: sent, status } = await call(sandbox, "POST", all, body);
  expect(status).toBe(201);
  expect(sent).toMatchObject({ ...body, orgId, orgName: "Example Org", teamIds: [] });
  expect(sent).not.toHaveProperty("groupId");
  expect((await call(sandbox, "GET", `${all}?username=ANN@example.com`)).json).toEqual([sent]);
  expect((await call(sandbox, "GET", `${all}?username=bob@example.com`)).json).toEqual([]);
  const one = `${all}/${sent.id}`;
  await call(sandbox, "PATCH", one, { roles: ["ORG_OWNER"], teamIds: [team.id] });
  expect((await call(sandbox, "GET", one)).json).toMatchObject({ roles: ["ORG_OWNER"], teamIds: [team.id] });
  const { json: byName } = await call(sandbox, "PATCH", all, { ...body, roles: ["ORG_READ_ONLY"] });
  expect(byName).toMatchObject({ id: sent.id, roles: ["ORG_READ_ONLY"], teamIds: [team.id] });

  const account = sandbox.acceptInvitation(sent.id);
  expect(account.roles).toEqual([{ orgId, roleName: "ORG_READ_ONLY" }]);
  expect(sandbox.state.teams).toMatchObject([{ userIds: [account.id] }]);
  expect(outcome(await call(sandbox, "GET", one))).toBe("404 INVALID_INVITATION_ID");
  expect(outcome(await call(sandbox, "POST", all, body))).toBe("400 DEFAULT_INVITATION_EXCEPTION");
});

test("an invitation to an organization expires after 30 days, and can be deleted before", async () => {
  const { sandbox, all } = await startWithTeam();
  const { json: deleted } = await call(sandbox, "POST", all, body);
  expect(outcome(await call(sandbox, "DELETE", `${all}/${deleted.id}`))).toBe("204");
  expect(outcome(await call(sandbox, "DELETE", `${all}/${deleted.id}`))).toBe("400 INVALID_INVITATION_ID");
  await call(sandbox, "POST", all, body);
  sandbox.advanceClock(29 * 86_400);
  expect((await call(sandbox, "GET", all)).json).toHaveLength(1);
  sandbox.advanceClock(86_400);
  expect((await call(sandbox, "GET", all)).json).toEqual([]);
});

test.each([
  [{ ...body, roles: ["GROUP_OWNER"] }, "400 ROLE_NEEDS_GROUP_ID"],
  [{ ...body, roles: ["GLOBAL_OWNER"] }, "403 CANNOT_ADD_GLOBAL_ROLE"],
  [{ roles: ["ORG_MEMBER"] }, "400 MISSING_ATTRIBUTE"],
  [{ ...body, username: "ann" }, "400 INVALID_USERNAME"],
  [{ ...body, teamIds: ["5f0000000000000000000fff"] }, "404 TEAM_NOT_FOUND"],
])("an invitation to an organization is refused with %j", async (sent, expected) => {
  const { sandbox, all } = await startWithTeam();
  expect(outcome(await call(sandbox, "POST", all, sent))).toBe(expected);
});

test("only owners of the organization invite to it, so many per minute", async () => {
  const { sandbox, orgId, all } = await startWithTeam({ invitationsPerMinute: 1 });
  const member = sandbox.addKey({ roles: [{ orgId, roleName: "ORG_MEMBER" }] });
  expect(outcome(await call(sandbox, "POST", all, body, member))).toBe("401 NOT_ORG_ADMIN");
  expect(outcome(await call(sandbox, "POST", all, body))).toBe("201");
  expect(outcome(await call(sandbox, "POST", all, body))).toBe("400 INVITATIONS_RATE_LIMITED_IP");
});

test("a bypassed invitation adds an account that exists at once, and invites other names", async () => {
  const { sandbox, orgId, team, all } = await startWithTeam();
  await call(sandbox, "POST", all, body);
  const { id } = sandbox.addUser({ username: "ann@example.com" });
  sandbox.setSwitches({ bypassInvitations: true });
  const response = await call(sandbox, "POST", all, { ...body, teamIds: [team.id] });
  expect(response).toMatchObject({ status: 201, json: {} });
  expect(sandbox.user({ id })?.roles).toEqual([{ orgId, roleName: "ORG_MEMBER" }]);
  expect(sandbox.state).toMatchObject({ teams: [{ userIds: [id] }], invitations: [] });
  const unknown = await call(sandbox, "POST", all, { ...body, username: "new@example.com" });
  expect(unknown.json).toMatchObject({ username: "new@example.com", orgId });
});
