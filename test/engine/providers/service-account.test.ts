/** A stack whose settings have a service account in the place of an API key. */
import type { Sandbox } from "../../../sandbox";
import { keepDefault, type Stack, secret, succeeded } from "../../support";
import { excerpt, filesOf } from "../support/mechanics";
import { opsmanager } from "../support/opsmanager";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  projectNamed,
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

it.each(bothProviders)(
  "a service account manages projects with one token per process, is in no state, log or error, and is explained once where it is refused (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain up reads the project that was changed outside Pulumi");
    const seed = {
      orgs: [{ id: orgId, name: "Example Org" }],
      serviceAccounts: [{ clientId, clientSecret, roles: [{ roleName: "ORG_OWNER", orgId }] }],
    };
    const { sandbox, stack } = await setUpStack({
      provider,
      plugin: "started", // A default provider then gets the settings of the stack with every run.
      sandbox: { seed, tokenRequestsPerMinute: 0 },
      program,
    });
    await stack.setConfig(account(sandbox));
    const up = await succeeded(stack.up(loud));
    expect(projectNamed(sandbox, "payments")).toMatchObject({ orgId, tags: ["PROD"] });
    expect(new Set(sandbox.requests.map((request) => request.clientId))).toEqual(new Set([clientId]));
    expect(sandbox.requests.filter(({ status }) => status === 401)).toEqual([]);
    expect(tokenRequests(sandbox).length).toBeLessThanOrEqual(2);
    await expectClean(stack, up.output);

    sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["BY-HAND"] });
    sandbox.addFault({
      method: "PATCH",
      fault: { status: 400, body: { errorCode: "X", detail: clientSecret } },
    });
    const failed = await stack.up();
    expect(messagesOf(failed, "error")).toContain("[secret]");
    await expectClean(stack, failed.output);

    sandbox.changeServiceAccount(clientId, { clientSecret: "rotated" });
    sandbox.clearRequests();
    const errors = await errorsOf(stack.refresh());
    expect(errors.match(/401 invalid_client/g)).toHaveLength(1);
    expect(errors).toContain(`refused service account ${clientId} from the stack's config`);
    expect(errors.match(/Service account refused: see \w+/g)).toHaveLength(2);
    expect(sandbox.requests).toEqual(tokenRequests(sandbox));
    expect(sandbox.requests).toHaveLength(1);

    await stack.setConfig(account(sandbox, "rotated"));
    await succeeded(stack.up());
    expect(projectNamed(sandbox, "payments").tags).toEqual(["PROD"]);
    if (provider === "dynamic") return;
    expect((await opsmanager(stack, ["drift"])).exitCode).toBe(0);

    // A key in the place of the account is taken by the next run.
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
  },
);
