/** How a person gets into a project: at once, by an invitation, or found there already. */

import { ada, adaOn, owner, roles } from "../../engine/support/ada";
import {
  invitationOf,
  invitationsTo,
  invitedTo,
  membersOf,
  nothing,
  paymentsId,
  upAgain,
} from "../../engine/support/people-program";
import { changedPaths, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

const { addAda, declareAda, inviteAda } = adaOn(setUpStack);

const withAccount = { users: [{ username: ada }], projects: [{ name: "payments" }] };

describe("a service that adds accounts without an invitation (plugin)", () => {
  it("has a person with an account in the project after one up", async () => {
    const { setup, sandbox, stack } = await declareAda({
      provider: "plugin",
      sandbox: { bypassInvitations: true, seed: withAccount },
    });
    const userId = sandbox.user({ username: ada })?.id;
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([
      {
        method: "POST",
        path: `/groups/${paymentsId(sandbox)}/users`,
        body: [{ id: userId, roles: [{ roleName: "GROUP_READ_ONLY" }] }],
      },
    ]);
    expect(membersOf(sandbox)).toEqual({ [ada]: roles });
    const recorded = await stack.resource("ada");
    expect(recorded).toMatchObject({
      id: `${paymentsId(sandbox)}/${ada}`,
      outputs: { status: "active", userId, roles, groupName: "payments", origin: "created" },
    });
    expect(recorded?.outputs).not.toHaveProperty("invitationId");
    expect(await upAgain(setup)).toEqual(nothing);
  });

  it("are added as well if this key may not look up accounts and the invitation returns no body", async () => {
    const { setup, sandbox, stack } = await declareAda({
      provider: "plugin",
      sandbox: { bypassInvitations: true, seed: withAccount },
    });
    const refused = { error: 401, reason: "Unauthorized", errorCode: "NOT_USER_ADMIN", detail: "Not yours." };
    sandbox.addFault({ method: "GET", pathPattern: "/users/byName/", fault: { status: 401, body: refused } });
    await succeeded(stack.up());
    expect(writes(sandbox)).toMatchObject([
      { method: "POST", path: `/groups/${paymentsId(sandbox)}/invites` },
    ]);
    expect(membersOf(sandbox)).toEqual({ [ada]: roles });
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", origin: "created" } });
    expect(await upAgain(setup)).toEqual(nothing);
  });
});

describe("a service that requires the user's consent (plugin)", () => {
  it("makes an invitation of adding an account, and the person is recorded as pending", async () => {
    const { setup, sandbox, stack } = await declareAda({
      provider: "plugin",
      sandbox: { seed: withAccount },
    });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([
      {
        method: "POST",
        path: `/groups/${paymentsId(sandbox)}/users`,
        body: [{ id: sandbox.user({ username: ada })?.id, roles: [{ roleName: "GROUP_READ_ONLY" }] }],
      },
    ]);
    expect(membersOf(sandbox)).toEqual({});
    const { id: invitationId } = invitationOf(sandbox, ada);
    expect(await stack.resource("ada")).toMatchObject({
      outputs: { status: "pending", invitationId, roles, origin: "created" },
    });
    expect(await upAgain(setup)).toEqual(nothing);

    sandbox.acceptInvitation(invitationId);
    expect(await upAgain(setup)).toEqual(nothing);
    expect(membersOf(sandbox)).toEqual({ [ada]: roles });
  });
});

// The dynamic provider's Create is not called in a preview.
describe.each([
  { provider: "plugin", previewsCreate: true },
  { provider: "dynamic", previewsCreate: false },
] as const)("a person who is there already ($provider)", ({ provider, previewsCreate }) => {
  it("is adopted as a member: the roles they lose are named, they have the declared ones, and they count as created once they were removed and added again", async () => {
    const members = {
      [owner]: ["GROUP_OWNER"],
      [ada]: ["GROUP_OWNER", "GROUP_DATA_ACCESS_ADMIN"],
    };
    const { setup, sandbox, stack } = await declareAda({
      provider,
      sandbox: { bypassInvitations: true, seed: { projects: [{ name: "payments", members }] } },
    });
    const { id: userId } = sandbox.user({ username: ada }) ?? {};
    const announced =
      /ada@example\.com is in project \w+ already: roles GROUP_DATA_ACCESS_ADMIN, GROUP_OWNER become GROUP_READ_ONLY/;
    const preview = await succeeded(stack.preview());
    expect(announced.test(messagesOf(preview, "info"))).toBe(previewsCreate);
    expect(writes(sandbox)).toEqual([]);

    expect(messagesOf(await succeeded(stack.up()), "info")).toMatch(announced);
    expect(writes(sandbox)).toEqual([
      {
        method: "POST",
        path: `/groups/${paymentsId(sandbox)}/users`,
        body: [{ id: userId, roles: [{ roleName: "GROUP_READ_ONLY" }] }],
      },
    ]);
    expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"], [ada]: roles });
    expect(await stack.resource("ada")).toMatchObject({
      outputs: { status: "active", userId, roles, origin: "adopted" },
    });
    expect(await upAgain(setup)).toEqual(nothing);

    // A member who was removed outside Pulumi and added again by the stack is the stack's own.
    sandbox.removeMember(paymentsId(sandbox), { username: ada });
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"], [ada]: roles });
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", origin: "created" } });
  });
});

describe("a person who is there already (plugin)", () => {
  it("is adopted as invited: the invitation gets the declared roles", async () => {
    const invitations = [{ username: "Ada@Example.com", roles: ["GROUP_OWNER"] }];
    const { setup, sandbox, stack } = await declareAda({
      provider: "plugin",
      sandbox: { seed: { projects: [{ name: "payments", invitations }] } },
    });
    const [invitation] = invitationsTo(sandbox);
    const up = await succeeded(stack.up());
    expect(messagesOf(up, "info")).toMatch(
      /Ada@Example\.com is invited to project \w+ already: roles GROUP_OWNER become GROUP_READ_ONLY/,
    );
    expect(writes(sandbox)).toEqual([
      { method: "PATCH", path: `/groups/${paymentsId(sandbox)}/invites/${invitation?.id}`, body: { roles } },
    ]);
    expect(invitationsTo(sandbox)).toEqual([{ ...invitation, roles }]);
    expect(await stack.resource("ada")).toMatchObject({
      // As the program writes it; the output is spelled as the service has it.
      id: `${paymentsId(sandbox)}/${ada}`,
      outputs: {
        status: "pending",
        username: "Ada@Example.com",
        invitationId: invitation?.id,
        origin: "adopted",
      },
    });
    expect(await upAgain(setup)).toEqual(nothing);
  });

  it.each([
    ["member", { members: { [ada]: roles } }],
    ["invited", { invitations: [{ username: ada, roles }] }],
  ])(
    "is adopted without a write where the roles are equal, and a message reports that they leave with the resource (%s)",
    async (_, people) => {
      const { setup, sandbox, stack } = await declareAda({
        provider: "plugin",
        sandbox: { seed: { projects: [{ name: "payments", ...people }] } },
      });
      const up = await succeeded(stack.up());
      expect(writes(sandbox)).toEqual([]);
      expect(messagesOf(up)).toContain(
        "already. From now on this resource manages this person: destroying it, or removing it from the program, removes them",
      );
      expect(await stack.resource("ada")).toMatchObject({
        outputs: { username: ada, roles, origin: "adopted" },
      });
      expect(await upAgain(setup)).toEqual(nothing);
    },
  );
});

describe("a person whose roles do not come from the project itself (plugin)", () => {
  const comesBack = { create: 1 };

  it.each([
    ["a team", { teams: [{ name: "platform", usernames: [ada] }] }],
    [
      "the organization",
      { users: [{ username: ada, roles: [{ orgId: "0".repeat(24), roleName: "ORG_OWNER" }] }] },
    ],
  ])(
    "through %s is no member: they are added, and no longer listed once they are removed",
    async (_, people) => {
      const seed = { orgs: [{ id: "0".repeat(24) }], projects: [{ name: "payments" }], ...people };
      const { setup, sandbox, stack } = await declareAda({
        provider: "plugin",
        sandbox: { bypassInvitations: true, seed },
      });
      const projectId = paymentsId(sandbox);
      for (const { id: teamId } of sandbox.state.teams) {
        sandbox.setProjectTeam(projectId, { teamId, roleNames: ["GROUP_OWNER"] });
      }
      await succeeded(stack.up());
      expect(writes(sandbox)).toMatchObject([{ method: "POST", path: `/groups/${projectId}/users` }]);
      expect(membersOf(sandbox)).toEqual({ [ada]: roles });
      expect(await stack.resource("ada")).toMatchObject({
        outputs: { status: "active", roles, origin: "created" },
      });
      expect(await upAgain(setup)).toEqual(nothing);

      sandbox.removeMember(projectId, { username: ada });
      expect((await succeeded(stack.preview())).changes).toEqual(comesBack);
      expect((await upAgain(setup)).changes).toEqual(comesBack);
      expect(membersOf(sandbox)).toEqual({ [ada]: roles });
      expect(await upAgain(setup)).toEqual(nothing);
    },
  );
});

describe("an invitation that changes outside Pulumi is corrected by one up (plugin)", () => {
  // A plain preview shows what happened to an invitation, also without the refresh before an update.
  const begin = (sandbox: object = {}) =>
    inviteAda({ provider: "plugin", sandbox: { seed: { projects: [{ name: "payments" }] }, ...sandbox } });

  it("where it got other roles", async () => {
    const { setup, sandbox, stack, projectId, invitation } = await begin();
    sandbox.removeInvitation(invitation.id);
    const { id } = sandbox.addInvitation(projectId, { username: ada, roles: ["GROUP_OWNER"] });
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    expect(changedPaths(preview, "ada")).toEqual({ "roles[0]": "update" });
    expect(await upAgain(setup)).toEqual({
      changes: { update: 1 },
      writes: [{ method: "PATCH", path: `/groups/${projectId}/invites/${id}`, body: { roles } }],
    });
    expect(invitedTo(sandbox)).toEqual({ [ada]: roles });
    expect(await stack.resource("ada")).toMatchObject({ outputs: { invitationId: id } });
    expect(await upAgain(setup)).toEqual(nothing);
  });

  // An expired invitation may still be listed.
  it.each([
    ["was taken back", "removeInvitation", {}],
    ["has expired", "expireInvitation", {}],
    ["has expired and is shown", "expireInvitation", { expiredInvitation: "shown" }],
  ] as const)("where it %s: the person is invited again", async (_, end, switches) => {
    const { setup, sandbox, stack, projectId, invitation } = await begin(switches);
    sandbox[end](invitation.id);
    expect((await succeeded(stack.preview())).changes).toEqual({ create: 1 });
    expect(await upAgain(setup)).toMatchObject({
      changes: { create: 1 },
      writes: [{ method: "POST", path: `/groups/${projectId}/invites` }],
    });
    const [renewed, ...others] = invitationsTo(sandbox).filter(({ id }) => id !== invitation.id);
    expect(renewed).toMatchObject({ username: ada, roles });
    expect(others).toEqual([]);
    const { id: invitationId, expiresAt } = renewed ?? {};
    expect(await stack.resource("ada")).toMatchObject({
      outputs: { status: "pending", invitationId, expiresAt, origin: "created" },
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
    expect(invitedTo(sandbox)).toEqual({ [ada]: roles });
    const recorded = await stack.resource("ada");
    expect(recorded).toMatchObject({ outputs: { status: "pending" } });
    expect(recorded?.outputs).not.toHaveProperty("userId");
    expect(await upAgain(setup)).toEqual(nothing);
  });
});
