/** What `opsmanager summarize` says about operations that fail: beforehand, and afterwards. */
import type { Sandbox } from "../../../sandbox";
import { type Program, succeeded } from "../../support";
import { readPage } from "../../support/documents";
import { ada, bob, eve, linus, owner, owners, readers } from "../../support/people";
import {
  accessIn,
  accountOf,
  changesBetween,
  having,
  list,
  orgId,
  resource,
  seed,
  summarize,
  team,
} from "../support/access-words";
import { day } from "../support/days";
import { projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

function failing(box: Sandbox, names: readonly string[]): Program {
  const own = { projectId: projectNamed(box, "one").id };
  const members = Object.fromEntries(names.map((name) => [name, readers]));
  return {
    resources: {
      people: list(own, members),
      other: resource("ProjectMembers", {
        projectId: projectNamed(box, "two").id,
        members: { [owner]: owners, [ada]: readers, [bob]: readers },
        onDestroy: "remove",
      }),
      ops: team("ops", [ada]),
      opsOne: resource(
        "ProjectTeam",
        { projectId: own.projectId, teamName: "ops", roles: readers, onDestroy: "release" },
        { dependsOn: ["${ops}"] },
      ),
    },
  };
}

it("names what a failed run has done, and whose access it does not know", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: {
      bypassInvitations: true,
      seed: { ...seed, projects: [{ name: "one" }, { name: "two", ...having() }] },
    },
    program: (box) => failing(box, [bob]),
  });
  await succeeded(stack.up());
  const before = accessIn(sandbox);
  await stack.setProgram(failing(sandbox, [eve, linus]));
  sandbox.addFault({
    method: "POST",
    bodyPattern: accountOf(sandbox, linus),
    times: 0,
    fault: { status: 403 },
  });
  const update = await summarize(stack, sandbox, "up", "--yes");
  expect(update).toMatchObject({
    exitCode: 1,
    changes: [`+${eve} in project one`, `-${bob} in project one`],
  });
  const between = accessIn(sandbox);
  expect(changesBetween(before, between)).toEqual(update.changes);

  await stack.setProgram({ outputs: { nothing: "here" } });
  sandbox.addFault({ method: "DELETE", pathPattern: "/users/", times: 0, fault: { status: 403 } });
  const preview = await summarize(stack, sandbox, "preview");
  expect(preview.plan).toContain(
    "\n  Deleting Team ops will fail: team ops still has access in project one.\n",
  );
  // Without this option, the engine may stop at the team before it comes to the other project.
  const destroyed = await summarize(stack, sandbox, "up", "--yes", "--continue-on-error");
  expect(destroyed).toMatchObject({ exitCode: 1, changes: [] });
  expect(destroyed.plan).toMatch(
    /^ {2}project two: .*perhaps another access for ada@example.com, bob@example.com$/m,
  );
  expect(changesBetween(between, accessIn(sandbox))).toEqual([]);
});

it("says beforehand which deletions are refused, and what goes with the others", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: {
      bypassInvitations: true,
      orgUserChanges: "offered",
      seed: { ...seed, projects: [{ name: "held", ...having() }] },
    },
    program: (box) => containersOf(box, {}),
  });
  await succeeded(stack.up());
  const before = accessIn(sandbox);
  const literal = Object.fromEntries(
    Object.entries(await stack.outputs()).map(([name, value]) => [`\${${name}}`, String(value)]),
  );
  await stack.setProgram(containersOf(sandbox, literal));
  const preview = await summarize(stack, sandbox, "preview");
  expect(preview).toMatchObject({ exitCode: 0, changes: [] });
  expect(
    preview.plan
      .replace(/ci \(\w+\)/, "ci")
      .split("\n")
      .slice(0, 5),
  ).toEqual([
    "Preview of test: 4 deletions will fail; 4 to delete",
    "  Deleting ApiKey ci will fail: ProjectApiKey ciHeld still declares API key ci.",
    "  Deleting OrganizationMember ada will fail: ProjectMembers heldPeople and Team ops still declare ada@example.com.",
    "  Deleting Project box will fail: ProjectMember boxBob still declares access to it.",
    "  Deleting Team squad will fail: ProjectTeam squadHeld still declares team squad.",
  ]);
  const [, sample] = readPage("docs/summarize.md").blocks.filter(({ language }) => language === "text");
  expect(preview.plan.split("\n")).toContain(sample?.text.trimEnd());
  // The provider does not know what a run with targets leaves out.
  const targeted = ["--target", "**::ada"];
  const partial = await summarize(stack, sandbox, "preview", ...targeted);
  const update = await summarize(stack, sandbox, "up", "--yes", "--skip-preview", ...targeted);
  const lost = ["organization", "project held", "team ops"].map((place) => `-${ada} in ${place}`);
  expect(partial).toMatchObject({ exitCode: 0, changes: lost });
  expect(update).toMatchObject({ exitCode: 0, changes: lost });
  expect(changesBetween(before, accessIn(sandbox))).toEqual(lost);
});

