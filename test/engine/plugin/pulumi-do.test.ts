/** `pulumi do --stateless`: single operations without a program and without a stack. */
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { createStack, disposeStacks, repositoryRoot, succeeded } from "../../support";
import { projectNamed } from "../support/project-program";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(async () => {
  await disposeStacks();
  await sandbox.close();
});

const launcher = join(repositoryRoot, "pulumi-resource-opsmanager");

it("`pulumi do --stateless ... delete` fails for a project, because it would only release it", async () => {
  const stack = await createStack({ program: { outputs: {} } });
  stack.setEnv({
    OPSMANAGER_BASE_URL: sandbox.baseUrl,
    OPSMANAGER_PUBLIC_KEY: sandbox.publicKey,
    OPSMANAGER_PRIVATE_KEY: sandbox.privateKey,
  });
  const { id } = sandbox.addProject({ name: "payments", orgId: sandbox.orgId });
  const project = ["do", "--stateless", "--package", launcher, "opsmanager:index:Project"];
  await succeeded(stack.run(...project, "read", id));
  const deletion = await stack.run(...project, "delete", id, "--yes");
  expect(deletion.exitCode).not.toBe(0);
  expect(deletion.output).toContain(`Deleting Project ${id} failed: \`pulumi do --stateless\` reads it`);
  expect(projectNamed(sandbox, "payments").id).toBe(id);
});
