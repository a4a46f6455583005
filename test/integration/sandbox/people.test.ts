import type { Sandbox } from "../../../sandbox";
import { call, type SandboxResponse } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();

const outcome = ({ status, json }: SandboxResponse): string =>
  [status, json?.errorCode].filter(Boolean).join(" ");
const readOnly = ["GROUP_READ_ONLY"];
const someId = "5f00000000000000000000a1";
const day = 86_400;

/** A project with the owner in it. */
function projectOf(sandbox: Sandbox): string {
  const { id } = sandbox.addProject({ name: "payments" });
  sandbox.setMember(id, { username: "owner@example.com" }, ["GROUP_OWNER"]);
  return id;
}

const namesIn = async (sandbox: Sandbox, path: string): Promise<string[]> => {
  const { json } = await call(sandbox, "GET", path);
  return (json.results ?? json).map((row: { username: string }) => row.username);
};

const roleBody = (id: string, ...roleNames: string[]) => ({
  id,
  roles: roleNames.map((roleName) => ({ roleName })),
});

describe("the users of a project", () => {
  test("carry all their roles everywhere; team and organization users show only when requested", async () => {
    const sandbox = await start();
    const id = projectOf(sandbox);
    const teammate = sandbox.addUser({ username: "team@example.com" });
    const team = sandbox.addTeam({ name: "platform", userIds: [teammate.id] });
    sandbox.setProjectTeam(id, { teamId: team.id, roleNames: readOnly });
    sandbox.addUser({
      username: "boss@example.com",
      roles: [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }],
    });
    expect(await namesIn(sandbox, `/groups/${id}/users`)).toEqual(["owner@example.com"]);
    expect(await namesIn(sandbox, `/groups/${id}/users?flattenTeams=true`)).toContain("team@example.com");
    expect(await namesIn(sandbox, `/groups/${id}/users?includeOrgUsers=true`)).toContain("boss@example.com");
    const { json } = await call(sandbox, "GET", `/groups/${id}/teams`);
    expect(json.results).toMatchObject([{ teamId: team.id, roleNames: readOnly }]);
    const [owner] = (await call(sandbox, "GET", `/groups/${id}/users`)).json.results;
    expect(owner.roles).toContainEqual({ orgId: sandbox.orgId, roleName: "ORG_OWNER" });
    expect((await call(sandbox, "GET", `/users/${teammate.id}`)).json.teamIds).toEqual([team.id]);
    expect(outcome(await call(sandbox, "DELETE", `/groups/${id}/users/${teammate.id}`))).toBe(
      "404 USER_NOT_IN_GROUP",
    );
  });

  test("POST overwrites a member's roles and invites any other user", async () => {
    const sandbox = await start();
    const id = projectOf(sandbox);
    const member = sandbox.setMember(id, { username: "m@example.com" }, [
      "GROUP_USER_ADMIN",
      "GROUP_READ_ONLY",
    ]);
    const outsider = sandbox.addUser({ username: "n@example.com" });
    const body = [roleBody(member.id, "GROUP_BACKUP_ADMIN"), roleBody(outsider.id, "GROUP_READ_ONLY")];
    expect((await call(sandbox, "POST", `/groups/${id}/users`, body)).status).toBe(200);
    expect(sandbox.user(member)?.roles).toContainEqual({ groupId: id, roleName: "GROUP_BACKUP_ADMIN" });
    expect(sandbox.user(member)?.roles).toHaveLength(2);
    expect(await namesIn(sandbox, `/groups/${id}/users`)).not.toContain("n@example.com");
    expect(await namesIn(sandbox, `/groups/${id}/invites`)).toEqual(["n@example.com"]);
  });

  test("POST adds an account at once when invitations are bypassed, and its pending invitation no longer exists", async () => {
    const sandbox = await start({ bypassInvitations: true });
    const id = projectOf(sandbox);
    const outsider = sandbox.addUser({ username: "n@example.com" });
    sandbox.addInvitation(id, { username: "N@example.com", roles: readOnly });
    await call(sandbox, "POST", `/groups/${id}/users`, [roleBody(outsider.id, "GROUP_READ_ONLY")]);
    expect(await namesIn(sandbox, `/groups/${id}/users`)).toContain("n@example.com");
    expect(await namesIn(sandbox, `/groups/${id}/invites`)).toEqual([]);
  });

  test.each([
    ["no list", {}, "400 INVALID_JSON"],
    ["no roles", [roleBody("ID")], "400 INVALID_GROUP_ROLE_UPDATE"],
    ["a global role", [roleBody("ID", "GLOBAL_OWNER")], "403 CANNOT_ADD_GLOBAL_ROLE"],
    ["an unknown role", [roleBody("ID", "GROUP_KING")], "400 INVALID_ENUM_VALUE"],
    ["an unknown user", [roleBody(someId, "GROUP_OWNER")], "404 USER_NOT_FOUND"],
    ["a malformed user id", [roleBody("x", "GROUP_OWNER")], "404 INVALID_USER_ID"],
    ["the last owner's demotion", [roleBody("OWNER", "GROUP_READ_ONLY")], "403 CANNOT_DEMOTE_LAST_OWNER"],
  ])("POST with %s is refused and changes no user", async (_, body, expected) => {
    const sandbox = await start();
    const id = projectOf(sandbox);
    const owner = sandbox.user({ username: "owner@example.com" })?.id ?? "";
    const member = sandbox.setMember(id, { username: "m@example.com" }, readOnly);
    const before = JSON.stringify(sandbox.state);
    const named = JSON.stringify(body).replace('"ID"', `"${member.id}"`).replace('"OWNER"', `"${owner}"`);
    expect(outcome(await call(sandbox, "POST", `/groups/${id}/users`, named))).toBe(expected);
    expect(JSON.stringify(sandbox.state)).toBe(before);
  });

  test("two owners may not be demoted in one request, but may exchange roles", async () => {
    const sandbox = await start();
    const id = projectOf(sandbox);
    const [first] = (await call(sandbox, "GET", `/groups/${id}/users`)).json.results;
    const second = sandbox.setMember(id, { username: "m@example.com" }, ["GROUP_OWNER"]);
    const both = [roleBody(first.id, "GROUP_READ_ONLY"), roleBody(second.id, "GROUP_READ_ONLY")];
    expect(outcome(await call(sandbox, "POST", `/groups/${id}/users`, both))).toBe(
      "403 CANNOT_DEMOTE_LAST_OWNER",
    );
    const swap = [roleBody(first.id, "GROUP_READ_ONLY"), roleBody(second.id, "GROUP_OWNER")];
    expect(outcome(await call(sandbox, "POST", `/groups/${id}/users`, swap))).toBe("200");
  });

  test.each([
    ["200", "none", ""],
    ["202", "none", ""],
    ["204", "none", ""],
    ["200", "empty-object", "{}"],
    ["202", "empty-object", "{}"],
  ] as const)(
    "DELETE returns %s with the body: %s; the person stays in the organization",
    async (deleteUserStatus, deletionBody, text) => {
      const sandbox = await start({ deleteUserStatus, deletionBody });
      const id = projectOf(sandbox);
      const member = sandbox.setMember(id, { username: "m@example.com" }, readOnly);
      const path = `/groups/${id}/users/${member.id}`;
      const response = await call(sandbox, "DELETE", path);
      expect([response.status, response.text]).toEqual([Number(deleteUserStatus), text]);
      expect(outcome(await call(sandbox, "DELETE", path))).toBe("404 USER_NOT_IN_GROUP");
      expect(await namesIn(sandbox, `/orgs/${sandbox.orgId}/users`)).toContain("m@example.com");
    },
  );

  test("DELETE refuses the last owner, an unknown and a malformed id", async () => {
    const sandbox = await start();
    const id = projectOf(sandbox);
    const owner = sandbox.user({ username: "owner@example.com" })?.id;
    const remove = async (user: string | undefined) =>
      outcome(await call(sandbox, "DELETE", `/groups/${id}/users/${user}`));
    expect(await remove(owner)).toBe("403 CANNOT_DELETE_LAST_OWNER");
    expect(await remove(someId)).toBe("404 USER_NOT_FOUND");
    expect(await remove("x")).toBe("404 INVALID_USER_ID");
  });
});

