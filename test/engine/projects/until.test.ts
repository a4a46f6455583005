/** Access that ends: a day passes, and people, teams and keys leave, whatever the limits are. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { driftOf } from "../drift/support";
import { attachPlugin, doings, useYaml, writeFiles } from "../support/access-folder";
import { day, daysAgo } from "../support/days";
import { opsmanager } from "../support/opsmanager";
import { membersOf } from "../support/people-program";
import { errorsOf, projectNamed, writes } from "../support/project-program";
import { type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";
import { ada, grace, linus, orgId, owner, projectTeamsOf, seed, teamsOf } from "../teams/support";

afterEach(tearDownStacks);

const contractors = ["p1", "p2", "p3", "p4", "p5", "p6"].map((name) => `${name}@example.com`);

const users = contractors.map((username) => ({ username, roles: [{ orgId, roleName: "ORG_MEMBER" }] }));

const filesUntil = (until: string) => ({
  "projects/payments.yaml": [
    "name: payments",
    "members:",
    `  ${owner}: [GROUP_OWNER]`,
    ...contractors.map((name) => `  ${name}: { roles: [GROUP_READ_ONLY], until: ${until} }`),
    `teams: { operators: { roles: [GROUP_READ_ONLY], until: ${until} } }`,
    // These roles end with the key.
    "apiKeys: { ci: [GROUP_READ_ONLY] }",
  ].join("\n"),
  "projects/ledger.yaml": [
    "name: ledger",
    "membership: additive",
    `members: { ${grace}: { roles: [GROUP_READ_ONLY], until: ${until} } }`,
  ].join("\n"),
  "teams/operators.yaml": `name: operators\nusernames: [${ada}, { username: ${grace}, until: ${until} }]`,
  "organizations/acme.yaml": [
    "key: acme",
    `members: { ${linus}: { roles: [ORG_MEMBER], until: ${until} } }`,
    `apiKeys: { ci: { description: pipeline, roles: [ORG_MEMBER], until: ${until} } }`,
  ].join("\n"),
});

async function setUp(provider: "plugin" | "dynamic"): Promise<StackSetup> {
  const setup = await setUpStack({
    provider: "dynamic",
    sandbox: {
      orgUserChanges: "offered",
      bypassInvitations: true,
      seed: { ...seed, users: [...(seed.users ?? []), ...users], projects: [] },
    },
    config: { "opsmanager:orgId": orgId },
    program: () => ({}),
  });
  const program = `const { AccessFolder } = require("pulumi-opsmanager/projects");
new AccessFolder("access", { folder: ".", provider: "${provider}" });`;
  await writeFile(join(setup.stack.paths.program, "index.js"), program);
  await today(setup, provider);
  return setup;
}

async function today(setup: StackSetup, provider: "plugin" | "dynamic"): Promise<void> {
  if (provider === "plugin") await attachPlugin(setup);
  else setup.stack.setEnv({});
}

it.each(["dynamic", "plugin"] as const)("access ends after its last day (%s)", async (provider) => {
  const setup = await setUp(provider);
  const { sandbox, stack } = setup;
  const rolesOfLinus = () => sandbox.user({ username: linus })?.roles.map(({ roleName }) => roleName) ?? [];
  const keys = () => sandbox.state.keys.map(({ desc }) => desc);

  setup.stack.setEnv(daysAgo(2));
  await writeFiles(setup, filesUntil(day(-1)));
  const before = await succeeded(stack.up());
  expect(before.stdout).toContain(
    `Access will end after ${day(-1)}: ${grace} in project ledger, p1@example.com in project payments`,
  );
  const { id } = projectNamed(sandbox, "payments");
  expect(Object.keys(membersOf(sandbox, id)).sort()).toEqual([owner, ...contractors].sort());
  expect([teamsOf(sandbox), keys()]).toEqual([
    { operators: [ada, grace] },
    expect.arrayContaining(["pipeline"]),
  ]);

  // More people than maxRemovals allows for people who only leave the list.
  await today(setup, provider);
  sandbox.clearRequests();
  const ended = await succeeded(stack.up());
  expect(ended.stdout).toContain(
    `Access was to end after ${day(-1)}: ${grace} in project ledger, p1@example.com in`,
  );
  expect(doings(ended)).toEqual([
    "update ApiKey acme/ci",
    `update OrganizationMember acme/${linus}`,
    "update ProjectApiKey payments/ci",
    `update ProjectMember ledger/${grace}`,
    "update ProjectMembers payments",
    "update ProjectTeam payments/operators",
    "update Team operators",
  ]);
  expect(membersOf(sandbox, id)).toEqual({ [owner]: ["GROUP_OWNER"] });
  expect([teamsOf(sandbox), projectTeamsOf(sandbox, id)]).toEqual([{ operators: [ada] }, {}]);
  expect(keys()).not.toContain("pipeline");
  expect(rolesOfLinus()).toEqual([]);

  sandbox.clearRequests();
  expect(doings(await succeeded(stack.up()))).toEqual([]);
  expect(writes(sandbox)).toEqual([]);

  // A colleague brings some of them back.
  const ledger = projectNamed(sandbox, "ledger").id;
  sandbox.setMember(id, { username: "p1@example.com" }, ["GROUP_READ_ONLY"]);
  sandbox.setMember(ledger, { username: grace }, ["GROUP_OWNER"]);
  sandbox.setOrgMember(orgId, { username: linus }, ["ORG_OWNER"]);
  const { report, exitCode } = await driftOf(stack);
  expect(exitCode).toBe(2);
  const until = day(-1);
  expect(
    report.findings.map(({ name, cause, kind, property, end, lastEvent }) => ({
      ...{ name, cause, kind, property, end },
      by: lastEvent?.username,
    })),
  ).toEqual([
    { name: `acme/${linus}`, cause: "outside", kind: "added", property: "", end: { until }, by: owner },
    { name: `ledger/${grace}`, cause: "outside", kind: "added", property: "", end: { until }, by: owner },
    {
      ...{ name: "payments", cause: "outside", kind: "added", end: { until }, by: owner },
      property: 'members["p1@example.com"]',
    },
  ]);
  await succeeded(stack.up({ refresh: true, runProgram: true }));
  expect([membersOf(sandbox, id), Object.keys(membersOf(sandbox, ledger))]).toEqual([
    { [owner]: ["GROUP_OWNER"] },
    [owner],
  ]);
  expect(rolesOfLinus()).toEqual([]);
});

// An end was an absence, and the engine deletes nothing after a failed registration.
it.each(["Node.js", "YAML"] as const)(
  "a failure elsewhere keeps no access that is over, and complete: owners counts without a remaining member (%s)",
  async (language) => {
    const setup = await setUp(language === "YAML" ? "plugin" : "dynamic");
    const { sandbox, stack } = setup;
    const properties = { folder: stack.paths.program };
    if (language === "YAML")
      await useYaml(setup, { access: { type: "opsmanager:AccessFolder", properties } }, {});
    setup.stack.setEnv(daysAgo(2));
    const until = day(-1);
    const { "organizations/acme.yaml": organization, ...others } = filesUntil(until);
    await writeFiles(setup, { ...others, "organizations/acme.yaml": `complete: owners\n${organization}` });
    await succeeded(stack.up());
    const ledger = projectNamed(sandbox, "ledger").id;
    expect(Object.keys(membersOf(sandbox, ledger))).toContain(grace);

    await today(setup, language === "YAML" ? "plugin" : "dynamic");
    const ghost = "ghost@example.com";
    await writeFiles(setup, {
      "projects/broken.yaml": `name: broken\norgId: ${"5f".repeat(12)}`,
      "teams/operators.yaml": others["teams/operators.yaml"].replace("]", `, ${ghost}]`),
    });
    const errors = await errorsOf(stack.up({ continueOnError: true }));
    expect(errors).toContain("5f5f5f5f5f5f5f5f5f5f5f5f");
    expect(errors).toContain(`has no account with the name ${ghost}`);
    expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
    expect(Object.keys(membersOf(sandbox, projectNamed(sandbox, "payments").id))).toEqual([owner]);
    expect(Object.keys(membersOf(sandbox, ledger))).toEqual([owner]);
    expect(projectTeamsOf(sandbox, projectNamed(sandbox, "payments").id)).toEqual({});
    expect(sandbox.state.keys.map(({ desc }) => desc)).not.toContain("pipeline");
    expect(sandbox.user({ username: linus })?.roles).toEqual([]);

    await writeFiles(setup, {
      "projects/broken.yaml": undefined,
      "teams/operators.yaml": others["teams/operators.yaml"],
    });
    await succeeded(stack.up());
    const { report } = await driftOf(stack);
    expect(report.findings.map(({ kind, object }) => [kind, object?.name, object?.in])).toEqual([
      ["undeclared", owner, "organization"],
    ]);
  },
);

// The commands read the same states and previews of both providers.
it("is announced by the commands", async () => {
  const setup = await setUp("plugin");
  const { stack } = setup;
  await writeFiles(setup, filesUntil(day(1)));
  await succeeded(stack.up());
  const shown = await opsmanager(stack, ["access", "p1@example.com"]);
  expect(shown.stdout).toContain(`[declared by payments (ProjectMembers)] (until ${day(1)})`);
  const masked = await opsmanager(stack, ["drift", "--mask-people"]);
  expect(masked).toMatchObject({ exitCode: 0 });
  expect(masked.stdout).toMatch(
    new RegExp(`Access will end after ${day(1)}: person-\\w+ in project ledger, person-`),
  );

  // The update that ends it is just to come: the access is neither overdue nor undeclared.
  setup.stack.setEnv(daysAgo(2));
  await writeFiles(setup, filesUntil(day(-1)));
  await succeeded(stack.up());
  await today(setup, "plugin");
  expect(await driftOf(stack)).toMatchObject({ exitCode: 0, report: { findings: [] } });

  // No update has run for more than a day after the last one.
  setup.stack.setEnv(daysAgo(4));
  await writeFiles(setup, filesUntil(day(-2)));
  await succeeded(stack.up());
  await today(setup, "plugin");
  const { report } = await driftOf(stack);
  const overdue = { overdueSince: `${day(0)}T00:00:00.000Z`, overdueReason: "No update has ended it." };
  expect(report.findings).toContainEqual(
    expect.objectContaining({
      ...{ name: `ledger/${grace}`, cause: "not-applied", kind: "added" },
      end: { until: day(-2), ...overdue },
    }),
  );
  expect((await opsmanager(stack, ["access", grace])).stdout).toContain(
    `(overdue since ${day(0)} 00:00 UTC, last day ${day(-2)}: No update has ended it)`,
  );
});

it("a last owner who ends stays with an error, beside whom others end, and drift says since when", async () => {
  const setup = await setUp("plugin");
  const { sandbox, stack } = setup;
  const [p1 = "", p2 = "", p3 = ""] = contractors;
  const until = day(-1);
  await writeFiles(setup, {
    "projects/payments.yaml": [
      "name: payments",
      "members:",
      `  ${p1}: { roles: [GROUP_OWNER], until: ${until} }`,
      `  ${p2}: { roles: [GROUP_READ_ONLY], until: ${until} }`,
      `  ${p3}: [GROUP_READ_ONLY]`,
    ].join("\n"),
  });
  setup.stack.setEnv(daysAgo(2));
  await succeeded(stack.up());
  const { id } = projectNamed(sandbox, "payments");
  sandbox.removeMember(id, { username: owner });

  await today(setup, "plugin");
  expect(await errorsOf(stack.up({ skipPreview: true }))).toContain(
    `${p1} is the last direct owner of project`,
  );
  expect(Object.keys(membersOf(sandbox, id)).sort()).toEqual([p1, p3]);
  const { report, exitCode } = await driftOf(stack);
  expect([exitCode, report.findings.map(({ property, end }) => [property, end])]).toEqual([
    2,
    [[`members["${p1}"]`, { until, overdueSince: expect.any(String), overdueReason: expect.any(String) }]],
  ]);
});

it("tells what ends by the calendar apart from what the program ends", async () => {
  const setup = await setUp("plugin");
  const { stack } = setup;
  const [p1 = "", p2 = "", p3 = ""] = contractors;
  const file = (...lines: string[]) => ({
    "projects/payments.yaml": ["name: payments", "members:", `  ${owner}: [GROUP_OWNER]`, ...lines].join(
      "\n",
    ),
  });
  const until = (name: string, last: string) => `  ${name}: { roles: [GROUP_READ_ONLY], until: ${last} }`;
  // The days were declared before they were over.
  const { "teams/operators.yaml": team, "organizations/acme.yaml": organization } = filesUntil(day(-1));
  await writeFiles(setup, {
    "teams/operators.yaml": team,
    "organizations/acme.yaml": organization,
    ...file(until(p1, day(-1)), `  ${p2}: [GROUP_READ_ONLY]`, until(p3, "2999-01-31")),
  });
  setup.stack.setEnv(daysAgo(2));
  await succeeded(stack.up());

  await today(setup, "plugin");
  await writeFiles(setup, file(until(p1, day(-1)), until(p2, day(-1)), until(p3, "2999-12-31")));
  const formats = ["--format", "text", "--format", "markdown=summary.md"];
  const { stdout } = await opsmanager(stack, ["summarize", ...formats, "preview"]);
  for (const name of [p1, linus, grace])
    expect(stdout).toMatch(new RegExp(`no more access for .*${name}.* after ${day(-1)}`));
  const summary = await readFile(join(stack.paths.program, "summary.md"), "utf8");
  const [program = "", calendar = ""] = summary.split("### Ends by the calendar: the last day is over");
  expect(program).toContain(
    "1 to change, 1 new last day, 1 last day to change, 1 loses access; 4 lose access by the calendar",
  );
  expect(program).toContain(`| \`payments\` | 1 | \`${p2}\` (GROUP_READ_ONLY) |`);
  expect(program).toMatch(/last day of .*p3.* <code>2999-01-31<.code> becomes <code>2999-12-31</);
  for (const row of [
    /^\| organization .* \| `API key pipeline \(\w+\)` \(ORG_MEMBER\), `linus@example.com` \(ORG_MEMBER\) \|/m,
    new RegExp(`^\\| team \`operators\` \\| \`${grace}\` \\| ${day(-1)} \\|$`, "m"),
    new RegExp(`^\\| \`payments\` \\| \`${p1}\` \\(GROUP_READ_ONLY\\) \\| ${day(-1)} \\|$`, "m"),
  ])
    expect(calendar).toMatch(row);

  const lines = async (...argv: string[]) => (await opsmanager(stack, ["summarize", ...argv])).stdout;
  const run = ["up", "--yes", "--skip-preview", "--refresh", "--run-program"];
  // Also in a run that fails, because of another project.
  const broken = `name: broken\norgId: ${"5f".repeat(12)}`;
  await writeFiles(setup, { ...file(until(p1, day(-1)), until(p3, day(1))), "projects/broken.yaml": broken });
  const both = await lines(...run, "--continue-on-error");
  expect(both).toMatch(/^Update of \w+ failed: .*1 loses access; 4 lose access by the calendar$/m);
  expect(both).not.toMatch(/@@ by the program @@[^@]*ended/);

  await writeFiles(setup, { "projects/broken.yaml": undefined });
  await lines(...run);

  // A colleague brings somebody back.
  const { id } = projectNamed(setup.sandbox, "payments");
  setup.sandbox.setMember(id, { username: p1 }, ["GROUP_READ_ONLY"]);
  const again = await lines(...run);
  expect(again).toMatch(/^Update of \w+: nothing by the program; 1 loses access by the calendar$/m);
  expect(again).toContain("@@ by the calendar @@\n! change ProjectMembers payments\n");

  // By this machine's clock, the next day is over.
  setup.stack.setEnv(daysAgo(-2));
  const early = await lines(...run);
  expect(early).toMatch(/^Update of \w+: no changes$/m);
  expect(early).toContain("is not over:");
});
