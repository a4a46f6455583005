/** Keys that are shown once: their text is in the state alone. What is sent: test/integration/keys. */
import { type Run, succeeded } from "../../support";
import { differences } from "../support/differences";
import { stateText } from "../support/mechanics";
import { bothProviders, messagesOf, operations } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { allOf, keyProgram, keysOf, seed, theKey } from "./support";

afterEach(tearDownStacks);

const encrypted = { ciphertext: expect.any(String) };

it.each(bothProviders)(
  "the text of a key is encrypted in the state and nowhere else, through refresh, replacement and destroy (%s)",
  async (provider) => {
    const program = (service: Parameters<typeof keyProgram>[0], triggers = {}) => {
      const { resources, ...rest } = keyProgram(service, { triggers });
      const properties = { orgId: service.orgId, description: "ci", roles: ["ORG_MEMBER"], triggers };
      return { resources: { ...resources, pipeline: { type: "ApiKey", properties } }, ...rest };
    };
    const { sandbox, stack } = await setUpStack({ provider, sandbox: { seed }, program });
    const pipeline = () => sandbox.state.keys.find(({ desc }) => desc === "ci");
    const texts = new Set<string>();
    const readable: string[] = [];
    /** Runs a command whose output must have no key's text. The state has it, encrypted. */
    const after = async (command: () => Promise<Run>) => {
      const run = await succeeded(command());
      readable.push(allOf(run), await stateText(stack));
      return run;
    };
    const expectRecorded = async () => {
      const recorded = [theKey(sandbox).key, pipeline()?.privateKey ?? ""];
      for (const text of recorded) texts.add(text);
      expect((await stack.resource("agents"))?.outputs).toMatchObject({ key: encrypted });
      expect((await stack.resource("pipeline"))?.outputs).toMatchObject({ privateKey: encrypted });
      const decrypted = JSON.stringify(await stack.state({ showSecrets: true }));
      expect(recorded.map((text) => decrypted.includes(text))).toEqual([true, true]);
    };
    await after(() => stack.up());
    await after(() => stack.refresh());
    await expectRecorded();

    await stack.setProgram(program(sandbox, { rotated: "2026-11" }));
    const replaced = await after(() => stack.up());
    expect(operations(replaced)).toEqual({ agents: "replace", pipeline: "replace" });
    expect(messagesOf(replaced)).toContain(
      differences[provider].textWithUrn("the new key has another secret"),
    );
    await expectRecorded();
    await after(() => stack.destroy());
    expect([keysOf(sandbox), pipeline()]).toEqual([[], undefined]);
    expect(texts.size).toBe(4);
    expect([...texts].filter((text) => readable.some((shown) => shown.includes(text)))).toEqual([]);
  },
);
