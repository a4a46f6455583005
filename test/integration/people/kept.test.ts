/**
 * Design, "One remote object, two names": people stay where they are when only the program's words for them, or their names,
 * change. Who is declared twice would be pulled back and forth: the later declaration fails, and writes nothing.
 */
import { deletions, invitationsTo, membershipsIn, membersOf } from "../../engine/support/people-program";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  operations,
  projectNamed,
  writes,
} from "../../engine/support/project-program";
import { type ProviderKind, succeeded } from "../../support";
import { type Run, tearDownStacks } from "../../support/model-stack";
import {
  ada,
  allMembers,
  bob,
  owner,
  owners,
  type People,
  peopleWith,
  person,
  projectId,
  readers,
  setUpPayments,
} from "./payments";

afterEach(tearDownStacks);

const lovelace = "ada.lovelace@example.com";
const afterFirst = { dependsOn: ["${first}"] };

it.each([
  { provider: "plugin", declarer: "urn:\\S+::renamed" },
  { provider: "dynamic", declarer: "ProjectMembers" },
] as const)(
  "a ProjectMembers that is renamed in the program keeps everyone, even with onDestroy: remove ($provider)",
  async ({ provider, declarer }) => {
    const { sandbox, upWith } = await setUpPayments({ provider, members: { [ada]: readers } });
    const people = allMembers({ [ada]: readers, "new@example.com": readers }, { onDestroy: "remove" });
    await succeeded(upWith({ old: people }));
    const before = membershipsIn(sandbox);
    sandbox.clearRequests();
    const up = await succeeded(upWith({ renamed: people }));
    expect(operations(up)).toEqual({ renamed: "create", old: "delete" });
    expect(messagesOf(up)).toMatch(
      new RegExp(`people of project ${projectId} were kept because ${declarer}`),
    );
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);
  },
);

