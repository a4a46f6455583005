/** The identity of a project where only the engine shows it; its rules: test/integration/project. */
import { succeeded } from "../../support";
import {
  bothProviders,
  operations,
  projectNamed,
  projectProgram,
  projectsProgram,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const seed = { projects: [{ name: "payments", tags: ["PROD"] }] };

describe.each(bothProviders)("a changed tag (%s)", (provider) => {
  it("previews as one update: whatever uses the project's id or organization stays as it is", async () => {
    const program = (orgId: string, tags: readonly string[]) =>
      projectsProgram({
        payments: { properties: { orgId, name: "payments", tags } },
        orders: { properties: { orgId: "${payments.orgId}", name: "orders-${payments.projectId}" } },
      });
    const { sandbox, stack } = await setUpStack({ provider, program: ({ orgId }) => program(orgId, ["EU"]) });
    await succeeded(stack.up());

    await stack.setProgram(program(sandbox.orgId, ["PROD"]));
    const preview = await succeeded(stack.preview());
    expect(operations(preview)).toEqual({ payments: "update", orders: "same" });
  });
});

describe("a projectId that is not known yet (plugin; through the dynamic provider the id stays known)", () => {
  it("previews as an update, never as a replacement, and the real run finds the same project", async () => {
    const { sandbox, stack } = await setUpStack({ sandbox: { seed }, program: () => ({}) });
    const { id } = projectNamed(sandbox, "payments");
    await stack.setProgram(projectProgram({ projectId: id, tags: ["PROD"] }));
    await succeeded(stack.up());

    const { orgId } = sandbox;
    await stack.setProgram({
      resources: {
        orders: { type: "Project", properties: { orgId, name: "orders" } },
        payments: {
          type: "Project",
          // Known only after orders is made; it then is the id that is recorded.
          properties: {
            projectId: { "fn::select": [1, { "fn::split": [",", `\${orders.projectId},${id}`] }] },
            tags: ["PROD"],
          },
        },
      },
    });
    const preview = await succeeded(stack.preview());
    expect(preview.steps.filter(({ name, op }) => name === "payments" && op.includes("replace"))).toEqual([]);
    await succeeded(stack.up());
    expect(await stack.resource("payments")).toMatchObject({ id });
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
  });
});

describe.each(bothProviders)("destroy --run-program (%s)", (provider) => {
  it("deletes the given project, although the program declares it", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: (sandbox) =>
        projectsProgram({
          orders: { properties: { orgId: sandbox.orgId, name: "orders" } },
          payments: { properties: { projectId: projectNamed(sandbox, "payments").id, onDestroy: "delete" } },
        }),
    });
    await succeeded(stack.up());
    await succeeded(stack.destroy({ runProgram: true }));
    expect(sandbox.state.projects).toEqual([]);
  });
});
