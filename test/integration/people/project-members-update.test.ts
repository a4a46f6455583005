/** ProjectMembers: which requests a changed list sends, and which differences are no change. */

import {
  invitationOf,
  invitedTo,
  membersOf,
  membersProgram,
  paymentsId,
} from "../../engine/support/people-program";
import { bothProviders, changedPaths, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, ben, cleo, olga, owners, readers } from "../../support/people";

afterEach(tearDownStacks);

const dora = "dora@example.com";

const seed = {
  users: [{ username: dora }],
  projects: [
    { name: "payments", members: { [olga]: owners, [ada]: readers, [ben]: readers, [cleo]: readers } },
  ],
};

const allMembers = { [olga]: owners, [ada]: readers, [ben]: readers, [cleo]: readers };

describe("a changed list of members", () => {
  it("sends only what differs: additions and more roles first, other changes next, removals last", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed, bypassInvitations: true },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members: allMembers }),
    });
    const projectId = paymentsId(sandbox);
    const userId = (username: string) => sandbox.user({ username })?.id;
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);

    await stack.setProgram(
      membersProgram({
        projectId,
        members: {
          [olga]: owners,
          [ada]: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"],
          [cleo]: ["GROUP_MONITORING_ADMIN"],
          [dora]: readers,
        },
      }),
    );
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    const post = (username: string, roles: readonly string[]) => ({
      method: "POST",
      path: `/groups/${projectId}/users`,
      body: [{ id: userId(username), roles: roles.map((roleName) => ({ roleName })) }],
    });
    const sent = writes(sandbox);
    // Additions and changes that only add roles run together, in no order among themselves.
    expect(sent.slice(0, 2)).toEqual(
      expect.arrayContaining([post(dora, readers), post(ada, ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"])]),
    );
    expect(sent.slice(2)).toEqual([
      post(cleo, ["GROUP_MONITORING_ADMIN"]),
      { method: "DELETE", path: `/groups/${projectId}/users/${userId(ben)}` },
    ]);
    expect(membersOf(sandbox)).toEqual({
      [ada]: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"],
      [cleo]: ["GROUP_MONITORING_ADMIN"],
      [dora]: readers,
      [olga]: owners,
    });
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
  });

  it("is no change in another order or spelling; a changed role under another spelling is one write", async () => {
    const roles = ["GROUP_USER_ADMIN", "GROUP_READ_ONLY"];
    const listed = { [olga]: owners, [ada]: roles, [ben]: readers };
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "payments", members: listed }] } },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members: listed }),
    });
    const projectId = paymentsId(sandbox);
    await succeeded(stack.up());
    const reordered = { [ben]: readers, [ada]: [...roles].reverse(), [olga]: owners };
    await stack.setProgram(membersProgram({ projectId: projectId.toUpperCase(), members: reordered }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });

    const respelled = { "ADA@Example.com": roles, "Olga@example.com": owners, [ben]: readers };
    await stack.setProgram(membersProgram({ projectId, members: respelled }));
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ same: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    await succeeded(stack.refresh());
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);

    const changed = { [olga]: owners, "ADA@example.com": ["GROUP_USER_ADMIN"], [ben]: readers };
    await stack.setProgram(membersProgram({ projectId, members: changed }));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toHaveLength(1);
    expect(membersOf(sandbox)[ada]).toEqual(["GROUP_USER_ADMIN"]);
    expect((await stack.resource("people"))?.outputs?.members).toMatchObject({
      "ADA@example.com": ["GROUP_USER_ADMIN"],
    });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("deletes the invitation of a user who is no longer listed, and updates the one of a user with other roles", async () => {
    const members = { [olga]: owners, [ada]: readers, [ben]: readers };
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "payments", members: { [olga]: owners } }] } },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    const projectId = paymentsId(sandbox);
    await succeeded(stack.up());
    const invitations = { ada: invitationOf(sandbox, ada).id, ben: invitationOf(sandbox, ben).id };

    sandbox.clearRequests();
    await stack.setProgram(
      membersProgram({ projectId, members: { [olga]: owners, [ada]: ["GROUP_USER_ADMIN"] } }),
    );
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([
      {
        method: "PATCH",
        path: `/groups/${projectId}/invites/${invitations.ada}`,
        body: { roles: ["GROUP_USER_ADMIN"] },
      },
      { method: "DELETE", path: `/groups/${projectId}/invites/${invitations.ben}` },
    ]);
    expect(invitedTo(sandbox)).toEqual({ [ada]: ["GROUP_USER_ADMIN"] });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  const renaming =
    "is no change for an account that was renamed in Ops Manager, under its old and its new name";

  // If nothing differs, the host of dynamic providers leaves the state as it is, with the old name.
  it.each([
    { provider: "plugin", recordsNewName: true },
    { provider: "dynamic", recordsNewName: false },
  ] as const)(`${renaming} ($provider)`, async ({ provider, recordsNewName }) => {
    const members = { [olga]: owners, [ada]: readers };
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments", members }] } },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    const projectId = paymentsId(sandbox);
    await succeeded(stack.up());
    const { id = "" } = sandbox.user({ username: ada }) ?? {};
    sandbox.changeUser(id, { username: "ada.lovelace@example.com" });

    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    await succeeded(stack.refresh());
    expect((await stack.resource("people"))?.outputs).toMatchObject({
      members,
      memberDetails: [
        { username: "ada.lovelace@example.com", declaredAs: ada, userId: id, declared: true },
        { username: olga },
      ],
    });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });

    const renamed = { [olga]: owners, "ada.lovelace@example.com": readers };
    await stack.setProgram(membersProgram({ projectId, members: renamed }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    await succeeded(stack.refresh());
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    const { memberDetails, ...outputs } = (await stack.resource("people"))?.outputs ?? {};
    expect(outputs.members).toEqual(recordsNewName ? renamed : members);
    expect(JSON.stringify(memberDetails).includes("declaredAs")).toBe(!recordsNewName);
  });

  it("is rejected if it names one account twice, by its old and by its new name", async () => {
    const members = { [olga]: owners, [ada]: readers };
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "payments", members }] } },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    await succeeded(stack.up());
    const { id = "" } = sandbox.user({ username: ada }) ?? {};
    const newName = "ada.lovelace@example.com";
    sandbox.changeUser(id, { username: newName });
    const both = { ...members, [newName]: ["GROUP_USER_ADMIN"] };
    await stack.setProgram(membersProgram({ projectId: paymentsId(sandbox), members: both }));
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toContain(
      `twice: "${ada}" and "${newName}" are both ${newName}. Remove one of the names.`,
    );
    expect(writes(sandbox)).toEqual([]);
    expect(membersOf(sandbox)[newName]).toEqual(readers);
  });

  it.each(bothProviders)(
    "sends nothing if ignoreChanges names members, and records changed settings (%s)",
    async (provider) => {
      const program = (projectId: string, members: object, maxRemovals: number) =>
        membersProgram({ projectId, members, maxRemovals }, { ignoreChanges: ["members"] });
      const { sandbox, stack } = await setUpStack({
        provider,
        sandbox: { seed },
        program: (sandbox) => program(paymentsId(sandbox), allMembers, 5),
      });
      await succeeded(stack.up());
      await stack.setProgram(program(paymentsId(sandbox), { [olga]: owners, [dora]: readers }, 5));
      sandbox.setMember(paymentsId(sandbox), { username: ada }, ["GROUP_USER_ADMIN"]);
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      await stack.setProgram(program(paymentsId(sandbox), { [olga]: owners, [dora]: readers }, 7));
      expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
      expect(writes(sandbox)).toEqual([]);
      expect((await stack.resource("people"))?.outputs).toMatchObject({ maxRemovals: 7 });
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      expect(Object.keys(membersOf(sandbox))).toEqual([ada, ben, cleo, olga]);
    },
  );

  it.each(bothProviders)(
    "does not declare members that ignoreChanges ignores, so destroy leaves them (%s)",
    async (provider) => {
      const program = (projectId: string, onDestroy: string) =>
        membersProgram(
          { projectId, members: { [olga]: owners, [ada]: readers }, onDestroy },
          { ignoreChanges: ["members"] },
        );
      const { sandbox, stack } = await setUpStack({
        provider,
        sandbox: { seed: { projects: [{ name: "payments", members: { [olga]: owners, [ada]: readers } }] } },
        program: (sandbox) => program(paymentsId(sandbox), "release"),
      });
      const projectId = paymentsId(sandbox);
      await succeeded(stack.up());
      sandbox.setMember(projectId, { username: dora }, readers);
      await stack.setProgram(program(projectId, "remove"));
      expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
      await succeeded(stack.destroy());
      expect(membersOf(sandbox, projectId)).toEqual({ [dora]: readers, [olga]: owners });
    },
  );
});

