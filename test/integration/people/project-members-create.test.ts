/**
 * ProjectMembers: what the first `up` does to the members that the program lists, and to the
 * others.
 */

import {
  invitationOf,
  invitedTo,
  membershipsIn,
  membersOf,
  membersProgram,
  nothing,
  paymentsId,
  upAgain,
} from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  emptyProgram,
  messagesOf,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, ben, cleo, olga, owners, readers, stranger } from "../../support/people";

afterEach(tearDownStacks);

const waiting = "waiting@example.com";

/**
 * Olga owns the project, Ada reads. Ben has an account but is not in the project, Cleo has no
 * account.
 */
const seed = {
  users: [{ username: ben }],
  projects: [{ name: "payments", members: { [olga]: owners, [ada]: readers } }],
};

const withStrangers = {
  users: [{ username: ben }],
  projects: [
    {
      name: "payments",
      members: { [olga]: owners, [ada]: readers, [stranger]: readers },
      invitations: [{ username: waiting, roles: readers }],
    },
  ],
};

describe("the first up of ProjectMembers", () => {
  const first =
    "adds accounts, invites other users, corrects the roles of members, and the next up changes nothing";

  it.each(bothProviders)(`${first} (%s)`, async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed, bypassInvitations: true },
      program: (sandbox) =>
        membersProgram({
          projectId: paymentsId(sandbox),
          members: { [olga]: owners, [ada]: ["GROUP_DATA_ACCESS_ADMIN"], [ben]: readers, [cleo]: readers },
        }),
    });
    const projectId = paymentsId(sandbox);
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ create: 1 });
    expect(messagesOf(up, "warning")).toBe("");
    expect(membersOf(sandbox)).toEqual({
      [ada]: ["GROUP_DATA_ACCESS_ADMIN"],
      [ben]: readers,
      [olga]: owners,
    });
    expect(invitedTo(sandbox)).toEqual({ [cleo]: readers });
    expect(await stack.resource("people")).toMatchObject({
      id: projectId,
      outputs: {
        members: { [olga]: owners, [ada]: ["GROUP_DATA_ACCESS_ADMIN"], [ben]: readers, [cleo]: readers },
        memberDetails: [
          { username: ada, status: "active", declared: true, ignored: false },
          { username: ben, status: "active", userId: sandbox.user({ username: ben })?.id },
          { username: cleo, status: "pending", invitationId: invitationOf(sandbox, cleo).id },
          { username: olga, status: "active", roles: owners },
        ],
        orgId: sandbox.orgId,
        origin: "created",
        onDestroy: "release",
        ignoreUsers: [],
        maxRemovals: 5,
        removeUnlisted: false,
      },
    });

    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
  });

  it("invites accounts if Ops Manager requires invitations, and updates a pending invitation instead of sending another one", async () => {
    const admin = ["GROUP_USER_ADMIN"];
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: withStrangers },
      program: (sandbox) =>
        membersProgram({
          projectId: paymentsId(sandbox),
          members: { [olga]: owners, [ada]: readers, [ben]: readers, [stranger]: readers, [waiting]: admin },
        }),
    });
    const projectId = paymentsId(sandbox);
    const { id } = invitationOf(sandbox, waiting);
    await succeeded(stack.up());
    expect(writes(sandbox)).toHaveLength(2);
    expect(writes(sandbox)).toContainEqual({
      method: "PATCH",
      path: `/groups/${projectId}/invites/${id}`,
      body: { roles: admin },
    });
    expect(invitationOf(sandbox, waiting)).toMatchObject({ id, roles: admin });
    expect(invitedTo(sandbox)).toEqual({ [ben]: readers, [waiting]: admin });
    expect(await stack.resource("people")).toMatchObject({
      outputs: {
        members: { [ben]: readers },
        memberDetails: [
          { username: ada },
          { username: ben, status: "pending" },
          { username: olga },
          { username: stranger },
          { username: waiting },
        ],
      },
    });
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
  });

  const unlisted =
    "removes no member, nor does any later up: one warning names unlisted users; with removeUnlisted the preview shows them and up removes them";

  /** The preview of `removeUnlisted`. The dynamic provider reports a difference without its properties. */
  const shownRemovals = {
    [`members["${ada}"][0]`]: "update",
    removeUnlisted: "add",
    [`members["${stranger}"]`]: "delete",
    [`members["${waiting}"]`]: "delete",
  };

  it.each([
    { provider: "plugin", shown: shownRemovals },
    { provider: "dynamic", shown: {} },
  ] as const)(`${unlisted} ($provider)`, async ({ provider, shown }) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: withStrangers },
      program: (sandbox) =>
        membersProgram({ projectId: paymentsId(sandbox), members: { [olga]: owners, [ada]: readers } }),
    });
    const projectId = paymentsId(sandbox);
    const up = await succeeded(stack.up());
    expect(timesPrinted(up, "are not listed and not changed")).toBe(1);
    expect(messagesOf(up, "warning")).toContain(
      `2 people in project ${projectId} are not listed and not changed: ${stranger}, ${waiting}. To manage them, list them in members.`,
    );
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("people")).toMatchObject({
      outputs: {
        members: { [olga]: owners, [ada]: readers },
        memberDetails: [
          { username: ada, declared: true },
          { username: olga, declared: true },
          { username: stranger, declared: false },
          { username: waiting, declared: false, status: "pending" },
        ],
      },
    });
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });

    // An update for another reason removes none of them either.
    const changed = { [olga]: owners, [ada]: ["GROUP_USER_ADMIN"] };
    await stack.setProgram(membersProgram({ projectId, members: changed }));
    const update = await succeeded(stack.up());
    expect(update.changes).toEqual({ update: 1 });
    expect(messagesOf(update, "info")).toContain(`are not listed and not changed: ${stranger}, ${waiting}.`);
    expect(Object.keys({ ...membersOf(sandbox), ...invitedTo(sandbox) })).toEqual([
      ...[ada, olga, stranger, waiting],
    ]);

    sandbox.clearRequests();
    const exclusive = { projectId, members: { [olga]: owners, [ada]: readers }, removeUnlisted: true };
    await stack.setProgram(membersProgram(exclusive));
    const preview = await succeeded(stack.preview());
    expect({ ...preview.changes, ...changedPaths(preview, "people") }).toEqual({ update: 1, ...shown });
    expect(writes(sandbox)).toEqual([]);

    const { changes } = await succeeded(stack.up());
    expect({ changes, ...membershipsIn(sandbox) }).toEqual({
      changes: { update: 1 },
      members: { [ada]: readers, [olga]: owners },
      invited: {},
    });
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  });

  const limited =
    "adds listed users but removes no member if removeUnlisted would remove more than maxRemovals";

  it.each(bothProviders)(`${limited} (%s)`, async (provider) => {
    const program = (projectId: string, maxRemovals: number) =>
      membersProgram({
        projectId,
        members: { [olga]: owners, [ada]: readers, [cleo]: readers },
        removeUnlisted: true,
        maxRemovals,
      });
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: withStrangers },
      program: (sandbox) => program(paymentsId(sandbox), 1),
    });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toContain(`no one is removed: ${stranger}, ${waiting}.`);
    expect(Object.keys(membersOf(sandbox))).toContain(stranger);
    expect(invitedTo(sandbox)).toEqual({ [cleo]: readers, [waiting]: readers });
    expect(await stack.resource("people")).toMatchObject({
      id: paymentsId(sandbox),
      outputs: { origin: "created", members: { [cleo]: readers, [stranger]: readers } },
    });

    await stack.setProgram(program(paymentsId(sandbox), 2));
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [ada]: readers, [olga]: owners });
    expect(invitedTo(sandbox)).toEqual({ [cleo]: readers });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("adopts members under other spellings of their names without a write; without the resource in the program they are released", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed },
      program: (sandbox) =>
        membersProgram({
          projectId: paymentsId(sandbox),
          members: { "Olga@Example.com": owners, "ADA@example.com": readers },
        }),
    });
    const up = await succeeded(stack.up());
    expect(messagesOf(up, "warning")).toBe("");
    expect(writes(sandbox)).toEqual([]);
    expect((await stack.resource("people"))?.outputs?.members).toEqual({
      "ADA@example.com": readers,
      "Olga@Example.com": owners,
    });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });

    // The resource is no longer in the program: the default of onDestroy releases the members.
    await stack.setProgram(emptyProgram);
    const release = await succeeded(stack.up());
    expect(release.changes).toEqual({ delete: 1 });
    expect(messagesOf(release)).toContain(`The people of project ${paymentsId(sandbox)} were released`);
    expect(writes(sandbox)).toEqual([]);
    expect(membersOf(sandbox)).toEqual({ [ada]: readers, [olga]: owners });
  });
});

