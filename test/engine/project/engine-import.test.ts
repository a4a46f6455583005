/** Objects that exist already: `pulumi import`, the option `import`, and `.get()`. What they record: `test/integration`. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import { type Program, succeeded } from "../../support";
import { ada, grace, olga, owners, readers } from "../../support/people";
import { useGenerated } from "../support/mechanics";
import { membersOf, paymentsId, upAgain } from "../support/people-program";
import {
  bothProviders,
  emptyProgram,
  errorsOf,
  messagesOf,
  projectNamed,
  writes,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { teamNamed } from "../teams/support";

afterEach(tearDownStacks);

const token = (kind: string) => `opsmanager:index:${kind}`;
const orgId = "5f0000000000000000000001";
const absentId = "5f0000000000000000000abc";
const tags = ["PROD"];
const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=platform"] }];
const members = { [olga]: owners, "Ada@Example.com": ["GROUP_READ_ONLY", "GROUP_DATA_ACCESS_ADMIN"] };
const seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  users: [{ username: grace, roles: [{ orgId, roleName: "ORG_MEMBER" }] }],
  teams: [{ name: "operators", usernames: [grace] }],
  projects: [
    { name: "payments", tags, ldapGroupMappings, members },
    { name: "orders", invitations: [{ username: grace, roles: readers }] },
    { name: "search", members },
  ],
};

/** One object of each kind and their IDs, and what a program may not give: a key without a description, and one with a long one. */
function existing(sandbox: Sandbox) {
  const projectId = paymentsId(sandbox);
  const team = teamNamed(sandbox, "operators");
  sandbox.setProjectTeam(projectId, { teamId: team.id, roleNames: readers });
  const roles = [
    { roleName: "ORG_MEMBER", orgId },
    { roleName: "GROUP_READ_ONLY", groupId: projectId },
  ];
  const key = sandbox.addKey({ desc: "pipeline", orgId, roles });
  const agentKeys = ["", "x".repeat(1001)].map((desc) => sandbox.addAgentKey(projectId, { desc }));
  return {
    payments: { type: token("Project"), id: projectId },
    ada: { type: token("ProjectMember"), id: `${projectId}/ada@EXAMPLE.com` },
    invited: { type: token("ProjectMember"), id: `${projectNamed(sandbox, "orders").id}/${grace}` },
    people: { type: token("ProjectMembers"), id: projectNamed(sandbox, "search").id },
    operators: { type: token("Team"), id: `${orgId}/operators` },
    inPayments: { type: token("ProjectTeam"), id: `${projectId}/${team.id}` },
    pipeline: { type: token("ApiKey"), id: `${orgId}/${key.id}` },
    access: { type: token("ProjectApiKey"), id: `${projectId}/${key.id}` },
    grace: { type: token("OrganizationMember"), id: `${orgId}/${grace}` },
    unnamed: { type: token("AgentApiKey"), id: `${projectId}/${agentKeys[0]?.id}` },
    long: { type: token("AgentApiKey"), id: `${projectId}/${agentKeys[1]?.id}` },
  };
}

it("objects of each kind are imported by their IDs, the program that import writes has no difference to them", async () => {
  const setup = await setUpStack({
    sandbox: { ldap: true, seed, orgUserChanges: "offered" },
    program: () => emptyProgram,
  });
  const { sandbox, stack } = setup;
  // Trap 1: import reads the properties alone, so an empty struct would be adopted as a ghost.
  const absent = await stack.import(token("Project"), "payments", absentId);
  expect([absent.exitCode === 0, absent.output]).toEqual([false, expect.stringContaining(absentId)]);
  expect(await stack.resource("payments")).toBeUndefined();

  const objects = Object.entries(existing(sandbox)).map(([name, object]) => ({ name, ...object }));
  const file = join(stack.paths.root, "import.json");
  const out = join(stack.paths.root, "generated.yaml");
  await writeFile(file, JSON.stringify({ resources: objects }));
  const flags = ["--protect=false", "--yes", "--skip-preview", "--out", out];
  const run = await succeeded(stack.run("import", "--file", file, ...flags));
  expect(messagesOf(run, "warning")).not.toContain("failed to validate");
  expect(await stack.resource("payments")).toMatchObject({
    inputs: { orgId, name: "payments", tags, ldapGroupMappings },
    outputs: { origin: "imported", onDestroy: "release" },
  });
  await useGenerated(stack, out);
  expect(await upAgain(setup)).toEqual({ changes: { same: objects.length }, writes: [] });
});

