/** A cause for which forty resources fail, and what Pulumi prints of it. */
import { driftReport } from "../../../cli/drift/report/schema";
import type { Sandbox } from "../../../sandbox";
import { keepDefault, type Program, succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { messagesOf } from "../support/project-program";
import { connectionInEnvironment, noConnection, setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const twenty = Array.from({ length: 20 }, (_, index) => `project-${index}`);

/** Twenty projects, each with its people. */
function fortyResources({ orgId }: Pick<Sandbox, "orgId">): Program {
  const people = { "ada@example.com": ["GROUP_READ_ONLY"] };
  return {
    resources: Object.fromEntries(
      twenty.flatMap((name) => [
        [name, { type: "Project", properties: { orgId, name } }],
        [
          `people-of-${name}`,
          { type: "ProjectMembers", properties: { projectId: `\${${name}.projectId}`, members: people } },
        ],
      ]),
    ),
  };
}

const count = (text: string, pattern: RegExp) => text.match(new RegExp(pattern, "g"))?.length ?? 0;

describe("forty resources", () => {
  it("behind an access list have one explanation, in a preview and in drift", async () => {
    const { sandbox, stack } = await setUpStack({ program: fortyResources });
    await succeeded(stack.up());
    const detail = "IP address 192.0.2.7 is not allowed to access this resource.";
    const body = { error: 403, errorCode: "IP_ADDRESS_NOT_ON_ACCESS_LIST", reason: "Forbidden", detail };
    sandbox.addFault({ times: 0, fault: { status: 403, body } });

    const preview = await stack.preview({ refresh: true });
    expect(preview.exitCode).not.toBe(0);
    expect(count(messagesOf(preview, "error"), /192\.0\.2\.7/)).toBe(1);
    expect(count(messagesOf(preview, "error"), /Address not on the access list: see [\w-]+\./)).toBe(39);
    // Pulumi prints each error while it works and at the end.
    expect(count(preview.output, /192\.0\.2\.7/)).toBe(2);

    const { exitCode, stdout } = await opsmanager(stack, [
      "drift",
      "--format",
      "text",
      "--format",
      "json=drift.json",
    ]);
    expect(exitCode).toBe(1);
    expect(stdout.split("\n").filter((line) => line.includes("?"))).toEqual([
      expect.stringMatching(
        /^ {2}\? Address not on the access list, 40 resources: .*192\.0\.2\.7.*Add the address above/,
      ),
      expect.stringContaining("Pulumi stopped at an error of"),
    ]);
    const report = driftReport.parse(
      JSON.parse((await opsmanager(stack, ["drift", "--format", "json"])).stdout),
    );
    const [explaining, ...others] = report.unreadable.filter(({ sharedCause }) => sharedCause);
    expect(others).toHaveLength(39);
    expect(new Set(others.map(({ sharedCause }) => sharedCause?.explainedBy))).toEqual(
      new Set([explaining?.what]),
    );
  });

  it("with a wrong path in baseUrl have one error, and the path is not recorded", async () => {
    const { sandbox, stack } = await setUpStack({ program: fortyResources });
    await succeeded(stack.up());
    await stack.setConfig({ "opsmanager:baseUrl": `${sandbox.baseUrl}/wrong` });
    for (const command of ["preview", "up"] as const) {
      const run = await stack[command]();
      expect(run.exitCode).not.toBe(0);
      const errors = messagesOf(run, "error");
      expect(count(errors, /so the path \/wrong in baseUrl is wrong/)).toBe(1);
      expect(errors).not.toContain("Not this API: see");
    }
    await stack.setConfig({ "opsmanager:baseUrl": sandbox.baseUrl });
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 40 });
  });

  it("that are read with a wrong path have one explanation, and all of them stay in the state", async () => {
    keepDefault("refreshBeforeUpdate", "a plain preview has to read");
    const { sandbox, stack } = await setUpStack({ plugin: "started", program: fortyResources });
    await stack.setConfig(noConnection);
    const { baseUrl, publicKey, privateKey } = sandbox;
    const readAt = (address: string) =>
      stack.setEnv(connectionInEnvironment({ baseUrl: address, publicKey, privateKey }));
    await readAt(baseUrl);
    await succeeded(stack.up());
    await readAt(`${baseUrl}/wrong`);
    for (const command of ["preview", "refresh"] as const) {
      const run = await stack[command]();
      expect(run.exitCode).not.toBe(0);
      expect(count(messagesOf(run, "error"), /so the path \/wrong in baseUrl is wrong/)).toBe(1);
      expect(count(messagesOf(run, "error"), /Not this API: see [\w-]+\./)).toBeGreaterThan(20);
    }
    expect((await stack.state()).resources).toHaveLength(42);
    await readAt(baseUrl);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 40 });
  });
});
