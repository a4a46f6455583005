/** Two runs at once on a stack whose state is in files, what one that was killed leaves to the next, and an import that is stopped. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import { type Program, type Stack, succeeded } from "../../support";
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

const programOf = (orgId: string, ...names: string[]) =>
  projectsProgram(Object.fromEntries(names.map((name) => [name, { properties: { orgId, name } }])));

/** A stack whose requests go through a gate that can hold their responses. */
async function setUp(program: (sandbox: Sandbox) => Program) {
  const setup = await setUpStack({ program });
  const gate = await holdResponsesOf(setup.sandbox.baseUrl);
  gates.push(gate);
  await setup.stack.setConfig({ "opsmanager:baseUrl": gate.baseUrl });
  return { ...setup, gate };
}

const listProject = (stack: Stack, id: string) =>
  writeFile(
    join(stack.paths.program, "import.json"),
    JSON.stringify({ resources: [{ type: "opsmanager:index:Project", name: "payments", id }] }),
  );

/** The project is nowhere in the state but among the pending operations, so a read of it ended with 0. */
it("a second run that writes is refused with the name of the first, also after that was killed; what it had begun is not clean until it is cleared", async () => {
  const { sandbox, stack, gate } = await setUp(({ orgId }) => programOf(orgId, "payments"));
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
  const second = await stack.up();
  expect(second.exitCode).not.toBe(0);
  expect(second.output).toMatch(locked);
  // What only reads takes no lock: the preview of a pull request, and the search for drift.
  const { id } = projectNamed(sandbox, "payments");
  expect((await stack.preview()).output).toContain(`already has a project named "payments": ${id}`);

  const endItsChildren = await first.killAlone();
  await first.finished;
  endItsChildren();
  await listProject(stack, id);
  expect(await opsmanager(stack, ["import"])).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^opsmanager: pulumi ended before it wrote the state of stack test: the stack is currently locked .* unlock it with: pulumi cancel --yes --stack test\n$/s,
    ),
  });
  const unreadable = [
    {
      what: expect.stringMatching(/::payments$/),
      reason: expect.stringContaining("interrupted while it created this"),
      stack: "test",
    },
  ];
  for (const options of [[], ["--state-only"]])
    expect(await driftOf(stack, ...options)).toMatchObject({
      exitCode: 1,
      report: { unreadable: expect.arrayContaining(unreadable) },
    });
  await succeeded(stack.run("cancel", "--yes"));
  expect(await opsmanager(stack, ["import"])).toMatchObject({ exitCode: 0, stderr: "" });
  await succeeded(stack.refresh({ clearPendingCreates: true }));
  expect(await driftOf(stack)).toMatchObject({ exitCode: 0, report: { result: "clean" } });
});

it("an import that Ctrl-C stops says what is done, and is repeated", async () => {
  const { sandbox, stack, gate } = await setUp(() => ({}));
  const { id } = sandbox.addProject({ name: "payments" });
  await listProject(stack, id);
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
  expect(await opsmanager(stack, ["import"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(writes(sandbox)).toEqual([]);
});
