/** ProjectMember: accounts and invitations that a program names by ID, teams beside a person, and what a key may not read. */

import { ada, adaOn, owner, roles } from "../../engine/support/ada";
import {
  invitationOf,
  invitedTo,
  memberProgram,
  membershipsIn,
  membersOf,
  nothing,
  paymentsId,
  upAgain,
} from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  emptyProgram,
  errorsOf,
  messagesOf,
  projectNamed,
  writes,
} from "../../engine/support/project-program";
import { type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import {
  admins,
  eve,
  owners,
  peopleWith,
  person,
  projectId,
  readers,
  setUpPayments,
} from "../people/payments";

afterEach(tearDownStacks);

const { addAda, declareAda } = adaOn(setUpStack);

it.each([
  { title: "a team", seed: { teams: [{ name: "platform", usernames: [ada] }] } },
  {
    title: "the organization",
    seed: { users: [{ username: ada, roles: [{ orgId: "0".repeat(24), roleName: "ORG_OWNER" }] }] },
  },
])(
  "a person through $title is no member: they are added, and come back once they are removed",
  async ({ seed }) => {
    const { setup, sandbox, stack, projectId } = await declareAda({
      provider: "plugin",
      sandbox: {
        bypassInvitations: true,
        seed: { orgs: [{ id: "0".repeat(24) }], projects: [{ name: "payments" }], ...seed },
      },
    });
    for (const { id: teamId } of sandbox.state.teams)
      sandbox.setProjectTeam(projectId, { teamId, roleNames: ["GROUP_OWNER"] });
    await succeeded(stack.up());
    expect(writes(sandbox)).toMatchObject([{ method: "POST", path: `/groups/${projectId}/users` }]);
    expect(membersOf(sandbox)).toEqual({ [ada]: roles });
    const recorded = { status: "active", roles, origin: "created" };
    expect(await stack.resource("ada")).toMatchObject({ outputs: recorded });
    expect(await upAgain(setup)).toEqual(nothing);

    sandbox.removeMember(projectId, { username: ada });
    expect((await succeeded(stack.preview())).changes).toEqual({ create: 1 });
    expect((await upAgain(setup)).changes).toEqual({ create: 1 });
    expect(membersOf(sandbox)).toEqual({ [ada]: roles });
  },
);

it("a member who is in through a team as well is removed from the project only, and one through a team alone is not there", async () => {
  const { sandbox, stack, projectId: payments, userId } = await addAda({ provider: "plugin" });
  const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [userId] });
  sandbox.setProjectTeam(payments, { teamId, roleNames: ["GROUP_READ_ONLY"] });
  const copy = await stack.copy({ refreshBeforeUpdate: false });
  await succeeded(stack.destroy());
  expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"] });
  expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `/groups/${payments}/users/${userId}` }]);
  sandbox.clearRequests();
  await succeeded(copy.destroy());
  expect(writes(sandbox)).toEqual([]);
  expect(sandbox.state.teams).toMatchObject([{ userIds: [userId] }]);
});

it("a pending invitation is taken back together with the membership", async () => {
  const { setup, sandbox, stack, projectId: payments, userId } = await addAda({ provider: "plugin" });
  const extra = sandbox.addInvitation(payments, { username: "Ada@example.com", roles: ["GROUP_OWNER"] });
  // It gives her nothing until she accepts it, so it is no difference.
  expect(await upAgain(setup)).toEqual(nothing);
  sandbox.clearRequests();
  await succeeded(stack.destroy());
  expect(writes(sandbox)).toEqual([
    { method: "DELETE", path: `/groups/${payments}/users/${userId}` },
    { method: "DELETE", path: `/groups/${payments}/invites/${extra.id}` },
  ]);
  expect({ members: membersOf(sandbox), invited: invitedTo(sandbox) }).toEqual({
    members: { [owner]: ["GROUP_OWNER"] },
    invited: {},
  });
});

