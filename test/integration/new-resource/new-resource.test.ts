/** Adds a small resource to a copy of the sources, by the steps of CONTRIBUTING.md, and runs it. */
import { join } from "node:path";
import { Copy, stepsOf } from "./copy";
import { resourceEdits as edits } from "./edits";

let copy: Copy;

beforeAll(() => {
  copy = new Copy();
  copy.apply(edits);
});
afterAll(() => copy.remove());

test("has at most nine steps, and the edits are the first of them in their order", () => {
  const steps = stepsOf("A new resource");
  expect(steps.length).toBeLessThanOrEqual(9);
  for (const [index, { path }] of edits.entries()) {
    const inAnyKind = path
      .replace("project-note", "<kind>")
      .replace("ProjectNote", "<Kind>")
      .replace("notes", "<group>");
    const named = steps[index] ?? "";
    expect({ path, isNamed: named.includes(`\`${inAnyKind}\``) || named.includes(`\`${path}\``) }).toEqual({
      path,
      isNamed: true,
    });
  }
});

test("all edits together compile", () => {
  expect(copy.errors(edits)).toEqual([]);
});

test("the resource is created, read, updated and deleted against the sandbox", async () => {
  const { sandbox, resourceOf, context, close } = await copy.connect();
  const note = resourceOf("ProjectNote");
  try {
    const { id: projectId } = sandbox.addProject({ name: "payments" });
    const inputs = { projectId, text: "first" };
    expect(note.check({ inputs, context }).failures).toEqual([]);
    expect(note.check({ inputs: { projectId }, context }).failures).toHaveLength(1);
    const { id, state } = await note.create({ inputs, preview: false, context });
    expect(state).toEqual({ projectId, text: "first", length: 5 });
    const existing = { id, state, oldInputs: inputs, context };
    expect((await note.read(existing))?.state).toEqual(state);
    const next = { ...existing, inputs: { projectId, text: "second" }, ignoreChanges: [] };
    expect(note.diff(next)).toEqual([{ path: ["text"], kind: "update" }]);
    expect(await note.update({ ...next, preview: false })).toEqual({ projectId, text: "second", length: 6 });
    await note.delete(existing);
    expect(await note.read(existing)).toBeUndefined();
  } finally {
    await close();
  }
});

test("the package schema has it", () => {
  const { packageSchema } = require(
    join(copy.folder, "provider/package-schema"),
  ) as typeof import("../../../provider/package-schema");
  expect(packageSchema().resources).toHaveProperty(["opsmanager:index:ProjectNote"]);
});
