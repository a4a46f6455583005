/** A person leaves: out of every file with one command, out of the service with one `up`, and the review shows it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { attachPlugin, doings, writeFiles } from "../support/project-folder";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { ada, grace, linus, orgId, owner, seed } from "../teams/support";

afterEach(tearDownStacks);

const projects = ["archive", "billing", "payments"];
const teams = ["operators", "readers"];

const files = (people: readonly string[]) => {
  const rolesOf = (role: string) => people.map((name) => `  ${name}: [${role}]\n`).join("");
  const project = (name: string) =>
    `name: ${name}\nmembers:\n  ${owner}: [GROUP_OWNER]\n${rolesOf("GROUP_READ_ONLY")}`;
  const team = (name: string) => `name: ${name}\nusernames: [${[...people, linus].join(", ")}]\n`;
  return {
    ...Object.fromEntries(projects.map((name) => [`projects/${name}.yaml`, project(name)])),
    ...Object.fromEntries(teams.map((name) => [`teams/${name}.yaml`, team(name)])),
    "organizations/acme.yaml": `members:\n${rolesOf("ORG_MEMBER")}`,
  };
};

it("a person leaves all projects, two teams and the organization, and the review no longer names them", async () => {
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
  const reviewOf = async (person: string) => {
    const { stdout } = await opsmanager(stack, ["access", "--format", "csv"]);
    return stdout.split("\r\n").filter((line) => line.startsWith(`person,${person},`));
  };
  expect(await reviewOf(ada)).toHaveLength(6);

  // The files of a part say nothing of the rest.
  const part = await opsmanager(stack, ["offboard", ada, "--dry-run"]);
  expect(part.exitCode).toBe(2);
  expect(part.stdout).toContain(`Declared by acme/${ada} (OrganizationMember): change that.`);
  expect(part.stdout).toContain("Declared by operators (Team): change that.");

  const { exitCode, stdout } = await opsmanager(stack, ["offboard", ada, "--layout", "access"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("6 files changed.");
  expect(stdout).toContain("The next up ends 6 ways of access.");
  expect(doings(await succeeded(stack.up()))).toEqual([
    `delete OrganizationMember acme/${ada}`,
    ...projects.map((name) => `update ProjectMembers ${name}`),
    ...teams.map((name) => `update Team ${name}`),
  ]);
  expect(sandbox.user({ username: ada })?.roles).toEqual([]);
  expect(await reviewOf(ada)).toEqual([]);
  expect(await reviewOf(grace)).toHaveLength(6);
});