/** @param literal texts in place of references; with them, what the references name is not declared any more */
function containersOf(box: Sandbox, literal: Readonly<Record<string, string>>): Program {
  const held = { projectId: projectNamed(box, "held").id };
  const given = (reference: string) => literal[reference] ?? reference;
  return {
    resources: {
      ...(Object.keys(literal).length === 0 && {
        ada: resource("OrganizationMember", { orgId, username: ada, roles: ["ORG_MEMBER"] }),
        ci: resource("ApiKey", { orgId, description: "ci", roles: ["ORG_MEMBER"] }),
        box: resource("Project", { orgId, name: "box" }),
        squad: team("squad", [bob]),
      }),
      heldPeople: list(held, { [ada]: readers }),
      ops: team("ops", [ada, eve]),
      ciHeld: resource("ProjectApiKey", {
        projectId: held.projectId,
        keyId: given("${ci.keyId}"),
        roles: readers,
      }),
      squadHeld: resource("ProjectTeam", {
        projectId: held.projectId,
        teamId: given("${squad.teamId}"),
        roles: readers,
      }),
      boxBob: resource("ProjectMember", {
        projectId: given("${box.projectId}"),
        username: bob,
        roles: readers,
      }),
    },
    ...(Object.keys(literal).length === 0 && {
      outputs: {
        "ci.keyId": "${ci.keyId}",
        "squad.teamId": "${squad.teamId}",
        "box.projectId": "${box.projectId}",
      },
    }),
  };
}

/** @param until last days of the people who are to leave */
function lastOnes(box: Sandbox, until?: string): Program {
  const idOf = (name: string) => projectNamed(box, name).id;
  const days = (...names: readonly string[]) =>
    until === undefined ? {} : { until: Object.fromEntries(names.map((name) => [name, until])) };
  const people = (name: string, members: Readonly<Record<string, readonly string[]>>, ...leaving: string[]) =>
    resource("ProjectMembers", { projectId: idOf(name), members, ...days(...leaving) });
  return {
    resources: {
      one: people("one", { [ada]: owners, [bob]: readers }, ada, bob),
      two: people("two", { [ada]: owners, [bob]: owners }, ada),
      three: people("three", { [ada]: owners, [bob]: owners }, ada, bob),
      four: people("four", { [ada]: owners, ...(until && { [eve]: owners }) }, ada),
      emptied: team("emptied", [ada, bob], days(ada, bob)),
      kept: team("kept", [ada, bob], days(bob)),
    },
  };
}

