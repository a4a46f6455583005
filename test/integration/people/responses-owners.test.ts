/**
 * The last owner of a project: Ops Manager refuses the change, and the error names the user and
 * what to do.
 */

import { memberProgram, membersOf, paymentsId } from "../../engine/support/people-program";
import { bothProviders, messagesOf } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada } from "../../support/people";

afterEach(tearDownStacks);

const seed = { projects: [{ name: "payments", members: { [ada]: ["GROUP_OWNER"] } }] };

describe("the last owner", () => {
  it("is not removed: either error code leads to an error that names the user and the solutions", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed },
      program: (service) =>
        memberProgram({ projectId: paymentsId(service), username: ada, roles: ["GROUP_OWNER"] }),
    });
    const projectId = paymentsId(sandbox);
    await succeeded(stack.up());

    for (const errorCode of ["CANNOT_DELETE_LAST_OWNER", "CANNOT_DELETE_LAST_ADMIN"]) {
      const body = { error: 403, errorCode, detail: "A project requires an owner." };
      sandbox.addFault({ method: "DELETE", fault: { status: 403, body } });
      const refused = await stack.destroy();
      expect(refused.exitCode).not.toBe(0);
      const reported = messagesOf(refused, "error");
      expect(reported).toContain(`${ada} is the only owner of project ${projectId} and was not removed`);
      expect(reported).toContain("Add an owner first");
      expect(reported).toContain('set onDestroy to "release"');
      expect(reported).toContain(`(403 ${errorCode} A project requires an owner.)`);
      // This stack does not manage the project, so deletedWith would remove no member.
      expect(reported).not.toContain("deletedWith");
      expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_OWNER"] });
      expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active" } });
    }

    // One of the solutions: with a second owner the removal succeeds.
    sandbox.setMember(projectId, { username: "grace@example.com" }, ["GROUP_OWNER"]);
    await succeeded(stack.destroy());
    expect(membersOf(sandbox)).toEqual({ "grace@example.com": ["GROUP_OWNER"] });
  });

  const demoted =
    "keeps the role GROUP_OWNER: the error names the user and the solution, and the state keeps the role";

  it.each(bothProviders)(`${demoted} (%s)`, async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: (service) =>
        memberProgram({ projectId: paymentsId(service), username: ada, roles: ["GROUP_OWNER"] }),
    });
    const projectId = paymentsId(sandbox);
    await succeeded(stack.up());

    await stack.setProgram(memberProgram({ projectId, username: ada, roles: ["GROUP_READ_ONLY"] }));
    const refused = await stack.up();
    expect(refused.exitCode).not.toBe(0);
    expect(messagesOf(refused, "error")).toMatch(
      new RegExp(
        `Giving ${ada} GROUP_READ_ONLY in project ${projectId} failed: 403 CANNOT_DEMOTE_LAST_OWNER.*Give GROUP_OWNER to another member first`,
        "s",
      ),
    );
    expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_OWNER"] });
    expect(await stack.resource("ada")).toMatchObject({ outputs: { roles: ["GROUP_OWNER"] } });
  });
});
