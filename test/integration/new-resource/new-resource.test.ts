/** Adds a small resource to a copy of the sources, by the steps of CONTRIBUTING.md, and runs it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../support/repository";
import { Copy } from "./copy";
import { edits } from "./edits";

let copy: Copy;

beforeAll(() => {
  copy = new Copy();
  copy.apply(edits);
});
afterAll(() => copy.remove());

/** The steps of CONTRIBUTING.md, without their numbers. */
function steps(): string[] {
  const text = readFileSync(join(repositoryRoot, "CONTRIBUTING.md"), "utf8");
  const [, section = ""] = text.split(/^## A new resource$/m);
  return (
    section
      .split(/^## /m)[0]
      ?.split(/^\d+\. /m)
      .slice(1) ?? []
  );
}

test("has at most nine steps, and the edits are the first of them in their order", () => {
  expect(steps().length).toBeLessThanOrEqual(9);
  for (const [index, { path }] of edits.entries()) {
    const inAnyKind = path
      .replace("project-note", "<kind>")
      .replace("ProjectNote", "<Kind>")
      .replace("notes", "<group>");
    const named = steps()[index] ?? "";
    expect({ path, isNamed: named.includes(`\`${inAnyKind}\``) || named.includes(`\`${path}\``) }).toEqual({
      path,
      isNamed: true,
    });
  }
});

test("all edits together compile", () => {
  expect(copy.errors(edits)).toEqual([]);
});

test("the resource is created, read, updated and deleted against the embedded service", async () => {
  const load = (path: string) => require(join(copy.folder, path));
  const { startSandbox } = load("sandbox") as typeof import("../../../sandbox");
  const { createClient } = load("provider/api/client") as typeof import("../../../provider/api/client");
  const { resolveSettings } = load(
    "provider/settings/config",
  ) as typeof import("../../../provider/settings/config");
  const { resources } = load("provider/resources") as typeof import("../../../provider/resources");
  const { Session } = load(
    "provider/resources/contract/session",
  ) as typeof import("../../../provider/resources/contract/session");
  const sandbox = await startSandbox();
  const { baseUrl, publicKey, privateKey } = sandbox;
  const settings = resolveSettings({
    args: { baseUrl, publicKey, privateKey, maxRetries: 0 },
    env: {},
    isDefaultProvider: false,
    directory: copy.folder,
  });
  const client = createClient(settings, () => undefined);
  try {
    const note = resources.find(({ name }) => name === "ProjectNote");
    if (note === undefined) throw new Error("There is no ProjectNote.");
    const { id: projectId } = sandbox.addProject({ name: "payments" });
    const context = {
      session: new Session(client, settings),
      urn: "urn:pulumi:dev::proj::opsmanager:index:ProjectNote::note",
      log: { info: () => undefined, warn: () => undefined },
      signal: new AbortController().signal,
    };
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
    await client.close();
    await sandbox.close();
  }
});

test("the package schema and the classes of the dynamic provider have it", async () => {
  const { packageSchema } = require(
    join(copy.folder, "provider/package-schema"),
  ) as typeof import("../../../provider/package-schema");
  const { resources } = require(
    join(copy.folder, "provider/resources"),
  ) as typeof import("../../../provider/resources");
  const { dynamicClasses } = await import("../../../scripts/dynamic-classes.mjs");
  const schema = packageSchema() as Parameters<typeof dynamicClasses>[0];
  expect(Object.keys(schema.resources)).toContain("opsmanager:index:ProjectNote");
  const text = dynamicClasses(schema, resources, []);
  expect(text).toContain("export class ProjectNote extends DynamicResource {");
  expect(text).toContain('declare readonly length: sdk.ProjectNote["length"];');
});
