/** The source of each setting is reported, without its secret value. */
import { examineSettings, resolveSettings, secretValuesIn } from "../../provider/settings/config";
import type { SettingsSources } from "../../provider/settings/sources";

const baseUrl = "https://ops-manager.example.com:8443";
const keys = { publicKey: "public", privateKey: "private-part" };
const own = {
  OPSMANAGER_PUBLIC_KEY: "o",
  OPSMANAGER_PRIVATE_KEY: "own-secret",
  OPSMANAGER_BASE_URL: baseUrl,
};

function sourcesOf(given: Partial<SettingsSources>): SettingsSources {
  return { args: {}, env: {}, isDefaultProvider: false, directory: "/program", ...given };
}

function originsOf(given: Partial<SettingsSources>): Record<string, string> {
  const { origins } = examineSettings(sourcesOf(given));
  return Object.fromEntries(origins.map(({ name, source }) => [name, source]));
}

test.each<[string, Partial<SettingsSources>, Record<string, string>]>([
  [
    "the stack's config",
    { stackConfig: { baseUrl, ...keys, maxRetries: "2" } },
    {
      baseUrl: "the stack's config",
      publicKey: "the stack's config",
      privateKey: "the stack's config",
      maxRetries: "the stack's config",
    },
  ],
  [
    "variables by their names",
    { env: { ...own, OPSMANAGER_CA_CERT: "/nowhere.pem", OPSMANAGER_MAX_REMOVALS_PER_RUN: "3" } },
    {
      baseUrl: "OPSMANAGER_BASE_URL",
      publicKey: "OPSMANAGER_PUBLIC_KEY",
      privateKey: "OPSMANAGER_PRIVATE_KEY",
      caCert: "OPSMANAGER_CA_CERT",
      maxRemovalsPerRun: "OPSMANAGER_MAX_REMOVALS_PER_RUN",
    },
  ],
  [
    "the family of the keys, not the address of another one",
    { env: { ...own, MCLI_OPS_MANAGER_URL: "https://other.example.com", OPSMANAGER_BASE_URL: " " } },
    { publicKey: "OPSMANAGER_PUBLIC_KEY", privateKey: "OPSMANAGER_PRIVATE_KEY" },
  ],
  [
    "a proxy's variable, where it leads to this service",
    { env: { ...own, https_proxy: "http://user:proxy-secret@proxy.example.com:3128" } },
    {
      baseUrl: "OPSMANAGER_BASE_URL",
      publicKey: "OPSMANAGER_PUBLIC_KEY",
      privateKey: "OPSMANAGER_PRIVATE_KEY",
      proxyUrl: "https_proxy",
    },
  ],
  [
    "no proxy where NO_PROXY names the service",
    { env: { ...own, HTTPS_PROXY: "http://proxy.example.com", NO_PROXY: ".example.com" } },
    {
      baseUrl: "OPSMANAGER_BASE_URL",
      publicKey: "OPSMANAGER_PUBLIC_KEY",
      privateKey: "OPSMANAGER_PRIVATE_KEY",
    },
  ],
  [
    "one half of a key pair, and the source that it came from",
    { env: own, stackConfig: { baseUrl, publicKey: "c" } },
    { baseUrl: "the stack's config", publicKey: "the stack's config" },
  ],
])("an examination names %s", (_, given, expected) => {
  expect(originsOf(given)).toEqual(expected);
});

test("an examination gives what resolving gives, or the same faults", () => {
  const good = sourcesOf({ stackConfig: { baseUrl, ...keys } });
  expect(examineSettings(good)).toMatchObject({ settings: resolveSettings(good), faults: [] });
  const { settings, faults } = examineSettings(sourcesOf({ stackConfig: { baseUrl, maxRetries: "many" } }));
  expect(settings).toBeUndefined();
  expect(faults).toHaveLength(3);
  for (const fault of faults) {
    expect(() => resolveSettings(sourcesOf({ stackConfig: { baseUrl, maxRetries: "many" } }))).toThrow(fault);
  }
});

test("no origin carries the value of a secret, and all secrets are known, used or not", () => {
  const sources = sourcesOf({
    stackConfig: {
      baseUrl,
      ...keys,
      clientKey: "client-secret",
      proxyUrl: "http://u:p-secret@proxy.example.com",
    },
    args: { privateKey: "argument-secret" },
    env: {
      ...own,
      MCLI_PRIVATE_API_KEY: "mcli-secret",
      HTTPS_PROXY: "http://u:q-secret@proxy.example.com",
      http_proxy: "http://u:r-secret@proxy.example.com",
    },
  });
  const { origins } = examineSettings(sources);
  expect(JSON.stringify(origins)).not.toContain("secret");
  expect(secretValuesIn(sources).sort()).toEqual([
    "argument-secret",
    "client-secret",
    "http://u:p-secret@proxy.example.com",
    "http://u:q-secret@proxy.example.com",
    "http://u:r-secret@proxy.example.com",
    "mcli-secret",
    "own-secret",
    "private-part",
  ]);
});
