import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { type SettingsSources, sameAddress, settingFaults } from "../../provider/settings/config";
import { ConfigurationError } from "../../provider/text/errors";
import { makeCertificate } from "../../sandbox/certificate";
import { faultsOf, pair, resolved } from "./settings";

const baseUrl = "https://ops-manager.example.com:8443";
const complete = { baseUrl, ...pair };
const own = { OPSMANAGER_PUBLIC_KEY: "own-public", OPSMANAGER_PRIVATE_KEY: "own-private" };
const ownAddress = { OPSMANAGER_BASE_URL: "https://own.example.com" };
const tools = { MCLI_PUBLIC_API_KEY: "mcli-public", MCLI_PRIVATE_API_KEY: "mcli-private" };
const toolsAddress = { MCLI_OPS_MANAGER_URL: "https://mcli.example.com/" };

test("maxRemovalsPerRun may come from the environment, and an argument goes before it", () => {
  const env = { OPSMANAGER_MAX_REMOVALS_PER_RUN: "7" };
  expect(resolved({ args: complete, env }).maxRemovalsPerRun).toBe(7);
  expect(resolved({ args: { ...complete, maxRemovalsPerRun: "0" }, env }).maxRemovalsPerRun).toBe(0);
});

describe("complete settings", () => {
  test("get every standard value that the documentation names", () => {
    expect(resolved({ args: complete })).toEqual({
      origin: baseUrl,
      pathPrefix: "",
      ...pair,
      keySource: "the provider's arguments",
      skipTlsVerification: false,
      requestTimeoutSeconds: 60,
      maxRetries: 4,
      maxConcurrentRequests: 16,
      invitationsPerMinute: 10,
      refreshBeforeUpdate: true,
      readCacheSeconds: 30,
      maxRemovalsPerRun: 100,
    });
  });

  test("may all come as text, as the engine hands over a stack's config", () => {
    const values = {
      skipTlsVerification: true,
      requestTimeoutSeconds: 10,
      maxRetries: 0,
      maxConcurrentRequests: 3,
      requestsPerSecond: 2.5,
      refreshBeforeUpdate: false,
      readCacheSeconds: 0,
    };
    const texts = Object.entries(values).map(([name, value]) => [name, ` ${value} `]);
    expect(resolved({ args: { ...complete, ...Object.fromEntries(texts) } })).toMatchObject(values);
  });

  test("are trimmed, as a pasted key often ends with a line break, and blank ones are left out", () => {
    const args = { baseUrl: ` ${baseUrl}\n`, publicKey: "public\n", privateKey: " private-part " };
    const blank = { caCert: "", proxyUrl: " ", requestTimeoutSeconds: "", skipTlsVerification: " " };
    const { origin, publicKey, privateKey, ...others } = resolved({ args: { ...args, ...blank } });
    expect({ origin, publicKey, privateKey }).toEqual({ origin: baseUrl, ...pair });
    expect(others).toMatchObject({ caCert: undefined, proxyUrl: undefined, requestTimeoutSeconds: 60 });
  });

  test("may hold the keys that the engine reserves", () => {
    const args = { ...complete, version: "1.2.3", pluginDownloadURL: "https://example.com", __internal: {} };
    expect(resolved({ args }).origin).toBe(baseUrl);
    expect(settingFaults(args)).toEqual([]);
  });
});

