/** `opsmanager adopt` where names, files and folders are not as one would have made them, and what it refuses. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { visibleLines } from "../../../provider/text/visible-text";
import { sandboxes } from "../sandbox/with-sandbox";
import { adoptRuns } from "./adopt-run";

const start = sandboxes();
const { folder, adopt, projects, entries } = adoptRuns("projects");

const owner = ["GROUP_OWNER"];

/** Texts that YAML reads as something else, that break out of a line or a folder, and that no file may be named after. */
const names = [
  ..."yes null ~ 0123 1e3 0x1F 1_000 .inf 2020-01-01 1:30 con COM1 aux.txt _hidden .dot --- << ${x} 🎉".split(
    " ",
  ),
  ..."- x,a: b # c,key: |,{{x}},&a,*a,!a,%a,@a,`a`,a::b,a\\b,../../etc/passwd, lead,trail ".split(","),
  ..."payments,Payments,PAYMENTS,Zürich / Ost".split(","),
  `long ${"x ".repeat(200)}`,
];
const hiding = ["woman 👩\u200d💻", 'تیم\u200cها: "yes" \\', "葛\u{e0100}城"];
const people = [
  ..."ada+x@example.com,o'neil@example.com,null,1e3,2020-01-01,constructor".split(","),
  '"q q"@example.com',
  ...hiding,
];

it("writes whatever projects, people and teams are called so that the program reads it back as it was", async () => {
  const members = Object.fromEntries(people.map((name) => [name, owner]));
  const teamNames = [...new Set([...names, ...people, "__proto__"])].filter((name) => name !== "<<").sort();
  const sandbox = await start({
    seed: {
      teams: teamNames.map((name) => ({ name })),
      projects: names.map((name) => ({ name, members })),
    },
  });
  const teams = sandbox.state.teams.map(({ id: teamId }) => ({ teamId, roleNames: owner }));
  sandbox.addProject({ name: "of all teams", teams });

  expect(await adopt(sandbox, ["--members", "--teams"])).toMatchObject({ exitCode: 0, stderr: "" });
  const read = new Map(projects().map((project) => [project.name, project]));
  const { externalTeams: teamsRead = {} } = read.get("of all teams") ?? {};
  expect(Object.entries(teamsRead).sort()).toEqual(teamNames.map((name) => [name, owner]));
  read.delete("of all teams");
  expect([...read.keys()].sort()).toEqual([...names].sort());
  for (const project of read.values())
    expect(Object.keys(project.members ?? {}).sort()).toEqual([...people].sort());

  for (const text of Object.values(folder.files())) expect(text).toBe(visibleLines(text));
  const files = Object.keys(folder.files()).filter((file) => !/_defaults|import\.json/.test(file));
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length + 1);
  expect(files.filter((file) => !/^projects\/[a-z0-9][a-z0-9-]*\.yaml$/.test(file))).toEqual([]);
  expect(files.filter((file) => /\/(con|com1|aux|nul)\./.test(file))).toEqual([]);
  expect((await adopt(sandbox, ["--members", "--teams"])).stdout).toContain("Nothing new");
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
      /^opsmanager: The file of project "invited" \([0-9a-f]{24}\) omits members: .*members\["ada@example.com\\u200b"\] must not hold hidden characters: U\+200B at position 16\. To add them, /,
      /^opsmanager: The file of project "mapped" .* omits ldapGroupMappings: .*U\+202E at position 7/,
      /^opsmanager: The file of project "merge" .* omits members: .*<< is a merge key/,
      /^opsmanager: The file of project "protocol" .* omits members: .*members.__proto__/,
    ].map((line) => expect.stringMatching(line)),
  );
  const declared = projects().map(({ name, members, tags, externalTeams, ldapGroupMappings, membership }) => {
    const additive = membership === "additive" ? { membership } : {};
    return [name, { members, tags, externalTeams, ldapGroupMappings, ...additive }];
  });
  expect(Object.fromEntries(declared)).toEqual({
    invited: {},
    mapped: { members, membership: "additive" },
    merge: { tags: ["PROD"] },
    payments: { members },
    protocol: {},
    teams: { externalTeams: Object.fromEntries(teams.map(({ teamId }) => [teamId, owner])) },
  });
  const imported = entries().map(({ logicalName }) => logicalName);
  expect(imported.sort()).toEqual(
    [
      ...["invited", "mapped", "merge", "payments", "protocol", "teams", "access"],
      ...["mapped/ada@example.com", "payments", ...teams.map(({ teamId }) => `teams/${teamId}`)],
    ].sort(),
  );

  const again = await adopt(sandbox, ["--members", "--teams"]);
  expect(again.exitCode).toBe(1);
  expect(again.stdout).toContain(
    "Nothing new: 6 projects of 8 have files in this folder, and 2 of 8 are left out.",
  );
});

