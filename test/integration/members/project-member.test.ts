/** ProjectMember: accounts and invitations that a program names by ID, teams beside a person, and what a key may not read. */

import {
  invitationOf,
  invitedTo,
  membershipsIn,
  nothing,
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
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  ada,
  admins,
  eve,
  owner,
  owners,
  peopleWith,
  person,
  projectId,
  readers,
  setUpPayments,
} from "../people/payments";
import { refusal } from "../refusal";

afterEach(tearDownStacks);

const atOnce = { bypassInvitations: true };
const byName = { ada: person({ username: ada }) };
const adaIsIn = peopleWith({ [ada]: readers });

it.each(["a team", "the organization"])(
  "a person through %s is no member: they are added, removed from the project only, and not there without the membership",
  async (through) => {
    const setup = await setUpPayments({ sandbox: atOnce, accounts: [ada] });
    const { sandbox, stack, userId, upWith, outputsOf } = setup;
    if (through === "a team") {
      const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [userId(ada)] });
      sandbox.setProjectTeam(projectId, { teamId, roleNames: owners });
    } else sandbox.setOrgMember(sandbox.orgId, { username: ada }, ["ORG_OWNER"]);
    await succeeded(upWith(byName));
    expect(membershipsIn(sandbox)).toEqual(adaIsIn);
    expect(await outputsOf("ada")).toMatchObject({ status: "active", roles: readers, origin: "created" });
    expect(await upAgain(setup)).toEqual(nothing);

    const copy = await stack.copy({ refreshBeforeUpdate: false });
    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
    const removal = { method: "DELETE", path: `/groups/${projectId}/users/${userId(ada)}` };
    expect(writes(sandbox)).toEqual([removal]);
    await succeeded(copy.destroy());
    expect(writes(sandbox)).toEqual([removal]);
    expect(sandbox.state.teams.flatMap(({ userIds }) => userIds)).toHaveLength(through === "a team" ? 1 : 0);
  },
);

it("a pending invitation is taken back together with the membership", async () => {
  const setup = await setUpPayments({ members: { [ada]: readers } });
  const { sandbox, stack, upWith } = setup;
  await succeeded(upWith(byName));
  sandbox.addInvitation(projectId, { username: "Ada@example.com", roles: owners });
  // It gives her nothing until she accepts it, so it is no difference.
  expect(await upAgain(setup)).toEqual(nothing);
  await succeeded(stack.destroy());
  expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
});

it("accounts are added as well if this key may not look up accounts and the invitation returns no body", async () => {
  const setup = await setUpPayments({ sandbox: atOnce, accounts: [ada] });
  const { sandbox, upWith, outputsOf } = setup;
  const fault = refusal(401, "NOT_USER_ADMIN");
  sandbox.addFault({ method: "GET", pathPattern: "/users/byName/", fault });
  await succeeded(upWith(byName));
  expect(writes(sandbox)).toMatchObject([{ method: "POST", path: `/groups/${projectId}/invites` }]);
  expect(membershipsIn(sandbox)).toEqual(adaIsIn);
  expect(await outputsOf("ada")).toMatchObject({ status: "active", origin: "created" });
  expect(await upAgain(setup)).toEqual(nothing);
});

it("a member whose account was deleted is invited by name again: the account that is recorded leads nowhere", async () => {
  const setup = await setUpPayments({ members: { [ada]: readers } });
  const { sandbox, stack, userId, upWith, outputsOf } = setup;
  await succeeded(upWith(byName));
  const id = userId(ada);
  sandbox.removeMember(projectId, { id });
  // The sandbox deletes no accounts: this one can no longer be found by name or id.
  sandbox.changeUser(id, { username: "unknown@example.com" });
  sandbox.addFault({ pathPattern: `/users/${id}`, times: 0, fault: refusal(404, "USER_NOT_FOUND") });
  await succeeded(stack.up({ refresh: true }));
  expect(invitedTo(sandbox)).toEqual({ [ada]: readers });
  expect(await outputsOf("ada")).toMatchObject({ status: "pending" });
  expect(await outputsOf("ada")).not.toHaveProperty("userId");
  expect(await upAgain(setup)).toEqual(nothing);
});

