/** Changes to a member during an operation: between its read and its write, or before its response arrives. */

import { ada, adaOn, roles } from "../../engine/support/ada";
import {
  invitationOf,
  invitationsTo,
  invitedTo,
  memberProgram,
  membersOf,
  nothing,
  upAgain,
} from "../../engine/support/people-program";
import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

const { declareAda, inviteAda } = adaOn(setUpStack);

afterEach(tearDownStacks);

describe("an invitation accepted between the read and the write (plugin)", () => {
  it("of an update gives the new member the roles", async () => {
    const { setup, sandbox, stack, projectId, invitation } = await inviteAda({
      provider: "plugin",
    });
    sandbox.clearRequests();
    const { id } = invitation;
    await stack.before("PATCH", /\/invites\//, () => sandbox.acceptInvitation(id));
    await stack.setProgram(memberProgram({ projectId, username: ada, roles: ["GROUP_DATA_ACCESS_ADMIN"] }));
    await succeeded(stack.up());
    const { id: userId } = sandbox.user({ username: ada }) ?? {};
    expect(writes(sandbox)).toMatchObject([
      { method: "PATCH", path: `/groups/${projectId}/invites/${id}` },
      { method: "POST", path: `/groups/${projectId}/users`, body: [{ id: userId }] },
    ]);
    expect(membersOf(sandbox)).toMatchObject({ [ada]: ["GROUP_DATA_ACCESS_ADMIN"] });
    const recorded = await stack.resource("ada");
    expect(recorded).toMatchObject({
      outputs: { status: "active", userId, roles: ["GROUP_DATA_ACCESS_ADMIN"], origin: "created" },
    });
    expect(recorded?.outputs).not.toHaveProperty("invitationId");
    expect(await upAgain(setup)).toEqual(nothing);
  });
});

describe("an invitation canceled between the read and the write (plugin)", () => {
  it("of an update is an error, and the next up invites the person again", async () => {
    const { setup, sandbox, stack, projectId, invitation } = await inviteAda({
      provider: "plugin",
    });
    await stack.before("PATCH", /\/invites\//, () => sandbox.removeInvitation(invitation.id));
    await stack.setProgram(memberProgram({ projectId, username: ada, roles: ["GROUP_DATA_ACCESS_ADMIN"] }));
    expect(await errorsOf(stack.up())).toMatch(/invitation of ada@example\.com.*INVALID_INVITATION_ID/s);

    await succeeded(stack.up());
    expect(invitedTo(sandbox)).toEqual({ [ada]: ["GROUP_DATA_ACCESS_ADMIN"] });
    expect(await upAgain(setup)).toEqual(nothing);
  });
});

// The other faults and operations: test/integration/faults.
describe("a response that never comes (plugin)", () => {
  it("because the invitation never arrived is an error; the next up invites her, and reads after a lost response that it did so once", async () => {
    const { setup, sandbox, stack, projectId } = await declareAda({ provider: "plugin" });
    sandbox.addFault({ method: "POST", fault: "reset-before-write" });
    expect(await errorsOf(stack.up())).toMatch(
      /Inviting ada@example\.com.*A read afterwards does not show the change/s,
    );
    expect(invitationsTo(sandbox)).toEqual([]);
    expect(await stack.resource("ada")).toBeUndefined();

    sandbox.clearRequests();
    sandbox.addFault({ method: "POST", fault: "reset-after-write" });
    await succeeded(stack.up());
    expect(writes(sandbox)).toMatchObject([{ method: "POST", path: `/groups/${projectId}/invites` }]);
    expect(invitationsTo(sandbox)).toHaveLength(1);
    expect(await stack.resource("ada")).toMatchObject({
      id: `${projectId}/${ada}`,
      outputs: { status: "pending", invitationId: invitationOf(sandbox, ada).id, origin: "created" },
    });
    expect(await upAgain(setup)).toEqual(nothing);
  });

  it("to adding an account: the read after it finds her invited", async () => {
    const seed = { users: [{ username: ada }], projects: [{ name: "payments" }] };
    const { setup, sandbox, stack, projectId } = await declareAda({ provider: "plugin", sandbox: { seed } });
    sandbox.addFault({ method: "POST", fault: "reset-after-write" });
    await succeeded(stack.up());
    expect(writes(sandbox)).toMatchObject([{ method: "POST", path: `/groups/${projectId}/users` }]);
    expect(await stack.resource("ada")).toMatchObject({
      outputs: { status: "pending", roles, origin: "created" },
    });
    expect({ ...membersOf(sandbox), ...invitedTo(sandbox) }).toEqual({ [ada]: roles });
    expect(await upAgain(setup)).toEqual(nothing);
  });
});

describe("a person whom another program adds between the read and the write (plugin)", () => {
  const others = ["GROUP_USER_ADMIN"];
  const refused = { status: 409, body: { error: 409, errorCode: "USER_ALREADY_IN_GROUP" } } as const;

  it.each([
    ["is answered", undefined],
    ["is done, and its response is lost", "reset-after-write"],
  ] as const)("is adopted, also if the change of their roles %s", async (_, lost) => {
    const seed = { users: [{ username: ada }], projects: [{ name: "payments" }] };
    const { setup, sandbox, stack, projectId } = await declareAda({ provider: "plugin", sandbox: { seed } });
    await stack.before("POST", /\/users$/, () => {
      sandbox.setMember(projectId, { username: ada }, others);
      sandbox.addFault({ method: "POST", pathPattern: "/users$", fault: refused });
      if (lost) sandbox.addFault({ method: "POST", pathPattern: "/users$", fault: lost });
    });
    expect(messagesOf(await succeeded(stack.up()))).toContain(
      `${ada} is in project ${projectId} already: roles GROUP_USER_ADMIN become ${roles.join(", ")}.`,
    );
    expect(writes(sandbox)).toHaveLength(2);
    expect(await stack.resource("ada")).toMatchObject({
      outputs: { status: "active", roles, origin: "adopted" },
    });
    expect(membersOf(sandbox)).toMatchObject({ [ada]: roles });
    expect(await upAgain(setup)).toEqual(nothing);
  });
});
