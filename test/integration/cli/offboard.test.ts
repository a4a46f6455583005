/** `opsmanager offboard` against the sandbox; a script that prints a state is in for `pulumi`. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pluginType } from "../../../cli/lib/own-resources";
import { withoutPerson } from "../../../cli/offboard/edit";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { runCommand } from "../../support/command";

const ada = "ada@example.com";
const owner = ["GROUP_OWNER"];

let folder: string;
let sandbox: Sandbox;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "opsmanager-offboard-"));
  mkdirSync(join(folder, "projects"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: platform\nruntime: nodejs\n");
  const script = '#!/bin/sh\ncase "$1" in\n  config) echo "{}" ;;\n  stack) cat state.json ;;\nesac\n';
  writeFileSync(join(folder, "pulumi"), script);
  chmodSync(join(folder, "pulumi"), 0o755);
  sandbox = await startSandbox({
    seed: {
      orgs: [{ name: "Example" }],
      projects: [
        { name: "payments", members: { "olga@example.com": owner, [ada]: owner } },
        { name: "billing", members: { [ada]: owner } },
      ],
    },
  });
});

afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const idOf = (name: string) => sandbox.state.projects.find((project) => project.name === name)?.id ?? "";
const read = (name: string) => readFileSync(join(folder, "projects", name), "utf8");

function write(name: string, text: string): void {
  writeFileSync(join(folder, "projects", name), text);
}

/** @param declared the kind, the key and the project of each resource of the ProjectFolder */
function stateOf(
  ...declared: readonly (readonly [kind: "ProjectMembers", key: string, project: string])[]
): void {
  const resources = declared.map(([kind, key, project]) => ({
    urn: `urn:pulumi:prod::platform::opsmanager:index:ProjectFolder$${pluginType(kind)}::${key}`,
    type: pluginType(kind),
    custom: true,
    id: idOf(project),
    inputs: { projectId: idOf(project), members: { [ada]: owner } },
    outputs: { memberDetails: [{ username: ada, status: "active", declared: true, roles: owner }] },
  }));
  writeFileSync(join(folder, "state.json"), JSON.stringify({ deployment: { resources } }));
}

function offboard(...argv: string[]) {
  const env = {
    PATH: [folder, process.env.PATH].join(delimiter),
    OPSMANAGER_BASE_URL: sandbox.baseUrl,
    OPSMANAGER_PUBLIC_KEY: sandbox.publicKey,
    OPSMANAGER_PRIVATE_KEY: sandbox.privateKey,
    OPSMANAGER_MAX_RETRIES: "0",
  };
  return runCommand(["offboard", ada, "-s", "prod", ...argv], { cwd: folder, env });
}

const orgId = '"5e0000000000000000000001"';
const payments = `# The payments team.
orgId: ${orgId}
name: payments
members:
  # On call.
  olga@example.com: [GROUP_OWNER]
  Ada@example.com: # leaves in May
    - GROUP_OWNER
    - GROUP_READ_ONLY
tags: [PROD]
`;

it("takes the person out of each file, with comments and order, and prints what no file declares", async () => {
  write("payments.yaml", payments);
  write(
    "search.json",
    `{ "orgId": ${orgId}, "name": "search", "members": { "${ada}": ["GROUP_OWNER"], "x@example.com": ["GROUP_OWNER"] } }\n`,
  );
  stateOf(["ProjectMembers", "payments", "payments"]);
  sandbox.actAs({ username: ada });
  sandbox.addKey({ desc: "deploy", publicKey: "abcdefgh", orgId: sandbox.orgId });
  const { exitCode, stdout } = await offboard();
  expect(read("payments.yaml")).toBe(
    payments.replace("  Ada@example.com: # leaves in May\n    - GROUP_OWNER\n    - GROUP_READ_ONLY\n", ""),
  );
  expect(read("search.json")).toBe(
    `{ "orgId": ${orgId}, "name": "search", "members": { "x@example.com": ["GROUP_OWNER"] } }\n`,
  );
  expect(stdout).toContain(
    "2 files changed. Run pulumi up to end what they declared.\n  projects/payments.yaml:7 (members)\n",
  );
  expect(stdout).toContain("The next up ends 1 way of access.\n");
  expect(stdout).toMatch(/ {2}project billing \(\w+\): GROUP_OWNER\. Nothing declares it\. /);
  expect(stdout).toMatch(/ {2}organization Example \(\w+\): ORG_MEMBER\. Nothing declares it\. /);
  expect(stdout).toMatch(/ {2}API key abcdefgh \\?"deploy\\?" of organization Example/);
  expect(exitCode).toBe(2);
});