describe("missing settings", () => {
  test("are named all at once, with the lines to type and the names in the environment; blank text counts as missing", () => {
    const faults = faultsOf({ args: { baseUrl: " ", publicKey: "", privateKey: "\n" } });
    expect(faults).toEqual([
      "publicKey is missing: pulumi config set opsmanager:publicKey <public key>   (or OPSMANAGER_PUBLIC_KEY, MCLI_PUBLIC_API_KEY).",
      "privateKey is missing: pulumi config set --secret opsmanager:privateKey <private key>   (or OPSMANAGER_PRIVATE_KEY, MCLI_PRIVATE_API_KEY).",
      "baseUrl is missing: pulumi config set opsmanager:baseUrl https://ops-manager.example.com:8443   (or OPSMANAGER_BASE_URL, MCLI_OPS_MANAGER_URL).",
    ]);
    const heading = "The settings of the opsmanager provider are incomplete or wrong:";
    const error = new ConfigurationError([heading, ...faults.map((fault) => `  - ${fault}`)]);
    expect(() => resolved({})).toThrow(error);
  });

  test("are named beside everything else that is wrong", () => {
    const args = {
      publicKey: "public",
      maxRetries: "many",
      caCert: "no-such-file.pem",
      proxyUrl: "proxy:3128",
    };
    expect(faultsOf({ args })).toEqual([
      "privateKey is missing: both parts of the key pair must come from one source, and publicKey comes from the provider's arguments. Fix: give both to the provider.",
      expect.stringMatching(/^baseUrl is missing/),
      "maxRetries must be a whole number.",
      "caCert is neither PEM text nor the path of a readable file (/program/no-such-file.pem).",
      "proxyUrl is not an address such as http://user:password@proxy.example.com:3128.",
    ]);
  });
});

describe("the key pair comes from one source:", () => {
  const stackConfig = { baseUrl, publicKey: "c", privateKey: "c" };
  test.each<{ sources: Partial<SettingsSources>; publicKey: string; from: string }>([
    {
      sources: { args: complete, stackConfig, env: own },
      publicKey: "public",
      from: "the provider's arguments",
    },
    { sources: { args: { baseUrl }, stackConfig, env: own }, publicKey: "c", from: "the stack's config" },
    {
      sources: { args: { baseUrl }, env: { ...own, ...tools } },
      publicKey: "own-public",
      from: "the environment (OPSMANAGER_...)",
    },
    {
      sources: { args: { baseUrl }, env: tools },
      publicKey: "mcli-public",
      from: "the environment (MCLI_...)",
    },
  ])("$from, before all later sources", ({ sources, publicKey, from }) => {
    expect(resolved(sources)).toMatchObject({ publicKey, keySource: from });
  });

  test("no half of it is taken from another source", () => {
    const half = "is missing: both parts of the key pair must come from one source, and";
    expect(faultsOf({ args: { baseUrl, publicKey: "a" }, stackConfig: { baseUrl, ...pair } })).toEqual([
      `privateKey ${half} publicKey comes from the provider's arguments. Fix: give both to the provider.`,
    ]);
    expect(faultsOf({ args: { baseUrl }, stackConfig: { baseUrl, publicKey: "c" }, env: own })).toEqual([
      `privateKey ${half} publicKey comes from the stack's config. Fix: pulumi config set --secret opsmanager:privateKey <private key>.`,
    ]);
    expect(faultsOf({ args: { baseUrl }, env: { OPSMANAGER_PRIVATE_KEY: "o", ...tools } })).toEqual([
      `publicKey ${half} privateKey comes from the environment (OPSMANAGER_...). Fix: set OPSMANAGER_PUBLIC_KEY.`,
    ]);
  });
});

describe("an address from the environment", () => {
  test("goes with keys of the same family", () => {
    const both = { ...ownAddress, ...toolsAddress };
    expect(resolved({ env: { ...own, ...both } }).origin).toBe("https://own.example.com");
    expect(resolved({ env: { ...tools, ...both } }).origin).toBe("https://mcli.example.com");
  });

  test.each<{ family: string; keys: string; sources: Partial<SettingsSources> }>([
    { family: "OPSMANAGER", keys: "the tools' keys", sources: { env: { ...tools, ...ownAddress } } },
    { family: "MCLI", keys: "our keys", sources: { env: { ...own, ...toolsAddress } } },
    { family: "MCLI", keys: "keys of the stack's config", sources: { stackConfig: pair, env: toolsAddress } },
    { family: "MCLI", keys: "keys of the arguments", sources: { args: pair, env: toolsAddress } },
  ])("of $family is not used with $keys, and the error reports why", ({ family, sources }) => {
    expect(faultsOf(sources)).toEqual([
      `baseUrl is missing: pulumi config set opsmanager:baseUrl https://ops-manager.example.com:8443   (or OPSMANAGER_BASE_URL, MCLI_OPS_MANAGER_URL). The address in the environment (${family}_...) is used only with credentials from there.`,
    ]);
  });

  test("is replaced by one from the program or the stack's config", () => {
    expect(resolved({ args: { baseUrl }, env: { ...own, ...ownAddress } }).origin).toBe(baseUrl);
    expect(resolved({ stackConfig: { baseUrl }, env: { ...own, ...ownAddress } }).origin).toBe(baseUrl);
  });
});

