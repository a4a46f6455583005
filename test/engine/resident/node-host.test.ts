/** Programs run in a resident process, and behave as in a process of their own. */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createStack,
  describeIf,
  disposeStacks,
  engine,
  type Stack,
  type StackOptions,
  succeeded,
} from "../../support";
import { startNodeHost } from "../../support/resident/node-host";

const { residentCommandLine } = engine();
const noEngine = "needs an engine that was built from Go modules";

describeIf(residentCommandLine !== undefined, noEngine)("resident processes", () => {
  afterEach(disposeStacks);

  it("does not attribute the work of a program that exited, nor a message that it never sent, to the next one", async () => {
    const stack = await programStack(`
      const pulumi = require("@pulumi/pulumi");
      pulumi.log.warn("never sent", { urn: pulumi.output(new Promise(() => {})) });
      setTimeout(() => console.log("still there"), 200);
      setTimeout(() => process.exit(3), 20);
    `);
    const exited = await stack.preview();
    expect(exited.output).toContain("Program exited with non-zero exit code: 3");
    await setProgram(
      stack,
      `require("@pulumi/pulumi").log.warn("second"); setTimeout(() => console.log("third"), 400);`,
    );
    const next = await succeeded(stack.preview());
    expect(next.diagnostics.map(({ message }) => message)).toEqual(
      expect.arrayContaining(["second", "third"]),
    );
    expect(next.output).not.toMatch(/still there|never sent/);
  });

  it("runs each program with the environment, the working directory and the modules of its command", async () => {
    const text = `
      const dynamic = require("pulumi-opsmanager/dynamic");
      const state = require("./state");
      module.exports = () => {
        const marked = dynamic.marked === true;
        dynamic.marked = true;
        const { OPSMANAGER_OWN: own, PATH: path } = process.env;
        return { marked, count: ++state.count, cwd: process.cwd(), own, path };
      };
    `;
    for (const env of [{ OPSMANAGER_OWN: "first" }, {}]) {
      const stack = await programStack(text, { env });
      await writeFile(join(stack.paths.program, "state.js"), "exports.count = 0;");
      for (const _ of ["first", "second"]) {
        await succeeded(stack.up());
        expect(await stack.outputs()).toEqual({
          ...{ marked: false, count: 1, cwd: stack.paths.program, path: stack.environment().PATH },
          ...("OPSMANAGER_OWN" in env && { own: "first" }),
        });
      }
    }
  });
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