it("takes the person out of the files of teams and organizations, and of no other file", async () => {
  const team = `orgId: ${orgId}\nname: ops\nusernames: [olga@example.com, ${ada}]\n`;
  const organization = `orgId: ${orgId}\nmembers:\n  ${ada}: [ORG_OWNER]\n  olga@example.com: [ORG_OWNER]\n`;
  for (const [name, text] of [
    ["teams/ops.yaml", team],
    ["organizations/example.yaml", organization],
    ["other/x.yaml", `members:\n  ${ada}: 1\n`],
  ] as const) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  stateOf();
  const { stdout } = await offboard("--layout", "access");
  expect(stdout).toContain("2 files changed.");
  const now = (name: string) => readFileSync(join(folder, name), "utf8");
  expect(now("teams/ops.yaml")).toBe(team.replace(`, ${ada}`, ""));
  expect(now("organizations/example.yaml")).toBe(organization.replace(`  ${ada}: [ORG_OWNER]\n`, ""));
  expect(now("other/x.yaml")).toContain(ada);
});

it("takes the person out of a file that another one extends, wherever it is, and leaves a file alone that declares nothing", async () => {
  const shared = `members:\n  ${ada}: [GROUP_OWNER]\n  olga@example.com: [GROUP_OWNER]\n`;
  writeFileSync(join(folder, "shared.yaml"), shared);
  write("payments.yaml", `orgId: ${orgId}\nname: payments\nextends: ../shared.yaml\n`);
  write("_unused.yaml", shared);
  stateOf();
  const { stdout } = await offboard();
  expect(stdout).toContain(
    "1 file changed. Run pulumi up to end what it declared.\n  shared.yaml:2 (members)\n",
  );
  expect(readFileSync(join(folder, "shared.yaml"), "utf8")).not.toContain(ada);
  expect(read("_unused.yaml")).toBe(shared);
});

it("leaves a file as it is in which nobody else would be left, and never says that its access ends", async () => {
  const billing = `orgId: ${orgId}\nname: billing\nmembers:\n  ${ada}: [GROUP_OWNER]\n`;
  write("billing.yaml", billing);
  write("payments.yaml", payments);
  stateOf(["ProjectMembers", "payments", "payments"], ["ProjectMembers", "billing", "billing"]);
  const { exitCode, stdout } = await offboard();
  expect([exitCode, read("billing.yaml")]).toEqual([2, billing]);
  expect(stdout).toContain(
    "projects/billing.yaml:4 (members): left as it is, because nobody else is in members.",
  );
  expect(stdout).toMatch(/ {2}project billing .* Declared by billing \(ProjectMembers\): change that\./);
  expect(stdout).toContain("The next up ends 1 way of access.\n");
});

it("writes nothing with --dry-run, and nothing if a file has a fault", async () => {
  write("payments.yaml", payments);
  stateOf();
  expect((await offboard("--dry-run")).stdout).toContain("1 file would change. Nothing was written.");
  write("odd.yaml", "orgId: 1\n");
  const { exitCode, stderr } = await offboard();
  expect([exitCode, read("payments.yaml")]).toEqual([1, payments]);
  expect(stderr).toContain("projects/odd.yaml");
});

it("changes the files also if the service cannot be read, and says what is unknown", async () => {
  write("payments.yaml", payments);
  stateOf();
  sandbox.removeKey(sandbox.publicKey);
  const { exitCode, stdout } = await offboard();
  expect(exitCode).toBe(1);
  expect(read("payments.yaml")).not.toContain("Ada@");
  expect(stdout).toContain("Unknown:\n  ? what else the person can reach: ");
});

it.each([
  ["the first of a flow map", "members: { ada@example.com: [A], bob: [B] }\n", "members: { bob: [B] }\n"],
  ["the last of a flow map", "members: { bob: [B], ada@example.com: [A] }\n", "members: { bob: [B] }\n"],
  [
    "one of a list",
    "usernames:\n  - bob # b\n  - ada@example.com # a\n  - eve\n",
    "usernames:\n  - bob # b\n  - eve\n",
  ],
  ["one of a flow list", "usernames: [bob, ada@example.com, eve]\n", "usernames: [bob, eve]\n"],
  ["the last line without an end", "members:\n  bob: [B]\n  ada@example.com: [A]", "members:\n  bob: [B]\n"],
  [
    "a list below its name",
    "members:\n  ada@example.com:\n    - A\n\n  bob: [B]\n",
    "members:\n\n  bob: [B]\n",
  ],
  ["a quoted name", 'members:\n  "ADA@example.com": [A]\n  bob: [B]\n', "members:\n  bob: [B]\n"],
  [
    "lines that end like on Windows",
    "members:\r\n  bob: [B]\r\n  ada@example.com: [A]\r\n",
    "members:\r\n  bob: [B]\r\n",
  ],
])("%s", (_, text, expected) => {
  expect(withoutPerson(text, ada)?.text).toBe(expected);
});
