import type { Sandbox } from "../../../sandbox";
import { type Program, type Run, secret, succeeded } from "../../support";
import { excerpt, filesOf, stateText } from "../support/mechanics";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  projectNamed,
  projectProgram,
  projectsProgram,
  writes,
} from "../support/project-program";
import { connectionInEnvironment, noConnection, setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const hidden = (value: unknown) => ({ "fn::secret": value });

/** All that a run shows to people and to programs that read its events. */
const traces = ({ stdout, stderr, events }: Run) =>
  `${stdout}\n${stderr}\n${JSON.stringify(events.filter((event) => !isDebugLine(event)))}`;

const isDebugLine = ({ diagnosticEvent: event }: Run["events"][number]) => event?.severity === "debug";

describe.each(bothProviders)("a secret name and secret tags (%s)", (provider) => {
  it("remain encrypted in inputs and outputs of the state after up, update, refresh and drift", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) =>
        projectProgram({ orgId, name: hidden("moonshot"), tags: hidden(["QUIET-ONE"]) }),
    });
    const expectEncrypted = async (...words: string[]) => {
      const text = await stateText(stack);
      expect(excerpt(text, new RegExp(words.join("|")))).toBe("");
      const { inputs, outputs } = (await stack.resource("payments")) ?? {};
      for (const properties of [inputs, outputs]) {
        expect(properties).toMatchObject({
          name: { ciphertext: expect.any(String) },
          tags: { ciphertext: expect.any(String) },
        });
      }
    };
    const up = await succeeded(stack.up());
    expect(excerpt(traces(up), /moonshot|QUIET-ONE/)).toBe("");
    await expectEncrypted("moonshot", "QUIET-ONE");
    const { id } = projectNamed(sandbox, "moonshot");
    expect(sandbox.project(id)?.tags).toEqual(["QUIET-ONE"]);

    const { orgId } = sandbox;
    const changed = projectProgram({ orgId, name: hidden("moonshot"), tags: hidden(["QUIET-TWO"]) });
    await stack.setProgram(changed);
    expect(excerpt(traces(await succeeded(stack.up())), /moonshot|QUIET-/)).toBe("");
    await expectEncrypted("moonshot", "QUIET-");

    sandbox.changeProject(id, { name: "found-out", tags: ["QUIET-THREE"] });
    const refresh = await succeeded(stack.refresh());
    expect(refresh.changes).toEqual({ update: 1 });
    expect(excerpt(traces(refresh), /found-out|moonshot|QUIET-/)).toBe("");
    await expectEncrypted("moonshot", "found-out", "QUIET-");
  });

  // An event log holds debug lines even if the user did not request them. Those of the dynamic provider come from the Node SDK.
  it("are not in the debug lines of the event log, and are not printed if a check rejects them", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) =>
        projectProgram({ orgId, name: hidden("moonshot"), tags: hidden(["QUIET-ONE"]) }),
    });
    const debugged = (await succeeded(stack.up())).events.filter(isDebugLine);
    if (provider === "plugin") {
      expect(JSON.stringify(debugged)).toContain("/api/public/v1.0/groups");
      expect(excerpt(JSON.stringify(debugged), /moonshot|QUIET-ONE/)).toBe("");
    }
    // Trap 3: the CLI prints the value of the property that a CheckFailure names, secrets in clear.
    const { orgId } = sandbox;
    const tags = hidden(["GOOD-SECRET", "bad secret!"]);
    await stack.setProgram(projectProgram({ orgId, name: hidden("moonshot"), tags }));
    sandbox.clearRequests();
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toContain("tags[1]");
    expect(excerpt(traces(up), /GOOD-SECRET|bad secret!/)).toBe("");
    expect(writes(sandbox)).toEqual([]);
  });
});

// Trap 3 for settings: CheckConfig gets them without their mark of a secret.
it("keys of an explicit provider stay encrypted and are not printed where a setting is refused, whether the program marks them or not", async () => {
  const program = (
    { orgId, baseUrl, publicKey }: Sandbox,
    settings: Readonly<Record<string, unknown>>,
  ): Program => ({
    resources: {
      service: { type: "Provider", properties: { baseUrl, publicKey, proxyUrl: "", ...settings } },
      payments: {
        type: "Project",
        properties: { orgId, name: "payments" },
        options: { provider: "${service}" },
      },
    },
  });
  const { sandbox, stack } = await setUpStack({
    program: (service) => program(service, { privateKey: hidden(86753099), requestTimeoutSeconds: -7 }),
  });
  await stack.setConfig({
    "opsmanager:privateKey": secret("unknown-key"),
    "opsmanager:publicKey": undefined,
  });
  const refused = await stack.up();
  expect(refused.exitCode).not.toBe(0);
  expect(messagesOf(refused, "error")).toContain("privateKey must be text");
  expect(messagesOf(refused, "error")).toContain("requestTimeoutSeconds must be 1 or more");
  expect(excerpt(traces(refused), /86753099|8\.6753099e/)).toBe("");

  for (const privateKey of [hidden(sandbox.privateKey), sandbox.privateKey]) {
    await stack.setProgram(program(sandbox, { privateKey }));
    const up = await succeeded(stack.up());
    expect(excerpt(traces(up), new RegExp(sandbox.privateKey))).toBe("");
    expect(await stateText(stack)).not.toContain(sandbox.privateKey);
    expect(await stack.resource("service")).toMatchObject({
      inputs: { privateKey: { ciphertext: expect.any(String) } },
    });
  }
});

