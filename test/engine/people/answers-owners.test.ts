/** The last owner of a project: the service refuses, and the error names the person and the ways out. */
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { memberProgram, membersOf, membersProgram, paymentsId } from "../support/people-program";
import { doors, said } from "../support/project-program";

afterEach(disposeEstates);

const ada = "ada@example.com";
const seed = { projects: [{ name: "payments", members: { [ada]: ["GROUP_OWNER"] } }] };

describe.each(doors)("the last owner (%s)", (door) => {
  it.each(["CANNOT_DELETE_LAST_OWNER", "CANNOT_DELETE_LAST_ADMIN"])(
    "is not removed: %s names the person and the ways out, and one of them works",
    async (errorCode) => {
      const { sandbox, stack } = await createEstate({
        door,
        sandbox: { seed },
        program: (service) =>
          memberProgram({ projectId: paymentsId(service), username: ada, roles: ["GROUP_OWNER"] }),
      });
      const projectId = paymentsId(sandbox);
      await succeeded(stack.up());

      const body = { error: 403, errorCode, detail: "Somebody has to own it." };
      sandbox.addFault({ method: "DELETE", fault: { status: 403, body } });
      const refused = await stack.destroy();
      expect(refused.exitCode).not.toBe(0);
      const told = said(refused, "error");
      expect(told).toContain(`${ada} is the only owner of project ${projectId} and was not removed`);
      expect(told).toContain("Add an owner first");
      expect(told).toContain('set onDestroy to "release"');
      expect(told).toContain(`(403 ${errorCode} Somebody has to own it.)`);
      // The project is none of this stack's own: destroying it would not take the people away.
      expect(told).not.toContain("deletedWith");
      expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_OWNER"] });
      expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active" } });

      sandbox.setMember(projectId, { username: "grace@example.com" }, ["GROUP_OWNER"]);
      await succeeded(stack.destroy());
      expect(membersOf(sandbox)).toEqual({ "grace@example.com": ["GROUP_OWNER"] });
    },
  );

  it("is told of deletedWith, where that helps: the program made the project itself", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => ({
        resources: {
          payments: { type: "Project", properties: { orgId, name: "payments" } },
          ada: {
            type: "ProjectMember",
            properties: { projectId: "${payments.projectId}", username: ada, roles: ["GROUP_OWNER"] },
          },
        },
      }),
      sandbox: { seed: { users: [{ username: ada }] }, bypassInvitations: true },
    });
    await succeeded(stack.up());
    const refused = await stack.destroy();
    expect(refused.exitCode).not.toBe(0);
    const told = said(refused, "error");
    expect(told).toContain(`${ada} is the only owner of project`);
    // The host of the dynamic door looks at nothing before a destroy, so nobody knows how the project came here.
    if (door === "plugin") expect(told).toContain("set the resource option deletedWith to the Project");
    expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_OWNER"] });
    expect(await stack.resource("payments")).toMatchObject({ outputs: { name: "payments" } });
  });

  it("keeps the role: the error names the person and what to do, and the record keeps what is true", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (service) =>
        memberProgram({ projectId: paymentsId(service), username: ada, roles: ["GROUP_OWNER"] }),
    });
    const projectId = paymentsId(sandbox);
    await succeeded(stack.up());

    await stack.setProgram(memberProgram({ projectId, username: ada, roles: ["GROUP_READ_ONLY"] }));
    const refused = await stack.up();
    expect(refused.exitCode).not.toBe(0);
    expect(said(refused, "error")).toMatch(
      new RegExp(
        `Giving ${ada} GROUP_READ_ONLY in project ${projectId} failed: 403 CANNOT_DEMOTE_LAST_OWNER.*give GROUP_OWNER to somebody else first`,
        "s",
      ),
    );
    expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_OWNER"] });
    expect(await stack.resource("ada")).toMatchObject({ outputs: { roles: ["GROUP_OWNER"] } });
  });

  it("stays in, with a warning, where everybody who is declared is taken out", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (service) =>
        membersProgram({
          projectId: paymentsId(service),
          members: { [ada]: ["GROUP_OWNER"], "grace@example.com": ["GROUP_READ_ONLY"] },
          onDestroy: "remove",
        }),
    });
    await succeeded(stack.up());
    const destroyed = await succeeded(stack.destroy());
    expect(said(destroyed, "warning")).toMatch(
      new RegExp(`${ada} is the last owner of project ${paymentsId(sandbox)}`),
    );
    expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_OWNER"] });
    expect(sandbox.state.invitations).toEqual([]);
    expect(await stack.resource("people")).toBeUndefined();
  });
});
