/** ProjectMembers: drift of a project's members, and a project that was deleted outside Pulumi. */
import { startSandbox } from "../../../sandbox";
import { invitationOf, membershipsIn } from "../../engine/support/people-program";
import { bothProviders, changedPaths, errorsOf, writes } from "../../engine/support/project-program";
import { keepDefault, type ProviderKind, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { stranger } from "../../support/people";
import {
  ada,
  allMembers,
  bob,
  eve,
  owner,
  owners,
  peopleWith,
  projectId,
  readers,
  setUpPayments,
} from "./payments";

afterEach(tearDownStacks);

const members = { [ada]: readers, [bob]: readers };

describe("members who were changed outside Pulumi", () => {
  it("are no change after they accepted an invitation, even with refreshBeforeUpdate false", async () => {
    const config = { "opsmanager:refreshBeforeUpdate": false };
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ members, config });
    await succeeded(upWith({ people: allMembers({ ...members, [eve]: readers }) }));
    sandbox.acceptInvitation(invitationOf(sandbox, eve).id);
    sandbox.clearRequests();
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect((await outputsOf("people"))?.memberDetails).toContainEqual(
      expect.objectContaining({ username: eve, status: "active", declared: true, roles: readers }),
    );
  });

  it("are invited again after their invitation expired; members through a team or the organization are no drift", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ members });
    await succeeded(upWith({ people: allMembers({ ...members, [eve]: readers }) }));
    const grants = [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }];
    const { id: olaf } = sandbox.addUser({ username: "olaf@example.com", roles: grants });
    const team = sandbox.addTeam({ name: "platform", userIds: [olaf] });
    sandbox.setProjectTeam(projectId, { teamId: team.id, roleNames: readers });
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(JSON.stringify(await outputsOf("people"))).not.toContain("olaf@example.com");

    const { id } = invitationOf(sandbox, eve);
    sandbox.expireInvitation(id);
    expect((await succeeded(stack.preview())).changes).toEqual({ update: 1 });
    await succeeded(stack.up());
    expect(sandbox.state.invitations.filter((invitation) => invitation.id !== id)).toMatchObject([
      { username: eve, roles: readers },
    ]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it.each(bothProviders)(
    "are not removed by destroy with onDestroy remove if the program never declared them (%s)",
    async (provider) => {
      const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ provider, members });
      await succeeded(upWith({ people: allMembers(members, { onDestroy: "remove" }) }));
      sandbox.setMember(projectId, { username: stranger }, owners);
      sandbox.addInvitation(projectId, { username: eve, roles: readers });
      await succeeded(stack.refresh());
      expect(await outputsOf("people")).toMatchObject({
        members,
        memberDetails: [
          { username: ada, declared: true },
          { username: bob, declared: true },
          { username: eve, declared: false },
          { username: owner, declared: true },
          { username: stranger, declared: false },
        ],
      });
      await succeeded(stack.destroy());
      expect(membershipsIn(sandbox)).toEqual({
        members: { [stranger]: owners },
        invited: { [eve]: readers },
      });
      expect(await stack.resource("people")).toBeUndefined();
    },
  );
});

describe("an import by the id of the project (plugin; nothing can be imported through the dynamic provider)", () => {
  const token = "opsmanager:index:ProjectMembers";

  it("shows everyone, and a program that lists them has nothing to do", async () => {
    const { sandbox, stack, upWith, previewWith, outputsOf } = await setUpPayments({
      members,
      invited: { [eve]: readers },
    });
    await succeeded(stack.import(token, "people", projectId.toUpperCase()));
    const all = { ...members, [eve]: readers, [owner]: owners };
    expect(await stack.resource("people")).toMatchObject({
      id: projectId,
      inputs: { projectId, members: all },
      outputs: { members: all, origin: "imported", onDestroy: "release", orgId: sandbox.orgId },
    });
    const imported = { people: allMembers({ ...members, [eve]: readers }) };
    expect((await succeeded(previewWith(imported))).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);

    // No create or update has declared a member yet. The first update declares them.
    const fewer = { people: allMembers(members, { onDestroy: "remove" }) };
    const preview = await succeeded(previewWith(fewer));
    expect(changedPaths(preview, "people")).toEqual({ [`members["${eve}"]`]: "delete", onDestroy: "add" });
    await succeeded(upWith(fewer));
    expect(membershipsIn(sandbox)).toEqual(peopleWith(members));
    expect(await outputsOf("people")).toMatchObject({
      origin: "imported",
      memberDetails: [{ declared: true }, { declared: true }, { declared: true }],
    });
  });

  it("is refused if it is no id, and imports nothing if there is no such project", async () => {
    const { sandbox, stack } = await setUpPayments();
    expect(await errorsOf(stack.import(token, "people", "unknown@example.com"))).toContain(
      '"unknown@example.com" is not the id of a project: ProjectMembers is imported by its projectId, 24 hexadecimal digits',
    );
    expect((await stack.import(token, "people", "5f00000000000000000000ff")).exitCode).not.toBe(0);
    expect(await stack.resource("people")).toBeUndefined();
    expect(writes(sandbox)).toEqual([]);
  });
});

describe("ProjectMembers of a project that was deleted outside Pulumi", () => {
  const begin = async (sandbox = {}, provider: ProviderKind = "plugin") => {
    const setup = await setUpPayments({ provider, members, sandbox });
    await succeeded(setup.upWith({ people: allMembers(members) }));
    return setup;
  };

  it.each([
    ["GROUP_NOT_FOUND", "plugin"],
    ["NOT_IN_GROUP", "plugin"],
    ["NOT_IN_GROUP", "dynamic"],
  ] as const)(
    "are deleted from the state by refresh, and up fails with an error that names the project: %s (%s)",
    async (unknownProject, provider) => {
      keepDefault("refreshBeforeUpdate", "an up without changes reads the people");
      const { sandbox, stack } = await begin({ unknownProject }, provider);
      sandbox.removeProject(projectId);
      expect(await errorsOf(stack.up())).toContain(projectId);
      expect(writes(sandbox)).toEqual([]);
      await succeeded(stack.refresh());
      expect(await stack.resource("people")).toBeUndefined();
      expect(await errorsOf(stack.up())).toContain(projectId);
      expect(await stack.resource("people")).toBeUndefined();
    },
  );

  it.each(bothProviders)(
    "are kept if it is only absent from another service: the error names baseUrl (%s)",
    async (provider) => {
      const { stack, outputsOf } = await begin({}, provider);
      const other = await startSandbox();
      const { baseUrl, publicKey, privateKey } = other;
      await stack.setConfig({ baseUrl, publicKey, privateKey });
      const errors = await errorsOf(stack.refresh());
      await other.close();
      expect(errors).toContain(`Check baseUrl (${baseUrl})`);
      expect((await outputsOf("people"))?.members).toMatchObject(members);
    },
  );
});
