/** Who is removed from a project, and which decision of the program it takes. */
import { hasCode } from "../../../provider/errors";
import { project } from "../../../provider/resources/project";
import { owner, partialFailureOf, peopleScenarios, reader } from "./run";

const scenario = peopleScenarios();
const ada = "ada@example.com";
const ben = "ben@example.com";
const eve = "eve@example.com";
const first = { "owner@example.com": owner };

/** A project and a team without people. */
async function emptied() {
  const started = await scenario();
  const { sandbox, projectId } = started;
  sandbox.removeMember(projectId, { username: "owner@example.com" });
  sandbox.addTeam({ name: "operators" });
  return { ...started, orgId: sandbox.orgId };
}

describe("ProjectMembers", () => {
  it("removes people who were declared and left the program, and leaves all others in", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    for (const username of [ada, ben]) sandbox.setMember(projectId, { username }, reader);
    const made = await run().create("ProjectMembers", { projectId, members: { ...first, [ada]: reader } });
    sandbox.setMember(projectId, { username: eve }, reader);
    const read = (await run().read(made)) ?? made;
    expect(Object.keys(read.state.members ?? {})).toEqual([ada, "owner@example.com"]);
    expect(read.oldInputs.members).toEqual(read.state.members);

    const up = run();
    const inputs = { projectId, members: first };
    expect(up.diff(read, inputs)).toEqual([`delete members,${ada}`]);
    await up.update(read, inputs);
    expect(up.messages).toEqual([
      `[undeclared] [people ${projectId}] 2 people in project ${projectId} are not listed and not changed: ${ben}, ${eve}. To manage them, list them in members. To exclude them, add them to ignoreUsers. To remove them, set removeUnlisted to true.`,
    ]);
    expect(people()).toEqual([`${ben} GROUP_READ_ONLY`, `${eve} GROUP_READ_ONLY`]);
  });

  it("removes no one for a list that is empty in the program and was empty in the state", async () => {
    const { sandbox, projectId, orgId, run, user, people } = await emptied();
    const members = await run().importOf("ProjectMembers", projectId);
    expect(members.oldInputs.members).toEqual({});
    const team = await run().importOf("Team", `${orgId}/operators`);
    sandbox.setMember(projectId, { id: user(ada) }, reader);
    const [{ id: teamId = "" } = {}] = sandbox.state.teams;
    sandbox.changeTeam(teamId, { userIds: [sandbox.user({ username: ada })?.id ?? ""] });
    for (const record of [members, team]) {
      const inputs = { ...record.oldInputs, removeUnlisted: true };
      await expect(run().update(record, inputs)).rejects.toThrow("is empty, so no one is removed");
      await expect(run().update(record, inputs, { preview: true })).rejects.toThrow("no one is removed");
    }
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    expect(sandbox.state.teams[0]?.userIds).toHaveLength(1);
  });

  it("removes a declared person in a later run if the removal fails", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const made = await run().create("ProjectMembers", { projectId, members: { ...first, [ada]: reader } });
    sandbox.addFault({ method: "DELETE", fault: { status: 409 } });
    const inputs = { projectId, members: first };
    const failure = await partialFailureOf(run().update(made, inputs));
    const failed = { ...made, state: failure.state as never, oldInputs: inputs };
    const read = (await run().read(failed)) ?? failed;
    const next = run();
    expect(next.diff(read, inputs)).toEqual([`delete members,${ada}`]);
    await next.update(read, inputs);
    expect(people()).toEqual([]);
  });

  it("records a listed person again who was removed and added outside Pulumi, and writes nothing", async () => {
    const { sandbox, projectId, run, people, writes } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const inputs = { projectId, members: { ...first, [ada]: reader }, onDestroy: "remove" };
    const made = await run().create("ProjectMembers", inputs);
    sandbox.removeMember(projectId, { username: ada });
    const without = (await run().read(made)) ?? made;
    sandbox.setMember(projectId, { username: ada }, reader);
    const again = (await run().read(without)) ?? without;

    sandbox.clearRequests();
    const up = run();
    expect(up.diff(again, inputs)).toEqual([`add members,${ada}`]);
    const updated = await up.update(again, inputs);
    expect(writes()).toEqual([]);
    expect(updated.state.memberDetails).toMatchObject([{ username: ada, declared: true }, {}]);
    expect(run().diff(updated, inputs)).toEqual([]);
    await run().delete(updated);
    expect(people()).toEqual([]);
  });

  it("declares everyone whom an import generates, without a difference", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const imported = await run().importOf("ProjectMembers", projectId);
    expect(run().diff(imported)).toEqual([]);
    const up = run();
    const inputs = { projectId, members: first };
    expect(up.diff(imported, inputs)).toEqual([`delete members,${ada}`]);
    await up.update(imported, inputs);
    expect(people()).toEqual([]);
  });

  it("reads a state of an earlier release, and names the property that replaces the former one", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: eve }, reader);
    const inputs = { projectId, members: first };
    const made = await run().create("ProjectMembers", inputs);
    const { removeUnlisted: _, ...state } = made.state;
    const members = { ...first, [eve]: reader };
    const old = {
      ...made,
      state: { ...state, members, removeUnlistedOnCreate: false },
      oldInputs: { projectId, members, removeUnlistedOnCreate: false },
    };
    const read = (await run().read(old)) ?? old;
    const up = run();
    expect(up.diff(read, inputs)).toEqual([]);
    await up.update(read, inputs);
    expect(people()).toEqual([`${eve} GROUP_READ_ONLY`]);
    expect(up.check("ProjectMembers", { ...inputs, removeUnlistedOnCreate: true })).toEqual([
      "removeUnlistedOnCreate is not a property. Did you mean removeUnlisted?",
    ]);
  });

  it("does not remove another account that has got the name of a declared one, neither by update nor by destroy", async () => {
    const { sandbox, projectId, run, user, people } = await scenario();
    const [one, two] = [user(ada), user(ben)];
    sandbox.setMember(projectId, { id: one }, reader);
    const inputs = { projectId, members: { ...first, [ada]: reader }, onDestroy: "remove" };
    const made = await run().create("ProjectMembers", inputs);
    sandbox.removeMember(projectId, { id: one });
    sandbox.changeUser(one, { username: "ada.former@example.com" });
    sandbox.changeUser(two, { username: ada });
    sandbox.setMember(projectId, { id: two }, reader);
    const read = (await run().read(made)) ?? made;
    await run().update(read, { projectId, members: first, onDestroy: "remove" });
    await run().delete(read);
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    const named = run();
    expect(named.diff(read, inputs)).toEqual([`add members,${ada}`]);
    await named.update(made, inputs);
    expect(named.messages.join()).toContain(`${ada} in project ${projectId} is another account than before`);
  });

  it("does not report that nothing was written if destroying fails for some people", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    for (const username of [ada, ben]) sandbox.setMember(projectId, { username }, reader);
    const members = { ...first, [ada]: reader, [ben]: reader };
    const made = await run().create("ProjectMembers", { projectId, members, onDestroy: "remove" });
    const id = sandbox.user({ username: ada })?.id;
    sandbox.addFault({ method: "DELETE", pathPattern: `/users/${id}`, fault: { status: 409 } });
    const error = await run()
      .delete(made)
      .catch((thrown: unknown) => thrown);
    expect(hasCode(error, "OPSMANAGER_PARTIAL")).toBe(true);
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
  });

  it("records people whom the service accepted if the read after the write fails", async () => {
    const { sandbox, projectId, run, people } = await scenario({ bypassInvitations: true });
    sandbox.addUser({ username: ada });
    const inputs = { projectId, members: { ...first, [ada]: reader }, onDestroy: "remove" };
    sandbox.addFault({
      method: "POST",
      fault: { status: 201, body: {}, afterWrite: true },
    });
    // The first list is the one before the write.
    let lists = 0;
    const up = run();
    const fresh = up.session.peopleCache.fresh.bind(up.session.peopleCache);
    up.session.peopleCache.fresh = (...args) => {
      lists += 1;
      if (lists === 2) sandbox.addFault({ pathPattern: "/users\\?", times: 0, fault: { status: 503 } });
      return fresh(...args);
    };
    const failure = await partialFailureOf(up.create("ProjectMembers", inputs));
    expect(failure.message).toContain(`accepted ${ada} with GROUP_READ_ONLY for project ${projectId}`);
    sandbox.clearFaults();
    const recorded = { type: "ProjectMembers", name: "people", id: failure.id, oldInputs: inputs } as const;
    const read = await run().read({ ...recorded, state: failure.state as never });
    expect(read?.state.memberDetails).toMatchObject([
      { username: ada, status: "active", declared: true },
      {},
    ]);
    if (read) await run().delete(read);
    expect(people()).toEqual([]);
  });
});

