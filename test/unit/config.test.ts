import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import {
  resolveSettings,
  type Settings,
  type SettingsSources,
  sameAddress,
  settingFaults,
} from "../../provider/settings/config";
import { ConfigurationError } from "../../provider/text/errors";
import { makeCertificate } from "../../sandbox/certificate";

const baseUrl = "https://ops-manager.example.com:8443";
const pair = { publicKey: "public", privateKey: "private-part" };
const complete = { baseUrl, ...pair };
const own = { OPSMANAGER_PUBLIC_KEY: "own-public", OPSMANAGER_PRIVATE_KEY: "own-private" };
const ownAddress = { OPSMANAGER_BASE_URL: "https://own.example.com" };
const tools = { MCLI_PUBLIC_API_KEY: "mcli-public", MCLI_PRIVATE_API_KEY: "mcli-private" };
const toolsAddress = { MCLI_OPS_MANAGER_URL: "https://mcli.example.com/" };

function resolved(sources: Partial<SettingsSources>): Settings {
  return resolveSettings({ args: {}, env: {}, isDefaultProvider: false, directory: "/program", ...sources });
}

/** The lines of the error, without the heading. */
function faultsOf(sources: Partial<SettingsSources>): string[] {
  try {
    resolved(sources);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const [heading, ...faults] = error.message.split("\n  - ");
    expect(heading).toBe("The settings of the opsmanager provider are incomplete or wrong:");
    return faults;
  }
  throw new Error("The settings were expected to be refused.");
}

describe("maxRemovalsPerRun", () => {
  const limitOf = (args: object, env: Record<string, string> = {}) =>
    resolved({ args: { ...complete, ...args }, env }).maxRemovalsPerRun;

  test("may come from the environment, and an argument goes before it", () => {
    expect(limitOf({}, { OPSMANAGER_MAX_REMOVALS_PER_RUN: "7" })).toBe(7);
    expect(limitOf({ maxRemovalsPerRun: "0" }, { OPSMANAGER_MAX_REMOVALS_PER_RUN: "7" })).toBe(0);
    expect(() => limitOf({ maxRemovalsPerRun: -1 })).toThrow("maxRemovalsPerRun must be 0 or more.");
  });
});

describe("complete settings", () => {
  test("get every standard value that the documentation names", () => {
    expect(resolved({ args: complete })).toEqual({
      origin: baseUrl,
      pathPrefix: "",
      ...pair,
      keySource: "the provider's arguments",
      caCert: undefined,
      clientCert: undefined,
      clientKey: undefined,
      proxyUrl: undefined,
      skipTlsVerification: false,
      requestTimeoutSeconds: 60,
      maxRetries: 4,
      maxConcurrentRequests: 16,
      invitationsPerMinute: 10,
      requestsPerSecond: undefined,
      refreshBeforeUpdate: true,
      readCacheSeconds: 30,
      maxRemovalsPerRun: 100,
    });
  });

  test("may all come as text, as the engine hands over a stack's config", () => {
    const args = {
      ...complete,
      skipTlsVerification: "true",
      allowInsecureHttp: "false",
      requestTimeoutSeconds: "10",
      maxRetries: "0",
      maxConcurrentRequests: " 3 ",
      requestsPerSecond: "2.5",
      refreshBeforeUpdate: "false",
      readCacheSeconds: "0",
    };
    expect(resolved({ args })).toMatchObject({
      skipTlsVerification: true,
      requestTimeoutSeconds: 10,
      maxRetries: 0,
      maxConcurrentRequests: 3,
      requestsPerSecond: 2.5,
      refreshBeforeUpdate: false,
      readCacheSeconds: 0,
    });
  });

  test("are trimmed, as a pasted key often ends with a line break", () => {
    const args = { baseUrl: ` ${baseUrl}\n`, publicKey: "public\n", privateKey: " private-part " };
    expect(resolved({ args })).toMatchObject({ origin: baseUrl, ...pair });
  });

  test("may be empty or blank where they are optional: that is left out", () => {
    const args = {
      ...complete,
      caCert: "",
      proxyUrl: " ",
      requestTimeoutSeconds: "",
      skipTlsVerification: " ",
    };
    expect(resolved({ args })).toMatchObject({
      caCert: undefined,
      proxyUrl: undefined,
      requestTimeoutSeconds: 60,
    });
  });

  test("may hold the keys that the engine reserves", () => {
    const args = { ...complete, version: "1.2.3", pluginDownloadURL: "https://example.com", __internal: {} };
    expect(resolved({ args }).origin).toBe(baseUrl);
    expect(settingFaults(args)).toEqual([]);
  });
});