describe("a person named by userId", () => {
  it.each(bothProviders)(
    "is the same one when the program names them by username from now on, or by both (%s)",
    async (provider) => {
      const { sandbox, stack, userId, upWith } = await setUpPayments({
        provider,
        members: { [ada]: readers },
      });
      const byId = { userId: userId(ada) };
      await succeeded(upWith({ ada: person(byId) }));
      for (const who of [{ username: ada }, { username: ada, ...byId }, byId])
        expect((await succeeded(upWith({ ada: person(who) }))).changes).toEqual({ same: 1 });
      expect(await stack.resource("ada")).toMatchObject({ id: `${projectId}/${ada}` });
      expect(writes(sandbox)).toEqual([]);
    },
  );

  it("has roles that are managed while the program gives them, and whatever the service has without them", async () => {
    keepDefault("refreshBeforeUpdate", "a plain up reads what was changed while it was not managed");
    const setup = await setUpPayments({ members: { [ada]: readers } });
    const { sandbox, userId, upWith, previewWith, outputsOf } = setup;
    const id = userId(ada);
    const declared = (roles?: readonly string[]) => ({ ada: person({ userId: id, roles }) });
    const expectUnmanaged = async () => {
      sandbox.setMember(projectId, { id }, admins);
      expect(await upAgain(setup)).toEqual(nothing);
      sandbox.setMember(projectId, { id }, readers);
    };
    await succeeded(upWith(declared()));
    expect(await outputsOf("ada")).toMatchObject({ username: ada, roles: readers, origin: "adopted" });
    await expectUnmanaged();

    await succeeded(upWith(declared(readers)));
    const preview = await succeeded(previewWith(declared()));
    expect({ ...preview.changes, ...changedPaths(preview, "ada") }).toEqual({ update: 1, roles: "delete" });
    expect(messagesOf(await succeeded(upWith(declared())), "info")).toContain(
      `roles of ${ada} are no longer managed; nothing was sent`,
    );
    expect(writes(sandbox)).toEqual([]);
    await expectUnmanaged();

    sandbox.setMember(projectId, { id }, admins);
    expect((await succeeded(upWith(declared(readers)))).changes).toEqual({ update: 1 });
    expect(membershipsIn(sandbox)).toEqual(adaIsIn);
  });
});

describe("a person named by invitationId", () => {
  /** If nothing differs, the host of dynamic providers leaves the state as it is, with the invitation. */
  const records = [
    { provider: "plugin", status: "active", hasInvitation: false, hasAccount: true },
    { provider: "dynamic", status: "pending", hasInvitation: true, hasAccount: false },
  ] as const;

  it.each(records)(
    "stays the same person after they accepted, and is removed as a member ($provider)",
    async ({ provider, ...expected }) => {
      const setup = await setUpPayments({ provider, invited: { [ada]: readers } });
      const { sandbox, stack, upWith, outputsOf } = setup;
      const { id: invitationId } = invitationOf(sandbox, ada);
      await succeeded(upWith({ ada: person({ invitationId, roles: undefined }) }));
      expect(writes(sandbox)).toEqual([]);
      const outputs = { status: "pending", username: ada, invitationId, roles: readers, origin: "adopted" };
      expect(await stack.resource("ada")).toMatchObject({ id: `${projectId}/${ada}`, outputs });

      const { id: userId } = sandbox.acceptInvitation(invitationId);
      sandbox.setMember(projectId, { id: userId }, admins);
      expect(await upAgain(setup)).toEqual(nothing);
      const { status, ...recorded } = (await outputsOf("ada")) ?? {};
      const hasInvitation = "invitationId" in recorded;
      expect({ status, hasInvitation, hasAccount: recorded.userId === userId }).toEqual(expected);
      await succeeded(stack.destroy());
      expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
    },
  );

  it("with roles has them in the invitation and as a member, and can be named by username before and after they accepted", async () => {
    const setup = await setUpPayments({ invited: { [ada]: readers } });
    const { sandbox, upWith } = setup;
    const { id: invitationId } = invitationOf(sandbox, ada);
    const expectSame = async (who: object) =>
      expect((await succeeded(upWith({ ada: person({ roles: admins, ...who }) }))).changes).toEqual({
        same: 1,
      });
    await succeeded(upWith({ ada: person({ invitationId, roles: admins }) }));
    expect(writes(sandbox)).toMatchObject([{ method: "PATCH", body: { roles: admins } }]);
    await expectSame({ username: ada, invitationId });
    const { id: userId } = sandbox.acceptInvitation(invitationId);
    await expectSame({ username: ada, invitationId });
    await expectSame({ invitationId });
    sandbox.setMember(projectId, { id: userId }, owners);
    await succeeded(upWith({ ada: person({ invitationId, roles: admins }) }));
    await succeeded(setup.stack.up({ refresh: true }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: admins }));
    await expectSame({ username: ada });
  });
});

