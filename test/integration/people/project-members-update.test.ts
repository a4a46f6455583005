/** ProjectMembers: which requests a changed list sends, and which differences are no change. */

import { membershipsIn, nothing, upAgain } from "../../engine/support/people-program";
import { bothProviders, changedPaths, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, ben, cleo, owner, readers } from "../../support/people";
import { allMembers, peopleWith, projectId, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const dora = "dora@example.com";
const members = { [ada]: readers, [ben]: readers, [cleo]: readers };

describe("a changed list of members", () => {
  it("sends only what differs: additions and more roles first, other changes next, removals last", async () => {
    const { sandbox, stack, userId, upWith } = await setUpPayments({
      sandbox: { bypassInvitations: true },
      members,
      accounts: [dora],
    });
    await succeeded(upWith({ people: allMembers(members) }));
    expect(writes(sandbox)).toEqual([]);

    const both = ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"];
    const monitoring = ["GROUP_MONITORING_ADMIN"];
    const changed = { [ada]: both, [cleo]: monitoring, [dora]: readers };
    expect((await succeeded(upWith({ people: allMembers(changed) }))).changes).toEqual({ update: 1 });
    const post = (username: string, roles: readonly string[]) => ({
      method: "POST",
      path: `/groups/${projectId}/users`,
      body: [{ id: userId(username), roles: roles.map((roleName) => ({ roleName })) }],
    });
    const sent = writes(sandbox);
    // Additions and changes that only add roles run together, in no order among themselves.
    expect(sent.slice(0, 2)).toEqual(expect.arrayContaining([post(dora, readers), post(ada, both)]));
    expect(sent.slice(2)).toEqual([
      post(cleo, monitoring),
      { method: "DELETE", path: `/groups/${projectId}/users/${userId(ben)}` },
    ]);
    expect(membershipsIn(sandbox)).toEqual(peopleWith(changed));
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  });

  it.each(bothProviders)(
    "does not declare members that ignoreChanges ignores, so destroy leaves them (%s)",
    async (provider) => {
      const { sandbox, stack, upWith } = await setUpPayments({ provider, members: { [ada]: readers } });
      const program = (onDestroy: string) => ({
        people: allMembers({ [ada]: readers }, { onDestroy }, { ignoreChanges: ["members"] }),
      });
      await succeeded(upWith(program("release")));
      sandbox.setMember(projectId, { username: dora }, readers);
      expect((await succeeded(upWith(program("remove")))).changes).toEqual({ update: 1 });
      await succeeded(stack.destroy());
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [dora]: readers }));
    },
  );
});

it("a preview shows each person, names each removal and each overwritten set of roles, and writes nothing (plugin; the dynamic host has no detail and sends no request)", async () => {
  const before = { [ada]: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"], [ben]: readers };
  const { sandbox, upWith, previewWith, outputsOf } = await setUpPayments({
    members: before,
    invited: { [cleo]: readers },
  });
  await succeeded(upWith({ people: allMembers({ ...before, [cleo]: readers }) }));

  sandbox.clearRequests();
  const changed = { [ada]: ["GROUP_DATA_ACCESS_ADMIN", "GROUP_USER_ADMIN"], [dora]: readers };
  const preview = await succeeded(previewWith({ people: allMembers(changed) }));
  expect(preview.changes).toEqual({ update: 1 });
  expect(changedPaths(preview, "people")).toEqual({
    [`members["${ada}"][0]`]: "update",
    [`members["${ben}"]`]: "delete",
    [`members["${cleo}"]`]: "delete",
    [`members["${dora}"]`]: "add",
  });
  const reported = messagesOf(preview, "info");
  expect(reported).toContain(
    `${ada} in project ${projectId}: roles GROUP_READ_ONLY, GROUP_USER_ADMIN become GROUP_DATA_ACCESS_ADMIN, GROUP_USER_ADMIN.`,
  );
  expect(reported).toContain(`${ben} (GROUP_READ_ONLY) will be removed from project ${projectId}.`);
  expect(reported).toContain(`The invitation of ${cleo} to project ${projectId} will be deleted.`);
  expect(reported).not.toContain(owner);
  expect(writes(sandbox)).toEqual([]);
  expect(await outputsOf("people")).toMatchObject({ members: { [ben]: readers } });
});