describe("a preview of the first up of ProjectMembers (plugin: the host of dynamic providers reads nothing in a preview)", () => {
  it("names unlisted users, changed roles, and with removeUnlisted each removal, and writes nothing", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: withStrangers },
      program: (sandbox) =>
        membersProgram({
          projectId: paymentsId(sandbox),
          members: { [olga]: owners, [ada]: ["GROUP_USER_ADMIN"] },
        }),
    });
    const projectId = paymentsId(sandbox);
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ create: 1 });
    expect(messagesOf(preview, "warning")).toContain(
      `2 people in project ${projectId} are not listed and not changed: ${stranger}, ${waiting}.`,
    );
    expect(messagesOf(preview, "info")).toContain(
      `${ada} in project ${projectId}: roles GROUP_READ_ONLY become GROUP_USER_ADMIN.`,
    );
    expect(messagesOf(preview, "info")).not.toContain("will be removed");
    expect(writes(sandbox)).toEqual([]);
    expect(membersOf(sandbox)[ada]).toEqual(readers);

    const members = { [olga]: owners, [ada]: readers };
    await stack.setProgram(membersProgram({ projectId, members, removeUnlisted: true }));
    const removal = await succeeded(stack.preview());
    expect(messagesOf(removal, "info")).toContain(
      `${stranger} (GROUP_READ_ONLY) will be removed from project ${projectId}.`,
    );
    expect(messagesOf(removal, "info")).toContain(
      `The invitation of ${waiting} to project ${projectId} will be deleted.`,
    );
    expect(writes(sandbox)).toEqual([]);
  });
});
