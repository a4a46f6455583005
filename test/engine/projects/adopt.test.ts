/** Adopts projects that were created outside Pulumi into a folder of files and a stack: adopt, import, preview. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shardOf } from "../../../projects/select";
import type { Seed } from "../../../sandbox";
import { succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { membersOf } from "../support/people-program";
import {
  doings,
  importing,
  recorded,
  setUpProjectFolder,
  writeProjectFiles,
} from "../support/project-folder";
import { projectNamed, writes } from "../support/project-program";
import { type StackSetup, tearDownStacks } from "../support/stack-setup";
import { ada, projectTeamsOf, seedWithTeam, teamNamed, teamsOf } from "../teams/support";

afterEach(tearDownStacks);

const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];

/** Names with equal slugs, names that are no valid file names; people of each kind; LDAP; no members. */
const seed: Seed = {
  projects: [
    {
      name: "payments",
      tags: ["PROD", "EU"],
      members: {
        "olga@example.com": owner,
        "Ada@Example.com": ["GROUP_READ_ONLY", "GROUP_DATA_ACCESS_ADMIN"],
      },
      invitations: [{ username: "bob@example.com", roles: reader }],
    },
    { name: "Payments!", members: { "olga@example.com": owner } },
    {
      name: "Zürich / Ost",
      ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=ops,dc=example,dc=com", "cn=admins"] }],
      members: { "eve@example.com": owner, "olga@example.com": reader },
      invitations: [{ username: "bob@example.com", roles: reader }],
    },
    { name: "NUL: yes", tags: ["NO"] },
    { name: "projects" },
    { name: "東京", members: { "olga@example.com": owner } },
  ],
};

function adopt({ stack }: StackSetup) {
  return opsmanager(stack, ["adopt", "--members"]);
}

