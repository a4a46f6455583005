/** Adds a small resource and a property of Project to a copy of the sources, by the steps of CONTRIBUTING.md, and runs them. */
import { join } from "node:path";
import { Copy, stepsOf } from "./copy";
import { propertyEdits, resourceEdits } from "./edits";

const edits = [...resourceEdits, ...propertyEdits];
let copy: Copy;
let service: Awaited<ReturnType<Copy["connect"]>>;

beforeAll(async () => {
  copy = new Copy();
  copy.apply(edits);
  service = await copy.connect();
});
afterAll(async () => {
  await service.close();
  copy.remove();
});

test.each([
  { section: "A new resource", made: resourceEdits },
  { section: "A new property", made: propertyEdits },
])(
  "$section has at most nine steps, and the edits are the first of them in their order",
  ({ section, made }) => {
    const steps = stepsOf(section);
    expect(steps.length).toBeLessThanOrEqual(9);
    for (const [index, { path }] of made.entries()) {
      const inAnyKind = path
        .replace("project-note", "<kind>")
        .replace("ProjectNote", "<Kind>")
        .replace("notes", "<group>");
      const isNamed = [path, inAnyKind].some((name) => steps[index]?.includes(`\`${name}\``));
      expect({ path, isNamed }).toEqual({ path, isNamed: true });
    }
  },
);

test("all edits together compile, and the package schema has the resource", () => {
  expect(copy.errors(edits)).toEqual([]);
  const { packageSchema } = require(
    join(copy.folder, "provider/package-schema"),
  ) as typeof import("../../../provider/package-schema");
  expect(packageSchema().resources).toHaveProperty(["opsmanager:index:ProjectNote"]);
});

test("the resource is created, read, updated and deleted against the sandbox", async () => {
  const { sandbox, resourceOf, context } = service;
  const note = resourceOf("ProjectNote");
  const { id: projectId } = sandbox.addProject({ name: "payments" });
  const inputs = { projectId, text: "first" };
  expect(note.check({ inputs, context }).failures).toEqual([]);
  expect(note.check({ inputs: { projectId }, context }).failures).toHaveLength(1);
  const { id, state } = await note.create({ inputs, preview: false, context });
  expect(state).toEqual({ projectId, text: "first", length: 5, origin: "created" });
  const existing = { id, state, oldInputs: inputs, context };
  expect((await note.read(existing))?.state).toEqual(state);
  const next = { ...existing, inputs: { projectId, text: "second" }, ignoreChanges: [] };
  expect(note.diff(next)).toEqual([{ path: ["text"], kind: "update" }]);
  expect(await note.update({ ...next, preview: false })).toMatchObject({
    projectId,
    text: "second",
    length: 6,
  });
  await note.delete(existing);
  expect(await note.read(existing)).toBeUndefined();
});

test("the property is sent, read, compared, imported and no longer managed", async () => {
  const { sandbox, resourceOf, context } = service;
  const project = resourceOf("Project");
  const { id: projectId } = sandbox.addProject({ name: "ledger" });
  const inputs = { projectId, region: "north" };
  expect(project.check({ inputs, context }).failures).toEqual([]);
  const { id, state } = await project.create({ inputs, preview: false, context });
  expect(state).toMatchObject({ name: "ledger", region: "north" });
  const existing = { id, state, oldInputs: inputs, ignoreChanges: [], context };
  const south = { ...existing, inputs: { projectId, region: "south" } };
  expect(project.diff(south)).toEqual([{ path: ["region"], kind: "update" }]);
  expect(await project.update({ ...south, preview: false })).toMatchObject({ region: "south" });
  const live = { region: "south" };
  expect(await project.read(existing)).toMatchObject({ state: live, inputs: live });
  expect(await project.read({ id, context })).toMatchObject({ inputs: { name: "ledger", ...live } });
  expect(project.diff({ ...existing, inputs: { projectId } })).toEqual([
    { path: ["region"], kind: "delete", inputDiff: true },
  ]);
});
