/** `opsmanager adopt` outside of any Pulumi project: settings come from the environment, and no stack is read. */
import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadProjectFiles } from "../../../projects/load";
import { shardOf } from "../../../projects/select";
import type { Sandbox, Seed } from "../../../sandbox";
import { runCommand } from "../../support/command";
import { sandboxes } from "../sandbox/with-sandbox";

const start = sandboxes();
const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "opsmanager-adopt-"));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const seed: Seed = {
  projects: [
    {
      name: "payments",
      tags: ["PROD", "EU"],
      members: { "olga@example.com": owner, "ada@example.com": reader },
      invitations: [{ username: "bob@example.com", roles: reader }],
    },
    { name: "billing", tags: ["TEST"], members: { "olga@example.com": owner } },
    { name: "empty" },
  ],
};

function adopt(sandbox: Sandbox, argv: readonly string[] = [], stop = new AbortController().signal) {
  const env = {
    OPSMANAGER_BASE_URL: sandbox.baseUrl,
    OPSMANAGER_PUBLIC_KEY: sandbox.publicKey,
    OPSMANAGER_PRIVATE_KEY: sandbox.privateKey,
  };
  return runCommand(["adopt", ...argv], { cwd, env, stop });
}

async function written(): Promise<Record<string, string>> {
  const names = (await readdir(cwd, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const texts = names.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(cwd.length + 1), await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

async function listed(): Promise<string[]> {
  const { resources } = JSON.parse(await readFile(join(cwd, "import.json"), "utf8"));
  return resources.map(
    ({ type, logicalName }: Record<string, string>) => `${type?.split(":").at(-1)} ${logicalName}`,
  );
}

function reordered(list: string): string {
  const [folder, ...entries] = JSON.parse(list).resources;
  return `${JSON.stringify({ resources: [folder, ...entries.reverse()] }, null, 2)}\n`;
}

/** What each project file declares of people, by key. */
function peopleInFiles() {
  return Object.fromEntries(loadProjectFiles("projects", cwd).map(({ key, members }) => [key, members]));
}

describe("what it writes", () => {
  it("names the JSON Schema of the installed package, if the program has npm packages", async () => {
    await writeFile(join(cwd, "package.json"), "{}");
    await adopt(await start({ seed }));
    expect((await written())["projects/payments.yaml"]).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/node_modules\/pulumi-opsmanager\/schemas\/project-file\.schema\.json\n/,
    );
  });

  it("is a file for each project with its people, and the list; it asks and changes nothing", async () => {
    const sandbox = await start({ seed });
    const { exitCode, stdout, stderr } = await adopt(sandbox, ["--members"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toBe(`3 project files written to projects, with 4 memberships (1 invited).
import.json lists 5 resources to import.
projects/_defaults.yaml has the organization of the new files.

The program must declare the folder:
  "projects": { type: opsmanager:ProjectFolder, properties: { folder: "projects" } }

Review the files, then:
  opsmanager import       # records what exists in the stack; sends no request that writes
  pulumi preview --diff   # shows no change of a resource, unless a person was added since then
                          # if it shows a deletion, do not run up: see --shard in the documentation of adopt
  pulumi up               # sends no request that writes
`);
    expect(peopleInFiles()).toEqual({
      billing: { "olga@example.com": owner },
      empty: undefined,
      payments: { "ada@example.com": reader, "bob@example.com": reader, "olga@example.com": owner },
    });
    expect(await listed()).toEqual([
      "ProjectFolder projects",
      "Project billing",
      "ProjectMembers billing",
      "Project empty",
      "Project payments",
      "ProjectMembers payments",
    ]);
    expect(new Set(sandbox.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(JSON.stringify([stdout, await written()])).not.toContain(sandbox.privateKey);
  });

  it("leaves people alone unless they are requested, and takes the names that are given", async () => {
    const sandbox = await start({ seed });
    const flags = [
      "--out",
      "infra/files",
      "--import-file",
      "todo.json",
      "--component",
      "all of it",
      "--cwd",
      "sub",
    ];
    await mkdir(join(cwd, "sub"));
    const { exitCode, stdout } = await adopt(sandbox, flags);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("3 project files written to infra/files.\ntodo.json lists 3 resources");
    expect(stdout).toContain("  opsmanager import --file todo.json --cwd sub ");
    const texts = await written();
    expect(Object.keys(texts).sort()).toEqual([
      "sub/infra/files/_defaults.yaml",
      "sub/infra/files/billing.yaml",
      "sub/infra/files/empty.yaml",
      "sub/infra/files/payments.yaml",
      "sub/todo.json",
    ]);
    expect(JSON.parse(texts["sub/todo.json"] ?? "").resources[0]).toMatchObject({ logicalName: "all of it" });
    expect(sandbox.requests.some(({ path }) => path.includes("users"))).toBe(false);
  });

  it("is only counted with --dry-run, and its names are shortened", async () => {
    const projects = Array.from({ length: 12 }, (_, index) => ({ name: `p${index + 10}` }));
    const sandbox = await start({ seed: { projects } });
    const { exitCode, stdout } = await adopt(sandbox, ["--dry-run", "--members"]);
    expect(exitCode).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "12 project files would be written to projects, with 0 memberships.",
      ...projects.slice(0, 10).map(({ name }) => `  projects/${name}.yaml`),
      "  and 2 more",
      "import.json would list 12 resources to import.",
      "projects/_defaults.yaml would have the organization of the new files.",
      "",
      "Nothing was written. To print the content of each file, add --print.",
      "",
    ]);
    expect(await written()).toEqual({});
    expect(await adopt(sandbox, ["--print"])).toMatchObject({ exitCode: 64, stdout: "" });
  });

  it("is printed as a whole with --dry-run --print", async () => {
    const sandbox = await start({ seed });
    const { exitCode, stdout } = await adopt(sandbox, ["--dry-run", "--print", "--members"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("# projects/payments.yaml\n# Written by");
    expect(stdout).toContain('# import.json\n{\n  "resources"');
    expect(await written()).toEqual({});
  });

  it("holds neither expired invitations nor people who are in only through a team", async () => {
    const sandbox = await start({
      seed: {
        teams: [{ name: "platform", usernames: ["eve@example.com"] }],
        projects: [{ name: "payments", invitations: [{ username: "bob@example.com", roles: reader }] }],
      },
    });
    const [project] = sandbox.state.projects;
    const [team] = sandbox.state.teams;
    sandbox.setProjectTeam(project?.id ?? "", { teamId: team?.id ?? "", roleNames: owner });
    sandbox.expireInvitation(sandbox.state.invitations[0]?.id ?? "");
    expect(await adopt(sandbox, ["--members"])).toMatchObject({ exitCode: 0 });
    expect(peopleInFiles()).toEqual({ payments: undefined });
    expect(await listed()).toEqual(["ProjectFolder projects", "Project payments"]);
  });
});

it("with --keys holds the API keys of each project by public key, except its own, and lists them for the import", async () => {
  const sandbox = await start({ seed: { projects: [{ name: "payments" }] } });
  const groupId = sandbox.state.projects[0]?.id ?? "";
  const roles = [{ groupId, roleName: "GROUP_READ_ONLY" }];
  const key = sandbox.addKey({ publicKey: "abcdwxyz", desc: "monitoring", orgId: sandbox.orgId, roles });
  sandbox.changeKey(sandbox.publicKey, {
    orgId: sandbox.orgId,
    roles: [
      { orgId: sandbox.orgId, roleName: "ORG_OWNER" },
      { groupId, roleName: "GROUP_OWNER" },
    ],
  });
  const { exitCode, stdout } = await adopt(sandbox, ["--keys"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining("with 1 API key.") });
  const text = await readFile(join(cwd, "projects", "payments.yaml"), "utf8");
  expect(text).toContain("apiKeys:\n  abcdwxyz: [GROUP_READ_ONLY] # monitoring\n");
  expect(loadProjectFiles("projects", cwd)[0]?.apiKeys).toEqual({ abcdwxyz: reader });
  const { resources } = JSON.parse(await readFile(join(cwd, "import.json"), "utf8"));
  expect(resources.at(-1)).toMatchObject({
    type: "opsmanager:index:ProjectApiKey",
    logicalName: "payments/abcdwxyz",
    id: `${groupId}/${key.id}`,
  });
});

describe("with --teams", () => {
  const eve = "eve@example.com";
  /** The first team of the project has a name, the name of the second is the id of the first. */
  async function withTeams() {
    const sandbox = await start({
      seed: { teams: [{ name: "platform", usernames: [eve] }], projects: [{ name: "payments" }] },
    });
    const projectId = sandbox.state.projects[0]?.id ?? "";
    const teamId = sandbox.state.teams[0]?.id ?? "";
    const { id: namedAsId } = sandbox.addTeam({ name: teamId });
    sandbox.setProjectTeam(projectId, { teamId, roleNames: [...reader, ...owner] });
    sandbox.setProjectTeam(projectId, { teamId: namedAsId, roleNames: reader });
    return { sandbox, projectId, teamId, namedAsId };
  }
  const teamsInFiles = () => loadProjectFiles("projects", cwd).map(({ teams }) => teams);

  it("holds the teams of each project by name, or by id if the name could be an id, and lists them for the import", async () => {
    const { sandbox, projectId, teamId, namedAsId } = await withTeams();
    const { exitCode, stdout } = await adopt(sandbox, ["--teams"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining("2 teams") });
    expect(teamsInFiles()).toEqual([{ platform: [...owner, ...reader], [namedAsId]: reader }]);
    const { resources } = JSON.parse(await readFile(join(cwd, "import.json"), "utf8"));
    const imports = resources.map(({ type, logicalName, id }: Record<string, string>) => [
      type?.split(":").at(-1),
      logicalName,
      id,
    ]);
    expect(imports.slice(2).sort()).toEqual(
      [
        ["ProjectTeam", "payments/platform", `${projectId}/${teamId}`],
        ["ProjectTeam", `payments/${namedAsId}`, `${projectId}/${namedAsId}`],
      ].sort(),
    );
  });

  it("holds ids where the key cannot see the names, and no teams without the option", async () => {
    const { sandbox, teamId, namedAsId } = await withTeams();
    expect(await adopt(sandbox, [])).toMatchObject({ exitCode: 0 });
    expect(teamsInFiles()).toEqual([undefined]);
    await rm(join(cwd, "projects"), { recursive: true });
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/[^/]+/teams", times: 0, fault: { status: 403 } });
    expect(await adopt(sandbox, ["--teams"])).toMatchObject({ exitCode: 0 });
    expect(teamsInFiles()).toEqual([{ [teamId]: [...owner, ...reader], [namedAsId]: reader }]);
  });

  it("names a project whose teams cannot be read, and writes its file without teams", async () => {
    const { sandbox, projectId, teamId } = await withTeams();
    const { id: billing } = sandbox.addProject({ name: "billing" });
    sandbox.setProjectTeam(billing, { teamId, roleNames: reader });
    sandbox.addFault({ method: "GET", pathPattern: `${projectId}/teams`, times: 0, fault: { status: 403 } });
    const { exitCode, stderr, stdout } = await adopt(sandbox, ["--teams"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining(
        'The teams of project "payments" could not be read, so its file has no teams: ',
      ),
    });
    expect(stdout).toContain("2 project files written to projects, with 1 team.\n");
    expect(teamsInFiles()).toEqual([{ platform: reader }, undefined]);
    expect(await listed()).toEqual([
      "ProjectFolder projects",
      "Project billing",
      "ProjectTeam billing/platform",
      "Project payments",
    ]);
  });

  it("names a project whose teams may be hidden by a gateway", async () => {
    const { sandbox, projectId } = await withTeams();
    sandbox.addFault({ method: "GET", pathPattern: `${projectId}/teams`, times: 0, fault: { status: 404 } });
    expect(await adopt(sandbox, ["--teams"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('The teams of project "payments" could not be read'),
    });
    expect(teamsInFiles()).toEqual([undefined]);
  });

  it("leaves out a team without roles, and counts the others beside the people", async () => {
    const idle = "5f0000000000000000000be1";
    const [platform, operators] = ["5f0000000000000000000be2", "5f0000000000000000000be3"];
    const sandbox = await start({
      seed: {
        teams: [
          { id: idle, name: "idle" },
          { id: platform, name: "platform" },
          { id: operators, name: "operators" },
        ],
        projects: [
          {
            name: "payments",
            members: { [eve]: owner },
            teams: [
              { teamId: platform, roleNames: reader },
              { teamId: idle, roleNames: [] },
              { teamId: operators, roleNames: reader },
            ],
          },
        ],
      },
    });
    const { exitCode, stdout } = await adopt(sandbox, ["--members", "--teams"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      "1 project file written to projects, with 1 membership and 2 teams.\nimport.json lists 4 resources to import.\n",
    );
    expect((await written())["projects/payments.yaml"]).toMatch(
      /teams:\n {2}operators: \[GROUP_READ_ONLY\]\n {2}platform: \[GROUP_READ_ONLY\]\n$/,
    );
    expect(await listed()).toEqual([
      "ProjectFolder projects",
      "Project payments",
      "ProjectMembers payments",
      "ProjectTeam payments/operators",
      "ProjectTeam payments/platform",
    ]);
  });

  it("keeps the teams of an earlier run on the list, because they may still have to be imported", async () => {
    const { sandbox, namedAsId } = await withTeams();
    await adopt(sandbox, ["--teams"]);
    sandbox.addProject({ name: "stock" });
    expect(await adopt(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await listed()).sort()).toEqual([
      "Project payments",
      "Project stock",
      "ProjectFolder projects",
      `ProjectTeam payments/${namedAsId}`,
      "ProjectTeam payments/platform",
    ]);
  });

  it("writes files without teams if the service offers no teams", async () => {
    const { sandbox } = await withTeams();
    const fault = { status: 404, body: { error: 404, errorCode: "RESOURCE_NOT_FOUND" } };
    sandbox.addFault({ method: "GET", pathPattern: "/teams", times: 0, fault });
    expect(await adopt(sandbox, ["--teams"])).toMatchObject({
      exitCode: 0,
      stderr: "",
      stdout: expect.stringContaining("1 project file written to projects, with 0 teams.\n"),
    });
    expect(teamsInFiles()).toEqual([undefined]);
  });
});

describe("which projects it takes", () => {
  it.each([
    [["--name", "pay*"], ["payments"]],
    [
      ["--name", "pay*", "--name", "bil?ing"],
      ["billing", "payments"],
    ],
    [["--tag", "E?"], ["payments"]],
    [
      ["--tag", "TEST", "--tag", "PROD"],
      ["billing", "payments"],
    ],
    [["--tag", "PROD", "--name", "b*"], []],
  ])("%j chooses %j", async (flags, names) => {
    const { exitCode, stdout } = await adopt(await start({ seed }), flags);
    expect(exitCode).toBe(0);
    if (names.length > 0) expect(loadProjectFiles("projects", cwd).map(({ name }) => name)).toEqual(names);
    else expect(stdout).toBe("No project of the organization matches. Nothing was written.\n");
  });

  it("an organization has to be named where the key sees several", async () => {
    const sandbox = await start({ seed: { ...seed, orgs: [{ name: "one" }, { name: "two" }] } });
    const second = sandbox.state.orgs[1]?.id ?? "";
    sandbox.changeKey(sandbox.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
    sandbox.addProject({ name: "elsewhere", orgId: second });
    const refused = await adopt(sandbox);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(
      "These credentials can see projects of 2 organizations. Name one of them:\n",
    );
    expect(refused.stderr).toContain(`  --org ${second}   1 project: elsewhere\n`);
    expect(refused.stderr).toContain(`  --org ${sandbox.orgId}   3 projects: billing, empty, payments\n`);
    expect(await adopt(sandbox, ["--org", second.toUpperCase()])).toMatchObject({ exitCode: 0 });
    expect(loadProjectFiles("projects", cwd)).toMatchObject([{ name: "elsewhere", orgId: second }]);
  });

  it("tags that the key may not see choose nothing: the error names the role", async () => {
    const sandbox = await start({ seed, tagsWithoutGlobalRole: "hide" });
    const { orgId, publicKey } = sandbox;
    sandbox.changeKey(publicKey, { roles: [{ orgId, roleName: "ORG_OWNER" }] });
    const { exitCode, stderr } = await adopt(sandbox, ["--tag", "PROD"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr:
        "opsmanager: Projects cannot be selected by --tag: these credentials cannot see the tags of 3 of 3 projects. Use credentials with the role Project Read Only, in older versions Global Owner or Global Read Only, or select by --name.\n",
    });
    expect(await adopt(sandbox, ["--name", "payments"])).toMatchObject({ exitCode: 0 });
    expect((await written())["projects/payments.yaml"]).not.toContain("tags");
  });

  it("an organization's list without tags and mappings is no reason to choose or to declare anything else", async () => {
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners,dc=example,dc=com"] }];
    const [payments, ...others] = seed.projects ?? [];
    const projects = [{ ...payments, name: "payments", ldapGroupMappings }, ...others];
    const sandbox = await start({
      ldap: true,
      orgProjectFields: "without-tags-and-mappings",
      seed: { projects },
    });
    const flags = ["--org", sandbox.orgId, "--members"];
    expect(await adopt(sandbox, [...flags, "--tag", "PROD"])).toMatchObject({ exitCode: 0, stderr: "" });
    expect(loadProjectFiles("projects", cwd)).toMatchObject([
      { name: "payments", tags: ["EU", "PROD"], ldapGroupMappings, membership: "additive" },
    ]);
    expect(await listed()).toContain("ProjectMember payments/ada@example.com");

    const before = sandbox.requests.length;
    expect(await adopt(sandbox, flags)).toMatchObject({ exitCode: 0 });
    expect(loadProjectFiles("projects", cwd)).toHaveLength(3);
    const single = sandbox.requests.slice(before).filter(({ path }) => /\/groups\/[0-9a-f]{24}$/.test(path));
    // Billing and empty; payments has its file.
    expect(single).toHaveLength(2);
  });

  it("projects of a deleted organization are left out", async () => {
    const sandbox = await start({ seed });
    sandbox.changeKey(sandbox.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
    const deleted = sandbox.addOrg({ name: "deleted" }).id;
    sandbox.addProject({ name: "old", orgId: deleted });
    sandbox.changeOrg(deleted, { isDeleted: true });
    expect(await adopt(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(loadProjectFiles("projects", cwd).map(({ name }) => name)).toEqual([
      "billing",
      "empty",
      "payments",
    ]);
  });

  it("of two projects with one name neither is taken, and the others are", async () => {
    const sandbox = await start({ seed });
    const twin = sandbox.addProject({ name: "payments" });
    const { exitCode, stderr } = await adopt(sandbox);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `Project "payments" (${twin.id}) is left out, because another project of its organization has the same name. A project file identifies a project by its name. Rename one of them and run the command again.`,
    );
    expect(loadProjectFiles("projects", cwd).map(({ name }) => name)).toEqual(["billing", "empty"]);
  });

  it.each([
    [["--org", "payments"], "--org payments: must be the id of an organization, 24 hexadecimal digits."],
    [
      ["--import-file", "projects/list.json"],
      "--import-file projects/list.json is in the folder of the project files, projects, where each file is a project. Name a file outside of it.",
    ],
  ])("%j is refused before anything is asked", async (flags, message) => {
    const sandbox = await start({ seed });
    expect(await adopt(sandbox, flags)).toEqual({
      exitCode: 64,
      stdout: "",
      stderr: `opsmanager: ${message}\n`,
    });
    expect(sandbox.requests).toEqual([]);
  });
});

describe("run again", () => {
  it("writes what is new and nothing else; edited, renamed and moved files stay as they are", async () => {
    const sandbox = await start({ seed });
    await adopt(sandbox, ["--members"]);
    const { orgId } = sandbox;
    await rm(join(cwd, "projects", "billing.yaml"));
    await writeFile(join(cwd, "projects", "money.yml"), `key: billing\norgId: ${orgId}\ntags: [EDITED]\n`);
    await rm(join(cwd, "projects", "empty.yaml"));
    await mkdir(join(cwd, "projects", "team"));
    await writeFile(join(cwd, "projects", "team", "void.json"), JSON.stringify({ orgId, name: "empty" }));
    const before = await written();

    const again = await adopt(sandbox, ["--members"]);
    expect(again).toMatchObject({ exitCode: 0, stderr: "" });
    expect(again.stdout).toMatch(
      /^Nothing new: 3 projects of 3 have files in projects\.\nimport\.json lists 4 resources to import\. Left out, because no file declares it or it no longer exists: ProjectMembers billing\.\n\n/,
    );
    const { "import.json": _, ...files } = before;
    expect(await written()).toEqual({ ...files, "import.json": expect.any(String) });
    expect(await adopt(sandbox, ["--members"])).toEqual({
      exitCode: 0,
      stderr: "",
      stdout:
        "Nothing new: 3 projects of 3 have files in projects. Nothing was written.\nimport.json lists 4 resources to import.\n",
    });

    sandbox.addProject({ name: "Payments" });
    expect(await adopt(sandbox, ["--members"])).toMatchObject({ exitCode: 0 });
    const after = await written();
    const created = Object.keys(after).filter((path) => !(path in before));
    expect(created).toEqual([expect.stringMatching(/^projects\/payments-[0-9a-f]{6}\.yaml$/)]);
    expect(after).toMatchObject({ ...before, "import.json": expect.any(String) });
    // The stack is not asked here, so what may still have to be imported stays on the list.
    expect(await listed()).toEqual([
      "ProjectFolder projects",
      "Project billing",
      "Project payments",
      "ProjectMembers payments",
      "Project void",
      expect.stringMatching(/^Project payments-/),
    ]);
  });

  it("makes a lost list again, without the objects that no longer exist", async () => {
    const sandbox = await start({
      seed: { ...seed, teams: [{ name: "platform" }, { name: "operators" }] },
    });
    const idOf = (name: string) => sandbox.state.projects.find((project) => project.name === name)?.id ?? "";
    const [platform, operators] = sandbox.state.teams.map(({ id }) => id);
    for (const teamId of [platform ?? "", operators ?? ""])
      sandbox.setProjectTeam(idOf("payments"), { teamId, roleNames: reader });
    await adopt(sandbox, ["--members", "--teams"]);
    const before = await written();
    await rm(join(cwd, "import.json"));
    expect(await adopt(sandbox)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("\nimport.json lists 7 resources to import.\n"),
    });
    expect(await written()).toEqual(before);

    sandbox.removeProject(idOf("billing"));
    sandbox.removeTeam(platform ?? "");
    expect(await adopt(sandbox)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(
        "import.json lists 4 resources to import. Left out, because no file declares it or it no longer exists: Project billing, ProjectMembers billing, and ProjectTeam payments/platform.\n",
      ),
    });
    expect(await listed()).toEqual([
      "ProjectFolder projects",
      "Project empty",
      "Project payments",
      "ProjectMembers payments",
      "ProjectTeam payments/operators",
    ]);
  });

  it.each<[string, Record<string, string>, { own: boolean; defaults: string | undefined }]>([
    ["new defaults", {}, { own: false, defaults: "orgId: ORG" }],
    [
      "new defaults beside files of this organization",
      { "old.yaml": "orgId: ORG\nname: old\n" },
      { own: false, defaults: "orgId: ORG" },
    ],
    ["the defaults that are there", { "_defaults.yml": "orgId: ORG\n" }, { own: false, defaults: undefined }],
    [
      "each file, beside defaults without it",
      { "_defaults.yaml": "onDestroy: release\n" },
      { own: true, defaults: "onDestroy: release" },
    ],
    [
      "each file, beside a file of another organization",
      { "old.yaml": `orgId: ${"a".repeat(24)}\nname: old\n` },
      { own: true, defaults: undefined },
    ],
  ])("has the organization in %s", async (_, files, { own, defaults }) => {
    const sandbox = await start({ seed });
    const { orgId } = sandbox;
    await mkdir(join(cwd, "projects"));
    for (const [name, text] of Object.entries(files))
      await writeFile(join(cwd, "projects", name), text.replace("ORG", orgId));
    expect(await adopt(sandbox)).toMatchObject({ exitCode: 0 });
    const texts = await written();
    expect(texts["projects/payments.yaml"]?.includes(`\norgId: ${orgId}\n`)).toBe(own);
    const line = defaults?.replace("ORG", orgId);
    expect(texts["projects/_defaults.yaml"]?.split("\n").find((each) => /^[^#]/.test(each))).toBe(line);
    expect(loadProjectFiles("projects", cwd).filter((project) => project.orgId === orgId)).toHaveLength(
      files["old.yaml"]?.includes("ORG") ? 4 : 3,
    );
  });

  it("writes over no file that appears while it runs, and completes the rest when it runs again", async () => {
    const appear = (line: string) => {
      if (line.includes("/invites")) writeFileSync(join(cwd, "projects", "empty.yaml"), "tags: [EDITED]\n");
    };
    const sandbox = await start({ seed, log: appear });
    await mkdir(join(cwd, "projects"));
    const { exitCode, stderr } = await adopt(sandbox, ["--members"]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^opsmanager: projects\/empty\.yaml cannot be written: another process created a file with this name\. No existing file is replaced/,
    );
    const files = await written();
    expect(files["projects/empty.yaml"]).toBe("tags: [EDITED]\n");
    expect(Object.keys(files).sort()).toEqual([
      "projects/_defaults.yaml",
      "projects/billing.yaml",
      "projects/empty.yaml",
    ]);
  });

  it.each([
    ["in its form", (text: string) => text.replaceAll("  ", "\t"), []],
    ["in the name of the folder", (text: string) => text.replace('"projects"', '"prod"'), []],
    ["in the order of its entries", (text: string) => reordered(text), []],
    ["not at all, and is for another component", (text: string) => text, ["--component", "other"]],
  ])("leaves a list alone that was edited %s", async (_, edit, flags) => {
    const sandbox = await start({ seed });
    await adopt(sandbox);
    const list = join(cwd, "import.json");
    const edited = edit(await readFile(list, "utf8"));
    await writeFile(list, edited);
    sandbox.addProject({ name: "ledger" });
    const before = await written();
    const { exitCode, stderr } = await adopt(sandbox, flags);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^opsmanager: import\.json was edited, or written for another --component than /);
    expect(await written()).toEqual(before);
  });

  it("keeps what was edited within the entries of a list, and leaves alone a list that is edited while it runs", async () => {
    let whileRunning = () => {};
    const sandbox = await start({ seed, log: () => whileRunning() });
    await adopt(sandbox);
    const list = join(cwd, "import.json");
    const edited = (await readFile(list, "utf8")).replace('"version": ', '"provider": "own", "version": ');
    await writeFile(list, `${JSON.stringify(JSON.parse(edited), null, 2)}\n`);
    sandbox.addProject({ name: "ledger" });
    await adopt(sandbox);
    expect(await listed()).toContain("Project ledger");
    expect(await readFile(list, "utf8")).toContain('"provider": "own"');

    sandbox.addProject({ name: "stock" });
    whileRunning = () => writeFileSync(list, "[]");
    const { exitCode, stderr } = await adopt(sandbox);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("import.json cannot be written: it was edited during the run. ");
    expect(await readFile(list, "utf8")).toBe("[]");
  });

  it("reports what is wrong with the files that are there, and writes nothing", async () => {
    const sandbox = await start({ seed });
    await mkdir(join(cwd, "projects"));
    await writeFile(join(cwd, "projects", "payments.yaml"), "orgid: 5f\n");
    const { exitCode, stderr } = await adopt(sandbox);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("projects/payments.yaml:1:1");
    expect(Object.keys(await written())).toEqual(["projects/payments.yaml"]);
  });

  it("takes a folder in which nothing is a project for an empty one", async () => {
    const sandbox = await start({ seed });
    await mkdir(join(cwd, "projects", "_defaults"), { recursive: true });
    await writeFile(join(cwd, "projects", "_defaults", "prod.yaml"), "tags: [PROD]\n");
    expect(await adopt(sandbox)).toMatchObject({ exitCode: 0 });
    expect(loadProjectFiles("projects", cwd)).toHaveLength(3);
  });

  it("completes a run that could not write everything: files and list are whole", async () => {
    const sandbox = await start({ seed });
    const inTheWay = join(cwd, "projects", ".empty.yaml.tmp");
    await mkdir(inTheWay, { recursive: true });
    const { exitCode, stderr, stdout } = await adopt(sandbox, ["--members"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(
      /^opsmanager: projects\/empty\.yaml cannot be written: .*EISDIR.* Run the same command again to write the rest\.\n$/,
    );
    expect(loadProjectFiles("projects", cwd).map(({ key }) => key)).toEqual(["billing"]);
    expect(await written()).not.toHaveProperty(["import.json"]);

    await rm(inTheWay, { recursive: true });
    expect(await adopt(sandbox, ["--members"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(
        "2 project files written to projects, with 3 memberships (1 invited).\nimport.json lists 5 resources to import, 2 of them of existing files.\n",
      ),
    });
    expect((await listed()).sort()).toEqual([
      "Project billing",
      "Project empty",
      "Project payments",
      "ProjectFolder projects",
      "ProjectMembers billing",
      "ProjectMembers payments",
    ]);
    expect(Object.keys(await written()).sort()).toEqual([
      "import.json",
      "projects/_defaults.yaml",
      "projects/billing.yaml",
      "projects/empty.yaml",
      "projects/payments.yaml",
    ]);
  });

  it("completes a run that ended before the list was moved to its path", async () => {
    const sandbox = await start({ seed });
    const list = join(cwd, "import.json");
    await adopt(sandbox, ["--members"]);
    const complete = await written();
    await writeFile(join(cwd, ".import.json.tmp"), complete["import.json"] ?? "");
    await rm(list);
    expect(await adopt(sandbox, ["--members"])).toMatchObject({ exitCode: 0 });
    expect(await written()).toEqual(complete);
  });

  it("does not write through a link at the path of an incomplete list", async () => {
    const sandbox = await start({ seed });
    await writeFile(join(cwd, "victim"), "untouched");
    await symlink("victim", join(cwd, ".import.json.tmp"));
    expect(await adopt(sandbox)).toMatchObject({ exitCode: 0 });
    expect(await written()).toMatchObject({ victim: "untouched" });
  });

  it("leaves a file alone that has the list's name and is something else", async () => {
    const sandbox = await start({ seed });
    await writeFile(join(cwd, "import.json"), "[1, 2]");
    const { exitCode, stderr } = await adopt(sandbox);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "import.json exists and is not a list that adopt wrote, so it is left unchanged.",
    );
    expect(await written()).toEqual({ "import.json": "[1, 2]" });
  });
});

describe("with --shard", () => {
  const keys = async () => (await listed()).flatMap((entry) => /^Project (.*)/.exec(entry)?.[1] ?? []);

  it("adopts the projects that the stack of this shard declares, and each project in one shard", async () => {
    const names = ["alpha", "billing", "core", "data", "edge", "forge"];
    const sandbox = await start({ seed: { projects: names.map((name) => ({ name })) } });
    const found: string[] = [];
    for (const shard of ["0/2", "1/2"]) {
      const [index = 0] = shard.split("/").map(Number);
      await rm(join(cwd, "import.json"), { force: true });
      expect(await adopt(sandbox, ["--shard", shard])).toMatchObject({ exitCode: 0, stderr: "" });
      const own = await keys();
      expect(own.length).toBeGreaterThan(0);
      expect(own.map((key) => shardOf(key, 2))).toEqual(own.map(() => index));
      found.push(...own);
    }
    expect(found.sort()).toEqual(names);
    expect(Object.keys(peopleInFiles()).sort()).toEqual(names);
  });

  it("does not mix the lists of two shards, and refuses what select would refuse", async () => {
    const sandbox = await start({ seed });
    await adopt(sandbox);
    const [other = ""] = await keys();
    const shard = `${1 - shardOf(other, 2)}/2`;
    expect(await adopt(sandbox, ["--shard", shard])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        `import.json lists project "${other}", which is not in shard ${shard}. Name a list for each shard with --import-file.`,
      ),
    });
    for (const [given, reason] of [
      ["2/2", "select.shard.index must be less than count (2)"],
      ["half", "must be INDEX/COUNT, for example 0/4"],
    ] as const) {
      const { exitCode, stderr } = await adopt(sandbox, ["--shard", given]);
      expect([exitCode, stderr]).toEqual([64, expect.stringContaining(`--shard ${given}: ${reason}.`)]);
    }
  });
});

describe("what fails during the run", () => {
  it("a project whose invitations may be hidden by a gateway has a file without people, and the exit code reports it", async () => {
    const sandbox = await start({ seed });
    const { id } = sandbox.state.projects.find(({ name }) => name === "billing") ?? { id: "" };
    sandbox.addFault({ pathPattern: `${id}/invites`, fault: { status: 404 }, times: 0 });
    const { exitCode, stderr } = await adopt(sandbox, ["--members"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining('The people of project "billing" could not be read'),
    });
    expect(peopleInFiles()).toMatchObject({ billing: undefined, payments: { "ada@example.com": reader } });
  });

  it("a project whose people cannot be read has a file without them, and the exit code reports it", async () => {
    const sandbox = await start({ seed });
    const { id } = sandbox.state.projects.find(({ name }) => name === "billing") ?? { id: "" };
    sandbox.addFault({ pathPattern: `${id}/users`, fault: { status: 403 }, times: 0 });
    const { exitCode, stderr, stdout } = await adopt(sandbox, ["--members"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'The people of project "billing" could not be read, so its file has no members: ',
    );
    expect(stdout).toContain("3 project files written");
    expect(peopleInFiles()).toMatchObject({ billing: undefined, payments: { "ada@example.com": reader } });

    sandbox.clearFaults();
    await rm(join(cwd, "projects", "billing.yaml"));
    expect(await adopt(sandbox, ["--members"])).toMatchObject({ exitCode: 0 });
    expect(peopleInFiles()).toMatchObject({ billing: { "olga@example.com": owner } });
    expect(await listed()).toContain("ProjectMembers billing");
  });

  it("an interruption while it reads writes nothing and is reported in one line", async () => {
    const stop = new AbortController();
    const sandbox = await start({ seed, log: (line) => line.includes("/users") && stop.abort() });
    const { exitCode, stderr, stdout } = await adopt(sandbox, ["--members"], stop.signal);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toBe(
      "opsmanager: Stopped. No file is incomplete. Run the same command again to write the rest.\n",
    );
    expect(await written()).toEqual({});
  });

  it("a refused key is one clear error", async () => {
    const sandbox = await start({ seed });
    sandbox.removeKey(sandbox.publicKey);
    const { exitCode, stderr } = await adopt(sandbox);
    expect(exitCode).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(await written()).toEqual({});
  });
});
