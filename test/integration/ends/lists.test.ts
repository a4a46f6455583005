/** `until` in a list of people: each end by itself, whatever else of the list fails. */

import { bothProviders, errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  ada,
  giveNameAway,
  grace,
  type ListCase,
  linus,
  listCases,
  lovelace,
  olga,
  projectId,
  startList,
} from "../lists/lists";
import { refusal } from "../refusal";
import { itIs, lastDay } from "./ends";

afterEach(async () => {
  await tearDownStacks();
  jest.useRealTimers();
});

const until = { [grace]: lastDay };
type Circumstances = NonNullable<Parameters<typeof startList>[2]>;

/** The list had its last days before they passed. */
async function afterLastDay(which: ListCase, names: readonly string[], circumstances: Circumstances = {}) {
  itIs("2030-03-01");
  const setup = await startList(which, names, circumstances);
  await setup.declare(names, { until });
  await succeeded(setup.stack.up());
  itIs("2030-04-01");
  setup.sandbox.clearRequests();
  return setup;
}

const failures: readonly {
  readonly title: string;
  /** The kind that has this failure; absent: both. */
  readonly only?: ListCase["kind"];
  readonly names: readonly string[];
  readonly more?: object;
  readonly config?: Circumstances["config"];
  readonly fault?: (which: ListCase) => object;
  readonly error: RegExp;
}[] = [
  {
    title: "somebody who cannot be added",
    names: [ada, grace, linus],
    fault: ({ adding }) => ({ method: "POST", path: new RegExp(adding) }),
    error: /NOT_NOW/,
  },
  {
    title: "somebody without an account",
    only: "Team",
    names: [ada, grace, "new@example.com"],
    error: /has no account with the name new@example.com/,
  },
  {
    title: "a new name that is refused",
    only: "Team",
    names: [ada, grace],
    more: { name: "renamed" },
    fault: () => ({ method: "PATCH" }),
    error: /NOT_NOW/,
  },
  {
    title: "another removal that is refused",
    names: [grace],
    fault: ({ removing }) => ({ method: "DELETE", path: new RegExp(removing), times: 1 }),
    error: /NOT_NOW/,
  },
  { title: "maxRemovals", names: [grace], more: { maxRemovals: 0 }, error: /maxRemovals \(0\)/ },
  {
    title: "maxRemovalsPerRun",
    names: [grace],
    config: { maxRemovalsPerRun: 0 },
    error: /maxRemovalsPerRun/,
  },
];

