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

it("`pulumi do --stateless ... delete` fails for a project, because it would only release it", async () => {
  const run = await setUpEmptyStack();
  const { id } = sandbox.addProject({ name: "payments", orgId: sandbox.orgId });
  await succeeded(run("Project", "read", id));
  const deletion = await run("Project", "delete", id, "--yes");
  expect(deletion.exitCode).not.toBe(0);
  expect(deletion.output).toContain(`Deleting Project ${id} failed: \`pulumi do --stateless\` reads it`);
  expect(projectNamed(sandbox, "payments").id).toBe(id);
});

it("`pulumi do ... list` prints the objects of a kind, and reads and patches them by these ids", async () => {
  const run = await setUpEmptyStack();
  const { orgId } = sandbox;
  const { id } = sandbox.addProject({ name: "payments" });
  sandbox.setMember(id, { username: "ada@example.com" }, ["GROUP_READ_ONLY"]);
  sandbox.addInvitation(id, { username: "new@example.com", roles: ["GROUP_READ_ONLY"] });
  const list = async (...args: [string, ...string[]]) => {
    const [kind, ...flags] = args;
    return JSON.parse((await succeeded(run(kind, "list", ...flags))).stdout);
  };

  expect(await list("Project")).toEqual([{ id, name: "payments" }]);
  expect(await list("ProjectMember", "--project-id", id, "--all")).toEqual([
    { id: `${id}/ada@example.com`, name: "ada@example.com" },
    { id: `${id}/new@example.com`, name: "new@example.com" },
  ]);
  expect(await list("ProjectMember", "--project-id", id, "--count", "1")).toHaveLength(1);

  expect((await succeeded(run("Project", "read", id))).output).toMatch(/origin *: "imported"/);
  await succeeded(run("Project", "patch", id, "--name", "chargebacks", "--yes"));
  expect(await list("Project", "--org-id", orgId)).toEqual([{ id, name: "chargebacks" }]);

  const refused = await run("Team", "list", "--org-id", "mine");
  expect(refused.exitCode).not.toBe(0);
  expect(refused.output).toContain(
    "Listing Team failed: orgId must be the id of an organization: 24 hexadecimal digits.",
  );
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
  await project("patch", "orders", "--name", "sales");
  expect(sandbox.project(existing)?.name).toBe("sales");
  await project("delete", "orders");
  expect(sandbox.project(existing)).toBeUndefined();
});
