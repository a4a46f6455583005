/** Who is removed from a project, and which decision of the program it takes. */
import { membershipsIn, membersOf } from "../../engine/support/people-program";
import { bothProviders, errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { type ProviderKind, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  ada,
  allMembers,
  bob,
  eve,
  owner,
  owners,
  peopleWith,
  person,
  projectId,
  readers,
  setUpPayments,
} from "./payments";

afterEach(tearDownStacks);

const removing = { onDestroy: "remove" };

describe("ProjectMembers", () => {
  it("and Team remove no one for a list that is empty in the program and was empty in the state", async () => {
    const { sandbox, stack, userId } = await setUpPayments({ accounts: [ada] });
    sandbox.removeMember(projectId, { username: owner });
    const { id: teamId } = sandbox.addTeam({ name: "operators" });
    const { orgId } = sandbox;
    await succeeded(stack.import("opsmanager:index:ProjectMembers", "people", projectId));
    await succeeded(stack.import("opsmanager:index:Team", "team", `${orgId}/operators`));
    sandbox.setMember(projectId, { username: ada }, readers);
    sandbox.changeTeam(teamId, { userIds: [userId(ada)] });
    const lists = {
      people: { type: "ProjectMembers", properties: { projectId, members: {}, removeUnlisted: true } },
      team: { type: "Team", properties: { orgId, name: "operators", usernames: [], removeUnlisted: true } },
    };
    for (const [name, list] of Object.entries(lists)) {
      await stack.setProgram({ resources: { ...lists, [name]: list } });
      for (const command of ["preview", "up"] as const)
        expect(await errorsOf(stack[command]())).toContain("is empty, so nobody is removed");
    }
    expect(membershipsIn(sandbox).members).toEqual({ [ada]: readers });
    expect(sandbox.state.teams[0]?.userIds).toHaveLength(1);
  });

  it.each(bothProviders)(
    "declares a listed person again who was removed and added outside Pulumi, and writes nothing (%s)",
    async (provider) => {
      const { sandbox, stack, upWith, outputsOf } = await setUpPayments({
        provider,
        members: { [ada]: readers },
      });
      await succeeded(upWith({ people: allMembers({ [ada]: readers }, removing) }));
      sandbox.removeMember(projectId, { username: ada });
      await succeeded(stack.refresh());
      sandbox.setMember(projectId, { username: ada }, readers);
      await succeeded(stack.refresh());
      expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
      expect(writes(sandbox)).toEqual([]);
      expect((await outputsOf("people"))?.memberDetails).toMatchObject([
        { username: ada, declared: true },
        {},
      ]);
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      await succeeded(stack.destroy());
      expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
    },
  );

  describe("whose declared account has left, so that another account has got its name", () => {
    const begin = async (provider: ProviderKind) => {
      const setup = await setUpPayments({ provider, members: { [ada]: readers }, accounts: [bob] });
      const { sandbox, userId, upWith } = setup;
      const [adaId, bobId] = [userId(ada), userId(bob)];
      await succeeded(upWith({ people: allMembers({ [ada]: readers }, removing) }));
      sandbox.removeMember(projectId, { id: adaId });
      sandbox.changeUser(adaId, { username: "ada.former@example.com" });
      sandbox.changeUser(bobId, { username: ada });
      sandbox.setMember(projectId, { id: bobId }, readers);
      return setup;
    };

    it.each(bothProviders)("remove it neither by update nor by destroy (%s)", async (provider) => {
      for (const next of ["update", "destroy"]) {
        const { sandbox, stack, upWith } = await begin(provider);
        await succeeded(next === "destroy" ? stack.destroy() : upWith({ people: allMembers({}, removing) }));
        expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
      }
    });

    it("declare it from the next update on, and warn of that", async () => {
      // The dynamic provider does not read before an update, which would record that the account has left.
      const { upWith } = await begin("dynamic");
      const people = allMembers({ [ada]: readers }, { ...removing, maxRemovals: 7 });
      const up = await succeeded(upWith({ people }));
      expect(messagesOf(up, "warning")).toContain(
        `${ada} in project ${projectId} is a different account than before`,
      );
    });
  });

  it("removes an account that has the last recorded name of the declared one, which it does not take for another account", async () => {
    const { sandbox, stack, userId, upWith } = await setUpPayments({
      provider: "dynamic",
      members: { [ada]: readers },
      accounts: [bob],
    });
    const [adaId, bobId] = [userId(ada), userId(bob)];
    const people = allMembers({ [ada]: readers }, { removeUnlisted: true });
    await succeeded(upWith({ people }));
    sandbox.changeUser(adaId, { username: "ada.2@example.com" });
    sandbox.changeUser(bobId, { username: ada });
    sandbox.setMember(projectId, { id: bobId }, readers);
    await succeeded(stack.refresh());
    sandbox.changeUser(adaId, { username: "ada.3@example.com" });
    sandbox.changeUser(bobId, { username: "ada.2@example.com" });
    const up = await succeeded(upWith({ people }));
    expect(messagesOf(up, "warning")).not.toContain("another account");
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ "ada.3@example.com": readers }));
  });

  it.each(bothProviders)(
    "continues a destroy after a failure, which is no claim that nothing was written (%s)",
    async (provider) => {
      const members = { [ada]: readers, [bob]: readers };
      const { sandbox, stack, userId, upWith } = await setUpPayments({ provider, members });
      await succeeded(upWith({ people: allMembers(members, removing) }));
      sandbox.addFault({ method: "DELETE", pathPattern: `/users/${userId(ada)}`, fault: { status: 409 } });
      const errors = await errorsOf(stack.destroy());
      expect(errors).toContain(`Removing ${ada} from project ${projectId} failed: 409`);
      expect(errors).not.toContain("Nothing was written");
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
    },
  );
});

