/** The repository in the hands of a user: one `npm install` in a clone, or of the repository's address, and the plugin works. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describeIf, engine, itIf, npm, registryProblem, repositoryRoot, succeeded } from "../../support";
import { closeStacks, expectToWork, openStack, yamlPayments } from "./support/payments";

const { nodeHostVersion, canRunPlugins } = engine();
const hostProblem = `the Node language host ${nodeHostVersion} starts no plugin from PulumiPlugin.yaml`;
const gitProblem = existsSync(join(repositoryRoot, ".git")) ? "" : "this is not a git repository";
const problem = gitProblem || registryProblem();

/** A user's own: not the newer Node that the scripts of this repository put in front of it. */
const env = {
  PATH: (process.env.PATH ?? "")
    .split(delimiter)
    .filter((part) => !part.startsWith(join(repositoryRoot, "node_modules")))
    .join(delimiter),
};

let folder: string;
/** A repository of one commit, with what stands in this one just now, changes that are not committed included. */
let clone: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "opsmanager-clone-"));
  clone = join(folder, "clone");
  if (gitProblem) return;
  for (const file of trackedFiles()) {
    await mkdir(dirname(join(clone, file)), { recursive: true });
    await copyFile(join(repositoryRoot, file), join(clone, file));
  }
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message=All");
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
afterEach(closeStacks);

function trackedFiles(): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", args, { cwd: repositoryRoot, encoding: "utf8" }).split("\0");
  return files.filter((file) => file !== "" && existsSync(join(repositoryRoot, file)));
}

function git(...args: string[]): void {
  execFileSync("git", args, { cwd: clone });
}

describeIf(gitProblem === "", gitProblem)("npm's prepare step", () => {
  it("says what is missing where there is no compiler, and does not fail the installation", async () => {
    const output = await npm(clone, ["run", "prepare"], { env });
    expect(output).toContain("pulumi-opsmanager is not built: that takes its development dependencies");
    expect(existsSync(join(clone, "dist"))).toBe(false);
  });

  it("does nothing in the npm package, which has neither sources nor scripts", async () => {
    const unpacked = join(folder, "unpacked");
    await mkdir(unpacked);
    await copyFile(join(repositoryRoot, "package.json"), join(unpacked, "package.json"));
    expect(await npm(unpacked, ["run", "prepare", "--silent"], { env })).toBe("");
    expect(readdirSync(unpacked)).toEqual(["package.json"]);
  });
});

describeIf(problem === "", problem)("a clone of the repository", () => {
  it("is a plugin after one npm install, for programs that name its path", async () => {
    await npm(clone, ["install"], { env });
    await expectToWork(await openStack(yamlPayments(clone)));
    // What is there is built, so another one has nothing to do.
    expect(await npm(clone, ["run", "prepare", "--silent"], { env })).toBe("");
  }, 900_000);

  itIf(canRunPlugins, hostProblem)("is added as a package by its folder", async () => {
    const payments = await openStack(yamlPayments(null));
    await succeeded(payments.stack.run("package", "add", clone));
    await expectToWork(payments);
  });

  it("can be installed by its git address, and is built on the way", async () => {
    const user = join(folder, "user");
    await mkdir(user);
    await writeFile(join(user, "package.json"), JSON.stringify({ name: "estate", private: true }));
    await npm(user, ["install", "--allow-git=all", `git+${pathToFileURL(clone)}`], { env });
    const installed = join(user, "node_modules", "pulumi-opsmanager");
    expect(readdirSync(installed)).not.toContain("provider"); // what npm pack takes, not the sources
    await expectToWork(await openStack(yamlPayments(installed)));
  }, 900_000);
});
