/** Who is removed from a project by ProjectMembers, and which decision of the program it takes. For both lists: `../lists`. */
import { membershipsIn, membersOf } from "../../engine/support/people-program";
import { bothProviders, errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
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
  person,
  projectId,
  readers,
  setUpPayments,
} from "./payments";

afterEach(tearDownStacks);

const removing = { onDestroy: "remove" };

describe("destroy with onDestroy remove", () => {
  it.each(bothProviders)(
    "removes who was declared, neither ignored people nor those who came later, and warns of the last owner who stays (%s)",
    async (provider) => {
      const guest = "guest@example.com";
      const { sandbox, stack, upWith, outputsOf } = await setUpPayments({
        provider,
        members: { [ada]: readers, [bob]: readers, [guest]: readers },
      });
      const people = { [ada]: readers, [bob]: readers };
      await succeeded(upWith({ people: allMembers(people, { ...removing, ignoreUsers: ["guest*"] }) }));
      sandbox.setMember(projectId, { username: stranger }, readers);
      sandbox.addInvitation(projectId, { username: eve, roles: readers });
      await succeeded(stack.refresh());
      expect((await outputsOf("people"))?.memberDetails).toMatchObject([
        { username: ada, declared: true },
        { username: bob, declared: true },
        { username: eve, declared: false },
        { username: guest, declared: false, ignored: true },
        { username: owner, declared: true },
        { username: stranger, declared: false },
      ]);
      const destroy = await succeeded(stack.destroy());
      expect(messagesOf(destroy, "warning")).toContain(
        `${owner} is the last direct owner of project ${projectId} and was not removed`,
      );
      expect(membershipsIn(sandbox)).toEqual(
        peopleWith({ [guest]: readers, [stranger]: readers }, { [eve]: readers }),
      );
      expect(await stack.resource("people")).toBeUndefined();
    },
  );

  it.each(bothProviders)(
    "continues after a failure, which is no claim that nothing was written (%s)",
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

  it.each(bothProviders)("leaves members whom ignoreChanges ignored (%s)", async (provider) => {
    const { sandbox, stack, upWith } = await setUpPayments({ provider, members: { [ada]: readers } });
    const ignoring = (onDestroy: string) =>
      allMembers({ [ada]: readers }, { onDestroy, removeUnlisted: true }, { ignoreChanges: ["members"] });
    await succeeded(upWith({ people: ignoring("release") }));
    sandbox.setMember(projectId, { username: stranger }, readers);
    // The engine puts who is recorded since then into the ignored inputs.
    await succeeded(stack.refresh());
    expect((await succeeded(upWith({ people: ignoring("remove") }))).changes).toEqual({ update: 1 });
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [stranger]: readers }));
  });

  // Of a member: `../lists/lists.test.ts`.
  it("warns before an update declares another account that has got the name of one that left", async () => {
    const setup = await setUpPayments({ provider: "dynamic", members: { [ada]: readers }, accounts: [bob] });
    const { sandbox, stack, userId, upWith } = setup;
    await succeeded(upWith({ people: allMembers({ [ada]: readers }, removing) }));
    sandbox.removeMember(projectId, { id: userId(ada) });
    const bobId = userId(bob);
    sandbox.changeUser(userId(ada), { username: "ada.former@example.com" });
    sandbox.changeUser(bobId, { username: ada });
    sandbox.setMember(projectId, { id: bobId }, readers);
    // The plugin's read before the update records that the account has left.
    const declaring = allMembers({ [ada]: readers }, { ...removing, maxRemovals: 7 });
    await stack.setProgram({ resources: { people: declaring } });
    expect(messagesOf(await succeeded(stack.up()), "warning")).toContain(
      `${ada} in project ${projectId} is a different account than before`,
    );
  });

  it("is an error if one of two invitations stays in spite of an accepted removal", async () => {
    const config = { "opsmanager:maxRetries": 0 };
    const { sandbox, stack, upWith } = await setUpPayments({ config, invited: { [eve]: readers } });
    sandbox.addInvitation(projectId, { username: eve, roles: readers });
    await succeeded(upWith({ people: allMembers({ [eve]: readers }, removing) }));
    sandbox.addFault({ method: "DELETE", pathPattern: "/invites/", fault: { status: 204 } });
    expect(await errorsOf(stack.destroy())).toContain(
      `The service accepted the removal of ${eve} from project ${projectId}, but still lists this person in it.`,
    );
    expect(sandbox.state.invitations).toHaveLength(1);
    expect(await stack.resource("people")).toBeDefined();
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });
});

