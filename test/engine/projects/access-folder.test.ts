/**
 * A folder of everything that gives access, through each way to declare it: from projects alone, through changes, people and
 * keys that leave, to a deleted file.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { driftOf } from "../drift/support";
import { attachPlugin, doings, recorded, useYaml, writeFiles } from "../support/access-folder";
import { summarize } from "../support/access-words";
import { opsmanager } from "../support/opsmanager";
import { projectNamed, writes } from "../support/project-program";
import { attachment, type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";
import { ada, grace, linus, orgId, owner, projectTeamsOf, seed, teamsOf } from "../teams/support";

afterEach(tearDownStacks);

type Way = "plugin" | "dynamic" | "yaml";

/** A program that declares its own folder. */
async function use(setup: StackSetup, way: Way): Promise<void> {
  const outputs = ["projects", "teams", "apiKeys"];
  if (way === "yaml") {
    // It is the plugin of this Jest worker that reads the folder, and it runs in another one.
    const access = { type: "opsmanager:AccessFolder", properties: { folder: setup.stack.paths.program } };
    await useYaml(setup, { access }, Object.fromEntries(outputs.map((name) => [name, `\${access.${name}}`])));
    setup.stack.setEnv(await attachment());
    return;
  }
  const program = [
    'const { AccessFolder } = require("pulumi-opsmanager/projects");',
    `const access = new AccessFolder("access", { folder: ".", provider: "${way}" });`,
    ...outputs.map((name) => `exports.${name} = access.${name};`),
  ];
  await writeFile(join(setup.stack.paths.program, "index.js"), program.join("\n"));
}

async function setUp(way: Way): Promise<StackSetup> {
  const setup = await setUpStack({
    provider: "dynamic",
    sandbox: { orgUserChanges: "offered", bypassInvitations: true, seed: { ...seed, projects: [] } },
    config: { "opsmanager:orgId": orgId },
    program: () => ({}),
  });
  if (way !== "dynamic") await attachPlugin(setup);
  return setup;
}

const payments = (...more: string[]) =>
  ["name: payments", "members:", `  ${owner}: [GROUP_OWNER]`, ...more].join("\n");
const graceReads = `  ${grace}: [GROUP_READ_ONLY]`;
const operators = (...people: string[]) => `name: operators\nusernames: [${people.join(", ")}]`;
const organization = (...lines: string[]) => ["key: acme", ...lines].join("\n");

const reader = "ORG_READ_ONLY";
const ci = "  ci: { description: pipeline, roles: [ORG_MEMBER], accessList: [192.0.2.0/24] }";
const bot = "  bot: { description: reports, roles: [ORG_READ_ONLY] }";

