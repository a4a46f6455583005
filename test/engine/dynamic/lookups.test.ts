/** What is special to lookups in the program's own process; what they return is tested in project/engine-lookups and test/integration/functions. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Run, type Stack, succeeded } from "../../support";
import { lookupProgram } from "../support/lookup-program";
import { paymentsId } from "../support/people-program";
import { errorsOf, messagesOf, pathOf, projectNamed } from "../support/project-program";
import {
  connectionInEnvironment,
  noConnection,
  type StackSetupOptions,
  setUpStack,
  tearDownStacks,
} from "../support/stack-setup";

afterEach(tearDownStacks);

const seed = { projects: [{ name: "payments", tags: ["PROD"] }] };

const open = (options: Partial<StackSetupOptions> = {}) =>
  setUpStack({ provider: "dynamic", sandbox: { seed }, program: () => ({}), ...options });

/** A program of its own; `opsmanager` and `pulumi` are there. */
async function write(stack: Stack, lines: readonly string[]): Promise<void> {
  const header = [
    'const pulumi = require("@pulumi/pulumi");',
    'const opsmanager = require("pulumi-opsmanager/dynamic");',
    'const config = new pulumi.Config("opsmanager");',
  ];
  await writeFile(join(stack.paths.program, "index.js"), [...header, ...lines].join("\n"));
}

const traces = ({ stdout, stderr, events }: Run) => `${stdout}\n${stderr}\n${JSON.stringify(events)}`;

it("the settings come from the stack, where numbers and booleans are text, else from the environment; no key and no secret argument is shown", async () => {
  const { sandbox, stack } = await open();
  const { privateKey, orgId } = sandbox;
  await stack.setProgram(lookupProgram("getProject", { projectId: paymentsId(sandbox) }));
  await stack.setConfig({ "opsmanager:maxRetries": 0, "opsmanager:requestTimeoutSeconds": "7" });
  await succeeded(stack.up());

  await stack.setConfig(noConnection);
  await write(stack, []);
  await succeeded(stack.up()); // The import alone requires none.
  await stack.setProgram(lookupProgram("getProject", { projectId: paymentsId(sandbox) }));
  expect(await errorsOf(stack.up())).toContain("pulumi config set --secret opsmanager:privateKey");

  stack.setEnv(connectionInEnvironment(sandbox));
  const up = await succeeded(stack.up({ debug: true }));
  expect(await stack.outputs()).toMatchObject({ found: { name: "payments" } });
  expect(traces(up)).not.toContain(privateKey);
  expect(JSON.stringify(await stack.state({ showSecrets: true }))).not.toContain(privateKey);

  await stack.setProgram(lookupProgram("getProject", { orgId, name: { "fn::secret": "moonshot" } }));
  const missing = await stack.up();
  expect(missing.exitCode).not.toBe(0);
  expect(messagesOf(missing, "error")).toContain('has no project named "[secret]"');
  expect(`${missing.stdout}${missing.stderr}`).not.toContain("moonshot");
});

it("a preview sends no request while an argument's project, or a component's in dependsOn, is still to be made", async () => {
  const { sandbox, stack } = await open();
  await write(stack, [
    `const orgId = "${sandbox.orgId}";`,
    'const orders = new opsmanager.Project("orders", { orgId, name: "orders" });',
    'const team = new pulumi.ComponentResource("example:index:Team", "team");',
    'new opsmanager.Project("tools", { orgId, name: "tools" }, { parent: team });',
    "const byName = opsmanager.getProjectOutput({ orgId: orders.orgId, name: orders.name });",
    'const after = opsmanager.getProjectOutput({ orgId, name: "tools" }, { dependsOn: [team] });',
    "module.exports = { orders: byName.projectId, tools: after.projectId };",
  ]);
  await succeeded(stack.preview());
  const paths = sandbox.requests.map(pathOf);
  expect(paths.filter((path) => path.includes("byName") || /groups$/.test(path))).toEqual([]);
  await succeeded(stack.up());
  expect(await stack.outputs()).toEqual({
    orders: projectNamed(sandbox, "orders").id,
    tools: projectNamed(sandbox, "tools").id,
  });
});

const mistakes = [
  {
    mistake: "the plain form is given an output",
    line: 'module.exports = opsmanager.getProject({ projectId: pulumi.output("5f0000000000000000000001") });',
    error: "getProject: projectId is an output, and getProject takes plain values. Use getProjectOutput",
  },
  {
    mistake: "another provider is requested",
    line: "module.exports = opsmanager.getProjects({}, { provider: {} });",
    error: "getProjects: pulumi-opsmanager/dynamic has no providers",
  },
  {
    mistake: "another provider is requested, in the form with outputs",
    line: "opsmanager.getProjectsOutput({}, { provider: {} });",
    error: "getProjectsOutput: pulumi-opsmanager/dynamic has no providers",
  },
  {
    mistake: "a resource is to be imported",
    line: 'new opsmanager.Project("payments", { name: "payments" }, { import: "5f0000000000000000000001" });',
    error: 'Project "payments": the dynamic provider does not support import. To adopt an existing project',
  },
];

it("each mistake in a program ends with one clear error", async () => {
  const { sandbox, stack } = await open();
  for (const { mistake, line, error } of mistakes) {
    await write(stack, [line]);
    const errors = await errorsOf(stack.preview());
    expect({ mistake, errors }).toEqual({ mistake, errors: expect.stringContaining(error) });
    expect(errors).not.toContain("    at ");
  }
  expect(sandbox.requests).toEqual([]);
});