describe("a preview (plugin; the dynamic host has no detail and sends no request)", () => {
  it("shows each person, names each removal and each overwritten set of roles, and writes nothing", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: {
        seed: {
          projects: [
            {
              name: "payments",
              members: {
                [olga]: owners,
                [ada]: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"],
                [ben]: readers,
              },
              invitations: [{ username: cleo, roles: readers }],
            },
          ],
        },
      },
      program: (sandbox) =>
        membersProgram({
          projectId: paymentsId(sandbox),
          members: {
            [olga]: owners,
            [ada]: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"],
            [ben]: readers,
            [cleo]: readers,
          },
        }),
    });
    const projectId = paymentsId(sandbox);
    await succeeded(stack.up());

    sandbox.clearRequests();
    await stack.setProgram(
      membersProgram({
        projectId,
        members: { [olga]: owners, [ada]: ["GROUP_DATA_ACCESS_ADMIN", "GROUP_USER_ADMIN"], [dora]: readers },
      }),
    );
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    expect(changedPaths(preview, "people")).toEqual({
      [`members["${ada}"][0]`]: "update",
      [`members["${ben}"]`]: "delete",
      [`members["${cleo}"]`]: "delete",
      [`members["${dora}"]`]: "add",
    });
    const reported = messagesOf(preview, "info");
    expect(reported).toContain(
      `${ada} in project ${projectId}: roles GROUP_READ_ONLY, GROUP_USER_ADMIN become GROUP_DATA_ACCESS_ADMIN, GROUP_USER_ADMIN.`,
    );
    expect(reported).toContain(`${ben} (GROUP_READ_ONLY) will be removed from project ${projectId}.`);
    expect(reported).toContain(`The invitation of ${cleo} to project ${projectId} will be deleted.`);
    expect(reported).not.toContain(olga);
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("people")).toMatchObject({ outputs: { members: { [ben]: readers } } });
  });
});
