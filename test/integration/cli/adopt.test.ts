/** `opsmanager adopt` for projects alone: what it takes, what it writes, and what it leaves alone. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shardOf } from "../../../projects/select";
import type { Sandbox, Seed } from "../../../sandbox";
import { sandboxes } from "../sandbox/with-sandbox";
import { adoptRuns } from "./adopt-run";
import { printsState } from "./command-folder";

const start = sandboxes();
const { folder, adopt, projects, people, entries, listed } = adoptRuns("projects");

const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];

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

const idOf = ({ state }: Sandbox, name: string) =>
  state.projects.find((project) => project.name === name)?.id ?? "";

describe("what it writes", () => {
  it("is a file for each project with its people, and the list; it asks and changes nothing", async () => {
    folder.write({ "package.json": "{}" });
    const sandbox = await start({ seed });
    const { exitCode, stdout, stderr } = await adopt(sandbox, ["--members"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    // docs/adopt.md has the whole output.
    expect(stdout).toMatch(
      /^3 project files written to this folder, with 3 people \(1 invited\)\.\nimport\.json lists 5 resources to import\.\n/,
    );
    expect(people()).toEqual({
      billing: { "olga@example.com": owner },
      empty: undefined,
      payments: { "ada@example.com": reader, "bob@example.com": reader, "olga@example.com": owner },
    });
    // The program has npm packages, so it has the schema as well.
    expect(folder.read("projects/payments.yaml")).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/node_modules\/pulumi-opsmanager\/schemas\/project-file\.schema\.json\n/,
    );
    expect(listed()).toEqual([
      "AccessFolder access",
      "Project billing",
      "ProjectMembers billing",
      "Project empty",
      "Project payments",
      "ProjectMembers payments",
    ]);
    expect(new Set(sandbox.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(JSON.stringify([stdout, folder.files()])).not.toContain(sandbox.privateKey);
  });

  it("has everything of a project in its file, in one order, with quotes where they are needed and nowhere else", async () => {
    const orgId = "123456789012345678901234";
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=ops,dc=example,dc=com"] }];
    const members = { "Zoe@example.com": ["GROUP_READ_ONLY", "GROUP_OWNER"], "ada@example.com": owner };
    const project = { name: "payments", tags: ["PROD", "NO", "1.0"], ldapGroupMappings, members };
    const orgs = [{ id: orgId, name: "Acme" }];
    const sandbox = await start({ ldap: true, seed: { orgs, projects: [project, { name: "empty" }] } });
    // The file of another organization keeps it in each file.
    folder.write({ "projects/other.yaml": `orgId: ${"a".repeat(24)}\nname: other\n` });
    expect(await adopt(sandbox, ["--members"])).toMatchObject({ exitCode: 0 });
    expect(folder.read("projects/payments.yaml")).toBe(
      `# Written by \`opsmanager adopt\` from the existing project. You can edit this file: adopt never replaces it.
# Properties that are not in this file are not managed.

key: payments # Name in Pulumi. Do not change it when you rename the file.
name: payments
orgId: "${orgId}"
tags: ["1.0", "NO", PROD]
ldapGroupMappings:
  - roleName: GROUP_OWNER
    ldapGroups:
      - cn=ops,dc=example,dc=com
membership: additive # Groups add other people. Only the people below are managed.
members:
  Zoe@example.com: [GROUP_OWNER, GROUP_READ_ONLY]
  ada@example.com: [GROUP_OWNER]
`,
    );
    expect(folder.read("projects/empty.yaml").endsWith(`name: empty\norgId: "${orgId}"\n`)).toBe(true);
  });

  it("leaves people alone unless they are chosen, and takes the names that are given", async () => {
    const sandbox = await start({ seed });
    folder.write({ "sub/README.md": "" });
    const named = ["--import-file", "todo.json", "--component", "all of it", "--cwd", "sub"];
    const { exitCode, stdout } = await adopt(sandbox, ["--teams", "--out", "infra/files", ...named]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      "3 project files written to infra/files, with 0 teams.\ntodo.json lists 3 resources",
    );
    expect(stdout).toContain("  opsmanager import --file todo.json --cwd sub ");
    const { "sub/README.md": _, ...texts } = folder.files();
    expect(Object.keys(texts)).toEqual([
      "sub/infra/files/_defaults.yaml",
      ...["billing", "empty", "payments"].map((name) => `sub/infra/files/projects/${name}.yaml`),
      "sub/todo.json",
    ]);
    expect(JSON.parse(texts["sub/todo.json"] ?? "").resources[0]).toMatchObject({ logicalName: "all of it" });
    expect(sandbox.requests.some(({ path }) => path.includes("users"))).toBe(false);
  });

  it("is only counted with --dry-run, with some of the names, and printed with --print", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `p${index + 10}`);
    const sandbox = await start({ seed: { projects: names.map((name) => ({ name })) } });
    const { exitCode, stdout } = await adopt(sandbox, ["--dry-run", "--members"]);
    expect(exitCode).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "12 project files would be written to this folder, with 0 people.",
      ...names.slice(0, 10).map((name) => `  projects/${name}.yaml`),
      "  and 2 more",
      "import.json would list 12 resources to import.",
      "_defaults.yaml would have the organization of the new files.",
      "",
      "Nothing was written. To print the content of each file, add --print.",
      "",
    ]);
    const printed = await adopt(sandbox, ["--dry-run", "--print"]);
    expect(printed.stdout).toContain("# projects/p21.yaml\n# Written by");
    expect(printed.stdout).toContain('# import.json\n{\n  "resources"');
    expect(folder.files()).toEqual({});
  });

  it("with --members holds neither expired invitations nor people who are in only through a team", async () => {
    const invitations = [{ username: "bob@example.com", roles: reader }];
    const teams = [{ name: "platform", usernames: ["eve@example.com"] }];
    const sandbox = await start({ seed: { teams, projects: [{ name: "payments", invitations }] } });
    const teamId = sandbox.state.teams[0]?.id ?? "";
    sandbox.setProjectTeam(idOf(sandbox, "payments"), { teamId, roleNames: owner });
    sandbox.expireInvitation(sandbox.state.invitations[0]?.id ?? "");
    expect(await adopt(sandbox, ["--members"])).toMatchObject({ exitCode: 0 });
    expect(people()).toEqual({ payments: undefined });
    expect(listed()).toEqual(["AccessFolder access", "Project payments"]);
  });
});

it("names what an invitation offers beside the roles that a file has", async () => {
  const members = { "ada@example.com": owner, "bob@example.com": reader };
  const sandbox = await start({ seed: { projects: [{ name: "payments", members }] } });
  const id = sandbox.state.projects[0]?.id ?? "";
  for (const username of Object.keys(members)) sandbox.addInvitation(id, { username, roles: owner });
  const { exitCode, stderr } = await adopt(sandbox, ["--members"]);
  expect([exitCode, stderr]).toEqual([
    0,
    `opsmanager: A pending invitation offers bob@example.com roles that the file of project "payments" (${id}) lacks: GROUP_OWNER. Revoke the invitation, or add these roles to the file.\n`,
  ]);
});

it("writes the file of a project that the stack holds under its key, leaves out what another resource declares, and lists what the stack lacks", async () => {
  const sandbox = await start({ seed });
  const type = "opsmanager:index:Project";
  const accessFolder = "opsmanager:index:AccessFolder";
  const parent = `urn:pulumi:prod::platform::${accessFolder}::access`;
  const declared = { urn: `urn:pulumi:prod::platform::${type}::own`, type, id: idOf(sandbox, "empty") };
  const held = (name: string, id: string) => {
    return { urn: `urn:pulumi:prod::platform::${accessFolder}$${type}::${name}`, type, parent, id };
  };
  const ledger = sandbox.addProject({ name: "ledger" }).id;
  const ofFolder = [held("money", idOf(sandbox, "billing")), held("books", ledger)];
  const resources = [{ urn: parent, type: accessFolder }, ...ofFolder, declared];
  folder.withPulumi(printsState);
  folder.write({
    "state.json": JSON.stringify({ deployment: { resources } }),
    // The stack holds it under another key.
    "projects/ledger.yaml": `orgId: ${sandbox.orgId}\nname: ledger\nmembers: { ada@example.com: [GROUP_OWNER] }\n`,
  });
  const { exitCode, stderr } = await adopt(sandbox, ["--members"]);
  const left = `opsmanager: Project "empty" is left out, because this stack declares it as ${declared.urn}.\n`;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: left });
  expect(projects().map(({ key, name }) => [key, name])).toEqual([
    ["money", "billing"],
    ["ledger", "ledger"],
    ["payments", "payments"],
  ]);
  expect(listed()).toEqual([
    "AccessFolder access",
    "ProjectMembers money",
    "Project payments",
    "ProjectMembers payments",
  ]);
});

it.each([
  { runtime: "nodejs", component: 'new opsmanager.AccessFolder("access", { folder: "." });' },
  { runtime: "python", component: 'opsmanager.AccessFolder("access", folder=".")' },
  {
    runtime: "go",
    component: 'opsmanager.NewAccessFolder(ctx, "access", &opsmanager.AccessFolderArgs{Folder: "."})',
  },
  {
    runtime: "dotnet",
    component: 'new OpsManager.AccessFolder("access", new() { Folder = "." });',
  },
  {
    runtime: "java",
    component: 'new AccessFolder("access", AccessFolderArgs.builder().folder(".").build());',
  },
  {
    runtime: "{ name: yaml }",
    component: '"access": { type: opsmanager:AccessFolder, properties: { folder: "." } }',
  },
])("ends with the component in the language of the program: $runtime", async ({ runtime, component }) => {
  folder.withPulumi(printsState);
  folder.write({ "Pulumi.yaml": `name: platform\nruntime: ${runtime}\n`, "state.json": "{}" });
  const { stdout } = await adopt(await start({ seed: { projects: [{ name: "payments" }] } }));
  expect(stdout).toContain(`The program must declare the folder:\n  ${component}\n`);
});

describe("with --teams and --keys", () => {
  const teamsInFiles = () => projects().map(({ externalTeams }) => externalTeams);

  /** A project with a key and two teams: the name of the second is the id of the first. A third has no roles there. */
  async function withTeams() {
    const sandbox = await start({
      seed: { teams: [{ name: "platform" }], projects: [{ name: "payments" }] },
    });
    const teamId = sandbox.state.teams[0]?.id ?? "";
    const { id: namedAsId } = sandbox.addTeam({ name: teamId });
    const { id: idle } = sandbox.addTeam({ name: "idle" });
    const projectId = idOf(sandbox, "payments");
    const { orgId, publicKey } = sandbox;
    const roles = [{ groupId: projectId, roleName: "GROUP_READ_ONLY" }];
    const { id: keyId } = sandbox.addKey({ publicKey: "abcdwxyz", desc: "monitoring", orgId, roles });
    // The key of the command itself.
    sandbox.changeKey(publicKey, { orgId, roles: [{ orgId, roleName: "ORG_OWNER" }, ...roles] });
    sandbox.setProjectTeam(projectId, { teamId, roleNames: [...reader, ...owner] });
    sandbox.setProjectTeam(projectId, { teamId: namedAsId, roleNames: reader });
    sandbox.setProjectTeam(projectId, { teamId: idle, roleNames: [] });
    return { sandbox, projectId, teamId, namedAsId, keyId };
  }

  it("holds teams by name, or by id if the name could be an id, and keys by public key but its own, and keeps them on the list", async () => {
    const { sandbox, projectId, teamId, namedAsId, keyId } = await withTeams();
    const { exitCode, stdout } = await adopt(sandbox, ["--members", "--teams", "--keys"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("written to this folder, with 0 people, 2 teams, and 1 API key.\n");
    expect(folder.read("projects/payments.yaml")).toContain("  abcdwxyz: [GROUP_READ_ONLY] # monitoring\n");
    expect(projects()[0]?.externalApiKeys).toEqual({ abcdwxyz: reader });
    expect(teamsInFiles()).toEqual([{ platform: [...owner, ...reader], [namedAsId]: reader }]);
    const imported = [
      { kind: "ProjectTeam", name: "platform", id: teamId },
      { kind: "ProjectTeam", name: namedAsId, id: namedAsId },
      { kind: "ProjectApiKey", name: "abcdwxyz", id: keyId },
    ].map(({ kind, name, id }) =>
      expect.objectContaining({
        type: `opsmanager:index:${kind}`,
        logicalName: `payments/${name}`,
        id: `${projectId}/${id}`,
      }),
    );
    expect(entries().slice(2)).toEqual(expect.arrayContaining(imported));

    // They may still have to be imported.
    sandbox.addProject({ name: "stock" });
    expect(await adopt(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(entries()).toHaveLength(6);
    expect(entries()).toEqual(expect.arrayContaining(imported));
  });

  it("holds ids where the key cannot see the names, and no teams without the option", async () => {
    const { sandbox, teamId, namedAsId } = await withTeams();
    expect(await adopt(sandbox, ["--members"])).toMatchObject({ exitCode: 0 });
    expect(teamsInFiles()).toEqual([undefined]);
    folder.remove("projects");
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/[^/]+/teams", times: 0, fault: { status: 403 } });
    expect(await adopt(sandbox, ["--teams"])).toMatchObject({ exitCode: 0 });
    expect(teamsInFiles()).toEqual([{ [teamId]: [...owner, ...reader], [namedAsId]: reader }]);
  });
});

it("leaves a list that cannot be read out of the file of its project, reports it, and has it the next time", async () => {
  const lists = [
    { list: "users", status: 403, what: "people", property: "members" },
    // A gateway may have sent a 404.
    { list: "invites", status: 404, what: "people", property: "members" },
    { list: "teams", status: 404, what: "teams", property: "teams" },
    { list: "apikeys", status: 403, what: "API keys", property: "apiKeys" },
  ];
  const members = { "olga@example.com": owner };
  const sandbox = await start({
    seed: { teams: [{ name: "operators" }], projects: lists.map(({ list }) => ({ name: list, members })) },
  });
  const teamId = sandbox.state.teams[0]?.id ?? "";
  for (const { list, status } of lists) {
    const id = idOf(sandbox, list);
    sandbox.setProjectTeam(id, { teamId, roleNames: reader });
    const pathPattern = `${id}/${list.replace("keys", "Keys")}`;
    sandbox.addFault({ method: "GET", pathPattern, fault: { status }, times: 0 });
  }
  const everything = ["--members", "--teams", "--keys"];
  const declared = () =>
    Object.fromEntries(
      projects().map(({ key, members, externalTeams: teams, apiKeys }) => [key, { members, teams, apiKeys }]),
    );
  const whole = { members, teams: { operators: reader } };
  const { exitCode, stdout, stderr } = await adopt(sandbox, everything);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 1,
    stdout: expect.stringContaining("4 project files written"),
  });
  for (const { list, what, property } of lists) {
    expect(stderr).toContain(
      `The ${what} of project "${list}" could not be read, so its file has no ${property}: `,
    );
    expect(declared()[list]).toEqual({ ...whole, [property]: undefined });
  }

  sandbox.clearFaults();
  folder.remove("projects");
  expect(await adopt(sandbox, everything)).toMatchObject({ exitCode: 0 });
  expect(declared()).toEqual(Object.fromEntries(lists.map(({ list }) => [list, whole])));
  expect(listed()).toEqual(expect.arrayContaining(["ProjectMembers users", "ProjectTeam teams/operators"]));
});

