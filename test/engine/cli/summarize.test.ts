/** `opsmanager summarize`: what previews and updates change, and why, read from the engine's own events. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import { keepDefault, type Program, type ProviderKind, succeeded } from "../../support";
import { readPage } from "../../support/documents";
import { ada, bob, cleo, eve, owner, owners, readers } from "../../support/people";
import { setUpAccessFolder, writeProjectFiles } from "../support/access-folder";
import { accountOf, having, list, orgId, person, resource, seed, team } from "../support/access-words";
import { opsmanager } from "../support/opsmanager";
import { membersOf } from "../support/people-program";
import { projectNamed } from "../support/project-program";
import { type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const mallory = "mallory@example.com";
const secretName = "carol@example.com";

/** The exit code and both formats, with `EVENT` for what mallory did. */
async function summarize({ stack }: StackSetup, ...args: string[]) {
  const formats = ["--format", "markdown=summary.md", "--format", "text=plan.txt"];
  const result = await opsmanager(stack, ["summarize", ...formats, ...args]);
  const read = async (name: string) =>
    (await readFile(join(stack.paths.program, name), "utf8")).replaceAll(
      /\d{4}-\d\d-\d\d \d\d:\d\d UTC by mallory@example.com from 192.0.2.7/g,
      "EVENT",
    );
  return { ...result, markdown: await read("summary.md"), plan: await read("plan.txt") };
}

function programOf(sandbox: Sandbox, isChanged: boolean): Program {
  const payments = { projectId: projectNamed(sandbox, "payments").id };
  const billing = { projectId: "${billing.projectId}" };
  const ledger = { projectId: projectNamed(sandbox, "ledger").id, orgId, name: "ledger" };
  const tags = isChanged ? ["EU"] : ["PROD"];
  return {
    resources: {
      payments: resource("Project", { ...payments, orgId, name: "payments", tags }),
      people: list(
        payments,
        isChanged ? { [ada]: owners, [eve]: readers } : { [ada]: readers, [bob]: readers },
      ),
      ...(isChanged
        ? {
            billing: resource("Project", { orgId, name: "Billing EU" }),
            "billing/eve": person(billing, eve, { roles: owners }),
            "billing/carol": person(billing, { "fn::secret": secretName }),
          }
        : { ledger: resource("Project", ledger) }),
    },
  };
}

