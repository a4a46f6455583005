/** What `opsmanager drift` reports about agent API keys. */
import { driftReport } from "../../../cli/drift/report/schema";
import { type Stack, succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { paymentsId } from "../support/people-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

async function drift(stack: Stack) {
  const { exitCode, stdout, stderr } = await opsmanager(stack, ["drift", "--unmanaged", "--format", "json"]);
  if (stdout === "") throw new Error(stderr);
  return { exitCode, report: driftReport.parse(JSON.parse(stdout)), printed: stdout + stderr };
}

it("keys of others are not unmanaged; a key that was deleted or cannot be read is reported, without its text", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed: { projects: [{ name: "payments", members: {} }] } },
    program: (service) => {
      const projectId = paymentsId(service);
      return {
        resources: {
          payments: { type: "Project", properties: { projectId } },
          agents: { type: "AgentApiKey", properties: { projectId, description: "agents" } },
        },
      };
    },
  });
  const projectId = paymentsId(sandbox);
  const others = sandbox.addAgentKey(projectId, { desc: "of another program" });
  await succeeded(stack.up());
  const own = sandbox.project(projectId)?.agentKeys.find(({ desc }) => desc === "agents");
  if (own === undefined) throw new Error("There is no key.");

  const clean = await drift(stack);
  expect(clean).toMatchObject({ exitCode: 0, report: { findings: [], unreadable: [] } });
  expect(clean.printed).not.toContain(others.id);

  const refusal = { error: 403, reason: "Forbidden", errorCode: "NOT_ALLOWED", detail: "Not for you." };
  const pathPattern = "/agentapikeys$";
  sandbox.addFault({ method: "GET", pathPattern, times: 0, fault: { status: 403, body: refusal } });
  const unreadable = await drift(stack);
  expect(unreadable.exitCode).toBe(1);
  expect(unreadable.report.unreadable.map(({ what }) => what.split("::").at(-1))).toEqual(["agents"]);
  expect(unreadable.report.unreadable[0]?.reason).toContain("cannot be read with these credentials");
  sandbox.clearFaults();

  sandbox.removeAgentKey(projectId, own.id);
  const deleted = await drift(stack);
  expect(deleted.exitCode).toBe(2);
  expect(deleted.report.findings).toMatchObject([{ name: "agents" }]);
  for (const { printed } of [clean, unreadable, deleted]) expect(printed).not.toContain(own.key);
});