it("ProjectMembers and Team remove no one for a list that is empty in the program and was empty in the state", async () => {
  const { sandbox, stack, userId } = await setUpPayments({ accounts: [ada] });
  sandbox.removeMember(projectId, { username: owner });
  const { id: teamId } = sandbox.addTeam({ name: "operators" });
  const { orgId } = sandbox;
  await succeeded(stack.import("ProjectMembers", "people", projectId));
  await succeeded(stack.import("Team", "team", `${orgId}/operators`));
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

it("removeUnlisted removes an account that has the last recorded name of the declared one", async () => {
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

// In a refresh the engine calls Diff too, also for resources that are no longer in the program.
it.each(bothProviders)(
  "a read of all resources before the program runs declares no one: whose resource left the program is removed (%s)",
  async (provider) => {
    const { sandbox, stack, upWith } = await setUpPayments({ provider, members: { [ada]: readers } });
    const { id: orders } = sandbox.addProject({ name: "orders" });
    for (const username of [ada, bob]) sandbox.setMember(orders, { username }, readers);
    const all = { type: "ProjectMembers", properties: { projectId: orders, members: { [bob]: readers } } };
    const staying = { ada: person({ projectId: orders, username: ada }) };
    await succeeded(upWith({ one: person({ username: ada }), ...staying }));
    await stack.setProgram({ resources: staying });
    expect((await succeeded(stack.up({ refresh: true }))).changes).toEqual({ delete: 1, same: 1 });
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));

    await succeeded(upWith({ all: { ...all, properties: { ...all.properties, ...removing } } }));
    expect(membersOf(sandbox, orders)).toEqual({ [bob]: readers });
    await stack.setProgram({ resources: {} });
    expect((await succeeded(stack.up({ refresh: true }))).changes).toEqual({ delete: 1 });
    expect(membersOf(sandbox, orders)).toEqual({});
  },
);

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
      `Nobody was removed from project ${projectId} (${ada}, ${bob}): this run would make 3 removals, more than the setting maxRemovalsPerRun (2) allows. Each person, team or API key counts once in each place. To allow it, run: pulumi config set opsmanager:maxRemovalsPerRun 3. If the run has more removals, set it to their number.`,
    );
    expect(Object.keys(membersOf(sandbox, other))).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(peopleWith(members));
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });

  it("and maxRemovals count no last owner, who stays when ProjectMembers is destroyed", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ members: { [ada]: readers }, config: limit(1) });
    await succeeded(upWith({ people: allMembers({ [ada]: readers }, { ...removing, maxRemovals: 1 }) }));
    sandbox.setMember(projectId, { username: eve }, owners);
    // Another owner stays, so both declared people would leave.
    expect(await errorsOf(stack.destroy())).toContain(
      `Nobody was removed from project ${projectId}, because 2 people would leave, more than maxRemovals (1) allows: ${ada}, ${owner}. Set maxRemovals to 2, or onDestroy to "release", run pulumi up, and destroy again.`,
    );
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers, [eve]: owners }));
    sandbox.removeMember(projectId, { username: eve });
    const destroy = await succeeded(stack.destroy());
    expect(messagesOf(destroy, "warning")).toContain("is the last direct owner of project");
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
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
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });
});
