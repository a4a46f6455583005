/** A plugin that was started manually, to which engines attach one after the other. The other stacks of the tests attach to that of the Jest worker. */
import { startSandbox } from "../../../sandbox";
import { succeeded } from "../../support";
import { type HeldResponses, holdResponsesOf } from "../support/held-responses";
import { endPlugins, startPlugin } from "../support/plugin-process";
import { projectNamed, projectProgram, timesPrinted } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await tearDownStacks();
  await endPlugins();
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function slowDown(service: string): Promise<HeldResponses> {
  const slow = await holdResponsesOf(service);
  closing.push(() => slow.close());
  return slow;
}

it("gives up what an engine had begun that was killed, serves the next one with several providers, each with its own service, and prints nothing but its port", async () => {
  const { sandbox, stack } = await setUpStack({
    plugin: "started",
    program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
  });
  const plugin = await startPlugin();
  stack.setEnv({ PULUMI_DEBUG_PROVIDERS: `opsmanager:${plugin.port}` });
  const slow = await slowDown(sandbox.baseUrl);
  await stack.setConfig({ "opsmanager:baseUrl": slow.baseUrl });
  const abandoned = slow.abandoned("POST");
  const held = slow.hold("POST");
  const running = stack.start(["up", "--yes", "--skip-preview"]);
  await held;
  // No Cancel comes then. What such an engine had begun must not run on beside the next one's work.
  const endRest = await running.killAlone();
  await abandoned;
  endRest();
  await running.finished;

  slow.stopHolding();
  await succeeded(stack.run("cancel", "--yes"));
  const { id } = projectNamed(sandbox, "payments");
  const second = await startSandbox();
  closing.push(() => second.close());
  // Calls name no provider; the engine's connections distinguish them.
  const { orgId, baseUrl, publicKey, privateKey } = second;
  const emea = { baseUrl, publicKey, privateKey: { "fn::secret": privateKey } };
  await stack.setProgram({
    resources: {
      payments: { type: "Project", properties: { projectId: id, tags: ["Lower"] } },
      emea: { type: "Provider", properties: emea },
      "in-emea": {
        type: "Project",
        properties: { orgId, name: "in-emea" },
        options: { provider: "${emea}" },
      },
    },
  });
  // Trap 9: each operation sends its messages to the engine that attached.
  const up = await succeeded(stack.up());
  expect(timesPrinted(up, 'Tag "Lower" has lower-case letters')).toBe(1);
  expect(sandbox.project(id)?.tags).toEqual(["Lower"]);
  expect(second.state.projects.map(({ name }) => name)).toEqual(["in-emea"]);
  await succeeded(stack.destroy());
  expect(second.state.projects).toEqual([]);

  expect(plugin.child.exitCode).toBeNull();
  plugin.child.kill("SIGTERM");
  expect(await plugin.ended).toEqual({ code: 0, signal: null });
  expect([plugin.stdout(), plugin.stderr()]).toEqual([`${plugin.port}\n`, ""]);
});
