import { withEarlier } from "../../../../../cli/drift/previous";
import { finding, formatted, ignoredUnmanaged, report, unmanaged } from "../reports";

const junit = formatted("junit");

/** Each test case in a line: suite, class, name, outcome. */
function casesOf(xml: string): string[] {
  return xml.split("<testsuite ").flatMap((suite) => {
    const name = /^name="([^"]*)"/.exec(suite)?.[1];
    return [...suite.matchAll(/<testcase classname="([^"]*)" name="([^"]*)" time="0"><([a-z-]+)/g)].map(
      ([, classname, testcase, outcome]) => `${name}: ${classname}, ${testcase}: ${outcome}`,
    );
  });
}

it("has a suite per stack, with a test case for each resource with findings and one for all others", () => {
  const two = report({
    findings: [
      finding(),
      finding({ property: "tags[0]" }),
      finding({ name: "legacy", kind: "deleted", property: "" }),
      finding({ name: "known", ignored: { reason: "accepted" } }),
    ],
    unreadable: [{ what: finding({ name: "billing" }).urn, reason: "The key lacks a role.", stack: "prod" }],
  });
  expect(casesOf(junit(two))).toEqual([
    "summary: summary, all stacks: system-out",
    "stack prod: prod.Project, payments: failure",
    "stack prod: prod.Project, legacy: failure",
    "stack prod: prod.Project, known: skipped",
    "stack prod: prod, billing (Project): error",
    "stack prod: prod, all others: system-out",
  ]);
  expect(junit(two)).toContain(
    '<testsuites name="opsmanager drift" tests="6" failures="2" errors="1" time="0">',
  );
  expect(junit(two)).toContain("8 resources are as declared.");
  expect(junit(two)).toContain("<system-out>Not determined: 1 entry. Beside that: 3 differences");
});

it("counts unmanaged objects as skipped, and as failed where they decide the exit code, unless a rule ignores them", () => {
  const cases = (lists: typeof unmanaged) => casesOf(junit(report({ unmanaged: lists }))).slice(2);
  expect(cases(unmanaged)).toEqual([
    "unmanaged: unmanaged.projects, by-hand (5f0000000000000000000009): skipped",
    "unmanaged: unmanaged.people, bob@example.com in payments (5f0000000000000000000001): skipped",
  ]);
  expect(cases({ ...unmanaged, countsAsDrift: true }).join()).toMatch(/failure,.*failure/);
  const ignored = { ...ignoredUnmanaged, countsAsDrift: true };
  expect(cases(ignored).join()).toMatch(/skipped,.*skipped/);
  expect(junit(report({ unmanaged: ignored }))).toContain("Ignored: a sandbox");
});

it("has what is resolved as passed, and what was not checked as skipped", () => {
  const earlier = report({
    generatedAt: "2026-03-03T05:06:07.890Z",
    findings: [finding(), finding({ name: "billing" })],
  });
  const unreadable = [{ what: finding({ name: "billing" }).urn, reason: "401", stack: "prod" }];
  const xml = junit(withEarlier(report({ unreadable }), { report: earlier }));
  expect(casesOf(xml).slice(1, 3)).toEqual([
    "Resolved: prod, payments (Project): name: system-out",
    "Not checked this time: prod, billing (Project): name: skipped",
  ]);
  expect(xml).toContain("<system-out>changed, since 2026-03-03 05:06 UTC</system-out>");
});
