/** `opsmanager summarize`: what a preview and an update change, read from the engine's own events. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import { type Program, succeeded } from "../../support";
import { readPage } from "../../support/documents";
import { ada, bob, owner } from "../../support/people";
import { opsmanager } from "../support/opsmanager";
import { membersOf, paymentsId } from "../support/people-program";
import { projectNamed } from "../support/project-program";
import { type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const eve = "eve@example.com";
const mallory = "mallory@example.com";
const secretName = "carol@example.com";

const seed = {
  users: [{ username: eve }, { username: secretName }],
  projects: [
    {
      name: "payments",
      members: {
        [owner]: ["GROUP_OWNER"],
        [ada]: ["GROUP_READ_ONLY"],
        [bob]: ["GROUP_READ_ONLY"],
        [mallory]: ["GROUP_OWNER"],
      },
    },
    { name: "ledger" },
  ],
} as const;

function programOf(sandbox: Sandbox, isChanged: boolean): Program {
  const { orgId } = sandbox;
  const members = isChanged
    ? { [owner]: ["GROUP_OWNER"], [ada]: ["GROUP_OWNER"], [eve]: ["GROUP_READ_ONLY"] }
    : { [owner]: ["GROUP_OWNER"], [ada]: ["GROUP_READ_ONLY"], [bob]: ["GROUP_READ_ONLY"] };
  const projectId = paymentsId(sandbox);
  const ledgerId = projectNamed(sandbox, "ledger").id;
  const properties = { projectId, members };
  return {
    resources: {
      payments: {
        type: "Project",
        properties: { projectId, orgId, name: "payments", tags: isChanged ? ["EU"] : ["PROD"] },
      },
      people: { type: "ProjectMembers", properties },
      ...(isChanged
        ? {
            billing: { type: "Project", properties: { orgId, name: "Billing EU" } },
            "billing/eve": {
              type: "ProjectMember",
              properties: { projectId: "${billing.projectId}", username: eve, roles: ["GROUP_OWNER"] },
            },
            "billing/carol": {
              type: "ProjectMember",
              properties: {
                projectId: "${billing.projectId}",
                username: { "fn::secret": secretName },
                roles: ["GROUP_READ_ONLY"],
              },
            },
          }
        : { ledger: { type: "Project", properties: { projectId: ledgerId, orgId, name: "ledger" } } }),
    },
  };
}

async function summarize({ stack }: StackSetup, ...args: string[]) {
  const formats = ["--format", "markdown=summary.md", "--format", "text=plan.txt"];
  const result = await opsmanager(stack, ["summarize", ...formats, ...args]);
  const read = (name: string) => readFile(join(stack.paths.program, name), "utf8");
  return { ...result, markdown: await read("summary.md"), plan: await read("plan.txt") };
}

const setUp = () => setUpStack({ sandbox: { seed }, program: (sandbox) => programOf(sandbox, false) });

it("shows what an update changed, and the cause of one that failed before its first change", async () => {
  const setup = await setUp();
  const first = await summarize(setup, "up", "--yes");
  expect(first).toMatchObject({ exitCode: 0, stderr: "" });
  expect(first.markdown).toMatch(/^<!-- opsmanager summary -->\n## Update of `test`: 3 created\n/);
  expect(membersOf(setup.sandbox)).toHaveProperty([bob]);

  await setup.stack.setProgram({ resources: { payments: { type: "Project", properties: { name: "" } } } });
  const failed = await summarize(setup, "up", "--yes");
  expect(failed.exitCode).toBe(1);
  expect(failed.markdown).toMatch(/^## Update of `test` failed before its first change/m);
  expect(failed.markdown).toMatch(/^\| `payments` \| `opsmanager:index:Project resource 'payments'.*orgId/m);
});

it("shows what a pull request would change, project by project, without what the refresh reads and without secrets", async () => {
  const setup = await setUp();
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  await stack.setProgram(programOf(sandbox, true));
  const preview = await summarize(setup, "preview");
  expect(preview).toMatchObject({ exitCode: 0, stderr: "" });
  expect(preview.stdout).toMatch(/Previewing update.*Resources:\n.*\n\nPreview of test: /s);
  // The settings of the tests decide whether there is a refresh.
  const shown = preview.markdown.replace(/^\d resources were not read before .*\n\n/m, "");
  expect(shown.split("\n").slice(1, 30)).toEqual([
    "## Preview of `test`: 2 new owners; 3 to create, 2 to change, 1 to release, 3 get access, 1 loses access",
    "",
    "Released: the resource leaves the stack, and the object stays unchanged in Ops Manager.",
    "",
    "| new owner | roles | in | made by |",
    "| --- | --- | --- | --- |",
    "| `ada@example.com` | GROUP_OWNER | `payments` | the program |",
    "| `eve@example.com` | GROUP_OWNER | `Billing EU` | the program |",
    "",
    "### What the program changes",
    "",
    "| project | create | change | release | get access | lose access |",
    "| --- | --- | --- | --- | --- | --- |",
    "| `Billing EU` | 3 |  |  | `[secret]`, `eve@example.com` |  |",
    "| `ledger` |  |  | 1 |  |  |",
    "| `payments` |  | 2 |  | `eve@example.com` | `bob@example.com` |",
    "",
    "### Declared by nobody, and left as they are",
    "",
    "| project | who | since the last update |",
    "| --- | --- | --- |",
    "| `payments` | `mallory@example.com` (GROUP_OWNER) | not new |",
    "",
    "- Each new project also gets owners that no program names: the key that creates it, and one whom the service chooses unless projectOwnerId is set.",
    "",
    "<details><summary>6 resources</summary>",
    "",
    "~~~~diff",
    "+ create Project billing",
  ]);
  expect(preview.plan).toContain(
    [
      "! change Project payments",
      '-     tags: ["PROD"]',
      '+     tags: ["EU"]',
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
  const [sample] = readPage("docs/summarize.md").blocks.filter(({ language }) => language === "text");
  const printed = preview.plan.replace("of test", "of prod").split("\n");
  expect(printed).toEqual(expect.arrayContaining(sample?.text.trimEnd().split("\n") ?? [""]));
  expect(JSON.stringify(preview)).not.toContain(secretName);
  expect(JSON.stringify(preview)).not.toContain(sandbox.privateKey);
});

it("gives a cause that all resources share once and counts the others, and the message of pulumi if no event was written", async () => {
  const setup = await setUpStack({
    sandbox: { seed: { projects: ["one", "two", "three", "four", "five", "six"].map((name) => ({ name })) } },
    program: ({ state }) => ({
      resources: Object.fromEntries(
        state.projects.map(({ id, name }) => [
          name,
          { type: "Project", properties: { projectId: id, tags: ["EU"] } },
        ]),
      ),
    }),
    config: { "opsmanager:privateKey": "00000000-0000-0000-0000-000000000000" },
  });
  const { plan, markdown } = await summarize(setup, "preview");
  const errors = plan.split("\n").filter((line) => line.startsWith("error: "));
  // The engine ends the preview after the first errors.
  expect(errors).toEqual([
    expect.stringMatching(
      /^error: \w+: Preview failed: .* 401 .*refused API key.* \d more resources? failed for the same reason: \w+/,
    ),
  ]);
  expect(markdown).toMatch(
    /^\| `\w+` \| `Preview failed: .* \d more resources? failed for the same reason: /m,
  );

  const failed = await summarize(setup, "--stack", "nowhere", "preview");
  expect(failed.exitCode).toBe(1);
  expect(failed.markdown).toMatch(
    /^## Preview of `nowhere` failed\n\n.*\n.*\n\| {2}\| `no stack named 'nowhere' found/m,
  );
});
