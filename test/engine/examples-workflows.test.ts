/** The workflows of the examples that test programs. Those of the `gitops` examples have tests in `gitops/`. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { describeIf, itIf } from "../support";
import { actionlint, hasShellcheck, type Workflow } from "./gitops/support";
import { exampleNames, examples } from "./support/examples";

const files = exampleNames
  .filter((name) => !name.startsWith("gitops"))
  .map((name) => join(examples, name, ".github", "workflows"))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));

it("finds the workflows of two examples", () => {
  expect(files).toHaveLength(2);
});

const linter = actionlint();
const lint = (...flags: string[]) => {
  const command = "path" in linter ? linter.path : "";
  const { status, stdout, stderr } = spawnSync(command, ["-no-color", "-pyflakes=", ...flags, ...files], {
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
};

describeIf("path" in linter, `no actionlint: ${"missing" in linter ? linter.missing : ""}`)(
  "a linter",
  () => {
    it("finds no fault in the workflow files", () => {
      expect(lint("-shellcheck=")).toEqual({ status: 0, output: "" });
    });

    itIf(hasShellcheck(), "there is no shellcheck on PATH")("finds no fault in their shell steps", () => {
      expect(lint("-shellcheck=shellcheck")).toEqual({ status: 0, output: "" });
    });
  },
);

it.each(files)("%s needs no secret and only reads", (file) => {
  const text = readFileSync(file, "utf8");
  const { permissions, jobs } = parse(text) as Workflow;
  expect(permissions).toEqual({});
  expect(text).not.toContain("secrets.");
  for (const { permissions: rights, steps } of Object.values(jobs)) {
    expect(new Set(Object.values(rights))).toEqual(new Set(["read"]));
    for (const { uses, run = "" } of steps) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w./-]+@v\d+\.\d+\.\d+$/);
      expect(run).not.toContain("$" + "{{");
    }
  }
});
