import type { SandboxOptions } from "../../../sandbox";
import { call, type SandboxResponse } from "./client";
import { sandboxes } from "./with-sandbox";

/** Organizations and their members. */

const start = sandboxes();

const outcome = ({ status, json }: SandboxResponse): string =>
  [status, json?.errorCode].filter(Boolean).join(" ");

/** An organization with its owner, and a member who is in a project and a team and has an invitation. */
async function startWithMember(options: SandboxOptions = {}) {
  const sandbox = await start({ orgUserChanges: "offered", ...options });
  const { orgId } = sandbox;
  const [payments, refunds] = [
    sandbox.addProject({ name: "payments" }),
    sandbox.addProject({ name: "refunds" }),
  ];
  const ann = sandbox.setMember(payments.id, { username: "ann@example.com" }, ["GROUP_READ_ONLY"]);
  sandbox.addTeam({ orgId, name: "platform", userIds: [ann.id] });
  sandbox.addInvitation(refunds.id, { username: "ann@example.com", roles: ["GROUP_READ_ONLY"] });
  const owner = sandbox.user({ username: "owner@example.com" });
  if (owner === undefined) throw new Error("The default seed has an owner.");
  return { sandbox, orgId, payments, ann, owner, path: (id: string) => `/orgs/${orgId}/users/${id}` };
}

test("an organization is renamed by its owners", async () => {
  const { sandbox, orgId } = await startWithMember();
  const path = `/orgs/${orgId}`;
  const member = sandbox.addKey({ roles: [{ orgId, roleName: "ORG_MEMBER" }] });
  expect(outcome(await call(sandbox, "PATCH", path, { name: "New" }, member))).toBe("401 NOT_ORG_ADMIN");
  expect(outcome(await call(sandbox, "PATCH", path, { name: " " }))).toBe("400 INVALID_ATTRIBUTE");
  expect((await call(sandbox, "PATCH", path, { name: "New" })).json).toMatchObject({
    id: orgId,
    name: "New",
  });
});

test("a member who is removed from an organization leaves its projects and teams, and loses invitations", async () => {
  const { sandbox, ann, orgId, path } = await startWithMember();
  expect(outcome(await call(sandbox, "DELETE", path(ann.id)))).toBe("204");
  expect(sandbox.user(ann)?.roles).toEqual([]);
  expect(sandbox.state.teams).toMatchObject([{ userIds: [] }]);
  expect(sandbox.state.invitations).toEqual([]);
  expect((await call(sandbox, "GET", `/orgs/${orgId}/users`)).json.totalCount).toBe(1);
  expect(outcome(await call(sandbox, "DELETE", path(ann.id)))).toBe("404 USER_NOT_IN_ORG");
});

test("the roles of a member in an organization are replaced, and those in projects stay", async () => {
  const { sandbox, ann, orgId, payments, path } = await startWithMember();
  const roles = `${path(ann.id)}/roles`;
  const { json } = await call(sandbox, "PUT", roles, { orgRoles: ["ORG_READ_ONLY"] });
  expect(json).toEqual({ orgRoles: ["ORG_READ_ONLY"] });
  expect(sandbox.user(ann)?.roles).toEqual([
    { orgId, roleName: "ORG_READ_ONLY" },
    { groupId: payments.id, roleName: "GROUP_READ_ONLY" },
  ]);
  expect(outcome(await call(sandbox, "PUT", roles, { orgRoles: ["GROUP_OWNER"] }))).toBe(
    "400 ROLE_NEEDS_GROUP_ID",
  );
});

test("the last owner of an organization is neither removed nor demoted", async () => {
  const { sandbox, owner, path } = await startWithMember();
  expect(outcome(await call(sandbox, "DELETE", path(owner.id)))).toBe("403 CANNOT_DELETE_LAST_ADMIN");
  const demoted = await call(sandbox, "PUT", `${path(owner.id)}/roles`, { orgRoles: ["ORG_MEMBER"] });
  expect(outcome(demoted)).toBe("403 CANNOT_DEMOTE_LAST_ORG_OWNER");
  const patched = await call(sandbox, "PATCH", `/users/${owner.id}`, { roles: [] });
  expect(outcome(patched)).toBe("403 CANNOT_DEMOTE_LAST_ORG_OWNER");
});

test.each([
  ["replace", false],
  ["merge", true],
] as const)(
  "PATCH of a user without roles: %s; is the user still in the teams: %s",
  async (patchUserRoles, isIn) => {
    const { sandbox, ann } = await startWithMember({ patchUserRoles });
    expect(outcome(await call(sandbox, "PATCH", `/users/${ann.id}`, { roles: [] }))).toBe("200");
    expect(sandbox.state.teams).toMatchObject([{ userIds: isIn ? [ann.id] : [] }]);
    expect(sandbox.state.invitations).toHaveLength(isIn ? 1 : 0);
  },
);

test("members of an organization have no path of their own where only Cloud Manager has it", async () => {
  const { sandbox, ann, path } = await startWithMember({ orgUserChanges: "not-offered" });
  expect(outcome(await call(sandbox, "DELETE", path(ann.id)))).toBe("404 RESOURCE_NOT_FOUND");
  const changed = await call(sandbox, "PUT", `${path(ann.id)}/roles`, { orgRoles: ["ORG_OWNER"] });
  expect(outcome(changed)).toBe("404 RESOURCE_NOT_FOUND");
});
