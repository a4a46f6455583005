/** Programs run in a resident process, and behave as in a process of their own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createStack,
  describeIf,
  disposeStacks,
  engine,
  type Run,
  repositoryRoot,
  type Stack,
  type StackOptions,
  succeeded,
} from "../../support";
import { residents } from "../../support/resident";
import { startNodeHost } from "../../support/resident/node-host";

const { residentCommandLine } = engine();
const noEngine = "needs an engine that was built from Go modules";

describeIf(residentCommandLine !== undefined, noEngine)("resident processes", () => {
  afterEach(disposeStacks);

  it("reports errors of a program as a process of its own does", async () => {
    const text = `
      const pulumi = require("@pulumi/pulumi");
      Promise.reject(new Error("an unhandled rejection"));
      pulumi.output(1).apply(() => { throw new pulumi.RunError("without a stack"); });
      throw new Error("thrown");
    `;
    const stack = await programStack(text, { env: { READ_AT_ITS_START: "so this run has real processes" } });
    const slow = await stack.preview();
    const errors = (run: Run) => run.diagnostics.filter(({ severity }) => severity === "error");
    expect(errors(slow).map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^Running program '.*' failed with an unhandled exception:\nError: an unhandled rejection/,
      ),
      expect.stringMatching(/^Running program '.*' failed with an unhandled exception:\nError: thrown\n +at/),
      "without a stack",
    ]);
    stack.setEnv({});
    const run = await stack.preview();
    expect(errors(run)).toEqual(errors(slow));
    expect(run.exitCode).toBe(slow.exitCode);
    expect(linesOf(run)).toEqual(linesOf(slow));
  });

  it("does not attribute the work of a program that exited to the next one", async () => {
    const stack = await programStack(`
      setTimeout(() => console.log("still there"), 200);
      setTimeout(() => process.exit(3), 20);
    `);
    const exited = await stack.preview();
    expect(exited.output).toContain("Program exited with non-zero exit code: 3");
    await setProgram(stack, 'console.log("second"); setTimeout(() => console.log("third"), 400);');
    const next = await succeeded(stack.preview());
    expect(next.diagnostics.map(({ message }) => message)).toEqual(
      expect.arrayContaining(["second", "third"]),
    );
    expect(next.output).not.toContain("still there");
  });

  it("logs for a program after an earlier one exited with a message that was never sent", async () => {
    const stack = await programStack(`
      const urn = require("@pulumi/pulumi").output(new Promise(() => {}));
      require("@pulumi/pulumi").log.warn("never sent", { urn });
      setTimeout(() => process.exit(3), 20);
    `);
    expect((await stack.preview()).exitCode).not.toBe(0);
    await setProgram(stack, 'require("@pulumi/pulumi").log.warn("sent");');
    expect((await succeeded(stack.preview())).output).toContain("warning: sent");
  });

  it("runs a program after the command of an earlier one was killed", async () => {
    const stack = await programStack('setInterval(() => {}, 10); console.log("started");');
    const programs = await residents().programs();
    await programs.begin(stack.environment(), stack.paths.program);
    stack.setEnv({ PULUMI_DEBUG_LANGUAGES: `nodejs:${programs.port}` });
    const running = stack.start(["preview"]);
    await running.outputMatches(/started/);
    await running.kill();
    stack.setEnv({});
    await setProgram(stack, "module.exports = { word: 'done' };");
    expect((await succeeded(stack.preview())).output).toContain('word: "done"');
  });

  it("evaluates the modules of this repository and of the program again for each run", async () => {
    const stack = await programStack(`
      const dynamic = require("pulumi-opsmanager/dynamic");
      const state = require("./state");
      module.exports = () => {
        const marked = dynamic.marked === true;
        dynamic.marked = true;
        return { marked, count: ++state.count };
      };
    `);
    await writeFile(join(stack.paths.program, "state.js"), "exports.count = 0;");
    for (const _ of ["first", "second"]) {
      await succeeded(stack.up());
      expect(await stack.outputs()).toEqual({ marked: false, count: 1 });
    }
  });

  it("compiles a program in TypeScript, and not the one after it whose settings turn the compiler off", async () => {
    const stack = await programStack("");
    const write = (name: string, text: string) => writeFile(join(stack.paths.program, name), text);
    const manifest = (main: string) => write("package.json", JSON.stringify({ private: true, main }));
    // Node.js itself cannot load a file with an enumeration.
    await write("index.ts", 'enum Color { Red = "red" }\nexport const color = Color.Red;\n');
    await write("Pulumi.yaml", "name: platform\nruntime: nodejs\n");
    await manifest("index.ts");
    stack.setEnv({ PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
    await succeeded(stack.up());
    expect(await stack.outputs()).toEqual({ color: "red" });

    await write("Pulumi.yaml", "name: platform\nruntime: { name: nodejs, options: { typescript: false } }\n");
    const uncompiled = await stack.preview();
    expect([uncompiled.exitCode === 0, uncompiled.output]).toEqual([false, expect.stringContaining("enum")]);
  });

  it("runs each program with the environment and the working directory of its command", async () => {
    const text =
      "module.exports = { cwd: process.cwd(), own: process.env.OPSMANAGER_OWN, path: process.env.PATH };";
    for (const env of [{ OPSMANAGER_OWN: "first" }, {}]) {
      const stack = await programStack(text, { env });
      const path = stack.environment().PATH;
      await succeeded(stack.up());
      expect(await stack.outputs()).toEqual({
        cwd: stack.paths.program,
        path,
        ...("OPSMANAGER_OWN" in env && { own: "first" }),
      });
    }
  });
});

it("ends when its standard input closes", async () => {
  const script = join(repositoryRoot, "test", "support", "resident", "node-host-process.cjs");
  const child = spawn(process.execPath, [script, "providers"], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});

it("rejects the next command when its process has ended", async () => {
  const host = await startNodeHost("programs");
  host.process.kill();
  await expect(host.begin({}, tmpdir())).rejects.toThrow("The host of programs ended (SIGKILL)");
  expect(host.process.isAlive).toBe(false);
});

async function programStack(text: string, options: Pick<StackOptions, "env"> = {}): Promise<Stack> {
  const stack = await createStack({ provider: "dynamic", program: {}, ...options });
  await setProgram(stack, text);
  return stack;
}

async function setProgram(stack: Stack, text: string): Promise<void> {
  await writeFile(join(stack.paths.program, "index.js"), text);
}

/** What a user reads. Durations differ, and the order of lines that several processes print. */
function linesOf(run: Run): string[] {
  return run.output
    .split("\n")
    .filter((line) => !/^Duration|^@ /.test(line))
    .sort();
}
