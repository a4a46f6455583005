/** Connections through a proxy: what it receives, what it never receives, and the error when it refuses. */
import type { AddressInfo } from "node:net";
import { createProject, getProject } from "../../../provider/api/projects";
import { makeCertificate } from "../../../sandbox/certificate";
import { type ProxyWishes, startProxy } from "../../support/little-proxy";
import { always, clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const project = { id, name: "payments", orgId: "5f00000000000000000000b1" };
const keys = { publicKey: "public", privateKey: "private-part" };

const authority = makeCertificate({ subject: "Example authority", isAuthority: true });
const caCert = authority.certificate;
const certified = (names: readonly string[]) => {
  const { certificate, privateKey } = makeCertificate({ subject: "Service", names, issuer: authority });
  return { cert: certificate, key: privateKey };
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
  test("leads through a tunnel, also to http:// and to this machine", async () => {
    const { host, connects, forwarded } = await proxy();
    const { sandbox, client, lines } = await start.sandbox({}, { proxyUrl: `http://${host}` });
    const { id: projectId } = sandbox.addProject({ name: "payments" });
    for (const _ of "abc") expect((await getProject(client, projectId)).name).toBe("payments");
    expect(new Set(connects.map(({ url }) => url))).toEqual(new Set([new URL(sandbox.baseUrl).host]));
    expect(forwarded).toEqual([]);
    // The signature is for the service; the proxy gets to see none of it.
    expect(JSON.stringify(connects.map(({ headers }) => headers))).not.toMatch(/digest|"authorization"/i);
    expect(lines.filter((line) => line.includes("attempt"))).toEqual([]);
  });

  test("connects to https://, whose certificate is checked end to end", async () => {
    const { host, connects } = await proxy();
    const tls = certified(["127.0.0.1"]);
    const trusting = await start.server(always(200, project), { proxyUrl: `http://${host}`, caCert }, tls);
    expect((await getProject(trusting.client, id)).name).toBe("payments");
    const doubting = await start.server(always(200, project), { proxyUrl: `http://${host}` }, tls);
    expect((await failureOf(getProject(doubting.client, id))).message).toMatch(
      /No trusted connection to https:\/\/127\.0\.0\.1:\d+: .*Set caCert/,
    );
    expect(connects).toHaveLength(2);
  });

  test.each(["127.0.0.1", "localhost"])(
    "leads to a service on %s whose certificate has another name, and the message reports it",
    async (host) => {
      const { host: proxyHost } = await proxy();
      const { server } = await start.server(always(200, project), {}, certified(["ops-manager.example.com"]));
      const baseUrl = `https://${host}:${(server.address() as AddressInfo).port}`;
      const { client } = start.client({ ...keys, baseUrl, caCert, proxyUrl: `http://${proxyHost}` });
      expect((await failureOf(getProject(client, id))).message).toContain("Use a host name in baseUrl");
    },
  );

  test("may be https:// itself, with a certificate of the authority in caCert", async () => {
    const { host, connects } = await proxy({ tls: certified(["localhost"]) });
    const address = host.replace("127.0.0.1", "localhost");
    const settings = { proxyUrl: `https://user:secret-word@${address}`, caCert };
    const { client } = await start.server(always(200, project), settings, certified(["127.0.0.1"]));
    expect((await getProject(client, id)).name).toBe("payments");
    expect(connects).toHaveLength(1);
  });

  test("sends its user and password to the proxy alone, decoded", async () => {
    const { host, connects } = await proxy();
    const seen: unknown[] = [];
    const { client, lines } = await start.server(
      (request, response) => {
        seen.push(request.headers);
        always(200, project)(request, response);
      },
      { proxyUrl: `http://us%40er:secret%2Fword@${host}` },
    );
    await getProject(client, id);
    const basic = `Basic ${Buffer.from("us@er:secret/word").toString("base64")}`;
    expect(connects[0]?.headers["proxy-authorization"]).toBe(basic);
    expect(JSON.stringify(seen)).not.toMatch(/proxy-authorization|us@er/i);
    expect(lines.join()).not.toMatch(/secret|us@er/);
  });

  test("serves many at once, each on a connection of the limit", async () => {
    const { host, connects } = await proxy();
    const settings = { proxyUrl: `http://${host}`, maxConcurrentRequests: 3 };
    const { client } = await start.server(always(200, project), settings);
    await Promise.all(Array.from({ length: 30 }, () => getProject(client, id)));
    expect(connects.length).toBeLessThanOrEqual(3);
  });
});

