/**
 * An organization that an outsider made, with names that nobody would choose, is adopted whole: one folder, declared in
 * YAML, TypeScript and Python. Then a colleague changes something of each kind, and the next `up` corrects it.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadFiles } from "../../../projects/load";
import { succeeded } from "../../support";
import { driftOf } from "../drift/support";
import { hasLanguageHost } from "../sdks/support/language-hosts";
import { installSdk, pythonBase, useSdk } from "../sdks/support/python";
import { attachPlugin, doings, recorded, useYaml, writeFiles } from "../support/access-folder";
import { opsmanager } from "../support/opsmanager";
import { projectNamed, writes } from "../support/project-program";
import { attachment, type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";
import { ada, grace, linus, orgId, owner, teamNamed } from "../teams/support";

jest.setTimeout(300_000);

afterAll(tearDownStacks);

const oneil = `"o'neil"@example.com`;
const carol = "carol@example.com";
const hidden = "mallory@example.com\u200b";
const roles = {
  [owner]: "ORG_OWNER",
  [ada]: "ORG_OWNER",
  [grace]: "ORG_READ_ONLY",
  [linus]: "ORG_MEMBER",
  [oneil]: "ORG_GROUP_CREATOR",
};
const [owners, readers] = [["GROUP_OWNER"], ["GROUP_READ_ONLY"]];
const teams = { operators: [oneil, ada], Operators: [linus], "../a/b: #c": [grace] };
const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=ops,dc=example,dc=com"] }];

const admins = { roleName: "ORG_OWNER", ldapGroups: ["cn=admins,dc=example,dc=com"] };

async function setUp(): Promise<StackSetup> {
  const users = Object.entries(roles).map(([username, roleName]) => {
    return { username, roles: [{ orgId, roleName }] };
  });
  const setup = await setUpStack({
    provider: "dynamic",
    sandbox: {
      ldap: true,
      orgUserChanges: "offered",
      seed: {
        orgs: [{ id: orgId, name: 'Acme: "Holding" / EU', ldapGroupMappings: [admins] }],
        users,
        teams: Object.entries(teams).map(([name, usernames]) => ({ name, usernames })),
        projects: [
          {
            name: "payments",
            tags: ["PROD"],
            members: { [owner]: owners, [oneil]: readers },
            invitations: [{ username: carol, roles: readers }],
          },
          { name: "Payments" },
          { name: "null", members: { [owner]: owners, [ada]: readers }, ldapGroupMappings },
          { name: "- deleted: soon", members: { [ada]: owners } },
        ],
      },
    },
    config: { "opsmanager:orgId": orgId },
    program: () => ({}),
  });
  await attachPlugin(setup);
  // Someone has declared one project already, with what no read shows, and left its organization to the setting.
  await writeFiles(setup, {
    "access/projects/mine.yaml": "name: Payments\nonDestroy: delete\nignoreTags: [URGENT]\n",
  });
  const { sandbox } = setup;
  const { id: groupId } = projectNamed(sandbox, "payments");
  const { id: teamId } = teamNamed(sandbox, "operators");
  sandbox.setProjectTeam(groupId, { teamId, roleNames: readers });
  for (const publicKey of ["pipeline1", "pipeline2"]) {
    sandbox.addKey({
      publicKey,
      desc: "deploy: 'prod' / EU",
      roles: [
        { orgId, roleName: "ORG_READ_ONLY" },
        { groupId, roleName: "GROUP_READ_ONLY" },
      ],
      accessList: [{ cidrBlock: "192.0.2.0/24", created: "2026-01-01T00:00:00Z" }],
    });
  }
  sandbox.addOrgInvitation(orgId, { username: carol, roles: ["ORG_GROUP_CREATOR"] });
  sandbox.addOrgInvitation(orgId, { username: hidden, roles: ["ORG_OWNER"] });
  return setup;
}

const base = pythonBase();
const withoutPython =
  "reason" in base ? `: ${base.reason}` : hasLanguageHost("python") ? undefined : ": no language host";

/** The same folder, declared by a program in each language. */
const programs = {
  /** With the plugin of this Jest worker, which runs in another folder. */
  YAML: async (setup: StackSetup) => {
    const folder = join(setup.stack.paths.program, "access");
    await useYaml(setup, { access: { type: "opsmanager:AccessFolder", properties: { folder } } }, {});
    setup.stack.setEnv(await attachment());
  },
  Python: async (setup: StackSetup) => {
    if ("reason" in base || withoutPython !== undefined) return;
    const env = await useSdk(setup.stack.paths.program, await installSdk(base));
    await writeFiles(setup, {
      "__main__.py":
        'import pulumi_opsmanager as opsmanager\nopsmanager.AccessFolder("access", folder="access")\n',
    });
    await useRuntime(setup, { name: "python", options: { virtualenv: "venv" } });
    setup.stack.setEnv({ ...env, PULUMI_DEBUG_PROVIDERS: "" });
  },
  TypeScript: async (setup: StackSetup) => {
    const program = 'new AccessFolder("access", { folder: "access" });';
    await writeFiles(setup, {
      "index.ts": `import { AccessFolder } from "pulumi-opsmanager";\n${program}\n`,
      "package.json": { name: "platform", main: "index.ts" },
    });
    await useRuntime(setup, "nodejs");
    setup.stack.setEnv({ PULUMI_NODEJS_TRANSPILE_ONLY: "true", PULUMI_DEBUG_PROVIDERS: "" });
  },
};

