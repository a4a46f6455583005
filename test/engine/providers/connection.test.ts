/** Known differences in how a program reaches the provider, and in what the engine and its hosts hand on. */
import type { Sandbox } from "../../../sandbox";
import { type ProviderKind, type ResourceOptions, succeeded } from "../../support";
import { setUpNodeStack, useProvider } from "../support/either-provider";
import { type HeldResponses, holdResponsesOf } from "../support/held-responses";
import { messagesOf, projectNamed, projectProgram, projectsNamed, writes } from "../support/project-program";
import { attachment, type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";
import { knownDifferences } from "./known-difference";

const slowServices: HeldResponses[] = [];

afterEach(async () => {
  await Promise.all(slowServices.splice(0).map((slow) => slow.close()));
  await tearDownStacks();
});

const token: Readonly<Record<ProviderKind, string>> = {
  plugin: "opsmanager:index:Project",
  dynamic: "pulumi-nodejs:dynamic/opsmanager:Project",
};

knownDifferences(
  "programs, packages and options",
  [
    { row: "languages", plugin: { created: 1 }, dynamic: { created: 0 } },
    {
      row: "to install",
      plugin: { withThePackageAlone: "no resource plugin 'pulumi-resource-opsmanager' found" },
      dynamic: { withThePackageAlone: undefined },
    },
    { row: "`ignoreChanges` set by a transform", plugin: { tags: ["URGENT"] }, dynamic: { tags: ["PROD"] } },
    {
      row: "`pulumi import`, `import` option",
      plugin: { byCommand: "imported", byOption: "imported" },
      dynamic: { byCommand: undefined, byOption: undefined },
    },
    { row: "several Ops Managers in one stack", plugin: { keysUsed: 2 }, dynamic: { keysUsed: 0 } },
  ],
  async (provider) => {
    const program = ({ orgId }: { orgId: string }) =>
      projectProgram({ orgId, name: "payments", tags: ["PROD"] });
    const setup = await setUpNodeStack(provider, { program }, { pluginLines: false });
    const alone = await setup.stack.up();
    return {
      "to install": {
        withThePackageAlone: /no resource plugin '\S+' found/.exec(alone.output)?.[0],
      },
      languages: await inYaml(provider),
      "`ignoreChanges` set by a transform": await transformed(provider, setup),
      ...(await imported(provider)),
    };
  },
);

/** In a language that neither TypeScript nor JavaScript is. */
async function inYaml(provider: ProviderKind) {
  const { sandbox, stack } = await setUpStack({
    program: ({ orgId }) => ({
      resources: { payments: { type: token[provider], properties: { orgId, name: "payments" } } },
    }),
  });
  await stack.up();
  return { created: projectsNamed(sandbox, "payments").length };
}

async function transformed(provider: ProviderKind, { sandbox, stack }: StackSetup) {
  const before = `require("@pulumi/pulumi").runtime.registerStackTransformation(({ type, props, opts }) =>
    type.endsWith(":Project") ? { props, opts: { ...opts, ignoreChanges: ["tags"] } } : undefined);`;
  const { orgId } = sandbox;
  const program = projectProgram({ orgId, name: "payments", tags: ["PROD"] });
  stack.setEnv(await attachment());
  await useProvider(stack, provider, program, { before });
  await succeeded(stack.up());
  const { id } = projectNamed(sandbox, "payments");
  sandbox.changeProject(id, { tags: ["URGENT"] });
  await succeeded(stack.up());
  return { tags: sandbox.project(id)?.tags };
}

/** Imports two projects, and then has two providers of its own: each has a key, and here both lead to one service. */
async function imported(provider: ProviderKind) {
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed: { projects: [{ name: "payments" }, { name: "orders" }] } },
    program: () => ({}),
  });
  const project = (name: string, options: ResourceOptions) => ({
    type: "Project",
    properties: { orgId: sandbox.orgId, name },
    options,
  });
  await stack.import(token[provider], "payments", projectNamed(sandbox, "payments").id);
  const byCommand = (await stack.resource("payments"))?.outputs?.origin;
  const { id } = projectNamed(sandbox, "orders");
  await stack.setProgram({ resources: { orders: project("orders", { import: id }) } });
  await stack.up();
  const byOption = (await stack.resource("orders"))?.outputs?.origin;

  const service = ({ publicKey, privateKey }: Pick<Sandbox, "publicKey" | "privateKey">) => ({
    type: "Provider",
    properties: { baseUrl: sandbox.baseUrl, publicKey, privateKey: { "fn::secret": privateKey } },
  });
  await stack.setProgram({
    resources: {
      one: service(sandbox),
      other: service(sandbox.addKey({ roles: [{ roleName: "GLOBAL_OWNER" }] })),
      ledger: project("ledger", { provider: "${one}" }),
      audit: project("audit", { provider: "${other}" }),
    },
  });
  sandbox.clearRequests();
  await stack.up();
  const keysUsed = new Set(sandbox.requests.flatMap(({ publicKey }) => publicKey ?? [])).size;
  return {
    "`pulumi import`, `import` option": { byCommand, byOption },
    "several Ops Managers in one stack": { keysUsed },
  };
}

/** A stack whose service holds responses back, and the setting that ends the waiting where an option or Ctrl-C does not. */
async function behindSlowService(provider: ProviderKind, options: ResourceOptions = {}) {
  const { sandbox, stack } = await setUpStack({
    provider,
    config: { "opsmanager:requestTimeoutSeconds": 4 },
    program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }, options),
  });
  const slow = await holdResponsesOf(sandbox.baseUrl);
  slowServices.push(slow);
  await stack.setConfig({ "opsmanager:baseUrl": slow.baseUrl });
  return { sandbox, stack, slow };
}

/** The project is there, and the response that reports it does not come; its tags are still to be set. */
knownDifferences(
  "the end of an operation in its middle",
  [
    {
      row: "`customTimeouts`",
      plugin: { upSucceeds: false, reportsTimeout: true },
      dynamic: { upSucceeds: true, reportsTimeout: false },
    },
    {
      row: "Ctrl-C in the middle of an operation",
      plugin: { writes: ["POST"], recordedTags: [], reported: "The operation was canceled" },
      dynamic: { writes: ["POST", "PATCH"], recordedTags: ["PROD"], reported: undefined },
    },
  ],
  async (provider) => ({
    "`customTimeouts`": await timedOut(provider),
    "Ctrl-C in the middle of an operation": await interrupted(provider),
  }),
);

async function timedOut(provider: ProviderKind) {
  const { sandbox, stack, slow } = await behindSlowService(provider, { customTimeouts: { create: "3s" } });
  // On a busy machine, the first operation of a process takes seconds before it comes to its request.
  await succeeded(stack.preview());
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
}

async function interrupted(provider: ProviderKind) {
  const { sandbox, stack, slow } = await behindSlowService(provider);
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
}