describe("the environment's proxy", () => {
  test.each([
    ["HTTPS_PROXY", "https://ops-manager.example.com:8443", true],
    ["HTTP_PROXY", "http://ops-manager.example.com:8080", false],
  ])("of %s leads to %s, a name that only the proxy can find", async (variable, baseUrl, secure) => {
    const tls = secure ? certified(["ops-manager.example.com"]) : undefined;
    const { server } = await start.server(always(200, project), { caCert }, tls);
    const { host, connects } = await proxy({ port: (server.address() as AddressInfo).port });
    const settings = { ...keys, baseUrl, caCert, allowInsecureHttp: true };
    const { client } = start.client(settings, { [variable]: host, NO_PROXY: "other.example.com" });
    expect((await getProject(client, id)).name).toBe("payments");
    expect(connects.map(({ url }) => url)).toEqual([new URL(baseUrl).host]);
  });

  test("is not used for a service on this machine", async () => {
    const { host, connects } = await proxy();
    const { server } = await start.server(always(200, project));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { client } = start.client({ ...keys, baseUrl }, { HTTP_PROXY: `http://${host}` });
    expect((await getProject(client, id)).name).toBe("payments");
    expect(connects).toEqual([]);
  });
});

describe("a proxy that does not lead there", () => {
  const wanted = { name: "orders", orgId: "5f00000000000000000000b1" };

  /** Even for a POST: nothing was sent, so its outcome is known. */
  async function failing(wishes: ProxyWishes, credentials = "", more: Record<string, unknown> = {}) {
    const { host, connects } = await proxy(wishes);
    const reached: unknown[] = [];
    const settings = { proxyUrl: `http://${credentials}${host}`, ...more };
    const { client, lines } = await start.server((request) => reached.push(request.url), settings);
    const error = await failureOf(createProject(client, wanted));
    expect(error).toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
    expect(reached).toEqual([]);
    const texts = [error.message, ...lines].join("\n");
    expect(texts).not.toMatch(/secret|user:|dXNlcjpzZWNyZXQ/);
    return { message: error.message, origin: client.origin, host, connects };
  }

  test.each([
    [407, "", "It requires a user and a password. Put them into proxyUrl"],
    [407, "user:secret-word@", "It does not accept the user and password in proxyUrl"],
    [403, "user:secret-word@", "Have its administrator allow this address"],
    [405, "", "Have its administrator allow this address"],
  ])(
    "but returns %i with %p gets one request, and the message contains what to do",
    async (status, credentials, advice) => {
      const { message, origin, host, connects } = await failing({ status }, credentials, { maxRetries: 2 });
      expect(message).toContain(
        `Creating project "orders" in organization ${wanted.orgId} failed: ${origin} cannot be reached: the proxy ${host} returned status ${status} instead of connecting. ${advice}`,
      );
      expect(connects).toHaveLength(1);
    },
  );

  test.each([429, 502, 503, 504])(
    "but returns %i gets the request again, also for a POST",
    async (status) => {
      jest.spyOn(Math, "random").mockReturnValue(0);
      const { message, host, connects } = await failing({ status }, "", { maxRetries: 2 });
      jest.restoreAllMocks();
      expect(message).toContain(`the proxy ${host} returned status ${status} instead of connecting`);
      expect(connects).toHaveLength(3);
    },
  );

  test("but hangs up is named", async () => {
    const { message, host } = await failing({ hangUp: true }, "user:secret-word@");
    expect(message).toContain(`by way of the proxy ${host}`);
  });

  test("because it is not there is named", async () => {
    const { host, close } = await startProxy();
    await close();
    const settings = { proxyUrl: `http://user:secret-word@${host}` };
    const { client } = await start.server(always(200, project), settings);
    const error = await failureOf(createProject(client, wanted));
    expect(error).toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
    expect(error.message).toContain(`ECONNREFUSED ${host}, by way of the proxy ${host}`);
    expect(error.message).not.toContain("secret-word");
  });

  test.each([
    ["an unknown authority", "localhost", undefined, "Set caCert to the certificate"],
    [
      "another name",
      "proxy.example.com",
      caCert,
      "Use a host name in proxyUrl that the proxy's certificate contains.",
    ],
  ])("because its certificate is of %s reports it", async (_, name, ca, advice) => {
    const { host } = await proxy({ tls: certified([name]) });
    const proxyUrl = `https://${host.replace("127.0.0.1", "localhost")}`;
    const { client } = await start.server(always(200, project), { proxyUrl, caCert: ca });
    const { message } = await failureOf(createProject(client, wanted));
    expect(message).toMatch(/No trusted connection to http:.*, by way of the proxy localhost:/);
    expect(message).toContain(advice);
  });
});
