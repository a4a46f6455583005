/**
 * A folder of everything that gives access, through each way to declare it: from a folder of project files, through
 * changes, people and keys that leave, and a deleted file, back to project files.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { driftOf } from "../drift/support";
import { summarize } from "../support/access-words";
import { opsmanager } from "../support/opsmanager";
import { attachPlugin, doings, recorded, useYaml, writeFiles } from "../support/project-folder";
import { projectNamed, writes } from "../support/project-program";
import { attachment, type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";
import { ada, grace, linus, orgId, owner, projectTeamsOf, seed, teamsOf } from "../teams/support";

afterEach(tearDownStacks);

type Way = "plugin" | "dynamic" | "yaml";
type Component = "ProjectFolder" | "AccessFolder";

const folders: Readonly<Record<Component, string>> = { ProjectFolder: "projects", AccessFolder: "." };

/** Of a YAML program, it is the plugin of this Jest worker that reads the folder, and it runs in another one. */
function folderOf({ stack }: StackSetup, way: Way, component: Component): string {
  return way === "yaml" ? join(stack.paths.program, folders[component]) : folders[component];
}

/** One component with one name, of either type. */
async function use(setup: StackSetup, way: Way, component: Component): Promise<void> {
  const outputs = component === "AccessFolder" ? ["projects", "teams", "apiKeys"] : ["projects"];
  const folder = folderOf(setup, way, component);
  if (way === "yaml") {
    const access = { type: `opsmanager:${component}`, properties: { folder } };
    await useYaml(setup, { access }, Object.fromEntries(outputs.map((name) => [name, `\${access.${name}}`])));
    setup.stack.setEnv(await attachment());
    return;
  }
  const program = [
    `const { ${component} } = require("pulumi-opsmanager/projects");`,
    `const access = new ${component}("access", { folder: "${folder}", provider: "${way}" });`,
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
  "a folder of everything that gives access comes from project files ($before to $way), follows its files, and goes back",
  async ({ before, way }) => {
    const setup = await setUp(before);
    const { sandbox, stack } = setup;
    const up = async (component: Component, files: Parameters<typeof writeFiles>[1] = {}, language = way) => {
      await use(setup, language, component);
      await writeFiles(setup, files);
      sandbox.clearRequests();
      return doings(await succeeded(stack.up()));
    };
    const rolesOf = (username: string) =>
      (sandbox.user({ username })?.roles ?? []).map(({ roleName }) => roleName).sort();
    const keys = () => sandbox.state.keys.map(({ desc }) => desc);

    // The files have no orgId: the setting decides.
    await up("ProjectFolder", { "projects/payments.yaml": payments(graceReads) }, before);
    const projects = await recorded(setup);
    expect(
      await up("AccessFolder", {
        "projects/payments.yaml": payments(graceReads, "teams: { operators: [GROUP_READ_ONLY] }"),
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
      "create ProjectTeam payments/operators",
      "create Team operators",
    ]);
    // The component has another type, and its projects are the same.
    expect(await recorded(setup)).toEqual(
      expect.arrayContaining([
        "AccessFolder access",
        ...projects.filter((name) => name !== "ProjectFolder access"),
      ]),
    );
    expect(writes(sandbox).filter(({ path }) => /^\/groups(?!.*\/teams)/.test(path))).toEqual([]);
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
        (person) => lines.filter((line) => line.startsWith(`person,${person},`)).length,
      );
    };
    expect(await review()).toEqual([3, 4]);
    // The files of a part say nothing of the rest.
    const part = await opsmanager(stack, ["offboard", grace, "--dry-run"]);
    expect(part.exitCode).toBe(2);
    expect(part.stdout).toContain(`Declared by acme/${grace} (OrganizationMember): change that.`);
    const argv = ["offboard", grace, folders.AccessFolder, "--layout", "access"];
    const offboard = await opsmanager(stack, argv);
    expect(offboard).toMatchObject({ exitCode: 0 });
    expect(offboard.stdout).toContain("3 files changed.");
    expect(offboard.stdout).toContain("The next up ends 4 ways of access.");
    expect(await up("AccessFolder")).toEqual([
      `delete OrganizationMember acme/${grace}`,
      "update ProjectMembers payments",
      "update Team operators",
    ]);
    expect([rolesOf(grace), teamsOf(sandbox)]).toEqual([[], { operators: [ada] }]);
    expect(await review()).toEqual([3, 0]);

    // A key leaves its list, and others change.
    expect(
      await up("AccessFolder", {
        "teams/operators.yaml": operators(ada, linus),
        "organizations/acme.yaml": organization("members:", `  ${ada}: [ORG_MEMBER]`, "apiKeys:", ci),
      }),
    ).toEqual(["delete ApiKey acme/bot", `update OrganizationMember acme/${ada}`, "update Team operators"]);
    expect([rolesOf(ada), teamsOf(sandbox)]).toEqual([["ORG_MEMBER"], { operators: [ada, linus] }]);
    expect(keys()).not.toContain("reports");

    // A deleted file releases everything that it declared, and so does the component that knows project files alone.
    expect(await up("ProjectFolder", { "organizations/acme.yaml": undefined })).toEqual([
      "delete ApiKey acme/ci",
      "delete OrganizationFile acme",
      `delete OrganizationMember acme/${ada}`,
      "delete Team operators",
    ]);
    expect(writes(sandbox)).toEqual([]);
    expect([keys().includes("pipeline"), rolesOf(ada)]).toEqual([true, ["ORG_MEMBER"]]);
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, linus] });
    expect(await recorded(setup)).toEqual([...projects, "ProjectTeam payments/operators"]);
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
    return { exitCode, found, unreadable, owners: unmanaged?.owners, ownerKeys: unmanaged?.ownerKeys };
  };
  await use(setup, "plugin", "AccessFolder");
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
    ownerKeys: [],
  });

  await writeFiles(setup, { "organizations/acme.yaml": undefined, "projects/payments.yaml": payments() });
  const { changes } = await summarize(stack, sandbox, "preview");
  expect(changes).toEqual([`+${owner} in project payments`]);
  sandbox.clearRequests();
  await succeeded(stack.destroy());
  expect(writes(sandbox)).toEqual([]);
});
