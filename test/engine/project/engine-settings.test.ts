import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import { type Program, secret, succeeded } from "../../support";
import { providerOperations, stateText } from "../support/mechanics";
import {
  bothProviders,
  messagesOf,
  operations,
  projectNamed,
  projectProgram,
  projectsNamed,
  timesPrinted,
  writes,
} from "../support/project-program";
import { connectionInEnvironment, noConnection, setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const payments = ({ orgId }: { orgId: string }) => projectProgram({ orgId, name: "payments" });
const withProvider = (
  orgId: string,
  settings: Readonly<Record<string, unknown>>,
  version?: string,
): Program => ({
  resources: {
    service: { type: "Provider", properties: settings, ...(version && { options: { version } }) },
    payments: {
      type: "Project",
      properties: { orgId, name: "payments" },
      options: { provider: "${service}" },
    },
  },
});
const argumentsFor = ({ baseUrl, publicKey, privateKey }: Sandbox) => ({
  baseUrl,
  publicKey,
  privateKey: { "fn::secret": privateKey },
});

describe.each(bothProviders)("the setting orgId, through the %s provider", (provider) => {
  it("is the organization of new resources and functions, and a later value moves none", async () => {
    const other = "5f5f5f5f5f5f5f5f5f5f5f5f";
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "legacy", tags: ["LEGACY"] }] } },
      program: () => ({
        resources: { payments: { type: "Project", properties: { name: "payments" } } },
        // The function is called before or after the creation of the project.
        lookups: { legacy: { function: "getProjects", arguments: { tags: ["LEGACY"] } } },
        outputs: { orgId: "${payments.orgId}", legacy: "${legacy.projects}" },
      }),
    });
    await stack.setConfig({ "opsmanager:orgId": sandbox.orgId });
    await succeeded(stack.up());
    expect(await stack.outputs()).toMatchObject({
      orgId: sandbox.orgId,
      legacy: [{ name: "legacy", orgId: sandbox.orgId }],
    });
    await stack.setConfig({ "opsmanager:orgId": other });
    const later = await stack.preview();
    expect(later.output).toContain(`No organization with ID ${other} exists`); // the function's
    expect(later.changes).not.toHaveProperty("replace");
    expect(projectNamed(sandbox, "payments").orgId).toBe(sandbox.orgId);
  });
});

// Trap 7: config values of a default provider arrive as text, and so do other than text settings of a generated SDK.
describe("settings that arrive as text", () => {
  it("are read as what they mean when the Node SDK sends them for an explicit provider", async () => {
    const { sandbox, stack } = await setUpStack({
      program: () => ({
        folder: join(__dirname, "..", "support", "programs", "sdk-provider"),
        hosts: "resident",
      }),
    });
    const { baseUrl, publicKey, privateKey, orgId } = sandbox;
    await stack.setConfig({
      ...noConnection,
      "sdk-provider:baseUrl": baseUrl,
      "sdk-provider:publicKey": publicKey,
      "sdk-provider:privateKey": secret(privateKey),
      "sdk-provider:orgId": orgId,
    });
    await succeeded(stack.up());
    const service = await stack.resource("service");
    expect(service?.inputs).toMatchObject({
      maxRetries: "0",
      requestsPerSecond: "12.5",
      refreshBeforeUpdate: "false",
      privateKey: { ciphertext: expect.any(String) },
    });
    expect((await stack.resource("payments"))?.refreshBeforeUpdate ?? false).toBe(false);
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
  });
});

describe("explicit providers", () => {
  it("take the stack's keys for the stack's own address", async () => {
    const { sandbox, stack } = await setUpStack({ plugin: "started", program: payments });
    await stack.setProgram(withProvider(sandbox.orgId, { baseUrl: `${sandbox.baseUrl}/api/public/v1.0/` }));
    await succeeded(stack.up());
    expect(projectsNamed(sandbox, "payments")).toHaveLength(1);
    // Trap 6: what came from elsewhere is no argument, and stays out of the state.
    const { privateKey } = (await stack.resource("service"))?.inputs ?? {};
    expect(privateKey).toBeUndefined();
  });

  // Trap 8: `version` is an input of every provider resource; it is neither a fault nor a change that replaces anything.
  it("are updated, never replaced, by any changed setting or version, and their projects stay", async () => {
    const { sandbox, stack } = await setUpStack({ program: payments });
    await stack.setProgram(withProvider(sandbox.orgId, { ...argumentsFor(sandbox), maxRetries: 1 }, "0.1.0"));
    await succeeded(stack.up());
    expect(await stack.resource("service")).toMatchObject({ inputs: { version: "0.1.0" } });
    const { id } = projectNamed(sandbox, "payments");

    const key = sandbox.addKey({ roles: [{ roleName: "GLOBAL_OWNER" }] });
    const changed = {
      baseUrl: sandbox.baseUrl.replace("127.0.0.1", "localhost"),
      publicKey: key.publicKey,
      privateKey: { "fn::secret": key.privateKey },
      requestTimeoutSeconds: 20,
      skipTlsVerification: false,
    };
    await stack.setProgram(withProvider(sandbox.orgId, changed));
    const up = await succeeded(stack.up());
    expect(providerOperations(up)).toEqual({ update: 1 });
    expect(operations(up)).toEqual({ payments: "same" });
    expect(projectNamed(sandbox, "payments").id).toBe(id);

    // The new settings are the ones that count from now on.
    sandbox.removeKey(sandbox.publicKey);
    await succeeded(stack.refresh());
  });
});

it("changed settings in the stack's config update the default provider alone, and another baseUrl is one warning", async () => {
  const { sandbox, stack } = await setUpStack({ program: payments });
  await succeeded(stack.up());
  sandbox.clearRequests();
  const other = sandbox.baseUrl.replace("127.0.0.1", "localhost");
  await stack.setConfig({ "opsmanager:baseUrl": other, "opsmanager:maxRetries": 2 });
  const up = await succeeded(stack.up());
  const sentence = `baseUrl changes from ${sandbox.baseUrl} to ${other}`;
  expect(messagesOf(up, "warning")).toContain(sentence);
  expect(timesPrinted(up, sentence)).toBe(1);
  expect(providerOperations(up)).toEqual({ update: 1 });
  expect(operations(up)).toEqual({ payments: "same" });
  expect(writes(sandbox)).toEqual([]);
  expect(await stack.resource("default")).toMatchObject({ inputs: { maxRetries: "2" } });

  // The same address, written otherwise.
  await stack.setConfig({ "opsmanager:baseUrl": `${other}/api/public/v1.0` });
  const same = await succeeded(stack.up());
  expect(messagesOf(same, "warning")).not.toContain("baseUrl");
  expect(operations(same)).toEqual({ payments: "same" });
});

// Trap 6: values of the environment must not enter the state, where they would be outdated one day.
it.each(bothProviders)(
  "settings from the environment are enough, and do not enter the state (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({ provider, program: payments });
    await stack.setConfig(noConnection);
    stack.setEnv(connectionInEnvironment(sandbox));
    await succeeded(stack.up());
    const text = await stateText(stack);
    for (const value of [sandbox.baseUrl, sandbox.publicKey, sandbox.privateKey]) {
      expect(text).not.toContain(value);
    }
    const rotated = sandbox.changeKey(sandbox.publicKey, { privateKey: "rotated-private-key" });
    stack.setEnv(connectionInEnvironment({ ...rotated, baseUrl: sandbox.baseUrl }));
    await succeeded(stack.refresh());
  },
);
