/** What tests rely on: no key of the machine reaches a service, and nothing that a test started outlives it. */
import { once } from "node:events";
import { join } from "node:path";
import { createStack, disposeStacks, succeeded } from "../support";
import { endPlugins, startPlugin } from "./support/plugin-process";

afterEach(disposeStacks);

describe("a stack of the harness", () => {
  it("runs a TypeScript program with a dynamic provider, and keeps settings of the machine from it", async () => {
    const stack = await createStack({ program: { folder: join(__dirname, "programs", "inline-dynamic") } });
    process.env.OPSMANAGER_PUBLIC_KEY = "of the machine";

    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ create: 1 });
    expect(up.steps).toEqual([
      expect.objectContaining({ op: "create", name: "greeting", phase: "run", failed: false }),
    ]);
    expect(await stack.outputs()).toEqual({ word: "hello", settingsSeen: [] });
    expect(await stack.resource("greeting")).toMatchObject({ id: "word-1", outputs: { text: "hello" } });
  });

  it("ends what is still running when it is disposed of", async () => {
    const stack = await createStack({ program: { folder: join(__dirname, "programs", "inline-dynamic") } });
    const running = stack.start(["up", "--yes"]);
    await running.outputMatches(/Previewing/);
    await stack.dispose();
    expect(await running.finished).toMatchObject({ exitCode: null });
  });
});

// An `afterAll` that came between a process's exit and the end of its output waited for an exit that was over.
it("ends a plugin also for those who request it when it is at its end", async () => {
  const { child } = await startPlugin();
  const askedAgain = once(child, "exit").then(endPlugins);
  await endPlugins();
  await askedAgain;
  expect(child.signalCode).toBe("SIGKILL");
});
