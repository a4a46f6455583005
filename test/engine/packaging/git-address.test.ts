/** The repository in the hands of a user who installs it by its git address. */
import { readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describeIf, npm, registryProblem } from "../../support";
import { type Clone, env, gitProblem, makeClone } from "./support/clone";
import { closeStacks, expectToWork, openStack, yamlPayments } from "./support/payments";

const problem = gitProblem || registryProblem();

let clone: Clone;

beforeAll(async () => {
  clone = await makeClone();
});
afterAll(() => clone.remove());
afterEach(closeStacks);

describeIf(problem === "", problem)("the repository", () => {
  it("can be installed by its git address, and is built during the installation", async () => {
    const user = join(clone.folder, "user");
    await mkdir(user);
    await writeFile(join(user, "package.json"), JSON.stringify({ name: "platform", private: true }));
    await npm(user, ["install", "--allow-git=all", `git+${pathToFileURL(clone.path)}`], { env });
    const installed = join(user, "node_modules", "pulumi-opsmanager");
    expect(readdirSync(installed)).not.toContain("provider"); // what npm pack takes, not the sources
    await expectToWork(await openStack(yamlPayments(installed)));
  }, 900_000);
});