it("shows what an update made, what a pull request would change without secrets, and why a run failed", async () => {
  const users = [...seed.users, { username: secretName, roles: [{ orgId, roleName: "ORG_MEMBER" }] }];
  const setup = await setUpStack({
    sandbox: {
      seed: {
        ...seed,
        users,
        projects: [
          { name: "payments", ...having({ [ada]: readers, [bob]: readers, [mallory]: owners }) },
          { name: "ledger" },
        ],
      },
    },
    program: (sandbox) => programOf(sandbox, false),
  });
  const { sandbox, stack } = setup;
  const first = await summarize(setup, "up", "--yes");
  expect(first).toMatchObject({ exitCode: 0, stderr: "" });
  expect(first.markdown).toMatch(/^<!-- opsmanager summary -->\n## Update of `test`: 3 created\n/);
  expect(membersOf(sandbox)).toHaveProperty([bob]);

  await stack.setProgram(programOf(sandbox, true));
  const preview = await summarize(setup, "preview");
  expect(preview).toMatchObject({ exitCode: 0, stderr: "" });
  expect(preview.stdout).toMatch(/Previewing update.*Resources:\n.*\n\nPreview of test: /s);
  for (const line of [
    "| project | create | change | release | get access | lose access |",
    "| `Billing EU` | 3 |  |  | `[secret]` (GROUP_READ_ONLY), `eve@example.com` (GROUP_OWNER) |  |",
    "| `payments` |  | 2 |  | `eve@example.com` (GROUP_READ_ONLY) | `bob@example.com` (GROUP_READ_ONLY) |",
    "| `payments` | `mallory@example.com` (GROUP_OWNER) | not new |",
    "<details><summary>6 resources</summary>",
    "~~~~diff",
  ])
    expect(preview.markdown.split("\n")).toContain(line);
  expect(preview.plan).toContain(
    [
      "! change ProjectMembers people",
      '-     members["ada@example.com"]: ["GROUP_READ_ONLY"]',
      '+     members["ada@example.com"]: ["GROUP_OWNER"]',
      '+     members["eve@example.com"]: ["GROUP_READ_ONLY"]',
      '-     members["bob@example.com"]: ["GROUP_READ_ONLY"]',
    ].join("\n"),
  );
  // The refresh reads the project, its people and the unchanged ones; none of that is a change.
  expect(preview.plan.match(/^[-+!] \w+/gm)).toHaveLength(6);
  expect(preview.plan).toContain('+     username: "[secret]"');
  const page = readPage("docs/summarize.md");
  const [tables = ""] = /^\| new owner .*?(?=^## )/ms.exec(page.text) ?? [];
  const rows = tables.split("\n").filter((line) => line.startsWith("|"));
  expect(rows.length).toBeGreaterThan(5);
  expect(preview.markdown.split("\n")).toEqual(expect.arrayContaining(rows));
  const [sample] = page.blocks.filter(({ language }) => language === "text");
  const printed = preview.plan.replace("of test", "of prod").split("\n");
  expect(printed).toEqual(expect.arrayContaining(sample?.text.trimEnd().split("\n") ?? [""]));
  expect(JSON.stringify(preview)).not.toContain(secretName);
  expect(JSON.stringify(preview)).not.toContain(sandbox.privateKey);

  await stack.setProgram({ resources: { payments: resource("Project", { name: "" }) } });
  const failed = await summarize(setup, "up", "--yes");
  expect(failed.exitCode).toBe(1);
  expect(failed.markdown).toMatch(/^## Update of `test` failed before its first change/m);
  expect(failed.markdown).toMatch(/^\| `payments` \| `opsmanager:index:Project resource 'payments'.*orgId/m);

  // A cause that all resources share is given once.
  await stack.setProgram(programOf(sandbox, true));
  await stack.setConfig({ "opsmanager:privateKey": "00000000-0000-0000-0000-000000000000" });
  const refused = await summarize(setup, "up", "--yes", "--skip-preview", "--continue-on-error");
  expect(refused.plan.match(/^error: .*$/gm)).toEqual([
    expect.stringMatching(
      /^error: \w+: .* 401 .*refused API key.* 2 more resources failed for the same reason: \w+, \w+\.$/,
    ),
  ]);
  expect(refused.markdown).toMatch(/^\| `\w+` \| `.* 2 more resources failed for the same reason: /m);
  // The engine may end a preview at its first error, before the others have begun.
  const planned = await summarize(setup, "preview");
  expect(planned.plan.match(/^error: .*$/gm)).toEqual([
    expect.stringMatching(/^error: \w+: Preview failed: .* 401 .*refused API key/),
  ]);
  expect(planned.markdown).toMatch(/^\| `\w+` \| `Preview failed: .* 401 /m);
  const nowhere = await summarize(setup, "--stack", "nowhere", "preview");
  expect(nowhere.exitCode).toBe(1);
  expect(nowhere.markdown).toMatch(
    /^## Preview of `nowhere` failed\n\n.*\n.*\n\| {2}\| `no stack named 'nowhere' found/m,
  );
});

const file = (name: string, roles: Readonly<Record<string, string>>, ...lines: string[]) =>
  [
    `name: ${name}`,
    "members:",
    ...Object.entries(roles).map(([username, role]) => `  ${username}: [${role}]`),
    ...lines,
  ].join("\n");
const owned = { [owner]: "GROUP_OWNER" };
const tags = "tags: [PROD, EU]";

async function setUp(provider: ProviderKind): Promise<StackSetup> {
  const setup = await setUpAccessFolder({
    provider,
    sandbox: { bypassInvitations: true, seed: { ...seed, projects: [] } },
    config: { "opsmanager:orgId": orgId },
    files: () => ({
      "payments.yaml": file("payments", { ...owned, [ada]: "GROUP_READ_ONLY" }, tags),
      "ledger.yaml": file("ledger", { ...owned, [bob]: "GROUP_READ_ONLY" }),
      "old.yaml": file("old", owned),
    }),
  });
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  sandbox.actAs({ username: "mallory@example.com", remoteAddress: "192.0.2.7" });
  const { id } = projectNamed(sandbox, "payments");
  sandbox.changeProject(id, { tags: ["EU"] });
  sandbox.setMember(id, { username: cleo }, ["GROUP_OWNER"]);
  sandbox.removeProject(projectNamed(sandbox, "ledger").id);
  await writeProjectFiles(setup, {
    "payments.yaml": file(
      "payments",
      { ...owned, [ada]: "GROUP_READ_ONLY", [eve]: "GROUP_USER_ADMIN" },
      tags,
    ),
    "old.yaml": undefined,
  });
  return setup;
}

it("a comment tells apart what a pull request changes, what it changes back, and who came undeclared", async () => {
  keepDefault("refreshBeforeUpdate", "only a refresh shows what was changed outside Pulumi");
  const setup = await setUp("plugin");
  const preview = await summarize(setup, "preview");
  const shown = preview.markdown.split("<details>")[0]?.split("\n");
  expect(shown?.filter((line) => /^(#|\| `)/.test(line))).toEqual([
    "## Preview of `test`: 2 new owners, 1 new owner whom nobody declares; 1 to change, 2 to release, 1 gets access; 1 deleted project to create again, empty; 1 outside change to reverse, 2 get access back",
    "| `eve@example.com` | GROUP_USER_ADMIN | `payments` | the program |",
    "| `cleo@example.com` | GROUP_OWNER | `payments` | somebody outside Pulumi; undeclared |",
    "| `owner@example.com` | GROUP_OWNER | `ledger` | a correction: had it before |",
    "### What the program changes",
    "| `old` |  | 2 |  |",
    "| `payments` | 1 |  | `eve@example.com` (GROUP_USER_ADMIN) |",
    "### Changed outside Pulumi, and to be changed back",
    "| `ledger` | Project `ledger` | deleted, with 1 other resource; created again empty, with another ID | `EVENT` |",
    '| `payments` | Project `payments` | `tags`: `["PROD"]` removed | no event; this kind is not documented |',
    "| `ledger` | `bob@example.com` (GROUP_READ_ONLY), `owner@example.com` (GROUP_OWNER) |",
    "### Declared by nobody, and left as they are",
    "| `payments` | `cleo@example.com` (GROUP_OWNER) | new | `EVENT` |",
  ]);
  expect(preview.plan).toContain(
    '@@ back to what is declared @@\n+ create Project ledger\n+     name: "ledger"\n',
  );
  expect(preview.plan).toMatch(/^! change Project payments\n\+ {5}tags: \["PROD"\]$/m);

  // The same, if nobody may read the events.
  setup.sandbox.addFault({ method: "GET", pathPattern: "/events", times: 2, fault: { status: 403 } });
  const up = await summarize(setup, "up", "--yes");
  expect(up.exitCode).toBe(0);
  expect(up.plan).toMatch(
    /^Update of test: 2 new owners, 1 new owner whom nobody declares; 1 changed, 2 released, 1 gets access; 1 deleted project created again, empty; 1 outside change reversed, 2 get access back$/m,
  );
  expect(up.plan).toMatch(/^Some changes are shown without their author, .*403/m);
  expect(projectNamed(setup.sandbox, "payments").tags).toEqual(["EU", "PROD"]);

  // Only who is not declared is still there, and is no news.
  const later = await summarize(setup, "preview");
  expect(later.markdown).toMatch(/^## Preview of `test`: no changes\n\n### Declared by nobody/m);
  expect(later.markdown).toContain("| `payments` | `cleo@example.com` (GROUP_OWNER) | not new |");
});

it("the dynamic provider does not show what was changed, and the summary says so", async () => {
  const setup = await setUp("dynamic");
  const { plan } = await summarize(setup, "preview");
  expect(plan).toMatch(
    /^Preview of test: .*; 1 to change, 2 to release, 1 gets access; 1 deleted project to create again, empty; 1 outside change to reverse$/m,
  );
  expect(plan).toContain(
    "    Project ledger: deleted, with 1 other resource; created again empty, with another ID (EVENT)\n",
  );
  expect(plan).toContain("    Project payments: changed; Pulumi does not report which property (");
  expect(plan).toMatch(
    /^8 resources were not read before this run, so changes made there .* are missing here\.$/m,
  );
});

it.each(["plugin", "dynamic"] as const)(
  "marks whoever is new to the organization, before they come (%s)",
  async (provider) => {
    const setup = await setUpAccessFolder({
      provider,
      sandbox: { seed: { ...seed, projects: [] } },
      config: { "opsmanager:orgId": orgId },
      files: () => ({ "payments.yaml": file("payments", owned) }),
    });
    await succeeded(setup.stack.up());
    const guest = "guest@example.com";
    await writeProjectFiles(setup, {
      "payments.yaml": file("payments", { ...owned, [ada]: "GROUP_READ_ONLY", [guest]: "GROUP_READ_ONLY" }),
    });
    const { markdown, plan } = await summarize(setup, "preview");
    expect(markdown).toContain(
      `| \`${ada}\` (GROUP_READ_ONLY), \`${guest}\` (GROUP_READ_ONLY, new to the organization) |`,
    );
    expect(plan).toContain(`access for ${ada}, ${guest} (new to the organization)\n`);

    setup.sandbox.addFault({
      method: "GET",
      pathPattern: "/orgs/\\w+/users",
      times: 0,
      fault: { status: 403 },
    });
    const unread = await summarize(setup, "preview");
    expect(unread.exitCode).toBe(0);
    expect(unread.plan).toMatch(/^People who are new to an organization are not marked, .* 403/m);
  },
);

it.each(["plugin", "dynamic"] as const)("says who is only invited (%s)", async (provider) => {
  const [guest, boss] = ["guest@example.com", "boss@example.com"];
  const files = (people: Readonly<Record<string, string>>) => ({
    "payments.yaml": file("payments", { ...owned, ...people }),
    "single.yaml": file("single", { ...owned, ...people }, "membership: additive"),
  });
  const setup = await setUpAccessFolder({
    provider,
    sandbox: { bypassInvitations: true, seed: { ...seed, projects: [] } },
    config: { "opsmanager:orgId": orgId },
    files: () => files({}),
  });
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  await writeProjectFiles(setup, files({ [ada]: "GROUP_READ_ONLY", [guest]: "GROUP_OWNER" }));
  const came = await summarize(setup, "up", "--yes", "--skip-preview");
  expect(came.plan).toContain(`new owner: ${guest} (GROUP_OWNER, invited) in project `);
  expect(came.plan).toContain(`, access for ${ada}, ${guest} (invited)\n`);
  expect(came.markdown).toContain(`| \`${guest}\` | GROUP_OWNER, invited | `);
  expect(came.markdown).toContain(`| \`${ada}\` (GROUP_READ_ONLY), \`${guest}\` (GROUP_OWNER, invited) |`);
  sandbox.addInvitation(projectNamed(sandbox, "payments").id, { username: boss, roles: ["GROUP_OWNER"] });
  await writeProjectFiles(setup, files({}));
  await succeeded(stack.refresh());
  const goes = await summarize(setup, "preview");
  expect(goes.plan).toMatch(
    /project payments: .*, no more access for ada@example\.com, guest@example\.com \(invited\)$/m,
  );
  expect(goes.plan).toMatch(
    /project single: .*, no more access for ada@example\.com, guest@example\.com \(invited\)$/m,
  );
  expect(goes.plan).toContain(`not declared in project payments: ${boss} (GROUP_OWNER, invited)`);
});

it.each(["plugin", "dynamic"] as const)(
  "does not know whether an undeclared owner is new where no earlier state was read (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "the test sets it");
    const newcomer = "newcomer@example.com";
    const programWith = (sandbox: Sandbox, bobsRoles: readonly string[]): Program => ({
      resources: {
        people: list(
          { projectId: projectNamed(sandbox, "payments").id },
          { [owner]: owners, [bob]: bobsRoles },
        ),
      },
    });
    const setup = await setUpStack({
      provider,
      config: { "opsmanager:refreshBeforeUpdate": "false" },
      sandbox: {
        bypassInvitations: true,
        seed: { ...seed, projects: [{ name: "payments", ...having({ [mallory]: owners }) }] },
      },
      program: (sandbox) => programWith(sandbox, readers),
    });
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    sandbox.actAs({ username: mallory, remoteAddress: "192.0.2.7" });
    sandbox.setMember(projectNamed(sandbox, "payments").id, { username: newcomer }, owners);
    await stack.setProgram(programWith(sandbox, owners));
    // A preview of the dynamic provider does not read the list.
    const preview = provider === "plugin" ? [["preview"]] : [];
    for (const command of [...preview, ["up", "--yes", "--skip-preview"]]) {
      const { markdown, plan } = await summarize(setup, ...command);
      expect(markdown).toContain(`| \`${newcomer}\` (GROUP_OWNER) | not known | \`EVENT\` |`);
      expect(markdown).toContain(`| \`${mallory}\` (GROUP_OWNER) | not new |`);
      expect(plan).toContain(
        `: ${newcomer} (GROUP_OWNER), not known whether new since the last update (EVENT)\n`,
      );
    }
  },
);

it.each([0, 60, -60])(
  "an update names who made a change, not its own correction: clocks %s s apart",
  async (seconds) => {
    keepDefault("refreshBeforeUpdate", "only a refresh shows what was changed outside Pulumi");
    const setup = await setUpStack({
      sandbox: {
        bypassInvitations: true,
        seed: { ...seed, projects: [{ name: "payments", ...having() }] },
      },
      program: (sandbox) => ({
        resources: {
          people: list(
            { projectId: projectNamed(sandbox, "payments").id },
            { [owner]: owners, [bob]: readers, [cleo]: owners },
          ),
        },
      }),
    });
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    sandbox.actAs({ username: mallory, remoteAddress: "192.0.2.7" });
    sandbox.advanceClock(seconds);
    sandbox.setMember(projectNamed(sandbox, "payments").id, { username: cleo }, readers);
    for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const { plan } = await summarize(setup, ...command);
      expect(plan).toContain(
        `ProjectMembers people: members["${cleo}"]: ["GROUP_OWNER"] became ["GROUP_READ_ONLY"] (EVENT)\n`,
      );
    }
  },
);

it("names the last event about anybody in a list of which the dynamic provider shows only that it was changed", async () => {
  const setup = await setUpStack({
    provider: "dynamic",
    sandbox: { bypassInvitations: true, seed: { ...seed, projects: [{ name: "payments", ...having() }] } },
    program: (sandbox) => ({
      resources: {
        people: list(
          { projectId: projectNamed(sandbox, "payments").id },
          { [owner]: owners, [bob]: readers, [cleo]: readers },
        ),
        ops: team("ops", [ada, bob]),
      },
    }),
  });
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  sandbox.actAs({ username: mallory, remoteAddress: "192.0.2.7" });
  sandbox.removeMember(projectNamed(sandbox, "payments").id, { username: cleo });
  const { id = "" } = sandbox.state.teams[0] ?? {};
  sandbox.changeTeam(id, { userIds: [accountOf(sandbox, ada)] });
  const { plan } = await summarize(setup, "preview");
  for (const changed of ["ProjectMembers people", "Team ops"])
    expect(plan).toContain(`    ${changed}: changed; Pulumi does not report which property (EVENT)\n`);
});

it("blames nobody for an invitation that has expired", async () => {
  keepDefault("refreshBeforeUpdate", "only a refresh shows that an invitation has expired");
  const setup = await setUpAccessFolder({
    provider: "plugin",
    sandbox: { seed: { ...seed, projects: [] } },
    config: { "opsmanager:orgId": orgId },
    files: () => ({ "payments.yaml": file("payments", { ...owned, "guest@example.com": "GROUP_OWNER" }) }),
  });
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  sandbox.advanceClock(31 * 86_400);
  const { plan } = await summarize(setup, "preview");
  expect(plan).toMatch(
    /^Preview of test: 1 new owner; nothing by the program; 1 outside change to reverse, 1 gets access back$/m,
  );
  expect(plan).toMatch(
    /^ {4}ProjectMembers payments: members\["guest@example.com"\]: the invitation expired on \S+ \S+ UTC$/m,
  );
});
