/** The command in this process. `npm-run.test.ts` and the examples run it as one of its own. */
import { switchTable } from "../../../sandbox";
import { runCommand } from "../../../sandbox/command";

/** Runs the command in this process; `ready` resolves with its first output. */
function run(...argv: string[]) {
  const stop = new AbortController();
  const written = { stdout: "", stderr: "" };
  let announce: (text: string) => void = () => undefined;
  const ready = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const code = runCommand(argv, {
    stdout: (text) => {
      written.stdout += text;
      announce(text);
    },
    stderr: (text) => {
      written.stderr += text;
    },
    stop: stop.signal,
  });
  return { code, ready, written, stop: () => stop.abort() };
}

test("prints one JSON line when it is ready, serves, and stops cleanly on a signal", async () => {
  const command = run("--log");
  const line = await command.ready;
  const addresses = JSON.parse(line);
  expect(Object.keys(addresses)).toEqual(["baseUrl", "publicKey", "privateKey", "orgId", "controlUrl"]);
  expect((await fetch(`${addresses.baseUrl}/api/public/v1.0/groups`)).status).toBe(401);
  expect((await fetch(`${addresses.controlUrl}/switches`)).status).toBe(200);
  command.stop();
  expect(await command.code).toBe(0);
  await expect(fetch(addresses.baseUrl)).rejects.toThrow();
  expect(command.written.stdout).toBe(line);
  expect(command.written.stderr).toMatch(/^\S+ - GET \/api\/public\/v1\.0\/groups 401 no-credentials\n$/);
});

test.each([
  { flag: "--tls", names: ["caCert"] },
  { flag: "--mutual-tls", names: ["caCert", "clientCert", "clientKey"] },
])("serves over TLS with $flag, and the line holds what a client needs", async ({ flag, names }) => {
  const command = run(flag);
  const addresses = JSON.parse(await command.ready);
  expect(Object.keys(addresses).slice(5)).toEqual(names);
  expect([addresses.baseUrl, addresses.controlUrl]).toEqual([
    expect.stringMatching(/^https:/),
    expect.stringMatching(/^http:/),
  ]);
  command.stop();
  expect(await command.code).toBe(0);
});

test("understands a flag for every switch", async () => {
  const command = run("--ldap", "--only-documented=false", "--challenge", "op", "--nonce-lifetime=5");
  const { controlUrl } = JSON.parse(await command.ready);
  const switches: object = JSON.parse(await (await fetch(`${controlUrl}/switches`)).text());
  const set = { ldap: true, onlyDocumented: false, challenge: "op", nonceLifetimeSeconds: 5 };
  expect(switches).toMatchObject(set);
  expect(Object.keys(switches)).toEqual(Object.keys(switchTable));
  command.stop();
  expect(await command.code).toBe(0);
});

test.each([
  [["--colour"], "Unknown argument --colour. Try --help."],
  [["--port"], "--port needs a value: NUMBER."],
  [["--port", "99999"], "--port must be a port, 0 to 65535."],
  [["--ldap", "--ldap"], "--ldap is given twice."],
  [["--nonce-lifetime", "soon"], "nonceLifetimeSeconds must be a number, 0 or more."],
])("ends with 64 and one line for %j", async (argv, message) => {
  const command = run(...argv);
  expect(await command.code).toBe(64);
  expect(command.written).toEqual({ stdout: "", stderr: `sandbox: ${message}\n` });
});

test("ends with 1 when it cannot start, and names the reason", async () => {
  const taken = run();
  const { baseUrl } = JSON.parse(await taken.ready);
  const port = new URL(baseUrl).port;
  const command = run("--port", port);
  expect(await command.code).toBe(1);
  expect(command.written.stderr).toContain("EADDRINUSE");
  const seedless = run("--seed", "/nowhere/seed.json");
  expect(await seedless.code).toBe(1);
  expect(seedless.written.stderr).toContain("/nowhere/seed.json cannot be read");
  taken.stop();
  await taken.code;
});