async function filesOf({ stack }: StackSetup): Promise<Record<string, string>> {
  const folder = join(stack.paths.program, "projects");
  const texts = (await readdir(folder)).map(async (name) => [
    name,
    await readFile(join(folder, name), "utf8"),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

async function listed({ stack }: StackSetup): Promise<string[]> {
  const { resources } = JSON.parse(await readFile(join(stack.paths.program, "import.json"), "utf8"));
  return resources.map(
    ({ type, logicalName }: Record<string, string>) => `${type?.split(":").at(-1)} ${logicalName}`,
  );
}

/** Adopts one project with a key that cannot read tags, then all others, then one more; with what each step printed and left. */
async function adoptThreeTimes() {
  const setup = await setUpProjectFolder({
    provider: "plugin",
    sandbox: { ldap: true, seed, tagsWithoutGlobalRole: "hide" },
    files: () => ({}),
  });
  const { sandbox, stack } = setup;
  const { orgId, publicKey } = sandbox;
  const [key] = sandbox.state.keys;
  sandbox.changeKey(publicKey, { roles: [{ orgId, roleName: "ORG_OWNER" }] });
  const withoutTags = await opsmanager(stack, ["adopt", "--members", "--name", "NUL*"]);
  await succeeded(stack.run(...importing));
  sandbox.changeKey(publicKey, { roles: key?.roles ?? [] });

  const all = { printed: await adopt(setup), files: await filesOf(setup), listed: await listed(setup) };
  await succeeded(stack.run(...importing));
  const unchanged = [await succeeded(stack.preview({ expectNoChanges: true }))];
  const names = await recorded(setup);
  unchanged.push(await succeeded(stack.up({ expectNoChanges: true })));
  const imported = { names, resources: (await stack.state()).resources };

  const nothingNew = await adopt(setup);
  const edited = `${all.files["zurich-ost.yaml"]}  grace@example.com: [GROUP_READ_ONLY]\n`;
  await writeFile(join(stack.paths.program, "projects", "zurich-ost.yaml"), edited);
  const { id } = sandbox.addProject({ name: "later" });
  sandbox.setMember(id, { username: "olga@example.com" }, owner);
  const printed = await adopt(setup);
  const one = { id, edited, printed, files: await filesOf(setup), listed: await listed(setup) };
  await succeeded(stack.run(...importing));
  const preview = doings(await succeeded(stack.preview()));
  const later = { ...one, preview, members: membersOf(sandbox, id) };
  const ids = Object.fromEntries(
    sandbox.state.projects.map((project) => [project.name, project.id.slice(-6)]),
  );
  return { withoutTags, all, unchanged, imported, nothingNew, later, ids, writes: writes(sandbox) };
}

describe("projects that were created outside Pulumi", () => {
  let story: Awaited<ReturnType<typeof adoptThreeTimes>>;
  beforeAll(async () => {
    story = await adoptThreeTimes();
  });

  it("opsmanager adopt writes one file for each project, and names them after the projects", () => {
    const { all, ids } = story;
    expect(all.printed).toMatchObject({
      exitCode: 0,
      stderr: "",
      stdout: expect.stringContaining(
        "5 project files written to projects, with 8 memberships (2 invited).\nimport.json lists 11 resources to import.\n",
      ),
    });
    expect(Object.keys(all.files).sort()).toEqual(
      [
        "_defaults.yaml",
        "projects.yaml",
        "nul-yes.yaml",
        `payments-${ids.payments}.yaml`,
        "payments.yaml",
        `project-${ids.東京}.yaml`,
        "zurich-ost.yaml",
      ].sort(),
    );
  });

  it("tags that the key cannot read are not declared, so no later run clears them", () => {
    expect(story.withoutTags).toMatchObject({ exitCode: 0 });
    expect(story.all.files["nul-yes.yaml"]).not.toContain("tags");
  });

  it("the proposed import records all adopted resources without a difference, and the first up records that people are deleted with their project", () => {
    const { all, imported, unchanged } = story;
    expect(unchanged.flatMap(doings)).toEqual([]);
    expect(imported.names).toEqual([...all.listed, "Project nul-yes"].sort());
    const people = imported.resources.filter(({ type }) => /ProjectMembers?$/.test(type));
    expect(people.map(({ deletedWith }) => deletedWith)).not.toContain(undefined);
  });

  it("opsmanager adopt without a new project takes what is imported out of the list", () => {
    expect(story.nothingNew).toMatchObject({
      exitCode: 0,
      stdout:
        "Nothing new: 6 projects of 6 have files in projects.\nimport.json lists nothing: the stack has what the files declare.\n",
    });
  });

  it("opsmanager adopt takes in a later project, and leaves an edited file as it is", () => {
    const { all, later } = story;
    expect(later.printed).toMatchObject({ exitCode: 0 });
    expect(later.listed).toEqual(["ProjectFolder projects", "Project later", "ProjectMembers later"]);
    expect(later.files).toMatchObject({ ...all.files, "zurich-ost.yaml": later.edited });
    expect(later.preview).toEqual(["create ProjectMember zurich-ost/grace@example.com"]);
    expect(later.members).toEqual({ "olga@example.com": owner });
  });

  it("adopting and importing send no request that writes", () => {
    expect(story.writes).toEqual([]);
  });
});

it("adopts the teams of a project, which follow their file from then on", async () => {
  const setup = await setUpProjectFolder({
    provider: "plugin",
    sandbox: { seed: { ...seedWithTeam, projects: [{ name: "payments" }] } },
    files: () => ({}),
  });
  const { sandbox, stack } = setup;
  const { id: projectId } = projectNamed(sandbox, "payments");
  const { id: teamId } = teamNamed(sandbox, "operators");
  sandbox.setProjectTeam(projectId, { teamId, roleNames: reader });
  expect(await opsmanager(stack, ["adopt", "--teams"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await listed(setup)).toEqual([
    "ProjectFolder projects",
    "Project payments",
    "ProjectTeam payments/operators",
  ]);
  await succeeded(stack.run(...importing));
  await succeeded(stack.up({ expectNoChanges: true }));
  expect(writes(sandbox)).toEqual([]);

  const { "payments.yaml": adopted = "" } = await filesOf(setup);
  await writeProjectFiles(setup, { "payments.yaml": adopted.replace("GROUP_READ_ONLY", "GROUP_OWNER") });
  expect(doings(await succeeded(stack.up()))).toEqual(["update ProjectTeam payments/operators"]);
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: owner });
  await writeProjectFiles(setup, { "payments.yaml": adopted.replace(/^teams:\n.*\n/m, "") });
  expect(doings(await succeeded(stack.up()))).toEqual(["delete ProjectTeam payments/operators"]);
  expect(projectTeamsOf(sandbox, projectId)).toEqual({});
  expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
});

it("with --shard imports what the stack of this shard declares, so its up removes no one", async () => {
  const names = ["alpha", "billing", "core", "data"];
  const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=ops,dc=example,dc=com"] }];
  const members = { "olga@example.com": owner, "ada@example.com": reader };
  const projects = names.map((name) => ({ name, members, ldapGroupMappings: mappings }));
  const setup = await setUpProjectFolder({
    provider: "plugin",
    sandbox: { ldap: true, seed: { projects } },
    select: "{ shard: { index: 0, count: 2 } }",
    files: () => ({}),
  });
  const { sandbox, stack } = setup;
  expect(await opsmanager(stack, ["adopt", "--members", "--shard", "0/2"])).toMatchObject({ exitCode: 0 });
  const own = names.filter((name) => shardOf(name, 2) === 0);
  expect(own.length).toBeGreaterThan(0);
  expect(own.length).toBeLessThan(names.length);
  expect((await listed(setup)).filter((entry) => entry.startsWith("Project "))).toEqual(
    own.map((name) => `Project ${name}`),
  );
  await succeeded(stack.run(...importing));
  expect(doings(await succeeded(stack.preview()))).toEqual([]);
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([]);
});
