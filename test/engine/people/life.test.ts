/** The lifecycle of a member of a project, each step with a plain `preview` and a plain `up`. */
import { succeeded } from "../../support";
import { ada, adaOn, owner } from "../support/ada";
import { invitationOf, invitedTo, membersOf, nothing, upAgain } from "../support/people-program";
import { bothProviders, changedPaths, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const { inviteAda } = adaOn(setUpStack);

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
