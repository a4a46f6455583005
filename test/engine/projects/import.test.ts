/** `opsmanager import` of what `adopt` listed: the program finds nothing to change afterwards. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Seed } from "../../../sandbox";
import { succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { doings, recorded, setUpProjectFolder, writeProjectFiles } from "../support/project-folder";
import { projectNamed, writes } from "../support/project-program";
import { type StackSetup, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];
const seed: Seed = {
  teams: [{ name: "operators", usernames: ["eve@example.com"] }],
  projects: [
    {
      name: "payments",
      tags: ["PROD"],
      members: { "olga@example.com": owner, "Ada@Example.com": reader },
      invitations: [{ username: "bob@example.com", roles: reader }],
    },
    {
      name: "mapped",
      ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=ops"] }],
      members: { "olga@example.com": owner, "eve@example.com": reader },
    },
    { name: "deleted", members: { "olga@example.com": owner } },
  ],
};

/** The import records a team and a key by ID, as its ID has it, and the program may name them otherwise. */
const byId = /:Project(Team|ApiKey)$/;

/** What the first `up` could change in the state: without times, places in the program, and secrets, which are encrypted again. */
async function stateOf({ stack }: StackSetup) {
  const { resources } = await stack.state();
  const own = resources.filter(({ type }) => !type.startsWith("pulumi:"));
  const facts = own.map((resource) => {
    const {
      modified: _,
      sourcePosition: __,
      stackTrace: ___,
      ...rest
    } = { ...resource } as Record<string, unknown>;
    return byId.test(resource.type) ? { ...rest, inputs: undefined } : rest;
  });
  return facts.sort((one, other) => (String(one.urn) < String(other.urn) ? -1 : 1));
}

it("goes on after what no longer exists, is repeated for the rest, and the first up changes nothing, not even the state", async () => {
  const setup = await setUpProjectFolder({
    provider: "plugin",
    sandbox: { ldap: true, seed },
    files: () => ({}),
  });
  const { sandbox, stack } = setup;
  const { id } = projectNamed(sandbox, "payments");
  sandbox.setProjectTeam(id, { teamId: sandbox.state.teams[0]?.id ?? "", roleNames: reader });
  sandbox.addKey({
    publicKey: "abcdwxyz",
    orgId: sandbox.orgId,
    roles: [{ groupId: id, roleName: "GROUP_READ_ONLY" }],
  });
  const all = ["adopt", "--members", "--teams", "--keys"];
  expect(await opsmanager(stack, all)).toMatchObject({ exitCode: 0, stderr: "" });
  sandbox.removeProject(projectNamed(sandbox, "deleted").id);
  sandbox.removeMember(projectNamed(sandbox, "mapped").id, { username: "eve@example.com" });

  const first = await opsmanager(stack, ["import"]);
  expect(first).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      /^opsmanager: 3 resources of the list do not exist, or the key cannot see them: Project deleted, ProjectMembers deleted, and ProjectMember mapped\/eve@example\.com\. pulumi up would create what the files declare: change the files first\./,
    ),
    stdout: expect.stringContaining("6 resources imported into stack test. Nothing was sent that writes.\n"),
  });
  const names = [
    "Project mapped",
    "Project payments",
    "ProjectApiKey payments/abcdwxyz",
    "ProjectFolder projects",
    "ProjectMember mapped/olga@example.com",
    "ProjectMembers payments",
    "ProjectTeam payments/operators",
  ];
  expect(await recorded(setup)).toEqual(names);

  await writeProjectFiles(setup, { "deleted.yaml": undefined });
  await rm(join(stack.paths.program, "import.json"));
  expect(await opsmanager(stack, all)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(doings(await succeeded(stack.preview()))).toEqual(["create ProjectMember mapped/eve@example.com"]);
  sandbox.setMember(projectNamed(sandbox, "mapped").id, { username: "eve@example.com" }, reader);
  expect(await opsmanager(stack, all)).toMatchObject({
    stdout: expect.stringContaining("\nimport.json lists 1 resource to import.\n"),
  });
  expect(await opsmanager(stack, ["import"])).toMatchObject({
    exitCode: 0,
    stderr: "",
    stdout: expect.stringContaining("1 resource imported into stack test."),
  });
  const imported = await stateOf(setup);
  expect(doings(await succeeded(stack.preview({ expectNoChanges: true })))).toEqual([]);
  await succeeded(stack.up({ expectNoChanges: true }));
  expect(await stateOf(setup)).toEqual(imported);
  expect(writes(sandbox)).toEqual([]);
});
