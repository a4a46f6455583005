import { type Stack, succeeded } from "../../support";
import { type HeldResponses, holdResponsesOf } from "../support/held-responses";
import { opsmanager } from "../support/opsmanager";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  projectNamed,
  projectProgram,
  writes,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

const services: HeldResponses[] = [];

afterEach(async () => {
  await tearDownStacks();
  await Promise.all(services.splice(0).map((service) => service.close()));
});

const driftOf = (stack: Stack, ...argv: string[]) => opsmanager(stack, ["drift", ...argv]);

const refusal = {
  status: 400,
  body: { error: 400, reason: "Bad Request", errorCode: "TRY_LATER", detail: "Tags rest today." },
};

// Trap 15: the next up calls Update whatever Diff returns, and Update reads the live project.
it.each(bothProviders)(
  "a create that does not finish leaves nothing, or the project's id and what failed, and the next up finishes it (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    sandbox.addFault({ method: "POST", fault: refusal });
    const refused = await stack.up();
    expect(messagesOf(refused, "error")).toContain("TRY_LATER");
    const { resources, pending_operations: pending = [] } = await stack.state();
    expect([resources.filter(({ type }) => type.endsWith("Project")), pending]).toEqual([[], []]);
    // A failed create that changed nothing must not frighten people about their state.
    expect(refused.output).not.toMatch(/corrupt/i);

    sandbox.addFault({ method: "PATCH", fault: refusal });
    const errors = await errorsOf(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    expect(errors).toContain(`Project ${id} was created, but is not yet as declared`);
    expect(errors).toContain("TRY_LATER");
    const recorded = await stack.resource("payments");
    expect(recorded).toMatchObject({ id, outputs: { name: "payments", origin: "created" } });
    expect(recorded?.initErrors).toHaveLength(1);

    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(projectNamed(sandbox, "payments")).toMatchObject({ id, tags: ["PROD"] });
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { tags: ["PROD"] } }]);
    expect((await stack.resource("payments"))?.initErrors ?? []).toEqual([]);
  },
);

// While the response of the POST is on its way: "Ctrl-C in the middle of an operation" of the known differences.
it("Ctrl-C while the tags of a new project are being set keeps its id, is no crash, and is not reported clean", async () => {
  const { sandbox, stack } = await setUpStack({
    plugin: "started",
    program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
  });
  const slow = await holdResponsesOf(sandbox.baseUrl);
  services.push(slow);
  await stack.setConfig({ "opsmanager:baseUrl": slow.baseUrl });

  const held = slow.hold("PATCH");
  const running = stack.start(["up", "--yes", "--skip-preview"]);
  await held;
  running.interrupt();
  const up = await running.finished;
  expect(up.exitCode).not.toBe(0);
  expect(up.output).not.toContain("exited prematurely"); // of a plugin that has not acknowledged a Cancel
  const { id } = projectNamed(sandbox, "payments");
  expect(await stack.resource("payments")).toMatchObject({ id, outputs: { origin: "created" } });

  slow.stopHolding();
  // The PATCH has taken effect, so nothing differs; that the create is finished is not proven.
  expect((await driftOf(stack)).exitCode).toBe(1);
  const ofState = await driftOf(stack, "--state-only");
  expect(ofState).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("did not finish") });
  await succeeded(stack.up());
  expect((await driftOf(stack)).exitCode).toBe(0);
  expect(projectNamed(sandbox, "payments")).toMatchObject({ id, tags: ["PROD"] });
  expect(writes(sandbox).filter(({ method }) => method === "POST")).toHaveLength(1);
});
