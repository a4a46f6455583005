/** `opsmanager adopt` where names, files and folders are not as one would have made them. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadProjectFiles } from "../../../projects/load";
import type { Sandbox } from "../../../sandbox";
import { type CommandResult, runCommand } from "../../support/command";
import { sandboxes } from "../sandbox/with-sandbox";

const start = sandboxes();
const owner = ["GROUP_OWNER"];

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "opsmanager-adopt-"));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

function adopt(
  { baseUrl, publicKey, privateKey }: Sandbox,
  argv: readonly string[] = [],
): Promise<CommandResult> {
  const env = {
    OPSMANAGER_BASE_URL: baseUrl,
    OPSMANAGER_PUBLIC_KEY: publicKey,
    OPSMANAGER_PRIVATE_KEY: privateKey,
  };
  return runCommand(["adopt", ...argv], { cwd, env });
}

/** Texts that YAML reads as something else, that break out of a line or a folder, and that no file may be named after. */
const names = [
  ..."yes null ~ 0123 1e3 0x1F 1_000 .inf 2020-01-01 1:30 con COM1 aux.txt _hidden .dot --- << ${x} 🎉".split(
    " ",
  ),
  ...[
    "../../etc/passwd",
    "a: b # c",
    "- x",
    "key: |",
    "{{x}}",
    "&a",
    "*a",
    "!a",
    "%a",
    "@a",
    "`a`",
    "a::b",
    "a\\b",
  ],
  ...["payments", "Payments", "PAYMENTS", " lead", "trail "],
];
const people = [
  "ada+x@example.com",
  "o'neil@example.com",
  '"q q"@example.com',
  "null",
  "1e3",
  "2020-01-01",
  "constructor",
];

it("writes whatever a project and a person are called so that the program reads it back as it was", async () => {
  const members = Object.fromEntries(people.map((name) => [name, owner]));
  const sandbox = await start({ seed: { projects: names.map((name) => ({ name, members })) } });

  expect(await adopt(sandbox, ["--members"])).toMatchObject({ exitCode: 0, stderr: "" });
  const projects = loadProjectFiles("projects", cwd);
  expect(projects.map(({ name }) => name).sort()).toEqual([...names].sort());
  for (const project of projects) {
    expect(Object.keys(project.members ?? {}).sort()).toEqual([...people].sort());
  }
  const files = (await readdir(join(cwd, "projects"))).filter((file) => file !== "_defaults.yaml");
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
  expect(files.filter((file) => !/^[a-z0-9][a-z0-9-]*\.yaml$/.test(file))).toEqual([]);
  expect(files.filter((file) => /^(con|com1|aux|nul)\./.test(file))).toEqual([]);

  const again = await adopt(sandbox, ["--members"]);
  expect(again.stdout).toContain("Nothing new");
});

it("writes whatever a team is called so that the program reads it back as it was", async () => {
  const odd = [...new Set([...names, ...people, "__proto__"])].filter((name) => name !== "<<").sort();
  const sandbox = await start({ seed: { teams: odd.map((name) => ({ name })) } });
  const teams = sandbox.state.teams.map(({ id: teamId }) => ({ teamId, roleNames: owner }));
  sandbox.addProject({ name: "payments", teams });

  expect(await adopt(sandbox, ["--teams"])).toMatchObject({ exitCode: 0, stderr: "" });
  const [project] = loadProjectFiles("projects", cwd);
  expect(Object.entries(project?.teams ?? {}).sort()).toEqual(odd.map((name) => [name, owner]));
  const again = await adopt(sandbox, ["--teams"]);
  expect(again.stdout).toContain("Nothing new");
});

/**
 * Such a file was written once, and then neither the program nor `adopt` could read the folder. Anyone who may invite
 * someone can put such a name into a project.
 */