describe("accounts", () => {
  test("are found by id and by name without regard to case", async () => {
    const sandbox = await start();
    const { id } = sandbox.addUser({ username: "Some.One@example.com" });
    expect((await call(sandbox, "GET", "/users/byName/some.one%40example.com")).json.id).toBe(id);
    expect(outcome(await call(sandbox, "GET", "/users/byName/x"))).toBe("404 USERNAME_NOT_FOUND");
    expect(outcome(await call(sandbox, "GET", `/users/${someId}`))).toBe("404 USER_NOT_FOUND");
  });

  test.each([
    ["replace", ["ORG_MEMBER", "GROUP_BACKUP_ADMIN"]],
    ["merge", ["ORG_MEMBER", "GROUP_READ_ONLY", "GROUP_BACKUP_ADMIN"]],
  ] as const)("PATCH with roles can %s them", async (patchUserRoles, expected) => {
    const sandbox = await start({ patchUserRoles });
    const id = projectOf(sandbox);
    const member = sandbox.setMember(id, { username: "m@example.com" }, readOnly);
    const roles = [
      { groupId: id, roleName: "GROUP_BACKUP_ADMIN" },
      { orgId: sandbox.orgId, roleName: "ORG_MEMBER" },
    ];
    const { json } = await call(sandbox, "PATCH", `/users/${member.id}`, { roles, lastName: "Changed" });
    expect(json.roles.map(({ roleName }: { roleName: string }) => roleName)).toEqual(expected);
    expect(json.lastName).toBe("Changed");
  });

  test("PATCH invites to a new project, refuses global roles and keeps the last owner", async () => {
    const sandbox = await start();
    const id = projectOf(sandbox);
    const other = sandbox.addProject({ name: "other" }).id;
    const owner = sandbox.user({ username: "owner@example.com" });
    const change = (roles: unknown) => call(sandbox, "PATCH", `/users/${owner?.id}`, { roles });
    expect(outcome(await change([]))).toBe("403 CANNOT_DEMOTE_LAST_OWNER");
    expect(outcome(await change([...(owner?.roles ?? []), { roleName: "GLOBAL_OWNER" }]))).toBe(
      "403 CANNOT_ADD_GLOBAL_ROLE",
    );
    await change([...(owner?.roles ?? []), { groupId: other, roleName: "GROUP_READ_ONLY" }]);
    expect(await namesIn(sandbox, `/groups/${other}/invites`)).toEqual(["owner@example.com"]);
    expect(sandbox.user({ username: "owner@example.com" })?.roles).toContainEqual({
      groupId: id,
      roleName: "GROUP_OWNER",
    });
  });
});

