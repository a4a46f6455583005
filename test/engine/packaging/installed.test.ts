/**
 * The npm package as a plugin in the hands of a user. docs/get-started.test.ts installs it with npm, and has the plugin that
 * `Pulumi.yaml` names by its path. clone.test.ts has the plugin of a YAML program in another folder. dynamic/module-systems.test.ts
 * has the dynamic provider.
 */
import { readFileSync } from "node:fs";
import { appendFile, cp, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describeIf, engine, itIf, registryProblem, repositoryRoot, succeeded } from "../../support";
import { installation } from "../support/installed-package";
import { closeStacks, expectToWork, openStack, yamlPayments } from "./support/payments";

const { nodeHostVersion, canRunPlugins } = engine();
const hostProblem = `the Node language host ${nodeHostVersion} starts no plugin from PulumiPlugin.yaml`;
const problem = registryProblem();
const packageOf = (...path: string[]) => JSON.parse(readFileSync(join(...path, "package.json"), "utf8"));
const { version } = packageOf(repositoryRoot);

describeIf(problem === "", problem)("the npm package in a folder", () => {
  /** Shared by all tests, and with other files. */
  let installed: string;
  beforeAll(async () => {
    installed = await installation("minimal", packageOf(repositoryRoot, "examples", "minimal"));
  }, 600_000);
  afterEach(closeStacks);

  const program = () => ({ folder: join(__dirname, "programs", "on-path"), installation: installed });
  const packageIn = (parent: string) => join(parent, "node_modules", "pulumi-opsmanager");

  it("works as a plugin on PATH, where npm has linked it", async () => {
    const payments = await openStack(program());
    const { stack } = payments;
    stack.setEnv({
      PATH: [join(stack.paths.program, "node_modules", ".bin"), engine().bin, process.env.PATH].join(
        delimiter,
      ),
    });
    await expectToWork(payments);
  });

  // pulumi runs `npm install` in the folder first, for its PulumiPlugin.yaml (pkg v3.259.0, packageinstallation.go).
  itIf(canRunPlugins, hostProblem)("works as a package that a YAML program adds by its folder", async () => {
    const payments = await openStack(yamlPayments(null));
    const { stack } = payments;
    const own = join(stack.paths.root, "pulumi-opsmanager");
    await cp(packageIn(installed), own, { recursive: true });
    const { stdout } = await succeeded(stack.run("package", "get-schema", own));
    expect(JSON.parse(stdout)).toMatchObject({ name: "opsmanager", version });
    await succeeded(stack.run("package", "add", own));
    await expectToWork(payments);
  });

  itIf(canRunPlugins, hostProblem)("works as a plugin that is started by its PulumiPlugin.yaml", async () => {
    const payments = await openStack(program());
    const folder = payments.stack.paths.program;
    const path = "plugins: { providers: [{ name: opsmanager, path: ./node_modules/pulumi-opsmanager }] }\n";
    await appendFile(join(folder, "Pulumi.yaml"), path);
    const own = packageIn(folder);
    await rm(own); // a link
    await cp(packageIn(installed), own, { recursive: true });
    for (const launcher of ["pulumi-resource-opsmanager", "pulumi-resource-opsmanager.cmd"])
      await rm(join(own, launcher));
    await expectToWork(payments);
  });
});
