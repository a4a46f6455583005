/**
 * ProjectMembers: drift of a project's members, import, and a project that was deleted outside
 * Pulumi.
 */
import { startSandbox } from "../../../sandbox";
import { keepDefault, type ProviderKind, secret, succeeded } from "../../support";
import { invitationOf, invitedTo, membersOf, membersProgram, paymentsId } from "../support/people-program";
import { bothProviders, changedPaths, emptyProgram, messagesOf, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const olga = "olga@example.com";
const ada = "ada@example.com";
const ben = "ben@example.com";
const cleo = "cleo@example.com";
const stranger = "stranger@example.com";

const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];
const admin = ["GROUP_USER_ADMIN"];

const seed = { projects: [{ name: "payments", members: { [olga]: owner, [ada]: reader, [ben]: reader } }] };
const members = { [olga]: owner, [ada]: reader, [ben]: reader };

describe("members who were changed outside Pulumi", () => {
  it.each(bothProviders)("are shown one by one in a preview, and up corrects them (%s)", async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members, removeUnlisted: true }),
    });
    const projectId = paymentsId(sandbox);
    await succeeded(stack.up());
    sandbox.setMember(projectId, { username: stranger }, reader);
    sandbox.addInvitation(projectId, { username: cleo, roles: reader });
    sandbox.setMember(projectId, { username: ada }, admin);
    sandbox.removeMember(projectId, { username: ben });

    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    if (provider === "plugin") {
      expect(changedPaths(preview, "people")).toEqual({
        [`members["${ada}"][0]`]: "update",
        [`members["${ben}"]`]: "add",
        [`members["${cleo}"]`]: "delete",
        [`members["${stranger}"]`]: "delete",
      });
    }
    expect(writes(sandbox)).toEqual([]);
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    // Ben has an account, but this Ops Manager adds no account without an invitation.
    expect(membersOf(sandbox)).toEqual({ [ada]: reader, [olga]: owner });
    expect(invitedTo(sandbox)).toEqual({ [ben]: reader });
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
  });

  it("are no change after they accepted an invitation, even with refreshBeforeUpdate false", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed },
      config: { "opsmanager:refreshBeforeUpdate": false },
      program: (sandbox) =>
        membersProgram({ projectId: paymentsId(sandbox), members: { ...members, [cleo]: reader } }),
    });
    await succeeded(stack.up());
    sandbox.acceptInvitation(invitationOf(sandbox, cleo).id);
    sandbox.clearRequests();
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect((await stack.resource("people"))?.outputs?.memberDetails).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ username: cleo, status: "active", declared: true, roles: reader }),
      ]),
    );
  });

  it("have a preview of their creation and of each change, also with refreshBeforeUpdate false", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed },
      config: { "opsmanager:refreshBeforeUpdate": false },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    expect((await succeeded(stack.preview())).changes).toEqual({ create: 1 });
    await succeeded(stack.up());
    await stack.setProgram(
      membersProgram({ projectId: paymentsId(sandbox), members: { ...members, [cleo]: reader } }),
    );
    expect((await succeeded(stack.preview())).changes).toEqual({ update: 1 });
  });

  it("are invited again after their invitation expired; members through a team or the organization are no drift", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed },
      program: (sandbox) =>
        membersProgram({ projectId: paymentsId(sandbox), members: { ...members, [cleo]: reader } }),
    });
    await succeeded(stack.up());
    const grants = [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }];
    const { id: olaf } = sandbox.addUser({ username: "olaf@example.com", roles: grants });
    const team = sandbox.addTeam({ name: "platform", userIds: [olaf] });
    sandbox.setProjectTeam(paymentsId(sandbox), { teamId: team.id, roleNames: reader });
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(JSON.stringify((await stack.resource("people"))?.outputs)).not.toContain("olaf@example.com");

    const { id } = invitationOf(sandbox, cleo);
    sandbox.expireInvitation(id);
    expect((await succeeded(stack.preview())).changes).toEqual({ update: 1 });
    await succeeded(stack.up());
    expect(sandbox.state.invitations.filter((invitation) => invitation.id !== id)).toMatchObject([
      { username: cleo, roles: reader },
    ]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  const undeclared = "are not removed by destroy with onDestroy remove if the program never declared them";

  it.each(bothProviders)(`${undeclared} (%s)`, async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members, onDestroy: "remove" }),
    });
    await succeeded(stack.up());
    sandbox.setMember(paymentsId(sandbox), { username: stranger }, owner);
    sandbox.addInvitation(paymentsId(sandbox), { username: cleo, roles: reader });
    await succeeded(stack.refresh());
    expect((await stack.resource("people"))?.outputs).toMatchObject({
      members,
      memberDetails: [
        { username: ada, declared: true },
        { username: ben, declared: true },
        { username: cleo, declared: false },
        { username: olga, declared: true },
        { username: stranger, declared: false },
      ],
    });
    await succeeded(stack.destroy());
    expect(membersOf(sandbox)).toEqual({ [stranger]: owner });
    expect(invitedTo(sandbox)).toEqual({ [cleo]: reader });
    expect(await stack.resource("people")).toBeUndefined();
  });
});

