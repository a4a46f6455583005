/**
 * ProjectMembers: what the first `up` does to the members that the program lists, and to the
 * others.
 */

import {
  invitationOf,
  invitedTo,
  membershipsIn,
  membersOf,
  nothing,
  upAgain,
} from "../../engine/support/people-program";
import { bothProviders, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, admins, ben, cleo, owner, owners, readers, stranger } from "../../support/people";
import { allMembers, peopleWith, projectId, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const waiting = "waiting@example.com";
const unlistedPeople = `2 people in project ${projectId} are not listed and not changed: ${stranger}, ${waiting}. To manage them, list them in members.`;

/** Beside the owner: Ada and a stranger read, another user is invited, and Ben has an account. */
const withStrangers = {
  accounts: [ben],
  members: { [ada]: readers, [stranger]: readers },
  invited: { [waiting]: readers },
};

describe("the first up of ProjectMembers", () => {
  const first =
    "adds accounts, invites other users, corrects the roles of members, and the next up changes nothing";

  it.each(bothProviders)(`${first} (%s)`, async (provider) => {
    const { sandbox, stack, userId, upWith } = await setUpPayments({
      provider,
      sandbox: { bypassInvitations: true },
      members: { [ada]: readers },
      accounts: [ben],
    });
    const added = { [ada]: ["GROUP_DATA_ACCESS_ADMIN"], [ben]: readers };
    const up = await succeeded(upWith({ people: allMembers({ ...added, [cleo]: readers }) }));
    expect(up.changes).toEqual({ create: 1 });
    expect(messagesOf(up, "warning")).toBe("");
    expect(membershipsIn(sandbox)).toEqual(peopleWith(added, { [cleo]: readers }));
    expect(await stack.resource("people")).toMatchObject({
      id: projectId,
      outputs: {
        members: { [owner]: owners, ...added, [cleo]: readers },
        memberDetails: [
          { username: ada, status: "active", declared: true, ignored: false },
          { username: ben, status: "active", userId: userId(ben) },
          { username: cleo, status: "pending", invitationId: invitationOf(sandbox, cleo).id },
          { username: owner, status: "active", roles: owners },
        ],
        orgId: sandbox.orgId,
        origin: "created",
        onDestroy: "release",
        ignoreUsers: [],
        maxRemovals: 5,
        removeUnlisted: false,
      },
    });
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  });

  it("invites accounts if Ops Manager requires invitations, and updates a pending invitation instead of sending another one", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments(withStrangers);
    const { id } = invitationOf(sandbox, waiting);
    const listed = { [ada]: readers, [ben]: readers, [stranger]: readers, [waiting]: admins };
    await succeeded(upWith({ people: allMembers(listed) }));
    expect(writes(sandbox)).toHaveLength(2);
    expect(writes(sandbox)).toContainEqual({
      method: "PATCH",
      path: `/groups/${projectId}/invites/${id}`,
      body: { roles: admins },
    });
    expect(invitationOf(sandbox, waiting)).toMatchObject({ id, roles: admins });
    expect(invitedTo(sandbox)).toEqual({ [ben]: readers, [waiting]: admins });
    expect(await outputsOf("people")).toMatchObject({
      members: { [ben]: readers },
      memberDetails: [
        { username: ada },
        { username: ben, status: "pending" },
        { username: owner },
        { username: stranger },
        { username: waiting },
      ],
    });
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  });

  it("adopts members under other spellings of their names without a write; without the resource in the program they are released", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ members: { [ada]: readers } });
    const members = { "ADA@example.com": readers, "Owner@Example.com": owners };
    const up = await succeeded(upWith({ people: allMembers({}, { members }) }));
    expect(messagesOf(up, "warning")).toBe("");
    expect(writes(sandbox)).toEqual([]);
    expect((await outputsOf("people"))?.members).toEqual(members);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });

    // The resource is no longer in the program: the default of onDestroy releases the members.
    const release = await succeeded(upWith());
    expect(release.changes).toEqual({ delete: 1 });
    expect(messagesOf(release)).toContain(`The people of project ${projectId} were released`);
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });
});

it("a preview of the first up of ProjectMembers names unlisted users, changed roles, and with removeUnlisted each removal, and writes nothing (plugin: the host of dynamic providers reads nothing in a preview)", async () => {
  const { sandbox, previewWith } = await setUpPayments(withStrangers);
  const preview = await succeeded(previewWith({ people: allMembers({ [ada]: admins }) }));
  expect(preview.changes).toEqual({ create: 1 });
  expect(messagesOf(preview, "warning")).toContain(unlistedPeople);
  expect(messagesOf(preview, "info")).toContain(
    `${ada} in project ${projectId}: roles GROUP_READ_ONLY become GROUP_USER_ADMIN.`,
  );
  expect(messagesOf(preview, "info")).not.toContain("will be removed");
  expect(membersOf(sandbox)[ada]).toEqual(readers);

  const people = allMembers({ [ada]: readers }, { removeUnlisted: true });
  const removal = messagesOf(await succeeded(previewWith({ people })), "info");
  expect(removal).toContain(`${stranger} (GROUP_READ_ONLY) will be removed from project ${projectId}.`);
  expect(removal).toContain(`The invitation of ${waiting} to project ${projectId} will be deleted.`);
  expect(writes(sandbox)).toEqual([]);
});
