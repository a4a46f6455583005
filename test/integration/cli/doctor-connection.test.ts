/** `opsmanager doctor` where the way to the service is broken: one clear line, and what could not be asked is skipped. */
import { checkConnection } from "../../../cli/doctor/connection";
import { resolveSettings } from "../../../provider/settings/config";
import { makeCertificate } from "../../../sandbox/certificate";
import { startProxy } from "../../support/little-proxy";
import { startRawServer } from "../client/raw-server";
import { always } from "../client/with-client";
import { doctorTests, settingsOf, textOf } from "./doctor-run";

const { sandbox: start, server, examine } = doctorTests();

const keys = { OPSMANAGER_PUBLIC_KEY: "public", OPSMANAGER_PRIVATE_KEY: "not-to-be-seen" };
const authority = makeCertificate({ subject: "Example authority", isAuthority: true });
const other = makeCertificate({ subject: "Other authority", isAuthority: true });
const name = "ops-manager.example.com";

function certified(names: readonly string[], validTo?: Date) {
  const wish = { subject: "Service", names, issuer: authority, ...(validTo ? { validTo } : {}) };
  const { certificate, privateKey } = makeCertificate(wish);
  return { cert: certificate, key: privateKey };
}

const proxySecret = "proxy-not-to-be-seen";
const throughProxy = (host: string) => ({
  OPSMANAGER_BASE_URL: `https://${name}`,
  OPSMANAGER_CA_CERT: authority.certificate,
  HTTPS_PROXY: `http://user:${proxySecret}@${host}`,
});

const https = (address: string) => address.replace("http:", "https:");
let certifiedRequests = 0;
/** A service with this certificate, and the authorities that the settings trust. */
const withCertificate = async (names: readonly string[], caCert: string, validTo?: Date) => ({
  OPSMANAGER_BASE_URL: await server(() => void certifiedRequests++, certified(names, validTo)),
  OPSMANAGER_CA_CERT: caCert,
});
const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});
const proxyThat = async (wishes: Parameters<typeof startProxy>[0]) => {
  const { host, close } = await startProxy(wishes);
  endings.push(close);
  return throughProxy(host);
};

test.each<{
  way: string;
  env: () => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  /** Check, finding and advice. */
  finds: RegExp;
}>([
  {
    way: "a name that cannot be resolved",
    env: () => ({ OPSMANAGER_BASE_URL: "https://nowhere.invalid" }),
    finds: /^connection\.name: .*nowhere\.invalid.* -> Check the name in baseUrl/,
  },
  {
    way: "a port where nothing listens",
    env: () => ({ OPSMANAGER_BASE_URL: "https://127.0.0.1:1" }),
    finds: /^connection\.port: connect ECONNREFUSED 127\.0\.0\.1:1.* -> No process listens there/,
  },
  {
    way: "a port that speaks no TLS",
    env: async () => ({ OPSMANAGER_BASE_URL: https(await server(always(200, {}))) }),
    finds: /^connection\.tls: .* -> Check that baseUrl names an https:\/\/ port/,
  },
  {
    way: "a certificate of an unknown authority",
    env: () => withCertificate(["127.0.0.1"], ""),
    finds:
      /^connection\.trust: The certificate is not trusted: .*Set caCert to the certificate of the authority/,
  },
  {
    way: "a certificate of another authority than the one in caCert",
    env: () => withCertificate(["127.0.0.1"], other.certificate),
    finds: /^connection\.trust: The certificate is not trusted: .*caCert contains another authority/,
  },
  {
    way: "a certificate that names another host",
    env: () => withCertificate([name], authority.certificate),
    finds: /^connection\.trust: .*Use a host name in baseUrl that the certificate contains/,
  },
  {
    way: "a certificate that has expired",
    env: () => withCertificate(["127.0.0.1"], authority.certificate, new Date("2020-01-01")),
    finds: /^connection\.trust: .*has expired\. Renew it/,
  },
  {
    way: "a service that requires a client certificate",
    env: async () => settingsOf(await start({ tls: "mutual" })),
    finds:
      /^service\.answer: .*ALERT_CERTIFICATE_REQUIRED.*The service requires a client certificate\. Set clientCert and clientKey\./i,
  },
  {
    way: "a proxy that refuses the credentials",
    env: () => proxyThat({ status: 407 }),
    finds: /^connection\.proxy\.tunnel: .*It does not accept the user and password in proxyUrl/,
  },
  {
    way: "a proxy where nothing listens",
    env: () => throughProxy("127.0.0.1:1"),
    finds: /^connection\.proxy\.port: .*ECONNREFUSED/,
  },
])("$way is one failure, after which nothing is tried", async ({ env, finds }) => {
  const { exitCode, findings, checksThat, stdout, stderr } = await examine({ ...keys, ...(await env()) });
  expect(exitCode).toBe(1);
  const failures = findings.filter(({ outcome }) => outcome === "failed");
  expect(failures.map(({ check, says, advice }) => `${check}: ${says} -> ${advice}`)).toEqual([
    expect.stringMatching(finds),
  ]);
  expect(findings.at(-1)?.outcome).toBe("skipped");
  expect(checksThat("ok").filter((check) => /^(key|operations)\./.test(check))).toEqual([]);
  expect(stdout + stderr).not.toContain("not-to-be-seen");
  // An untrusted service gets no request.
  expect(certifiedRequests).toBe(0);
});

