/** Adds a property to Project in a copy of the sources, by the steps of CONTRIBUTING.md, and runs it. */
import { Copy, stepsOf } from "./copy";
import { propertyEdits } from "./edits";

let copy: Copy;

beforeAll(() => {
  copy = new Copy();
  copy.apply(propertyEdits);
});
afterAll(() => copy.remove());

test("the edits are the first steps, in their order", () => {
  for (const [index, { path }] of propertyEdits.entries())
    expect(stepsOf("A new property")[index]).toContain(`\`${path}\``);
});

test("all edits together compile", () => {
  expect(copy.errors(propertyEdits)).toEqual([]);
});

test("the property is sent, read, compared, imported and no longer managed", async () => {
  const { sandbox, resourceOf, context, close } = await copy.connect();
  const project = resourceOf("Project");
  try {
    const { id: projectId } = sandbox.addProject({ name: "payments" });
    const inputs = { projectId, region: "north" };
    expect(project.check({ inputs, context }).failures).toEqual([]);
    const { id, state } = await project.create({ inputs, preview: false, context });
    expect(state).toMatchObject({ name: "payments", region: "north" });
    const existing = { id, state, oldInputs: inputs, ignoreChanges: [], context };
    const south = { ...existing, inputs: { projectId, region: "south" } };
    expect(project.diff(south)).toEqual([{ path: ["region"], kind: "update" }]);
    expect(await project.update({ ...south, preview: false })).toMatchObject({ region: "south" });
    expect(await project.read(existing)).toMatchObject({
      state: { region: "south" },
      inputs: { region: "south" },
    });
    expect(await project.read({ id, context })).toMatchObject({
      inputs: { name: "payments", region: "south" },
    });
    expect(project.diff({ ...existing, inputs: { projectId } })).toEqual([
      { path: ["region"], kind: "delete", inputDiff: true },
    ]);
  } finally {
    await close();
  }
});
