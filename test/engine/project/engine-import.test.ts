import { join } from "node:path";
import { type Program, succeeded } from "../../support";
import { useGenerated } from "../support/mechanics";
import { bothProviders, emptyProgram, errorsOf, projectProgram, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

// Nothing can be imported into a dynamic resource (known difference).
const token = "opsmanager:index:Project";
const absentId = "5f0000000000000000000abc";
const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=platform"] }];

describe("a project that exists already", () => {
  it("is imported by its id, and the program that import writes has no difference to it", async () => {
    const { sandbox, stack } = await setUpStack({ sandbox: { ldap: true }, program: () => emptyProgram });
    const project = sandbox.addProject({ name: "payments", tags: ["PROD"], ldapGroupMappings: mappings });
    const file = join(stack.paths.root, "generated.yaml");

    const run = await succeeded(
      stack.import(token, "payments", project.id, { generateCode: true, out: file }),
    );
    expect(run.changes).toEqual({ import: 1 });
    expect(await stack.resource("payments")).toMatchObject({
      id: project.id,
      inputs: {
        orgId: sandbox.orgId,
        name: "payments",
        tags: ["PROD"],
        ldapGroupMappings: mappings,
      },
      outputs: { origin: "imported", onDestroy: "release" },
    });

    await useGenerated(stack, file);
    expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    await succeeded(stack.destroy());
    expect(sandbox.project(project.id)).toMatchObject({ name: "payments", tags: ["PROD"] });
  });

  it("is imported by the import option with nothing written, and is brought to what the program declares where they differ", async () => {
    const { sandbox, stack } = await setUpStack({ program: () => emptyProgram });
    const { id } = sandbox.addProject({ name: "payments", tags: ["PROD"] });
    const properties = (tags: readonly string[]) => ({ orgId: sandbox.orgId, name: "payments", tags });
    await stack.setProgram(projectProgram(properties(["PROD"]), { import: id }));
    expect((await succeeded(stack.up())).changes).toEqual({ import: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({ id, outputs: { origin: "imported" } });
    await stack.setProgram(projectProgram(properties(["PROD"])));
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });

    await stack.setProgram(emptyProgram);
    await succeeded(stack.up());
    const tags = ["PROD", "TEAM-A"];
    await stack.setProgram(projectProgram(properties(tags), { import: id }));
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { tags } }]);
    expect(await stack.resource("payments")).toMatchObject({ outputs: { origin: "imported" } });
    expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
  });
});

describe.each(bothProviders)("a project that another stack manages (%s)", (provider) => {
  it("is read by .get() with all properties that Ops Manager returns, and is never changed or deleted", async () => {
    const { sandbox, stack } = await setUpStack({ provider, program: () => emptyProgram });
    const project = sandbox.addProject({ name: "payments", tags: ["PROD"] });
    await stack.setProgram(getProgram(project.id));

    await succeeded(stack.up());
    expect(await stack.outputs()).toMatchObject({ name: "payments", tags: ["PROD"], orgId: sandbox.orgId });
    expect(await stack.resource("payments")).toMatchObject({ external: true, id: project.id });
    sandbox.changeProject(project.id, { tags: ["URGENT"] });
    await succeeded(stack.up());
    expect(await stack.outputs()).toMatchObject({ tags: ["URGENT"] });
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(project.id)).toBeDefined();
  });

  it("is an error of .get() if it does not exist, and nothing enters the state", async () => {
    const { stack } = await setUpStack({ provider, program: () => getProgram(absentId) });
    expect(await errorsOf(stack.up())).toContain(absentId);
    expect(await stack.resource("payments")).toBeUndefined();
  });
});

// Trap 1: import and .get() read the properties alone, so an empty struct would be adopted as a ghost.
describe("an id under which there is no project", () => {
  it("is not imported by the command, and nothing enters the state", async () => {
    const { stack } = await setUpStack({ program: () => emptyProgram });
    const run = await stack.import(token, "payments", absentId);
    expect(run.exitCode).not.toBe(0);
    expect(run.output).toContain(absentId);
    expect(await stack.resource("payments")).toBeUndefined();
  });

  it("is not imported by the import option, and nothing enters the state", async () => {
    const { sandbox, stack } = await setUpStack({
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }, { import: absentId }),
    });
    expect(await errorsOf(stack.up())).toContain(absentId);
    expect(await stack.resource("payments")).toBeUndefined();
    expect(writes(sandbox)).toEqual([]);
  });
});

function getProgram(id: string): Program {
  return {
    resources: { payments: { type: "Project", get: { id } } },
    outputs: { name: "${payments.name}", tags: "${payments.tags}", orgId: "${payments.orgId}" },
  };
}
