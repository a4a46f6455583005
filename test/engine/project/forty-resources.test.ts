/** A cause for which forty resources fail, and what Pulumi prints of it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { driftReport } from "../../../cli/drift/report/schema";
import type { Sandbox } from "../../../sandbox";
import { type Program, succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { messagesOf } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

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
  it("behind an access list have one explanation, in a refresh and in drift, with a wrong path in baseUrl one error, and stay in the state", async () => {
    const { sandbox, stack } = await setUpStack({ program: fortyResources });
    await succeeded(stack.up());
    const detail = "IP address 192.0.2.7 is not allowed to access this resource.";
    const body = { error: 403, errorCode: "IP_ADDRESS_NOT_ON_ACCESS_LIST", reason: "Forbidden", detail };
    sandbox.addFault({ times: 0, fault: { status: 403, body } });

    const refresh = await stack.refresh();
    expect(refresh.exitCode).not.toBe(0);
    expect(count(messagesOf(refresh, "error"), /192\.0\.2\.7/)).toBe(1);
    expect(count(messagesOf(refresh, "error"), /Address not on the access list: see [\w-]+\./)).toBe(39);

    const formats = ["--format", "text", "--format", "json=drift.json"];
    const { exitCode, stdout } = await opsmanager(stack, ["drift", ...formats]);
    expect(exitCode).toBe(1);
    expect(stdout.split("\n").filter((line) => line.includes("?"))).toEqual([
      expect.stringMatching(
        /^ {2}\? Address not on the access list, 40 resources: .*192\.0\.2\.7.*Add the address above/,
      ),
      expect.stringContaining("Pulumi stopped at an error of"),
    ]);
    const report = driftReport.parse(
      JSON.parse(await readFile(join(stack.paths.program, "drift.json"), "utf8")),
    );
    const [explaining, ...others] = report.unreadable.filter(({ sharedCause }) => sharedCause);
    expect(others).toHaveLength(39);
    expect(new Set(others.map(({ sharedCause }) => sharedCause?.explainedBy))).toEqual(
      new Set([explaining?.what]),
    );

    // A wrong path is not recorded.
    sandbox.clearFaults();
    await stack.setConfig({ "opsmanager:baseUrl": `${sandbox.baseUrl}/wrong` });
    const misled = await stack.up();
    expect(misled.exitCode).not.toBe(0);
    expect(count(messagesOf(misled, "error"), /so the path \/wrong in baseUrl is wrong/)).toBe(1);
    expect(messagesOf(misled, "error")).not.toContain("Not this API: see");
    expect((await stack.state()).resources).toHaveLength(42);
    await stack.setConfig({ "opsmanager:baseUrl": sandbox.baseUrl });
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 40 });
  });
});
