/** The life of an agent API key. Its text is in the state only, and no key of others changes. */
import { join } from "node:path";
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { keepDefault, type Program, type ProviderKind, type Run, succeeded } from "../../support";
import { differences } from "../support/differences";
import { stateText, useGenerated } from "../support/mechanics";
import { nothing, paymentsId, upAgain } from "../support/people-program";
import {
  bothProviders,
  emptyProgram,
  errorsOf,
  messagesOf,
  operations,
  writes,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const seed = { projects: [{ name: "payments", members: { "owner@example.com": ["GROUP_OWNER"] } }] };

/** `agents` is a key of the project `payments`; an output of the stack repeats its text. */
function keyProgram(service: Sandbox, inputs: object = {}): Program {
  const properties = { projectId: paymentsId(service), description: "agents", ...inputs };
  return {
    resources: { agents: { type: "AgentApiKey", properties } },
    outputs: { key: "${agents.key}" },
  };
}

async function declareKey(provider: ProviderKind, options: SandboxOptions = {}) {
  const setup = await setUpStack({ provider, sandbox: { seed, ...options }, program: keyProgram });
  const projectId = paymentsId(setup.sandbox);
  return { setup, ...setup, projectId, path: `/groups/${projectId}/agentapikeys` };
}

/** Keys of the project, without the one that the service creates with it. */
function keysOf(sandbox: Sandbox) {
  const keys = sandbox.project(paymentsId(sandbox))?.agentKeys ?? [];
  expect(keys[0]).toMatchObject({ createdBy: "PROVISIONING" });
  return keys.slice(1);
}

function theKey(sandbox: Sandbox) {
  const [key, ...others] = keysOf(sandbox);
  if (key === undefined || others.length > 0) throw new Error(`Expected one key, found ${others.length}.`);
  return key;
}

const encrypted = { ciphertext: expect.any(String) };

/** The id is no secret: messages name a key by it. */
const allOf = (run: Run) => `${run.output}\n${messagesOf(run)}`;

/** The commands of one life, with what each of them did and left. Another key of the project exists all the time. */
async function liveOnce(provider: ProviderKind) {
  keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
  const { setup, sandbox, stack, projectId, path } = await declareKey(provider);
  const other = sandbox.addAgentKey(projectId, { desc: "of another program" });
  const mine = () => keysOf(sandbox).filter(({ id }) => id !== other.id);
  const after = async (command: () => Promise<Run>) => {
    sandbox.clearRequests();
    const run = await succeeded(command());
    const record = await stack.resource("agents");
    return { run, writes: writes(sandbox), keys: mine(), record, state: await stateText(stack) };
  };
  const decrypted = async () => JSON.stringify(await stack.state({ showSecrets: true }));
  const changed = async (inputs: object) => {
    await stack.setProgram(keyProgram(sandbox, inputs));
    return after(() => stack.up());
  };

  const created = await after(() => stack.up());
  const repeated = [await upAgain(setup)];
  const refreshed = { ...(await after(() => stack.refresh())), decrypted: await decrypted() };
  repeated.push(await upAgain(setup));
  sandbox.removeAgentKey(projectId, created.keys[0]?.id ?? "");
  const previewed = await after(() => stack.preview());
  const again = { ...(await after(() => stack.up())), decrypted: await decrypted() };
  repeated.push(await upAgain(setup));
  const described = await changed({ description: "new agents" });
  repeated.push(await upAgain(setup));
  const triggered = await changed({ description: "new agents", triggers: { a: "1" } });
  repeated.push(await upAgain(setup));
  const destroyed = await after(() => stack.destroy());
  const steps = { created, refreshed, previewed, again, described, triggered, destroyed };
  return {
    ...steps,
    steps: Object.values(steps),
    repeated,
    other,
    left: keysOf(sandbox),
    projectId,
    path,
    orgId: sandbox.orgId,
  };
}

describe.each(bothProviders)("the life of a key (%s)", (provider) => {
  let life: Awaited<ReturnType<typeof liveOnce>>;
  beforeAll(async () => {
    life = await liveOnce(provider);
  });

  it("an agent API key is created by one request, and its record describes it", () => {
    const { created, projectId, path, orgId } = life;
    expect(created.writes).toEqual([{ method: "POST", path, body: { desc: "agents" } }]);
    expect(created.keys).toHaveLength(1);
    const [key] = created.keys;
    expect(created.record).toMatchObject({
      id: `${projectId}/${key?.id}`,
      outputs: {
        projectId,
        description: "agents",
        keyId: key?.id,
        keySuffix: key?.key.slice(-4),
        createdAt: new Date(key?.createdTime ?? "").toISOString(),
        orgId,
        origin: "created",
        onDestroy: "remove",
      },
    });
  });

  it("an up after each change of an agent API key changes nothing", () => {
    expect(life.repeated).toEqual(Array(5).fill(nothing));
  });

  it("the text of an agent API key remains in the state after a refresh, and a new key replaces it there", () => {
    const [first, second] = [life.created.keys[0]?.key, life.again.keys[0]?.key];
    expect(second).not.toBe(first);
    expect(life.refreshed.decrypted).toContain(first);
    expect(life.again.decrypted).toContain(second);
  });

  it("the text of an agent API key is encrypted in the state and is in no output", () => {
    const texts = new Set(life.steps.flatMap(({ keys }) => keys.map(({ key }) => key)));
    expect(texts.size).toBe(4);
    const readable = life.steps.map(({ run, state }) => `${state}\n${allOf(run)}`).join("\n");
    expect([...texts].filter((text) => readable.includes(text))).toEqual([]);
    for (const name of ["created", "refreshed", "again", "described", "triggered"] as const)
      expect(life[name].record?.outputs).toMatchObject({ key: encrypted });
  });

  it("an agent API key that was deleted outside Pulumi is created again, and the preview warns of another secret", () => {
    const { previewed, created } = life;
    const warning = messagesOf(previewed.run, "warning");
    expect(warning).toContain(`Agent API key ${created.keys[0]?.id} ("agents") of project`);
    expect(warning).toContain("That key has another secret");
    expect(operations(previewed.run)).toEqual({ agents: differences[provider].createdAgain });
    expect([previewed.writes, previewed.keys]).toEqual([[], []]);
    expect(life.again.keys).toMatchObject([{ desc: "agents" }]);
  });

  it.each([
    ["another description", "described", "again"],
    ["a trigger", "triggered", "described"],
  ] as const)("%s replaces an agent API key, the new key first", (_, change, former) => {
    const { run, keys, ...after } = life[change];
    expect(operations(run)).toEqual({ agents: "replace" });
    expect(messagesOf(run)).toContain(differences[provider].textWithUrn("the new key has another secret"));
    expect(after.writes).toEqual([
      { method: "POST", path: life.path, body: { desc: "new agents" } },
      { method: "DELETE", path: `${life.path}/${life[former].keys[0]?.id}` },
    ]);
    expect(keys.map(({ desc }) => desc)).toEqual(["new agents"]);
  });

  it("an agent API key is destroyed without the other keys of its project", () => {
    const { destroyed, triggered, path } = life;
    expect(destroyed.writes).toEqual([{ method: "DELETE", path: `${path}/${triggered.keys[0]?.id}` }]);
    expect(life.left).toEqual([life.other]);
  });
});

describe.each(bothProviders)("an agent API key (%s)", (provider) => {
  it("whose response was lost is named in the error and becomes no second key; the next run names it again", async () => {
    const { sandbox, stack, path } = await declareKey(provider);
    sandbox.addFault({ method: "POST", pathPattern: "agentapikeys$", fault: "reset-after-write" });
    const lost = await stack.up();
    expect(lost.exitCode).not.toBe(0);
    const orphan = theKey(sandbox);
    expect(messagesOf(lost, "error")).toContain(`since then: ${orphan.id} ("agents")`);
    expect(messagesOf(lost, "error")).toContain(`DELETE /api/public/v1.0${path}/<key id>`);
    expect(allOf(lost)).not.toContain(orphan.key);
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST"]);
    expect(await stack.resource("agents")).toBeUndefined();

    const next = await succeeded(stack.up());
    expect(messagesOf(next, "info")).toContain(`with the description "agents": ${orphan.id}.`);
    expect(keysOf(sandbox)).toHaveLength(2);
    expect(keysOf(sandbox)[0]).toEqual(orphan);
    await succeeded(stack.destroy());
    expect(theKey(sandbox)).toEqual(orphan);
  });

  it("whose response was truncated is in no message, although the response held half of it", async () => {
    const { sandbox, stack } = await declareKey(provider);
    sandbox.addFault({ method: "POST", pathPattern: "agentapikeys$", fault: "truncate" });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    const { id, key } = theKey(sandbox);
    expect(messagesOf(up, "error")).toContain(`since then: ${id} ("agents")`);
    expect(allOf(up)).not.toContain(key.slice(0, 8));
  });

  it("that the response does not contain is recorded as unfinished, and the next run replaces it", async () => {
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
    expect(await stack.resource("agents")).toMatchObject({
      outputs: { keyId: "5f00000000000000000000f1", key: encrypted },
    });
  });
});

it("two keys of one project may have the same description, and a released key remains valid (plugin)", async () => {
  const { setup, sandbox, stack } = await declareKey("plugin");
  const agents = (onDestroy?: string): Program => {
    const properties = {
      projectId: paymentsId(sandbox),
      description: "agents",
      ...(onDestroy && { onDestroy }),
    };
    return {
      resources: { one: { type: "AgentApiKey", properties }, two: { type: "AgentApiKey", properties } },
    };
  };
  await stack.setProgram(agents());
  await succeeded(stack.up());
  expect(keysOf(sandbox).map(({ desc }) => desc)).toEqual(["agents", "agents"]);
  expect(new Set(keysOf(sandbox).map(({ key }) => key)).size).toBe(2);
  await stack.setProgram(agents("release"));
  expect(await upAgain(setup)).toMatchObject({ changes: { update: 2 }, writes: [] });
  await stack.setProgram(emptyProgram);
  expect(await upAgain(setup)).toMatchObject({ changes: { delete: 2 }, writes: [] });
  expect(keysOf(sandbox)).toHaveLength(2);
});

it("a response with other fields and statuses means the same (plugin)", async () => {
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

it("an imported key has no output key, remains unchanged, and is destroyed (plugin)", async () => {
  const { setup, sandbox, stack, projectId, path } = await declareKey("plugin");
  await stack.setProgram(emptyProgram);
  const { id, key } = sandbox.addAgentKey(projectId, { desc: "agents" });
  const imported = await succeeded(
    stack.import("opsmanager:index:AgentApiKey", "agents", `${projectId}/${id}`, { protect: false }),
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
});

it.each([
  ["no description", ""],
  ["a description that no program may give", "x".repeat(1001)],
])("a key with %s is imported, and up accepts the program that import wrote (plugin)", async (_, desc) => {
  const { setup, sandbox, stack, projectId } = await declareKey("plugin");
  await stack.setProgram(emptyProgram);
  const { id } = sandbox.addAgentKey(projectId, { desc });
  const out = join(stack.paths.root, "generated.yaml");
  const options = { protect: false, generateCode: true, out };
  const imported = await succeeded(
    stack.import("opsmanager:index:AgentApiKey", "agents", `${projectId}/${id}`, options),
  );
  expect(messagesOf(imported, "warning")).not.toContain("failed to validate");
  await useGenerated(stack, out);
  expect(await upAgain(setup)).toEqual(nothing);
});

it("a key that may not be deleted stays in the state (plugin)", async () => {
  const { sandbox, stack } = await declareKey("plugin");
  await succeeded(stack.up());
  const refusal = { error: 404, reason: "Not Found", errorCode: "RESOURCE_NOT_FOUND", detail: "Not here." };
  sandbox.addFault({ method: "DELETE", fault: { status: 404, body: refusal } });
  expect(await errorsOf(stack.destroy())).toContain("404 RESOURCE_NOT_FOUND");
  expect(await stack.resource("agents")).toMatchObject({ outputs: { keyId: theKey(sandbox).id } });
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
  expect(await stateText(stack)).not.toContain(key);
});

describe("an agent API key (plugin)", () => {
  it("that another resource imports in the run that removes this resource is retained", async () => {
    const { setup, sandbox, stack, projectId } = await declareKey("plugin");
    await succeeded(stack.up());
    const key = theKey(sandbox);
    const properties = { projectId, description: "agents" };
    const options = { import: `${projectId}/${key.id}` };
    await stack.setProgram({ resources: { renamed: { type: "AgentApiKey", properties, options } } });
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ import: 1, delete: 1 });
    expect(messagesOf(up, "info")).toContain(`Agent API key ${key.id} of project ${projectId} was kept`);
    expect(keysOf(sandbox)).toEqual([key]);
    expect(await upAgain(setup)).toEqual(nothing);
    await succeeded(stack.destroy());
    expect(keysOf(sandbox)).toEqual([]);
  });

  it("may be replaced if its description is not known in the preview, which reports that", async () => {
    const { sandbox, stack, projectId } = await declareKey("plugin");
    await succeeded(stack.up());
    const [before] = keysOf(sandbox);
    await stack.setProgram({
      resources: {
        ledger: { type: "Project", properties: { orgId: sandbox.orgId, name: "ledger" } },
        agents: { type: "AgentApiKey", properties: { projectId, description: "of ${ledger.projectId}" } },
        reader: { type: "AgentApiKey", properties: { projectId, description: "beside ${agents.keyId}" } },
      },
    });
    const preview = await succeeded(stack.preview());
    expect(operations(preview)).toMatchObject({ agents: "update" });
    expect(messagesOf(preview, "warning")).toContain("Some values are not known yet");
    await succeeded(stack.up());
    const keys = keysOf(sandbox);
    expect(keys.map(({ id }) => id)).not.toContain(before?.id);
    expect(keys.map(({ desc }) => desc)).toContain(
      `beside ${keys.find(({ desc }) => desc.startsWith("of "))?.id}`,
    );
  });
});
