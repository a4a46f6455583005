import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toJson } from "../../../../cli/drift/report/json";
import { describeIf, repositoryRoot } from "../../../support";
import { jsonValidator, judgesProblem } from "../../../support/formats";
import { fullReport, report } from "./reports";

describeIf(judgesProblem() === "", judgesProblem())("against the published JSON Schema", () => {
  const schema = JSON.parse(
    readFileSync(join(repositoryRoot, "schemas", "drift-report.schema.json"), "utf8"),
  ) as object;

  it("a report is valid, also one with fields that came later", async () => {
    const validate = await jsonValidator(schema);
    expect(await validate(JSON.stringify(report()))).toEqual([]);
    expect(await validate(JSON.stringify({ ...toJson(fullReport()), later: true }))).toEqual([]);
  });

  it("a report of another version, or with a finding of no kind, is not", async () => {
    const validate = await jsonValidator(schema);
    expect(await validate(JSON.stringify({ ...report(), schemaVersion: 2 }))).toEqual([
      "/schemaVersion must be equal to constant",
    ]);
    const { findings, ...others } = toJson(fullReport());
    const [first] = findings;
    expect(await validate(JSON.stringify({ ...others, findings: [{ ...first, kind: "odd" }] }))).toEqual([
      "/findings/0/kind must be equal to one of the allowed values",
    ]);
  });

  it("a report with people of a declared team is, if each has a name", async () => {
    const validate = await jsonValidator(schema);
    const { unmanaged } = toJson(fullReport());
    const person = { orgId: "5e", teamId: "5f", teamName: "operators" };
    const validateWith = (teamPerson: object) =>
      validate(JSON.stringify({ ...report(), unmanaged: { ...unmanaged, teamPeople: [teamPerson] } }));
    expect(await validateWith({ ...person, username: "eve@example.com" })).toEqual([]);
    expect(await validateWith(person)).toEqual([
      "/unmanaged/teamPeople/0 must have required property 'username'",
    ]);
  });
});
