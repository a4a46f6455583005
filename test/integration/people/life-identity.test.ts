/** Who a person is: an account, whatever its name is spelled like, or an invitation, whatever came of it. */

import { ada, adaOn, owner, roles } from "../../engine/support/ada";
import {
  invitationOf,
  invitedTo,
  memberProgram,
  membersOf,
  nothing,
  upAgain,
} from "../../engine/support/people-program";
import { bothProviders, changedPaths, messagesOf, writes } from "../../engine/support/project-program";
import { type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

const { addAda, declareAda } = adaOn(setUpStack);

const renamed = "ada.lovelace@example.com";

/** If nothing differs, the host of dynamic providers leaves the state as it is, with the old name. */
const renamedRecords = [
  { provider: "plugin", recorded: renamed },
  { provider: "dynamic", recorded: ada },
] as const;

describe.each(renamedRecords)(
  "a username that changes in Ops Manager ($provider)",
  ({ provider, recorded }) => {
    it("leaves them the same person: no difference, and destroying removes them under the new name", async () => {
      const { setup, sandbox, stack, projectId, userId } = await addAda({ provider });
      sandbox.changeUser(userId, { username: renamed });
      expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
      expect(await upAgain(setup)).toEqual(nothing);
      expect(await stack.resource("ada")).toMatchObject({
        id: `${projectId}/${ada}`,
        inputs: { username: ada },
        outputs: { username: recorded, userId },
      });
      sandbox.clearRequests();
      await succeeded(stack.destroy());
      expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `/groups/${projectId}/users/${userId}` }]);
      expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"] });
      expect(await stack.resource("ada")).toBeUndefined();
    });

    it("may be written into the program, or not: both spellings are the same person", async () => {
      const { setup, sandbox, stack, projectId, userId } = await addAda({ provider });
      sandbox.changeUser(userId, { username: renamed });
      await stack.setProgram(memberProgram({ projectId, username: renamed, roles }));
      expect(await upAgain(setup)).toEqual(nothing);
      expect(await upAgain(setup)).toEqual(nothing);
      expect(await stack.resource("ada")).toMatchObject({ id: `${projectId}/${ada}`, outputs: { userId } });

      const other = ["GROUP_DATA_ACCESS_ADMIN"];
      await stack.setProgram(memberProgram({ projectId, username: renamed, roles: other }));
      expect(await upAgain(setup)).toMatchObject({
        changes: { update: 1 },
        writes: [{ method: "POST", path: `/groups/${projectId}/users`, body: [{ id: userId }] }],
      });
      expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"], [renamed]: other });
      expect(await upAgain(setup)).toEqual(nothing);
    });
  },
);

describe("a username that changes in Ops Manager (plugin)", () => {
  it("does not keep drift of the roles from being corrected", async () => {
    const { setup, sandbox, projectId, userId } = await addAda({ provider: "plugin" });
    sandbox.changeUser(userId, { username: renamed });
    sandbox.setMember(projectId, { id: userId }, ["GROUP_OWNER"]);
    expect(await upAgain(setup)).toMatchObject({
      changes: { update: 1 },
      writes: [{ method: "POST", path: `/groups/${projectId}/users`, body: [{ id: userId }] }],
    });
    expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"], [renamed]: roles });
    expect(await upAgain(setup)).toEqual(nothing);
  });
});

describe.each(bothProviders)("another person in the program (%s)", (provider) => {
  it("replaces a member who was removed outside Pulumi, and is added before the previous member is removed", async () => {
    const { setup, sandbox, stack, projectId } = await addAda({ provider });
    const grace = "grace@example.com";
    sandbox.removeMember(projectId, { username: ada });
    await stack.setProgram(memberProgram({ projectId, username: grace, roles }));
    await succeeded(stack.up());
    expect(invitedTo(sandbox)).toEqual({ [grace]: roles });
    expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"] });
    expect(await stack.resource("ada")).toMatchObject({ id: `${projectId}/${grace}` });
    expect(await upAgain(setup)).toEqual(nothing);

    const { id: userId } = sandbox.acceptInvitation(invitationOf(sandbox, grace).id);
    await succeeded(stack.refresh());
    sandbox.clearRequests();
    const hedy = "hedy@example.com";
    await stack.setProgram(memberProgram({ projectId, username: hedy, roles }));
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ replace: 1 });
    await succeeded(stack.up());
    expect(writes(sandbox)).toMatchObject([
      { method: "POST", path: `/groups/${projectId}/invites` },
      { method: "DELETE", path: `/groups/${projectId}/users/${userId}` },
    ]);
    expect(invitedTo(sandbox)).toEqual({ [hedy]: roles });
    expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"] });
    expect(await stack.resource("ada")).toMatchObject({ id: `${projectId}/${hedy}` });
    expect(await upAgain(setup)).toEqual(nothing);
  });
});

