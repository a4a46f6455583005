/** Invitations at the pace of the service, as a user sees it: messages during the wait, and the state after Ctrl-C. */
import type { Sandbox } from "../../../sandbox";
import { type Program, type ProviderKind, succeeded } from "../../support";
import { invitedTo, membersProgram, nothing, paymentsId, upAgain } from "../support/people-program";
import { bothProviders, messagesOf, timesPrinted } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const roles = ["GROUP_READ_ONLY"];
const people = (count: number) => Array.from({ length: count }, (_, index) => `person-${index}@example.com`);
const remark = "The service limits invitations per minute";

const oneResourceEach =
  (names: readonly string[]) =>
  (sandbox: Sandbox): Program => {
    const projectId = paymentsId(sandbox);
    const declared = names.map((username, index) => [
      `person-${index}`,
      { type: "ProjectMember", properties: { projectId, username, roles } },
    ]);
    return { resources: Object.fromEntries(declared) };
  };

const oneForAll =
  (names: readonly string[]) =>
  (sandbox: Sandbox): Program => {
    const members = Object.fromEntries(names.map((username) => [username, roles]));
    return membersProgram({ projectId: paymentsId(sandbox), members });
  };

/** A service with a limit, and a provider that waits a third of a second after the first refusal instead of six seconds. */
function limitedService(
  provider: ProviderKind,
  invitationsPerMinute: number,
  program: (sandbox: Sandbox) => Program,
) {
  return setUpStack({
    provider,
    sandbox: { seed: { projects: [{ name: "payments" }] }, invitationsPerMinute },
    config: { "opsmanager:invitationsPerMinute": "200" },
    program,
  });
}

/** As a person sees it who watches: while the invitations wait. */
async function runUntilPaced({ stack }: Awaited<ReturnType<typeof limitedService>>) {
  const running = stack.start(["up", "--yes", "--skip-preview"]);
  await running.outputMatches(new RegExp(remark));
  return running;
}

const sent = (sandbox: Sandbox) =>
  sandbox.requests.filter(({ method, status }) => method === "POST" && status === 201).length;

it.each(bothProviders)(
  "people beyond the service's limit wait for their turn, and one remark reports how many and for how long (%s provider)",
  async (provider) => {
    let liftLimit = () => {};
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        seed: { projects: [{ name: "payments" }] },
        invitationsPerMinute: 3,
        // The first refusal lifts the limit, so that no second one can come, however slow the machine is.
        log: (line) => / 400\b/.test(line) && liftLimit(),
      },
      config: { "opsmanager:invitationsPerMinute": "200" },
      program: oneResourceEach(people(6)),
    });
    liftLimit = () => sandbox.setSwitches({ invitationsPerMinute: 0 });
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ create: 6 });
    expect(timesPrinted(up, remark)).toBe(1);
    expect(messagesOf(up, "info")).toMatch(
      /: \d (is|are) waiting, and 200 are sent per minute\. This takes about a second\./,
    );
    expect(sent(sandbox)).toBe(6);
  },
);

it("Ctrl-C while forty of fifty invitations wait ends at once; the next up sends those forty", async () => {
  const setup = await limitedService("plugin", 10, oneForAll(people(50)));
  const { sandbox, stack } = setup;
  const running = await runUntilPaced(setup);
  running.interrupt();
  expect((await running.finished).exitCode).not.toBe(0);
  const invited = Object.keys(invitedTo(sandbox));
  expect(invited).toHaveLength(10);
  const { outputs } = (await stack.resource("people")) ?? {};
  expect(Object.keys(outputs?.members as object).sort()).toEqual(invited);

  sandbox.setSwitches({ invitationsPerMinute: 0 });
  await succeeded(stack.up());
  expect(Object.keys(invitedTo(sandbox))).toEqual(people(50).sort());
  expect(sent(sandbox)).toBe(50);
  expect(await upAgain(setup)).toEqual(nothing);
});

it("Ctrl-C while forty of fifty invitations wait lets the dynamic provider continue to the end, and records it", async () => {
  const setup = await limitedService("dynamic", 10, oneForAll(people(50)));
  const { sandbox, stack } = setup;
  const running = await runUntilPaced(setup);
  running.interrupt();
  sandbox.setSwitches({ invitationsPerMinute: 0 });
  await running.finished;
  expect(sent(sandbox)).toBe(50);
  const { outputs } = (await stack.resource("people")) ?? {};
  expect(Object.keys(outputs?.members as object).sort()).toEqual(people(50).sort());
  expect(await upAgain(setup)).toEqual(nothing);
});
