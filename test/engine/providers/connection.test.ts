/** Known differences in how a program reaches the provider, and in what the engine and its hosts hand on. */
import { type Program, type ProviderKind, succeeded } from "../../support";
import { setUpNodeStack } from "../support/either-provider";
import { type HeldResponses, holdResponsesOf } from "../support/held-responses";
import { messagesOf, projectNamed, projectProgram, projectsNamed, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

import { knownDifference } from "./known-difference";

const slowServices: HeldResponses[] = [];

afterEach(async () => {
  await Promise.all(slowServices.splice(0).map((slow) => slow.close()));
  await tearDownStacks();
});

const token: Readonly<Record<ProviderKind, string>> = {
  plugin: "opsmanager:index:Project",
  dynamic: "pulumi-nodejs:dynamic/opsmanager:Project",
};

/** In a language that neither TypeScript nor JavaScript is. */
knownDifference("languages", {
  plugin: { created: 1 },
  dynamic: { created: 0 },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      program: ({ orgId }) => ({
        resources: { payments: { type: token[provider], properties: { orgId, name: "payments" } } },
      }),
    });
    await stack.up();
    return { created: projectsNamed(sandbox, "payments").length };
  },
});

knownDifference("to install", {
  plugin: { withThePackageAlone: "no resource plugin 'pulumi-resource-opsmanager' found" },
  dynamic: { withThePackageAlone: undefined },
  play: async (provider) => {
    const program = ({ orgId }: { orgId: string }) => projectProgram({ orgId, name: "payments" });
    const { stack } = await setUpNodeStack(provider, { program }, { pluginLines: false });
    const up = await stack.up();
    return { withThePackageAlone: /no resource plugin '\S+' found/.exec(up.output)?.[0] };
  },
});

knownDifference("`pulumi import`, `import` option", {
  plugin: { byCommand: "imported", byOption: "imported" },
  dynamic: { byCommand: undefined, byOption: undefined },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments" }, { name: "orders" }] } },
      program: () => ({}),
    });
    await stack.import(token[provider], "payments", projectNamed(sandbox, "payments").id);
    const byCommand = (await stack.resource("payments"))?.outputs?.origin;
    const { id, orgId } = projectNamed(sandbox, "orders");
    await stack.setProgram({
      resources: {
        orders: { type: "Project", properties: { orgId, name: "orders" }, options: { import: id } },
      },
    });
    await stack.up();
    return { byCommand, byOption: (await stack.resource("orders"))?.outputs?.origin };
  },
});

/** The second provider has nothing but an address and a key of its own; here both lead to one service. */
knownDifference("several Ops Managers in one stack", {
  plugin: { keysUsed: 2 },
  dynamic: { keysUsed: 0 },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({ provider, program: () => ({}) });
    const service = ({ publicKey, privateKey }: { publicKey: string; privateKey: string }) => ({
      type: "Provider",
      properties: { baseUrl: sandbox.baseUrl, publicKey, privateKey: { "fn::secret": privateKey } },
    });
    const project = (name: string, provider: string) => ({
      type: "Project",
      properties: { orgId: sandbox.orgId, name },
      options: { provider },
    });
    const program: Program = {
      resources: {
        one: service(sandbox),
        other: service(sandbox.addKey({ roles: [{ roleName: "GLOBAL_OWNER" }] })),
        payments: project("payments", "${one}"),
        orders: project("orders", "${other}"),
      },
    };
    await stack.setProgram(program);
    await stack.up();
    return { keysUsed: new Set(sandbox.requests.flatMap(({ publicKey }) => publicKey ?? [])).size };
  },
});

/** The response to the creation never comes; the setting ends the waiting where the option does not. */
knownDifference("`customTimeouts`", {
  plugin: { upSucceeds: false, reportsTimeout: true },
  dynamic: { upSucceeds: true, reportsTimeout: false },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      config: { "opsmanager:requestTimeoutSeconds": 4 },
      program: ({ orgId }) =>
        projectProgram({ orgId, name: "payments", tags: ["PROD"] }, { customTimeouts: { create: "2s" } }),
    });
    const slow = await holdResponsesOf(sandbox.baseUrl);
    slowServices.push(slow);
    await stack.setConfig({ "opsmanager:baseUrl": slow.baseUrl });
    void slow.hold("POST");
    const up = await stack.up();
    const { id } = projectNamed(sandbox, "payments");
    expect(await stack.resource("payments")).toMatchObject({ id });
    expect(messagesOf(up, "error")).not.toContain("was canceled");
    slow.stopHolding();
    await succeeded(stack.up());
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST", "PATCH"]);
    return {
      upSucceeds: up.exitCode === 0,
      reportsTimeout: /custom ?timeout/i.test(messagesOf(up, "error")),
    };
  },
});

/** The project is there, and the response that reports it does not come; its tags are still to be set. */
knownDifference("Ctrl-C in the middle of an operation", {
  plugin: { writes: ["POST"], recordedTags: [], reported: "The operation was canceled" },
  dynamic: { writes: ["POST", "PATCH"], recordedTags: ["PROD"], reported: undefined },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      // Ends the waiting where Ctrl-C does not.
      config: { "opsmanager:requestTimeoutSeconds": 4 },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    const slow = await holdResponsesOf(sandbox.baseUrl);
    slowServices.push(slow);
    await stack.setConfig({ "opsmanager:baseUrl": slow.baseUrl });
    const held = slow.hold("POST");
    const running = stack.start(["up", "--yes", "--skip-preview"]);
    await held;
    running.interrupt();
    slow.stopHolding();
    const up = await running.finished;
    expect(up.exitCode).not.toBe(0);
    const recorded = await stack.resource("payments");
    expect(recorded).toMatchObject({
      id: projectNamed(sandbox, "payments").id,
      outputs: { origin: "adopted" },
    });
    return {
      writes: writes(sandbox).map(({ method }) => method),
      recordedTags: recorded?.outputs?.tags,
      reported: /The operation was canceled/.exec(messagesOf(up, "error"))?.[0],
    };
  },
});

knownDifference("`ignoreChanges` set by a transform", {
  plugin: { tags: ["URGENT"] },
  dynamic: { tags: ["PROD"] },
  play: async (provider) => {
    const transform = `require("@pulumi/pulumi").runtime.registerStackTransformation(({ type, props, opts }) =>
      type.endsWith(":Project") ? { props, opts: { ...opts, ignoreChanges: ["tags"] } } : undefined);`;
    const { sandbox, stack } = await setUpNodeStack(
      provider,
      { program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }) },
      { before: transform },
    );
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.changeProject(id, { tags: ["URGENT"] });
    await succeeded(stack.up());
    return { tags: sandbox.project(id)?.tags };
  },
});
