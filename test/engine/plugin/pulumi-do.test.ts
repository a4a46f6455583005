/** `pulumi do`: single operations without a program, with or without a stack. */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { createStack, disposeStacks, repositoryRoot, succeeded } from "../../support";
import { pluginArchive } from "../packaging/support/archive";
import { projectNamed, projectsNamed } from "../support/project-program";
import { connection } from "../support/stack-setup";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(async () => {
  await disposeStacks();
  await sandbox.close();
});

const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
const launcher = join(repositoryRoot, "pulumi-resource-opsmanager");

/** A stack whose environment has the settings of the service. */
async function setUpEmptyStack() {
  const stack = await createStack({ program: { outputs: {} } });
  stack.setEnv({
    OPSMANAGER_BASE_URL: sandbox.baseUrl,
    OPSMANAGER_PUBLIC_KEY: sandbox.publicKey,
    OPSMANAGER_PRIVATE_KEY: sandbox.privateKey,
  });
  return (kind: string, ...args: string[]) =>
    stack.run("do", "--stateless", "--package", launcher, `opsmanager:index:${kind}`, ...args);
}

it("`pulumi do` without a stack lists, reads and patches, and refuses to delete a project, because it would only release it", async () => {
  const run = await setUpEmptyStack();
  const { id } = sandbox.addProject({ name: "payments" });
  sandbox.setMember(id, { username: "ada@example.com" }, ["GROUP_READ_ONLY"]);
  sandbox.addInvitation(id, { username: "new@example.com", roles: ["GROUP_READ_ONLY"] });
  const listed = async (kind: string, ...flags: string[]) =>
    JSON.parse((await succeeded(run(kind, "list", ...flags))).stdout);

  expect(await listed("Project")).toEqual([{ id, name: "payments" }]);
  expect(await listed("ProjectMember", "--project-id", id, "--all")).toEqual([
    { id: `${id}/ada@example.com`, name: "ada@example.com" },
    { id: `${id}/new@example.com`, name: "new@example.com" },
  ]);
  expect((await succeeded(run("Project", "read", id))).output).toMatch(/origin *: "imported"/);
  await succeeded(run("Project", "patch", id, "--name", "chargebacks", "--yes"));
  expect(sandbox.project(id)?.name).toBe("chargebacks");

  const deletion = await run("Project", "delete", id, "--yes");
  expect(deletion.exitCode).not.toBe(0);
  expect(deletion.output).toContain(`Deleting Project ${id} failed: \`pulumi do --stateless\` reads it`);
  expect(projectNamed(sandbox, "chargebacks").id).toBe(id);
});

// With the setting true, the engine's second `pulumi do` writes the resource into the state twice.
it("`pulumi do` on a stack creates or adopts, changes and deletes with `refreshBeforeUpdate: false`", async () => {
  const stack = await createStack({
    program: { outputs: {}, pluginFolder: null },
    config: { ...connection(sandbox), "opsmanager:refreshBeforeUpdate": "false" },
  });
  const archive = await pluginArchive();
  await succeeded(stack.run("plugin", "install", "resource", "opsmanager", version, "--file", archive));
  const project = (...args: string[]) =>
    succeeded(
      stack.run("do", "--package", `opsmanager@${version}`, "opsmanager:index:Project", ...args, "--yes"),
    );
  await project("create", "refunds", "--org-id", sandbox.orgId, "--name", "refunds");
  const { id } = projectNamed(sandbox, "refunds");
  await project("patch", "refunds", "--name", "chargebacks");
  expect(projectNamed(sandbox, "chargebacks").id).toBe(id);
  await project("delete", "refunds");
  expect(projectsNamed(sandbox, "chargebacks")).toEqual([]);

  const { id: existing } = sandbox.addProject({ name: "orders" });
  // The command has no flag for an enum (3.259.0, do_shared.go, addInputFlagsTo).
  const inputs = join(stack.paths.program, "orders.pp");
  await writeFile(inputs, `projectId = "${existing}"\nonDestroy = "delete"\n`);
  await project("create", "orders", "--input", "pcl", "--input-file", inputs);
  await project("delete", "orders");
  expect(sandbox.project(existing)).toBeUndefined();
});