const member = { users: [], projects: [{ name: "payments", members: { [ada]: roles } }] };

/** A stack whose program names Ada by her account; its first `up` is still to come. */
async function declareAccount(provider: ProviderKind, properties: Readonly<Record<string, unknown>> = {}) {
  const arrived = await declareAda({ provider, sandbox: { seed: member } });
  const userId = arrived.sandbox.user({ username: ada })?.id ?? "";
  const { projectId, stack } = arrived;
  await stack.setProgram(memberProgram({ projectId, userId, ...properties }));
  return { ...arrived, userId };
}

describe.each(bothProviders)("a person named by userId (%s)", (provider) => {
  it("is the same one when the program names them by username from now on, or by both", async () => {
    const { setup, stack, projectId, userId } = await declareAccount(provider, { roles });
    await succeeded(stack.up());
    for (const who of [{ username: ada }, { username: ada, userId }, { userId }]) {
      await stack.setProgram(memberProgram({ projectId, ...who, roles }));
      expect(await upAgain(setup)).toEqual(nothing);
    }
    expect(await stack.resource("ada")).toMatchObject({ id: `${projectId}/${ada}` });
  });
});

describe("a person named by userId (plugin)", () => {
  it("without roles has whatever roles Ops Manager has; roles in the program are managed until they are taken away, and again when they come back", async () => {
    const { setup, sandbox, stack, projectId, userId } = await declareAccount("plugin");
    const membersAfterUp = async () => ({ ...(await upAgain(setup)), members: membersOf(sandbox) });
    expect((await upAgain(setup)).writes).toEqual([]);
    expect(await stack.resource("ada")).toMatchObject({
      id: `${projectId}/${ada}`,
      outputs: { status: "active", username: ada, userId, roles, origin: "adopted" },
    });

    // Without roles they are recorded, never sent, and never a difference.
    sandbox.setMember(projectId, { id: userId }, ["GROUP_OWNER"]);
    expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect(await membersAfterUp()).toEqual({ ...nothing, members: { [ada]: ["GROUP_OWNER"] } });

    // Taken away again: shown as a deletion, logged, nothing sent.
    sandbox.setMember(projectId, { id: userId }, roles);
    await stack.setProgram(memberProgram({ projectId, userId, roles }));
    await succeeded(stack.up());
    await stack.setProgram(memberProgram({ projectId, userId }));
    const preview = await succeeded(stack.preview());
    expect({ ...preview.changes, ...changedPaths(preview, "ada") }).toEqual({ update: 1, roles: "delete" });
    sandbox.clearRequests();
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ update: 1 });
    expect(messagesOf(up, "info")).toContain(`roles of ${ada} are no longer managed; nothing was sent`);
    expect(writes(sandbox)).toEqual([]);
    expect(await upAgain(setup)).toEqual(nothing);
    sandbox.setMember(projectId, { id: userId }, ["GROUP_OWNER"]);
    expect(await membersAfterUp()).toEqual({ ...nothing, members: { [ada]: ["GROUP_OWNER"] } });

    // Back in the program they are managed again.
    await stack.setProgram(memberProgram({ projectId, userId, roles }));
    sandbox.setMember(projectId, { username: owner }, ["GROUP_OWNER"]);
    expect(await membersAfterUp()).toMatchObject({ changes: { update: 1 }, members: { [ada]: roles } });
    expect(await upAgain(setup)).toEqual(nothing);
  });

  it("is added by it where they are not in the project", async () => {
    const { setup, sandbox, stack, projectId, userId } = await declareAccount("plugin");
    sandbox.removeMember(projectId, { id: userId });
    await stack.setProgram(memberProgram({ projectId, userId, roles }));
    await succeeded(stack.up());
    expect(writes(sandbox)).toMatchObject([{ method: "POST", path: `/groups/${projectId}/users` }]);
    expect(await stack.resource("ada")).toMatchObject({
      outputs: { status: "pending", username: ada, invitationId: invitationOf(sandbox, ada).id },
    });
    expect(await upAgain(setup)).toEqual(nothing);
    sandbox.acceptInvitation(invitationOf(sandbox, ada).id);
    expect(await upAgain(setup)).toEqual(nothing);
    await succeeded(stack.destroy());
    expect(membersOf(sandbox)).toEqual({});
  });
});

