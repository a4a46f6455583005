/** Design, ProjectMembers: what is seen of a project's people, import, and a project that vanished. */

import { startSandbox } from "../../sandbox";
import { secret, succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { invitationOf, invitedTo, membersOf, membersProgram, paymentsId } from "../support/people-program";
import { changedPaths, doors, emptyProgram, said, writes } from "../support/project-program";

afterEach(disposeEstates);

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

describe.each(doors)("people who were changed by hand (%s)", (door) => {
  it("are seen in a plain preview, one by one, and a plain up makes it as declared", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    const projectId = paymentsId(sandbox);
    await succeeded(stack.up());
    sandbox.setMember(projectId, { username: stranger }, reader);
    sandbox.addInvitation(projectId, { username: cleo, roles: reader });
    sandbox.setMember(projectId, { username: ada }, admin);
    sandbox.removeMember(projectId, { username: ben });

    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    if (door === "plugin") {
      expect(changedPaths(preview, "people")).toEqual({
        [`members["${ada}"][0]`]: "update",
        [`members["${ben}"]`]: "add",
        [`members["${cleo}"]`]: "delete",
        [`members["${stranger}"]`]: "delete",
      });
    }
    expect(writes(sandbox)).toEqual([]);
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    // Ben has an account, but this service asks people first.
    expect(membersOf(sandbox)).toEqual({ [ada]: reader, [olga]: owner });
    expect(invitedTo(sandbox)).toEqual({ [ben]: reader });
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
  });

  it("are not changed by accepting an invitation, even where nobody asks for a refresh", async () => {
    const { sandbox, stack } = await createEstate({
      door,
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
    // The host of the dynamic door leaves the record as it is until the next refresh.
    if (door === "dynamic") await succeeded(stack.refresh());
    expect((await stack.resource("people"))?.outputs?.memberDetails).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ username: cleo, status: "active", declared: true, roles: reader }),
      ]),
    );
  });

  it("get a new invitation where theirs has expired", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (sandbox) =>
        membersProgram({ projectId: paymentsId(sandbox), members: { ...members, [cleo]: reader } }),
    });
    await succeeded(stack.up());
    const { id } = invitationOf(sandbox, cleo);
    sandbox.expireInvitation(id);
    expect((await succeeded(stack.preview())).changes).toEqual({ update: 1 });
    await succeeded(stack.up());
    expect(sandbox.state.invitations.filter((invitation) => invitation.id !== id)).toMatchObject([
      { username: cleo, roles: reader },
    ]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("are not those who are in only through a team or the organization", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    await succeeded(stack.up());
    const grants = [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }];
    const { id } = sandbox.addUser({ username: "olaf@example.com", roles: grants });
    const team = sandbox.addTeam({ name: "platform", userIds: [id] });
    sandbox.setProjectTeam(paymentsId(sandbox), { teamId: team.id, roleNames: reader });
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(JSON.stringify((await stack.resource("people"))?.outputs)).not.toContain("olaf@example.com");
  });

  it("are left in by destroy with onDestroy remove, if nobody ever declared them", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members, onDestroy: "remove" }),
    });
    await succeeded(stack.up());
    sandbox.setMember(paymentsId(sandbox), { username: stranger }, owner);
    sandbox.addInvitation(paymentsId(sandbox), { username: cleo, roles: reader });
    await succeeded(stack.refresh());
    expect((await stack.resource("people"))?.outputs).toMatchObject({
      members: { [stranger]: owner, [cleo]: reader },
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

describe("an import by the id of the project (plugin; nothing can be imported through the dynamic door)", () => {
  it("shows everybody, and a program that lists them has nothing to do", async () => {
    const { sandbox, stack } = await createEstate({
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

    // Nobody was declared by a create or update yet; the first update declares.
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
    ["nobody@example.com", "ProjectMembers is imported by its projectId, 24 hexadecimal digits"],
    ["5f00000000000000000000ff", "does not exist"],
  ])("of %s is an error", async (id, message) => {
    const { sandbox, stack } = await createEstate({ sandbox: { seed }, program: () => emptyProgram });
    const run = await stack.import("opsmanager:index:ProjectMembers", "people", id);
    expect(run.exitCode).not.toBe(0);
    expect(said(run, "error")).toContain(message);
    expect(await stack.resource("people")).toBeUndefined();
    expect(writes(sandbox)).toEqual([]);
  });
});

describe.each(doors)("a project that vanished (%s)", (door) => {
  const begin = async (sandbox = {}) => {
    const estate = await createEstate({
      door,
      sandbox: { seed, ...sandbox },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    const projectId = paymentsId(estate.sandbox);
    await succeeded(estate.stack.up());
    return { ...estate, projectId };
  };

  it.each(["GROUP_NOT_FOUND", "NOT_IN_GROUP"] as const)(
    "is gone for its people too, where the service answers %s: refresh forgets them, up says that there is no project",
    async (unknownProject) => {
      const { sandbox, stack, projectId } = await begin({ unknownProject });
      sandbox.removeProject(projectId);
      const up = await stack.up();
      expect(up.exitCode).not.toBe(0);
      expect(said(up, "error")).toContain(projectId);
      expect(writes(sandbox)).toEqual([]);

      await succeeded(stack.refresh());
      expect(await stack.resource("people")).toBeUndefined();
      const again = await stack.up();
      expect(again.exitCode).not.toBe(0);
      expect(said(again, "error")).toContain(projectId);
      expect(await stack.resource("people")).toBeUndefined();
    },
  );

  it("lets destroy succeed", async () => {
    const { sandbox, stack, projectId } = await begin();
    sandbox.removeProject(projectId);
    await succeeded(stack.destroy());
    expect(await stack.resource("people")).toBeUndefined();
  });

  it("is not believed of another service: an error names baseUrl, and the state keeps everybody", async () => {
    const { stack } = await begin();
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
    expect(said(refresh, "error")).toContain(`Check baseUrl (${baseUrl})`);
    expect((await stack.resource("people"))?.outputs?.members).toEqual(members);
  });
});
