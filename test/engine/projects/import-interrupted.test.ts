/** `opsmanager import` that ends before its end. */
import { succeeded } from "../../support";
import { type HeldResponses, holdResponsesOf } from "../support/held-responses";
import { opsmanager } from "../support/opsmanager";
import { importing, recorded, setUpProjectFolder } from "../support/project-folder";
import { writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";

const gates: HeldResponses[] = [];
afterEach(async () => {
  await Promise.all(gates.splice(0).map((gate) => gate.close()));
  await tearDownStacks();
});

const owner = ["GROUP_OWNER"];

it("is repeated after Ctrl-C, and says how to unlock a stack whose import was killed", async () => {
  const members = { "olga@example.com": owner };
  const setup = await setUpProjectFolder({
    provider: "plugin",
    sandbox: { seed: { projects: [{ name: "payments", members }, { name: "billing" }] } },
    files: () => ({}),
  });
  const { sandbox, stack } = setup;
  await opsmanager(stack, ["adopt", "--members"]);
  const gate = await holdResponsesOf(sandbox.baseUrl);
  gates.push(gate);
  await stack.setConfig({ "opsmanager:baseUrl": gate.baseUrl });

  const stop = new AbortController();
  const heldFirst = gate.hold("GET");
  const stopped = opsmanager(stack, ["import"], { stop: stop.signal });
  await heldFirst;
  stop.abort();
  expect(await stopped).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^opsmanager: Stopped: \d of 3 resources imported\. Nothing was sent that writes\. Run the same command again for the rest\. /,
    ),
  });

  const heldAgain = gate.hold("GET");
  // One at a time: while a response is held, the engine writes no state that the kill would cut in two.
  const running = stack.start([...importing, "--parallel", "1"]);
  await heldAgain;
  await running.kill();
  await running.finished;
  gate.stopHolding();
  const locked = await opsmanager(stack, ["import"]);
  expect(locked).toMatchObject({ exitCode: 1, stdout: "" });
  expect(locked.stderr).toMatch(
    /^opsmanager: pulumi ended before it wrote the state of stack test: the stack is currently locked .* unlock it with: pulumi cancel --yes --stack test\n$/s,
  );
  await succeeded(stack.run("cancel", "--yes"));
  expect(await opsmanager(stack, ["import"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await recorded(setup)).toEqual([
    "Project billing",
    "Project payments",
    "ProjectFolder projects",
    "ProjectMembers payments",
  ]);
  await succeeded(stack.preview({ expectNoChanges: true }));
  expect(writes(sandbox)).toEqual([]);
});
