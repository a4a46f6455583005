/** The npm package in the hands of a user: installed by npm into an empty folder, and used through every installation option. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import {
  describeIf,
  engine,
  itIf,
  npm,
  packRepository,
  registryProblem,
  repositoryRoot,
  type Stack,
  succeeded,
} from "../../support";
import { type Barrier, startBarrier } from "./support/barrier";
import { closeStacks, expectToWork, openStack, yamlPayments } from "./support/payments";

const { nodeHostVersion, canRunPlugins } = engine();
const hostProblem = `the Node language host ${nodeHostVersion} starts no plugin from PulumiPlugin.yaml`;
const problem = registryProblem();
const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));

let folder: string;
/** Where npm has installed the package, once for all tests. */
let installation: string;

describeIf(problem === "", problem)("the npm package in an empty folder", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-installed-"));
    installation = join(folder, "installation");
    await mkdir(installation);
    await writeFile(join(installation, "package.json"), JSON.stringify({ name: "platform", private: true }));
    const { tarball } = await packRepository(folder);
    await npm(installation, ["install", tarball]);
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(closeStacks);

  const program = (name: string) => ({ folder: join(__dirname, "programs", name), installation });
  const packageIn = (parent: string) => join(parent, "node_modules", "pulumi-opsmanager");

  it("works through the dynamic provider, with nothing more to set up", async () => {
    await expectToWork(await openStack(program("dynamic")));
  });

  it("works as a plugin that Pulumi.yaml names by its path", async () => {
    await expectToWork(await openStack(program("by-path")));
  });

  it("works as a plugin on PATH, where npm has linked it", async () => {
    const payments = await openStack(program("on-path"));
    const { program: inside } = payments.stack.paths;
    payments.stack.setEnv({
      PATH: [join(inside, "node_modules", ".bin"), engine().bin, process.env.PATH].join(delimiter),
    });
    await expectToWork(payments);
  });

  it("works as a plugin of a YAML program in another folder", async () => {
    await expectToWork(await openStack(yamlPayments(packageIn(installation))));
  });

  it("returns its schema to pulumi when its executable is named", async () => {
    const { stack } = await openStack(program("on-path"));
    const executable = join(packageIn("."), "pulumi-resource-opsmanager");
    const { stdout } = await succeeded(stack.run("package", "get-schema", `./${executable}`));
    expect(JSON.parse(stdout)).toMatchObject({ name: "opsmanager", version });
    await succeeded(stack.run("schema", "check", `./${executable}`));
  });

  // Current language hosts run `npm install` in the folder. It once installed 1,055 packages, Jest and cspell among them.
  it("adds its dependencies and nothing else with `npm install` in its folder", async () => {
    const unpacked = join(folder, "unpacked");
    await cp(packageIn(installation), unpacked, { recursive: true });
    const { dependencies } = JSON.parse(await readFile(join(unpacked, "package.json"), "utf8"));
    const added = async (...options: string[]) => {
      const lines = (await npm(unpacked, ["install", "--dry-run", ...options])).split("\n");
      return lines.flatMap((line) => /^add (\S+) /.exec(line)?.[1] ?? []).sort();
    };
    const installed = await added();
    expect(installed).toEqual(await added("--omit=dev"));
    expect(installed).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    expect(installed.length).toBeLessThan(300); // Most of them are dependencies of Pulumi's SDK.
  });

  // pulumi runs `npm install` in the folder first, for its PulumiPlugin.yaml (pkg v3.259.0, packageinstallation.go).
  itIf(canRunPlugins, hostProblem)("works as a package that a YAML program adds by its folder", async () => {
    const payments = await openStack(yamlPayments(null));
    const { stack } = payments;
    const { stdout } = await succeeded(stack.run("package", "get-schema", packageIn(installation)));
    expect(JSON.parse(stdout)).toMatchObject({ name: "opsmanager", version });
    await succeeded(stack.run("package", "add", packageIn(installation)));
    await expectToWork(payments);
  });

  itIf(canRunPlugins, hostProblem)("works as a plugin that is started by its PulumiPlugin.yaml", async () => {
    const payments = await openStack(program("by-path"));
    for (const launcher of ["pulumi-resource-opsmanager", "pulumi-resource-opsmanager.cmd"])
      await rm(join(packageIn(payments.stack.paths.program), launcher));
    await expectToWork(payments);
  });

  // The SDK that is shipped beside the dynamic provider had a `pulumi` section in its package.json.
  // Language hosts read every package.json below node_modules, so the engine searched for a plugin
  // that no program needed. `pulumi up` took seconds for five attempts to download it. `pulumi
  // install` and `pulumi plugin install` ended with "failed to download plugin: opsmanager-0.1.0".
  describe("for a program that uses the dynamic provider alone", () => {
    let barrier: Barrier;
    beforeEach(async () => {
      barrier = await startBarrier();
    });
    afterEach(() => barrier.close());

    /** A stack that would download plugins, if only it got through. */
    async function open(): Promise<Stack> {
      const { stack } = await openStack(program("dynamic"));
      stack.setEnv({
        ...barrier.env,
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false",
        // `pulumi install` runs npm, and that has everything already.
        npm_config_offline: "true",
        npm_config_audit: "false",
        npm_config_update_notifier: "false",
      });
      return stack;
    }

    it.each([[["preview"]], [["up", "--yes", "--skip-preview"]], [["install"]], [["plugin", "install"]]])(
      "pulumi %j requests no plugin",
      async (command) => {
        const stack = await open();
        const { output } = await succeeded(stack.run(...command));
        expect(barrier.attempts).toEqual([]);
        expect(output).not.toMatch(/resource plugin|download/);
      },
    );
  });
});