it.each(["plugin", "dynamic"] as const)(
  "says of nobody that they leave who stays as the last one of a project or team: %s",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        bypassInvitations: true,
        seed: {
          ...seed,
          projects: ["one", "two", "three", "four"].map((name) => ({
            name,
            members: { [ada]: owners, ...(name !== "four" && { [bob]: name === "one" ? readers : owners }) },
          })),
        },
      },
      program: (box) => lastOnes(box),
    });
    await succeeded(stack.up());
    const before = accessIn(sandbox);
    await stack.setProgram(lastOnes(sandbox, day(-1)));
    const preview = await summarize(stack, sandbox, "preview");
    expect(preview).toMatchObject({
      exitCode: 0,
      changes: [
        `+${eve} in project four`,
        `-${ada} in project four`,
        `-${ada} in project two`,
        `-${bob} in project one`,
        `-${bob} in team kept`,
      ],
    });
    const perhaps = preview.plan.match(/^ {2}\S+ \S+: .*perhaps another access for .*$/gm) ?? [];
    expect(perhaps.map((line) => line.replace(/:.*perhaps another access for/, ":")).sort()).toEqual([
      `  project three: ${ada}, ${bob}`,
      `  team emptied: ${ada}, ${bob}`,
    ]);
    const up = ["up", "--yes", "--skip-preview", "--continue-on-error"];
    expect((await summarize(stack, sandbox, ...up)).exitCode).toBe(1);
    const left = [
      expect.stringMatching(/^-.* in project three$/),
      expect.stringMatching(/^-.* in team emptied$/),
    ];
    const changes = changesBetween(before, accessIn(sandbox));
    expect(changes).toHaveLength(preview.changes.length + left.length);
    expect(changes).toEqual(expect.arrayContaining([...preview.changes, ...left]));
  },
);

it.each(["plugin", "dynamic"] as const)(
  "says only perhaps of an owner whose end the service may refuse, and why the run failed: %s",
  async (provider) => {
    const programOf = (box: Sandbox, more: object): Program => {
      const own = (name: string) => ({ projectId: projectNamed(box, name).id, username: ada, roles: owners });
      return {
        resources: {
          one: resource("ProjectMember", { ...own("one"), ...more }),
          two: resource("ProjectMember", { ...own("two"), ...more }),
          org: resource("OrganizationMember", { orgId, username: owner, roles: ["ORG_OWNER"], ...more }),
        },
      };
    };
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        orgUserChanges: "offered",
        seed: {
          ...seed,
          projects: [
            { name: "one", members: { [ada]: owners, [bob]: readers } },
            { name: "two", members: { [ada]: owners, [bob]: owners } },
          ],
        },
      },
      program: (box) => programOf(box, {}),
    });
    await succeeded(stack.up());
    const before = accessIn(sandbox);
    await stack.setProgram(programOf(sandbox, { until: day(-1) }));
    const preview = await summarize(stack, sandbox, "preview");
    expect(preview).toMatchObject({ exitCode: 0, changes: [`-${ada} in project two`] });
    expect(preview.plan.match(/^ {2}(project|organization) .*perhaps another access for .*$/gm)).toEqual([
      expect.stringMatching(/^ {2}organization .*perhaps another access for owner@example\.com$/),
      expect.stringMatching(/^ {2}project one: .*perhaps another access for ada@example\.com$/),
    ]);
    const up = ["up", "--yes", "--skip-preview", "--continue-on-error"];
    const failed = await summarize(stack, sandbox, ...up);
    expect(failed.exitCode).toBe(1);
    expect(failed.plan.match(/^error: .*$/gm)?.sort()).toEqual([
      expect.stringMatching(/ada@example\.com is the only owner of project one .* and was not removed\./),
      expect.stringMatching(/owner@example\.com is the only owner of organization .* and was not removed\./),
    ]);
    expect(changesBetween(before, accessIn(sandbox))).toEqual(preview.changes);

    // What leaves the program has no preview.
    await stack.setProgram(programOf(sandbox, { until: day(1) }));
    await succeeded(stack.up());
    const { one: _one, org: _org, ...others } = programOf(sandbox, {}).resources ?? {};
    await stack.setProgram({ resources: others });
    const deletion = await summarize(stack, sandbox, "preview");
    expect(deletion.plan).toMatch(/^Preview of test: 2 deletions may fail; /m);
    expect(deletion.plan.match(/^ {2}Deleting .*$/gm)).toEqual([
      `  Deleting OrganizationMember org may fail: ${owner} is the only owner of organization Example Org (${orgId}) whom this run shows, and the last one stays.`,
      `  Deleting ProjectMember one may fail: ${ada} is the only owner of project one whom this run shows, and the last one stays.`,
    ]);
  },
);