describe("which projects it takes", () => {
  it.each([
    { flags: ["--name", "pay*", "--name", "bil?ing"], names: ["billing", "payments"] },
    { flags: ["--tag", "TEST", "--tag", "E?"], names: ["billing", "payments"] },
    { flags: ["--tag", "PROD", "--name", "b*"], names: [] },
  ])("$flags chooses $names", async ({ flags, names }) => {
    const { exitCode, stdout } = await adopt(await start({ seed }), flags);
    expect(exitCode).toBe(0);
    if (names.length > 0) expect(projects().map(({ name }) => name)).toEqual(names);
    else expect(stdout).toBe("No project of the organization matches. Nothing was written.\n");
  });

  it("an organization has to be named where the key sees several that are not deleted", async () => {
    const sandbox = await start({ seed: { ...seed, orgs: [{ name: "one" }, { name: "two" }] } });
    sandbox.changeKey(sandbox.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
    const second = sandbox.state.orgs[1]?.id ?? "";
    sandbox.addProject({ name: "elsewhere", orgId: second });
    const refused = await adopt(sandbox);
    expect(refused.exitCode).toBe(1);
    for (const line of [
      "These credentials can see projects of 2 organizations. Name one of them:\n",
      `  --org ${second}   1 project: elsewhere\n`,
      `  --org ${sandbox.orgId}   3 projects: billing, empty, payments\n`,
    ])
      expect(refused.stderr).toContain(line);
    expect(await adopt(sandbox, ["--org", second.toUpperCase()])).toMatchObject({ exitCode: 0 });
    expect(projects()).toMatchObject([{ name: "elsewhere", orgId: second }]);

    sandbox.changeOrg(second, { isDeleted: true });
    folder.remove("projects", "import.json");
    expect(await adopt(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(projects().map(({ name }) => name)).toEqual(["billing", "empty", "payments"]);
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
    expect(folder.read("projects/payments.yaml")).not.toContain("tags");
  });

  it("an organization's list without tags and mappings is no reason to choose or to declare anything else", async () => {
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners,dc=example,dc=com"] }];
    const [payments, ...others] = seed.projects ?? [];
    const orgProjectFields = "without-tags-and-mappings";
    const ofPayments = { ...payments, name: "payments", ldapGroupMappings };
    const sandbox = await start({
      ldap: true,
      orgProjectFields,
      seed: { projects: [ofPayments, ...others] },
    });
    const flags = ["--org", sandbox.orgId, "--members"];
    expect(await adopt(sandbox, [...flags, "--tag", "PROD"])).toMatchObject({ exitCode: 0, stderr: "" });
    expect(projects()).toMatchObject([
      { name: "payments", tags: ["EU", "PROD"], ldapGroupMappings, membership: "additive" },
    ]);
    expect(listed()).toContain("ProjectMember payments/ada@example.com");

    sandbox.clearRequests();
    expect(await adopt(sandbox, flags)).toMatchObject({ exitCode: 0 });
    expect(projects()).toHaveLength(3);
    // Billing and empty; payments has its file.
    expect(sandbox.requests.filter(({ path }) => /\/groups\/[0-9a-f]{24}$/.test(path))).toHaveLength(2);
  });

  it("the lists of two shards are not mixed", async () => {
    const sandbox = await start({ seed });
    await adopt(sandbox);
    const [, first] = listed();
    const other = first?.replace("Project ", "") ?? "";
    const shard = `${1 - shardOf(other, 2)}/2`;
    expect(await adopt(sandbox, ["--shard", shard])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        `import.json lists project "${other}", which is not in shard ${shard}. Name a list for each shard with --import-file.`,
      ),
    });
  });
});

describe("run again", () => {
  it("writes what is new and nothing else; edited, renamed and moved files stay as they are", async () => {
    const sandbox = await start({ seed });
    await adopt(sandbox, ["--members"]);
    const { orgId } = sandbox;
    sandbox.changeProject(idOf(sandbox, "payments"), { name: "pay-outs" });
    folder.remove("projects/billing.yaml", "projects/empty.yaml");
    folder.write({
      "projects/money.yml": `key: billing\norgId: ${orgId}\ntags: [EDITED]\n`,
      "projects/team/void.json": JSON.stringify({ orgId, name: "empty" }),
      // What these declare is elsewhere.
      "projects/stock.yaml": `key: Store\norgId: ${"a".repeat(24)}\nname: store\n`,
    });
    const { "import.json": _, ...before } = folder.files();

    const again = await adopt(sandbox, ["--members"]);
    expect(again).toMatchObject({ exitCode: 0, stderr: "" });
    expect(again.stdout).toMatch(
      /^Nothing new: 3 projects of 3 have files in this folder\.\nimport\.json lists 4 resources to import\. Left out, because no file declares it or it no longer exists: ProjectMembers billing\.\n\n/,
    );
    expect(folder.files()).toEqual({ ...before, "import.json": expect.any(String) });
    expect(await adopt(sandbox, ["--members"])).toEqual({
      exitCode: 0,
      stderr: "",
      stdout:
        "Nothing new: 3 projects of 3 have files in this folder. Nothing was written.\nimport.json lists 4 resources to import.\n",
    });

    for (const name of ["Payments", "stock", "store"]) sandbox.addProject({ name });
    const more = await adopt(sandbox, ["--members"]);
    expect(more).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("unless an older file differs"),
    });
    const { "import.json": __, ...after } = folder.files();
    expect(after).toMatchObject(before);
    const created = Object.keys(after).filter((path) => !(path in before));
    expect(created.map((path) => path.replace(/[0-9a-f]{6}/, "ID"))).toEqual([
      "projects/payments-ID.yaml",
      "projects/stock-ID.yaml",
      "projects/store-ID.yaml",
    ]);
    // The stack is not asked here, so what may still have to be imported stays on the list.
    expect(listed()).toEqual([
      "AccessFolder access",
      "Project billing",
      "Project payments",
      "ProjectMembers payments",
      "Project void",
      ...["payments", "stock", "store"].map((name) => expect.stringMatching(`^Project ${name}-`)),
    ]);
  });

  it.each<{ where: string; files: Record<string, string>; isOwn: boolean; defaults?: string }>([
    {
      where: "new defaults, also where nothing is a project yet",
      files: { "_prod.yaml": "tags: [PROD]\n", "projects/old.yaml": "orgId: ORG\nname: old\n" },
      isOwn: false,
      defaults: "orgId: ORG",
    },
    { where: "the defaults that are there", files: { "_defaults.yml": "orgId: ORG\n" }, isOwn: false },
    {
      where: "the defaults of their kind",
      files: { "projects/_defaults.yaml": "orgId: ORG\n" },
      isOwn: false,
    },
    {
      where: "each file, beside defaults without it",
      files: { "_defaults.yaml": "$schema: x\n" },
      isOwn: true,
      defaults: "$schema: x",
    },
  ])("has the organization in $where", async ({ files, isOwn, defaults }) => {
    const sandbox = await start({ seed });
    const { orgId } = sandbox;
    for (const [name, text] of Object.entries(files)) folder.write({ [name]: text.replace("ORG", orgId) });
    expect(await adopt(sandbox)).toMatchObject({ exitCode: 0 });
    const texts = folder.files();
    expect(texts["projects/payments.yaml"]?.includes(`\norgId: ${orgId}\n`)).toBe(isOwn);
    const [line] = texts["_defaults.yaml"]?.match(/^[^#\n].*$/m) ?? [];
    expect(line).toBe(defaults?.replace("ORG", orgId));
    expect(projects().filter((project) => project.orgId === orgId)).toHaveLength(
      files["projects/old.yaml"]?.includes("ORG") ? 4 : 3,
    );
  });

  it("writes over no file that appears while it runs, and completes the rest when it runs again", async () => {
    const appear = (line: string) => {
      if (line.includes("/invites") && !folder.has("import.json"))
        folder.write({ "projects/empty.yaml": "name: empty\ntags: [EDITED]\n" });
    };
    const sandbox = await start({ seed, log: appear });
    const { exitCode, stdout, stderr } = await adopt(sandbox, ["--members"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(
      /^opsmanager: projects\/empty\.yaml cannot be written: another process created a file with this name\. No existing file is replaced.* Run the same command again to write the rest\.\n$/,
    );
    const written = ["_defaults.yaml", "projects/billing.yaml", "projects/empty.yaml"];
    expect(Object.keys(folder.files())).toEqual(written);

    expect(await adopt(sandbox, ["--members"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(
        "1 project file written to this folder, with 3 people (1 invited).\nimport.json lists 5 resources to import, 3 of them of existing files.\n",
      ),
    });
    expect(folder.read("projects/empty.yaml")).toBe("name: empty\ntags: [EDITED]\n");
    const [defaults, ...files] = written;
    expect(Object.keys(folder.files())).toEqual([
      defaults,
      "import.json",
      ...files,
      "projects/payments.yaml",
    ]);
    expect(listed()).toHaveLength(6);
  });

  it.each([
    { how: "in its form", edit: (text: string) => text.replaceAll("  ", "\t") },
    { how: "in the name of the folder", edit: (text: string) => text.replace('"access"', '"prod"') },
    {
      how: "in the order of its entries",
      edit: (text: string) => {
        const [component, ...others] = JSON.parse(text).resources;
        return `${JSON.stringify({ resources: [component, ...others.reverse()] }, null, 2)}\n`;
      },
    },
    { how: "not at all, and is for another component", flags: ["--component", "other"] },
  ])("leaves a list alone that was edited $how", async (row) => {
    const { edit = (text: string) => text, flags = [] } = row;
    const sandbox = await start({ seed });
    await adopt(sandbox);
    folder.write({ "import.json": edit(folder.read("import.json")) });
    sandbox.addProject({ name: "ledger" });
    const before = folder.files();
    const { exitCode, stderr } = await adopt(sandbox, flags);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^opsmanager: import\.json was left unchanged, because it was edited, or written for another --component than /,
    );
    expect(folder.files()).toEqual(before);
  });

  it("keeps what was edited within the entries of a list, and leaves alone a list that is edited while it runs", async () => {
    let whileRunning = () => {};
    const sandbox = await start({ seed, log: () => whileRunning() });
    await adopt(sandbox);
    const edited = folder.read("import.json").replace('"version": ', '"provider": "own", "version": ');
    folder.write({ "import.json": `${JSON.stringify(JSON.parse(edited), null, 2)}\n` });
    sandbox.addProject({ name: "ledger" });
    await adopt(sandbox);
    expect(listed()).toContain("Project ledger");
    expect(folder.read("import.json")).toContain('"provider": "own"');

    sandbox.addProject({ name: "stock" });
    whileRunning = () => writeFileSync(join(folder.path, "import.json"), "[]");
    const { exitCode, stderr } = await adopt(sandbox);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("import.json cannot be written: it was edited during the run. ");
    expect(folder.read("import.json")).toBe("[]");
  });

  it("does not write through a link at the path of an incomplete list", async () => {
    folder.write({ victim: "untouched" });
    symlinkSync("victim", join(folder.path, ".import.json.tmp"));
    expect(await adopt(await start({ seed }))).toMatchObject({ exitCode: 0 });
    expect(folder.files()).toMatchObject({ victim: "untouched", "import.json": expect.any(String) });
  });
});

it("an interruption while it reads writes nothing and is reported in one line", async () => {
  const stop = new AbortController();
  const sandbox = await start({ seed, log: (line) => line.includes("/users") && stop.abort() });
  expect(await adopt(sandbox, ["--members"], stop.signal)).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: "opsmanager: Stopped. No file is incomplete. Run the same command again to write the rest.\n",
  });
  expect(folder.files()).toEqual({});
});

it("a refused key is one clear error", async () => {
  const sandbox = await start({ seed });
  sandbox.removeKey(sandbox.publicKey);
  const { exitCode, stderr } = await adopt(sandbox);
  expect({ exitCode, lines: stderr.trim().split("\n").length }).toEqual({ exitCode: 1, lines: 1 });
  expect(folder.files()).toEqual({});
});