describe("invitations", () => {
  const invite = (
    sandbox: Sandbox,
    id: string,
    body: Record<string, unknown> = {},
  ): Promise<SandboxResponse> =>
    call(sandbox, "POST", `/groups/${id}/invites`, { username: "n@example.com", roles: readOnly, ...body });

  test("have all documented fields and thirty days to live", async () => {
    const sandbox = await start();
    const id = projectOf(sandbox);
    const { status, json } = await invite(sandbox, id);
    expect(status).toBe(201);
    const fields = [
      "id",
      "groupId",
      "groupName",
      "createdAt",
      "expiresAt",
      "inviterUsername",
      "roles",
      "username",
    ];
    expect(Object.keys(json).sort()).toEqual([...fields, "teamIds"].sort());
    expect(json).toMatchObject({ groupId: id, groupName: "payments", inviterUsername: sandbox.publicKey });
    expect(Date.parse(json.expiresAt) - Date.parse(json.createdAt)).toBe(30 * day * 1000);
    expect(json.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    sandbox.changeProject(id, { name: "renamed" });
    expect((await call(sandbox, "GET", `/groups/${id}/invites/${json.id}`)).json.groupName).toBe("renamed");
  });

  test("are listed as a bare array, filtered by username", async () => {
    const sandbox = await start();
    const id = projectOf(sandbox);
    expect((await call(sandbox, "GET", `/groups/${id}/invites`)).json).toEqual([]);
    await invite(sandbox, id);
    await invite(sandbox, id, { username: "o@example.com" });
    expect(await namesIn(sandbox, `/groups/${id}/invites`)).toEqual(["n@example.com", "o@example.com"]);
    expect(await namesIn(sandbox, `/groups/${id}/invites?username=O%40example.com`)).toEqual([
      "o@example.com",
    ]);
  });

  test("can have their roles replaced, by id and by username", async () => {
    const sandbox = await start();
    const id = projectOf(sandbox);
    const { json } = await invite(sandbox, id);
    const path = `/groups/${id}/invites`;
    expect(
      (await call(sandbox, "PATCH", `${path}/${json.id}`, { roles: ["GROUP_OWNER"] })).json.roles,
    ).toEqual(["GROUP_OWNER"]);
    const byName = { username: "n@example.com", roles: ["GROUP_BACKUP_ADMIN"] };
    expect((await call(sandbox, "PATCH", path, byName)).json).toMatchObject({
      id: json.id,
      roles: ["GROUP_BACKUP_ADMIN"],
    });
    expect(outcome(await call(sandbox, "PATCH", path, { ...byName, username: "x@example.com" }))).toBe(
      "404 INVALID_INVITATION_ID",
    );
  });

  test.each(["accepted", "expired", "deleted", "unknown"])(
    "that are %s no longer exist for GET, PATCH and DELETE",
    async (how) => {
      const sandbox = await start();
      const id = projectOf(sandbox);
      const { json } = await invite(sandbox, id);
      if (how === "accepted") sandbox.acceptInvitation(json.id);
      if (how === "expired") sandbox.advanceClock(30 * day);
      if (how === "deleted") await call(sandbox, "DELETE", `/groups/${id}/invites/${json.id}`);
      const path = `/groups/${id}/invites/${how === "unknown" ? someId : json.id}`;
      expect(outcome(await call(sandbox, "GET", path))).toBe("404 INVALID_INVITATION_ID");
      expect(outcome(await call(sandbox, "PATCH", path, { roles: readOnly }))).toBe(
        "404 INVALID_INVITATION_ID",
      );
      expect(outcome(await call(sandbox, "DELETE", path))).toBe("400 INVALID_INVITATION_ID");
      sandbox.setSwitches({ deleteGoneInvitation: "404" });
      expect(outcome(await call(sandbox, "DELETE", path))).toBe("404 INVALID_INVITATION_ID");
    },
  );

  test("that are expired may still be shown by GET, but are in no list", async () => {
    const sandbox = await start({ expiredInvitation: "shown" });
    const id = projectOf(sandbox);
    const { json } = await invite(sandbox, id);
    sandbox.expireInvitation(json.id);
    expect(outcome(await call(sandbox, "GET", `/groups/${id}/invites/${json.id}`))).toBe("200");
    expect(await namesIn(sandbox, `/groups/${id}/invites`)).toEqual([]);
  });

  test("once accepted make the person a member with the invitation's roles", async () => {
    const sandbox = await start();
    const id = projectOf(sandbox);
    const { json } = await invite(sandbox, id, { roles: ["GROUP_BACKUP_ADMIN"] });
    const account = sandbox.acceptInvitation(json.id);
    expect(await namesIn(sandbox, `/groups/${id}/users`)).toContain("n@example.com");
    expect(account.roles).toEqual([
      { orgId: sandbox.orgId, roleName: "ORG_MEMBER" },
      { groupId: id, roleName: "GROUP_BACKUP_ADMIN" },
    ]);
  });

  test.each([
    ["same", 1, "201"],
    ["replace", 1, "201"],
    ["second", 2, "201"],
    ["refuse", 1, "400 DEFAULT_INVITATION_EXCEPTION"],
  ] as const)("of a name that is pending: %s", async (reinvite, pending, expected) => {
    const sandbox = await start({ reinvite });
    const id = projectOf(sandbox);
    const first = await invite(sandbox, id);
    const again = await invite(sandbox, id, { roles: ["GROUP_OWNER"] });
    expect(outcome(again)).toBe(expected);
    expect(await namesIn(sandbox, `/groups/${id}/invites`)).toHaveLength(pending);
    expect(again.json.id === first.json.id).toBe(reinvite === "same");
  });

  test("of a member are refused, or sent all the same", async () => {
    const sandbox = await start();
    const id = projectOf(sandbox);
    sandbox.setMember(id, { username: "n@example.com" }, readOnly);
    expect(outcome(await invite(sandbox, id))).toBe("400 DEFAULT_INVITATION_EXCEPTION");
    sandbox.setSwitches({ inviteMember: "invite" });
    expect(outcome(await invite(sandbox, id))).toBe("201");
  });

  test("are bypassed for an account that exists, and only for such", async () => {
    const sandbox = await start({ bypassInvitations: true });
    const id = projectOf(sandbox);
    sandbox.addUser({ username: "n@example.com" });
    expect((await invite(sandbox, id)).json).toEqual({});
    expect(await namesIn(sandbox, `/groups/${id}/users`)).toContain("n@example.com");
    expect((await invite(sandbox, id, { username: "new@example.com" })).json).toHaveProperty("id");
  });

  test("are bypassed for a name without an account too, if the setting is for all users", async () => {
    const sandbox = await start({ bypassNewUsers: true });
    const id = projectOf(sandbox);
    sandbox.addUser({ username: "n@example.com" });
    for (const username of ["n@example.com", "new@example.com"]) {
      expect((await invite(sandbox, id, { username })).json).toEqual({});
    }
    expect(await namesIn(sandbox, `/groups/${id}/users`)).toEqual(
      expect.arrayContaining(["n@example.com", "new@example.com"]),
    );
    expect(await namesIn(sandbox, `/groups/${id}/invites`)).toEqual([]);
  });

  test.each([
    ["no e-mail address", { username: "not-an-address" }, "400 INVALID_USERNAME"],
    ["no roles", { roles: [] }, "400 INVALID_GROUP_ROLE_UPDATE"],
    ["an organization role", { roles: ["ORG_MEMBER"] }, "400 INVALID_ROLE_FOR_GROUP"],
    ["an unknown team", { teamIds: [someId] }, "404 TEAM_NOT_FOUND"],
    ["a read-only field", { groupName: "x" }, "400 ATTRIBUTE_READ_ONLY"],
  ])("with %s are refused", async (_, body, expected) => {
    const sandbox = await start();
    expect(outcome(await invite(sandbox, projectOf(sandbox), body))).toBe(expected);
  });

  test("belong to one project and are not found through another", async () => {
    const sandbox = await start();
    const { json } = await invite(sandbox, projectOf(sandbox));
    const other = sandbox.addProject({ name: "other" }).id;
    expect(outcome(await call(sandbox, "GET", `/groups/${other}/invites/${json.id}`))).toBe(
      "404 INVALID_INVITATION_ID",
    );
  });

  test("can be limited per minute", async () => {
    const sandbox = await start({ invitationsPerMinute: 1 });
    const id = projectOf(sandbox);
    await invite(sandbox, id);
    expect(outcome(await invite(sandbox, id))).toBe("400 INVITATIONS_RATE_LIMITED_IP");
    sandbox.advanceClock(60);
    expect(outcome(await invite(sandbox, id))).toBe("201");
  });
});
