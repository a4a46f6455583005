/** AgentApiKey: what a creation, a change, an import and a deletion do, and what a response may lack. */
import { type SandboxOptions, startSandbox } from "../../../sandbox";
import { allOf, keyProgram, keysOf, seed, theKey } from "../../engine/agent-api-key/support";
import { nothing, paymentsId, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  emptyProgram,
  errorsOf,
  messagesOf,
  writes,
} from "../../engine/support/project-program";
import { connectPlugin } from "../../proof/plugin-connection";
import { type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

async function declareKey(provider: ProviderKind, options: SandboxOptions = {}) {
  const setup = await setUpStack({ provider, sandbox: { seed, ...options }, program: keyProgram });
  const projectId = paymentsId(setup.sandbox);
  return { setup, ...setup, projectId, path: `/groups/${projectId}/agentapikeys` };
}

it.each(
  bothProviders.flatMap((provider) =>
    (["reset-after-write", "truncate"] as const).map((fault) => ({ provider, fault })),
  ),
)(
  "an agent API key whose response was lost ($fault) is named in the error, is in no message and becomes no second key; the next run names it again ($provider)",
  async ({ provider, fault }) => {
    const { sandbox, stack, path } = await declareKey(provider);
    sandbox.addFault({ method: "POST", pathPattern: "agentapikeys$", fault });
    const lost = await stack.up();
    expect(lost.exitCode).not.toBe(0);
    const orphan = theKey(sandbox);
    expect(messagesOf(lost, "error")).toContain(`since then: ${orphan.id} ("agents")`);
    expect(messagesOf(lost, "error")).toContain(`DELETE /api/public/v1.0${path}/<key id>`);
    // The response may have held half of the key.
    expect(allOf(lost)).not.toContain(orphan.key.slice(0, 8));
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST"]);
    expect(await stack.resource("agents")).toBeUndefined();

    const next = await succeeded(stack.up());
    expect(messagesOf(next, "info")).toContain(`with the description "agents": ${orphan.id}.`);
    expect(keysOf(sandbox)[0]).toEqual(orphan);
    await succeeded(stack.destroy());
    expect(theKey(sandbox)).toEqual(orphan);
  },
);

it("two agent API keys are created one after the other: the error of one whose response is lost does not name the other one", async () => {
  const sandbox = await startSandbox({ seed, latencyMs: 20 });
  sandbox.addFault({ method: "POST", pathPattern: "agentapikeys$", fault: "reset-after-write" });
  const { baseUrl, publicKey, privateKey } = sandbox;
  const connection = await connectPlugin({ baseUrl, publicKey, privateKey }, () => undefined);
  const inputs = { projectId: paymentsId(sandbox), description: "agents" };
  const create = (name: string) => connection.create({ type: "AgentApiKey", name }, inputs, false);
  const [lost, kept] = await Promise.allSettled([create("one"), create("two")]);
  const keys = keysOf(sandbox);
  await connection.close();
  await sandbox.close();
  expect([lost.status, kept.status]).toEqual(["rejected", "fulfilled"]);
  const named = keys.map(({ id }) => lost.status === "rejected" && String(lost.reason).includes(id));
  expect(named).toEqual([true, false]);
});

it.each(bothProviders)(
  "an agent API key that the response does not contain is recorded as unfinished, and the next run replaces it (%s)",
  async (provider) => {
    const { setup, sandbox, stack, path } = await declareKey(provider, { agentKeyInAnswer: false });
    expect(await errorsOf(stack.up())).toContain("the response did not contain the key");
    const unusable = theKey(sandbox);
    const body = { _id: "5f00000000000000000000f1", desc: "agents", key: "0123456789abcdef" };
    sandbox.addFault({ method: "POST", pathPattern: "agentapikeys$", fault: { status: 201, body } });
    const next = await upAgain(setup);
    expect(next.writes).toEqual([
      { method: "POST", path, body: { desc: "agents" } },
      { method: "DELETE", path: `${path}/${unusable.id}` },
    ]);
    const record = await stack.resource("agents");
    expect(record).toMatchObject({ outputs: { keyId: "5f00000000000000000000f1" } });
    expect(JSON.stringify(record)).toContain("0123456789abcdef");
  },
);

it("a key that was deleted outside Pulumi is created again, of which a warning says what changes", async () => {
  const { sandbox, stack, projectId } = await declareKey("plugin");
  await succeeded(stack.up());
  const deleted = theKey(sandbox);
  sandbox.removeAgentKey(projectId, deleted.id);
  expect(messagesOf(await succeeded(stack.up({ refresh: true })), "warning")).toContain(
    `Agent API key ${deleted.id} ("agents") of project ${projectId} was deleted outside Pulumi.`,
  );
  expect(theKey(sandbox).id).not.toBe(deleted.id);
});

it("a key that ends otherwise in the service keeps its text in the state, and a warning says how to get another one", async () => {
  const { sandbox, stack } = await declareKey("plugin");
  await succeeded(stack.up());
  const { id, key } = theKey(sandbox);
  await stack.rewriteResponses((body) => body.replace(new RegExp(`${key.slice(-4)}"`, "g"), 'beef"'));
  const refresh = await succeeded(stack.refresh());
  expect(messagesOf(refresh, "warning")).toContain(`Agent API key ${id} of project`);
  expect(messagesOf(refresh, "warning")).toMatch(
    /ends with "beef" in the service.*change triggers and run pulumi up/,
  );
  expect(JSON.stringify(await stack.resource("agents"))).toContain(key);
  // The service may show another end in each response, so nothing is replaced for it.
  expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  await succeeded(stack.destroy());
  expect(keysOf(sandbox)).toEqual([]);
});

it("two keys of one project may have the same description, and a released key remains valid", async () => {
  const { setup, sandbox, stack, projectId } = await declareKey("plugin");
  const declare = (more: object = {}) => {
    const properties = { projectId, description: "agents", ...more };
    const key = { type: "AgentApiKey", properties };
    return stack.setProgram({ resources: { one: key, two: key } });
  };
  await declare();
  await succeeded(stack.up());
  expect(keysOf(sandbox).map(({ desc }) => desc)).toEqual(["agents", "agents"]);
  await declare({ onDestroy: "release" });
  await succeeded(stack.up());
  await stack.setProgram(emptyProgram);
  expect(await upAgain(setup)).toMatchObject({ changes: { delete: 2 }, writes: [] });
  expect(keysOf(sandbox)).toHaveLength(2);
});

it("a response with other fields and statuses means the same", async () => {
  const { sandbox, stack } = await declareKey("plugin", {
    agentKeyStatus: "200",
    agentKeyId: "id",
    agentKeyTime: "text",
    agentKeyList: "results",
    deleteAgentKeyStatus: "204",
    unknownAgentKey: "RESOURCE_NOT_FOUND",
  });
  // So that the deletion itself meets a key that no longer exists.
  await stack.setConfig({ "opsmanager:refreshBeforeUpdate": false });
  await succeeded(stack.up());
  const { id, key, createdTime } = theKey(sandbox);
  expect(await stack.resource("agents")).toMatchObject({
    outputs: { keyId: id, keySuffix: key.slice(-4), createdAt: new Date(createdTime).toISOString() },
  });
  expect((await succeeded(stack.refresh())).changes).toEqual({ same: 1 });
  sandbox.removeAgentKey(paymentsId(sandbox), id);
  expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
});

it("an imported key has no output key, remains unchanged, and is destroyed", async () => {
  const { setup, sandbox, stack, projectId, path } = await declareKey("plugin");
  await stack.setProgram(emptyProgram);
  const { id, key } = sandbox.addAgentKey(projectId, { desc: "agents" });
  const imported = await succeeded(
    stack.import("opsmanager:index:AgentApiKey", "agents", `${projectId}/${id}`),
  );
  expect(messagesOf(imported, "info")).toContain("the service shows a key only once");
  const { outputs } = (await stack.resource("agents")) ?? {};
  expect(outputs).toMatchObject({ keyId: id, keySuffix: key.slice(-4), origin: "imported" });
  expect(outputs).not.toHaveProperty("key");
  const { outputs: _, ...program } = keyProgram(sandbox);
  await stack.setProgram(program);
  expect(await upAgain(setup)).toEqual(nothing);
  sandbox.clearRequests();
  await succeeded(stack.destroy());
  expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `${path}/${id}` }]);
  const importing = (text: string) => stack.import("AgentApiKey", "agents", text);
  for (const place of [projectId, "5f00000000000000000000af"])
    expect(await errorsOf(importing(`${place}/${id}`))).toBe("");
  expect(await errorsOf(importing(projectId))).toContain(
    "does not name an agent API key: an AgentApiKey is imported by <projectId>/<keyId>.",
  );
});