it("leaves out, by name, what a project file cannot declare, and writes everything else", async () => {
  const members = { "ada@example.com": owner };
  const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=ops\u202e"] }];
  const sandbox = await start({
    ldap: true,
    seed: {
      projects: [
        { name: "line\nbreak" },
        { name: "hidden\u200b" },
        { name: "merge", tags: ["PROD"], members: { "<<": owner } },
        { name: "protocol", members: { ...members, ["__proto__"]: owner } },
        { name: "invited", members, invitations: [{ username: "ada@example.com\u200b", roles: owner }] },
        { name: "mapped", members, ldapGroupMappings },
        { name: "payments", members },
      ],
      teams: [{ name: "opera\u200btors" }, { name: "<<" }],
    },
  });
  const teams = sandbox.state.teams.map(({ id: teamId }) => ({ teamId, roleNames: owner }));
  sandbox.addProject({ name: "teams", teams });

  const first = await adopt(sandbox, ["--members", "--teams"]);
  expect(first.exitCode).toBe(1);
  expect(first.stderr.trim().split("\n").sort()).toEqual(
    [
      /^opsmanager: Project "hidden\\u200b" \([0-9a-f]{24}\) is left out, .*: name must not hold hidden characters: U\+200B at position 7\./,
      /^opsmanager: Project "line\\n?break" \([0-9a-f]{24}\) is left out, .*: name must not hold hidden characters: U\+000A at position 5\./,
      /^opsmanager: The file of project "invited" \([0-9a-f]{24}\) has no members, .*members\["ada@example.com\\u200b"\] must not hold hidden characters: U\+200B at position 16\. To add them, /,
      /^opsmanager: The file of project "mapped" .* has no ldapGroupMappings, .*U\+202E at position 7/,
      /^opsmanager: The file of project "merge" .* has no members, .*<< is a merge key/,
      /^opsmanager: The file of project "protocol" .* has no members, .*members.__proto__/,
    ].map((line) => expect.stringMatching(line)),
  );
  const projects = new Map(loadProjectFiles("projects", cwd).map((project) => [project.name, project]));
  expect([...projects.keys()].sort()).toEqual([
    "invited",
    "mapped",
    "merge",
    "payments",
    "protocol",
    "teams",
  ]);
  for (const name of ["invited", "merge", "protocol"])
    expect(projects.get(name)).not.toHaveProperty("members");
  expect(projects.get("merge")).toMatchObject({ tags: ["PROD"] });
  expect(projects.get("mapped")).toMatchObject({ members, membership: "additive" });
  expect(projects.get("mapped")).not.toHaveProperty("ldapGroupMappings");
  expect(projects.get("teams")?.teams).toEqual(
    Object.fromEntries(teams.map(({ teamId }) => [teamId, owner])),
  );
  const { resources } = JSON.parse(await readFile(join(cwd, "import.json"), "utf8"));
  expect(resources.map(({ logicalName }: { logicalName: string }) => logicalName).sort()).toEqual(
    [
      ...["invited", "mapped", "merge", "payments", "protocol", "teams", "projects"],
      ...["mapped/ada@example.com", "payments", ...teams.map(({ teamId }) => `teams/${teamId}`)],
    ].sort(),
  );

  const again = await adopt(sandbox, ["--members", "--teams"]);
  expect(again.exitCode).toBe(1);
  expect(again.stdout).toContain(
    "Nothing new: 6 projects of 8 have files in projects, and 2 of 8 are left out.",
  );
});

it("prints names that command a terminal, end a line or hide in one line each, with what hides", async () => {
  const name = "evil\u001b[2J\u202e";
  const sandbox = await start({ seed: { projects: [{ name }, { name: "line\nbreak" }] } });
  sandbox.addProject({ name });
  const { stdout, stderr } = await adopt(sandbox);
  const lines = stderr.trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(
    lines.filter((line) => line.startsWith('opsmanager: Project "evil\\u001b[2J\\u202e" ')),
  ).toHaveLength(2);
  expect(stderr + stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);

  sandbox.addProject({ name: "calm 👩\u200d💻" });
  const printed = await adopt(sandbox, ["--dry-run", "--print", "--name", "calm*"]);
  expect(printed.stdout).toContain("calm 👩\\u200d💻");
  expect(printed.stdout).not.toContain("\u200d");

  sandbox.changeKey(sandbox.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
  sandbox.addProject({ name: "::error::\n::x", orgId: sandbox.addOrg({ name: "other" }).id });
  const several = await adopt(sandbox);
  expect(several.stderr).toMatch(/ {3}1 project: ::error::\\u000a::x$/m);
  expect(several.stderr.trim().split("\n")).toHaveLength(3);
});

it("writes over no list that it did not write itself", async () => {
  const sandbox = await start({ seed: { projects: [{ name: "payments" }] } });
  const foreign = [
    '{"name":"a-package","version":"1.0.0"}',
    '{"resources":[{"type":"random:index/randomPet:RandomPet","name":"pet","id":"cat"}]}',
    '{"resources":[],"nameTable":{"network":"urn:pulumi:dev::p::t::network"}}',
  ];
  for (const text of foreign) {
    await writeFile(join(cwd, "import.json"), text);
    const { exitCode, stderr } = await adopt(sandbox);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "import.json exists and is not a list that adopt wrote, so it is left unchanged.",
    );
    expect(await readFile(join(cwd, "import.json"), "utf8")).toBe(text);
  }
  expect(await readdir(cwd)).toEqual(["import.json"]);
});

it("reports the obstacle in one line, and writes nothing", async () => {
  const sandbox = await start({ seed: { projects: [{ name: "payments" }] } });
  await writeFile(join(cwd, "file"), "");
  await mkdir(join(cwd, "folder"));
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [["--out", "file"], /file cannot be read: .*ENOTDIR/],
    [["--import-file", "folder"], /folder cannot be read: .*EISDIR/],
    [["--import-file", "file/import.json"], /import.json cannot be read: .*ENOTDIR/],
    [["--cwd", "nowhere"], /--cwd nowhere: there is no such folder\./],
    [["--component", ""], /--component: must be the name of the ProjectFolder\./],
  ];
  for (const [argv, says] of refused) {
    const { exitCode, stdout, stderr } = await adopt(sandbox, argv);
    expect({ argv, exitCode, stdout, lines: stderr.trim().split("\n").length }).toEqual({
      argv,
      exitCode: ["--cwd", "--component"].includes(String(argv[0])) ? 64 : 1,
      stdout: "",
      lines: 1,
    });
    expect(stderr).toMatch(says);
  }
  expect((await readdir(cwd)).sort()).toEqual(["file", "folder"]);
});
