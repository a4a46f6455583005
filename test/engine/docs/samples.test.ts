/**
 * The outputs in the documents are what the commands print. `...` stands for omitted text. Ids, versions, durations
 * and the names of the run may differ.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { runCommand } from "../../support/command";
import { type CodeBlock, userPages } from "../../support/documents";
import { importing, setUpAccessFolder } from "../support/access-folder";
import { opsmanager } from "../support/opsmanager";
import { projectNamed } from "../support/project-program";
import { connectionInEnvironment, noConnection, setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];

/** The first block of the page with this text. */
function block(page: string, start: string): CodeBlock {
  const found = userPages()
    .flatMap(({ blocks }) => blocks)
    .find(({ page: path, text }) => path === page && text.startsWith(start));
  if (found === undefined) throw new Error(`${page} has no block that starts with ${start}`);
  return found;
}

/** @param names of the run, and the names that the documents have instead */
function normalized(text: string, names: Readonly<Record<string, string>> = {}): string {
  return Object.entries(names)
    .reduce((result, [name, documented]) => result.replaceAll(name, documented), text)
    .replace(/(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/g, "<id>")
    .replace(/verify-([a-z-]*)[0-9a-f]{12}/g, "verify-$1<run>")
    .replace(/\d+\.\d+\.\d+/g, "<version>")
    .replace(/in \d+ ms/g, "in <time>")
    .replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, "<time>")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "<time>")
    .replace(/± [\d.]+ s/g, "± <time>")
    .replace(/\s+/g, " ")
    .trim();
}

/** The sample as a pattern: each text literally, and any text for `...`. A page wraps lines that a terminal does not wrap. */
function patternOf(sample: string): RegExp {
  const texts = sample.split(/(?<= )\.\.\.(?= |$)/);
  return new RegExp(`^${texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*?")}`);
}

function expectSample(output: string, { text }: CodeBlock, names?: Readonly<Record<string, string>>): void {
  expect(normalized(output, names)).toMatch(patternOf(normalized(text)));
}

it("docs/adopt.md and docs/drift.md show what the commands print", async () => {
  const seed = {
    projects: [
      {
        name: "payments",
        tags: ["PROD", "TEAM_PAYMENTS"],
        members: { "ada@example.com": reader, "bob@example.com": reader, "olga@example.com": owner },
      },
      { name: "billing", members: { "olga@example.com": owner } },
      { name: "orders", invitations: [{ username: "eve@example.com", roles: reader }] },
    ],
  };
  const setup = await setUpAccessFolder({ provider: "plugin", sandbox: { seed }, files: () => ({}) });
  const { stack, sandbox } = setup;
  const file = join(stack.paths.program, "projects", "payments.yaml");

  const adopted = await opsmanager(stack, ["adopt"]);
  expectSample(`$ opsmanager adopt\n${adopted.stdout}`, block("docs/adopt.md", "$ opsmanager"));
  expectSample(await readFile(file, "utf8"), block("docs/adopt.md", "# yaml-language-server"));
  // The report is one of projects alone.
  await rm(join(stack.paths.program, "organizations"), { recursive: true });
  await opsmanager(stack, ["adopt", "--name", "*"]);
  await succeeded(stack.run(...importing));
  await succeeded(stack.up());

  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(", TEAM_PAYMENTS", ""));
  await succeeded(stack.up());
  await writeFile(file, text);
  sandbox.actAs({ username: "mallory@example.com", remoteAddress: "192.0.2.7" });
  sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["PROD", "URGENT"] });
  sandbox.removeMember(projectNamed(sandbox, "payments").id, { username: "ada@example.com" });
  const { id: unmanaged } = sandbox.addProject({ name: "legacy-tools" });
  sandbox.setMember(unmanaged, { username: "owner@example.com" }, owner);
  const drift = await opsmanager(stack, ["drift", "--unmanaged"]);
  expectSample(`$ opsmanager drift --unmanaged\n${drift.stdout}`, block("docs/drift.md", "$ opsmanager"), {
    [`${stack.name} (${stack.project},`]: "prod (gitops,",
  });
});