it.each<{ before: Way; way: Way }>([
  { before: "plugin", way: "yaml" },
  { before: "dynamic", way: "dynamic" },
])(
  "a folder of everything that gives access begins with projects ($before to $way), follows its files, and ends with projects",
  async ({ before, way }) => {
    const setup = await setUp(before);
    const { sandbox, stack } = setup;
    const up = async (files: Parameters<typeof writeFiles>[1] = {}, language = way) => {
      await use(setup, language);
      await writeFiles(setup, files);
      sandbox.clearRequests();
      return doings(await succeeded(stack.up()));
    };
    const rolesOf = (username: string) =>
      (sandbox.user({ username })?.roles ?? []).map(({ roleName }) => roleName).sort();
    const keys = () => sandbox.state.keys.map(({ desc }) => desc);

    // The files have no orgId: the setting decides.
    await up({ "projects/payments.yaml": payments(graceReads) }, before);
    const projects = await recorded(setup);
    expect(
      await up({
        "projects/payments.yaml": payments(
          graceReads,
          "teams: { operators: [GROUP_READ_ONLY] }",
          "apiKeys: { ci: [GROUP_READ_ONLY] }",
        ),
        "teams/operators.yaml": operators(ada, grace),
        "organizations/acme.yaml": organization(
          "members:",
          `  ${ada}: [${reader}]`,
          `  ${grace}: [${reader}]`,
          "apiKeys:",
          ci,
          bot,
        ),
      }),
    ).toEqual([
      "create ApiKey acme/bot",
      "create ApiKey acme/ci",
      "create OrganizationFile acme",
      `create OrganizationMember acme/${ada}`,
      `create OrganizationMember acme/${grace}`,
      "create ProjectApiKey payments/ci",
      "create ProjectTeam payments/operators",
      "create Team operators",
    ]);
    expect(await recorded(setup)).toEqual(expect.arrayContaining(projects));
    expect(writes(sandbox).filter(({ path }) => /^\/groups(?!.*\/(teams|apiKeys))/.test(path))).toEqual([]);
    const { id: projectId } = projectNamed(sandbox, "payments");
    expect([rolesOf(ada), teamsOf(sandbox), projectTeamsOf(sandbox, projectId)]).toEqual([
      expect.arrayContaining([reader]),
      { operators: [ada, grace] },
      { operators: ["GROUP_READ_ONLY"] },
    ]);
    const { resources } = await stack.state();
    const dependenciesOf = (name: string) =>
      resources
        .find(({ urn }) => urn.endsWith(`::${name}`))
        ?.dependencies?.map((urn) => urn.split("::").at(-1))
        .sort();
    expect(dependenciesOf("operators")).toEqual([`acme/${ada}`, `acme/${grace}`]);
    expect(dependenciesOf("payments/operators")).toEqual(expect.arrayContaining(["operators"]));
    expect(dependenciesOf("payments/ci")).toEqual(expect.arrayContaining(["acme/ci"]));
    const shown = await succeeded(stack.run("stack", "output", "--json", "--show-secrets"));
    const [key] = sandbox.state.keys.filter(({ desc }) => desc === "pipeline");
    expect(JSON.parse(shown.stdout)).toMatchObject({
      projects: { payments: { projectId, name: "payments" } },
      teams: { operators: { teamId: sandbox.state.teams[0]?.id, name: "operators" } },
      apiKeys: { "acme/ci": { publicKey: key?.publicKey, privateKey: key?.privateKey } },
    });
    expect(JSON.stringify(await stack.state())).not.toContain(key?.privateKey);

    // A person leaves every file by one command and the service by the next `up`, and the review no longer names them.
    const review = async () => {
      const { stdout } = await opsmanager(stack, ["access", "--format", "csv"]);
      const lines = stdout.split("\r\n");
      return [ada, grace].map(
        (person) =>
          lines.filter((line) => line.startsWith(`person,${person},`) && !line.includes(",removed,")).length,
      );
    };
    expect(await review()).toEqual([4, 5]);
    const offboard = await opsmanager(stack, ["offboard", grace]);
    // Nobody knows yet that this service removes people from an organization.
    expect(offboard).toMatchObject({ exitCode: 1 });
    expect(offboard.stdout).toContain("3 files changed.");
    expect(offboard.stdout).toContain("The next up ends 4 ways of access.");
    expect(await up()).toEqual([
      `delete OrganizationMember acme/${grace}`,
      "update ProjectMembers payments",
      "update Team operators",
    ]);
    expect([rolesOf(grace), teamsOf(sandbox)]).toEqual([[], { operators: [ada] }]);
    expect(await review()).toEqual([4, 0]);

    // A key leaves its list, and others change.
    expect(
      await up({
        "teams/operators.yaml": operators(ada, linus),
        "organizations/acme.yaml": organization("members:", `  ${ada}: [ORG_MEMBER]`, "apiKeys:", ci),
      }),
    ).toEqual(["delete ApiKey acme/bot", `update OrganizationMember acme/${ada}`, "update Team operators"]);
    expect([rolesOf(ada), teamsOf(sandbox)]).toEqual([["ORG_MEMBER"], { operators: [ada, linus] }]);
    expect(keys()).not.toContain("reports");

    // A deleted file releases everything that it declared, and others name that as the service does.
    expect(
      await up({
        "projects/payments.yaml": payments(
          "externalTeams: { operators: [GROUP_READ_ONLY] }",
          `externalApiKeys: { ${key?.publicKey}: [GROUP_READ_ONLY] }`,
        ),
        "teams/operators.yaml": undefined,
        "organizations/acme.yaml": undefined,
      }),
    ).toEqual([
      `create ProjectApiKey payments/${key?.publicKey}`,
      "delete ApiKey acme/ci",
      "delete OrganizationFile acme",
      `delete OrganizationMember acme/${ada}`,
      "delete ProjectApiKey payments/ci",
      "delete Team operators",
    ]);
    expect(writes(sandbox)).toEqual([]);
    expect([keys().includes("pipeline"), rolesOf(ada)]).toEqual([true, ["ORG_MEMBER"]]);
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, linus] });
    const external = [`ProjectApiKey payments/${key?.publicKey}`, "ProjectTeam payments/operators"];
    expect(await recorded(setup)).toEqual([...projects, ...external].sort());
  },
);

it("of an organization whose owners are complete, every other owner is drift, and a deleted file ends no access", async () => {
  const setup = await setUp("plugin");
  const { sandbox, stack } = setup;
  const drift = async (...argv: string[]) => {
    const { exitCode, report } = await driftOf(stack, ...argv);
    const { findings, unreadable, unmanaged } = report;
    const found = findings.map(({ property, live, object, location }) => {
      return { property, live, status: object?.status, in: object?.in, line: location?.line };
    });
    return {
      exitCode,
      found,
      unreadable,
      owners: unmanaged?.rows.filter(({ kind }) => kind.startsWith("owner")),
    };
  };
  await use(setup, "plugin");
  await writeFiles(setup, {
    "organizations/acme.yaml": organization(
      "complete: owners",
      "members:",
      `  ${ada}: [${reader}]`,
      `  ${owner}: [ORG_OWNER]`,
      "apiKeys:",
      ci,
    ),
  });
  await succeeded(stack.up());
  expect(await drift()).toMatchObject({ exitCode: 0, found: [] });

  sandbox.addKey({ publicKey: "intruder", orgId, roles: [{ orgId, roleName: "ORG_OWNER" }] });
  sandbox.addOrgInvitation(orgId, { username: "mallory@example.com", roles: ["ORG_OWNER"] });
  sandbox.addOrgInvitation(orgId, { username: "carol@example.com", roles: ["ORG_MEMBER"] });
  const facts = { live: ["ORG_OWNER"], in: "organization" };
  const expected = [
    { property: 'members["mallory@example.com"]', status: "pending", line: 3, ...facts },
    { property: "apiKeys.intruder", line: 6, ...facts },
  ];
  expect(await drift()).toMatchObject({ exitCode: 2, found: expected, unreadable: [] });
  expect(await drift("--unmanaged")).toMatchObject({
    exitCode: 2,
    found: expected,
    owners: [],
  });

  await writeFiles(setup, { "organizations/acme.yaml": undefined, "projects/payments.yaml": payments() });
  const { changes } = await summarize(stack, sandbox, "preview");
  expect(changes).toEqual([`+${owner} in project payments`]);
  sandbox.clearRequests();
  await succeeded(stack.destroy());
  expect(writes(sandbox)).toEqual([]);
});
