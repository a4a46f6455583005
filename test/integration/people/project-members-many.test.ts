/** ProjectMembers with a thousand members in one project: the number of requests. */
import type { Sandbox } from "../../../sandbox";
import { membersOf, membersProgram, nothing, paymentsId, upAgain } from "../../engine/support/people-program";
import { writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { admins, olga, owners, readers } from "../../support/people";

afterEach(tearDownStacks);

const last = "person-0999@example.com";
const thousand: Readonly<Record<string, readonly string[]>> = {
  [olga]: owners,
  ...Object.fromEntries(
    Array.from({ length: 999 }, (_, index) => [
      `person-${String(index + 1).padStart(4, "0")}@example.com`,
      readers,
    ]),
  ),
};

/** Number of answered reads, without the first half of each Digest exchange. */
function reads({ requests }: Sandbox): number {
  return requests.filter(({ method, authorized }) => method === "GET" && authorized).length;
}

it("a thousand members are adopted without a write and read in few requests; one changed role is one write", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed: { projects: [{ name: "payments", members: thousand }] } },
    program: (service) => membersProgram({ projectId: paymentsId(service), members: thousand }),
  });
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([]);
  // The project, two pages of members, the invitations.
  expect(reads(sandbox)).toBeLessThanOrEqual(4);
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  expect(reads(sandbox)).toBeLessThanOrEqual(4);

  sandbox.clearRequests();
  const members = { ...thousand, [last]: admins };
  await stack.setProgram(membersProgram({ projectId: paymentsId(sandbox), members }));
  expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
  expect(writes(sandbox)).toHaveLength(1);
  // The refresh, the plan, and the read after the write.
  expect(reads(sandbox)).toBeLessThanOrEqual(12);
  expect(membersOf(sandbox)).toEqual(members);
});
