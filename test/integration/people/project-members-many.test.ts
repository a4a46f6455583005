/**
 * ProjectMembers with a thousand members in one project: the number of requests, and the state
 * after failures.
 */
import type { Sandbox } from "../../../sandbox";
import { membersOf, membersProgram, nothing, paymentsId, upAgain } from "../../engine/support/people-program";
import { bothProviders, errorsOf, writes } from "../../engine/support/project-program";
import { type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { admins, olga, owners, readers } from "../../support/people";

afterEach(tearDownStacks);

const first = "person-0001@example.com";
const last = "person-0999@example.com";
const newcomer = "newcomer@example.com";
const secondNewcomer = "second-newcomer@example.com";

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

describe("a thousand members", () => {
  const begin = (provider: ProviderKind = "plugin") =>
    setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments", members: thousand }] } },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members: thousand }),
    });

  it("are adopted without a write and read in few requests; one changed role is one write", async () => {
    const { sandbox, stack } = await begin();
    expect(Object.keys(membersOf(sandbox))).toHaveLength(1_000);
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
    expect(membersOf(sandbox)[last]).toEqual(admins);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it.each(bothProviders)(
    "are all recorded after a failure in the first up and after a failure in an update (%s)",
    async (provider) => {
      const { sandbox, stack } = await begin(provider);
      const projectId = paymentsId(sandbox);
      await stack.setProgram(membersProgram({ projectId, members: { ...thousand, [newcomer]: readers } }));
      const body = { error: 403, reason: "Forbidden", errorCode: "NOT_THIS_ONE", detail: "Not today." };
      sandbox.addFault({ method: "POST", fault: { status: 403, body } });
      expect(await errorsOf(stack.up())).toMatch(new RegExp(`Inviting ${newcomer} .*NOT_THIS_ONE`));
      const created = await stack.resource("people");
      expect(created?.id).toBe(projectId);
      expect(created?.outputs?.members).toEqual(thousand);
      expect(created?.outputs?.memberDetails).toHaveLength(1_000);
      expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });

      const { [last]: _, ...others } = thousand;
      const members = { ...others, [first]: admins, [newcomer]: readers, [secondNewcomer]: readers };
      await stack.setProgram(membersProgram({ projectId, members }));
      sandbox.addFault({ method: "DELETE", pathPattern: "/users/", fault: { status: 403, body } });
      expect(await errorsOf(stack.up())).toMatch(new RegExp(`Removing ${last} .*NOT_THIS_ONE`));
      const updated = await stack.resource("people");
      expect(updated?.outputs?.members).toEqual({ ...members, [last]: readers });
      expect(updated?.outputs?.memberDetails).toHaveLength(1_002);

      await succeeded(stack.up());
      expect(Object.keys(membersOf(sandbox))).not.toContain(last);
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    },
  );
});
