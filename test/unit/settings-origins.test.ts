/** The source of each setting is reported, without its secret value. */
import { examineSettings, type SettingsSources, secretValuesIn } from "../../provider/settings/config";
import { pair as keys, sourcesOf } from "./settings";

const baseUrl = "https://ops-manager.example.com:8443";
const own = {
  OPSMANAGER_PUBLIC_KEY: "o",
  OPSMANAGER_PRIVATE_KEY: "own-secret",
  OPSMANAGER_BASE_URL: baseUrl,
};

function originsOf(given: Partial<SettingsSources>): Record<string, string> {
  const { origins } = examineSettings(sourcesOf(given));
  return Object.fromEntries(origins.map(({ name, source }) => [name, source]));
}

const fromOwn = {
  baseUrl: "OPSMANAGER_BASE_URL",
  publicKey: "OPSMANAGER_PUBLIC_KEY",
  privateKey: "OPSMANAGER_PRIVATE_KEY",
};
const config = "the stack's config";

test.each<{ what: string; given: Partial<SettingsSources>; origins: Record<string, string> }>([
  {
    what: "the stack's config",
    given: { stackConfig: { baseUrl, ...keys, maxRetries: "2" } },
    origins: { baseUrl: config, publicKey: config, privateKey: config, maxRetries: config },
  },
  {
    what: "variables by their names",
    given: { env: { ...own, OPSMANAGER_CA_CERT: "/nowhere.pem", OPSMANAGER_MAX_REMOVALS_PER_RUN: "3" } },
    origins: {
      ...fromOwn,
      caCert: "OPSMANAGER_CA_CERT",
      maxRemovalsPerRun: "OPSMANAGER_MAX_REMOVALS_PER_RUN",
    },
  },
  {
    what: "the family of the keys, not the address of another one",
    given: { env: { ...own, MCLI_OPS_MANAGER_URL: "https://other.example.com", OPSMANAGER_BASE_URL: " " } },
    origins: { publicKey: fromOwn.publicKey, privateKey: fromOwn.privateKey },
  },
  {
    what: "a proxy's variable, where it leads to this service",
    given: { env: { ...own, https_proxy: "http://user:proxy-secret@proxy.example.com:3128" } },
    origins: { ...fromOwn, proxyUrl: "https_proxy" },
  },
  {
    what: "no proxy where NO_PROXY names the service",
    given: { env: { ...own, HTTPS_PROXY: "http://proxy.example.com", NO_PROXY: ".example.com" } },
    origins: fromOwn,
  },
  {
    what: "one half of a key pair, and the source that it came from",
    given: { env: own, stackConfig: { baseUrl, publicKey: "c" } },
    origins: { baseUrl: config, publicKey: config },
  },
])("an examination names $what", ({ given, origins }) => {
  expect(originsOf(given)).toEqual(origins);
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