it.each([
  { what: "is answered", lost: undefined },
  { what: "is done, and its response is lost", lost: "reset-after-write" },
] as const)(
  "a person whom another program adds between the read and the write is adopted, also if the change of their roles $what",
  async ({ lost }) => {
    const setup = await setUpPayments({ accounts: [ada] });
    const { sandbox, stack, upWith, outputsOf } = setup;
    const adding = { method: "POST", pathPattern: "/users$" };
    await stack.before("POST", /\/users$/, () => {
      sandbox.setMember(projectId, { username: ada }, admins);
      sandbox.addFault({ ...adding, fault: refusal(409, "USER_ALREADY_IN_GROUP") });
      if (lost) sandbox.addFault({ ...adding, fault: lost });
    });
    expect(messagesOf(await succeeded(upWith(byName)))).toContain(
      `${ada} is in project ${projectId} already: roles GROUP_USER_ADMIN become GROUP_READ_ONLY.`,
    );
    expect(writes(sandbox)).toHaveLength(2);
    expect(await outputsOf("ada")).toMatchObject({ status: "active", roles: readers, origin: "adopted" });
    expect(membershipsIn(sandbox)).toEqual(adaIsIn);
    expect(await upAgain(setup)).toEqual(nothing);
  },
);

it("a preview of an update names roles that changed in the service since they were recorded, and shows the declared ones", async () => {
  const { sandbox, upWith, previewWith } = await setUpPayments({
    members: { [ada]: readers },
    config: { "opsmanager:refreshBeforeUpdate": false },
  });
  await succeeded(upWith(byName));
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
  const facts = { projectId, orgId: sandbox.orgId, groupName: "payments", onDestroy: "remove" };
  const recorded = {
    userId: userId(ada),
    username: ada,
    roles: readers,
    status: "unverified",
    origin: "created",
  };
  expect(await outputsOf("ada")).toEqual({ ...facts, ...recorded });
});

it.each(bothProviders)(
  "a ProjectMember has the name that the same run gave its project (%s)",
  async (provider) => {
    const { sandbox, upWith, outputsOf } = await setUpPayments({ provider });
    for (const [name, roles] of Object.entries({ orders: readers, "orders-2": admins })) {
      const orders = { type: "Project", properties: { orgId: sandbox.orgId, name } };
      await succeeded(
        upWith({ orders, ada: person({ projectId: "${orders.projectId}", username: ada, roles }) }),
      );
      expect(projectNamed(sandbox, name)).toBeDefined();
      expect(await outputsOf("ada")).toMatchObject({ groupName: name });
    }
  },
);

it("an invitation lasts as long as it does by the clock of the service", async () => {
  const setup = await setUpPayments();
  // By the clock of this machine, an invitation for 30 days has expired.
  setup.sandbox.advanceClock(-32 * 86_400);
  await succeeded(setup.upWith(byName));
  await succeeded(setup.stack.refresh());
  expect(await upAgain(setup)).toEqual(nothing);
  expect(await setup.outputsOf("ada")).toMatchObject({ status: "pending" });
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
