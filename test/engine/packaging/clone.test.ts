/** The repository in the hands of a user who installs it from Git. */
import { existsSync, readdirSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describeIf, itIf, npm, registryProblem, repositoryRoot } from "../../support";
import { type Clone, env, gitProblem, makeClone } from "./support/clone";
import { closeStacks, expectToWork, openStack, yamlPayments } from "./support/payments";

jest.setTimeout(900_000);

describeIf(gitProblem === "", gitProblem)("a clone of the repository", () => {
  let clone: Clone;
  beforeAll(async () => {
    clone = await makeClone();
  });
  afterAll(() => clone?.remove());
  afterEach(closeStacks);

  it("reports in npm's prepare step that there is no compiler, and does not fail the installation", async () => {
    const output = await npm(clone.path, ["run", "prepare"], { env });
    expect(output).toContain("pulumi-opsmanager is not built: that takes its development dependencies");
    expect(existsSync(join(clone.path, "dist"))).toBe(false);
  });

  it("does nothing in npm's prepare step if it was installed by its git address and has no scripts", async () => {
    const unpacked = join(clone.folder, "unpacked");
    await mkdir(unpacked);
    await copyFile(join(repositoryRoot, "package.json"), join(unpacked, "package.json"));
    expect(await npm(unpacked, ["run", "prepare", "--silent"], { env })).toBe("");
    expect(readdirSync(unpacked)).toEqual(["package.json"]);
  });

  it("fails with npm pack and names the command that makes the package", async () => {
    await expect(npm(clone.path, ["pack", "--dry-run"], { env })).rejects.toThrow("Run `npm run pack`");
    expect(existsSync(join(clone.path, "dist"))).toBe(false);
  });

  // npm clones it, runs `npm install` in its clone, and packs what that has built.
  itIf(registryProblem() === "", registryProblem())(
    "is built and installed by npm by its git address, and works as a plugin",
    async () => {
      const user = join(clone.folder, "user");
      await mkdir(user);
      await writeFile(join(user, "package.json"), JSON.stringify({ name: "platform", private: true }));
      await npm(user, ["install", "--allow-git=all", `git+${pathToFileURL(clone.path)}`], { env });
      const installed = join(user, "node_modules", "pulumi-opsmanager");
      expect(readdirSync(installed)).not.toContain("provider"); // what npm pack takes, not the sources
      await expectToWork(await openStack(yamlPayments(installed)));
    },
  );
});