it.each(bothProviders)(
  "members and invited people move between ProjectMember resources and one ProjectMembers without losing a membership; a move without one of them removes that one alone (%s)",
  async (provider) => {
    const [active, pending] = [
      ["one@example.com", "two@example.com"],
      ["three@example.com", "four@example.com"],
    ];
    const names = [...active, ...pending];
    /** As the other resource spells them. */
    const respelled = names.map((name, index) => (index % 2 === 0 ? name : name.toUpperCase()));
    const reading = (usernames: readonly string[]): People =>
      Object.fromEntries(usernames.map((username) => [username, readers]));
    const eachAlone = {
      owner: person({ username: owner, roles: owners }),
      ...Object.fromEntries(names.map((username) => [username.split("@")[0], person({ username })])),
    };
    const together = (usernames: readonly string[], onDestroy?: string) => ({
      people: allMembers(reading(usernames), { onDestroy }),
    });
    const setup = await setUpPayments({ provider, members: reading(active), invited: reading(pending) });
    const { sandbox, stack, userId, upWith } = setup;
    const ids = invitationsTo(sandbox).map(({ id }) => id);
    const expectMove = (up: Run, changes: object) => {
      expect(up.changes).toEqual(changes);
      for (const name of names)
        expect(messagesOf(up)).toContain(`${name} in project ${projectId} was kept because`);
      expect(writes(sandbox)).toEqual([]);
      expect(membershipsIn(sandbox)).toEqual(peopleWith(reading(active), reading(pending)));
      expect(invitationsTo(sandbox).map(({ id }) => id)).toEqual(ids);
    };
    await succeeded(upWith(eachAlone));
    expectMove(await succeeded(upWith(together(respelled, "remove"))), { create: 1, delete: 5 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    // Back, although destroying the ProjectMembers removes everyone.
    expectMove(await succeeded(upWith(eachAlone)), { create: 5, delete: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 5 });

    const [unlisted = "", ...staying] = respelled;
    await succeeded(upWith(together(staying)));
    expect(deletions(sandbox)).toEqual([`/groups/${projectId}/users/${userId(unlisted)}`]);
    const members = reading(active.filter((username) => username !== unlisted));
    expect(membershipsIn(sandbox)).toEqual(peopleWith(members, reading(pending)));
  },
);

// One person: `../members/members.test.ts`.
it.each(bothProviders)(
  "a ProjectMembers of another project adds people there first, and removes them here only with onDestroy (%s)",
  async (provider) => {
    const { sandbox, stack, userId, upWith } = await setUpPayments({
      provider,
      sandbox: { bypassInvitations: true },
      members: { [ada]: readers },
    });
    const { id: there } = sandbox.addProject({ name: "orders" });
    sandbox.setMember(there, { username: owner }, owners);
    const listed = (of: string, more: object = {}) => ({
      people: allMembers({ [ada]: readers }, { projectId: of, ...more }),
    });
    await succeeded(upWith(listed(projectId)));
    const moved = await succeeded(upWith(listed(there, { onDestroy: "remove" })));
    expect(messagesOf(moved)).toContain(`The people of project ${projectId} were released`);
    const everyone = { [ada]: readers, [owner]: owners };
    expect([membersOf(sandbox), membersOf(sandbox, there)]).toEqual([everyone, everyone]);

    sandbox.clearRequests();
    const back = await succeeded(upWith(listed(projectId)));
    expect(deletions(sandbox)).toEqual([`/groups/${there}/users/${userId(ada)}`]);
    expect(messagesOf(back, "warning")).toContain(`${owner} is the last direct owner of project ${there}`);
    expect([membersOf(sandbox), membersOf(sandbox, there)]).toEqual([everyone, { [owner]: owners }]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  },
);

describe.each(bothProviders)("the last owner, whose resource is for another person now (%s)", (provider) => {
  it("stays while that one is only invited, may be declared again, and leaves as soon as that one has accepted", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({
      provider,
      members: { [ada]: owners },
      accounts: [bob],
    });
    const owning = (username: string) => ({ ada: person({ username, roles: owners }) });
    sandbox.removeMember(projectId, { username: owner });
    await succeeded(upWith(owning(ada)));
    const expectRefusal = (up: Run) => {
      expect(up.exitCode).not.toBe(0);
      const refused = `${ada} is the only owner of project ${projectId} and was not removed.*[Aa]dd an owner.*"release"`;
      expect(messagesOf(up, "error")).toMatch(new RegExp(refused, "s"));
      expect(membershipsIn(sandbox)).toEqual({ members: { [ada]: owners }, invited: { [bob]: owners } });
    };
    expectRefusal(await upWith(owning(bob)));
    const back = await succeeded(upWith(owning(ada)));
    expect(messagesOf(back)).toContain(`${ada} in project ${projectId} was kept because`);
    expect(membershipsIn(sandbox)).toEqual({ members: { [ada]: owners }, invited: {} });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });

    expectRefusal(await upWith(owning(bob)));
    const [invitation] = invitationsTo(sandbox);
    expectRefusal(await stack.up());
    expect(invitationsTo(sandbox)).toEqual([invitation]);
    sandbox.acceptInvitation(invitation?.id ?? "");
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual({ members: { [bob]: owners }, invited: {} });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});

/** Ada, declared by a resource of this type. */
const adaBy = {
  ProjectMember: () => person({ username: ada }),
  ProjectMembers: () => allMembers({ [ada]: readers }, { onDestroy: "remove" }),
};

const changes = [
  { change: "has another name in the program", from: "ProjectMembers", to: "ProjectMembers" },
  { change: "becomes a ProjectMembers", from: "ProjectMember", to: "ProjectMembers" },
  { change: "becomes a ProjectMember", from: "ProjectMembers", to: "ProjectMember" },
] as const;

const runs = [
  { provider: "plugin", refreshBeforeUpdate: true, flags: {} },
  // Then only `--refresh` reads the accounts in the run that changes the resources.
  { provider: "plugin", refreshBeforeUpdate: false, flags: { refresh: true } },
  // This provider's Create does not learn which resource it follows, so it invites the previous username.
  { provider: "dynamic", refreshBeforeUpdate: true, flags: {} },
] as const;

it.each(runs.flatMap((run) => changes.map((change) => ({ ...run, ...change }))))(
  "an account that was renamed stays if its $from $change ($provider, refreshBeforeUpdate: $refreshBeforeUpdate)",
  async ({ provider, refreshBeforeUpdate, flags, from, to }) => {
    const recognizes = provider === "plugin";
    const config = { "opsmanager:refreshBeforeUpdate": refreshBeforeUpdate };
    const setup = await setUpPayments({ provider, config, members: { [ada]: readers } });
    const { sandbox, stack, userId, upWith } = setup;
    await succeeded(upWith({ before: adaBy[from]() }));
    sandbox.changeUser(userId(ada), { username: lovelace });
    await succeeded(stack.refresh());

    await stack.setProgram({ resources: { after: adaBy[to]() } });
    const up = await succeeded(stack.up(flags));
    expect(writes(sandbox).map(({ method }) => method)).toEqual(recognizes ? [] : ["POST"]);
    const people = peopleWith({ [lovelace]: readers }, recognizes ? {} : { [ada]: readers });
    expect(membershipsIn(sandbox)).toEqual(people);
    if (from === "ProjectMember")
      expect(messagesOf(up)).toContain(`${lovelace} in project ${projectId} was kept because`);
    const unlisted = `1 person in project ${projectId} is not listed and not changed: ${lovelace}.`;
    const isUnlisted = to === "ProjectMembers" && !recognizes;
    expect(messagesOf(up, "warning").includes(unlisted)).toBe(isUnlisted);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(membershipsIn(sandbox)).toEqual(people);
  },
);

// The dynamic provider may read the first account before or after it creates the other one. In one
// order, the other resource took over the first account, and no user was invited. With dependsOn
// the creation always comes second.
it.each(bothProviders.flatMap((provider) => [{}, afterFirst].map((options) => ({ provider, options }))))(
  "a new person who has received a renamed account's previous username is another person ($provider, $options)",
  async ({ provider, options }) => {
    const { sandbox, stack, userId, upWith } = await setUpPayments({ provider, members: { [ada]: readers } });
    await succeeded(upWith({ first: person({ username: ada }) }));
    sandbox.changeUser(userId(ada), { username: lovelace });
    const first = person({ username: lovelace });
    await succeeded(upWith({ first }));
    await succeeded(upWith({ first, other: person({ username: ada }, options) }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [lovelace]: readers }, { [ada]: readers }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
  },
);

describe("one person by two names", () => {
  const atOnce = (provider: ProviderKind = "plugin") =>
    setUpPayments({ provider, sandbox: { bypassInvitations: true }, accounts: [ada] });

  it.each(["username", "userId"])("is found by a read where the first one declares %s", async (by) => {
    const { sandbox, stack, userId, upWith, previewWith } = await atOnce();
    const names = [{ username: ada }, { userId: userId(ada) }];
    const [first = {}, second = {}] = by === "username" ? names : names.toReversed();
    const both = { first: person(first), second: person({ ...second, roles: owners }, afterFirst) };
    const errors = await errorsOf(upWith(both));
    expect(errors).toMatch(/ in project \S+ is already declared by urn:\S+::first/);
    expect(errors).toContain("Remove one of them from the program");
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
    expect(await stack.resource("second")).toBeUndefined();
    expect(await errorsOf(previewWith(both))).toMatch(/is already declared by urn:\S+::first/);
    expect((await succeeded(upWith({ first: person(first) }))).changes).toEqual({ same: 1 });
  });

  it("does not go, when one of two imported ones leaves the program", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ members: { [ada]: readers } });
    for (const name of ["first", "second"])
      await succeeded(stack.import("ProjectMember", name, `${projectId}/${ada}`));
    const up = await succeeded(upWith({ first: person({ username: ada }) }));
    expect(messagesOf(up)).toMatch(/was kept because urn:\S+::first/);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });

  // That they are not distinguished is a known difference (providers/reports).
  it("counts as one without URNs, and stays when one of them goes (dynamic)", async () => {
    const { sandbox, upWith } = await atOnce("dynamic");
    const first = person({ username: ada });
    await succeeded(upWith({ first, second: person({ username: ada }, afterFirst) }));
    const up = await succeeded(upWith({ first }));
    expect(up.changes).toEqual({ same: 1, delete: 1 });
    expect(messagesOf(up)).toContain(`${ada} in project ${projectId} was kept because`);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });
});