it("accounts are added as well if this key may not look up accounts and the invitation returns no body", async () => {
  const { setup, sandbox, stack } = await declareAda({
    provider: "plugin",
    sandbox: {
      bypassInvitations: true,
      seed: { users: [{ username: ada }], projects: [{ name: "payments" }] },
    },
  });
  const refused = { error: 401, reason: "Unauthorized", errorCode: "NOT_USER_ADMIN", detail: "Not yours." };
  sandbox.addFault({ method: "GET", pathPattern: "/users/byName/", fault: { status: 401, body: refused } });
  await succeeded(stack.up());
  expect(writes(sandbox)).toMatchObject([{ method: "POST", path: `/groups/${paymentsId(sandbox)}/invites` }]);
  expect(membersOf(sandbox)).toEqual({ [ada]: roles });
  expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", origin: "created" } });
  expect(await upAgain(setup)).toEqual(nothing);
});

it("a member whose account was deleted is invited by name again: the account that is recorded leads nowhere", async () => {
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

const asMember = { users: [], projects: [{ name: "payments", members: { [ada]: roles } }] };

/** A stack whose program names Ada by her account; its first `up` is still to come. */
async function declareAccount(provider: ProviderKind, properties: Readonly<Record<string, unknown>> = {}) {
  const arrived = await declareAda({ provider, sandbox: { seed: asMember } });
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
  it("has roles that are managed while the program gives them, and whatever the service has without them", async () => {
    const { setup, sandbox, stack, projectId, userId } = await declareAccount("plugin");
    const declare = (more: object = {}) => stack.setProgram(memberProgram({ projectId, userId, ...more }));
    const expectUnmanaged = async () => {
      sandbox.setMember(projectId, { id: userId }, ["GROUP_OWNER"]);
      expect(await upAgain(setup)).toEqual(nothing);
      expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_OWNER"] });
      sandbox.setMember(projectId, { id: userId }, roles);
    };
    expect((await upAgain(setup)).writes).toEqual([]);
    expect(await stack.resource("ada")).toMatchObject({
      id: `${projectId}/${ada}`,
      outputs: { status: "active", username: ada, userId, roles, origin: "adopted" },
    });
    await expectUnmanaged();

    await declare({ roles });
    await succeeded(stack.up());
    await declare();
    const preview = await succeeded(stack.preview());
    expect({ ...preview.changes, ...changedPaths(preview, "ada") }).toEqual({ update: 1, roles: "delete" });
    sandbox.clearRequests();
    expect(messagesOf(await succeeded(stack.up()), "info")).toContain(
      `roles of ${ada} are no longer managed; nothing was sent`,
    );
    expect(writes(sandbox)).toEqual([]);
    await expectUnmanaged();

    sandbox.setMember(projectId, { id: userId }, ["GROUP_OWNER"]);
    sandbox.setMember(projectId, { username: owner }, ["GROUP_OWNER"]);
    await declare({ roles });
    expect((await upAgain(setup)).changes).toEqual({ update: 1 });
    expect(membersOf(sandbox)).toMatchObject({ [ada]: roles });
  });

  it("is added by it where they are not in the project", async () => {
    const { setup, sandbox, stack, projectId, userId } = await declareAccount("plugin", { roles });
    sandbox.removeMember(projectId, { id: userId });
    await succeeded(stack.up());
    expect(writes(sandbox)).toMatchObject([{ method: "POST", path: `/groups/${projectId}/users` }]);
    const { id: invitationId } = invitationOf(sandbox, ada);
    const recorded = { status: "pending", username: ada, invitationId };
    expect(await stack.resource("ada")).toMatchObject({ outputs: recorded });
    sandbox.acceptInvitation(invitationId);
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

it("a preview of an update names roles that changed in the service since they were recorded, and shows the declared ones", async () => {
  const { sandbox, upWith, previewWith } = await setUpPayments({
    members: { [ada]: readers },
    config: { "opsmanager:refreshBeforeUpdate": false },
  });
  await succeeded(upWith({ ada: person({ username: ada }) }));
  sandbox.setMember(projectId, { username: ada }, admins);
  const preview = await succeeded(previewWith({ ada: person({ username: ada, roles: owners }) }));
  expect(messagesOf(preview)).toBe(
    `Roles of ${ada} changed in the service since they were recorded: GROUP_USER_ADMIN become GROUP_OWNER.`,
  );
  expect(preview.steps[0]?.new?.outputs).toMatchObject({ roles: owners, username: ada, status: "active" });
  expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: admins }));
});

it("a ProjectMember is an error if the service shows no result, and the state records what was sent", async () => {
  const { sandbox, userId, upWith, outputsOf } = await setUpPayments({ accounts: [ada] });
  // The service accepts the user and neither shows nor keeps the invitation.
  sandbox.addFault({ method: "POST", pathPattern: "/users", fault: { status: 200, body: {} } });
  expect(await errorsOf(upWith({ ada: person({ userId: userId(ada) }) }))).toContain(
    `The service accepted ${ada} with GROUP_READ_ONLY for project ${projectId}`,
  );
  const recorded = { userId: userId(ada), roles: readers, status: "unverified", origin: "created" };
  expect(await outputsOf("ada")).toMatchObject(recorded);
});

it.each(bothProviders)(
  "a ProjectMember has the name that the same run gave its project (%s)",
  async (provider) => {
    const { sandbox, upWith, outputsOf } = await setUpPayments({ provider });
    const program = (name: string, roles: readonly string[]) => ({
      orders: { type: "Project", properties: { orgId: sandbox.orgId, name } },
      ada: person({ projectId: "${orders.projectId}", username: ada, roles }),
    });
    await succeeded(upWith(program("orders", readers)));
    expect(await outputsOf("ada")).toMatchObject({ groupName: "orders" });
    await succeeded(upWith(program("orders-2", admins)));
    expect(projectNamed(sandbox, "orders-2")).toBeDefined();
    expect(await outputsOf("ada")).toMatchObject({ groupName: "orders-2" });
  },
);

it("a ProjectMember of an invitation lasts as long as it does by the clock of the service", async () => {
  const { sandbox, stack, upWith, outputsOf } = await setUpPayments();
  // By the clock of this machine, an invitation for 30 days has expired.
  sandbox.advanceClock(-32 * 86_400);
  await succeeded(upWith({ ada: person({ username: ada }) }));
  await succeeded(stack.refresh());
  expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  expect(await outputsOf("ada")).toMatchObject({ status: "pending" });
});

it("a ProjectMember leaves the state with its project", async () => {
  const { sandbox, stack, upWith } = await setUpPayments({ members: { [ada]: readers } });
  await succeeded(upWith({ ada: person({ username: ada }) }));
  sandbox.removeProject(projectId);
  await succeeded(stack.refresh());
  expect(await stack.resource("ada")).toBeUndefined();
});

it.each(bothProviders)(
  "the last owner keeps GROUP_OWNER if a ProjectMember declares other roles, and the error names the solution (%s)",
  async (provider) => {
    const { sandbox, upWith, outputsOf } = await setUpPayments({ provider });
    await succeeded(upWith({ owner: person({ username: owner, roles: owners }) }));
    expect(await errorsOf(upWith({ owner: person({ username: owner }) }))).toMatch(
      /Giving owner@example.com GROUP_READ_ONLY in project \w+ failed: 403 CANNOT_DEMOTE_LAST_OWNER.*Give GROUP_OWNER or ORG_OWNER to another member first/,
    );
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
    expect(await outputsOf("owner")).toMatchObject({ roles: owners });
  },
);

it("destroying a ProjectMember is refused on a service without member lists if no id of the user is recorded", async () => {
  const { sandbox, stack, upWith } = await setUpPayments({ config: { "opsmanager:maxRetries": 0 } });
  const lists = { method: "GET", pathPattern: "/invites$" };
  sandbox.addFault({ method: "POST", fault: { status: 201, body: {}, afterWrite: true } });
  sandbox.addFault({ ...lists, fault: { delayMs: 0 } });
  sandbox.addFault({ ...lists, fault: { status: 500 } });
  await errorsOf(upWith({ eve: person({ username: eve }) }));
  sandbox.setSwitches({ onlyDocumented: true });
  await stack.setProgram(emptyProgram);
  expect(await errorsOf(stack.up())).toContain("neither a userId nor an invitationId is recorded");
  expect(invitedTo(sandbox)).toEqual({ [eve]: readers });
});
