import { withEarlier } from "../../../../../cli/drift/previous";
import { findingCauses, type Report } from "../../../../../cli/drift/report/model";
import { finding, formatted, fullReport, ignoredUnmanaged, report } from "../reports";

const openmetrics = formatted("openmetrics");

const earlier = { report: report({ generatedAt: "2026-03-03T05:06:07.890Z", findings: [finding()] }) };

it("counts what no rule ignores, by stack, cause and kind, and has the age of the oldest difference", () => {
  const metrics = openmetrics(withEarlier({ ...fullReport(), durationSeconds: 7.5 }, earlier));
  for (const sample of [
    'differences{stack="prod",cause="outside",kind="changed"} 1',
    'differences{stack="prod",cause="outside",kind="deleted"} 1',
    'differences{stack="prod",cause="both",kind="changed"} 0',
    "undetermined 2",
    'unmanaged{kind="people"} 1',
    'coverage_objects{organization="5e0000000000000000000001",kind="people"} 200',
    'coverage_managed{organization="5e0000000000000000000001",kind="people"} 199',
    "oldest_difference_age_seconds 86400",
    "duration_seconds 7.5",
  ])
    expect(metrics).toContain(`\nopsmanager_drift_${sample}\n`);
  const ofEachCause = openmetrics(report({ findings: findingCauses.map((cause) => finding({ cause })) }));
  for (const cause of findingCauses) expect(ofEachCause).toContain(`cause="${cause}",kind="changed"} 1\n`);
  expect(openmetrics(report({ unmanaged: ignoredUnmanaged }))).toContain('_unmanaged{kind="people"} 0\n');
  expect(openmetrics(report())).not.toMatch(/unmanaged|coverage|oldest/);
});

it("the age of the oldest difference continues during an outage", () => {
  const outage = report({ stacks: [], unreadable: [{ what: "stack prod", reason: "401", stack: "prod" }] });
  const age = (before: Report) =>
    openmetrics(withEarlier(outage, { report: before })).match(/_oldest_difference_age_seconds (\d+)\n/)?.[1];
  expect(age(earlier.report)).toBe("86400");
  const undetermined = { what: finding().urn, reason: "401", stack: "prod" };
  expect(age({ ...earlier.report, findings: [], unreadable: [undetermined] })).toBe("0");
});