describe.each(listCases)("$kind", (which) => {
  const { kind, property, removing, set, peopleOf } = which;
  const own = failures.filter(({ only = kind }) => only === kind);
  const isRemoval = { method: "DELETE", path: expect.stringMatching(new RegExp(removing)) };

  it.each(bothProviders.flatMap((provider) => own.map((failure) => ({ provider, ...failure }))))(
    "ends an access beside $title ($provider)",
    async ({ provider, names, more, config, fault, error }) => {
      const { sandbox, stack, declare } = await afterLastDay(which, [ada, grace], {
        provider,
        ...(config && { config }),
      });
      await declare(names, { until, ...more });
      const beside = fault?.(which);
      if (beside) sandbox.addFault({ times: 0, ...beside, fault: refusal(409, "NOT_NOW") });
      expect(await errorsOf(stack.up())).toMatch(error);
      expect(peopleOf(sandbox)).toEqual([ada]);
    },
  );

  it("has a last day for each of its people alone, and each day once", async () => {
    itIs("2030-03-01");
    const { stack, declare } = await startList(which, [ada]);
    await declare([ada], { until: { [linus]: lastDay } });
    expect(await errorsOf(stack.up())).toContain(
      `until["${linus}"] is the last day of somebody who is not in ${property}`,
    );
    await declare([ada], { until: { [ada]: lastDay, [ada.toUpperCase()]: lastDay } });
    expect(await errorsOf(stack.up())).toContain("is a second last day of one person");
  });

  it("counts a day that is over when it is first declared for each limit", async () => {
    itIs("2030-04-01");
    const { sandbox, stack, declare } = await startList(which, [ada, grace]);
    await succeeded(stack.up());
    await declare([ada, grace], { until, maxRemovals: 0 });
    expect(await errorsOf(stack.up())).toContain("more than maxRemovals (0)");
    await declare([ada, grace], { until });
    await stack.setConfig({ maxRemovalsPerRun: 0 });
    expect(await errorsOf(stack.up())).toContain("maxRemovalsPerRun");
    expect(peopleOf(sandbox)).toEqual([ada, grace]);
    await stack.setConfig({ maxRemovalsPerRun: 1 });
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([ada]);
  });

  it.each(bothProviders)(
    "ends the account that it means, by its new name, and no other one that has the name now (%s)",
    async (provider) => {
      keepDefault("refreshBeforeUpdate", "a plain up sees who is there");
      itIs("2030-03-01");
      const { sandbox, stack, declare } = await startList(which, [ada, grace], { provider });
      const days = { until: { [ada]: lastDay } };
      await declare([ada, grace], days);
      await succeeded(stack.up());
      giveNameAway(sandbox);
      set(sandbox, [lovelace, ada, grace]);
      itIs("2030-04-01");
      for (const _ of "ab") {
        await succeeded(stack.up());
        expect([...peopleOf(sandbox)].sort()).toEqual([ada, grace].sort());
      }
      expect(messagesOf(await succeeded(stack.preview()))).toContain(ada);
      set(sandbox, [lovelace, ada, grace]);
      await succeeded(stack.up());
      expect([...peopleOf(sandbox)].sort()).toEqual([ada, grace].sort());
    },
  );

  it("ends nobody who is listed under another name without a last day", async () => {
    itIs("2030-03-01");
    const { sandbox, stack, declare } = await startList(which, [ada, grace]);
    await declare([ada, grace], { until: { [ada]: lastDay } });
    await succeeded(stack.up());
    sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: lovelace });
    await declare([ada, lovelace, grace], { until: { [ada]: lastDay } });
    itIs("2030-04-01");
    expect(await errorsOf(stack.up())).toContain("twice");
    expect([...peopleOf(sandbox)].sort()).toEqual([lovelace, grace].sort());
  });

  it("whose people have all ended removes whoever leaves it, too", async () => {
    const { sandbox, stack, declare } = await afterLastDay(which, [ada, grace]);
    await declare([grace], { until });
    await succeeded(stack.up());
    expect([peopleOf(sandbox), writes(sandbox)]).toEqual([[], [isRemoval, isRemoval]]);
  });

  it.each(
    [
      { title: "another listed person", now: ada, more: {} },
      { title: "somebody whom ignoreUsers matches", only: "ProjectMembers", now: "svc-grace@example.com" },
    ].filter(({ only = kind }) => only === kind),
  )("ends an account that is called like $title now", async ({ now }) => {
    itIs("2030-03-01");
    const properties = kind === "Team" ? {} : { ignoreUsers: ["svc-*"] };
    const { sandbox, stack, declare } = await startList(which, [ada, grace], { properties });
    await declare([ada, grace], { until });
    await succeeded(stack.up());
    sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: lovelace });
    sandbox.changeUser(sandbox.user({ username: grace })?.id ?? "", { username: now });
    itIs("2030-04-01");
    await succeeded(stack.up({ refresh: true }));
    expect(peopleOf(sandbox)).toEqual([lovelace]);
  });

  it("removes whoever leaves it while the end is put off", async () => {
    const { sandbox, stack, declare } = await afterLastDay(which, [ada, grace]);
    sandbox.advanceClock(-365 * 24 * 3600);
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([ada, grace]);
    await declare([ada]);
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([ada]);
  });

  // The engine keeps the inputs before the failed update, which say that the day is over.
  it.each([{ until: { [grace]: "2030-12-31" } }, {}])(
    "releases whoever has come back beside a failure, now with %j",
    async (days) => {
      const { sandbox, stack, declare } = await afterLastDay(which, [ada, grace], {
        properties: { onDestroy: "release" },
      });
      await succeeded(stack.up());
      sandbox.addFault({ method: "DELETE", times: 0, fault: refusal(409, "NOT_NOW") });
      await declare([grace], days);
      expect(await errorsOf(stack.up())).toContain("NOT_NOW");
      sandbox.clearFaults();
      expect(peopleOf(sandbox)).toEqual([ada, grace]);
      await succeeded(stack.refresh());
      await succeeded(stack.destroy());
      expect(peopleOf(sandbox)).toEqual([ada, grace]);
    },
  );

  it("that is replaced still knows whose access has ended", async () => {
    const { sandbox, stack, declare } = await afterLastDay(which, [ada, grace]);
    await declare([ada, grace], { until: { [ada]: lastDay } });
    await succeeded(stack.up());
    giveNameAway(sandbox);
    set(sandbox, [ada, grace]);
    const { urn = "" } = (await stack.resource("list")) ?? {};
    await succeeded(stack.up({ replace: [urn], refresh: true }));
    expect([...peopleOf(sandbox)].sort()).toEqual([ada, grace].sort());
  });

  const single = (username: string, role: string) => ({
    type: "ProjectMember",
    properties: { projectId, username, roles: [role] },
  });
  const successors = [
    { by: "itself, replaced", name: "list" },
    { by: "a list of another name", only: "ProjectMembers", name: "successor" },
    { by: "a resource for each person", only: "ProjectMembers", name: undefined },
  ].filter(({ only = kind }) => only === kind);

  it.each(
    bothProviders.flatMap((provider) =>
      successors.flatMap((successor) =>
        [false, true].map((isOverdue) => ({ provider, isOverdue, ...successor })),
      ),
    ),
  )(
    "that is succeeded by $by keeps whoever may stay longer now ($provider, overdue: $isOverdue)",
    async ({ provider, isOverdue, name }) => {
      const options = { replaceOnChanges: ["until"] };
      const { sandbox, stack } = await afterLastDay(which, [ada, grace], {
        ...{ provider, options },
        properties: { onDestroy: "release" },
      });
      if (isOverdue) sandbox.addFault({ method: "DELETE", times: 0, fault: refusal(409, "NOT_NOW") });
      await stack.up();
      sandbox.clearFaults();
      const teamId = kind === "Team" && sandbox.state.teams[0]?.id;
      const later = { until: { [grace]: "2030-12-31" }, onDestroy: "release", ...(teamId && { teamId }) };
      const singles = {
        ...{ ada: single(ada, "GROUP_READ_ONLY"), grace: single(grace, "GROUP_READ_ONLY") },
        olga: single(olga, "GROUP_OWNER"),
      };
      const resources = name === undefined ? singles : { [name]: which.list([ada, grace], later, options) };
      await stack.setProgram({ resources });
      expect(messagesOf(await succeeded(stack.up()))).not.toContain("undefined");
      expect(peopleOf(sandbox)).toEqual([ada, grace]);
    },
  );
});
