/** `opsmanager doctor` in the folder of a Pulumi program: the settings are the stack's own, decrypted, and stay unseen. */
import type { CheckJson } from "../../../provider/cli/doctor/results";
import { startSandbox } from "../../../sandbox";
import { createStack, disposeStacks, secret } from "../../support";
import { runCommand } from "../../support/command";
import { startProxy } from "../../support/little-proxy";

afterEach(disposeStacks);

it("reads the config of the named stack, uses its connection settings, and shows the source of each setting", async () => {
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
  const env = stack.environment();
  const examine = async (surroundings: Parameters<typeof runCommand>[1], ...args: string[]) => {
    const { exitCode, stdout, stderr } = await runCommand(["doctor", "--json", ...args], surroundings);
    for (const hidden of [sandbox.privateKey, "proxy-secret"]) expect(stdout + stderr).not.toContain(hidden);
    const checks = (JSON.parse(stdout) as { checks: CheckJson[] }).checks;
    const says = Object.fromEntries(checks.map((finding) => [finding.check, finding.says]));
    return { exitCode, checks, says, failed: checks.filter(({ outcome }) => outcome === "failed") };
  };

  const named = await examine({ cwd: "/", env }, "--cwd", stack.paths.program, "--stack", stack.name);
  expect(named.failed).toEqual([]);
  expect(named.exitCode).toBe(0);
  expect(named.says).toMatchObject({
    "environment.pulumi": expect.stringMatching(/^pulumi \d/),
    "environment.plugin": expect.stringContaining("The plugin is named in the Pulumi project"),
    "settings.stack": `stack ${stack.name}, then the environment`,
    "settings.baseUrl": `baseUrl from the stack's config: ${sandbox.baseUrl}`,
    "settings.privateKey": "privateKey from the stack's config",
    "settings.proxyUrl": `proxyUrl from the stack's config: http://${proxy.host}, with credentials`,
    "settings.maxRetries": "maxRetries from the stack's config: 2",
    "connection.proxy.tunnel": expect.stringContaining("the proxy opened a tunnel to 127.0.0.1:"),
    "key.accepted": expect.stringContaining("from the stack's config"),
  });
  expect(proxy.connects.length).toBeGreaterThan(1);

  // Without the passphrase the config cannot be read. That is the only failure, and no request is sent with half of the settings.
  const { PULUMI_CONFIG_PASSPHRASE: _, ...locked } = env;
  sandbox.clearRequests();
  const unread = await examine({ cwd: stack.paths.program, env: locked }, "--stack", stack.name);
  expect(unread.exitCode).toBe(1);
  expect(unread.failed).toMatchObject([
    {
      check: "settings.stack",
      says: expect.stringContaining(`config of stack ${stack.name} cannot be read`),
    },
  ]);
  expect(sandbox.requests).toEqual([]);
  const fromEnvironment = {
    OPSMANAGER_BASE_URL: sandbox.baseUrl,
    OPSMANAGER_PUBLIC_KEY: sandbox.publicKey,
    OPSMANAGER_PRIVATE_KEY: sandbox.privateKey,
  };
  const instead = await examine(
    { cwd: stack.paths.program, env: { ...locked, ...fromEnvironment } },
    "--stack",
    stack.name,
  );
  expect(instead.failed.map(({ check }) => check)).toEqual(["settings.stack"]);
  expect(instead.says["key.accepted"]).toContain("the environment (OPSMANAGER_...)");

  await proxy.close();
  await sandbox.close();
});