describe("missing settings", () => {
  test("are named all at once, with the lines to type and the names in the environment", () => {
    expect(faultsOf({})).toEqual([
      "publicKey is missing: pulumi config set opsmanager:publicKey <public key>   (or OPSMANAGER_PUBLIC_KEY, MCLI_PUBLIC_API_KEY).",
      "privateKey is missing: pulumi config set --secret opsmanager:privateKey <private key>   (or OPSMANAGER_PRIVATE_KEY, MCLI_PRIVATE_API_KEY).",
      "baseUrl is missing: pulumi config set opsmanager:baseUrl https://ops-manager.example.com:8443   (or OPSMANAGER_BASE_URL, MCLI_OPS_MANAGER_URL).",
    ]);
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

  test("of blank text count as missing", () => {
    expect(faultsOf({ args: { baseUrl: " ", publicKey: "", privateKey: "\n" } })).toHaveLength(3);
  });
});

describe("the key pair comes from one source:", () => {
  test.each<[string, Partial<SettingsSources>, string, string]>([
    [
      "arguments before config",
      { args: complete, stackConfig: { baseUrl, publicKey: "c", privateKey: "c" }, env: own },
      "public",
      "the provider's arguments",
    ],
    [
      "config before environment",
      { args: { baseUrl }, stackConfig: { baseUrl, publicKey: "c", privateKey: "c" }, env: own },
      "c",
      "the stack's config",
    ],
    [
      "our environment before the tools'",
      { args: { baseUrl }, env: { ...own, ...tools } },
      "own-public",
      "the environment (OPSMANAGER_...)",
    ],
    [
      "the tools' environment last",
      { args: { baseUrl }, env: tools },
      "mcli-public",
      "the environment (MCLI_...)",
    ],
  ])("%s", (_, sources, publicKey, keySource) => {
    expect(resolved(sources)).toMatchObject({ publicKey, keySource });
  });

  test.each<[string, Partial<SettingsSources>, string]>([
    [
      "arguments and config",
      { args: { baseUrl, publicKey: "a" }, stackConfig: { baseUrl, ...pair } },
      "privateKey is missing: both parts of the key pair must come from one source, and publicKey comes from the provider's arguments. Fix: give both to the provider.",
    ],
    [
      "config and environment",
      { args: { baseUrl }, stackConfig: { baseUrl, publicKey: "c" }, env: own },
      "privateKey is missing: both parts of the key pair must come from one source, and publicKey comes from the stack's config. Fix: pulumi config set --secret opsmanager:privateKey <private key>.",
    ],
    [
      "two environments",
      { args: { baseUrl }, env: { OPSMANAGER_PRIVATE_KEY: "o", ...tools } },
      "publicKey is missing: both parts of the key pair must come from one source, and privateKey comes from the environment (OPSMANAGER_...). Fix: set OPSMANAGER_PUBLIC_KEY.",
    ],
  ])("no half of it is taken from %s", (_, sources, fault) => {
    expect(faultsOf(sources)).toEqual([fault]);
  });
});

describe("an address from the environment", () => {
  test.each([
    ["ours", { ...own, ...ownAddress, ...toolsAddress }, "https://own.example.com"],
    ["the tools'", { ...tools, ...toolsAddress, ...ownAddress }, "https://mcli.example.com"],
  ])("goes with keys of the same family: %s", (_, env, origin) => {
    expect(resolved({ env }).origin).toBe(origin);
  });

  test.each<[string, string, Partial<SettingsSources>]>([
    ["OPSMANAGER", "the tools' keys", { env: { ...tools, ...ownAddress } }],
    ["MCLI", "our keys", { env: { ...own, ...toolsAddress } }],
    ["MCLI", "keys from the stack's config", { stackConfig: pair, env: toolsAddress }],
    ["MCLI", "keys from the arguments", { args: pair, env: toolsAddress }],
  ])("of %s is not used with %s, and the error reports why", (family, _, sources) => {
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
  const asDefault = (stackConfig: SettingsSources["stackConfig"], env = {}) =>
    resolved({ args: recorded, stackConfig, env, isDefaultProvider: true });

  test("takes today's keys from the stack's config, because the engine refreshes with those in state", () => {
    expect(asDefault(today)).toMatchObject({
      publicKey: "new-public",
      privateKey: "new-private",
      maxRetries: 2,
    });
  });

  test("does so when the same address is written in another form", () => {
    const stackConfig = { ...today, baseUrl: "HTTPS://OPS-MANAGER.example.com:8443/api/public/v1.0/" };
    expect(asDefault(stackConfig).publicKey).toBe("new-public");
  });

  test("keeps what is in state when the stack's config is of another service", () => {
    expect(asDefault({ ...today, baseUrl: "https://new.example.com" })).toMatchObject({
      origin: baseUrl,
      publicKey: "old-public",
      keySource: "the stack's config (as recorded in state)",
    });
  });

  test("takes the keys from the environment when they have left the stack's config", () => {
    expect(asDefault({ baseUrl }, own)).toMatchObject({ publicKey: "own-public" });
  });

  test("takes its arguments where the host gives no stack config", () => {
    expect(asDefault(undefined).publicKey).toBe("old-public");
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
    ["https://ops.example.com", "https://ops.example.com", ""],
    ["https://ops.example.com/", "https://ops.example.com", ""],
    ["https://ops.example.com:443", "https://ops.example.com", ""],
    ["HTTPS://Ops.Example.com:8443", "https://ops.example.com:8443", ""],
    ["https://ops.example.com/api/public/v1.0", "https://ops.example.com", ""],
    ["https://ops.example.com/api/public/v1.0/", "https://ops.example.com", ""],
    ["https://ops.example.com/tools/ops", "https://ops.example.com", "/tools/ops"],
    ["https://ops.example.com/tools//", "https://ops.example.com", "/tools"],
    ["https://ops.example.com/tools/api/public/v1.0", "https://ops.example.com", "/tools"],
    ["https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443", ""],
    ["http://localhost:8080", "http://localhost:8080", ""],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080", ""],
    ["http://127.9.9.9", "http://127.9.9.9", ""],
    ["http://[::1]:8080/x", "http://[::1]:8080", "/x"],
  ])("%s is understood", (address, origin, pathPrefix) => {
    expect(resolved({ args: { ...pair, baseUrl: address } })).toMatchObject({ origin, pathPrefix });
  });

  test.each([
    ["ops.example.com", "baseUrl is not an address such as"],
    ["ops.example.com:8443", "baseUrl is not an address such as"],
    ["localhost:8080", "baseUrl is not an address such as"],
    ["ftp://ops.example.com", "baseUrl is not an address such as"],
    ["https://", "baseUrl is not an address such as"],
    ["https://ops.example.com?x=1", "baseUrl must not have a query or a fragment."],
    ["https://ops.example.com#x", "baseUrl must not have a query or a fragment."],
    [
      "https://user:pass@ops.example.com",
      "baseUrl contains credentials. Set publicKey and privateKey instead.",
    ],
  ])("%s is refused", (address, fault) => {
    const faults = faultsOf({ args: { ...pair, baseUrl: address } });
    expect(faults).toEqual([expect.stringContaining(fault)]);
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

describe("two addresses", () => {
  test.each<[unknown, unknown, boolean]>([
    ["https://ops.example.com", "https://OPS.example.com:443/api/public/v1.0/", true],
    ["https://ops.example.com/a", "https://ops.example.com/a/", true],
    ["https://ops.example.com/a", "https://ops.example.com/b", false],
    ["https://ops.example.com", "http://ops.example.com", false],
    ["https://ops.example.com", "https://ops.example.com:8443", false],
    [undefined, "", true],
    [undefined, "https://ops.example.com", false],
    ["not an address", "not an address", true],
  ])("%p and %p are the same service: %p", (one, other, expected) => {
    expect(sameAddress(one, other)).toBe(expected);
    expect(sameAddress(other, one)).toBe(expected);
  });
});

describe("a setting of a wrong shape", () => {
  test.each([
    ["maxRetries", "-1", "maxRetries must be 0 or more."],
    ["maxRetries", 1.5, "maxRetries must be a whole number."],
    ["maxConcurrentRequests", 0, "maxConcurrentRequests must be 1 or more."],
    ["requestTimeoutSeconds", "0", "requestTimeoutSeconds must be 1 or more."],
    ["requestTimeoutSeconds", 9_000_000, "requestTimeoutSeconds must be 86400 or less."],
    ["requestsPerSecond", 0, "requestsPerSecond must be more than 0."],
    ["requestsPerSecond", "fast", "requestsPerSecond must be a number."],
    ["refreshBeforeUpdate", "yes", "refreshBeforeUpdate must be true or false."],
    ["readCacheSeconds", "-1", "readCacheSeconds must be 0 or more."],
    ["readCacheSeconds", 0.5, "readCacheSeconds must be a whole number."],
    ["readCacheSeconds", 86_401, "readCacheSeconds must be 86400 or less."],
    ["readCacheSeconds", "soon", "readCacheSeconds must be a whole number."],
    ["skipTlsVerification", 1, "skipTlsVerification must be true or false."],
    ["caCert", 7, "caCert must be text."],
    ["caCert", "null", "caCert is neither PEM text nor the path of a readable file (/program/null)."],
    ["publicKey", "two words", "publicKey must not contain spaces or non-ASCII characters."],
    ["publicKey", "schlüssel", "publicKey must not contain spaces or non-ASCII characters."],
  ])("%s: %p is refused", (name, value, fault) => {
    expect(faultsOf({ args: { ...complete, [name]: value } })).toEqual([fault]);
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

  test("may be PEM text", () => {
    expect(resolved(withFiles({ caCert: `\n${certificate}\n` })).caCert).toBe(certificate.trim());
  });

  test("may be paths, from the program's folder on or absolute", () => {
    const args = { caCert: "ca.pem", clientCert: join(directory, "client.pem"), clientKey: "./key.pem" };
    const settings = resolved(withFiles(args));
    expect(settings.caCert).toContain(certificate.trim());
    expect(settings.clientCert).toBe(client.certificate.trim());
    expect(settings.clientKey).toBe(key.trim());
  });

  test.each<[string, (pem: string) => string]>([
    ["with \\n as two characters", (pem) => pem.replaceAll("\n", "\\n")],
    ["with \\r\\n as four characters", (pem) => pem.replaceAll("\n", "\\r\\n")],
    ["in quotes", (pem) => `"${pem}"`],
    ["in quotes, with \\n as two characters", (pem) => JSON.stringify(pem)],
    ["indented", (pem) => pem.replace(/^/gm, "    ")],
    ["in Base64", (pem) => Buffer.from(pem).toString("base64")],
    ["in Base64 of several lines", (pem) => Buffer.from(pem).toString("base64").replace(/.{64}/g, "$&\n")],
  ])("may be PEM %s, in a setting or in a file", (_, form) => {
    const both = `${certificate.trim()}\n${client.certificate.trim()}`;
    const settings = { caCert: form(both), clientCert: form(client.certificate), clientKey: form(key) };
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

  test.each([
    [
      "a file that is not there",
      { caCert: "none.pem" },
      "caCert is neither PEM text nor the path of a readable file (",
    ],
    ["a folder", { caCert: "." }, "caCert is neither PEM text nor the path of a readable file ("],
    [
      "a file of something else",
      { caCert: "notes.txt" },
      "caCert does not contain a certificate in PEM form (",
    ],
    ["a key for a certificate", { caCert: "key.pem" }, "caCert does not contain a certificate in PEM form ("],
    [
      "damaged PEM text",
      { caCert: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" },
      "caCert does not contain a certificate in PEM form.",
    ],
    [
      "a certificate for a key",
      { clientCert: "ca.pem", clientKey: "ca.pem" },
      "clientKey does not contain a private key in PEM form.",
    ],
  ])("are refused when they are %s", (_, args, fault) => {
    expect(faultsOf(withFiles(args))).toEqual([expect.stringContaining(fault)]);
  });

  test("of the authorities may be several in one text, and none of them may be damaged", () => {
    const both = `${certificate}\n${client.certificate}`;
    expect(resolved(withFiles({ caCert: both })).caCert).toBe(both.trim());
    const damaged = `${certificate}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`;
    expect(faultsOf(withFiles({ caCert: damaged }))).toEqual([
      "caCert does not contain a certificate in PEM form.",
    ]);
  });

  test("of a client belong together", () => {
    expect(faultsOf(withFiles({ clientCert: "ca.pem", clientKey: "key.pem" }))).toEqual([
      "clientKey does not belong to clientCert. If clientCert contains several certificates, put the client's own first.",
    ]);
  });

  test("of a client come in pairs", () => {
    expect(faultsOf(withFiles({ clientCert: "ca.pem" }))).toEqual([
      "clientKey is missing: clientCert requires it. Run: pulumi config set --secret opsmanager:clientKey <file>.",
    ]);
    expect(faultsOf(withFiles({ clientKey: "key.pem" }))).toEqual([
      "clientCert is missing: clientKey requires it. Run: pulumi config set opsmanager:clientCert <file>.",
    ]);
  });

  test("are not shown where a path was expected and the key itself was given", () => {
    const [fault] = faultsOf(withFiles({ clientCert: "ca.pem", clientKey: "MC4CAQAwBQYDK2VwBCIEIA" }));
    expect(fault).toBe("clientKey is neither PEM text nor the path of a readable file.");
  });

  // All of it was printed, as a path.
  const base64 = () => certificate.replace(/-----.*-----/g, "").trim();
  test.each<[string, () => string]>([
    ["the lines of a certificate without the first", base64],
    ["the same in one line", () => base64().replaceAll("\n", "")],
    ["the same with \\n as two characters", () => base64().replaceAll("\n", "\\n")],
    ["a short key", () => "MC4CAQAwBQYDK2VwBCIEIFfBhGTWTZHmxBF6iFqUA+VfYGAlAWvyPM8s4I2M0oCH"],
    ["more than a path is", () => "a.".repeat(200)],
  ])("are not shown where a path was expected and a certificate is %s", (_, caCert) => {
    expect(faultsOf(withFiles({ caCert: caCert() }))).toEqual([
      "caCert is neither PEM text nor the path of a readable file.",
    ]);
  });
});

describe("proxyUrl", () => {
  test.each(["http://proxy.example.com:3128", "https://user:p%40ss@proxy.example.com"])(
    "%s is taken",
    (proxyUrl) => {
      expect(resolved({ args: { ...complete, proxyUrl } }).proxyUrl).toBe(proxyUrl);
    },
  );

  test.each(["proxy.example.com:3128", "socks5://u:secret-word@proxy", "http://u:secret-word%zz@proxy"])(
    "%s is refused without showing what it holds",
    (proxyUrl) => {
      const faults = faultsOf({ args: { ...complete, proxyUrl } });
      expect(faults).toEqual([expect.stringMatching(/^proxyUrl is not an address/)]);
      expect(faults.join()).not.toContain("secret-word");
    },
  );
});
