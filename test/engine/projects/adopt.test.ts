/** Adopts projects that were created outside Pulumi into a folder of files and a stack: adopt, import, preview. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shardOf } from "../../../provider/projects/select";
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

it("adopts what exists without a change to it, imports it without a difference, and takes in what comes later", async () => {
  const setup = await setUpProjectFolder({
    provider: "plugin",
    sandbox: { ldap: true, seed, tagsWithoutGlobalRole: "hide" },
    files: () => ({}),
  });
  const { sandbox, stack } = setup;
  const { orgId, publicKey } = sandbox;
  const [key] = sandbox.state.keys;

  // A key that cannot read tags: they are not declared, and no later run clears them.
  sandbox.changeKey(publicKey, { roles: [{ orgId, roleName: "ORG_OWNER" }] });
  expect(await opsmanager(stack, ["adopt", "--members", "--name", "NUL*"])).toMatchObject({ exitCode: 0 });
  await succeeded(stack.run(...importing));
  sandbox.changeKey(publicKey, { roles: key?.roles ?? [] });

  expect(await adopt(setup)).toMatchObject({
    exitCode: 0,
    stderr: "",
    stdout: expect.stringContaining(
      "5 project files written to projects, with 8 memberships (2 invited).\nimport.json lists 11 resources to import.\n",
    ),
  });
  const id = (name: string) => projectNamed(sandbox, name).id.slice(-6);
  const written = await filesOf(setup);
  expect(Object.keys(written).sort()).toEqual(
    [
      "projects.yaml",
      "nul-yes.yaml",
      `payments-${id("payments")}.yaml`,
      "payments.yaml",
      `project-${id("東京")}.yaml`,
      "zurich-ost.yaml",
    ].sort(),
  );
  expect(written["nul-yes.yaml"]).not.toContain("tags");

  await succeeded(stack.run(...importing));
  const preview = await succeeded(stack.preview({ expectNoChanges: true }));
  expect(doings(preview)).toEqual([]);
  expect(await recorded(setup)).toEqual([...(await listed(setup)), "Project nul-yes"].sort());
  await succeeded(stack.up({ expectNoChanges: true }));
  expect(writes(sandbox)).toEqual([]);
  const people = (await stack.state()).resources.filter(({ type }) => /ProjectMembers?$/.test(type));
  expect(people.map(({ deletedWith }) => deletedWith)).not.toContain(undefined);

  // Nothing new, then one project more; an edited file is left unchanged.
  expect(await adopt(setup)).toMatchObject({
    exitCode: 0,
    stdout: "Nothing new: 6 projects of 6 have files in projects. Nothing was written.\n",
  });
  const edited = `${written["zurich-ost.yaml"]}  grace@example.com: [GROUP_READ_ONLY]\n`;
  await writeFile(join(stack.paths.program, "projects", "zurich-ost.yaml"), edited);
  const later = sandbox.addProject({ name: "later" });
  sandbox.setMember(later.id, { username: "olga@example.com" }, owner);
  expect(await adopt(setup)).toMatchObject({ exitCode: 0 });
  expect(await listed(setup)).toEqual(["ProjectFolder projects", "Project later", "ProjectMembers later"]);
  expect(await filesOf(setup)).toMatchObject({ ...written, "zurich-ost.yaml": edited });
  await succeeded(stack.run(...importing));
  expect(doings(await succeeded(stack.preview()))).toEqual([
    "create ProjectMember zurich-ost/grace@example.com",
  ]);
  expect(writes(sandbox)).toEqual([]);
  expect(membersOf(sandbox, later.id)).toEqual({ "olga@example.com": owner });
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
