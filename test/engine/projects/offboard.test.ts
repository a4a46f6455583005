/** A person leaves: out of every file with one command, out of the service with one `up`, and the review shows it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { attachPlugin, doings, writeFiles } from "../support/project-folder";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { ada, grace, linus, orgId, owner, seed } from "../teams/support";

afterEach(tearDownStacks);

const projects = Array.from({ length: 35 }, (_, index) => `project-${index + 1}`);
const teams = ["operators", "readers"];

const files = (people: readonly string[]) => {
  const rolesOf = (role: string) => people.map((name) => `  ${name}: [${role}]`);
  return {
    ...Object.fromEntries(
      projects.map((name) => [
        `projects/${name}.yaml`,
        [`name: ${name}`, "members:", `  ${owner}: [GROUP_OWNER]`, ...rolesOf("GROUP_READ_ONLY"), ""].join(
          "\n",
        ),
      ]),
    ),
    ...Object.fromEntries(
      teams.map((name) => [
        `teams/${name}.yaml`,
        `name: ${name}\nusernames: [${[...people, linus].join(", ")}]\n`,
      ]),
    ),
    "organizations/acme.yaml": ["members:", ...rolesOf("ORG_MEMBER"), ""].join("\n"),
  };
};

it("a person leaves 35 projects, two teams and the organization, and the review no longer names them", async () => {
  const setup = await setUpStack({
    provider: "dynamic",
    sandbox: { orgUserChanges: "offered", bypassInvitations: true, seed: { ...seed, projects: [] } },
    config: { "opsmanager:orgId": orgId },
    program: () => ({}),
  });
  const { sandbox, stack } = setup;
  await attachPlugin(setup);
  const program = `const { AccessFolder } = require("pulumi-opsmanager/projects");
new AccessFolder("access", { folder: ".", provider: "plugin" });`;
  await writeFile(join(stack.paths.program, "index.js"), program);
  await writeFiles(setup, files([ada, grace]));
  await succeeded(stack.up());
  const review = async () => (await opsmanager(stack, ["access", "--format", "csv"])).stdout;
  expect((await review()).split("\r\n").filter((line) => line.startsWith(`person,${ada},`))).toHaveLength(38);

  // The files of a part say nothing of the rest.
  const part = await opsmanager(stack, ["offboard", ada, "--dry-run"]);
  expect(part.exitCode).toBe(2);
  expect(part.stdout).toContain(`Declared by acme/${ada} (OrganizationMember): change that.`);
  expect(part.stdout).toContain("Declared by operators (Team): change that.");

  const { exitCode, stdout } = await opsmanager(stack, ["offboard", ada, "--layout", "access"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("38 files changed.");
  expect(stdout).toContain("The next up ends 38 ways of access.");
  const done = doings(await succeeded(stack.up()));
  expect(done).toEqual(
    [
      `delete OrganizationMember acme/${ada}`,
      ...projects.map((name) => `update ProjectMembers ${name}`),
      ...teams.map((name) => `update Team ${name}`),
    ].sort(),
  );
  expect(sandbox.user({ username: ada })?.roles).toEqual([]);
  const after = await review();
  expect(after).not.toContain(ada);
  expect(after.split("\r\n").filter((line) => line.startsWith(`person,${grace},`))).toHaveLength(38);
});