async function useRuntime({ stack }: StackSetup, runtime: unknown): Promise<void> {
  const path = join(stack.paths.program, "Pulumi.yaml");
  const { name, plugins } = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ name, plugins, runtime }, null, 2));
}

async function namesIn(list: string): Promise<string[]> {
  const { resources } = JSON.parse(await readFile(list, "utf8"));
  return resources
    .map(({ type, logicalName }: Record<string, string>) => `${type?.split(":").at(-1)} ${logicalName}`)
    .sort();
}

/**
 * What the first `up` could change in the state, and then writes the state for each resource (`backend/snapshot.go`,
 * `mustWrite`): without times, places in the program, and secrets, which are encrypted again.
 */
async function stateOf({ stack }: StackSetup) {
  const { resources } = await stack.state();
  const own = resources.filter(({ type, custom }) => custom && !type.startsWith("pulumi:"));
  const facts = own.map((resource) => ({
    ...resource,
    ...{ modified: undefined, sourcePosition: undefined, stackTrace: undefined },
    dependencies: resource.dependencies?.toSorted(),
  }));
  return facts.sort((one, other) => (one.urn < other.urn ? -1 : 1));
}

const adopt = ["adopt", "--out", "access"];
const deleted = ["Project deleted-soon", "ProjectMembers deleted-soon"];

const languages =
  withoutPython === undefined
    ? "YAML, Python and TypeScript"
    : `YAML and TypeScript, without Python${withoutPython},`;