it("the import option brings objects to what the program declares, takes no absent one, and keeps a key whose resource was removed in the same run", async () => {
  const setup = await setUpStack({
    sandbox: { seed },
    program: (service) => ({
      resources: {
        agents: {
          type: "AgentApiKey",
          properties: { projectId: paymentsId(service), description: "agents" },
        },
      },
    }),
  });
  const { sandbox, stack } = setup;
  const projectId = paymentsId(sandbox);
  await succeeded(stack.up());
  const [, key] = sandbox.project(projectId)?.agentKeys ?? [];
  const userId = sandbox.user({ username: ada })?.id;
  const program = (ids?: { project: string; person: string; key: string }): Program => ({
    resources: {
      payments: {
        type: "Project",
        properties: { orgId, name: "payments", tags: ["PROD", "TEAM-A"] },
        options: ids ? { import: ids.project } : {},
      },
      ada: {
        type: "ProjectMember",
        properties: { projectId, username: ada, roles: readers },
        options: ids ? { import: ids.person } : {},
      },
      renamed: {
        type: "AgentApiKey",
        properties: { projectId, description: "agents" },
        options: ids ? { import: ids.key } : {},
      },
    },
  });
  const ids = { person: `${projectId}/${userId}`, key: `${projectId}/${key?.id}` };
  await stack.setProgram(program({ project: absentId, ...ids }));
  expect(await errorsOf(stack.up())).toContain(absentId);
  expect(await stack.resource("payments")).toBeUndefined();

  await stack.setProgram(program({ project: projectId, ...ids }));
  const up = await succeeded(stack.up());
  expect(messagesOf(up, "info")).toContain(`Agent API key ${key?.id} of project ${projectId} was kept`);
  expect(sandbox.project(projectId)).toMatchObject({ tags: ["PROD", "TEAM-A"] });
  expect(sandbox.project(projectId)?.agentKeys).toContainEqual(key);
  expect(membersOf(sandbox)).toMatchObject({ "Ada@Example.com": readers });
  for (const name of ["payments", "ada"])
    expect(await stack.resource(name)).toMatchObject({ outputs: { origin: "imported" } });
  await stack.setProgram(program());
  expect(await upAgain(setup)).toEqual({ changes: { same: 3 }, writes: [] });
});

it.each(bothProviders)(
  "a project that another stack manages is read by .get(), and is never changed or deleted (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({ provider, program: () => getProgram(absentId) });
    expect(await errorsOf(stack.up())).toContain(absentId);
    expect(await stack.resource("payments")).toBeUndefined();

    const { id } = sandbox.addProject({ name: "payments", tags });
    await stack.setProgram(getProgram(id));
    await succeeded(stack.up());
    expect(await stack.outputs()).toMatchObject({ name: "payments", tags, orgId: sandbox.orgId });
    expect(await stack.resource("payments")).toMatchObject({ external: true, id });
    sandbox.changeProject(id, { tags: ["URGENT"] });
    await succeeded(stack.up());
    expect(await stack.outputs()).toMatchObject({ tags: ["URGENT"] });
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(id)).toBeDefined();
  },
);

function getProgram(id: string): Program {
  return {
    resources: { payments: { type: "Project", get: { id } } },
    outputs: { name: "${payments.name}", tags: "${payments.tags}", orgId: "${payments.orgId}" },
  };
}