describe("maxRemovalsPerRun", () => {
  it("limits the removals of all resources of a run: ProjectMembers removes all of its people or none", async () => {
    const { sandbox, projectId, run, people } = await scenario({}, { maxRemovalsPerRun: 2 });
    for (const username of [ada, ben, eve]) sandbox.setMember(projectId, { username }, reader);
    const { id: other } = sandbox.addProject({ name: "orders" });
    sandbox.addInvitation(other, { username: ada, roles: reader });
    const members = { ...first, [ada]: reader, [ben]: reader };
    const made = await run().create("ProjectMembers", { projectId, members });
    const single = await run().create(
      "ProjectMember",
      { projectId: other, username: ada, roles: reader },
      "ada",
    );

    const up = run();
    await up.delete(single);
    expect(people(other)).toEqual([]);
    const inputs = { projectId, members: first };
    const failure = await partialFailureOf(up.update(made, inputs));
    expect(failure.message).toBe(
      `${ada}, ${ben} were not removed from project ${projectId}: this run would remove 3 people from projects and teams, more than the setting maxRemovalsPerRun (2) allows. To allow it, run: pulumi config set opsmanager:maxRemovalsPerRun 3. If the run has more removals, set it to their number.`,
    );
    expect(people()).toHaveLength(3);
    await run().update(made, inputs);
    expect(people()).toEqual([`${eve} GROUP_READ_ONLY`]);
  });

  it("does not count the last owner, who stays when ProjectMembers is destroyed", async () => {
    const { sandbox, projectId, run, people } = await scenario({}, { maxRemovalsPerRun: 1 });
    sandbox.setMember(projectId, { username: ada }, reader);
    const members = { ...first, [ada]: reader };
    const inputs = { projectId, members, maxRemovals: 1, onDestroy: "remove" };
    const made = await run().create("ProjectMembers", inputs);
    sandbox.setMember(projectId, { username: eve }, owner);
    // Another owner stays, so both declared people would leave.
    await expect(run().delete(made)).rejects.toThrow("2 people would be removed");
    sandbox.removeMember(projectId, { username: eve });
    const destroy = run();
    await destroy.delete(made);
    expect(destroy.messages).toEqual([expect.stringContaining("is the last direct owner of project")]);
    expect(people()).toEqual([]);
  });

  it("of 0 removes no one", async () => {
    const { sandbox, projectId, run, people } = await scenario({}, { maxRemovalsPerRun: 0 });
    sandbox.setMember(projectId, { username: ada }, reader);
    const member = await run().create("ProjectMember", { projectId, username: ada, roles: reader });
    await expect(run().delete(member)).rejects.toThrow("maxRemovalsPerRun (0)");
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    await run().create("ProjectMembers", { projectId, members: { ...first, [ada]: owner } });
    await expect(
      run().preview("ProjectMembers", { projectId, members: first, removeUnlisted: true }),
    ).rejects.toThrow("maxRemovalsPerRun (0)");
  });
});

