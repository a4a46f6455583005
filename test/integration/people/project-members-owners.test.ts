/** ProjectMembers: no step leaves a project without its last owner; all other changes are made. */

import {
  invitationOf,
  invitedTo,
  membersOf,
  membersProgram,
  paymentsId,
} from "../../engine/support/people-program";
import { messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { type Run, setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, ben, cleo, olga, owners, readers } from "../../support/people";

afterEach(tearDownStacks);

const seed = {
  projects: [{ name: "payments", members: { [olga]: owners, [ada]: readers, [ben]: readers } }],
};
const allMembers = { [olga]: owners, [ada]: readers, [ben]: readers };

type Members = Readonly<Record<string, readonly string[]>>;

/** Expects the one error about the owner who stays. */
function expectLastOwner(run: Run, outcome: string): void {
  expect(run.exitCode).not.toBe(0);
  expect(messagesOf(run, "error")).toMatch(
    new RegExp(
      `${olga} is the last direct owner of project \\w+ and ${outcome}: give GROUP_OWNER to another member`,
    ),
  );
}

describe("the last owner", () => {
  const begin = async (sandbox = {}, members: Members = allMembers) => {
    const setup = await setUpStack({
      sandbox: { seed, ...sandbox },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    await succeeded(setup.stack.up());
    const projectId = paymentsId(setup.sandbox);
    const upWith = async (members: Members) => {
      await setup.stack.setProgram(membersProgram({ projectId, members }));
      return setup.stack.up();
    };
    return { ...setup, projectId, upWith };
  };

  it("is not removed; all other members are added, changed and removed, and the state records it", async () => {
    const { sandbox, stack, projectId, upWith } = await begin();
    const up = await upWith({ [ada]: ["GROUP_USER_ADMIN"], [cleo]: readers });
    expectLastOwner(up, "was not removed");
    expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_USER_ADMIN"], [olga]: owners });
    expect(invitedTo(sandbox)).toEqual({ [cleo]: readers });
    const { id } = sandbox.user({ username: olga }) ?? {};
    expect(writes(sandbox).map(({ path }) => path)).not.toContain(`/groups/${projectId}/users/${id}`);
    expect(await stack.resource("people")).toMatchObject({
      outputs: {
        members: { [ada]: ["GROUP_USER_ADMIN"], [cleo]: readers, [olga]: owners },
        memberDetails: [
          { username: ada, declared: true },
          { username: cleo, declared: true },
          // Still to be removed.
          { username: olga, declared: true },
        ],
      },
    });

    await succeeded(upWith({ [olga]: owners, [ada]: ["GROUP_USER_ADMIN"], [cleo]: readers }));
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
  });

  it("stays if the other owner is one of the organization, keeps GROUP_OWNER, and is removed after an invited owner accepts", async () => {
    const { sandbox, stack, upWith } = await begin();
    // An owner of the organization does not count as an owner of the project.
    const grants = [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }];
    sandbox.addUser({ username: "olaf@example.com", roles: grants });
    expectLastOwner(await upWith({ [ada]: readers, [ben]: readers }), "was not removed");
    expect(membersOf(sandbox)).toEqual({ [ada]: readers, [ben]: readers, [olga]: owners });

    // The program declares another role for the last owner.
    expectLastOwner(
      await upWith({ [olga]: readers, [ada]: ["GROUP_USER_ADMIN"] }),
      "keeps the role GROUP_OWNER",
    );
    expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_USER_ADMIN"], [olga]: owners });
    expect((await stack.resource("people"))?.outputs?.members).toEqual({
      [ada]: ["GROUP_USER_ADMIN"],
      [olga]: owners,
    });

    // The next owner is only invited.
    expectLastOwner(await upWith({ [cleo]: owners, [ada]: readers }), "was not removed");
    expect(membersOf(sandbox)).toEqual({ [ada]: readers, [olga]: owners });
    expect(invitedTo(sandbox)).toEqual({ [cleo]: owners });

    // The next owner has accepted.
    sandbox.acceptInvitation(invitationOf(sandbox, cleo).id);
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [ada]: readers, [cleo]: owners });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("is replaced in one up by a member who becomes an owner, or by an account that is added before the removal", async () => {
    const { sandbox, stack, projectId, upWith } = await begin({
      seed: { ...seed, users: [{ username: cleo }] },
      bypassInvitations: true,
    });
    await succeeded(upWith({ [ada]: owners, [olga]: readers }));
    expect(membersOf(sandbox)).toEqual({ [ada]: owners, [olga]: readers });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });

    sandbox.clearRequests();
    await succeeded(upWith({ [cleo]: owners, [olga]: readers }));
    expect(membersOf(sandbox)).toEqual({ [cleo]: owners, [olga]: readers });
    expect(writes(sandbox).map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /groups/${projectId}/users`,
      `DELETE /groups/${projectId}/users/${sandbox.user({ username: ada })?.id}`,
    ]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("is the second of two owners if the program declares neither: the first one is removed", async () => {
    const members = { [ada]: owners, [ben]: readers, [olga]: owners };
    const { sandbox, upWith } = await begin({ seed: { projects: [{ name: "payments", members }] } }, members);
    expectLastOwner(await upWith({ [ben]: readers }), "was not removed");
    expect(membersOf(sandbox)).toEqual({ [ben]: readers, [olga]: owners });
  });

  it("is not required in a project that had no owner before", async () => {
    const members = { [ada]: readers, [ben]: readers };
    const { sandbox, stack, upWith } = await begin(
      { seed: { projects: [{ name: "payments", members }] } },
      members,
    );
    await succeeded(upWith({ [ada]: ["GROUP_USER_ADMIN"] }));
    expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_USER_ADMIN"] });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});

/**
 * The provider does not rely on the protection by Ops Manager: some versions remove the last
 * owner.
 */
describe("a response without the roles that Ops Manager has set", () => {
  it("causes another read before the next owner is removed, so an owner stays", async () => {
    const members = { [ada]: owners, [olga]: owners, [ben]: readers };
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "payments", members }] } },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    await stack.setProgram(membersProgram({ projectId, members: { [ada]: readers, [ben]: readers } }));
    sandbox.addFault({ method: "POST", fault: { status: 200, body: {}, afterWrite: true } });
    expectLastOwner(await stack.up(), "was not removed");
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST"]);
    expect(membersOf(sandbox)).toEqual({ [ada]: readers, [ben]: readers, [olga]: owners });
  });
});

describe("a preview in which the last owner is removed or replaced (plugin: dynamic previews have no such checks)", () => {
  it("fails if no owner is left, warns if the next owner may only be invited, and accepts a member as the next owner", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members: allMembers }),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    const previewWith = async (members: Members) => {
      await stack.setProgram(membersProgram({ projectId, members }));
      return stack.preview();
    };

    // The last owner is removed, then keeps the membership with another role.
    for (const members of [
      { [ada]: readers, [ben]: readers },
      { [olga]: readers, [ada]: readers, [ben]: readers },
    ]) {
      const refused = await previewWith(members);
      expect(refused.exitCode).not.toBe(0);
      expect(messagesOf(refused, "error")).toContain(
        `No direct owner would be left in project ${projectId}: ${olga} would be removed or lose GROUP_OWNER. Give GROUP_OWNER to another member`,
      );
    }

    // Ops Manager may add the new owner at once, or only send an invitation.
    const uncertain = await succeeded(previewWith({ [cleo]: owners, [ada]: readers }));
    expect(uncertain.changes).toEqual({ update: 1 });
    expect(messagesOf(uncertain, "warning")).toContain(
      `${cleo} will be owner at once only if the service adds them without an invitation`,
    );

    const certain = await succeeded(previewWith({ [ada]: owners }));
    expect(messagesOf(certain, "warning")).toBe("");
    expect(writes(sandbox)).toEqual([]);
  });
});
