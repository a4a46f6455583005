/** The Python SDK as a user has it: a wheel of `sdk/python`, in a virtual environment, with Pulumi's own SDK from PyPI. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packageVersion } from "../../../provider/version";
import { writeExampleFiles } from "../../../scripts/lib/schema-examples.mts";
import { describeIf, itIf, repositoryRoot } from "../../support";
import { tearDownStacks } from "../support/stack-setup";
import { hasLanguageHost } from "./support/language-hosts";
import { openProgram, playProgram, programs } from "./support/play";
import { installSdk, mypyCache, type PythonBase, pythonBase, useSdk } from "./support/python";

const execute = promisify(execFile);

// Each run of `pulumi` has a Python that loads the whole SDK.
jest.setTimeout(300_000);

const found = pythonBase();
const missing = "reason" in found ? `no Python environment: ${found.reason}` : "";
const base = found as PythonBase;
const version = packageVersion();

describeIf(missing === "", missing)("the Python SDK", () => {
  let folder: string;
  let wheel: string;
  let python: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "opsmanager-python-"));
    ({ wheel, python } = await installSdk(base));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  afterEach(tearDownStacks);

  it("is a wheel with the package's name, version, description, dependencies and types, and the name of its plugin", async () => {
    expect(wheel).toContain(`pulumi_opsmanager-${version}-py3-none-any.whl`);
    const { stdout } = await execute(python, [
      "-c",
      `import importlib.metadata, importlib.resources, json, re
of = importlib.metadata.metadata("pulumi_opsmanager")
files = importlib.resources.files("pulumi_opsmanager")
print(json.dumps({
  "version": of["Version"], "license": of["License-Expression"], "description": of.get_payload().strip(),
  "requires": sorted(re.match("[a-z-]+", text)[0] for text in of.get_all("Requires-Dist")),
  "typed": files.joinpath("py.typed").is_file(),
  "plugin": json.loads(files.joinpath("pulumi-plugin.json").read_text()),
}))`,
    ]);
    expect(JSON.parse(stdout)).toEqual({
      version,
      license: "Apache-2.0",
      description: expect.stringContaining("projects of MongoDB Ops Manager"),
      requires: ["parver", "pulumi", "semver", "typing-extensions"],
      typed: true,
      plugin: { resource: true, name: "opsmanager", version, server: expect.any(String) },
    });
  });

  it("installs the command opsmanager, which runs that of the installed plugin", async () => {
    const home = join(folder, "pulumi-home");
    await mkdir(join(home, "plugins"), { recursive: true });
    await symlink(repositoryRoot, join(home, "plugins", `resource-opsmanager-v${version}`));
    const command = join(dirname(python), "opsmanager");
    const run = (path: string | undefined) =>
      execute(command, ["validate", "nowhere"], { env: { PULUMI_HOME: home, PATH: path } }).catch(
        (error) => error,
      );
    expect(await run(process.env.PATH)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("nowhere: There is no such folder."),
    });
    expect(await run("")).toMatchObject({
      code: 1,
      stderr: "opsmanager needs Node.js 22.19 or newer on PATH, and there is no node.\n",
    });
    await rm(home, { recursive: true });
    expect(await run(dirname(process.execPath))).toMatchObject({
      code: 1,
      stderr: `opsmanager needs the plugin opsmanager ${version}, and there is no pulumi on PATH to install it.\n`,
    });
  });

  it("has types that accept what is right and refuse what is wrong, and examples in its documentation that they accept", async () => {
    const examples = writeExampleFiles("python", join(folder, "examples")).map(({ file }) => file);
    const checked = await execute(python, [
      ...["-m", "mypy", "--strict", "--warn-unused-ignores", "--python-executable", python],
      ...["--cache-dir", mypyCache(base), join(programs, "typed.py"), ...examples],
    ]).catch((error) => error);
    expect(checked.stdout).toContain(`Success: no issues found in ${examples.length + 1} source files`);
  });

  itIf(hasLanguageHost("python"), "the engine has no pulumi-language-python")(
    "runs a program: people come in by roles and names as written, a second up has nothing to do",
    async () => {
      const setup = await openProgram("python");
      setup.stack.setEnv(await useSdk(setup.stack.paths.program, { wheel, python }));
      await playProgram(setup);
    },
  );
});
