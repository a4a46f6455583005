/** Ctrl-C while a member is added or invited: the state records what was done, and no invitation is sent twice. */
import { succeeded } from "../../support";
import { ada } from "../../support/people";
import { type HeldResponses, holdResponsesOf } from "../support/held-responses";
import { opsmanager } from "../support/opsmanager";
import {
  invitationsTo,
  invitedTo,
  memberProgram,
  membersProgram,
  nothing,
  paymentsId,
  upAgain,
} from "../support/people-program";
import { writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

const services: HeldResponses[] = [];

afterEach(async () => {
  await tearDownStacks();
  await Promise.all(services.splice(0).map((service) => service.close()));
});

const roles = ["GROUP_READ_ONLY"];

it.each([
  ["ProjectMember", "ada", (projectId: string) => memberProgram({ projectId, username: ada, roles })],
  [
    "ProjectMembers",
    "people",
    (projectId: string) => membersProgram({ projectId, members: { [ada]: roles } }),
  ],
])("a %s whose invitation is sent and not yet answered stays in the state", async (_type, name, program) => {
  const { sandbox, stack } = await setUpStack({
    plugin: "started",
    sandbox: { seed: { projects: [{ name: "payments" }] } },
    program: (sandbox) => program(paymentsId(sandbox)),
  });
  const slow = await holdResponsesOf(sandbox.baseUrl);
  services.push(slow);
  await stack.setConfig({ "opsmanager:baseUrl": slow.baseUrl });

  const held = slow.hold("POST");
  const running = stack.start(["up", "--yes", "--skip-preview"]);
  await held;
  running.interrupt();
  expect((await running.finished).exitCode).not.toBe(0);
  expect(invitedTo(sandbox)).toEqual({ [ada]: roles });
  const [invitation] = invitationsTo(sandbox);
  const recorded = JSON.stringify((await stack.resource(name))?.outputs);
  expect(recorded).toContain(invitation?.id);

  slow.stopHolding();
  await succeeded(stack.up());
  expect(writes(sandbox).filter(({ method }) => method === "POST")).toHaveLength(1);
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
});

it("a ProjectMembers that was stopped before its removals is not reported clean", async () => {
  const leo = "leo@example.com";
  const { sandbox, stack } = await setUpStack({
    plugin: "started",
    sandbox: { seed: { projects: [{ name: "payments" }] } },
    program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members: { [leo]: roles } }),
  });
  await succeeded(stack.up());
  const slow = await holdResponsesOf(sandbox.baseUrl);
  services.push(slow);
  await stack.setConfig({ "opsmanager:baseUrl": slow.baseUrl });
  await stack.setProgram(membersProgram({ projectId: paymentsId(sandbox), members: { [ada]: roles } }));

  const held = slow.hold("POST");
  const running = stack.start(["up", "--yes", "--skip-preview"]);
  await held;
  running.interrupt();
  expect((await running.finished).exitCode).not.toBe(0);
  expect(invitedTo(sandbox)).toEqual({ [ada]: roles, [leo]: roles });

  slow.stopHolding();
  expect(await opsmanager(stack, ["drift"])).toMatchObject({ exitCode: 2 });
  expect(await opsmanager(stack, ["drift", "--state-only"])).toMatchObject({ exitCode: 1 });
  await succeeded(stack.up());
  expect((await opsmanager(stack, ["drift"])).exitCode).toBe(0);
});
