/** Design, ProjectMembers: a thousand people in one project, counted in requests. */
import type { Sandbox } from "../../sandbox";
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { membersOf, membersProgram, paymentsId } from "../support/people-program";
import { doors, said, writes } from "../support/project-program";

afterEach(disposeEstates);

const olga = "olga@example.com";
const first = "person-0001@example.com";
const last = "person-0999@example.com";
const newcomer = "newcomer@example.com";

const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];
const admin = ["GROUP_USER_ADMIN"];

const thousand: Readonly<Record<string, readonly string[]>> = {
  [olga]: owner,
  ...Object.fromEntries(
    Array.from({ length: 999 }, (_, index) => [
      `person-${String(index + 1).padStart(4, "0")}@example.com`,
      reader,
    ]),
  ),
};

/** Answered requests, without the first half of a Digest exchange. */
function looks({ requests }: Sandbox): number {
  return requests.filter(({ method, authorized }) => method === "GET" && authorized).length;
}

describe.each(doors)("a thousand people (%s)", (door) => {
  const begin = () =>
    createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments", members: thousand }] } },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members: thousand }),
    });

  it("are adopted without a write and looked at in few requests; one changed role is one write", async () => {
    const { sandbox, stack } = await begin();
    expect(Object.keys(membersOf(sandbox))).toHaveLength(1_000);
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    // The project, two pages of members, the invitations.
    expect(looks(sandbox)).toBeLessThanOrEqual(4);

    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(looks(sandbox)).toBeLessThanOrEqual(4);

    sandbox.clearRequests();
    const members = { ...thousand, [last]: admin };
    await stack.setProgram(membersProgram({ projectId: paymentsId(sandbox), members }));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toHaveLength(1);
    // The refresh, the plan, and what came of it.
    expect(looks(sandbox)).toBeLessThanOrEqual(12);
    expect(membersOf(sandbox)[last]).toEqual(admin);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("are all recorded where one of the changes failed", async () => {
    const { sandbox, stack } = await begin();
    await succeeded(stack.up());
    const { [last]: _, ...others } = thousand;
    const members = { ...others, [first]: admin, [newcomer]: reader };
    await stack.setProgram(membersProgram({ projectId: paymentsId(sandbox), members }));
    const body = { error: 403, reason: "Forbidden", errorCode: "NOT_THIS_ONE", detail: "Not today." };
    sandbox.addFault({ method: "DELETE", pathPattern: "/users/", fault: { status: 403, body } });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(new RegExp(`Removing ${last} .*NOT_THIS_ONE`));

    const { outputs } = (await stack.resource("people")) ?? {};
    const recorded = { ...thousand, [first]: admin, [newcomer]: reader };
    expect(outputs?.members).toEqual(recorded);
    expect(outputs?.memberDetails).toHaveLength(1_001);

    await succeeded(stack.up());
    expect(Object.keys(membersOf(sandbox))).not.toContain(last);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("are all recorded where the failure was in the first up", async () => {
    const { sandbox, stack } = await begin();
    const members = { ...thousand, [newcomer]: reader };
    await stack.setProgram(membersProgram({ projectId: paymentsId(sandbox), members }));
    const body = { error: 403, reason: "Forbidden", errorCode: "NOT_THIS_ONE", detail: "Not today." };
    sandbox.addFault({ method: "POST", fault: { status: 403, body } });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(new RegExp(`Inviting ${newcomer} .*NOT_THIS_ONE`));
    const { id, outputs } = (await stack.resource("people")) ?? {};
    expect(id).toBe(paymentsId(sandbox));
    expect(outputs?.members).toEqual(thousand);
    expect(outputs?.memberDetails).toHaveLength(1_000);
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
  });
});
