/** Connections as a user sees them: settings and the environment, warnings that come once in a run, and secrets that stay secret. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keepDefault, type Run, secret, succeeded } from "../../support";
import { type ProxyWishes, startProxy } from "../../support/little-proxy";
import { stateText } from "../support/mechanics";
import {
  bothProviders,
  messagesOf,
  projectProgram,
  projectsNamed,
  timesPrinted,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  await tearDownStacks();
  for (const end of endings.splice(0)) await end();
});

async function proxy(wishes?: ProxyWishes) {
  const made = await startProxy(wishes);
  endings.push(() => made.close());
  return made;
}

const user = "agent:hush-hush";
const basic = Buffer.from(user).toString("base64");
const traces = ({ stdout, stderr, events }: Run) => `${stdout}\n${stderr}\n${JSON.stringify(events)}`;

it.each(bothProviders)(
  "a private authority, a client certificate and a proxy lead to the service, and no output and no state holds their secrets (%s provider)",
  async (provider) => {
    const refusing = await proxy({ status: 407 });
    const { sandbox, stack } = await setUpStack({
      provider,
      plugin: "started", // a relative path begins at the program, where the engine starts the plugin
      sandbox: { tls: "mutual" },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
      config: {
        "opsmanager:caCert": "authority.pem",
        "opsmanager:proxyUrl": secret(`http://${user}@${refusing.host}`),
      },
    });
    const { caCert = "", clientCert = "", clientKey = "" } = sandbox;
    await writeFile(join(stack.paths.program, "authority.pem"), caCert);
    await stack.setConfig({ "opsmanager:clientCert": clientCert, "opsmanager:clientKey": secret(clientKey) });
    const refused = await stack.up();
    expect(refused.exitCode).not.toBe(0);
    expect(messagesOf(refused, "error")).toContain(
      `the proxy ${refusing.host} returned status 407 instead of connecting. It does not accept the user and password in proxyUrl`,
    );
    const { host, connects } = await proxy();
    await stack.setConfig({ "opsmanager:proxyUrl": secret(`http://${user}@${host}`) });
    const up = await succeeded(stack.up());
    expect(projectsNamed(sandbox, "payments")).toHaveLength(1);
    expect(new Set(connects.map(({ url }) => url))).toEqual(new Set([new URL(sandbox.baseUrl).host]));
    expect(connects.map(({ headers }) => headers["proxy-authorization"])).toContain(`Basic ${basic}`);

    const [keyLine = ""] = clientKey.split("\n").slice(1);
    expect(keyLine.length).toBeGreaterThan(40);
    for (const text of [traces(refused), traces(up), await stateText(stack)])
      expect([keyLine, "hush-hush", basic].filter((hidden) => text.includes(hidden))).toEqual([]);
  },
);

it.each(bothProviders)(
  "HTTPS_PROXY leads through the proxy and NO_PROXY past it; skipTlsVerification and a wrong rspauth are one warning each in a run, and every write continues (%s provider)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "an up without changes connects");
    const { host, connects } = await proxy();
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { tls: true, authenticationInfo: "wrong-rspauth" },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    // An address of this machine that is no loopback one: those never go through the environment's proxies.
    const address = `0.0.0.0:${new URL(sandbox.baseUrl).port}`;
    await stack.setConfig({
      "opsmanager:baseUrl": `https://${address}`,
      "opsmanager:skipTlsVerification": "true",
    });
    const environment = { HTTPS_PROXY: `http://${user}@${host}` };
    stack.setEnv(environment);
    const warnings = [
      "skipTlsVerification is on: the service's certificate is not checked.",
      `https://${address}: A response's rspauth is wrong`,
    ];
    const printed = (run: Run) => warnings.map((warning) => timesPrinted(run, warning));
    const up = await succeeded(stack.up());
    expect(projectsNamed(sandbox, "payments")).toMatchObject([{ tags: ["PROD"] }]);
    expect(printed(up)).toEqual([1, 1]);
    expect(new Set(connects.map(({ url }) => url))).toEqual(new Set([address]));
    expect(connects.map(({ headers }) => headers["proxy-authorization"])).toContain(`Basic ${basic}`);

    stack.setEnv({ ...environment, NO_PROXY: "0.0.0.0" });
    connects.length = 0;
    const direct = await succeeded(stack.up());
    expect(direct.changes).toEqual({ same: 1 });
    expect(printed(direct)).toEqual([1, 1]);
    expect(connects).toEqual([]);
    for (const text of [traces(up), traces(direct), await stateText(stack)])
      expect(["hush-hush", basic].filter((hidden) => text.includes(hidden))).toEqual([]);
  },
);