it("docs/access.md shows what the command prints", async () => {
  const ada = "ada@example.com";
  const { stack, sandbox } = await setUpStack({
    sandbox: {
      seed: {
        users: [{ username: ada }],
        teams: [{ name: "platform", usernames: [ada] }],
        projects: [
          { name: "payments", members: { "olga@example.com": owner, [ada]: owner } },
          { name: "billing", members: { "olga@example.com": owner } },
          { name: "orders", invitations: [{ username: ada, roles: reader }] },
        ],
      },
    },
    program: (service) => {
      const { orgId } = service;
      const idOf = (name: string) => projectNamed(service, name).id;
      const teamId = service.state.teams[0]?.id ?? "";
      const people = { projectId: idOf("payments"), members: { "olga@example.com": owner, [ada]: owner } };
      return {
        resources: {
          ada: { type: "OrganizationMember", properties: { orgId, username: ada, roles: ["ORG_MEMBER"] } },
          payments: { type: "ProjectMembers", properties: people },
          platform: { type: "Team", properties: { orgId, teamId, name: "platform", usernames: [ada] } },
          "billing/platform": {
            type: "ProjectTeam",
            properties: { projectId: idOf("billing"), teamId, roles: reader },
          },
        },
      };
    },
  });
  sandbox.setOrgMember(sandbox.orgId, { username: ada }, ["ORG_MEMBER"]);
  await succeeded(stack.up());
  const { exitCode, stdout } = await opsmanager(stack, ["access", ada]);
  expect(exitCode).toBe(0);
  expectSample(`$ opsmanager access ${ada}\n${stdout}`, block("docs/access.md", "$ opsmanager"), {
    [`stack ${stack.name}.`]: "stack prod.",
  });
});

it("docs/doctor.md shows what the command prints", async () => {
  const seed = {
    projects: [{ name: "payments" }, { name: "billing" }, { name: "orders" }],
  };
  const { stack, sandbox } = await setUpAccessFolder({
    provider: "plugin",
    sandbox: { seed, tagsWithoutGlobalRole: "hide" },
    files: () => ({}),
  });
  const { orgId, publicKey, baseUrl } = sandbox;
  sandbox.changeKey(publicKey, { roles: [{ orgId, roleName: "ORG_READ_ONLY" }] });
  await stack.setConfig(noConnection);
  const doctor = await opsmanager(stack, ["doctor"], { env: connectionInEnvironment(sandbox) });
  expectSample(`$ opsmanager doctor\n${doctor.stdout}`, block("docs/doctor.md", "$ opsmanager"), {
    [baseUrl]: "https://ops-manager.example.com:8443",
    [publicKey]: "xzrhhsol",
    [`stack ${stack.name},`]: "stack prod,",
    "project: node_modules": "project: ./node_modules",
  });
});

it("docs/verify.md shows what the command prints", async () => {
  const orgId = "5f00000000000000000000b1";
  const user = "dev@example.com";
  const keys = [
    { publicKey: "verifier", privateKey: "not-to-be-shown", roles: [{ orgId, roleName: "ORG_OWNER" }] },
  ];
  const { stack, sandbox } = await setUpStack({
    sandbox: {
      seed: {
        orgs: [{ id: orgId, name: "Example Org" }],
        keys,
        users: [{ username: user, roles: [{ orgId, roleName: "ORG_MEMBER" }] }],
      },
    },
    program: () => ({}),
  });
  let question = "";
  const argv = ["verify", "--org", orgId, "--user", user, "--out", "ours.json"];
  const result = await runCommand([...argv, "--wait", "0"], {
    cwd: stack.paths.temporary, // no program, so that the environment alone has the settings
    env: connectionInEnvironment(sandbox),
    confirm: async (text) => {
      question = text;
      return true;
    },
  });
  expectSample(
    `$ opsmanager ${argv.join(" ")}\n${question} [y/N] y\n${result.stdout}`,
    block("docs/verify.md", "$ opsmanager"),
    { [sandbox.baseUrl]: "https://ops-manager.example.com:8443" },
  );
});
