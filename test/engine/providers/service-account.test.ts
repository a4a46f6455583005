/** A stack whose settings have a service account in the place of an API key. */
import type { Sandbox } from "../../../sandbox";
import { type ProviderKind, type Stack, secret, succeeded } from "../../support";
import { excerpt, filesOf } from "../support/mechanics";
import { opsmanager } from "../support/opsmanager";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  projectNamed,
  projectsNamed,
  projectsProgram,
} from "../support/project-program";
import { noConnection, setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const orgId = "5f00000000000000000000b1";
const clientId = "mdb_sa_id_5f0000000000000000000001";
const clientSecret = "mdb_sa_sk_not-to-be-seen";

const names = ["billing", "payments", "search"];
const program = () =>
  projectsProgram(
    Object.fromEntries(names.map((name) => [name, { properties: { orgId, name, tags: ["PROD"] } }])),
  );

const account = ({ baseUrl }: Sandbox, value = clientSecret) => ({
  ...noConnection,
  "opsmanager:baseUrl": baseUrl,
  "opsmanager:clientId": clientId,
  "opsmanager:clientSecret": secret(value),
  "opsmanager:tokenUrl": `${baseUrl}/api/oauth/token`,
});

/** A default provider gets the settings of the stack with every run if the engine starts the plugin. */
async function setUp(provider: ProviderKind, plugin: "attached" | "started" = "started") {
  const seed = {
    orgs: [{ id: orgId, name: "Example Org" }],
    serviceAccounts: [{ clientId, clientSecret, roles: [{ roleName: "ORG_OWNER", orgId }] }],
  };
  const { sandbox, stack } = await setUpStack({
    provider,
    plugin,
    sandbox: { seed, tokenRequestsPerMinute: 0 },
    program,
  });
  await stack.setConfig(account(sandbox));
  return { sandbox, stack };
}

const tokenRequests = ({ requests }: Sandbox) => requests.filter(({ path }) => path.endsWith("/oauth/token"));

/** The secret, its Basic credentials, and every access token of the service. */
const forbidden = new RegExp(
  [
    clientSecret,
    Buffer.from(`${clientId}:${clientSecret}`).toString("base64"),
    "eyJ[\\w-]+\\.[\\w-]+\\.",
  ].join("|"),
);

/** @param texts what commands printed */
async function expectClean(stack: Stack, ...texts: readonly string[]): Promise<void> {
  for (const text of [...texts, ...(await filesOf(stack))]) expect(excerpt(text, forbidden)).toBe("");
}

/** From level 9 on the engine itself writes every setting in clear. */
const loud = { debug: true, logtostderr: true, logflow: true, verbose: 8 };

describe.each(bothProviders)("a service account (%s)", (provider) => {
  it("manages projects with one token per process, and is in no state, log or error", async () => {
    const { sandbox, stack } = await setUp(provider);
    const up = await succeeded(stack.up(loud));
    expect(projectNamed(sandbox, "payments")).toMatchObject({ orgId, tags: ["PROD"] });
    expect(new Set(sandbox.requests.map((request) => request.clientId))).toEqual(new Set([clientId]));
    expect(sandbox.requests.filter(({ status }) => status === 401)).toEqual([]);
    const processes = tokenRequests(sandbox).length;
    expect(processes).toBeLessThanOrEqual(2);
    await expectClean(stack, up.output);

    sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["BY-HAND"] });
    sandbox.addFault({
      method: "PATCH",
      fault: { status: 400, body: { errorCode: "X", detail: clientSecret } },
    });
    const failed = await stack.up();
    expect(messagesOf(failed, "error")).toContain("[secret]");
    await expectClean(stack, failed.output);

    sandbox.revokeTokens();
    await succeeded(stack.up());
    expect(projectNamed(sandbox, "payments").tags).toEqual(["PROD"]);
  });

  it("that is refused is explained once, and one request for a token is made", async () => {
    const { sandbox, stack } = await setUp(provider);
    await succeeded(stack.up());
    sandbox.changeServiceAccount(clientId, { clientSecret: "rotated" });
    await stack.up();
    sandbox.clearRequests();
    const errors = await errorsOf(stack.refresh());
    expect(errors.match(/401 invalid_client/g)).toHaveLength(1);
    expect(errors).toContain(`refused service account ${clientId} from the stack's config`);
    expect(errors.match(/Service account refused: see \w+/g)).toHaveLength(2);
    expect(tokenRequests(sandbox)).toHaveLength(1);
    expect(sandbox.requests).toHaveLength(1);

    await stack.setConfig(account(sandbox, "rotated"));
    await succeeded(stack.up());
    await succeeded(stack.destroy());
    expect(projectsNamed(sandbox, "payments")).toEqual([]);
  });
});

it("the command drift uses the account too, and a key in its place is taken by the next run", async () => {
  const { sandbox, stack } = await setUp("plugin");
  await succeeded(stack.up());
  const drift = await opsmanager(stack, ["drift"]);
  expect([drift.exitCode, drift.stderr]).toEqual([0, ""]);
  const { publicKey, privateKey } = sandbox;
  await stack.setConfig({
    "opsmanager:clientId": undefined,
    "opsmanager:clientSecret": undefined,
    "opsmanager:tokenUrl": undefined,
    "opsmanager:publicKey": publicKey,
    "opsmanager:privateKey": secret(privateKey),
  });
  sandbox.removeServiceAccount(clientId);
  await succeeded(stack.refresh());
  await succeeded(stack.destroy());
});

it("both kinds of credentials are one clear error, and nothing is sent", async () => {
  const { sandbox, stack } = await setUp("plugin", "attached");
  await stack.setConfig({
    "opsmanager:publicKey": sandbox.publicKey,
    "opsmanager:privateKey": secret(sandbox.privateKey),
  });
  const errors = await errorsOf(stack.up());
  expect(errors).toContain("publicKey or privateKey, and clientId or clientSecret, are both set in");
  expect(sandbox.requests).toEqual([]);
});