/** A stack whose program names Ada by her invitation; its first `up` is still to come. */
async function declareInvitation(provider: ProviderKind, properties: Readonly<Record<string, unknown>> = {}) {
  const arrived = await declareAda({ provider });
  const { sandbox, stack, projectId } = arrived;
  const { id: invitationId } = sandbox.addInvitation(projectId, { username: ada, roles });
  await stack.setProgram(memberProgram({ projectId, invitationId, ...properties }));
  return { ...arrived, invitationId };
}

/** If nothing differs, the host of dynamic providers leaves the state as it is, with the invitation. */
const acceptedRecords = [
  { provider: "plugin", status: "active", hasInvitation: false, hasAccount: true },
  { provider: "dynamic", status: "pending", hasInvitation: true, hasAccount: false },
] as const;

describe.each(acceptedRecords)("a person named by invitationId ($provider)", ({ provider, ...accepted }) => {
  it("stays the same person after they accepted, and is removed as a member", async () => {
    const { setup, sandbox, stack, projectId, invitationId } = await declareInvitation(provider);
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("ada")).toMatchObject({
      id: `${projectId}/${ada}`,
      outputs: { status: "pending", username: ada, invitationId, roles, origin: "adopted" },
    });
    expect(await upAgain(setup)).toEqual(nothing);

    const { id: userId } = sandbox.acceptInvitation(invitationId);
    sandbox.setMember(projectId, { id: userId }, ["GROUP_DATA_ACCESS_ADMIN"]);
    expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect(await upAgain(setup)).toEqual(nothing);
    const { status, username, ...outputs } = (await stack.resource("ada"))?.outputs ?? {};
    const hasInvitation = "invitationId" in outputs;
    expect({ status, username, hasInvitation, hasAccount: outputs.userId === userId }).toEqual({
      ...accepted,
      username: ada,
    });
    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `/groups/${projectId}/users/${userId}` }]);
    expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"] });
  });
});

describe("a person named by invitationId (plugin)", () => {
  it("with roles has them in the invitation and as a member, and can be named by username before and after they accepted", async () => {
    const declared = ["GROUP_DATA_ACCESS_ADMIN"];
    const { setup, sandbox, stack, projectId, invitationId } = await declareInvitation("plugin", {
      roles: declared,
    });
    await succeeded(stack.up());
    expect(writes(sandbox)).toMatchObject([{ method: "PATCH", body: { roles: declared } }]);
    expect(await upAgain(setup)).toEqual(nothing);

    await stack.setProgram(memberProgram({ projectId, username: ada, invitationId, roles: declared }));
    expect(await upAgain(setup)).toEqual(nothing);
    const { id: userId } = sandbox.acceptInvitation(invitationId);
    expect(await upAgain(setup)).toEqual(nothing);

    await stack.setProgram(memberProgram({ projectId, invitationId, roles: declared }));
    expect(await upAgain(setup)).toEqual(nothing);
    sandbox.setMember(projectId, { id: userId }, ["GROUP_OWNER"]);
    expect((await upAgain(setup)).changes).toEqual({ update: 1 });
    expect(membersOf(sandbox)).toMatchObject({ [ada]: declared });
    expect(await upAgain(setup)).toEqual(nothing);

    await stack.setProgram(memberProgram({ projectId, username: ada, roles: declared }));
    expect(await upAgain(setup)).toEqual(nothing);
  });
});
