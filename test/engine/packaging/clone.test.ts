/** The repository in the hands of a user: one `npm install` in a clone, and the plugin works. */
import { existsSync, readdirSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describeIf, engine, itIf, npm, registryProblem, repositoryRoot, succeeded } from "../../support";
import { type Clone, env, gitProblem, makeClone } from "./support/clone";
import { closeStacks, expectToWork, openStack, yamlPayments } from "./support/payments";

const { nodeHostVersion, canRunPlugins } = engine();
const hostProblem = `the Node language host ${nodeHostVersion} starts no plugin from PulumiPlugin.yaml`;
const problem = gitProblem || registryProblem();

let clone: Clone;

beforeAll(async () => {
  clone = await makeClone();
});
afterAll(() => clone.remove());
afterEach(closeStacks);

describeIf(gitProblem === "", gitProblem)("npm's prepare step", () => {
  it("reports what is missing where there is no compiler, and does not fail the installation", async () => {
    const uninstalled = await makeClone();
    try {
      const output = await npm(uninstalled.path, ["run", "prepare"], { env });
      expect(output).toContain("pulumi-opsmanager is not built: that takes its development dependencies");
      expect(existsSync(join(uninstalled.path, "dist"))).toBe(false);
    } finally {
      uninstalled.remove();
    }
  });

  it("does nothing in a package that was installed by its git address and has no scripts", async () => {
    const unpacked = join(clone.folder, "unpacked");
    await mkdir(unpacked);
    await copyFile(join(repositoryRoot, "package.json"), join(unpacked, "package.json"));
    expect(await npm(unpacked, ["run", "prepare", "--silent"], { env })).toBe("");
    expect(readdirSync(unpacked)).toEqual(["package.json"]);
  });
});

describeIf(gitProblem === "", gitProblem)("npm pack and npm publish in a clone", () => {
  it.each(["pack", "publish"])(
    "npm %s fails and names the command that makes the package",
    async (command) => {
      const uninstalled = await makeClone();
      try {
        const attempt = npm(uninstalled.path, [command, "--dry-run"], { env });
        await expect(attempt).rejects.toThrow("Run `npm run pack`");
        expect(existsSync(join(uninstalled.path, "dist"))).toBe(false);
      } finally {
        uninstalled.remove();
      }
    },
  );
});

describeIf(problem === "", problem)("a clone of the repository", () => {
  beforeAll(() => npm(clone.path, ["install"], { env }), 900_000);

  it("is a plugin after one npm install, for programs that name its path", async () => {
    await expectToWork(await openStack(yamlPayments(clone.path)));
    // What is there is built, so another one has nothing to do.
    expect(await npm(clone.path, ["run", "prepare", "--silent"], { env })).toBe("");
  });

  itIf(canRunPlugins, hostProblem)("is added as a package by its folder", async () => {
    const payments = await openStack(yamlPayments(null));
    await succeeded(payments.stack.run("package", "add", clone.path));
    await expectToWork(payments);
  });
});