it("a person whom another resource declares while they are read is not removed", async () => {
  const { sandbox, projectId, run, people } = await scenario();
  sandbox.setMember(projectId, { username: ada }, reader);
  const inputs = { projectId, username: ada, roles: reader };
  const old = await run().create("ProjectMember", inputs, "old");
  const up = run();
  const { peopleCache } = up.session;
  const gathered = peopleCache.gathered.bind(peopleCache);
  peopleCache.gathered = async (...args) => {
    const projectPeople = await gathered(...args);
    up.check("ProjectMember", inputs, "new");
    return projectPeople;
  };
  await up.delete(old);
  expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
});

it("the name of the project in the outputs is the one that the same run gave it", async () => {
  const { sandbox, projectId, run } = await scenario();
  sandbox.setMember(projectId, { username: ada }, reader);
  const inputs = { projectId, username: ada, roles: reader };
  const up = run();
  const single = await up.create("ProjectMember", inputs);
  const context = {
    session: up.session,
    urn: "urn:pulumi:dev::proj::opsmanager:index:Project::payments",
    log: { info: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
  };
  await project.create({ inputs: { projectId, name: "payments-2" }, preview: false, context });
  const updated = await up.update(single, { ...inputs, roles: owner });
  expect(updated.state).toMatchObject({ groupName: "payments-2" });
});

it("an invitation counts as expired by the service's clock, not by this machine's", async () => {
  const { sandbox, projectId, run } = await scenario();
  const member = await run().create("ProjectMember", { projectId, username: ada, roles: reader });
  const up = run();
  const day = 86_400_000;
  Object.assign(up.session.client, { now: () => Date.now() + 32 * day });
  expect(await up.read(member)).toBeUndefined();
  const later = run();
  Object.assign(later.session.client, { now: () => Date.now() });
  expect((await later.read(member))?.state).toMatchObject({ status: "pending" });
  expect(sandbox.state.invitations).toHaveLength(1);
});
