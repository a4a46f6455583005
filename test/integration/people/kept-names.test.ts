/** Design, "One remote object, two names": people stay where they are when only the program's words for them change. */
import { deletions, invitationsTo, membershipsIn } from "../../engine/support/people-program";
import { bothProviders, messagesOf, operations, writes } from "../../engine/support/project-program";
import { type ProviderKind, succeeded } from "../../support";
import { type Run, tearDownStacks } from "../../support/model-stack";
import {
  ada,
  allMembers,
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
  ["plugin", "urn:\\S+::renamed"],
  ["dynamic", "ProjectMembers"],
] as const)(
  "a ProjectMembers that is renamed in the program keeps everyone, even with onDestroy: remove (%s)",
  async (provider, declarer) => {
    const { sandbox, upWith } = await setUpPayments({ provider, members: { [ada]: readers } });
    const people = allMembers({ [ada]: readers, "new@example.com": readers }, { onDestroy: "remove" });
    await succeeded(upWith({ old: people }));
    const before = membershipsIn(sandbox);
    sandbox.clearRequests();
    const up = await succeeded(upWith({ renamed: people }));
    expect(operations(up)).toEqual({ renamed: "create", old: "delete" });
    const retained = `people of project ${projectId} were kept because ${declarer}`;
    expect(messagesOf(up)).toMatch(new RegExp(retained));
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);
  },
);

describe("several people", () => {
  const names = Array.from({ length: 6 }, (_, index) => `person-${index}@example.com`);
  const pending = names.filter((_, index) => index % 3 === 0);
  const active = names.filter((name) => !pending.includes(name));
  /** As the other resource spells them. */
  const respelled = names.map((name, index) => (index % 2 === 0 ? name : name.toUpperCase()));
  const reading = (usernames: readonly string[]): People =>
    Object.fromEntries(usernames.map((username) => [username, readers]));
  const eachAlone = Object.fromEntries(
    [owner, ...names].map((username, index) => [
      `person-${index}`,
      person({ username, ...(username === owner && { roles: owners }) }),
    ]),
  );
  const together = (usernames: readonly string[], onDestroy?: string) => ({
    people: allMembers(reading(usernames), { onDestroy, maxRemovals: 7 }),
  });
  const before = peopleWith(reading(active), reading(pending));

  /** Everyone is a member or invited already. */
  const begin = async (provider: ProviderKind) => {
    const setup = await setUpPayments({ provider, members: reading(active), invited: reading(pending) });
    const ids = invitationsTo(setup.sandbox).map(({ id }) => id);
    const expectAllKept = () => {
      expect(writes(setup.sandbox)).toEqual([]);
      expect(membershipsIn(setup.sandbox)).toEqual(before);
      expect(invitationsTo(setup.sandbox).map(({ id }) => id)).toEqual(ids);
    };
    return { ...setup, expectAllKept };
  };
  const expectMessages = (up: Run) => {
    for (const name of names)
      expect(messagesOf(up)).toContain(`${name} in project ${projectId} was kept because`);
  };

  it.each(bothProviders)(
    "move from ProjectMember resources to one ProjectMembers and back without losing a membership; a move without one of them removes that one alone (%s)",
    async (provider) => {
      const { sandbox, stack, userId, upWith, expectAllKept } = await begin(provider);
      await succeeded(upWith(eachAlone));

      // To one ProjectMembers, which spells half of them in another case.
      const there = await succeeded(upWith(together(respelled, "remove")));
      expect(there.changes).toEqual({ create: 1, delete: 7 });
      expectMessages(there);
      expectAllKept();
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });

      // Back, although destroying the ProjectMembers removes everyone.
      const back = await succeeded(upWith(eachAlone));
      expect(back.changes).toEqual({ create: 7, delete: 1 });
      expectMessages(back);
      expectAllKept();
      expect((await succeeded(stack.up())).changes).toEqual({ same: 7 });

      // To a ProjectMembers that lists all but one.
      const [unlisted = "", ...staying] = respelled.toReversed();
      await succeeded(upWith(together(staying)));
      expect(deletions(sandbox)).toEqual([`/groups/${projectId}/users/${userId(unlisted)}`]);
      const members = reading(active.filter((username) => username !== unlisted.toLowerCase()));
      expect(membershipsIn(sandbox)).toEqual(peopleWith(members, reading(pending)));
    },
  );

  it("move from one ProjectMembers without onDestroy to ProjectMember resources: it releases them (plugin)", async () => {
    const { stack, upWith, expectAllKept } = await begin("plugin");
    await succeeded(upWith(together(respelled)));
    const up = await succeeded(upWith(eachAlone));
    expect(up.changes).toEqual({ create: 7, delete: 1 });
    expect(messagesOf(up)).toContain(`The people of project ${projectId} were released`);
    expectAllKept();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 7 });
  });
});
