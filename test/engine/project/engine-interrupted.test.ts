/** Ctrl-C: the state records what was done, and nothing is sent twice. While the response of a Project's POST is on its way: `../providers`. */
import { type Program, type Run, type Stack, succeeded } from "../../support";
import { bob, cleo, readers } from "../../support/people";
import { type HeldResponses, holdResponsesOf } from "../support/held-responses";
import { opsmanager } from "../support/opsmanager";
import { invitationOf, invitedTo, upAgain } from "../support/people-program";
import { projectNamed, writes } from "../support/project-program";
import { attachment, setUpStack, tearDownStacks } from "../support/stack-setup";

const services: HeldResponses[] = [];

afterEach(async () => {
  await tearDownStacks();
  await Promise.all(services.splice(0).map((service) => service.close()));
});

const orders = "5f00000000000000000000a1";

const program = (orgId: string, username: string): Program => ({
  resources: {
    payments: { type: "Project", properties: { orgId, name: "payments", tags: ["PROD"] } },
    people: {
      type: "ProjectMembers",
      properties: { projectId: orders, members: { [username]: readers } },
      options: { dependsOn: ["${payments}"] },
    },
  },
});

/** Ends with Ctrl-C when the service has handled a request and its response is not sent. The engine starts the plugin. */
async function interruptAt(method: string, stack: Stack, slow: HeldResponses): Promise<Run> {
  stack.setEnv({});
  const held = slow.hold(method);
  const running = stack.start(["up", "--yes", "--skip-preview"]);
  await held;
  running.interrupt();
  const up = await running.finished;
  expect(up.exitCode).not.toBe(0);
  expect(up.output).not.toContain("exited prematurely"); // of a plugin that has not acknowledged a Cancel
  slow.stopHolding();
  stack.setEnv(await attachment());
  return up;
}

/** Exit codes of `opsmanager drift` with a read of the service, and without one. */
async function driftOf(stack: Stack) {
  const read = await opsmanager(stack, ["drift"]);
  const ofState = await opsmanager(stack, ["drift", "--state-only"]);
  return [read.exitCode, ofState.exitCode];
}

it("Ctrl-C while the tags of a new project are being set, and while a person is invited, keeps both, is no crash, and is not reported clean", async () => {
  const setup = await setUpStack({
    sandbox: { seed: { projects: [{ id: orders, name: "orders" }] } },
    program: ({ orgId }) => program(orgId, cleo),
  });
  const { sandbox, stack } = setup;
  const slow = await holdResponsesOf(sandbox.baseUrl);
  services.push(slow);
  await stack.setConfig({ "opsmanager:baseUrl": slow.baseUrl });

  await interruptAt("PATCH", stack, slow);
  const { id } = projectNamed(sandbox, "payments");
  expect(await stack.resource("payments")).toMatchObject({ id, outputs: { origin: "created" } });
  // The PATCH has taken effect, so nothing differs; that the create is finished is not proven.
  expect(await driftOf(stack)).toEqual([1, 1]);
  await succeeded(stack.up());
  expect(projectNamed(sandbox, "payments")).toMatchObject({ id, tags: ["PROD"] });

  await stack.setProgram(program(sandbox.orgId, bob));
  await interruptAt("POST", stack, slow);
  const { id: invitationId } = invitationOf(sandbox, bob, orders);
  expect(JSON.stringify((await stack.resource("people"))?.outputs)).toContain(invitationId);
  expect(invitedTo(sandbox, orders)).toEqual({ [bob]: readers, [cleo]: readers });
  expect(await driftOf(stack)).toEqual([2, 1]);
  await succeeded(stack.up());
  expect(writes(sandbox).filter(({ method }) => method === "POST")).toHaveLength(3);
  expect(invitedTo(sandbox, orders)).toEqual({ [bob]: readers });
  expect(await driftOf(stack)).toEqual([0, 0]);
  expect(await upAgain(setup)).toEqual({ changes: { same: 2 }, writes: [] });
});