it.each(bothProviders)(
  "invalid settings are all named in one error, and an invalid proxyUrl is not printed (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
      config: {
        "opsmanager:maxRetries": "many",
        "opsmanager:requestTimeoutSeconds": "0",
        "opsmanager:readCacheSeconds": "86401",
      },
    });
    const errors = await errorsOf(stack.up());
    expect(errors).toContain("maxRetries must be a whole number");
    expect(errors).toContain("requestTimeoutSeconds must be 1 or more");
    expect(errors).toContain("readCacheSeconds must be 86400 or less");

    // The plugin checks the address of a proxy later, in Configure.
    await stack.setConfig({
      "opsmanager:maxRetries": undefined,
      "opsmanager:requestTimeoutSeconds": undefined,
      "opsmanager:readCacheSeconds": undefined,
      "opsmanager:proxyUrl": secret("user:hush-hush at proxy"),
    });
    const proxy = await stack.up();
    expect(proxy.exitCode).not.toBe(0);
    expect(messagesOf(proxy, "error")).toContain("proxyUrl");
    expect(messagesOf(proxy, "error")).not.toContain("fault of the provider");
    expect(excerpt(traces(proxy), /hush-hush/)).toBe("");
    expect(sandbox.requests).toEqual([]);
  },
);

/** From level 9 on the engine itself writes every setting in clear, so keys of settings are searched for up to level 8. */
const loud = { debug: true, logtostderr: true, logflow: true, verbose: 8 };

// Trap 10: the plugin's environment holds PULUMI_CONFIG with decrypted secrets.
// With --debug, the Node SDK prints each output that the engine returns to a program, secret or not. It shows no debug line of its host.
it.each([
  { provider: "plugin", masksOutputs: true, shown: "PATCH /api/public/v1.0/groups/" },
  { provider: "dynamic", masksOutputs: false, shown: "" },
] as const)(
  "neither keys of the configuration or the environment nor digest responses nor agentApiKey reach state, output, logs or errors, with all debugging on ($provider)",
  async ({ provider, masksOutputs, shown }) => {
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=platform"] }];
    const agents = (projectId: string) => ({
      agents: { type: "AgentApiKey", properties: { projectId, description: "agents" } },
    });
    const { sandbox, stack } = await setUpStack({
      plugin: "started",
      provider,
      sandbox: { ldap: true },
      program: ({ orgId }) => {
        const { resources } = projectProgram({ orgId, name: "payments", tags: ["PROD"], ldapGroupMappings });
        return { resources: { ...resources, ...agents("${payments.projectId}") } };
      },
    });
    const up = await succeeded(stack.up(loud));
    const { id, agentApiKey, agentKeys } = projectNamed(sandbox, "payments");
    const createdKey = agentKeys.find(({ desc }) => desc === "agents")?.key ?? "";
    const { orgId, privateKey, publicKey } = sandbox;
    expect([agentApiKey, createdKey]).not.toContain("");
    const forbidden = `${privateKey}|${agentApiKey}|\\bresponse=\\\\*"`;
    const expectClean = async (run: Run) => {
      const always = new RegExp(masksOutputs ? `${forbidden}|${createdKey}` : forbidden);
      for (const text of [run.output, ...(await filesOf(stack))]) expect(excerpt(text, always)).toBe("");
    };
    expect(up.stderr.length).toBeGreaterThan(10_000); // the logs were on
    expect(up.output.includes(shown)).toBe(true);
    await expectClean(up);

    // Responses of another shape and of a refusal, and a refused key: each error could carry what it met.
    const odd = { id: 7, name: "payments", agentApiKey, Authorization: `Digest response="${privateKey}"` };
    sandbox.addFault({ method: "PATCH", fault: { status: 200, body: odd } });
    sandbox.addFault({ method: "PATCH", fault: { status: 400, body: odd } });
    const { resources } = projectsProgram({
      payments: { properties: { orgId, name: "payments", tags: ["EU"] } },
      billing: { properties: { orgId, name: "billing", tags: ["EU"] } },
    });
    await stack.setProgram({ resources: { ...resources, ...agents(id) } });
    // From here on, the keys come from the environment, so that level 9 must not print them either.
    await stack.setConfig(noConnection);
    stack.setEnv(connectionInEnvironment(sandbox));
    const failed = await stack.up({ ...loud, verbose: 9, continueOnError: true });
    const names = failed.steps.flatMap(({ failed, name }) => (failed ? [name] : []));
    expect(names.sort()).toEqual(["billing", "payments"]);
    expect(excerpt(failed.output, new RegExp(forbidden))).toBe("");
    expect(failed.output).toContain(createdKey); // docs/security.md names the exception.
    if (provider === "dynamic") return;
    sandbox.changeKey(publicKey, { privateKey: "another-private-key" });
    const wrongKey = await stack.refresh(loud);
    expect(wrongKey.exitCode).not.toBe(0);
    await expectClean(wrongKey);
  },
);
