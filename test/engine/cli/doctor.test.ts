/** `opsmanager doctor` in the folder of a Pulumi program: the settings are the stack's own, decrypted, and stay unseen. */
import type { CheckJson } from "../../../cli/doctor/results";
import { startSandbox } from "../../../sandbox";
import { createStack, disposeStacks, secret } from "../../support";
import { runCommand } from "../../support/command";
import { startProxy } from "../../support/little-proxy";

afterEach(disposeStacks);

it("doctor connects with the settings of the stack, sends nothing without its passphrase, takes those of the environment then, and prints no secret", async () => {
  const sandbox = await startSandbox();
  const proxy = await startProxy();
  const { baseUrl, publicKey, privateKey } = sandbox;
  const stack = await createStack({
    program: { resources: {} },
    config: {
      "opsmanager:baseUrl": baseUrl,
      "opsmanager:publicKey": publicKey,
      "opsmanager:privateKey": secret(privateKey),
      "opsmanager:proxyUrl": secret(`http://user:proxy-secret@${proxy.host}`),
      "opsmanager:maxRetries": "2",
    },
  });
  const examine = async (surroundings: Parameters<typeof runCommand>[1], ...args: string[]) => {
    const argv = ["doctor", "--json", ...args, "--stack", stack.name];
    const { exitCode, stdout, stderr } = await runCommand(argv, surroundings);
    for (const text of [privateKey, "proxy-secret"]) expect(stdout + stderr).not.toContain(text);
    const { checks } = JSON.parse(stdout) as { checks: CheckJson[] };
    const failed = checks.filter(({ outcome }) => outcome === "failed");
    return { exitCode, failed, says: Object.fromEntries(checks.map(({ check, says }) => [check, says])) };
  };
  const env = stack.environment();
  const { PULUMI_CONFIG_PASSPHRASE: _, ...locked } = env;
  const cwd = stack.paths.program;

  const named = await examine({ cwd: "/", env }, "--cwd", cwd);
  expect(named).toMatchObject({ exitCode: 0, failed: [] });
  expect(named.says).toMatchObject({
    "environment.pulumi": expect.stringMatching(/^pulumi \d/),
    "environment.plugin": expect.stringContaining("The plugin is named in the Pulumi project"),
    "settings.stack": `stack ${stack.name}, then the environment`,
    "settings.baseUrl": `baseUrl from the stack's config: ${baseUrl}`,
    "settings.privateKey": "privateKey from the stack's config",
    "settings.proxyUrl": `proxyUrl from the stack's config: http://${proxy.host}, with credentials`,
    "settings.maxRetries": "maxRetries from the stack's config: 2",
    "connection.proxy.tunnel": expect.stringContaining("the proxy opened a tunnel to 127.0.0.1:"),
    "key.accepted": expect.stringContaining("from the stack's config"),
  });
  expect(proxy.connects.length).toBeGreaterThan(1);

  sandbox.clearRequests();
  const says = expect.stringContaining(`config of stack ${stack.name} cannot be read`);
  const unread = { exitCode: 1, failed: [{ check: "settings.stack", says }] };
  expect(await examine({ cwd, env: locked })).toMatchObject(unread);
  expect(sandbox.requests).toEqual([]);

  const own = {
    OPSMANAGER_BASE_URL: baseUrl,
    OPSMANAGER_PUBLIC_KEY: publicKey,
    OPSMANAGER_PRIVATE_KEY: privateKey,
  };
  const instead = await examine({ cwd, env: { ...locked, ...own } });
  expect(instead).toMatchObject(unread);
  expect(instead.says["key.accepted"]).toContain("the environment (OPSMANAGER_...)");
  await proxy.close();
  await sandbox.close();
});
