/** The settings of a service account, in place of an API key. */
import { examineSettings, type SettingsSources, secretValuesIn } from "../../provider/settings/config";
import { faultsOf, pair, resolved, sourcesOf } from "./settings";

const cloudManager = "https://cloud.mongodb.com";
const standardUrl = "https://cloud.mongodb.com/api/oauth/token";
const account = { clientId: "mdb_sa_id_5f0000000000000000000001", clientSecret: "mdb_sa_sk_not-a-secret" };
const gateway = { baseUrl: "https://gateway.example.com", tokenUrl: "https://gateway.example.com/token" };
const inEnvironment = {
  OPSMANAGER_BASE_URL: cloudManager,
  OPSMANAGER_CLIENT_ID: "env-id",
  OPSMANAGER_CLIENT_SECRET: "env-secret",
};

describe("a service account", () => {
  test("of Cloud Manager needs an ID and a secret, and no key", () => {
    const settings = resolved({ args: { baseUrl: `${cloudManager}/api/public/v1.0`, ...account } });
    expect(settings.serviceAccount).toEqual({ ...account, tokenUrl: standardUrl, tokenProxyUrl: undefined });
    expect(settings.publicKey).toBeUndefined();
    expect(settings.keySource).toBe("the provider's arguments");
  });

  test("of another address needs its token endpoint", () => {
    const { serviceAccount, origin } = resolved({ args: { ...gateway, ...account } });
    expect([origin, serviceAccount?.tokenUrl]).toEqual([gateway.baseUrl, gateway.tokenUrl]);
  });

  test("may be in the environment", () => {
    const { serviceAccount, keySource } = resolved({ env: inEnvironment });
    expect(serviceAccount).toMatchObject({ clientId: "env-id", clientSecret: "env-secret" });
    expect(keySource).toBe("the environment (OPSMANAGER_...)");
  });

  test("goes before a key of a later source, and after one of an earlier source", () => {
    const env = { ...inEnvironment };
    const stackConfig = { baseUrl: cloudManager, ...pair };
    expect(resolved({ stackConfig, env })).toMatchObject(pair);
    expect(resolved({ args: account, stackConfig, env }).serviceAccount).toMatchObject(account);
  });

  test("has the proxy of the environment that its token endpoint needs", () => {
    const env = { HTTPS_PROXY: "http://proxy.example.com:3128", NO_PROXY: "gateway.example.com" };
    const args = { ...gateway, tokenUrl: standardUrl, ...account };
    const { proxyUrl, serviceAccount } = resolved({ args, env });
    expect([proxyUrl, serviceAccount?.tokenProxyUrl]).toEqual([undefined, "http://proxy.example.com:3128"]);
  });
});

describe("settings that contradict each other have one fault:", () => {
  const both =
    "Both an API key (publicKey or privateKey) and a service account (clientId or clientSecret) are set in the provider's arguments. Remove one of the two.";
  const half = "both parts of the service account must come from one source, and";
  const noCloudManager =
    "clientId is set, and baseUrl (https://ops-manager.example.com:8443) is not Cloud Manager. Only Cloud Manager has service accounts. Set publicKey and privateKey instead. If https://ops-manager.example.com:8443 leads to Cloud Manager, set tokenUrl, such as https://cloud.mongodb.com/api/oauth/token.";
  const cloud = { baseUrl: cloudManager, ...account };
  const token = (tokenUrl: string) => ({ args: { ...cloud, tokenUrl } });

  test.each<{ what: string; given: Partial<SettingsSources>; fault: string }>([
    {
      what: "both kinds of credentials",
      given: { args: { ...cloud, ...pair } },
      fault: both,
    },
    {
      what: "an ID without a secret",
      given: { stackConfig: { baseUrl: cloudManager, clientId: "x" }, env: inEnvironment },
      fault: `clientSecret is missing: ${half} clientId comes from the stack's config. Fix: pulumi config set --secret opsmanager:clientSecret <client secret>.`,
    },
    {
      what: "a secret without an ID",
      given: { env: { ...inEnvironment, OPSMANAGER_CLIENT_ID: "" } },
      fault: `clientId is missing: ${half} clientSecret comes from the environment (OPSMANAGER_...). Fix: set OPSMANAGER_CLIENT_ID.`,
    },
    {
      what: "an address that is not Cloud Manager's",
      given: { args: { baseUrl: "https://ops-manager.example.com:8443", ...account } },
      fault: noCloudManager,
    },
    {
      what: "a token endpoint from another source than the secret",
      given: {
        args: { baseUrl: gateway.baseUrl, ...account },
        env: { OPSMANAGER_TOKEN_URL: gateway.tokenUrl },
      },
      fault: expect.stringMatching(
        /^clientId is set, and baseUrl .* The tokenUrl in the environment \(OPSMANAGER_...\) is used only with credentials from there\.$/,
      ),
    },
    {
      what: "a token endpoint with a key",
      given: { args: { ...gateway, ...pair } },
      fault:
        "tokenUrl is set, but an API key needs no token. Remove it, or set clientId and clientSecret instead of the key.",
    },
    {
      what: "a token endpoint without encryption",
      given: token("http://gateway.example.com/token"),
      fault:
        "tokenUrl uses http:// to gateway.example.com, which is not encrypted. Use https://, or set allowInsecureHttp to true to accept that.",
    },
    {
      what: "credentials in the token endpoint's address",
      given: token("https://id:hush@gateway.example.com/token"),
      fault: "tokenUrl contains credentials. Set clientId and clientSecret instead.",
    },
  ])("$what", ({ given, fault }) => {
    expect(faultsOf(given)).toEqual([fault]);
  });

  test.each(["http://127.0.0.1:8080/token", "http://localhost/token"])(
    "%s may be unencrypted",
    (tokenUrl) => {
      expect(faultsOf({ args: { baseUrl: cloudManager, ...account, tokenUrl } })).toEqual([]);
    },
  );
});

describe("a service account that was replaced", () => {
  const state = { baseUrl: cloudManager, ...account };

  test("is that of today's config for a default provider, also instead of a key", () => {
    const stackConfig = { baseUrl: cloudManager, clientId: "new-id", clientSecret: "new-secret" };
    for (const args of [state, { baseUrl: cloudManager, ...pair }]) {
      const { serviceAccount, publicKey } = resolved({ args, stackConfig, isDefaultProvider: true });
      expect(serviceAccount).toMatchObject({ clientId: "new-id", clientSecret: "new-secret" });
      expect(publicKey).toBeUndefined();
    }
  });

  test("leaves no part behind if today's config has a key", () => {
    const stackConfig = { baseUrl: cloudManager, ...pair };
    expect(resolved({ args: state, stackConfig, isDefaultProvider: true })).toMatchObject(pair);
  });

  test("of the stack's config is not used for another service", () => {
    const faults = faultsOf({ args: { ...gateway, tokenUrl: undefined }, stackConfig: state });
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual(["publicKey", "privateKey"]);
  });
});

test("the sources of its settings are reported, and its secret is known as one", () => {
  const sources = sourcesOf({ args: { ...gateway, ...account }, env: inEnvironment });
  expect(examineSettings(sources).origins).toEqual([
    { name: "baseUrl", source: "the provider's arguments", value: gateway.baseUrl },
    { name: "clientId", source: "the provider's arguments", value: account.clientId },
    { name: "clientSecret", source: "the provider's arguments", value: undefined },
    { name: "tokenUrl", source: "the provider's arguments", value: gateway.tokenUrl },
  ]);
  expect(secretValuesIn(sources).sort()).toEqual(["env-secret", account.clientSecret]);
});
