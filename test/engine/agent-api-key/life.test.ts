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

it.each(bothProviders)(
  "a key is created, kept, created again after it was deleted, replaced with the new key first, and destroyed; its text is in the state alone (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const { setup, sandbox, stack, projectId, path } = await declareKey(provider);
    const other = sandbox.addAgentKey(projectId, { desc: "of another program" });
    const own = () => keysOf(sandbox).find(({ id }) => id !== other.id);
    const texts: string[] = [];
    const readable: string[] = [];
    /** What the next key is and what the command did, whose output has no key's text. */
    const after = async (command: () => Promise<Run>) => {
      sandbox.clearRequests();
      const run = await succeeded(command());
      const key = own();
      if (key !== undefined) {
        texts.push(key.key);
        expect((await stack.resource("agents"))?.outputs).toMatchObject({ key: encrypted });
      }
      readable.push(allOf(run), await stateText(stack));
      return { run, key, writes: writes(sandbox) };
    };
    const decrypted = async () => JSON.stringify(await stack.state({ showSecrets: true }));

    const created = await after(() => stack.up());
    expect(created.writes).toEqual([{ method: "POST", path, body: { desc: "agents" } }]);
    expect(await stack.resource("agents")).toMatchObject({
      id: `${projectId}/${created.key?.id}`,
      outputs: { description: "agents", keySuffix: created.key?.key.slice(-4), origin: "created" },
    });
    await after(() => stack.refresh());
    expect(await decrypted()).toContain(created.key?.key);
    expect(await upAgain(setup)).toEqual(nothing);

    sandbox.removeAgentKey(projectId, created.key?.id ?? "");
    const previewed = await after(() => stack.preview());
    const warning = messagesOf(previewed.run, "warning");
    expect(warning).toContain(`Agent API key ${created.key?.id} ("agents") of project`);
    expect(warning).toContain("That key has another secret");
    expect(operations(previewed.run)).toEqual({ agents: differences[provider].createdAgain });
    expect(previewed.writes).toEqual([]);
    const again = await after(() => stack.up());
    expect(await decrypted()).toContain(again.key?.key);

    let former = again.key;
    for (const change of [{}, { triggers: { a: "1" } }]) {
      await stack.setProgram(keyProgram(sandbox, { description: "new agents", ...change }));
      const replaced = await after(() => stack.up());
      expect(operations(replaced.run)).toEqual({ agents: "replace" });
      expect(messagesOf(replaced.run)).toContain(
        differences[provider].textWithUrn("the new key has another secret"),
      );
      expect(replaced.writes).toEqual([
        { method: "POST", path, body: { desc: "new agents" } },
        { method: "DELETE", path: `${path}/${former?.id}` },
      ]);
      former = replaced.key;
    }
    const destroyed = await after(() => stack.destroy());
    expect(destroyed.writes).toEqual([{ method: "DELETE", path: `${path}/${former?.id}` }]);
    expect(keysOf(sandbox)).toEqual([other]);

    expect(new Set(texts).size).toBe(4);
    expect(texts.filter((text) => readable.some((shown) => shown.includes(text)))).toEqual([]);
  },
);

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
