/** The life of a member of a project, as `pulumi` shows it. What is sent and recorded: test/integration/members. */
import { keepDefault, succeeded } from "../../support";
import { ada, adaOn, roles } from "../support/ada";
import { differences } from "../support/differences";
import { invitationOf, invitedTo, membersOf, nothing, upAgain } from "../support/people-program";
import { bothProviders, changedPaths, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const { inviteAda } = adaOn(setUpStack);

it.each(bothProviders)(
  "a person without an account is invited, accepts, is corrected, added again and taken back (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const { personAddedAgain, recordsAcceptance, shownPaths } = differences[provider];
    const { setup, sandbox, stack, projectId, invitation } = await inviteAda({ provider });
    const { id, createdAt, expiresAt } = invitation;
    expect(writes(sandbox)).toEqual([
      { method: "POST", path: `/groups/${projectId}/invites`, body: { username: ada, roles } },
    ]);
    const pending = { invitationId: id, createdAt, expiresAt, inviterUsername: sandbox.publicKey };
    expect(await stack.resource("ada")).toMatchObject({
      id: `${projectId}/${ada}`,
      outputs: { status: "pending", username: ada, roles, origin: "created", ...pending },
    });

    const { id: userId } = sandbox.acceptInvitation(id);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    expect(await upAgain(setup)).toEqual(nothing);
    if (recordsAcceptance === "refresh") await succeeded(stack.refresh());
    const accepted = await stack.resource("ada");
    expect(accepted).toMatchObject({ outputs: { status: "active", username: ada, userId, roles } });
    const fields = Object.keys(accepted?.outputs ?? {});
    expect(fields.filter((field) => Object.keys(pending).includes(field))).toEqual([]);

    sandbox.setMember(projectId, { username: ada }, ["GROUP_OWNER", "GROUP_READ_ONLY"]);
    sandbox.clearRequests();
    const preview = await succeeded(stack.preview());
    expect(changedPaths(preview, "ada")).toEqual(shownPaths({ "roles[0]": "delete" }));
    expect(writes(sandbox)).toEqual([]);
    const added = {
      method: "POST",
      path: `/groups/${projectId}/users`,
      body: [{ id: userId, roles: [{ roleName: "GROUP_READ_ONLY" }] }],
    };
    expect(await upAgain(setup)).toEqual({ changes: { update: 1 }, writes: [added] });
    expect(membersOf(sandbox)).toMatchObject({ [ada]: roles });

    sandbox.removeMember(projectId, { username: ada });
    const changes = { [personAddedAgain]: 1 };
    expect((await succeeded(stack.preview())).changes).toEqual(changes);
    expect(await upAgain(setup)).toEqual({ changes, writes: [added] });
    expect(invitedTo(sandbox)).toEqual({ [ada]: roles });
    const { id: lastId } = invitationOf(sandbox, ada);
    expect(await stack.resource("ada")).toMatchObject({
      id: `${projectId}/${ada}`,
      outputs: { status: "pending", invitationId: lastId },
    });

    sandbox.clearRequests();
    expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `/groups/${projectId}/invites/${lastId}` }]);
    expect((await stack.state()).resources).toEqual([]);
  },
);

describe("without the refresh before an update (plugin; the dynamic provider never has it)", () => {
  it("an invitation is read all the same until it is accepted, is sent again if it was taken back, and is read no longer once it is accepted", async () => {
    const circumstances = { provider: "plugin", refreshBeforeUpdate: false } as const;
    const { setup, sandbox, stack, projectId, invitation } = await inviteAda(circumstances);
    sandbox.removeInvitation(invitation.id);
    expect((await upAgain(setup)).changes).toEqual({ create: 1 });
    expect(invitedTo(sandbox)).toEqual({ [ada]: ["GROUP_READ_ONLY"] });
    expect(await upAgain(setup)).toEqual(nothing);

    sandbox.acceptInvitation(invitationOf(sandbox, ada).id);
    expect(await upAgain(setup)).toEqual(nothing);
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", username: ada } });

    sandbox.setMember(projectId, { username: ada }, ["GROUP_OWNER"]);
    expect(await upAgain(setup)).toEqual(nothing);
    expect(sandbox.requests).toEqual([]);
    expect((await succeeded(stack.preview({ refresh: true }))).changes).toEqual({ update: 1 });
  });
});