describe("a default provider", () => {
  const recorded = { ...complete, publicKey: "old-public", privateKey: "old-private", maxRetries: "2" };
  const today = { ...complete, publicKey: "new-public", privateKey: "new-private", maxRetries: "3" };

  // The engine refreshes with the keys in state.
  test.each<{ when: string; sources: Partial<SettingsSources>; publicKey: string }>([
    { when: "config is today's", sources: { stackConfig: today }, publicKey: "new-public" },
    {
      when: "config has the same address in another form",
      sources: {
        stackConfig: { ...today, baseUrl: "HTTPS://OPS-MANAGER.example.com:8443/api/public/v1.0/" },
      },
      publicKey: "new-public",
    },
    {
      when: "config is of another service",
      sources: { stackConfig: { ...today, baseUrl: "https://new.example.com" } },
      publicKey: "old-public",
    },
    {
      when: "the keys have left the config",
      sources: { stackConfig: { baseUrl }, env: own },
      publicKey: "own-public",
    },
    { when: "the host gives no config", sources: {}, publicKey: "old-public" },
  ])("takes the key $publicKey and else its own settings if the $when", ({ sources, publicKey }) => {
    const settings = resolved({ args: recorded, ...sources, isDefaultProvider: true });
    expect(settings).toMatchObject({ origin: baseUrl, publicKey, maxRetries: 2 });
  });

  test("drops a proxy and a certificate that today's config no longer has", () => {
    const args = { ...recorded, proxyUrl: "http://proxy.example.com:3128", skipTlsVerification: "true" };
    expect(resolved({ args, stackConfig: today, isDefaultProvider: true })).toMatchObject({
      proxyUrl: undefined,
      skipTlsVerification: false,
    });
  });
});

describe("an explicit provider", () => {
  const stackConfig = { ...complete, clientKey: "k", clientCert: "c", maxRetries: "7" };

  test("gets what it does not set from the stack's config", () => {
    expect(resolved({ args: { baseUrl, maxRetries: 1 }, stackConfig: complete })).toMatchObject({
      publicKey: "public",
      maxRetries: 1,
    });
  });

  test("of another service gets no key from the stack's config", () => {
    const faults = faultsOf({ args: { baseUrl: "https://other.example.com" }, stackConfig });
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual(["publicKey", "privateKey"]);
  });

  test("of another service with its own key gets the rest, but no client certificate", () => {
    const args = { baseUrl: "https://other.example.com", publicKey: "o", privateKey: "o" };
    expect(resolved({ args, stackConfig })).toMatchObject({
      publicKey: "o",
      clientCert: undefined,
      maxRetries: 7,
    });
  });
});

