/** Two runs at once on a stack whose state is in files, and what a run that was killed leaves to `opsmanager drift`, `opsmanager import` and the next one. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { type HeldResponses, holdResponsesOf } from "../support/held-responses";
import { opsmanager } from "../support/opsmanager";
import { projectNamed, projectsProgram, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { driftOf } from "./support";

const gates: HeldResponses[] = [];

afterEach(async () => {
  await tearDownStacks();
  await Promise.all(gates.splice(0).map((gate) => gate.close()));
});

/** The project is nowhere in the state but among the pending operations, so a read of it ended with 0. */
it("a second run that writes is refused with the name of the first, reads continue, and what a killed one had begun is not clean until it is cleared", async () => {
  const programOf = (orgId: string, ...names: string[]) =>
    projectsProgram(Object.fromEntries(names.map((name) => [name, { properties: { orgId, name } }])));
  const { sandbox, stack } = await setUpStack({ program: ({ orgId }) => programOf(orgId, "billing") });
  const gate = await holdResponsesOf(sandbox.baseUrl);
  gates.push(gate);
  await stack.setConfig({ "opsmanager:baseUrl": gate.baseUrl });
  await succeeded(stack.up());

  await stack.setProgram(programOf(sandbox.orgId, "billing", "payments"));
  const isHeld = gate.hold("POST");
  const first = stack.start(["up", "--yes", "--skip-preview"]);
  await isHeld;
  gate.stopHolding();
  const locked = new RegExp(
    [
      "the stack is currently locked by 1 lock\\(s\\)\\..* delete the lock file with `pulumi cancel`",
      `\\s+file://\\S+/locks/organization/\\w+/${stack.name}/\\S+\\.json\\S*: created by \\S+ \\(pid ${first.pid}\\) at `,
    ].join("[^\\n]*\\n"),
  );
  for (const second of [await stack.up(), await stack.refresh()]) {
    expect(second.exitCode).not.toBe(0);
    expect(second.output).toMatch(locked);
  }
  // What only reads takes no lock: the preview of a pull request, and the search for drift.
  const { id } = projectNamed(sandbox, "payments");
  expect((await stack.preview()).output).toContain(`already has a project named "payments": ${id}`);

  const endItsChildren = await first.killAlone();
  await first.finished;
  endItsChildren();
  expect((await stack.up()).output).toMatch(locked);
  const unreadable = [
    {
      what: expect.stringMatching(/::payments$/),
      reason: expect.stringContaining("interrupted while it created this"),
      stack: "test",
    },
  ];
  const left = await driftOf(stack);
  expect(left).toMatchObject({ exitCode: 1, report: { unreadable: expect.arrayContaining(unreadable) } });
  expect(await driftOf(stack, "--state-only")).toMatchObject({
    exitCode: 1,
    report: { findings: [], unreadable },
  });

  // The import of what exists says how to unlock the stack, is stopped by Ctrl-C, and is repeated.
  const list = { resources: [{ type: "opsmanager:index:Project", name: "payments", id }] };
  await writeFile(join(stack.paths.program, "import.json"), JSON.stringify(list));
  const refused = await opsmanager(stack, ["import"]);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(
    /^opsmanager: pulumi ended before it wrote the state of stack test: the stack is currently locked .* unlock it with: pulumi cancel --yes --stack test\n$/s,
  );
  await succeeded(stack.run("cancel", "--yes"));
  const stop = new AbortController();
  const isRead = gate.hold("GET");
  const stopped = opsmanager(stack, ["import"], { stop: stop.signal });
  await isRead;
  stop.abort();
  expect(await stopped).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^opsmanager: Stopped: 0 of 1 resources imported\. Nothing was sent that writes\. Run the same command again for the rest\. /,
    ),
  });
  gate.stopHolding();
  sandbox.clearRequests();
  expect(await opsmanager(stack, ["import"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(writes(sandbox)).toEqual([]);
  await succeeded(stack.refresh({ clearPendingCreates: true }));
  expect(await driftOf(stack)).toMatchObject({ exitCode: 0, report: { result: "clean" } });
});
