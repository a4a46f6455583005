/** Design, "One remote object, two names": people stay where they are when only the program's words for them change. */
import { deletions, invitationsTo, membershipsIn, membersOf } from "../../engine/support/people-program";
import { bothProviders, messagesOf, operations, writes } from "../../engine/support/project-program";
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

describe("members and invited people", () => {
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

  const begin = async (provider: ProviderKind = "plugin") => {
    const setup = await setUpPayments({ provider, members: reading(active), invited: reading(pending) });
    const ids = invitationsTo(setup.sandbox).map(({ id }) => id);
    const expectAllKept = () => {
      expect(writes(setup.sandbox)).toEqual([]);
      expect(membershipsIn(setup.sandbox)).toEqual(peopleWith(reading(active), reading(pending)));
      expect(invitationsTo(setup.sandbox).map(({ id }) => id)).toEqual(ids);
    };
    return { ...setup, expectAllKept };
  };

  it.each(bothProviders)(
    "move between ProjectMember resources and one ProjectMembers without losing a membership; a move without one of them removes that one alone (%s)",
    async (provider) => {
      const { sandbox, stack, userId, upWith, expectAllKept } = await begin(provider);
      const expectMove = (up: Run, changes: object) => {
        expect(up.changes).toEqual(changes);
        for (const name of names)
          expect(messagesOf(up)).toContain(`${name} in project ${projectId} was kept because`);
        expectAllKept();
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
});

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
  const owning = (username: string) => ({ ada: person({ username, roles: owners }) });

  /** Ada, the last owner, gives her place to Bob, who is only invited; the run fails. */
  async function setUpRefusal() {
    const setup = await setUpPayments({ provider, members: { [ada]: owners }, accounts: [bob] });
    const { sandbox, upWith } = setup;
    sandbox.removeMember(projectId, { username: owner });
    await succeeded(upWith(owning(ada)));
    const expectRefusal = (up: Run) => {
      expect(up.exitCode).not.toBe(0);
      const refused = `${ada} is the only owner of project ${projectId} and was not removed.*[Aa]dd an owner.*"release"`;
      expect(messagesOf(up, "error")).toMatch(new RegExp(refused, "s"));
      expect(membershipsIn(sandbox)).toEqual({ members: { [ada]: owners }, invited: { [bob]: owners } });
    };
    expectRefusal(await upWith(owning(bob)));
    return { ...setup, expectRefusal };
  }

  it("stays while that one is only invited, and the program may go back", async () => {
    const { sandbox, stack, upWith } = await setUpRefusal();
    const back = await succeeded(upWith(owning(ada)));
    expect(messagesOf(back)).toContain(`${ada} in project ${projectId} was kept because`);
    expect(membershipsIn(sandbox)).toEqual({ members: { [ada]: owners }, invited: {} });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("leaves as soon as that one has accepted, and until then each run fails for the same reason", async () => {
    const { sandbox, stack, expectRefusal } = await setUpRefusal();
    const [invitation] = invitationsTo(sandbox);
    expectRefusal(await stack.up());
    expect(invitationsTo(sandbox)).toEqual([invitation]);
    sandbox.acceptInvitation(invitation?.id ?? "");
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual({ members: { [bob]: owners }, invited: {} });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});
