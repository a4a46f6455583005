import { startSandbox } from "../../../sandbox";
import { keepDefault, type Stack, succeeded } from "../../support";
import { type HeldResponses, holdResponsesOf } from "../support/held-responses";
import { endPlugins, type PluginProcess, startPlugin } from "../support/plugin-process";
import {
  changedPaths,
  operations,
  projectNamed,
  projectProgram,
  timesPrinted,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await tearDownStacks();
  await endPlugins();
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** Attaches to a process of its own, for what is about its end and its output. Other stacks attach to that of the Jest worker. */
async function attach(stack: Stack): Promise<PluginProcess> {
  const plugin = await startPlugin();
  stack.setEnv({ PULUMI_DEBUG_PROVIDERS: `opsmanager:${plugin.port}` });
  return plugin;
}

async function slowDown(stack: Stack, service: string): Promise<HeldResponses> {
  const slow = await holdResponsesOf(service);
  closing.push(() => slow.close());
  await stack.setConfig({ "opsmanager:baseUrl": slow.baseUrl });
  return slow;
}

describe("a plugin that was started manually, to which the engine attaches", () => {
  it("serves preview, up, drift, refresh and destroy, one after the other", async () => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows a change outside Pulumi");
    const { sandbox, stack } = await setUpStack({
      plugin: "started",
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["Lower"] }),
    });
    const plugin = await attach(stack);
    // Trap 9: each operation sends its messages to the engine that attached.
    const preview = await succeeded(stack.preview());
    expect(timesPrinted(preview, 'Tag "Lower" has lower-case letters')).toBe(1);
    const up = await succeeded(stack.up());
    expect(timesPrinted(up, 'Tag "Lower" has lower-case letters')).toBe(1);
    expect(up.changes).toEqual({ create: 1 });
    const { id } = projectNamed(sandbox, "payments");

    sandbox.changeProject(id, { tags: ["URGENT"] });
    const drift = await succeeded(stack.preview());
    expect(changedPaths(drift)).toEqual({ "tags[0]": "update" });
    expect((await succeeded(stack.refresh())).changes).toEqual({ update: 1 });
    await succeeded(stack.destroy());
    expect(sandbox.project(id)).toBeUndefined();

    expect(plugin.child.exitCode).toBeNull();
    plugin.child.kill("SIGTERM");
    expect(await plugin.ended).toEqual({ code: 0, signal: null });
    expect([plugin.stdout(), plugin.stderr()]).toEqual([`${plugin.port}\n`, ""]);
  });

  // No Cancel comes then. What such an engine had begun must not run on beside the next one's work.
  it("gives up what an engine had begun that was killed, and serves the next one", async () => {
    const { sandbox, stack } = await setUpStack({
      plugin: "started",
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    const plugin = await attach(stack);
    const slow = await slowDown(stack, sandbox.baseUrl);
    const abandoned = slow.abandoned("POST");
    const held = slow.hold("POST");
    const running = stack.start(["up", "--yes", "--skip-preview"]);
    await held;
    const endRest = await running.killAlone();
    await abandoned;
    endRest();
    await running.finished;

    slow.stopHolding();
    await succeeded(stack.run("cancel", "--yes"));
    const { id } = projectNamed(sandbox, "payments");
    await stack.setProgram(projectProgram({ projectId: id, tags: ["URGENT"] }));
    await succeeded(stack.up());
    expect(sandbox.project(id)?.tags).toEqual(["URGENT"]);
    expect(plugin.child.exitCode).toBeNull();
  });

  // Calls name no provider; the engine's connections distinguish them.
  it("serves several providers of one program, each with its own service", async () => {
    const second = await startSandbox();
    closing.push(() => second.close());
    const provider = ({ baseUrl, publicKey, privateKey }: typeof second) => ({
      type: "Provider",
      properties: { baseUrl, publicKey, privateKey: { "fn::secret": privateKey } },
    });
    const project = (orgId: string, name: string, options = {}) => ({
      type: "Project",
      properties: { orgId, name, tags: ["Lower"] },
      options,
    });
    const { sandbox, stack } = await setUpStack({
      program: (first) => ({
        resources: {
          emea: provider(second),
          apac: provider(first),
          "in-emea": project(second.orgId, "in-emea", { provider: "${emea}" }),
          "in-apac": project(first.orgId, "in-apac", { provider: "${apac}" }),
          "by-default": project(first.orgId, "by-default"),
        },
      }),
    });
    await succeeded(stack.up({ skipPreview: false }));
    expect(sandbox.state.projects.map(({ name }) => name).sort()).toEqual(["by-default", "in-apac"]);
    expect(second.state.projects.map(({ name }) => name)).toEqual(["in-emea"]);
    second.changeProject(projectNamed(second, "in-emea").id, { tags: ["URGENT"] });
    expect(operations(await succeeded(stack.up()))).toMatchObject({ "in-emea": "update", "in-apac": "same" });
    expect((await succeeded(stack.refresh())).changes).toMatchObject({ same: 3 });
    await succeeded(stack.destroy());
    expect([...sandbox.state.projects, ...second.state.projects]).toEqual([]);
  });
});
