/** What others publish finds no fault in what the formats write, whatever is in a report, and finds one in what is broken. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withEarlier } from "../../../../../cli/drift/previous";
import { describeIf, repositoryRoot } from "../../../../support";
import { jsonValidator, judgesProblem, junitValidator, sarifValidator } from "../../../../support/formats";
import { everything, finding, formatted, report, unmanaged } from "../reports";

const earlier = { report: report({ generatedAt: "2026-03-03T05:06:07.890Z", findings: [finding()] }) };
const contents = {
  nothing: report({ stacks: [] }),
  everything: everything(),
  "everything, compared": withEarlier({ ...everything(), durationSeconds: 7.5 }, earlier),
  "unmanaged objects that count": report({ unmanaged: { ...unmanaged, countsAsDrift: true } }),
};

describeIf(judgesProblem() === "", judgesProblem())("SARIF, JUnit and JSON by their schemas", () => {
  const schema = readFileSync(join(repositoryRoot, "schemas", "drift-report.schema.json"), "utf8");

  it("is valid, whatever is in the report, and what is broken is found", async () => {
    const [sarif, junit, json] = [
      await sarifValidator(),
      await junitValidator(),
      await jsonValidator(JSON.parse(schema)),
    ];
    for (const [what, content] of Object.entries(contents)) {
      const withLater = JSON.stringify({ ...JSON.parse(formatted("json")(content)), later: true });
      const faults = [
        ...(await sarif(formatted("sarif")(content))),
        ...(await junit(formatted("junit")(content))),
        ...(await json(withLater)),
      ];
      expect({ what, faults }).toEqual({ what, faults: [] });
    }

    const log = formatted("sarif")(everything()).replace('"ruleId": "changed"', '"ruleId": 1');
    expect(await sarif(log)).toEqual(["/runs/0/results/1/ruleId must be string"]);
    const xml = formatted("junit")(report());
    const odd = await junit(xml.replace("<testcase ", "<testcase odd='1' "));
    expect(odd.join()).toContain("The attribute 'odd' is not allowed");
    const control = await junit(xml.replace("as declared", "as \u0007 declared"));
    expect(control.join()).toContain("invalid Char");

    const whole = everything();
    const [first] = whole.findings;
    const rows = [{ kind: "people", holder: { name: "ada", id: "ada" }, roles: [] }];
    for (const { broken, fault } of [
      { broken: { schemaVersion: 2 }, fault: "/schemaVersion must be equal to constant" },
      {
        broken: { findings: [{ ...first, kind: "odd" }] },
        fault: "/findings/0/kind must be equal to one of the allowed values",
      },
      {
        broken: { unmanaged: { ...whole.unmanaged, rows } },
        fault: "/unmanaged/rows/0 must have required property 'place'",
      },
    ])
      expect(await json(JSON.stringify({ ...whole, ...broken }))).toEqual([fault]);
  });
});
