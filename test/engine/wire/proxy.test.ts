/** Connections through a proxy, as a user sees them: the setting and the environment, and that its password stays secret. */
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
const secrets = new RegExp(`hush-hush|${basic}`);
const traces = ({ stdout, stderr, events }: Run) => `${stdout}\n${stderr}\n${JSON.stringify(events)}`;

it.each(bothProviders)(
  "proxyUrl leads there with its user and password, which no output and no state holds (%s provider)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "an up without changes connects");
    const { host, connects } = await proxy();
    const { sandbox, stack } = await setUpStack({
      provider,
      plugin: "started", // with today's setting also for what is read before the program runs
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
      config: { "opsmanager:proxyUrl": secret(`http://${user}@${host}`) },
    });
    const up = await succeeded(stack.up());
    expect(projectsNamed(sandbox, "payments")).toHaveLength(1);
    expect(new Set(connects.map(({ url }) => url))).toEqual(new Set([new URL(sandbox.baseUrl).host]));
    expect(connects.map(({ headers }) => headers["proxy-authorization"])).toContain(`Basic ${basic}`);

    const refusing = await proxy({ status: 407 });
    await stack.setConfig({ "opsmanager:proxyUrl": secret(`http://${user}@${refusing.host}`) });
    const refused = await stack.up();
    expect(refused.exitCode).not.toBe(0);
    expect(messagesOf(refused, "error")).toContain(
      `the proxy ${refusing.host} returned status 407 instead of connecting. It does not accept the user and password in proxyUrl`,
    );
    for (const text of [traces(up), traces(refused), await stateText(stack)]) {
      expect(text.match(secrets)).toBeNull();
    }
  },
);

it.each(bothProviders)(
  "HTTPS_PROXY leads through the proxy and NO_PROXY past it; skipTlsVerification warns once in each run (%s provider)",
  async (provider) => {
    const { host, connects } = await proxy();
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { tls: true },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    // An address of this machine that is no loopback one: those never go through the environment's proxies.
    const address = `0.0.0.0:${new URL(sandbox.baseUrl).port}`;
    await stack.setConfig({
      "opsmanager:baseUrl": `https://${address}`,
      "opsmanager:skipTlsVerification": "true",
    });
    const environment = { HTTPS_PROXY: `http://${user}@${host}` };
    stack.setEnv(environment);
    const warning = "skipTlsVerification is on: the service's certificate is not checked.";
    const up = await succeeded(stack.up());
    expect(projectsNamed(sandbox, "payments")).toHaveLength(1);
    expect(timesPrinted(up, warning)).toBe(1);
    expect(new Set(connects.map(({ url }) => url))).toEqual(new Set([address]));
    expect(connects.map(({ headers }) => headers["proxy-authorization"])).toContain(`Basic ${basic}`);

    stack.setEnv({ ...environment, NO_PROXY: "0.0.0.0" });
    connects.length = 0;
    const direct = await succeeded(stack.up());
    expect(direct.changes).toEqual({ same: 1 });
    expect(timesPrinted(direct, warning)).toBe(1);
    expect(connects).toEqual([]);
    for (const text of [traces(up), traces(direct), await stateText(stack)]) {
      expect(text.match(secrets)).toBeNull();
    }
  },
);
