/** The workflows of the examples that test programs. Those of the `gitops` examples have tests in `gitops/`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { lintWorkflows, type Workflow } from "./gitops/support";
import { exampleNames, examples } from "./support/examples";

const files = exampleNames
  .filter((name) => !name.startsWith("gitops"))
  .map((name) => join(examples, name, ".github", "workflows"))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));

it("finds the workflows of two examples", () => {
  expect(files).toHaveLength(2);
});

lintWorkflows(files);

it.each(files)("%s needs no secret and only reads", (file) => {
  const text = readFileSync(file, "utf8");
  const { permissions, jobs } = parse(text) as Workflow;
  expect(permissions).toEqual({});
  expect(text).not.toContain("secrets.");
  for (const { permissions: rights, steps } of Object.values(jobs)) {
    expect(new Set(Object.values(rights))).toEqual(new Set(["read"]));
    for (const { run = "" } of steps) expect(run).not.toContain("$" + "{{");
  }
});
