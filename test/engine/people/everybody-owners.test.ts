/** Design, ProjectMembers: no step leaves a project that had an owner without one; everything else is done. */
import { type Run, succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { invitationOf, invitedTo, membersOf, membersProgram, paymentsId } from "../support/people-program";
import { doors, emptyProgram, said, writes } from "../support/project-program";

afterEach(disposeEstates);

const olga = "olga@example.com";
const ada = "ada@example.com";
const ben = "ben@example.com";
const cleo = "cleo@example.com";

const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];

const seed = { projects: [{ name: "payments", members: { [olga]: owner, [ada]: reader, [ben]: reader } }] };
const everybody = { [olga]: owner, [ada]: reader, [ben]: reader };

type Members = Readonly<Record<string, readonly string[]>>;

/** The one sentence about the owner who stays. */
function expectLastOwner(run: Run, outcome: string): void {
  expect(run.exitCode).not.toBe(0);
  expect(said(run, "error")).toMatch(
    new RegExp(`${olga} is the last owner of project \\w+ and ${outcome}: give GROUP_OWNER to somebody else`),
  );
}

describe.each(doors)("the last owner (%s)", (door) => {
  const begin = async (sandbox = {}, members: Members = everybody) => {
    const estate = await createEstate({
      door,
      sandbox: { seed, ...sandbox },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    await succeeded(estate.stack.up());
    const projectId = paymentsId(estate.sandbox);
    const upWith = async (members: Members) => {
      await estate.stack.setProgram(membersProgram({ projectId, members }));
      return estate.stack.up();
    };
    return { ...estate, projectId, upWith };
  };

  it("is not removed; everybody else goes and comes as declared, and the state says so", async () => {
    const { sandbox, stack, projectId, upWith } = await begin();
    const up = await upWith({ [ada]: ["GROUP_USER_ADMIN"], [cleo]: reader });
    expectLastOwner(up, "was not removed");
    expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_USER_ADMIN"], [olga]: owner });
    expect(invitedTo(sandbox)).toEqual({ [cleo]: reader });
    const { id } = sandbox.user({ username: olga }) ?? {};
    expect(writes(sandbox).map(({ path }) => path)).not.toContain(`/groups/${projectId}/users/${id}`);
    expect(await stack.resource("people")).toMatchObject({
      outputs: {
        members: { [ada]: ["GROUP_USER_ADMIN"], [cleo]: reader, [olga]: owner },
        memberDetails: [
          { username: ada, declared: true },
          { username: cleo, declared: true },
          { username: olga, declared: false },
        ],
      },
    });

    await succeeded(upWith({ [olga]: owner, [ada]: ["GROUP_USER_ADMIN"], [cleo]: reader }));
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
  });

  it("keeps the role when the program gives them another one", async () => {
    const { sandbox, stack, upWith } = await begin();
    expectLastOwner(
      await upWith({ [olga]: reader, [ada]: ["GROUP_USER_ADMIN"] }),
      "keeps the role GROUP_OWNER",
    );
    expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_USER_ADMIN"], [olga]: owner });
    expect((await stack.resource("people"))?.outputs?.members).toEqual({
      [ada]: ["GROUP_USER_ADMIN"],
      [olga]: owner,
    });
  });

  it("stays until an invited successor has accepted, and goes by a plain up then", async () => {
    const { sandbox, stack, upWith } = await begin();
    expectLastOwner(await upWith({ [cleo]: owner, [ada]: reader }), "was not removed");
    expect(membersOf(sandbox)).toEqual({ [ada]: reader, [olga]: owner });
    expect(invitedTo(sandbox)).toEqual({ [cleo]: owner });

    sandbox.acceptInvitation(invitationOf(sandbox, cleo).id);
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [ada]: reader, [cleo]: owner });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("is not replaced by an owner of the organization", async () => {
    const { sandbox, upWith } = await begin();
    const grants = [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }];
    sandbox.addUser({ username: "olaf@example.com", roles: grants });
    expectLastOwner(await upWith({ [ada]: reader, [ben]: reader }), "was not removed");
    expect(membersOf(sandbox)).toEqual({ [ada]: reader, [ben]: reader, [olga]: owner });
  });

  it("is replaced in one up by an account that is let in at once: first the new owner, then the old one goes", async () => {
    const users = [{ username: cleo }];
    const { sandbox, stack, projectId, upWith } = await begin({
      seed: { ...seed, users },
      bypassInvitations: true,
    });
    await succeeded(upWith({ [cleo]: owner, [ada]: reader, [ben]: reader }));
    expect(membersOf(sandbox)).toEqual({ [ada]: reader, [ben]: reader, [cleo]: owner });
    expect(writes(sandbox).map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /groups/${projectId}/users`,
      `DELETE /groups/${projectId}/users/${sandbox.user({ username: olga })?.id}`,
    ]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("is replaced in one up by a member who is raised", async () => {
    const { sandbox, stack, upWith } = await begin();
    await succeeded(upWith({ [ada]: owner, [olga]: reader }));
    expect(membersOf(sandbox)).toEqual({ [ada]: owner, [olga]: reader });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("is one of two where both would go: the first goes, the other stays", async () => {
    const members = { [ada]: owner, [ben]: reader, [olga]: owner };
    const { sandbox, upWith } = await begin({ seed: { projects: [{ name: "payments", members }] } }, members);
    expectLastOwner(await upWith({ [ben]: reader }), "was not removed");
    expect(membersOf(sandbox)).toEqual({ [ben]: reader, [olga]: owner });
  });

  it("is nobody in a project that had no owner: such a project can be left without", async () => {
    const members = { [ada]: reader, [ben]: reader };
    const { sandbox, stack, upWith } = await begin(
      { seed: { projects: [{ name: "payments", members }] } },
      members,
    );
    await succeeded(upWith({ [ada]: ["GROUP_USER_ADMIN"] }));
    expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_USER_ADMIN"] });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("stays when everybody declared is removed by destroy, with a warning", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (sandbox) =>
        membersProgram({ projectId: paymentsId(sandbox), members: everybody, onDestroy: "remove" }),
    });
    await succeeded(stack.up());
    await stack.setProgram(emptyProgram);
    const up = await succeeded(stack.up());
    expect(said(up, "warning")).toContain(`${olga} is the last owner of project`);
    expect(membersOf(sandbox)).toEqual({ [olga]: owner });
    expect(await stack.resource("people")).toBeUndefined();
  });
});

/** The service's own protection is not relied on: some versions let the last owner go. */
describe("what the service's answers do not tell", () => {
  it.each(doors)(
    "is looked up before the next owner goes: an empty answer leaves no project without an owner (%s)",
    async (door) => {
      const members = { [ada]: owner, [olga]: owner, [ben]: reader };
      const { sandbox, stack } = await createEstate({
        door,
        sandbox: { seed: { projects: [{ name: "payments", members }] } },
        program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
      });
      await succeeded(stack.up());
      const projectId = paymentsId(sandbox);
      await stack.setProgram(membersProgram({ projectId, members: { [ada]: reader, [ben]: reader } }));
      sandbox.addFault({ method: "POST", fault: { status: 200, body: {}, afterWrite: true } });
      expectLastOwner(await stack.up(), "was not removed");
      expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST"]);
      expect(membersOf(sandbox)).toEqual({ [ada]: reader, [ben]: reader, [olga]: owner });
    },
  );
});

describe("a preview that leaves no owner (plugin; the dynamic host has no guards in a preview)", () => {
  const begin = async (sandbox = {}) => {
    const estate = await createEstate({
      sandbox: { seed, ...sandbox },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members: everybody }),
    });
    await succeeded(estate.stack.up());
    const projectId = paymentsId(estate.sandbox);
    const previewWith = async (members: Members) => {
      await estate.stack.setProgram(membersProgram({ projectId, members }));
      return estate.stack.preview();
    };
    return { ...estate, projectId, previewWith };
  };

  it.each([
    ["removed", { [ada]: reader, [ben]: reader }],
    ["demoted", { [olga]: reader, [ada]: reader, [ben]: reader }],
  ])("fails where the last owner is %s, for that is certain", async (_, members) => {
    const { sandbox, projectId, previewWith } = await begin();
    const preview = await previewWith(members);
    expect(preview.exitCode).not.toBe(0);
    expect(said(preview, "error")).toContain(
      `No owner would be left in project ${projectId}: ${olga} would go or lose GROUP_OWNER. Give GROUP_OWNER to somebody`,
    );
    expect(writes(sandbox)).toEqual([]);
  });

  it("warns where somebody new is to own it, which depends on whether the service adds them at once", async () => {
    const { sandbox, previewWith } = await begin();
    const preview = await succeeded(previewWith({ [cleo]: owner, [ada]: reader }));
    expect(preview.changes).toEqual({ update: 1 });
    expect(said(preview, "warning")).toContain(
      `${cleo} will be owner only where the service adds them at once; where it invites them, the last owner stays`,
    );
    expect(writes(sandbox)).toEqual([]);
  });

  it("says nothing where a member becomes owner", async () => {
    const { previewWith } = await begin();
    const preview = await succeeded(previewWith({ [ada]: owner }));
    expect(said(preview, "warning")).toBe("");
  });
});