const twoUrns = /urn:\S+::(first|second) and urn:\S+::(first|second)/;
// Without URNs, the dynamic provider names no resources.
const noUrns = /Use one ProjectMembers, or only ProjectMember/;

// Of a project that is known before: `test/unit/resources/inputs`.
it.each([
  { provider: "plugin", first: "one", isNew: true, named: twoUrns },
  { provider: "plugin", first: "all", isNew: true, named: twoUrns },
  { provider: "dynamic", first: "one", isNew: true, named: noUrns },
  { provider: "dynamic", first: "all", isNew: false, named: noUrns },
] as const)(
  "ProjectMember beside ProjectMembers is rejected by the up, also in a project that the same run creates ($first first, $provider, new: $isNew)",
  async ({ provider, first, isNew, named }) => {
    const { sandbox, stack, upWith, previewWith } = await setUpPayments({ provider });
    const of = { projectId: isNew ? "${orders.projectId}" : projectId };
    const orders = { type: "Project", properties: { orgId: sandbox.orgId, name: "orders" } };
    const one = (options = {}) => person({ ...of, username: ada }, options);
    const all = (options = {}) => allMembers({}, { ...of, members: { [bob]: owners } }, options);
    const program = {
      ...(isNew && { orders }),
      first: first === "one" ? one() : all(),
      second: first === "one" ? all(afterFirst) : one(afterFirst),
    };
    if (isNew) expect((await succeeded(previewWith(program))).changes).toEqual({ create: 3 });
    const errors = await errorsOf(upWith(program));
    const { id } = projectNamed(sandbox, isNew ? "orders" : "payments");
    expect(errors).toContain(`both declare people of project ${id}`);
    expect(errors).toMatch(named);
    expect(Object.keys(membershipsIn(sandbox, id).invited)).toEqual([first === "one" ? ada : bob]);
    expect(writes(sandbox)).toHaveLength(isNew ? 2 : 1);
    expect(await stack.resource("second")).toBeUndefined();
  },
);
