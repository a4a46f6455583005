/** Team and ProjectMembers: the people of a place are this list, the same stories for both. */

import { nothing, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { refusal } from "../refusal";
import { ada, giveNameAway, grace, holdList, linus, listCases, lovelace, startList } from "./lists";

afterEach(tearDownStacks);

const notAllowed = refusal(403, "NOT_ALLOWED");

describe.each(listCases)("$kind", (which) => {
  const { place, adding, removing, reading, set, peopleOf } = which;
  const adds = { method: "POST", pathPattern: adding };
  const removes = { method: "DELETE", pathPattern: removing };
  const reads = { method: "GET", pathPattern: reading };

  it.each(bothProviders)(
    "has who is declared, retains and names who is not, and removes them if the program requires it (%s)",
    async (provider) => {
      keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
      const setup = await startList(which, [ada, grace], { provider });
      const { sandbox, stack, declare, declared } = setup;
      await succeeded(stack.up());
      expect(peopleOf(sandbox)).toEqual([ada, grace]);
      expect(await upAgain(setup)).toEqual(nothing);

      // One who leaves outside Pulumi comes back, and one who joins stays.
      set(sandbox, [ada, linus]);
      const corrected = await succeeded(stack.up());
      expect(peopleOf(sandbox)).toEqual([ada, grace, linus]);
      expect(messagesOf(corrected)).toMatch(new RegExp(`\\[undeclared\\].*: ${linus}\\. To manage `));
      expect(await declared()).toEqual([ada, grace]);

      await declare([ada.toUpperCase()]);
      await succeeded(stack.up());
      expect(peopleOf(sandbox)).toEqual([ada, linus]);
      await declare([ada], { removeUnlisted: true });
      await succeeded(stack.up());
      expect(peopleOf(sandbox)).toEqual([ada]);
      expect(await upAgain(setup)).toEqual(nothing);

      await declare([ada], { onDestroy: "release" });
      await succeeded(stack.up());
      sandbox.clearRequests();
      expect(messagesOf(await succeeded(stack.destroy()))).toContain("released");
      expect(writes(sandbox)).toEqual([]);
    },
  );

  it("declares without a write who is listed since someone added them, also if they had left", async () => {
    const setup = await holdList(which, [ada], { properties: { removeUnlisted: true } });
    const { sandbox, stack, declare, declared } = setup;
    const changeOutside = async (names: readonly string[]) => {
      set(sandbox, names);
      await succeeded(stack.refresh());
    };
    await changeOutside([ada, linus]);
    await declare([ada, linus]);
    expect(await upAgain(setup)).toEqual({ changes: { update: 1 }, writes: [] });
    expect(await declared()).toEqual([ada, linus]);
    await changeOutside([linus]);
    await changeOutside([ada, linus]);
    expect(await upAgain(setup)).toEqual({ changes: { update: 1 }, writes: [] });
    expect(await declared()).toEqual([ada, linus]);
    expect(await upAgain(setup)).toEqual(nothing);
  });

  it.each(bothProviders)(
    "removes no account that has got the name of a declared one that left (%s)",
    async (provider) => {
      const { sandbox, stack, declare } = await holdList(which, [ada, grace], { provider });
      set(sandbox, [grace]);
      giveNameAway(sandbox);
      set(sandbox, [ada, grace]);
      await declare([grace]);
      await succeeded(stack.up());
      expect(peopleOf(sandbox)).toEqual([grace, ada]);
    },
  );

  it("adds before it removes, and names both in the preview", async () => {
    const { sandbox, stack, declare } = await holdList(which, [ada, grace]);
    await declare([linus]);
    const preview = messagesOf(await succeeded(stack.preview()));
    for (const name of [ada, grace]) expect(preview).toContain(name);
    expect(preview).toContain("removed from");
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([linus]);
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST", "DELETE", "DELETE"]);
  });

  it.each(bothProviders)(
    "removes the others if one removal is refused, and this one in the next run (%s)",
    async (provider) => {
      const setup = await holdList(which, [ada, grace, linus], { provider });
      const { sandbox, stack, declare, declared } = setup;
      await declare([ada]);
      sandbox.addFault({ ...removes, fault: notAllowed });
      expect(await errorsOf(stack.up())).toContain("403 NOT_ALLOWED");
      expect(peopleOf(sandbox)).toHaveLength(2);
      expect(await declared()).toEqual(peopleOf(sandbox));
      await succeeded(stack.up());
      expect(peopleOf(sandbox)).toEqual([ada]);
      expect(await upAgain(setup)).toEqual(nothing);
    },
  );

  it("reports what the service accepts and does not do, and repeats it in the next run", async () => {
    const { sandbox, stack, declare } = await holdList(which, [ada, grace]);
    await declare([ada]);
    sandbox.addFault({ ...removes, fault: { status: 204 } });
    expect(await errorsOf(stack.up())).toContain(
      `The service accepted the removal of ${grace} from ${place}, but still lists this person in it.`,
    );
    await succeeded(stack.up());
    await declare([ada, linus]);
    sandbox.addFault({ ...adds, fault: { status: 200, body: {} } });
    expect(await errorsOf(stack.up())).toContain(`The service accepted ${linus}`);
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([ada, linus]);
  });

  it("removes no one if maxRemovals or maxRemovalsPerRun allows fewer, and names all of them", async () => {
    const { sandbox, stack, declare } = await holdList(which, [ada, grace, linus]);
    const limits = [
      { maxRemovals: 1, maxRemovalsPerRun: 2, reason: "more than maxRemovals (1)" },
      { maxRemovals: 2, maxRemovalsPerRun: 1, reason: "this run would make 2 removals" },
    ];
    for (const { maxRemovals, maxRemovalsPerRun, reason } of limits) {
      await stack.setConfig({ maxRemovalsPerRun });
      await declare([linus], { maxRemovals });
      for (const verb of ["preview", "up"] as const) {
        const errors = await errorsOf(stack[verb]());
        expect(errors).toContain(reason);
        for (const name of [ada, grace]) expect(errors).toContain(name);
      }
      expect(peopleOf(sandbox)).toEqual([ada, grace, linus]);
    }
    await stack.setConfig({ maxRemovalsPerRun: 2 });
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([linus]);
  });

  it("has a renamed account under both names, not twice, and no other account of the old one", async () => {
    const setup = await holdList(which, [ada]);
    const { sandbox, stack, declare, declared } = setup;
    giveNameAway(sandbox);
    await succeeded(stack.refresh());
    expect(await upAgain(setup)).toEqual(nothing);
    await declare([ada, lovelace]);
    expect(await errorsOf(stack.up())).toContain("twice");
    expect(peopleOf(sandbox)).toEqual([lovelace]);
    await declare([lovelace]);
    expect((await upAgain(setup)).writes).toEqual([]);
    expect(await declared()).toEqual([lovelace]);
    await declare([grace]);
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([grace]);
  });

  it.each(
    bothProviders.flatMap((provider) =>
      [true, false].map((removeUnlisted) => ({ provider, removeUnlisted })),
    ),
  )(
    "names both accounts in each run while another one has a listed name, until the program gives the new name of the recorded one ($provider, removeUnlisted: $removeUnlisted)",
    async ({ provider, removeUnlisted }) => {
      const setup = await holdList(which, [ada], { provider, properties: { removeUnlisted } });
      const { sandbox, stack, declare, declared } = setup;
      const everyone = () => [...peopleOf(sandbox)].sort();
      const both = `[undeclared] [${which.notice}] ${ada} in ${place} is the name of two accounts: the recorded one is now ${lovelace}`;
      giveNameAway(sandbox);
      set(sandbox, [lovelace, ada]);
      await succeeded(stack.refresh());
      for (const verb of ["preview", "up", "preview"] as const) {
        const run = await succeeded(stack[verb]());
        expect({ verb, times: timesPrinted(run, both), unlisted: timesPrinted(run, "not listed") }).toEqual({
          verb,
          times: 1,
          unlisted: 0,
        });
      }
      expect(await upAgain(setup)).toEqual(nothing);
      await declare([ada, grace]);
      expect(messagesOf(await succeeded(stack.up()), "warning")).toContain(both);
      expect(everyone()).toEqual([lovelace, ada, grace].sort());

      await declare([lovelace, grace]);
      const corrected = messagesOf(await succeeded(stack.up()));
      expect(corrected).not.toContain("two accounts");
      expect(everyone()).toEqual([lovelace, grace, ...(removeUnlisted ? [] : [ada])].sort());
      await declare([lovelace, grace, ada]);
      expect(messagesOf(await succeeded(stack.up()))).not.toContain("two accounts");
      expect([await declared(), everyone()]).toEqual([everyone(), [lovelace, ada, grace].sort()]);
    },
  );

  it.each([
    { refreshBeforeUpdate: true, flags: {} },
    // Then only `--refresh` reads the accounts in the run that replaces the list.
    { refreshBeforeUpdate: false, flags: { refresh: true } },
  ])(
    "that is replaced keeps a renamed account (refreshBeforeUpdate: $refreshBeforeUpdate)",
    async ({ refreshBeforeUpdate, flags }) => {
      const setup = await holdList(which, [ada], {
        properties: { removeUnlisted: true },
        config: { refreshBeforeUpdate },
      });
      const { sandbox, stack } = setup;
      giveNameAway(sandbox);
      const { urn } = (await stack.resource("list")) ?? {};
      await succeeded(stack.up({ replace: urn, ...flags }));
      expect(peopleOf(sandbox)).toEqual([lovelace]);
      expect(await upAgain(setup)).toEqual(nothing);
    },
  );

  it("that ignoreChanges names adds and removes no one", async () => {
    const { sandbox, stack, declare } = await holdList(which, [ada, grace], {
      config: { refreshBeforeUpdate: false },
      properties: { removeUnlisted: true },
      options: { ignoreChanges: [which.property] },
    });
    set(sandbox, [ada, linus]);
    await declare([ada], { maxRemovals: 3 });
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([ada, linus]);
    expect(writes(sandbox)).toEqual([]);
  });

  it("that cannot be read stays recorded with a warning, and no one joins or leaves", async () => {
    const { sandbox, stack, declare } = await holdList(which, [ada, grace]);
    const before = await stack.resource("list");
    sandbox.addFault({ ...reads, times: 0, fault: notAllowed });
    expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain(
      `[unreadable] [${which.notice}`,
    );
    expect(await stack.resource("list")).toEqual(before);
    await declare([ada, linus]);
    expect(await errorsOf(stack.up())).toContain("403 NOT_ALLOWED");
    expect(writes(sandbox)).toEqual([]);
    expect(peopleOf(sandbox)).toEqual([ada, grace]);
  });

  it("that could not be read after a write removes who was added if the program lists them no longer", async () => {
    const { sandbox, stack, declare } = await holdList(which, [ada]);
    await declare([ada, grace]);
    await stack.before("POST", new RegExp(adding), () => sandbox.addFault({ ...reads, fault: notAllowed }));
    expect(await errorsOf(stack.up())).toContain("403 NOT_ALLOWED");
    expect(peopleOf(sandbox)).toEqual([ada, grace]);
    await declare([ada]);
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([ada]);
  });
});