it(`is taken over by two commands, in ${languages} without a difference, and every change of a colleague is drift`, async () => {
  const setup = await setUp();
  const { sandbox, stack } = setup;
  await programs.YAML(setup);

  // One name cannot be declared: it alone is left out, and named.
  const first = await opsmanager(stack, adopt);
  expect(first).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      /^opsmanager: The file of organization "Acme: \\"Holding\\" \/ EU" \(\w+\) omits members\["mallory@example\.com\\u200b"\]: .*\n$/,
    ),
    stdout: expect.stringMatching(
      /^3 project files, 3 team files, and 1 organization file written to access, with 6 people \(1 invited\), 3 teams, and 2 API keys\.\n/,
    ),
  });

  // A project that is deleted meanwhile stops nothing.
  const listed = await namesIn(join(stack.paths.program, "import.json"));
  sandbox.removeProject(projectNamed(sandbox, "- deleted: soon").id);
  const imported = await opsmanager(stack, ["import"]);
  expect(imported).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(deleted.join(" and ")) });
  expect(await recorded(setup)).toEqual(listed.filter((name) => !deleted.includes(name)));
  const gone = await opsmanager(stack, [...adopt, "--dry-run"]);
  expect(gone.stdout + gone.stderr).toContain(
    "access/projects/deleted-soon.yaml declares a project that the organization does not show, so pulumi up would create it. If it was deleted, delete the file.",
  );
  await writeFiles(setup, { "access/projects/deleted-soon.yaml": undefined });
  expect((await opsmanager(stack, adopt)).stdout).toContain(
    `import.json lists nothing: the stack has what the files declare. Left out, because no file declares it or it no longer exists: ${deleted.join(" and ")}.`,
  );

  const state = await stateOf(setup);
  await programs.Python(setup);
  if (withoutPython === undefined) await succeeded(stack.preview({ expectNoChanges: true }));
  await programs.TypeScript(setup);
  await succeeded(stack.up({ expectNoChanges: true }));
  expect(await stateOf(setup)).toEqual(state);
  await programs.YAML(setup); // `drift` compares it.
  expect(writes(sandbox)).toEqual([]);

  // A colleague changes something of each kind.
  sandbox.actAs({ username: linus, remoteAddress: "192.0.2.7" });
  const { id: projectId } = projectNamed(sandbox, "payments");
  sandbox.changeProject(projectId, { tags: ["PROD", "URGENT"] });
  sandbox.setMember(projectId, { username: oneil }, owners);
  sandbox.setMember(projectNamed(sandbox, "null").id, { username: ada }, owners);
  sandbox.setProjectTeam(projectId, { teamId: teamNamed(sandbox, "operators").id, roleNames: owners });
  sandbox.changeKey("pipeline1", {
    roles: [
      { orgId, roleName: "ORG_READ_ONLY" },
      { groupId: projectId, roleName: "GROUP_OWNER" },
    ],
  });
  sandbox.changeKey("pipeline2", {
    roles: [
      { orgId, roleName: "ORG_OWNER" },
      { groupId: projectId, roleName: "GROUP_READ_ONLY" },
    ],
  });
  const linusId = sandbox.user({ username: linus })?.id ?? "";
  sandbox.changeTeam(teamNamed(sandbox, "../a/b: #c").id, { userIds: [linusId] });
  sandbox.setOrgMember(orgId, { username: grace }, ["ORG_OWNER"]);
  const intruders = "cn=intruders,dc=example,dc=com";
  sandbox.changeOrg(orgId, {
    ldapGroupMappings: [{ ...admins, ldapGroups: [...admins.ldapGroups, intruders] }],
  });
  const drift = await driftOf(stack);
  expect(drift.exitCode).toBe(2);
  const { findings } = drift.report;
  const who = (event: (typeof findings)[number]["lastEvent"]) =>
    event?.outcome === "found"
      ? `${event.username} from ${event.address} at ${event.time?.slice(0, 4)}`
      : event?.outcome;
  const found = findings.map(({ type, property, lastEvent, location }) => {
    const line = location?.line === undefined ? "without a line" : "with a line";
    return `${type.split(":").at(-1)} ${property}: ${who(lastEvent)}, ${line}`;
  });
  const colleague = `${linus} from 192.0.2.7 at ${new Date().getUTCFullYear()}, with a line`;
  const undocumented = "undocumented, with a line";
  expect(found.sort()).toEqual(
    [
      `ApiKey roles: ${undocumented}`,
      `Organization ldapGroupMappings.ORG_OWNER.ldapGroups: ${undocumented}`,
      `OrganizationMember roles: ${colleague}`,
      `Project tags: ${undocumented}`,
      `ProjectApiKey roles: ${undocumented}`,
      `ProjectMember roles: ${colleague}`,
      `ProjectMembers members["\\"o'neil\\"@example.com"]: ${colleague}`,
      `ProjectTeam roles: ${colleague}`,
      `Team usernames: ${colleague}`,
      `Team usernames["${linus}"]: ${colleague}`,
    ].sort(),
  );

  // A pull request edits a file. The next run brings about both.
  const { projects } = loadFiles("access", stack.paths.program);
  const file = projects.find(({ name }) => name === "null")?.file ?? "";
  const text = await readFile(join(stack.paths.program, file), "utf8");
  await writeFiles(setup, { [file]: `${text}tags: [AUDITED]\n` });
  const corrected = ["ApiKey", "Organization", "OrganizationMember", "Project", "Project", "ProjectApiKey"];
  corrected.push("ProjectMember", "ProjectMembers", "ProjectTeam", "Team");
  const done = doings(await succeeded(stack.up()));
  expect(done.map((step) => step.split(" ").slice(0, 2).join(" "))).toEqual(
    corrected.map((kind) => `update ${kind}`),
  );
  expect(projectNamed(sandbox, "null").tags).toEqual(["AUDITED"]);
  expect(sandbox.state.orgs[0]?.ldapGroupMappings).toEqual([admins]);
  // Nobody asked for the removal of people whom the file of a team does not list.
  const left = (await driftOf(stack)).report;
  expect(left.findings.map(({ property }) => property)).toEqual([`usernames["${linus}"]`]);
});
