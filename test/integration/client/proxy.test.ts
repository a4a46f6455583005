/** Connections through a proxy: what it receives, what it never receives, and the error when it refuses. */
import { createProject, getProject } from "../../../provider/api/projects";
import { makeCertificate } from "../../../sandbox/certificate";
import { type ProxyWishes, startProxy } from "../../support/little-proxy";
import { always, clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const project = { id, name: "payments", orgId: "5f00000000000000000000b1" };

const authority = makeCertificate({ subject: "Example authority", isAuthority: true });
const caCert = authority.certificate;
const certified = (name: string) => {
  const own = makeCertificate({ subject: "Service", names: [name], issuer: authority });
  return { cert: own.certificate, key: own.privateKey };
};

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

async function proxy(wishes?: ProxyWishes) {
  const made = await startProxy(wishes);
  endings.push(() => made.close());
  return made;
}

describe("the setting proxyUrl", () => {
  test("leads through tunnels, also to http:// and to this machine, on as many connections as the limit allows", async () => {
    const { host, connects, forwarded } = await proxy();
    const settings = { proxyUrl: `http://${host}`, maxConcurrentRequests: 3 };
    const { sandbox, client, lines } = await start.sandbox({}, settings);
    const { id: projectId } = sandbox.addProject({ name: "payments" });
    await Promise.all(Array.from({ length: 30 }, () => getProject(client, projectId)));
    expect(new Set(connects.map(({ url }) => url))).toEqual(new Set([new URL(sandbox.baseUrl).host]));
    expect(connects.length).toBeLessThanOrEqual(3);
    expect(forwarded).toEqual([]);
    // The signature is for the service; the proxy gets to see none of it.
    expect(JSON.stringify(connects.map(({ headers }) => headers))).not.toMatch(/digest|"authorization"/i);
    expect(lines.filter((line) => line.includes("attempt"))).toEqual([]);
  });

  test("connects to https://, whose certificate is checked end to end", async () => {
    const { host, connects } = await proxy();
    const proxyUrl = `http://${host}`;
    const tls = certified("127.0.0.1");
    const trusting = await start.server(always(200, project), { proxyUrl, caCert }, tls);
    expect((await getProject(trusting.client, id)).name).toBe("payments");
    const doubting = await start.server(always(200, project), { proxyUrl }, tls);
    expect((await failureOf(getProject(doubting.client, id))).message).toMatch(
      /No trusted connection to https:\/\/127\.0\.0\.1:\d+: .*Set caCert/,
    );
    expect(connects).toHaveLength(2);
  });

  test.each([false, true])(
    "sends its user and password to the proxy alone, decoded (over TLS: %p)",
    async (isSecure) => {
      const { host, connects } = await proxy(isSecure ? { tls: certified("localhost") } : {});
      const address = host.replace("127.0.0.1", "localhost");
      const proxyUrl = `http${isSecure ? "s" : ""}://us%40er:secret%2Fword@${address}`;
      const seen: unknown[] = [];
      const { client, lines } = await start.server(
        (request, response) => {
          seen.push(request.headers);
          always(200, project)(request, response);
        },
        { proxyUrl, caCert },
        certified("127.0.0.1"),
      );
      await getProject(client, id);
      const basic = `Basic ${Buffer.from("us@er:secret/word").toString("base64")}`;
      expect(connects.map(({ headers }) => headers["proxy-authorization"])).toEqual([basic]);
      expect(JSON.stringify(seen)).not.toMatch(/proxy-authorization|us@er/i);
      expect(lines.join()).not.toMatch(/secret|us@er/);
    },
  );
});

describe("a proxy that does not lead there", () => {
  const wanted = { name: "orders", orgId: "5f00000000000000000000b1" };

  /** Even for a POST: nothing was sent, so its outcome is known. */
  async function failing({ host }: { readonly host: string }, more: Record<string, unknown> = {}) {
    jest.spyOn(Math, "random").mockReturnValue(0);
    const reached: unknown[] = [];
    const settings = { proxyUrl: `http://${host}`, maxRetries: 2, ...more };
    const { client, lines } = await start.server((request) => reached.push(request.url), settings);
    const error = await failureOf(createProject(client, wanted));
    jest.restoreAllMocks();
    expect(error).toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
    expect(reached).toEqual([]);
    expect([error.message, ...lines].join("\n")).not.toMatch(/secret|user:|dXNlcjpzZWNyZXQ/);
    return { message: error.message, origin: client.origin };
  }

  test.each([
    { status: 407, user: "", advice: "It requires a user and a password. Put them into proxyUrl" },
    { status: 407, user: "user:secret@", advice: "It does not accept the user and password in proxyUrl" },
    { status: 403, user: "user:secret@", advice: "Have its administrator allow this address" },
  ])(
    "but returns $status to $user gets one request, and the message contains what to do",
    async ({ status, user, advice }) => {
      const { host, connects } = await proxy({ status });
      const { message, origin } = await failing({ host: `${user}${host}` });
      expect(message).toContain(
        `Creating project "orders" in organization ${wanted.orgId} failed: ${origin} cannot be reached: the proxy ${host} returned status ${status} instead of connecting. ${advice}`,
      );
      expect(connects).toHaveLength(1);
    },
  );

  test.each([429, 503])("but returns %i gets the request again, also for a POST", async (status) => {
    const { host, connects } = await proxy({ status });
    const { message } = await failing({ host });
    expect(message).toContain(`the proxy ${host} returned status ${status} instead of connecting`);
    expect(connects).toHaveLength(3);
  });

  test("but hangs up, or is not there, is named", async () => {
    const { host } = await proxy({ hangUp: true });
    const { message } = await failing({ host: `user:secret-word@${host}` });
    expect(message).toContain(`by way of the proxy ${host}`);
    const gone = await startProxy();
    await gone.close();
    const refused = await failing({ host: `user:secret-word@${gone.host}` });
    expect(refused.message).toContain(`ECONNREFUSED ${gone.host}, by way of the proxy ${gone.host}`);
  });

  test.each([
    { of: "an unknown authority", name: "localhost", ca: undefined, advice: "Set caCert to the certificate" },
    {
      of: "another name",
      name: "proxy.example.com",
      ca: caCert,
      advice: "Use a host name in proxyUrl that the proxy's certificate contains.",
    },
  ])("because its certificate is of $of reports it", async ({ name, ca, advice }) => {
    const { host } = await proxy({ tls: certified(name) });
    const proxyUrl = `https://${host.replace("127.0.0.1", "localhost")}`;
    const { message } = await failing({ host }, { proxyUrl, caCert: ca });
    expect(message).toMatch(/No trusted connection to http:.*, by way of the proxy localhost:/);
    expect(message).toContain(advice);
  });
});
