/**
 * A pull request changes files while a colleague changes Ops Manager: the summary tells apart what the program changes, what
 * the run changes back, and what nobody declares.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { keepDefault, type ProviderKind, succeeded } from "../../support";
import { ada, bob, cleo, eve, owner } from "../../support/people";
import { orgId, seed } from "../support/access-words";
import { opsmanager } from "../support/opsmanager";
import { setUpProjectFolder, writeProjectFiles } from "../support/project-folder";
import { projectNamed } from "../support/project-program";
import { type StackSetup, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

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
  const setup = await setUpProjectFolder({
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

/** The summary, with `EVENT` for what mallory did. */
async function summarize({ stack }: StackSetup, ...command: string[]) {
  const formats = ["--format", "markdown=summary.md", "--format", "text=plan.txt"];
  const { exitCode } = await opsmanager(stack, ["summarize", ...formats, ...command]);
  const read = async (name: string) =>
    (await readFile(join(stack.paths.program, name), "utf8")).replaceAll(
      /\d{4}-\d\d-\d\d \d\d:\d\d UTC by mallory@example.com from 192.0.2.7/g,
      "EVENT",
    );
  return { exitCode, markdown: await read("summary.md"), plan: await read("plan.txt") };
}

it("a comment tells apart what a pull request changes, what it changes back, and who came undeclared", async () => {
  keepDefault("refreshBeforeUpdate", "only a refresh shows what was changed outside Pulumi");
  const setup = await setUp("plugin");
  const preview = await summarize(setup, "preview");
  expect(preview.markdown.split("<details>")[0]?.trimEnd().split("\n").slice(1)).toEqual([
    "## Preview of `test`: 2 new owners, 1 new owner whom nobody declares; 1 to change, 2 to release, 1 gets access; 1 deleted project to create again, empty; 1 outside change to reverse",
    "",
    "Released: the resource leaves the stack, and the object stays unchanged in Ops Manager.",
    "",
    "| new owner | roles | in | made by |",
    "| --- | --- | --- | --- |",
    "| `eve@example.com` | GROUP_USER_ADMIN | `payments` | the program |",
    "| `cleo@example.com` | GROUP_OWNER | `payments` | somebody outside Pulumi; undeclared |",
    "| `owner@example.com` | GROUP_OWNER | `ledger` | a correction: had it before |",
    "",
    "### What the program changes",
    "",
    "| project | change | release | get access |",
    "| --- | --- | --- | --- |",
    "| `old` |  | 2 |  |",
    "| `payments` | 1 |  | `eve@example.com` |",
    "",
    "### Changed outside Pulumi, and to be changed back",
    "",
    "| project | resource | changed outside Pulumi | last event |",
    "| --- | --- | --- | --- |",
    "| `ledger` | Project `ledger` | deleted, with 1 other resource; created again empty, with another ID | `EVENT` |",
    '| `payments` | Project `payments` | `tags`: `["PROD"]` removed | no event; this kind is not documented |',
    "",
    "| project | get access back |",
    "| --- | --- |",
    "| `ledger` | `bob@example.com`, `owner@example.com` |",
    "",
    "### Declared by nobody, and left as they are",
    "",
    "| project | who | since the last update | last event |",
    "| --- | --- | --- | --- |",
    "| `payments` | `cleo@example.com` (GROUP_OWNER) | new | `EVENT` |",
    "",
    "- Each new project also gets owners that no program names: the key that creates it, and one whom the service chooses unless projectOwnerId is set.",
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
    /^Update of test: 2 new owners, 1 new owner whom nobody declares; 1 changed, 2 released, 1 gets access; 1 deleted project created again, empty; 1 outside change reversed$/m,
  );
  expect(up.plan).toMatch(/^Who made a change is missing where events could not be read: .*403/m);
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
    /^8 resources were not read before this run, so what somebody changed there .* is missing here\.$/m,
  );
});

it("blames nobody for an invitation that has expired", async () => {
  keepDefault("refreshBeforeUpdate", "only a refresh shows that an invitation has expired");
  const setup = await setUpProjectFolder({
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
    /^Preview of test: 1 new owner; nothing by the program; 1 outside change to reverse$/m,
  );
  expect(plan).toMatch(
    /^ {4}ProjectMembers payments: members\["guest@example.com"\]: the invitation expired on \S+ \S+ UTC$/m,
  );
});