describe("baseUrl", () => {
  test.each([
    { given: "https://ops.example.com", origin: "https://ops.example.com" },
    { given: "https://ops.example.com:443", origin: "https://ops.example.com" },
    { given: "HTTPS://Ops.Example.com:8443", origin: "https://ops.example.com:8443" },
    { given: "https://ops.example.com/api/public/v1.0/", origin: "https://ops.example.com" },
    { given: "https://ops.example.com/a/ops", origin: "https://ops.example.com", prefix: "/a/ops" },
    { given: "https://ops.example.com/tools//", origin: "https://ops.example.com", prefix: "/tools" },
    {
      given: "https://ops.example.com/tools/api/public/v1.0",
      origin: "https://ops.example.com",
      prefix: "/tools",
    },
    { given: "https://[2001:db8::1]:8443", origin: "https://[2001:db8::1]:8443" },
    { given: "http://localhost:8080", origin: "http://localhost:8080" },
    { given: "http://127.9.9.9", origin: "http://127.9.9.9" },
    { given: "http://[::1]:8080/x", origin: "http://[::1]:8080", prefix: "/x" },
  ])("$given is understood", ({ given, origin, prefix = "" }) => {
    const settings = resolved({ args: { ...pair, baseUrl: given } });
    expect(settings).toMatchObject({ origin, pathPrefix: prefix });
  });

  test.each([
    { given: "ops.example.com", fault: "is not an address such as" },
    { given: "localhost:8080", fault: "is not an address such as" },
    { given: "ftp://ops.example.com", fault: "is not an address such as" },
    { given: "https://", fault: "is not an address such as" },
    { given: "https://ops.example.com?x=1", fault: "must not have a query or a fragment." },
    { given: "https://ops.example.com#x", fault: "must not have a query or a fragment." },
    {
      given: "https://user:pass@ops.example.com",
      fault: "contains credentials. Set publicKey and privateKey instead.",
    },
  ])("$given is refused", ({ given, fault }) => {
    const faults = faultsOf({ args: { ...pair, baseUrl: given } });
    expect(faults).toEqual([expect.stringContaining(`baseUrl ${fault}`)]);
    expect(faults.join()).not.toContain("pass@");
  });

  test.each([
    "ops.example.com",
    "127.0.0.1.example.com",
    "localhost.example.com",
    "0.0.0.0",
    "[2001:db8::1]",
    "10.0.0.1",
  ])("http:// to %s is refused, because an attacker in between could read and change everything", (host) => {
    expect(faultsOf({ args: { ...pair, baseUrl: `http://${host}:8080` } })).toEqual([
      expect.stringMatching(/uses http:\/\/ to .*Use https:\/\/, or set allowInsecureHttp to true/),
    ]);
  });

  test("http:// goes anywhere with allowInsecureHttp, also beside other faults", () => {
    const args = { ...pair, baseUrl: "http://ops.example.com", allowInsecureHttp: "true" };
    expect(resolved({ args }).origin).toBe("http://ops.example.com");
    expect(faultsOf({ args: { ...args, maxRetries: "-1" } })).toEqual(["maxRetries must be 0 or more."]);
  });
});

test.each([
  { one: "https://ops.example.com", other: "https://OPS.example.com:443/api/public/v1.0/", isSame: true },
  { one: "https://ops.example.com/a", other: "https://ops.example.com/a/", isSame: true },
  { one: "https://ops.example.com/a", other: "https://ops.example.com/b", isSame: false },
  { one: "https://ops.example.com", other: "http://ops.example.com", isSame: false },
  { one: "https://ops.example.com", other: "https://ops.example.com:8443", isSame: false },
  { one: undefined, other: "", isSame: true },
  { one: undefined, other: "https://ops.example.com", isSame: false },
  { one: "not an address", other: "not an address", isSame: true },
])("$one and $other are the same service: $isSame", ({ one, other, isSame }) => {
  expect(sameAddress(one, other)).toBe(isSame);
  expect(sameAddress(other, one)).toBe(isSame);
});

