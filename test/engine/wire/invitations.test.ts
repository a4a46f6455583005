/** Invitations at the pace of the service, as a user sees it. The pace, and its end by Ctrl-C: test/integration/client/invitations. */
import type { Sandbox } from "../../../sandbox";
import { type Program, succeeded } from "../../support";
import { paymentsId } from "../support/people-program";
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
