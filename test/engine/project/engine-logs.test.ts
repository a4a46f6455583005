/** What a run writes with all debugging on, with an API key and with a service account. */
import type { Sandbox } from "../../../sandbox";
import { type Program, type Run, type Stack, succeeded } from "../../support";
import { excerpt, filesOf } from "../support/mechanics";
import { errorsOf, projectNamed, projectsProgram } from "../support/project-program";
import { noConnection, setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const orgId = "5f00000000000000000000b1";
const clientId = "mdb_sa_id_5f0000000000000000000001";
const clientSecret = "mdb_sa_sk_not-to-be-seen";
const seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  serviceAccounts: [{ clientId, clientSecret, roles: [{ roleName: "ORG_OWNER", orgId }] }],
};

/** Projects with this tag, and an agent API key. */
function program(tag: string, names: readonly string[], projectId = "${payments.projectId}"): Program {
  const projects = names.map((name) => [name, { properties: { orgId, name, tags: [tag] } }]);
  const { resources } = projectsProgram(Object.fromEntries(projects));
  const agents = { projectId, description: "agents" };
  return { resources: { ...resources, agents: { type: "AgentApiKey", properties: agents } } };
}

const accountInEnvironment = ({ baseUrl }: Sandbox, value = clientSecret) => ({
  OPSMANAGER_BASE_URL: baseUrl,
  OPSMANAGER_CLIENT_ID: clientId,
  OPSMANAGER_CLIENT_SECRET: value,
  OPSMANAGER_TOKEN_URL: `${baseUrl}/api/oauth/token`,
});

const tokenRequests = ({ requests }: Sandbox) => requests.filter(({ path }) => path.endsWith("/oauth/token"));

async function expectClean(stack: Stack, { output }: Run, forbidden: string): Promise<void> {
  for (const text of [output, ...(await filesOf(stack))])
    expect(excerpt(text, new RegExp(forbidden))).toBe("");
}

/** From level 9 on the engine itself writes every setting in clear, so keys of settings are searched for up to level 8. */
const loud = { debug: true, logtostderr: true, logflow: true, verbose: 8 };

/** The secret of the account, its Basic credentials, and every access token of the service. */
const ofAccount = [
  clientSecret,
  Buffer.from(`${clientId}:${clientSecret}`).toString("base64"),
  "eyJ[\\w-]+\\.[\\w-]+\\.",
].join("|");

// Trap 10: the plugin's environment holds PULUMI_CONFIG with decrypted secrets.
// With --debug, the Node SDK prints each output that the engine returns to a program, secret or not. It shows no debug line of its host.
it.each([
  { provider: "plugin", masksOutputs: true, shown: "PATCH /api/public/v1.0/groups/" },
  { provider: "dynamic", masksOutputs: false, shown: "" },
] as const)(
  "neither keys, secrets of a service account and tokens nor digest responses nor agentApiKey reach state, output, logs or errors, with all debugging on ($provider)",
  async ({ provider, masksOutputs, shown }) => {
    const { sandbox, stack } = await setUpStack({
      plugin: "started",
      provider,
      sandbox: { seed, tokenRequestsPerMinute: 0 },
      program: () => program("PROD", ["payments"]),
    });
    const up = await succeeded(stack.up(loud));
    const { id, agentApiKey, agentKeys } = projectNamed(sandbox, "payments");
    const createdKey = agentKeys.find(({ desc }) => desc === "agents")?.key ?? "";
    const { privateKey } = sandbox;
    expect([agentApiKey, createdKey]).not.toContain("");
    expect(up.stderr.length).toBeGreaterThan(10_000); // the logs were on
    expect(up.output.includes(shown)).toBe(true);
    const ofKey = `${privateKey}|${agentApiKey}|\\bresponse=\\\\*"`;
    await expectClean(stack, up, masksOutputs ? `${ofKey}|${createdKey}` : ofKey);

    // An account from the environment, so that level 9 must not print it either, and responses that repeat what they met.
    const odd = { id: 7, name: "payments", agentApiKey, Authorization: `Digest response="${privateKey}"` };
    sandbox.addFault({ method: "PATCH", fault: { status: 200, body: odd } });
    sandbox.addFault({ method: "PATCH", fault: { status: 400, body: { ...odd, detail: clientSecret } } });
    await stack.setProgram(program("EU", ["payments", "billing"], id));
    await stack.setConfig(noConnection);
    stack.setEnv(accountInEnvironment(sandbox));
    sandbox.clearRequests();
    const failed = await stack.up({ ...loud, verbose: 9, continueOnError: true });
    const names = failed.steps.flatMap(({ failed, name }) => (failed ? [name] : []));
    expect(names.sort()).toEqual(["billing", "payments"]);
    expect(excerpt(failed.output, new RegExp(`${ofKey}|${ofAccount}`))).toBe("");
    expect(failed.output).toContain("[secret]");
    expect(failed.output).toContain(createdKey); // docs/security.md names the exception.
    await expectClean(stack, failed, ofAccount);
    const clients = sandbox.requests
      .filter(({ status }) => status !== 401)
      .map((request) => request.clientId);
    expect(new Set(clients)).toEqual(new Set([clientId]));
    expect(tokenRequests(sandbox).length).toBeLessThanOrEqual(2);

    sandbox.changeServiceAccount(clientId, { clientSecret: "rotated" });
    if (provider === "plugin") await expectOneExplanation(sandbox, stack);
    stack.setEnv(accountInEnvironment(sandbox, "rotated"));
    await succeeded(stack.up());
    expect(projectNamed(sandbox, "payments").tags).toEqual(["EU"]);
  },
);

/** Three resources cannot be read, and one of their errors says why. */
async function expectOneExplanation(sandbox: Sandbox, stack: Stack): Promise<void> {
  sandbox.clearRequests();
  const errors = await errorsOf(stack.refresh());
  expect(errors.match(/401 invalid_client/g)).toHaveLength(1);
  expect(errors).toContain(`refused service account ${clientId} from the environment`);
  expect(errors.match(/Service account refused: see \w+/g)).toHaveLength(2);
  expect(sandbox.requests).toEqual(tokenRequests(sandbox));
  expect(sandbox.requests).toHaveLength(1);
}
