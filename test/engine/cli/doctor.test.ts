/** `opsmanager doctor` in the folder of a Pulumi program: the settings are the stack's own, decrypted, and stay unseen. */
import type { CheckJson } from "../../../cli/doctor/results";
import { startSandbox } from "../../../sandbox";
import { createStack, disposeStacks, secret } from "../../support";
import { runCommand } from "../../support/command";
import { startProxy } from "../../support/little-proxy";

/** `doctor` with the passphrase of the stack, without it, and without it but with the settings in the environment. */
async function examineThreeTimes() {
  const sandbox = await startSandbox();
  const proxy = await startProxy();
  const stack = await createStack({
    program: { resources: {} },
    config: {
      "opsmanager:baseUrl": sandbox.baseUrl,
      "opsmanager:publicKey": sandbox.publicKey,
      "opsmanager:privateKey": secret(sandbox.privateKey),
      "opsmanager:proxyUrl": secret(`http://user:proxy-secret@${proxy.host}`),
      "opsmanager:maxRetries": "2",
    },
  });
  const examine = async (surroundings: Parameters<typeof runCommand>[1], ...args: string[]) => {
    sandbox.clearRequests();
    const argv = ["doctor", "--json", ...args, "--stack", stack.name];
    const { exitCode, stdout, stderr } = await runCommand(argv, surroundings);
    const { checks } = JSON.parse(stdout) as { checks: CheckJson[] };
    return {
      exitCode,
      printed: stdout + stderr,
      says: Object.fromEntries(checks.map(({ check, says }) => [check, says])),
      failed: checks.filter(({ outcome }) => outcome === "failed"),
      requests: [...sandbox.requests],
    };
  };
  const env = stack.environment();
  const { PULUMI_CONFIG_PASSPHRASE: _, ...locked } = env;
  const inEnvironment = {
    OPSMANAGER_BASE_URL: sandbox.baseUrl,
    OPSMANAGER_PUBLIC_KEY: sandbox.publicKey,
    OPSMANAGER_PRIVATE_KEY: sandbox.privateKey,
  };
  const cwd = stack.paths.program;
  const named = await examine({ cwd: "/", env }, "--cwd", cwd);
  const tunnels = proxy.connects.length;
  const unread = await examine({ cwd, env: locked });
  const instead = await examine({ cwd, env: { ...locked, ...inEnvironment } });
  await proxy.close();
  await sandbox.close();
  const { baseUrl, privateKey } = sandbox;
  return { named, unread, instead, tunnels, baseUrl, privateKey, host: proxy.host, stackName: stack.name };
}

describe("opsmanager doctor on a stack", () => {
  let examined: Awaited<ReturnType<typeof examineThreeTimes>>;
  beforeAll(async () => {
    examined = await examineThreeTimes();
  });
  afterAll(disposeStacks);

  it("doctor connects with the settings of the named stack, and shows the source of each setting", () => {
    const { named, tunnels, baseUrl, host, stackName } = examined;
    expect(named).toMatchObject({ exitCode: 0, failed: [] });
    expect(named.says).toMatchObject({
      "environment.pulumi": expect.stringMatching(/^pulumi \d/),
      "environment.plugin": expect.stringContaining("The plugin is named in the Pulumi project"),
      "settings.stack": `stack ${stackName}, then the environment`,
      "settings.baseUrl": `baseUrl from the stack's config: ${baseUrl}`,
      "settings.privateKey": "privateKey from the stack's config",
      "settings.proxyUrl": `proxyUrl from the stack's config: http://${host}, with credentials`,
      "settings.maxRetries": "maxRetries from the stack's config: 2",
      "connection.proxy.tunnel": expect.stringContaining("the proxy opened a tunnel to 127.0.0.1:"),
      "key.accepted": expect.stringContaining("from the stack's config"),
    });
    expect(tunnels).toBeGreaterThan(1);
  });

  it("doctor without the passphrase has one failure, and sends no request with half of the settings", () => {
    const { unread, stackName } = examined;
    const says = expect.stringContaining(`config of stack ${stackName} cannot be read`);
    expect(unread).toMatchObject({ exitCode: 1, failed: [{ check: "settings.stack", says }] });
    expect(unread.requests).toEqual([]);
  });

  it("doctor uses the settings in the environment if the config of the stack cannot be read", () => {
    const { instead } = examined;
    expect(instead.failed.map(({ check }) => check)).toEqual(["settings.stack"]);
    expect(instead.says["key.accepted"]).toContain("the environment (OPSMANAGER_...)");
  });

  it("doctor prints neither the private key nor the password of the proxy", () => {
    const { named, unread, instead, privateKey } = examined;
    for (const { printed } of [named, unread, instead]) {
      expect(printed).not.toContain(privateKey);
      expect(printed).not.toContain("proxy-secret");
    }
  });
});
