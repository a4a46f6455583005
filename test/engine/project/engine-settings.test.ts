import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { keepDefault, type Program, secret, succeeded } from "../../support";
import { providerOperations, stateText } from "../support/mechanics";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  operations,
  projectNamed,
  projectProgram,
  timesPrinted,
  writes,
} from "../support/project-program";
import {
  attachment,
  connectionInEnvironment,
  noConnection,
  setUpStack,
  tearDownStacks,
} from "../support/stack-setup";

const others: Sandbox[] = [];

afterEach(async () => {
  await tearDownStacks();
  await Promise.all(others.splice(0).map((sandbox) => sandbox.close()));
});

/** Another service that takes the same key pair and knows nothing of the first one's organizations. */
async function wrongService({ publicKey, privateKey }: Sandbox): Promise<Sandbox> {
  const roles = [{ roleName: "GLOBAL_OWNER" }];
  const sandbox = await startSandbox({ seed: { keys: [{ publicKey, privateKey, roles }] } });
  others.push(sandbox);
  return sandbox;
}

const payments = ({ orgId }: { orgId: string }) => projectProgram({ orgId, name: "payments" });

function withProvider(
  { orgId }: Pick<Sandbox, "orgId">,
  settings: Readonly<Record<string, unknown>>,
  version?: string,
): Program {
  const properties = { orgId, name: "payments", tags: ["PROD"] };
  const { resources } = projectProgram(properties, { provider: "${service}" });
  const service = { type: "Provider", properties: settings, ...(version && { options: { version } }) };
  return { resources: { service, ...resources } };
}

const argumentsFor = ({
  baseUrl,
  publicKey,
  privateKey,
}: Pick<Sandbox, "baseUrl" | "publicKey" | "privateKey">) => ({
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

it("explicit providers take the stack's keys for the stack's own address, and are updated, never replaced, by any changed setting or version; rotated keys are refused with the command that takes the new ones", async () => {
  keepDefault("refreshBeforeUpdate", "a plain up reads the project");
  const { sandbox, stack } = await setUpStack({ plugin: "started", program: payments });
  await stack.setProgram(withProvider(sandbox, { baseUrl: `${sandbox.baseUrl}/api/public/v1.0/` }));
  await succeeded(stack.up());
  const { id } = projectNamed(sandbox, "payments");
  // Trap 6: what came from elsewhere is no argument, and stays out of the state.
  expect((await stack.resource("service"))?.inputs?.privateKey).toBeUndefined();

  // Trap 8: `version` is an input of every provider resource; it is neither a fault nor a change that replaces anything.
  await stack.setProgram(withProvider(sandbox, { ...argumentsFor(sandbox), maxRetries: 1 }, "0.1.0"));
  await succeeded(stack.up());
  stack.setEnv(await attachment());
  expect(await stack.resource("service")).toMatchObject({ inputs: { version: "0.1.0" } });
  const { publicKey, privateKey } = sandbox.addKey({ roles: [{ roleName: "GLOBAL_OWNER" }] });
  const baseUrl = sandbox.baseUrl.replace("127.0.0.1", "localhost");
  const changed = (privateKey: string) =>
    withProvider(sandbox, {
      ...argumentsFor({ baseUrl, publicKey, privateKey }),
      requestTimeoutSeconds: 20,
      skipTlsVerification: false,
    });
  await stack.setProgram(changed(privateKey));
  const up = await succeeded(stack.up());
  expect([providerOperations(up), operations(up)]).toEqual([{ update: 1 }, { payments: "same" }]);
  expect(projectNamed(sandbox, "payments").id).toBe(id);

  // The new settings are the ones that count from now on.
  sandbox.removeKey(sandbox.publicKey);
  sandbox.changeKey(publicKey, { privateKey: "rotated-private-key" });
  sandbox.changeProject(id, { tags: ["URGENT"] });
  await stack.setProgram(changed("rotated-private-key"));
  expect(await errorsOf(stack.up())).toContain("pulumi up --refresh --run-program");
  expect(await stack.resource("payments")).toMatchObject({ id });
  await succeeded(stack.up({ refresh: true, runProgram: true }));
  expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
  await succeeded(stack.up({ expectNoChanges: true }));
});

// After a wrong address, the engine continues refreshing with it, which is in the state now, so a plain up cannot put it right.
it("changed settings in the stack's config update the default provider alone, another baseUrl is one warning, and a wrong one changes nothing in either service and is put right by the command that the error names", async () => {
  keepDefault("refreshBeforeUpdate", "a plain preview reads the project");
  const { sandbox, stack } = await setUpStack({ program: payments });
  await succeeded(stack.up());
  sandbox.clearRequests();
  const { id } = projectNamed(sandbox, "payments");
  const other = sandbox.baseUrl.replace("127.0.0.1", "localhost");
  await stack.setConfig({ "opsmanager:baseUrl": other, "opsmanager:maxRetries": 2 });
  const up = await succeeded(stack.up());
  expect(timesPrinted(up, `baseUrl changes from ${sandbox.baseUrl} to ${other}`)).toBe(1);
  expect([providerOperations(up), operations(up)]).toEqual([{ update: 1 }, { payments: "same" }]);
  expect(await stack.resource("default")).toMatchObject({ inputs: { maxRetries: "2" } });

  // The same address, written otherwise.
  await stack.setConfig({ "opsmanager:baseUrl": `${other}/api/public/v1.0` });
  const same = await succeeded(stack.up());
  expect(messagesOf(same, "warning")).not.toContain("baseUrl");
  expect(operations(same)).toEqual({ payments: "same" });

  const wrong = await wrongService(sandbox);
  await stack.setConfig({ "opsmanager:baseUrl": wrong.baseUrl });
  expect(messagesOf(await stack.up(), "warning")).toContain("baseUrl changes from");
  const errors = await errorsOf(stack.preview());
  expect(errors).toContain(`Check baseUrl (${wrong.baseUrl})`);
  expect(errors).toContain("pulumi up --refresh --run-program");
  expect([...writes(wrong), ...writes(sandbox)]).toEqual([]);
  expect(await stack.resource("payments")).toMatchObject({ id });
  await stack.setConfig({ "opsmanager:baseUrl": sandbox.baseUrl });
  await succeeded(stack.up({ refresh: true, runProgram: true }));
  await succeeded(stack.refresh({ expectNoChanges: true }));
  expect(await stack.resource("payments")).toMatchObject({ id });
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
