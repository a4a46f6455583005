/** What is new since the last report: a change outside Pulumi, the run after it, and the run after `up`. */
import { succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { projectNamed, projectProgram } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

it("reports a change outside Pulumi as new once, then since when it is there, and as resolved after up", async () => {
  const { sandbox, stack } = await setUpStack({
    program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["A"] }),
  });
  await succeeded(stack.up());
  const argv = ["drift", "--previous", "drift.json", "--format", "text", "--format", "json=drift.json"];
  const run = async () => {
    const { exitCode, stdout } = await opsmanager(stack, argv);
    return { exitCode, lines: stdout.split("\n") };
  };
  expect((await run()).lines[0]).toBe("No drift. There is no earlier report, so nothing counts as new.");
  sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["A", "B"] });
  const added = await run();
  expect(added.exitCode).toBe(2);
  expect(added.lines[0]).toMatch(/^Drift: .*\. 1 new since the report of /);
  expect((await run()).lines[0]).toMatch(/^Drift: .*\. Nothing new since the report of /);
  await succeeded(stack.up({ refresh: true }));
  const resolved = await run();
  expect(resolved.exitCode).toBe(0);
  expect(resolved.lines[0]).toMatch(/^No drift\. 1 resolved since the report of /);
  expect(resolved.lines).toContainEqual(
    expect.stringMatching(/^ {2}payments \(Project\): tags \(added, since /),
  );
});