describe("a setting of a wrong shape", () => {
  test("is refused, each by its own sentence", () => {
    const secretly = { publicKey: "two words", caCert: "null" };
    const numbers = { requestTimeoutSeconds: "0", requestsPerSecond: 0, maxConcurrentRequests: 0 };
    const others = {
      maxRetries: "-1",
      maxRemovalsPerRun: -1,
      readCacheSeconds: "-1",
      skipTlsVerification: 1,
    };
    expect(faultsOf({ args: { ...complete, ...secretly, ...numbers, ...others } }).sort()).toEqual([
      "caCert is neither PEM text nor the path of a readable file (/program/null).",
      "maxConcurrentRequests must be 1 or more.",
      "maxRemovalsPerRun must be 0 or more.",
      "maxRetries must be 0 or more.",
      "publicKey must not contain spaces or non-ASCII characters.",
      "readCacheSeconds must be 0 or more.",
      "requestTimeoutSeconds must be 1 or more.",
      "requestsPerSecond must be more than 0.",
      "skipTlsVerification must be true or false.",
    ]);
    const shapes = { maxRetries: 1.5, caCert: 7, refreshBeforeUpdate: "yes", requestsPerSecond: "fast" };
    const most = { requestTimeoutSeconds: 9_000_000, readCacheSeconds: 86_401, publicKey: "schlüssel" };
    expect(faultsOf({ args: { ...complete, ...shapes, ...most } }).sort()).toEqual([
      "caCert must be text.",
      "maxRetries must be a whole number.",
      "publicKey must not contain spaces or non-ASCII characters.",
      "readCacheSeconds must be 86400 or less.",
      "refreshBeforeUpdate must be true or false.",
      "requestTimeoutSeconds must be 86400 or less.",
      "requestsPerSecond must be a number.",
    ]);
  });

  test("or an unknown one is a fault of CheckConfig, under its own name", () => {
    expect(settingFaults({ ...complete, baseURL: "x", maxRetries: "x" })).toEqual([
      { property: "maxRetries", reason: "maxRetries must be a whole number." },
      { property: "baseURL", reason: "baseURL is not a setting of this provider." },
    ]);
  });

  test("is no fault of CheckConfig when it is only missing: Configure reports that", () => {
    expect(settingFaults({})).toEqual([]);
  });
});

