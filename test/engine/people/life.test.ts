/** The lifecycle of a member of a project, each step with a plain `preview` and a plain `up`. */
import { succeeded } from "../../support";
import { ada, adaOn, owner } from "../support/ada";
import {
  invitationOf,
  invitationsTo,
  invitedTo,
  membersOf,
  nothing,
  upAgain,
} from "../support/people-program";
import { bothProviders, changedPaths, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const { addAda, inviteAda } = adaOn(setUpStack);

describe.each(bothProviders)("a person without an account (%s)", (provider) => {
  // The host of the dynamic provider has no refresh before an update: an update restores a removed member.
  const comesBack = provider === "plugin" ? { create: 1 } : { update: 1 };

  it("is invited, accepts, gets other roles outside Pulumi, is removed outside Pulumi, and each up corrects that; destroying takes the invitation back", async () => {
    const { setup, sandbox, stack, projectId, invitation } = await inviteAda({ provider });
    expect(writes(sandbox)).toEqual([
      {
        method: "POST",
        path: `/groups/${projectId}/invites`,
        body: { username: ada, roles: ["GROUP_READ_ONLY"] },
      },
    ]);
    expect(await stack.resource("ada")).toMatchObject({
      id: `${projectId}/${ada}`,
      outputs: {
        status: "pending",
        username: ada,
        roles: ["GROUP_READ_ONLY"],
        invitationId: invitation.id,
        createdAt: invitation.createdAt,
        expiresAt: invitation.expiresAt,
        inviterUsername: sandbox.publicKey,
        groupName: "payments",
        orgId: sandbox.orgId,
        origin: "created",
        onDestroy: "remove",
      },
    });
    expect(await upAgain(setup)).toEqual(nothing);

    const { id: userId } = sandbox.acceptInvitation(invitation.id);
    expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect(await upAgain(setup)).toEqual(nothing);
    // ... and a plain up of the dynamic provider leaves the record as it is where nothing differs.
    if (provider === "dynamic") await succeeded(stack.refresh());
    const accepted = await stack.resource("ada");
    expect(accepted).toMatchObject({
      id: `${projectId}/${ada}`,
      outputs: { status: "active", username: ada, userId, roles: ["GROUP_READ_ONLY"], origin: "created" },
    });
    expect(Object.keys(accepted?.outputs ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(invitationId|createdAt|expiresAt|inviterUsername)$/)]),
    );
    expect(await upAgain(setup)).toEqual(nothing);

    sandbox.setMember(projectId, { username: ada }, ["GROUP_OWNER", "GROUP_READ_ONLY"]);
    const drift = await succeeded(stack.preview());
    expect(drift.changes).toEqual({ update: 1 });
    if (provider === "plugin") expect(changedPaths(drift, "ada")).toEqual({ "roles[0]": "delete" });
    expect(membersOf(sandbox)).toMatchObject({ [ada]: ["GROUP_OWNER", "GROUP_READ_ONLY"] });
    expect(await upAgain(setup)).toEqual({
      changes: { update: 1 },
      writes: [
        {
          method: "POST",
          path: `/groups/${projectId}/users`,
          body: [{ id: userId, roles: [{ roleName: "GROUP_READ_ONLY" }] }],
        },
      ],
    });
    expect(membersOf(sandbox)).toMatchObject({ [ada]: ["GROUP_READ_ONLY"] });
    expect(await upAgain(setup)).toEqual(nothing);

    sandbox.removeMember(projectId, { username: ada });
    expect((await succeeded(stack.preview())).changes).toEqual(comesBack);
    expect(Object.keys(membersOf(sandbox))).toEqual([owner]);
    // She has an account now, which would allow adding her; the service invites her all the same.
    expect(await upAgain(setup)).toEqual({
      changes: comesBack,
      writes: [
        {
          method: "POST",
          path: `/groups/${projectId}/users`,
          body: [{ id: userId, roles: [{ roleName: "GROUP_READ_ONLY" }] }],
        },
      ],
    });
    expect(invitedTo(sandbox)).toEqual({ [ada]: ["GROUP_READ_ONLY"] });
    expect(await stack.resource("ada")).toMatchObject({
      id: `${projectId}/${ada}`,
      outputs: { status: "pending", invitationId: invitationOf(sandbox, ada).id },
    });
    expect(await upAgain(setup)).toEqual(nothing);

    const { id: invitationId } = invitationOf(sandbox, ada);
    sandbox.clearRequests();
    expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
    expect(writes(sandbox)).toEqual([
      { method: "DELETE", path: `/groups/${projectId}/invites/${invitationId}` },
    ]);
    expect(invitedTo(sandbox)).toEqual({});
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

describe.each(["gone", "shown"] as const)("an expired invitation is %s (plugin)", (expiredInvitation) => {
  it("an invitation that got other roles, was taken back or has expired is corrected by one up", async () => {
    const { setup, sandbox, stack, projectId, invitation } = await inviteAda({
      provider: "plugin",
      sandbox: { seed: { projects: [{ name: "payments" }] }, expiredInvitation },
    });

    // Other roles: the preview shows them, and the up restores the declared ones.
    sandbox.removeInvitation(invitation.id);
    const { id } = sandbox.addInvitation(projectId, { username: ada, roles: ["GROUP_OWNER"] });
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    expect(changedPaths(preview, "ada")).toEqual({ "roles[0]": "update" });
    expect(await upAgain(setup)).toEqual({
      changes: { update: 1 },
      writes: [
        { method: "PATCH", path: `/groups/${projectId}/invites/${id}`, body: { roles: ["GROUP_READ_ONLY"] } },
      ],
    });
    expect(invitedTo(sandbox)).toEqual({ [ada]: ["GROUP_READ_ONLY"] });
    expect(await stack.resource("ada")).toMatchObject({ outputs: { invitationId: id } });
    expect(await upAgain(setup)).toEqual(nothing);

    // Taken back: the person is invited again.
    sandbox.removeInvitation(id);
    expect((await succeeded(stack.preview())).changes).toEqual({ create: 1 });
    expect(invitedTo(sandbox)).toEqual({});
    const afterRemoval = await upAgain(setup);
    expect(afterRemoval.changes).toEqual({ create: 1 });
    expect(afterRemoval.writes).toMatchObject([{ method: "POST", path: `/groups/${projectId}/invites` }]);
    const second = invitationOf(sandbox, ada);
    expect(await stack.resource("ada")).toMatchObject({
      outputs: { status: "pending", invitationId: second.id, origin: "created" },
    });
    expect(await upAgain(setup)).toEqual(nothing);

    // Expired: the person is invited again, whether or not Ops Manager still lists the expired invitation.
    sandbox.expireInvitation(second.id);
    expect((await succeeded(stack.preview())).changes).toEqual({ create: 1 });
    const afterExpiry = await upAgain(setup);
    expect(afterExpiry.changes).toEqual({ create: 1 });
    expect(afterExpiry.writes).toMatchObject([{ method: "POST", path: `/groups/${projectId}/invites` }]);
    const [renewed, ...others] = invitationsTo(sandbox).filter((candidate) => candidate.id !== second.id);
    expect(renewed).toMatchObject({ username: ada, roles: ["GROUP_READ_ONLY"] });
    expect(others).toEqual([]);
    expect(await stack.resource("ada")).toMatchObject({
      outputs: { status: "pending", invitationId: renewed?.id, expiresAt: renewed?.expiresAt },
    });
    expect(await upAgain(setup)).toEqual(nothing);
  });
});

describe("a member whose account was deleted (plugin)", () => {
  it("is invited by name again: the account that is recorded leads nowhere", async () => {
    const { setup, sandbox, stack, projectId, userId } = await addAda({ provider: "plugin" });
    sandbox.removeMember(projectId, { id: userId });
    // The sandbox deletes no accounts: this one can no longer be found by name or id.
    sandbox.changeUser(userId, { username: "unknown@example.com" });
    const deleted = { error: 404, reason: "Not Found", errorCode: "USER_NOT_FOUND", detail: "No such user." };
    sandbox.addFault({ pathPattern: `/users/${userId}`, times: 0, fault: { status: 404, body: deleted } });
    expect(await upAgain(setup)).toMatchObject({
      writes: [{ method: "POST", path: `/groups/${projectId}/invites`, body: { username: ada } }],
    });
    expect(invitedTo(sandbox)).toEqual({ [ada]: ["GROUP_READ_ONLY"] });
    const recorded = await stack.resource("ada");
    expect(recorded).toMatchObject({ outputs: { status: "pending" } });
    expect(recorded?.outputs).not.toHaveProperty("userId");
    expect(await upAgain(setup)).toEqual(nothing);
  });
});

describe("without the refresh before an update (plugin; the dynamic provider never has it)", () => {
  it("an invitation is read all the same until it is accepted, is sent again if it was taken back, and is read no longer once it is accepted", async () => {
    const circumstances = { provider: "plugin", refreshBeforeUpdate: false } as const;
    const { setup, sandbox, stack, projectId, invitation } = await inviteAda(circumstances);
    expect(await upAgain(setup)).toEqual(nothing);
    expect(sandbox.requests).toContainEqual(
      expect.objectContaining({ method: "GET", path: `/api/public/v1.0/groups/${projectId}/invites` }),
    );

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
