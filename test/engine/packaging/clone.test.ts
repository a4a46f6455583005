/** The repository in the hands of a user who installs it from Git. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describeIf, itIf, npm, registryProblem, repositoryRoot } from "../../support";
import { type Clone, env, gitProblem, makeClone } from "./support/clone";
import { closeStacks, expectToWork, openStack, yamlPayments } from "./support/payments";

jest.setTimeout(900_000);

/** Runs npm's prepare step as npm does, and returns what it printed. The installation below has npm itself run it. */
function prepare(cwd: string): string {
  const { scripts } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
  const { status, output } = spawnSync(scripts.prepare, {
    cwd,
    env: { ...process.env, ...env },
    shell: true,
    encoding: "utf8",
  });
  expect(status).toBe(0);
  return output.join("");
}

describeIf(gitProblem === "", gitProblem)("a clone of the repository", () => {
  let clone: Clone;
  beforeAll(async () => {
    clone = await makeClone();
  });
  afterAll(() => clone?.remove());
  afterEach(closeStacks);

  it("is not built without a compiler: npm's prepare step says so and npm pack fails; where it was installed it does nothing", async () => {
    expect(prepare(clone.path)).toContain(
      "pulumi-opsmanager is not built: that takes its development dependencies",
    );
    await expect(npm(clone.path, ["pack", "--dry-run"], { env })).rejects.toThrow("Run `npm run pack`");
    expect(existsSync(join(clone.path, "dist"))).toBe(false);
    const unpacked = join(clone.folder, "unpacked");
    await mkdir(unpacked);
    await copyFile(join(repositoryRoot, "package.json"), join(unpacked, "package.json"));
    expect(prepare(unpacked)).toBe("");
    expect(readdirSync(unpacked)).toEqual(["package.json"]);
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