it("prints names that command a terminal, end a line or hide in one line each, with what hides", async () => {
  const name = "evil\u001b[2J\u202e";
  const sandbox = await start({ seed: { projects: [{ name }, { name: "line\nbreak" }] } });
  sandbox.addProject({ name });
  const { stdout, stderr } = await adopt(sandbox);
  const lines = stderr.trim().split("\n");
  const twins = lines.filter((line) => line.startsWith('opsmanager: Project "evil\\u001b[2J\\u202e" '));
  expect([lines.length, twins.length]).toEqual([3, 2]);
  for (const twin of twins)
    expect(twin).toMatch(
      / is left out, because another project of its organization has the same name\. .* Rename one of them and run the command again\.$/,
    );
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

it.each<{
  obstacle: string;
  files: Record<string, string>;
  flags?: readonly string[];
  says: string | RegExp;
}>([
  {
    obstacle: "a list of another provider",
    files: {
      "import.json": '{"resources":[{"type":"random:index/randomPet:RandomPet","name":"pet","id":"cat"}]}',
    },
    says: "import.json was left unchanged, because it is not a list that adopt wrote.",
  },
  {
    obstacle: "a project file with a fault",
    files: { "projects/payments.yaml": "orgid: 5f\n" },
    says: "projects/payments.yaml:1:1",
  },
  {
    obstacle: "a misspelled folder",
    files: { "team/operators.yaml": "name: operators\nusernames: [ada@example.com]" },
    says: "team: The files of this folder are not read",
  },
  { obstacle: "a file for the folder", files: { file: "" }, flags: ["--out", "file"], says: /ENOTDIR/ },
  { obstacle: "a folder for the list", files: {}, flags: ["--import-file", "folder"], says: /EISDIR/ },
])("writes nothing where there is $obstacle", async ({ files, flags, says }) => {
  mkdirSync(join(folder.path, "folder"));
  folder.write(files);
  const sandbox = await start({ seed: { projects: [{ name: "payments" }] } });
  const { exitCode, stdout, stderr } = await adopt(sandbox, flags);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toEqual(
    typeof says === "string" ? expect.stringContaining(says) : expect.stringMatching(says),
  );
  expect(folder.files()).toEqual(files);
});

it.each([
  { argv: ["--org", "payments"], says: "--org payments: must be the id of an organization" },
  {
    argv: ["--import-file", "projects/list.json"],
    says: "is in projects, where each file declares something.",
  },
  {
    argv: ["--import-file", "teams/list.json"],
    says: "--import-file teams/list.json is in teams, where each file declares something.",
  },
  {
    argv: ["--complete", "owners", "--members"],
    says: "--complete: requires people and API keys. Add --members and --keys.",
  },
  {
    argv: ["--everyone", "--name", "a"],
    says: "--everyone: requires the whole organization, without --name and --tag.",
  },
  { argv: ["--print"], says: "--print: requires --dry-run." },
  { argv: ["--cwd", "nowhere"], says: "--cwd nowhere: there is no such folder." },
  { argv: ["--component", ""], says: "--component: must be the name of the AccessFolder." },
  { argv: ["--shard", "2/2"], says: "--shard 2/2: select.shard.index must be less than count (2)." },
  { argv: ["--shard", "half"], says: "--shard half: must be INDEX/COUNT, for example 0/4." },
])("refuses $argv before anything is asked", async ({ argv, says }) => {
  const sandbox = await start();
  const { exitCode, stdout, stderr } = await folder.run(["adopt", ...argv], sandbox);
  expect({ exitCode, stdout, lines: stderr.trim().split("\n").length }).toEqual({
    exitCode: 64,
    stdout: "",
    lines: 1,
  });
  expect(stderr).toContain(says);
  expect(sandbox.requests).toEqual([]);
});
