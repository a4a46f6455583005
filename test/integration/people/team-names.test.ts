/** A team that another resource of the program holds, or that no resource of it holds: only its id adopts it. */
import type { Sandbox } from "../../../sandbox";
import { nothing, upAgain } from "../../engine/support/people-program";
import { bothProviders, errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import {
  ada,
  grace,
  linus,
  orgId,
  seed,
  seedWithTeam,
  teamNamed,
  teamProgram,
  teamsOf,
} from "../../engine/teams/support";
import { keepDefault, type Program, type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

const blue = { orgId, name: "blue", usernames: [ada] };
const opsUrn = "urn:pulumi:test::platform::opsmanager:index:Team::ops";
const onlyOps: Program = { resources: { ops: { type: "Team", properties: blue } } };

/** `ops` becomes green, and `nw` is a new team of its old name. One of them depends on the other. */
function renamedAndNew(first: "ops" | "nw"): Program {
  const ops = { type: "Team", properties: { ...blue, name: "green" } };
  const nw = { type: "Team", properties: { ...blue, usernames: [linus] } };
  return {
    resources: {
      ops: first === "nw" ? { ...ops, options: { dependsOn: ["${nw}"] } } : ops,
      nw: first === "ops" ? { ...nw, options: { dependsOn: ["${ops}"] } } : nw,
    },
  };
}

async function startWithOps(provider: ProviderKind = "plugin") {
  const setup = await setUpStack({ provider, sandbox: { seed }, program: () => onlyOps });
  await succeeded(setup.stack.up());
  setup.sandbox.clearRequests();
  return setup;
}

function expectUntouched(sandbox: Sandbox) {
  expect(writes(sandbox)).toEqual([]);
  expect(teamsOf(sandbox)).toEqual({ blue: [ada] });
}

it.each([
  { provider: "plugin", hint: `This stack holds it as ${opsUrn}.` },
  {
    provider: "dynamic",
    hint: "If another resource of the program gives up the name, make this resource depend on it",
  },
] as const)(
  "a new team of a name is refused while another team has it, and created after that one was renamed ($provider)",
  async ({ provider, hint }) => {
    keepDefault(
      "refreshBeforeUpdate",
      "without a read, the error does not know the resource that holds the team",
    );
    const { sandbox, stack } = await startWithOps(provider);
    const { id } = teamNamed(sandbox, "blue");
    await stack.setProgram(renamedAndNew("nw"));
    for (const errors of [await errorsOf(stack.up()), await errorsOf(stack.up())]) {
      expect(errors).toContain(`already has a team named "blue": ${id}. Nothing was written.`);
      expect(errors).toContain(hint);
    }
    expectUntouched(sandbox);

    await stack.setProgram(renamedAndNew("ops"));
    await succeeded(stack.preview());
    expect((await succeeded(stack.up())).changes).toEqual({ create: 1, update: 1 });
    expect(teamsOf(sandbox)).toEqual({ green: [ada], blue: [linus] });
    expect(teamNamed(sandbox, "green").id).toBe(id);
    expect(await stack.resource("nw")).toMatchObject({ outputs: { origin: "created" } });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
  },
);

it("a recorded team gets the name that another one gives up, and not before", async () => {
  const { sandbox, stack } = await startWithOps();
  const team = (name: string, username: string, first?: string) => ({
    type: "Team" as const,
    properties: { ...blue, name, usernames: [username] },
    options: first === undefined ? {} : { dependsOn: [`\${${first}}`] },
  });
  const declare = (ops: ReturnType<typeof team>, nw: ReturnType<typeof team>) =>
    stack.setProgram({ resources: { ops, nw } });
  await declare(team("blue", ada), team("red", linus));
  await succeeded(stack.up());
  const { id } = teamNamed(sandbox, "blue");
  await declare(team("green", ada, "nw"), team("blue", linus));
  const errors = await errorsOf(stack.up());
  expect(errors).toContain(`has another team named "blue": ${id}. Nothing was written.`);
  expect(errors).toContain("gives up the name, make this resource depend on it");
  await declare(team("green", ada), team("blue", linus, "ops"));
  await succeeded(stack.up());
  expect(teamsOf(sandbox)).toEqual({ green: [ada], blue: [linus] });
});

it("a team whose resource was renamed in the program is refused with the alias, and stays a created one with it", async () => {
  keepDefault(
    "refreshBeforeUpdate",
    "without a read, the error does not know the resource that holds the team",
  );
  const { sandbox, stack } = await startWithOps();
  const renamed = { type: "Team", properties: { ...blue, usernames: [grace] } };
  for (const given of [{}, { teamId: teamNamed(sandbox, "blue").id }]) {
    const properties = { ...renamed.properties, ...given };
    await stack.setProgram({ resources: { renamed: { ...renamed, properties } } });
    expect(await errorsOf(stack.up())).toContain(`aliases: ["${opsUrn}"]`);
  }
  // If nothing was read before, the error knows the alias by the old name alone.
  const unread = await stack.copy({ refreshBeforeUpdate: false });
  await succeeded(unread.refresh());
  await unread.setProgram(renamedAndNew("nw"));
  expect(await errorsOf(unread.up())).toContain("give it an alias");
  expectUntouched(sandbox);
  await stack.setProgram({ resources: { renamed: { ...renamed, options: { aliases: [opsUrn] } } } });
  await succeeded(stack.up());
  expect(teamsOf(sandbox)).toEqual({ blue: [grace] });
  await succeeded(stack.destroy());
  expect(teamsOf(sandbox)).toEqual({});
});

describe.each(bothProviders)("a team that exists already (%s)", (provider) => {
  const admins = { orgId, name: "admins", usernames: [grace] };

  it("is adopted by its id with no one removed, renamed, replaced as the same team, and released", async () => {
    const setup = await setUpStack({
      provider,
      sandbox: { seed: seedWithTeam },
      program: () => teamProgram({ ...admins, name: "operators" }),
    });
    const { sandbox, stack } = setup;
    const { id: teamId } = teamNamed(sandbox, "operators");
    expect(await errorsOf(stack.up())).toContain(`To adopt an existing team, set teamId: "${teamId}"`);
    expect(writes(sandbox)).toEqual([]);

    await stack.setProgram(teamProgram({ ...admins, teamId }));
    const adopted = await succeeded(stack.up());
    expect(messagesOf(adopted)).toContain(
      `Team "operators" (${teamId}) is adopted. Its name becomes "admins".`,
    );
    expect(messagesOf(adopted, "warning")).toContain(`who are not listed stay in it: ${ada}`);
    expect(await stack.resource("operators")).toMatchObject({
      id: `${orgId}/${teamId}`,
      outputs: { teamId, origin: "adopted", onDestroy: "release" },
    });
    expect((await upAgain(setup)).changes).toEqual({ same: 1 });
    await succeeded(stack.up({ replace: (await stack.resource("operators"))?.urn }));
    // Without its id in the program it is the same team.
    await stack.setProgram(teamProgram(admins));
    expect(await upAgain(setup)).toEqual(nothing);

    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
    expect(teamsOf(sandbox)).toEqual({ admins: [ada, grace] });
  });

  it("takes the place of the created team of the same resource, which is deleted", async () => {
    const writers = { orgId, name: "writers", usernames: [ada], onDestroy: "delete" };
    const setup = await setUpStack({
      provider,
      sandbox: { seed: seedWithTeam },
      program: () => teamProgram(writers),
    });
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    const { id: teamId } = teamNamed(sandbox, "operators");
    await stack.setProgram(teamProgram({ orgId, teamId, name: "operators", usernames: [ada] }));
    await succeeded(stack.up());
    expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
    expect((await upAgain(setup)).changes).toEqual({ same: 1 });
  });
});
