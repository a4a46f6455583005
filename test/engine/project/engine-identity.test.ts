/** The identity of a project where only the engine shows it; its rules: test/integration/project. */
import { succeeded } from "../../support";
import { bothProviders, operations, projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const olga = { "owner@example.com": ["GROUP_OWNER"] };

describe.each(bothProviders)("a changed tag, and destroy --run-program (%s)", (provider) => {
  it("previews as one update that leaves everything else as it is, and deletes and removes what the program declares", async () => {
    const program = (
      tags: readonly string[],
      { orgId, projectId }: { orgId: string; projectId: string },
    ) => ({
      resources: {
        payments: { type: "Project", properties: { orgId, name: "payments", tags } },
        orders: {
          type: "Project",
          properties: { orgId: "${payments.orgId}", name: "orders-${payments.projectId}" },
        },
        legacy: { type: "Project", properties: { projectId, onDestroy: "delete" } },
        ada: {
          type: "ProjectMember",
          properties: {
            projectId: "${legacy.projectId}",
            username: "ada@example.com",
            roles: ["GROUP_READ_ONLY"],
          },
        },
      },
    });
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        bypassInvitations: true,
        seed: {
          users: [{ username: "ada@example.com" }],
          projects: [{ name: "legacy", members: olga }],
        },
      },
      program: (service) =>
        program(["EU"], { orgId: service.orgId, projectId: projectNamed(service, "legacy").id }),
    });
    await succeeded(stack.up());
    const { orgId } = sandbox;
    const projectId = projectNamed(sandbox, "legacy").id;
    await stack.setProgram(program(["PROD"], { orgId, projectId }));
    const preview = await succeeded(stack.preview());
    const others = { orders: "same", legacy: "same", ada: "same" };
    expect(operations(preview)).toEqual({ payments: "update", ...others });

    await succeeded(stack.destroy({ runProgram: true }));
    expect(sandbox.state.projects).toEqual([]);
  });
});