describe("an import by the id of the project (plugin; nothing can be imported through the dynamic provider)", () => {
  it("shows everyone, and a program that lists them has nothing to do", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: {
        seed: {
          projects: [
            { ...seed.projects[0], name: "payments", invitations: [{ username: cleo, roles: reader }] },
          ],
        },
      },
      program: () => emptyProgram,
    });
    const projectId = paymentsId(sandbox);
    const token = "opsmanager:index:ProjectMembers";
    const imported = await succeeded(
      stack.import(token, "people", projectId.toUpperCase(), { generateCode: true }),
    );
    expect(imported.stdout).toContain(cleo);
    const everybody = { ...members, [cleo]: reader };
    expect(await stack.resource("people")).toMatchObject({
      id: projectId,
      inputs: { projectId, members: everybody },
      outputs: { members: everybody, origin: "imported", onDestroy: "release", orgId: sandbox.orgId },
    });
    await stack.setProgram(membersProgram({ projectId, members: everybody }));
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);

    // No create or update has declared a member yet. The first update declares them.
    await stack.setProgram(membersProgram({ projectId, members, onDestroy: "remove" }));
    const preview = await succeeded(stack.preview());
    expect(changedPaths(preview, "people")).toEqual({ [`members["${cleo}"]`]: "delete", onDestroy: "add" });
    await succeeded(stack.up());
    expect((await stack.resource("people"))?.outputs).toMatchObject({
      origin: "imported",
      memberDetails: [{ declared: true }, { declared: true }, { declared: true }],
    });
  });

  it.each([
    ["unknown@example.com", "ProjectMembers is imported by its projectId, 24 hexadecimal digits"],
    ["5f00000000000000000000ff", "does not exist"],
  ])("of %s is an error", async (id, message) => {
    const { sandbox, stack } = await setUpStack({ sandbox: { seed }, program: () => emptyProgram });
    const run = await stack.import("opsmanager:index:ProjectMembers", "people", id);
    expect(run.exitCode).not.toBe(0);
    expect(messagesOf(run, "error")).toContain(message);
    expect(await stack.resource("people")).toBeUndefined();
    expect(writes(sandbox)).toEqual([]);
  });
});

describe("ProjectMembers of a project that was deleted outside Pulumi", () => {
  const begin = async (sandbox = {}, provider: ProviderKind = "plugin") => {
    const setup = await setUpStack({
      provider,
      sandbox: { seed, ...sandbox },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    const projectId = paymentsId(setup.sandbox);
    await succeeded(setup.stack.up());
    return { ...setup, projectId };
  };

  it.each([
    ["GROUP_NOT_FOUND", "plugin"],
    ["NOT_IN_GROUP", "plugin"],
    ["NOT_IN_GROUP", "dynamic"],
  ] as const)(
    "are deleted from the state by refresh, and up fails with an error that names the project: %s (%s)",
    async (unknownProject, provider) => {
      keepDefault("refreshBeforeUpdate", "an up without changes reads the people");
      const { sandbox, stack, projectId } = await begin({ unknownProject }, provider);
      sandbox.removeProject(projectId);
      const up = await stack.up();
      expect(up.exitCode).not.toBe(0);
      expect(messagesOf(up, "error")).toContain(projectId);
      expect(writes(sandbox)).toEqual([]);

      await succeeded(stack.refresh());
      expect(await stack.resource("people")).toBeUndefined();
      const again = await stack.up();
      expect(again.exitCode).not.toBe(0);
      expect(messagesOf(again, "error")).toContain(projectId);
      expect(await stack.resource("people")).toBeUndefined();
    },
  );

  it("are destroyed without an error", async () => {
    const { sandbox, stack, projectId } = await begin();
    sandbox.removeProject(projectId);
    await succeeded(stack.destroy());
    expect(await stack.resource("people")).toBeUndefined();
  });

  it.each(bothProviders)(
    "are kept if it is only absent from another service: the error names baseUrl (%s)",
    async (provider) => {
      const { stack } = await begin({}, provider);
      const other = await startSandbox();
      const { baseUrl, publicKey, privateKey } = other;
      await stack.setConfig({
        "opsmanager:baseUrl": baseUrl,
        "opsmanager:publicKey": publicKey,
        "opsmanager:privateKey": secret(privateKey),
      });
      const refresh = await stack.refresh({ runProgram: true });
      await other.close();
      expect(refresh.exitCode).not.toBe(0);
      expect(messagesOf(refresh, "error")).toContain(`Check baseUrl (${baseUrl})`);
      expect((await stack.resource("people"))?.outputs?.members).toEqual(members);
    },
  );
});
