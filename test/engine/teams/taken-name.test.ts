/** A team that another resource of the program holds, or that no resource of it holds: only its id adopts it. */
import type { Sandbox } from "../../../sandbox";
import type { Program, ProviderKind } from "../../support";
import { succeeded } from "../../support";
import { upAgain } from "../support/people-program";
import { bothProviders, messagesOf, writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";
import {
  ada,
  grace,
  linus,
  orgId,
  seedWithTeam,
  startTeams,
  teamNamed,
  teamProgram,
  teamsOf,
} from "./support";

afterEach(tearDownStacks);

const blue = { orgId, name: "blue", usernames: [ada] };
const urnOf = (name: string) => `urn:pulumi:test::platform::opsmanager:index:Team::${name}`;

/** `ops` becomes green, and `nw` is a new team of its old name. */
function renamedAndNew(first: "ops" | "nw", more: Program["resources"] = {}): Program {
  const ops = { type: "Team", properties: { ...blue, name: "green" } };
  const nw = { type: "Team", properties: { ...blue, usernames: [linus] } };
  return {
    resources: {
      ...more,
      ops: first === "nw" ? { ...ops, options: { dependsOn: ["${nw}"] } } : ops,
      nw: first === "ops" ? { ...nw, options: { dependsOn: ["${ops}"] } } : nw,
    },
  };
}

const onlyOps: Program = { resources: { ops: { type: "Team", properties: blue } } };

async function startWithOps(provider: ProviderKind = "plugin", config: Record<string, unknown> = {}) {
  const setup = await startTeams(provider, () => onlyOps);
  for (const [name, value] of Object.entries(config))
    await setup.stack.setConfig({ [name]: value as string });
  await succeeded(setup.stack.up());
  setup.sandbox.clearRequests();
  return setup;
}

function expectUntouched(sandbox: Sandbox) {
  expect(writes(sandbox)).toEqual([]);
  expect(teamsOf(sandbox)).toEqual({ blue: [ada] });
}

describe.each(bothProviders)("a new team with the old name of a renamed one (%s)", (provider) => {
  it("is refused before anything is written while the other one has the name, and created after that", async () => {
    const { sandbox, stack } = await startWithOps(provider);
    const { id } = teamNamed(sandbox, "blue");
    await stack.setProgram(renamedAndNew("nw"));
    for (const run of [await stack.up(), await stack.up()]) {
      expect(run.exitCode).not.toBe(0);
      expect(messagesOf(run, "error")).toContain(
        `already has a team named "blue": ${id}. Nothing was written.`,
      );
      expect(messagesOf(run, "error")).toContain(
        provider === "plugin"
          ? `This stack holds it as ${urnOf("ops")}.`
          : "If another resource of the program gives up the name, make this resource depend on it",
      );
    }
    expectUntouched(sandbox);

    await stack.setProgram(renamedAndNew("ops"));
    const up = await succeeded(stack.up({ skipPreview: false }));
    expect(up.changes).toEqual({ create: 1, update: 1 });
    expect(teamsOf(sandbox)).toEqual({ green: [ada], blue: [linus] });
    expect(teamNamed(sandbox, "green").id).toBe(id);
    expect(await stack.resource("nw")).toMatchObject({ outputs: { origin: "created" } });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
  });
});

describe("a new team with the old name of a renamed one", () => {
  it("is refused by the preview too, which names the alias and the order", async () => {
    const { sandbox, stack } = await startWithOps();
    await stack.setProgram(renamedAndNew("nw"));
    const preview = await stack.preview();
    expect(preview.exitCode).not.toBe(0);
    expect(messagesOf(preview, "error")).toContain(`aliases: ["${urnOf("ops")}"]`);
    expect(messagesOf(preview, "error")).toContain(
      "If ops gives up the name, make this resource depend on it",
    );
    expectUntouched(sandbox);
  });

  it("is refused if the other one is excluded, and if nothing was read before it", async () => {
    const { sandbox, stack } = await startWithOps();
    await stack.setProgram(renamedAndNew("ops"));
    const excluded = await stack.up({ exclude: urnOf("ops") });
    expect(excluded.exitCode).not.toBe(0);
    expect(messagesOf(excluded, "error")).toContain('already has a team named "blue"');
    await stack.setConfig({ "opsmanager:refreshBeforeUpdate": false });
    await stack.setProgram(onlyOps);
    await succeeded(stack.up());
    await succeeded(stack.refresh());
    await stack.setProgram(renamedAndNew("nw"));
    const unread = await stack.up();
    expect(unread.exitCode).not.toBe(0);
    expect(messagesOf(unread, "error")).toContain("give it an alias");
    expectUntouched(sandbox);
  });

  it("is refused if an input of the renamed one is unknown in the preview", async () => {
    const project = (tags: readonly string[]) => ({
      payments: { type: "Project", properties: { orgId, name: "ledger", tags } },
    });
    const { sandbox, stack } = await startWithOps();
    const { resources: { ops } = {}, ...rest } = renamedAndNew("nw", project(["EU"]));
    await stack.setProgram({ resources: { ...onlyOps.resources, ...project(["US"]) } });
    await succeeded(stack.up());
    sandbox.clearRequests();
    await stack.setProgram({
      ...rest,
      resources: {
        ...renamedAndNew("nw", project(["EU"])).resources,
        ops: { ...ops, type: "Team", properties: { ...blue, orgId: "${payments.orgId}", name: "green" } },
      },
    });
    expect((await stack.up({ skipPreview: false })).exitCode).not.toBe(0);
    expect(teamsOf(sandbox)).toEqual({ blue: [ada] });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toContain('already has a team named "blue"');
    expect(teamsOf(sandbox)).toEqual({ blue: [ada] });
  });
});

describe("a team whose resource was renamed in the program", () => {
  it("is refused with the alias, and stays a created one with it", async () => {
    const { sandbox, stack } = await startWithOps();
    const renamed = { type: "Team", properties: { ...blue, usernames: [grace] } };
    for (const teamId of [undefined, teamNamed(sandbox, "blue").id]) {
      await stack.setProgram({
        resources: {
          renamed: { ...renamed, properties: { ...renamed.properties, ...(teamId && { teamId }) } },
        },
      });
      const refused = await stack.up();
      expect(refused.exitCode).not.toBe(0);
      expect(messagesOf(refused, "error")).toContain(`aliases: ["${urnOf("ops")}"]`);
    }
    expectUntouched(sandbox);
    await stack.setProgram({
      resources: { renamed: { ...renamed, options: { aliases: [urnOf("ops")] } } },
    });
    await succeeded(stack.up());
    expect(teamsOf(sandbox)).toEqual({ blue: [grace] });
    await succeeded(stack.destroy());
    expect(teamsOf(sandbox)).toEqual({});
  });
});

describe.each(bothProviders)("a team that exists already (%s)", (provider) => {
  it("is adopted by its id with no one removed, renamed, replaced as the same team, and released", async () => {
    const team = { orgId, name: "admins", usernames: [grace] };
    const setup = await startTeams(provider, () => teamProgram({ ...team, name: "operators" }), {
      seed: seedWithTeam,
    });
    const { sandbox, stack } = setup;
    const { id: teamId } = teamNamed(sandbox, "operators");
    const refused = await stack.up();
    expect(refused.exitCode).not.toBe(0);
    expect(messagesOf(refused, "error")).toContain(`To adopt an existing team, set teamId: "${teamId}"`);
    expect(writes(sandbox)).toEqual([]);

    await stack.setProgram(teamProgram({ ...team, teamId }));
    const adopted = await succeeded(stack.up());
    expect(messagesOf(adopted)).toContain(
      `Team "operators" (${teamId}) is adopted. Its name becomes "admins".`,
    );
    expect(messagesOf(adopted, "warning")).toContain(`who are not listed stay in it: ${ada}`);
    expect(teamsOf(sandbox)).toEqual({ admins: [ada, grace] });
    expect(await stack.resource("operators")).toMatchObject({
      id: `${orgId}/${teamId}`,
      outputs: { teamId, origin: "adopted", onDestroy: "release" },
    });
    expect((await upAgain(setup)).changes).toEqual({ same: 1 });
    await succeeded(stack.up({ replace: (await stack.resource("operators"))?.urn }));
    // Without its id in the program it is the same team.
    await stack.setProgram(teamProgram(team));
    expect(await upAgain(setup)).toEqual({ changes: { same: 1 }, writes: [] });

    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
    expect(teamsOf(sandbox)).toEqual({ admins: [ada, grace] });
  });

  it("takes the place of the created team of the same resource, which is deleted", async () => {
    const created = { orgId, name: "writers", usernames: [ada], onDestroy: "delete" };
    const setup = await startTeams(provider, () => teamProgram(created), { seed: seedWithTeam });
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    const { id: teamId } = teamNamed(sandbox, "operators");
    await stack.setProgram(teamProgram({ orgId, teamId, name: "operators", usernames: [ada] }));
    await succeeded(stack.up());
    expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
    expect((await upAgain(setup)).changes).toEqual({ same: 1 });
  });
});
