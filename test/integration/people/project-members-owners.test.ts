/** ProjectMembers: no step leaves a project without its last owner; all other changes are made. */

import { invitationOf, invitedTo, membersOf, nothing, upAgain } from "../../engine/support/people-program";
import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { type Run, tearDownStacks } from "../../support/model-stack";
import { ada, ben, cleo, owner, owners, readers } from "../../support/people";
import { admins, allMembers, type People, projectId, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const everyone = { [owner]: owners, [ada]: readers, [ben]: readers };

/** All people of the project and no other, as the program declares them. */
const only = (members: People) => ({ people: allMembers({}, { members }) });

/** Expects the one error about the owner who stays. */
function expectLastOwner(run: Run, outcome: string): void {
  expect(run.exitCode).not.toBe(0);
  expect(messagesOf(run, "error")).toContain(
    `${owner} is the last direct owner of project ${projectId} and ${outcome}: give GROUP_OWNER to another member`,
  );
}

/** The program has declared everyone who is in the project. */
async function begin({ members = everyone, ...beginning }: Parameters<typeof setUpPayments>[0] = {}) {
  const setup = await setUpPayments({ members, ...beginning });
  await succeeded(setup.upWith(only({ [owner]: owners, ...members })));
  const upWith = (members: People) => setup.upWith(only(members));
  const previewWith = (members: People) => setup.previewWith(only(members));
  return { ...setup, upWith, previewWith };
}

describe("the last owner", () => {
  it("is not removed; all other members are added, changed and removed, and the state records it", async () => {
    const { sandbox, stack, userId, upWith, outputsOf } = await begin();
    expectLastOwner(await upWith({ [ada]: admins, [cleo]: readers }), "was not removed");
    expect(membersOf(sandbox)).toEqual({ [ada]: admins, [owner]: owners });
    expect(invitedTo(sandbox)).toEqual({ [cleo]: readers });
    expect(writes(sandbox).map(({ path }) => path)).not.toContain(
      `/groups/${projectId}/users/${userId(owner)}`,
    );
    expect(await outputsOf("people")).toMatchObject({
      members: { [ada]: admins, [cleo]: readers, [owner]: owners },
      // The owner is still to be removed.
      memberDetails: [ada, cleo, owner].map((username) => ({ username, declared: true })),
    });

    await succeeded(upWith({ [owner]: owners, [ada]: admins, [cleo]: readers }));
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  });

  it("stays if the other owner is one of the organization, keeps GROUP_OWNER, and is removed after an invited owner accepts", async () => {
    const { sandbox, stack, upWith, outputsOf } = await begin();
    // An owner of the organization does not count as an owner of the project.
    const grants = [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }];
    sandbox.addUser({ username: "olaf@example.com", roles: grants });
    expectLastOwner(await upWith({ [ada]: readers, [ben]: readers }), "was not removed");
    expect(membersOf(sandbox)).toEqual(everyone);

    // The program declares another role for the last owner.
    expectLastOwner(await upWith({ [owner]: readers, [ada]: admins }), "keeps the role GROUP_OWNER");
    expect(membersOf(sandbox)).toEqual({ [ada]: admins, [owner]: owners });
    expect((await outputsOf("people"))?.members).toEqual({ [ada]: admins, [owner]: owners });

    // The next owner is only invited.
    expectLastOwner(await upWith({ [cleo]: owners, [ada]: readers }), "was not removed");
    expect(membersOf(sandbox)).toEqual({ [ada]: readers, [owner]: owners });
    expect(invitedTo(sandbox)).toEqual({ [cleo]: owners });

    // The next owner has accepted.
    sandbox.acceptInvitation(invitationOf(sandbox, cleo).id);
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [ada]: readers, [cleo]: owners });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("is replaced in one up by a member who becomes an owner, or by an account that is added before the removal", async () => {
    const { sandbox, stack, userId, upWith } = await begin({
      accounts: [cleo],
      sandbox: { bypassInvitations: true },
    });
    await succeeded(upWith({ [ada]: owners, [owner]: readers }));
    expect(membersOf(sandbox)).toEqual({ [ada]: owners, [owner]: readers });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });

    sandbox.clearRequests();
    await succeeded(upWith({ [cleo]: owners, [owner]: readers }));
    expect(membersOf(sandbox)).toEqual({ [cleo]: owners, [owner]: readers });
    expect(writes(sandbox).map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /groups/${projectId}/users`,
      `DELETE /groups/${projectId}/users/${userId(ada)}`,
    ]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("is the second of two owners if the program declares neither: the first one is removed", async () => {
    const { sandbox, upWith } = await begin({ members: { [ada]: owners, [ben]: readers } });
    expectLastOwner(await upWith({ [ben]: readers }), "was not removed");
    expect(membersOf(sandbox)).toEqual({ [ben]: readers, [owner]: owners });
  });

  it("is not required in a project that had no owner before", async () => {
    const { sandbox, stack, upWith } = await begin({ members: { [owner]: readers, [ada]: readers } });
    await succeeded(upWith({ [ada]: admins }));
    expect(membersOf(sandbox)).toEqual({ [ada]: admins });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});

// The provider does not rely on the protection by Ops Manager: some versions remove the last owner.
it("a response without the roles that were set causes another read before the next owner is removed, so an owner stays", async () => {
  const { sandbox, upWith } = await begin({ members: { [ada]: owners, [ben]: readers } });
  sandbox.addFault({ method: "POST", fault: { status: 200, body: {}, afterWrite: true } });
  expectLastOwner(await upWith({ [ada]: readers, [ben]: readers }), "was not removed");
  expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST"]);
  expect(membersOf(sandbox)).toEqual(everyone);
});

describe("a preview in which the last owner is removed or replaced (plugin: dynamic previews have no such checks)", () => {
  it("fails if no owner is left, warns if the next owner may only be invited, and accepts a member as the next owner", async () => {
    const { sandbox, previewWith } = await begin();
    // The last owner is removed, then keeps the membership with another role.
    for (const members of [
      { [ada]: readers, [ben]: readers },
      { [owner]: readers, [ada]: readers, [ben]: readers },
    ]) {
      expect(await errorsOf(previewWith(members))).toContain(
        `Project ${projectId} would have no direct owner: ${owner} would be removed or lose GROUP_OWNER. Give GROUP_OWNER to another member`,
      );
    }

    // Ops Manager may add the new owner at once, or only send an invitation.
    const uncertain = await succeeded(previewWith({ [cleo]: owners, [ada]: readers }));
    expect(uncertain.changes).toEqual({ update: 1 });
    expect(messagesOf(uncertain, "warning")).toContain(
      `If the service invites ${cleo} instead of adding them at once, the last direct owner stays until they accept.`,
    );

    const certain = await succeeded(previewWith({ [ada]: owners }));
    expect(messagesOf(certain, "warning")).toBe("");
    expect(writes(sandbox)).toEqual([]);
  });
});
