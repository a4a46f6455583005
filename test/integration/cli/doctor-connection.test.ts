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

/** Exactly one check fails, nothing after it was tried, and the exit code reports it. */
async function failureWith(env: Readonly<Record<string, string>>) {
  const { exitCode, findings, checksThat, stdout, stderr } = await examine({ ...keys, ...env });
  expect(exitCode).toBe(1);
  expect(checksThat("failed")).toHaveLength(1);
  expect(findings.at(-1)?.outcome).toBe("skipped");
  expect(checksThat("ok").filter((check) => /^(key|operations)\./.test(check))).toEqual([]);
  expect(stdout + stderr).not.toContain("not-to-be-seen");
  const found = findings.find(({ outcome }) => outcome === "failed");
  return `${found?.check}: ${found?.says} -> ${found?.advice}`;
}

describe("the address", () => {
  test.each([
    {
      address: "whose name cannot be resolved",
      baseUrl: "https://nowhere.invalid",
      says: /^connection\.name: .*nowhere\.invalid.* -> Check the name in baseUrl/,
    },
    {
      address: "where nothing listens",
      baseUrl: "https://127.0.0.1:1",
      says: /^connection\.port: connect ECONNREFUSED 127\.0\.0\.1:1.* -> No process listens there/,
    },
  ])("$address", async ({ baseUrl, says }) => {
    expect(await failureWith({ OPSMANAGER_BASE_URL: baseUrl })).toMatch(says);
  });

  test("that takes a connection and prints nothing", async () => {
    const silent = await startRawServer(() => {});
    const settings = resolveSettings({
      args: {
        baseUrl: silent.baseUrl.replace("http:", "https:"),
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

  test.each<{ what: string; status: number; body?: string; headers: Record<string, string>; says: string }>([
    {
      what: "a web page",
      status: 200,
      body: "<!doctype html><p>Welcome",
      headers: { "content-type": "text/html" },
      says: "with a web page. Check baseUrl",
    },
    {
      what: "a web page of a service that is down",
      status: 502,
      body: "<html>Bad gateway",
      headers: { "content-type": "text/html" },
      says: "Run the command again later",
    },
    {
      what: "a redirect",
      status: 302,
      headers: { location: "https://elsewhere.example.com/" },
      says: "It redirects to https://elsewhere.example.com/",
    },
    {
      what: "another login",
      status: 401,
      headers: { "www-authenticate": 'Basic realm="proxy"' },
      says: "A server other than this API requires a login",
    },
    {
      what: "no JSON",
      status: 200,
      body: "hello",
      headers: { "content-type": "text/plain" },
      says: "is not JSON",
    },
  ])("that responds with $what", async ({ status, body = "", headers, says }) => {
    const found = await failureWith({ OPSMANAGER_BASE_URL: await server(always(status, body, headers)) });
    expect(found).toMatch(/^service\.answer: /);
    expect(found).toContain(says);
  });
});

describe("the certificate", () => {
  test("of a private authority is shown with its chain, and that caCert holds it", async () => {
    const { of, exitCode } = await examine(settingsOf(await start({ tls: true })));
    expect(exitCode).toBe(0);
    expect(of("connection.certificate").map(({ says }) => says.split(",")[0])).toEqual([
      "Sandbox",
      "Sandbox authority",
    ]);
    expect(of("connection.authority")[0]?.says).toBe("The authority Sandbox authority is in caCert");
    expect(of("connection.tls")[0]?.says).toMatch(/^TLSv1\.3, TLS_/);
  });

  const here = certified(["127.0.0.1"]);
  test.each([
    {
      which: "of an unknown authority",
      certificate: here,
      caCert: "",
      advice: "Set caCert to the certificate of the authority",
    },
    {
      which: "of another authority than the one in caCert",
      certificate: here,
      caCert: other.certificate,
      advice: "caCert contains another authority",
    },
    {
      which: "that names another host",
      certificate: certified([name]),
      caCert: authority.certificate,
      advice: "Use a host name in baseUrl that the certificate contains",
    },
    {
      which: "that has expired",
      certificate: certified(["127.0.0.1"], new Date("2020-01-01")),
      caCert: authority.certificate,
      advice: "has expired. Renew it",
    },
  ])("$which is not trusted, and no request is sent", async ({ certificate, caCert, advice }) => {
    let requests = 0;
    const address = await server(() => void requests++, certificate);
    const found = await failureWith({ OPSMANAGER_BASE_URL: address, OPSMANAGER_CA_CERT: caCert });
    expect(found).toMatch(/^connection\.trust: The certificate is not trusted: /);
    expect(found).toContain(advice);
    expect(requests).toBe(0);
  });

  test("that the service asks of its clients is named where it is missing", async () => {
    const sandbox = await start({ tls: "mutual" });
    const found = await failureWith(settingsOf(sandbox));
    expect(found).toMatch(/^service\.answer: .*ALERT_CERTIFICATE_REQUIRED/i);
    expect(found).toContain("The service requires a client certificate. Set clientCert and clientKey.");
    expect(sandbox.requests).toEqual([]);
  });

  test("that is none: the port speaks no TLS", async () => {
    const plain = await server(always(200, {}));
    expect(await failureWith({ OPSMANAGER_BASE_URL: plain.replace("http:", "https:") })).toMatch(
      /^connection\.tls: .* -> Check that baseUrl names an https:\/\/ port/,
    );
  });
});

describe("a proxy of the environment", () => {
  const proxySecret = "proxy-not-to-be-seen";
  const env = (host: string) => ({
    OPSMANAGER_BASE_URL: `https://${name}`,
    OPSMANAGER_CA_CERT: authority.certificate,
    HTTPS_PROXY: `http://user:${proxySecret}@${host}`,
  });

  test("is named by its variable, and the service's certificate is seen through it", async () => {
    const challenge = { "www-authenticate": 'Digest realm="r", nonce="n", qop="auth"' };
    const address = await server(always(401, {}, challenge), certified([name]));
    const { host, connects, close } = await startProxy({ port: Number(new URL(address).port) });
    const { of, checksThat, stdout, stderr } = await examine({ ...keys, ...env(host) });
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

  test.each([
    { does: { status: 407 }, says: "It does not accept the user and password in proxyUrl" },
    { does: { status: 403 }, says: "Have its administrator allow this address" },
    { does: { hangUp: true }, says: "by way of the proxy" },
  ])("that does $does", async ({ does, says }) => {
    const { host, close } = await startProxy(does);
    const found = await failureWith(env(host));
    await close();
    expect(found).toMatch(/^connection\.proxy\.tunnel: /);
    expect(found).toContain(says);
    expect(found).not.toContain(proxySecret);
  });

  test("where nothing listens", async () => {
    expect(await failureWith(env("127.0.0.1:1"))).toMatch(/^connection\.proxy\.port: .*ECONNREFUSED/);
  });
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
