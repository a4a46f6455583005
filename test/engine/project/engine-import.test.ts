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
    // Trap 1: import reads the properties alone, so an empty struct would be adopted as a ghost.
    const absent = await stack.import(token, "payments", absentId);
    expect([absent.exitCode === 0, absent.output]).toEqual([false, expect.stringContaining(absentId)]);
    expect(await stack.resource("payments")).toBeUndefined();

    const existing = { name: "payments", tags: ["PROD"], ldapGroupMappings: mappings };
    const { id } = sandbox.addProject(existing);
    const file = join(stack.paths.root, "generated.yaml");
    const run = await succeeded(stack.import(token, "payments", id, { generateCode: true, out: file }));
    expect(run.changes).toEqual({ import: 1 });
    expect(await stack.resource("payments")).toMatchObject({
      id,
      inputs: { orgId: sandbox.orgId, ...existing },
      outputs: { origin: "imported", onDestroy: "release" },
    });

    await useGenerated(stack, file);
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(id)).toMatchObject(existing);
  });

  it("is imported by the import option, and is brought to what the program declares", async () => {
    const { sandbox, stack } = await setUpStack({
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }, { import: absentId }),
    });
    expect(await errorsOf(stack.up())).toContain(absentId);
    expect(await stack.resource("payments")).toBeUndefined();

    const { id } = sandbox.addProject({ name: "payments", tags: ["PROD"] });
    const tags = ["PROD", "TEAM-A"];
    const properties = { orgId: sandbox.orgId, name: "payments", tags };
    await stack.setProgram(projectProgram(properties, { import: id }));
    expect((await succeeded(stack.up())).changes).toEqual({ import: 1, update: 1 });
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { tags } }]);
    expect(await stack.resource("payments")).toMatchObject({ id, outputs: { origin: "imported" } });
    await stack.setProgram(projectProgram(properties));
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
  });
});

it.each(bothProviders)(
  "a project that another stack manages is read by .get(), and is never changed or deleted (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({ provider, program: () => getProgram(absentId) });
    expect(await errorsOf(stack.up())).toContain(absentId);
    expect(await stack.resource("payments")).toBeUndefined();

    const { id } = sandbox.addProject({ name: "payments", tags: ["PROD"] });
    await stack.setProgram(getProgram(id));
    await succeeded(stack.up());
    expect(await stack.outputs()).toMatchObject({ name: "payments", tags: ["PROD"], orgId: sandbox.orgId });
    expect(await stack.resource("payments")).toMatchObject({ external: true, id });
    sandbox.changeProject(id, { tags: ["URGENT"] });
    await succeeded(stack.up());
    expect(await stack.outputs()).toMatchObject({ tags: ["URGENT"] });
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(id)).toBeDefined();
  },
);

function getProgram(id: string): Program {
  return {
    resources: { payments: { type: "Project", get: { id } } },
    outputs: { name: "${payments.name}", tags: "${payments.tags}", orgId: "${payments.orgId}" },
  };
}