describe("maxRemovalsPerRun", () => {
  const limit = (maxRemovalsPerRun: number) => ({ "opsmanager:maxRemovalsPerRun": maxRemovalsPerRun });

  it("limits the removals of all resources of a run: ProjectMembers removes all of its people or none", async () => {
    const members = { [ada]: readers, [bob]: readers };
    const { sandbox, stack, upWith } = await setUpPayments({ members, config: limit(2) });
    const { id: other } = sandbox.addProject({ name: "orders" });
    sandbox.setMember(other, { username: eve }, readers);
    const ofOrders = (roles: readonly string[], username: string) =>
      person({ projectId: other, username, roles }, { deleteBeforeReplace: true });
    await succeeded(upWith({ eve: ofOrders(readers, eve), people: allMembers(members) }));

    // The replacement removes Eve before ProjectMembers is updated.
    const errors = await errorsOf(upWith({ eve: ofOrders(readers, ada), people: allMembers({}) }));
    expect(errors).toBe(
      `Nobody was removed from project ${projectId} (${ada}, ${bob}): this run would make 3 removals (each person, team or API key counts once in each place), more than the setting maxRemovalsPerRun (2) allows. To allow it, run: pulumi config set opsmanager:maxRemovalsPerRun 3. If the run has more removals, set it to their number.`,
    );
    expect(Object.keys(membersOf(sandbox, other))).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(peopleWith(members));
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });

  it("stops the run at the first ProjectMember beyond it, and the next run continues", async () => {
    const members = { [ada]: readers, [bob]: readers, [eve]: readers };
    const { sandbox, stack, upWith } = await setUpPayments({ members, config: limit(2) });
    const each = [ada, bob, eve].map((username) => [username.split("@")[0], person({ username })] as const);
    await succeeded(upWith(Object.fromEntries(each)));
    expect(await errorsOf(upWith())).toContain("maxRemovalsPerRun (2)");
    expect(Object.keys(membersOf(sandbox))).toHaveLength(2);
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });

  it("and maxRemovals do not count the last owner, who stays when ProjectMembers is destroyed", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ members: { [ada]: readers }, config: limit(1) });
    const people = allMembers({ [ada]: readers }, { ...removing, maxRemovals: 1 });
    await succeeded(upWith({ people }));
    sandbox.setMember(projectId, { username: eve }, owners);
    // Another owner stays, so both declared people would leave.
    expect(await errorsOf(stack.destroy())).toContain(
      `2 people would be removed from project ${projectId}, more than maxRemovals (1), so nobody is removed: ${ada}, ${owner}. Set maxRemovals to 2, or onDestroy to "release", run pulumi up, and destroy again.`,
    );
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers, [eve]: owners }));
    sandbox.removeMember(projectId, { username: eve });
    const destroy = await succeeded(stack.destroy());
    expect(messagesOf(destroy, "warning")).toContain("is the last direct owner of project");
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });

  it("stops a destroy of ProjectMembers that removes more people", async () => {
    const members = { [ada]: readers, [bob]: readers };
    const { sandbox, stack, upWith } = await setUpPayments({ members, config: limit(1) });
    await succeeded(upWith({ people: allMembers(members, removing) }));
    expect(await errorsOf(stack.destroy())).toContain(
      `Nobody was removed from project ${projectId} (${ada}, ${bob}): this run`,
    );
    expect(membershipsIn(sandbox)).toEqual(peopleWith(members));
  });

  it("of 0 removes no one, also if the people cannot be listed", async () => {
    const { sandbox, stack, upWith, previewWith } = await setUpPayments({
      members: { [ada]: readers },
      config: limit(0),
    });
    await succeeded(upWith({ ada: person({ username: ada }) }));
    expect(await errorsOf(stack.destroy())).toContain("maxRemovalsPerRun (0)");
    const unlisting = { people: allMembers({}, { removeUnlisted: true }) };
    expect(await errorsOf(previewWith(unlisting))).toContain("maxRemovalsPerRun (0)");
    sandbox.addFault({ pathPattern: "/groups/\\w+/users", times: 0, fault: { status: 403 } });
    expect(await errorsOf(stack.destroy())).toContain("maxRemovalsPerRun (0)");
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });
});
