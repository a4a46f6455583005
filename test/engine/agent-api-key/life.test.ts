/** The life of an agent API key. Its text is in the state only, and no key of others changes. */
import { join } from "node:path";
import { keepDefault, type ProviderKind, type Run, succeeded } from "../../support";
import { differences } from "../support/differences";
import { stateText, useGenerated } from "../support/mechanics";
import { nothing, paymentsId, upAgain } from "../support/people-program";
import { bothProviders, emptyProgram, messagesOf, operations, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { allOf, keyProgram, keysOf, seed, theKey } from "./support";

afterEach(tearDownStacks);

async function declareKey(provider: ProviderKind) {
  const setup = await setUpStack({ provider, sandbox: { seed }, program: keyProgram });
  const projectId = paymentsId(setup.sandbox);
  return { setup, ...setup, projectId, path: `/groups/${projectId}/agentapikeys` };
}

const encrypted = { ciphertext: expect.any(String) };

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
});
