/** Keys that are shown once: their text is in the state only, and no key of others changes. What is sent: test/integration/keys. */
import { keepDefault, type Run, succeeded } from "../../support";
import { differences } from "../support/differences";
import { stateText } from "../support/mechanics";
import { opsmanager } from "../support/opsmanager";
import { paymentsId, upAgain } from "../support/people-program";
import { bothProviders, messagesOf, operations } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { allOf, keyProgram, keysOf, seed } from "./support";

afterEach(tearDownStacks);

const encrypted = { ciphertext: expect.any(String) };

it.each(bothProviders)(
  "keys are created, kept, created again after they were deleted, replaced, and destroyed; their text is in the state alone (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const program = (service: Parameters<typeof keyProgram>[0], triggers = {}) => {
      const { resources, ...rest } = keyProgram(service, { triggers });
      const properties = { orgId: service.orgId, description: "ci", roles: ["ORG_MEMBER"], triggers };
      return { resources: { ...resources, pipeline: { type: "ApiKey", properties } }, ...rest };
    };
    const setup = await setUpStack({ provider, sandbox: { seed }, program });
    const { sandbox, stack } = setup;
    const projectId = paymentsId(sandbox);
    const other = sandbox.addAgentKey(projectId, { desc: "of another program" });
    const own = () => ({
      agents: keysOf(sandbox).find(({ id }) => id !== other.id),
      pipeline: sandbox.state.keys.find(({ desc }) => desc === "ci"),
    });
    const texts = new Set<string>();
    const readable: string[] = [];
    /** Runs a command whose output must have no key's text. The state has it, encrypted. */
    const after = async (command: () => Promise<Run>) => {
      const run = await succeeded(command());
      readable.push(allOf(run), await stateText(stack));
      return run;
    };
    const expectRecorded = async () => {
      const { agents, pipeline } = own();
      const recorded = [agents?.key ?? "", pipeline?.privateKey ?? ""];
      for (const text of recorded) texts.add(text);
      expect((await stack.resource("agents"))?.outputs).toMatchObject({ key: encrypted });
      expect((await stack.resource("pipeline"))?.outputs).toMatchObject({ privateKey: encrypted });
      const decrypted = JSON.stringify(await stack.state({ showSecrets: true }));
      expect(recorded.map((text) => decrypted.includes(text))).toEqual([true, true]);
    };

    await after(() => stack.up());
    await after(() => stack.refresh());
    await expectRecorded();
    expect(await upAgain(setup)).toEqual({ changes: { same: 2 }, writes: [] });

    const { agents, pipeline } = own();
    sandbox.removeAgentKey(projectId, agents?.id ?? "");
    sandbox.removeKey(pipeline?.publicKey ?? "");
    const drift = await opsmanager(stack, ["drift", "--unmanaged"]);
    expect(drift.exitCode).toBe(2);
    expect(drift.stdout).not.toContain(other.id);
    readable.push(drift.stdout, drift.stderr);
    const preview = await after(() => stack.preview());
    expect(messagesOf(preview, "warning")).toContain("That key has another secret");
    const { createdAgain } = differences[provider];
    expect(operations(preview)).toEqual({ agents: createdAgain, pipeline: createdAgain });
    await after(() => stack.up());
    await expectRecorded();

    await stack.setProgram(program(sandbox, { rotated: "2026-11" }));
    const replaced = await after(() => stack.up());
    expect(operations(replaced)).toEqual({ agents: "replace", pipeline: "replace" });
    expect(messagesOf(replaced)).toContain(
      differences[provider].textWithUrn("the new key has another secret"),
    );
    await expectRecorded();
    await after(() => stack.destroy());
    expect([keysOf(sandbox), own().pipeline]).toEqual([[other], undefined]);
    expect(texts.size).toBe(6);
    expect([...texts].filter((text) => readable.some((shown) => shown.includes(text)))).toEqual([]);
  },
);