test("a server that takes a connection and says nothing is named after a second", async () => {
  const silent = await startRawServer(() => {});
  const settings = resolveSettings({
    args: {
      baseUrl: https(silent.baseUrl),
      publicKey: "public",
      privateKey: "not-to-be-seen",
      requestTimeoutSeconds: 1,
    },
    env: {},
    isDefaultProvider: false,
    directory: "/",
  });
  const { results, found } = await checkConnection(settings, new AbortController().signal);
  await silent.close();
  expect(found).toBeUndefined();
  expect(results.at(-1)).toMatchObject({ check: "connection.tls", text: "no response within 1 s." });
});

test("the certificate of a private authority is shown with its chain, and that caCert holds it", async () => {
  const { of, exitCode } = await examine(settingsOf(await start({ tls: true })));
  expect(exitCode).toBe(0);
  expect(of("connection.certificate").map(({ says }) => says.split(",")[0])).toEqual([
    "Sandbox",
    "Sandbox authority",
  ]);
  expect(of("connection.authority")[0]?.says).toBe("The authority Sandbox authority is in caCert");
  expect(of("connection.tls")[0]?.says).toMatch(/^TLSv1\.3, TLS_/);
});

test("a proxy of the environment is named by its variable, and the service's certificate is seen through it", async () => {
  const challenge = { "www-authenticate": 'Digest realm="r", nonce="n", qop="auth"' };
  const address = await server(always(401, {}, challenge), certified([name]));
  const { host, connects, close } = await startProxy({ port: Number(new URL(address).port) });
  const { of, checksThat, stdout, stderr } = await examine({ ...keys, ...throughProxy(host) });
  await close();
  expect(of("settings.proxyUrl")[0]?.says).toBe(
    `proxyUrl from HTTPS_PROXY: http://${host}, with credentials`,
  );
  expect(of("connection.proxy.tunnel").map(textOf)).toEqual([
    `ok: the proxy opened a tunnel to ${name}:443 `,
  ]);
  expect(checksThat("ok")).toEqual(expect.arrayContaining(["connection.trust", "service.digest"]));
  expect(checksThat("skipped")).toContain("connection.name");
  expect(connects[0]?.headers["proxy-authorization"]).toBe(
    `Basic ${Buffer.from(`user:${proxySecret}`).toString("base64")}`,
  );
  expect(stdout + stderr).not.toContain(proxySecret);
});

describe("settings and surroundings", () => {
  test("that are missing are named all at once, and nothing is sent", async () => {
    const { exitCode, of, checksThat } = await examine({ OPSMANAGER_PUBLIC_KEY: "public" });
    expect(exitCode).toBe(1);
    expect(of("settings.fault").map(({ says }) => says)).toEqual([
      expect.stringContaining("set OPSMANAGER_PRIVATE_KEY"),
      expect.stringContaining("baseUrl is missing"),
    ]);
    expect(checksThat("skipped")).toEqual(["connection.all"]);
  });

  test("without pulumi fail in one line, and the service is read all the same", async () => {
    const env = { ...settingsOf(await start()), PATH: "/nonexistent" };
    const { exitCode, of, checksThat } = await examine(env);
    expect(exitCode).toBe(1);
    expect(checksThat("failed")).toEqual(["environment.pulumi"]);
    expect(of("environment.pulumi").map(textOf)).toEqual([
      expect.stringMatching(
        /^failed: There is no pulumi command on PATH\. .*Install Pulumi 3\.227\.0 or newer/,
      ),
    ]);
    expect(checksThat("ok")).toContain("operations.projects");
  });

  test("hold secrets in every setting, and none is printed, whatever the service returns", async () => {
    const [own, mcli, proxy, inAddress, unused] = ["own", "mcli", "proxy", "address", "unused"].map(
      (place) => `${place}-secret`,
    );
    const echo = await server(({ headers }, response) => {
      response.writeHead(500, {
        "content-type": "application/json",
        "x-mongodb-service-version": `versionString=${own}`,
      });
      response.end(JSON.stringify({ detail: `${own} ${mcli} ${headers.authorization}`, errorCode: "NO" }));
    });
    const everywhere = {
      OPSMANAGER_PUBLIC_KEY: "public",
      OPSMANAGER_PRIVATE_KEY: String(own),
      MCLI_PRIVATE_API_KEY: String(mcli),
      HTTPS_PROXY: `http://user:${proxy}@proxy.example.com`,
      http_proxy: `http://${unused}:${unused}@proxy.example.com`,
    };
    for (const [baseUrl, answer] of [
      [echo, "[secret] [secret]"],
      [`https://user:${inAddress}@127.0.0.1:1/?token=${inAddress}`, ""],
    ]) {
      const { exitCode, of, stdout, stderr } = await examine({
        ...everywhere,
        OPSMANAGER_BASE_URL: String(baseUrl),
      });
      expect(exitCode).toBe(1);
      expect(stdout + stderr).not.toMatch(/-secret/);
      expect(of("service.answer").map(textOf).join()).toContain(answer);
    }
  });
});