it.each(bothProviders)("getAgentApiKeys lists all keys of a project, masked (%s)", async (provider) => {
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed },
    program: (service) => ({
      lookups: { found: { function: "getAgentApiKeys", arguments: { projectId: paymentsId(service) } } },
      outputs: { found: "${found}" },
    }),
  });
  const projectId = paymentsId(sandbox);
  const { id, key, createdTime } = sandbox.addAgentKey(projectId, { desc: "agents" });
  const up = await succeeded(stack.up());
  const { found } = (await stack.outputs()) as { found: { projectId: string; keys: unknown[] } };
  expect(found.projectId).toBe(projectId);
  expect(found.keys).toHaveLength(2);
  expect(found.keys).toContainEqual({
    keyId: id,
    description: "agents",
    keySuffix: key.slice(-4),
    createdAt: new Date(createdTime).toISOString(),
    createdBy: "USER",
  });
  expect(allOf(up)).not.toContain(key);
});

describe("a response to the creation without the id", () => {
  const secret = "0123456789abcdef0123456789abcdef";

  it.each([
    { found: "one new key ends so", ends: [secret], response: { key: secret }, isRecorded: true },
    { found: "no new key ends so", ends: ["another: wxyz"], response: { key: secret }, isRecorded: false },
    { found: "two new keys end so", ends: [secret, secret], response: { key: secret }, isRecorded: false },
    { found: "the response has no key either", ends: [secret], response: {}, isRecorded: false },
  ])("is completed by the list, or names the new keys and no secret, if $found", async (given) => {
    const { ends, response, isRecorded } = given;
    const { sandbox, stack, projectId } = await declareKey("plugin");
    await stack.before("POST", /agentapikeys$/, () => {
      for (const key of ends) sandbox.addAgentKey(projectId, { desc: "agents", key });
      sandbox.addFault({
        method: "POST",
        pathPattern: "agentapikeys$",
        fault: { status: 201, body: response },
      });
    });
    const up = await stack.up();
    const ids = keysOf(sandbox).map(({ id }) => id);
    expect((await stack.resource("agents"))?.outputs?.keyId).toBe(isRecorded ? ids[0] : undefined);
    expect(ids.filter((id) => messagesOf(up, "error").includes(id))).toEqual(isRecorded ? [] : ids);
    expect(allOf(up)).not.toContain(secret);
  });

  it("is an error that says what to look for, if the keys cannot be read either", async () => {
    const { sandbox, stack } = await declareKey("plugin");
    await stack.before("POST", /agentapikeys$/, () => {
      sandbox.addFault({ method: "POST", pathPattern: "agentapikeys$", fault: { status: 201, body: {} } });
      sandbox.addFault({ method: "GET", pathPattern: "agentapikeys$", fault: { status: 403 } });
    });
    expect(await errorsOf(stack.up())).toContain('has a new agent API key with the description "agents"');
  });
});
