/** `opsmanager drift` on what earlier runs left half done in a state. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { driftReport } from "../../../cli/drift/report/schema";
import { type Stack, succeeded } from "../../support";
import { type HeldResponses, holdResponsesOf } from "../support/held-responses";
import { opsmanager } from "../support/opsmanager";
import { projectNamed, projectProgram } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

const gates: HeldResponses[] = [];

afterEach(async () => {
  await tearDownStacks();
  await Promise.all(gates.splice(0).map((gate) => gate.close()));
});

interface Exported {
  deployment: { resources: Record<string, unknown>[] };
}

async function rewriteState(stack: Stack, change: (state: Exported) => void): Promise<void> {
  const state: Exported = JSON.parse((await succeeded(stack.run("stack", "export"))).stdout);
  change(state);
  const file = join(stack.paths.root, "state.json");
  await writeFile(file, JSON.stringify(state));
  await succeeded(stack.run("stack", "import", "--force", "--file", file));
}

async function drift(stack: Stack, ...argv: string[]) {
  const { exitCode, stdout, stderr } = await opsmanager(stack, ["drift", "--format", "json", ...argv]);
  if (stdout === "") throw new Error(stderr);
  const report = driftReport.parse(JSON.parse(stdout));
  const findings = report.findings.map(({ name, kind, declared, live }) => ({ name, kind, declared, live }));
  return { exitCode, findings, unreadable: report.unreadable };
}

const isPayments = ({ type }: Record<string, unknown>) => type === "opsmanager:index:Project";

/** What a replacement has still to delete has the URN of its successor. The result for one was taken for the result for the other. */
it("keeps a resource apart from a predecessor that is still to be deleted", async () => {
  const { sandbox, stack } = await setUpStack({
    program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
  });
  await succeeded(stack.up());
  const { id } = projectNamed(sandbox, "payments");
  await rewriteState(stack, ({ deployment }) => {
    const payments = deployment.resources.find(isPayments);
    const values = { orgId: sandbox.orgId, name: "former", tags: ["FORMER"] };
    deployment.resources.push({
      ...payments,
      delete: true,
      inputs: { ...(payments?.inputs as object), ...values },
    });
  });
  const unreadable = [{ reason: expect.stringContaining("has not deleted the former object") }];
  sandbox.changeProject(id, { tags: ["PROD", "URGENT"] });
  const drifted = {
    exitCode: 1,
    findings: [{ name: "payments", kind: "added", live: ["URGENT"] }],
    unreadable,
  };
  expect(await drift(stack)).toMatchObject(drifted);
  expect(await drift(stack, "--state-only")).toMatchObject(drifted);
});

/** Such a project is nowhere in the state but among the pending operations, so a read of it ended with 0. */
it("does not call clean what a run that was killed had begun to make", async () => {
  const { sandbox, stack } = await setUpStack({
    program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
  });
  const gate = await holdResponsesOf(sandbox.baseUrl);
  gates.push(gate);
  await stack.setConfig({ "opsmanager:baseUrl": gate.baseUrl });
  const held = gate.hold("POST");
  const running = stack.start(["up", "--yes", "--skip-preview"]);
  await held;
  await running.kill();
  await running.finished;
  gate.stopHolding();
  expect(projectNamed(sandbox, "payments")).toBeDefined();
  const unreadable = [
    {
      what: expect.stringMatching(/::payments$/),
      reason: expect.stringContaining("interrupted while it created this"),
      stack: "test",
    },
  ];
  expect(await drift(stack)).toMatchObject({
    exitCode: 1,
    unreadable: expect.arrayContaining(unreadable),
  });
  expect(await drift(stack, "--state-only")).toEqual({ exitCode: 1, findings: [], unreadable });
});
