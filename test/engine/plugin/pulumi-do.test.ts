/** `pulumi do`: single operations without a program, with or without a stack. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot, succeeded } from "../../support";
import { pluginArchive } from "../packaging/support/archive";
import { projectNamed, projectsNamed } from "../support/project-program";
import { connectionInEnvironment, setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));

// With the setting true, the engine's second `pulumi do` writes the resource into the state twice.
it("`pulumi do` creates, changes and deletes on a stack with `refreshBeforeUpdate: false`; without one it lists, and refuses to delete a project, because it would only release it", async () => {
  const { sandbox, stack } = await setUpStack({
    plugin: "started",
    program: () => ({ outputs: {}, pluginFolder: null }),
    config: { "opsmanager:refreshBeforeUpdate": "false" },
  });
  stack.setEnv(connectionInEnvironment(sandbox)); // Without a stack, there are no settings of one.
  const archive = await pluginArchive();
  await succeeded(stack.run("plugin", "install", "resource", "opsmanager", version, "--file", archive));
  const run = (kind: string, ...args: string[]) =>
    stack.run("do", "--package", `opsmanager@${version}`, `opsmanager:index:${kind}`, ...args);

  await succeeded(
    run("Project", "create", "refunds", "--org-id", sandbox.orgId, "--name", "refunds", "--yes"),
  );
  const { id } = projectNamed(sandbox, "refunds");
  await succeeded(run("Project", "patch", "refunds", "--name", "chargebacks", "--yes"));
  expect(projectNamed(sandbox, "chargebacks").id).toBe(id);
  const refused = await run("Project", "delete", id, "--stateless", "--yes");
  expect(refused.exitCode).not.toBe(0);
  expect(refused.output).toContain(
    `Deleting Project ${id} ("chargebacks") failed: \`pulumi do --stateless\` reads it`,
  );
  expect(projectNamed(sandbox, "chargebacks").id).toBe(id);

  sandbox.setMember(id, { username: "ada@example.com" }, ["GROUP_READ_ONLY"]);
  sandbox.addInvitation(id, { username: "new@example.com", roles: ["GROUP_READ_ONLY"] });
  const listed = await succeeded(run("ProjectMember", "list", "--stateless", "--project-id", id, "--all"));
  expect(JSON.parse(listed.stdout)).toEqual(
    ["ada@example.com", "new@example.com", "owner@example.com"].map((name) => ({
      id: `${id}/${name}`,
      name,
    })),
  );
  await succeeded(run("Project", "delete", "refunds", "--yes"));
  expect(projectsNamed(sandbox, "chargebacks")).toEqual([]);
});
