/** Ctrl-C while a member is added or invited: the state records what was done, and no invitation is sent twice. */
import type { Sandbox } from "../../../sandbox";
import { succeeded } from "../../support";
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
import { type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";

const services: HeldResponses[] = [];

afterEach(async () => {
  await tearDownStacks();
  await Promise.all(services.splice(0).map((service) => service.close()));
});

const ada = "ada@example.com";
const leo = "leo@example.com";
const roles = ["GROUP_READ_ONLY"];
const seed = { projects: [{ name: "payments" }] };

/** Ends with Ctrl-C when the service has handled a POST and its response is not sent. */
async function interruptAtPost({ sandbox, stack }: StackSetup, slow: HeldResponses): Promise<void> {
  const held = slow.hold("POST");
  const running = stack.start(["up", "--yes", "--skip-preview"]);
  await held;
  running.interrupt();
  expect((await running.finished).exitCode).not.toBe(0);
  slow.stopHolding();
  const { resources } = await stack.state();
  const [invitation] = invitationsTo(sandbox).filter(({ username }) => username === ada);
  expect(JSON.stringify(resources.map(({ outputs }) => outputs))).toContain(invitation?.id);
}

async function holdResponses({ sandbox, stack }: StackSetup): Promise<HeldResponses> {
  const slow = await holdResponsesOf(sandbox.baseUrl);
  services.push(slow);
  await stack.setConfig({ "opsmanager:baseUrl": slow.baseUrl });
  return slow;
}

it("a ProjectMember whose invitation is sent and not yet answered stays in the state", async () => {
  const setup = await setUpStack({
    sandbox: { seed },
    program: (sandbox) => memberProgram({ projectId: paymentsId(sandbox), username: ada, roles }),
  });
  const { sandbox, stack } = setup;
  await interruptAtPost(setup, await holdResponses(setup));
  expect(invitedTo(sandbox)).toEqual({ [ada]: roles });

  await succeeded(stack.up());
  expect(writes(sandbox).filter(({ method }) => method === "POST")).toHaveLength(1);
  expect(await upAgain(setup)).toEqual(nothing);
});

it("a ProjectMembers that was stopped before its removals keeps its invitation and is not reported clean", async () => {
  const membersAre = (sandbox: Sandbox, username: string) =>
    membersProgram({ projectId: paymentsId(sandbox), members: { [username]: roles } });
  const setup = await setUpStack({ sandbox: { seed }, program: (sandbox) => membersAre(sandbox, leo) });
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  await stack.setProgram(membersAre(sandbox, ada));
  await interruptAtPost(setup, await holdResponses(setup));
  expect(invitedTo(sandbox)).toEqual({ [ada]: roles, [leo]: roles });

  expect(await opsmanager(stack, ["drift"])).toMatchObject({ exitCode: 2 });
  expect(await opsmanager(stack, ["drift", "--state-only"])).toMatchObject({ exitCode: 1 });
  sandbox.clearRequests();
  await succeeded(stack.up());
  expect(writes(sandbox).filter(({ method }) => method === "POST")).toEqual([]);
  expect((await opsmanager(stack, ["drift"])).exitCode).toBe(0);
  expect(await upAgain(setup)).toEqual(nothing);
});