describe("certificates and keys", () => {
  const certificate = rootCertificates[0] ?? "";
  const client = makeCertificate({ subject: "client" });
  const key = client.privateKey;
  let directory = "";

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "opsmanager-config-"));
    writeFileSync(join(directory, "ca.pem"), `# our authority\n${certificate}\n`);
    writeFileSync(join(directory, "client.pem"), client.certificate);
    writeFileSync(join(directory, "key.pem"), key);
    writeFileSync(join(directory, "notes.txt"), "no PEM");
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const withFiles = (args: Record<string, unknown>) => ({ args: { ...complete, ...args }, directory });

  test("may be paths, from the program's folder on or absolute", () => {
    const args = { caCert: "ca.pem", clientCert: join(directory, "client.pem"), clientKey: "./key.pem" };
    const settings = resolved(withFiles(args));
    expect(settings.caCert).toContain(certificate.trim());
    expect(settings.clientCert).toBe(client.certificate.trim());
    expect(settings.clientKey).toBe(key.trim());
  });

  test.each<{ form: string; of: (pem: string) => string }>([
    { form: "as it is", of: (pem) => `\n${pem}\n` },
    { form: "with \\n as two characters", of: (pem) => pem.replaceAll("\n", "\\n") },
    { form: "with \\r\\n as four characters", of: (pem) => pem.replaceAll("\n", "\\r\\n") },
    { form: "in quotes", of: (pem) => `"${pem}"` },
    { form: "in quotes, with \\n as two characters", of: (pem) => JSON.stringify(pem) },
    { form: "indented", of: (pem) => pem.replace(/^/gm, "    ") },
    { form: "in Base64", of: (pem) => Buffer.from(pem).toString("base64") },
    {
      form: "in Base64 of several lines",
      of: (pem) => Buffer.from(pem).toString("base64").replace(/.{64}/g, "$&\n"),
    },
  ])("may be PEM $form, in a setting or in a file", ({ of }) => {
    const both = `${certificate.trim()}\n${client.certificate.trim()}`;
    const settings = { caCert: of(both), clientCert: of(client.certificate), clientKey: of(key) };
    const pem = { caCert: both, clientCert: client.certificate.trim(), clientKey: key.trim() };
    expect(resolved(withFiles(settings))).toMatchObject(pem);
    const inFiles = Object.entries(settings).map(([name, text]) => {
      writeFileSync(join(directory, `${name}.form`), text);
      return [name, `${name}.form`];
    });
    expect(resolved(withFiles(Object.fromEntries(inFiles)))).toMatchObject(pem);
  });

  test.each([
    ["OPSMANAGER_CA_CERT", own],
    ["MCLI_OPS_MANAGER_CA_CERTIFICATE", tools],
  ])("of the authority may be named by %s", (name, keys) => {
    const settings = resolved({ args: { baseUrl }, env: { ...keys, [name]: "ca.pem" }, directory });
    expect(settings.caCert).toContain("BEGIN CERTIFICATE");
  });

  const damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";
  const noCertificate = "caCert does not contain a certificate in PEM form";
  const noFile = "caCert is neither PEM text nor the path of a readable file (";
  test.each([
    { what: "a file that is not there", args: { caCert: "none.pem" }, fault: noFile },
    { what: "a folder", args: { caCert: "." }, fault: noFile },
    { what: "a file of something else", args: { caCert: "notes.txt" }, fault: `${noCertificate} (` },
    { what: "a key for a certificate", args: { caCert: "key.pem" }, fault: `${noCertificate} (` },
    { what: "damaged PEM text", args: { caCert: damaged }, fault: `${noCertificate}.` },
    {
      what: "several certificates with a damaged one",
      args: { caCert: `${certificate}\n${damaged}` },
      fault: `${noCertificate}.`,
    },
    {
      what: "a certificate for a key",
      args: { clientCert: "ca.pem", clientKey: "ca.pem" },
      fault: "clientKey does not contain a private key in PEM form.",
    },
    {
      what: "a key of another certificate",
      args: { clientCert: "ca.pem", clientKey: "key.pem" },
      fault:
        "clientKey does not belong to clientCert. If clientCert contains several certificates, put the client's own first.",
    },
    {
      what: "a certificate without its key",
      args: { clientCert: "ca.pem" },
      fault:
        "clientKey is missing: clientCert requires it. Run: pulumi config set --secret opsmanager:clientKey <file>.",
    },
    {
      what: "a key without its certificate",
      args: { clientKey: "key.pem" },
      fault:
        "clientCert is missing: clientKey requires it. Run: pulumi config set opsmanager:clientCert <file>.",
    },
  ])("are refused when they are $what", ({ args, fault }) => {
    expect(faultsOf(withFiles(args))).toEqual([expect.stringContaining(fault)]);
  });

  // All of it was printed, as a path.
  const base64 = certificate.replace(/-----.*-----/g, "").trim();
  const shortKey = "MC4CAQAwBQYDK2VwBCIEIFfBhGTWTZHmxBF6iFqUA+VfYGAlAWvyPM8s4I2M0oCH";
  test.each([
    { what: "the lines of a certificate without the first", args: { caCert: base64 } },
    { what: "the same in one line", args: { caCert: base64.replaceAll("\n", "") } },
    { what: "the same with \\n as two characters", args: { caCert: base64.replaceAll("\n", "\\n") } },
    { what: "a short key", args: { clientKey: shortKey, clientCert: client.certificate } },
    { what: "more than a path is", args: { caCert: "a.".repeat(200) } },
  ])("are not shown where a path was expected and $what was given", ({ args }) => {
    const [name] = Object.keys(args);
    expect(faultsOf(withFiles(args))).toEqual([
      `${name} is neither PEM text nor the path of a readable file.`,
    ]);
  });
});

describe("proxyUrl", () => {
  test("is taken with its user and password, and refused without showing what it holds", () => {
    for (const proxyUrl of ["http://proxy.example.com:3128", "https://user:p%40ss@proxy.example.com"])
      expect(resolved({ args: { ...complete, proxyUrl } }).proxyUrl).toBe(proxyUrl);
    for (const proxyUrl of ["proxy:3128", "socks5://u:secret-word@proxy", "http://u:secret-word%zz@proxy"]) {
      const faults = faultsOf({ args: { ...complete, proxyUrl } });
      expect(faults).toEqual([expect.stringMatching(/^proxyUrl is not an address/)]);
      expect(faults.join()).not.toContain("secret-word");
    }
  });
});
