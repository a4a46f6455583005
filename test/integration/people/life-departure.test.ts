/** How a person leaves a project, whatever stage they are at. */

import { ada, adaOn, owner, roles } from "../../engine/support/ada";
import { invitedTo, memberProgram, membersOf, nothing, upAgain } from "../../engine/support/people-program";
import { bothProviders, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

const { addAda, inviteAda } = adaOn(setUpStack);

// That destroying takes a pending invitation back is the end of the life in life.test.ts.
describe.each(bothProviders)("destroying (%s)", (provider) => {
  it("uses the onDestroy of the last up, here release; changing it writes nothing, and the default is no change", async () => {
    const { setup, sandbox, stack, projectId } = await addAda({ provider });
    const properties = { projectId, username: ada, roles };
    await stack.setProgram(memberProgram({ ...properties, onDestroy: "remove" }));
    expect(await upAgain(setup)).toEqual(nothing);
    await stack.setProgram(memberProgram({ ...properties, onDestroy: "release" }));
    expect(await upAgain(setup)).toEqual({ changes: { update: 1 }, writes: [] });
    expect(await stack.resource("ada")).toMatchObject({
      outputs: { onDestroy: "release", status: "active" },
    });
    expect(await upAgain(setup)).toEqual(nothing);

    await stack.setProgram(memberProgram(properties));
    const before = { members: membersOf(sandbox), invited: invitedTo(sandbox) };
    const destroy = await succeeded(stack.destroy());
    expect(destroy.changes).toEqual({ delete: 1 });
    expect(messagesOf(destroy, "info")).toContain(`${ada} was released and is not changed in project`);
    expect(writes(sandbox)).toEqual([]);
    expect({ members: membersOf(sandbox), invited: invitedTo(sandbox) }).toEqual(before);
    expect(membersOf(sandbox)).toMatchObject({ [ada]: roles });
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

describe("destroying (plugin)", () => {
  it("with release leaves a pending person's invitation unchanged", async () => {
    const { sandbox, stack } = await inviteAda({ provider: "plugin", properties: { onDestroy: "release" } });
    sandbox.clearRequests();
    const before = { members: membersOf(sandbox), invited: invitedTo(sandbox) };
    const destroy = await succeeded(stack.destroy());
    expect(destroy.changes).toEqual({ delete: 1 });
    expect(messagesOf(destroy, "info")).toContain(`${ada} was released and is not changed in project`);
    expect(writes(sandbox)).toEqual([]);
    expect({ members: membersOf(sandbox), invited: invitedTo(sandbox) }).toEqual(before);
    expect(Object.keys({ ...before.members, ...before.invited })).toContain(ada);
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("succeeds where the invitation has expired or was taken back meanwhile", async () => {
    for (const end of ["expireInvitation", "removeInvitation"] as const) {
      const { sandbox, stack, invitation } = await inviteAda({ provider: "plugin" });
      sandbox[end](invitation.id);
      sandbox.clearRequests();
      await succeeded(stack.destroy());
      expect(writes(sandbox)).toEqual([]);
      expect(await stack.resource("ada")).toBeUndefined();
    }
  });

  it("succeeds where the person was removed already", async () => {
    const { sandbox, stack, projectId } = await addAda({ provider: "plugin", refreshBeforeUpdate: false });
    sandbox.removeMember(projectId, { username: ada });
    expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"] });
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("writes nothing where the person is in only through a team by now", async () => {
    const { sandbox, stack, projectId, userId } = await addAda({
      provider: "plugin",
      refreshBeforeUpdate: false,
    });
    sandbox.removeMember(projectId, { username: ada });
    const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [userId] });
    sandbox.setProjectTeam(projectId, { teamId, roleNames: ["GROUP_OWNER"] });
    expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(projectId)?.teams).toEqual([{ teamId, roleNames: ["GROUP_OWNER"] }]);
    expect(sandbox.state.teams).toMatchObject([{ userIds: [userId] }]);
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("removes a member who is in through a team as well from the project only, not from the team", async () => {
    const { sandbox, stack, projectId, userId } = await addAda({ provider: "plugin" });
    const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [userId] });
    sandbox.setProjectTeam(projectId, { teamId, roleNames: ["GROUP_READ_ONLY"] });
    await succeeded(stack.destroy());
    expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"] });
    expect(sandbox.state.teams).toMatchObject([{ userIds: [userId] }]);
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `/groups/${projectId}/users/${userId}` }]);
  });
});

describe("an invitation that is still pending (plugin)", () => {
  it("is taken back together with the membership", async () => {
    const { setup, sandbox, stack, projectId, userId } = await addAda({ provider: "plugin" });
    const extra = sandbox.addInvitation(projectId, { username: "Ada@example.com", roles: ["GROUP_OWNER"] });
    // It gives her nothing until she accepts it, so it is no difference.
    expect(await upAgain(setup)).toEqual(nothing);
    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([
      { method: "DELETE", path: `/groups/${projectId}/users/${userId}` },
      { method: "DELETE", path: `/groups/${projectId}/invites/${extra.id}` },
    ]);
    expect({ members: membersOf(sandbox), invited: invitedTo(sandbox) }).toEqual({
      members: { [owner]: ["GROUP_OWNER"] },
      invited: {},
    });
  });

  it("beside another one of the same person is taken back like that one", async () => {
    const { setup, sandbox, stack, projectId } = await inviteAda({ provider: "plugin" });
    sandbox.addInvitation(projectId, { username: ada, roles });
    sandbox.addInvitation(projectId, { username: "grace@example.com", roles });
    expect(await upAgain(setup)).toEqual(nothing);
    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
    expect(invitedTo(sandbox)).toEqual({ "grace@example.com": roles });
  });
});
