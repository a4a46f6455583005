import { finding, formatted, report } from "../reports";

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

it("has a suite per stack, with a test case for each finding and one for all others", () => {
  const two = report({
    findings: [
      finding(),
      finding({ property: "tags[0]", ignored: { reason: "accepted" } }),
      finding({ name: "legacy", kind: "deleted", property: "" }),
      finding({ name: "known", ignored: { reason: "accepted" } }),
    ],
    unreadable: [{ what: finding({ name: "billing" }).urn, reason: "The key lacks a role.", stack: "prod" }],
  });
  expect(casesOf(junit(two))).toEqual([
    "stack prod: prod.Project, payments name: failure",
    "stack prod: prod.Project, payments tags[0]: skipped",
    "stack prod: prod.Project, legacy: failure",
    "stack prod: prod.Project, known name: skipped",
    "stack prod: prod, billing (Project): error",
    "stack prod: prod, all others: system-out",
    "summary: summary, all stacks: system-out",
  ]);
  expect(junit(two)).toContain(
    '<testsuites name="opsmanager drift" tests="7" failures="2" errors="1" time="0">',
  );
  expect(junit(two)).toContain("8 resources are as declared.");
  expect(junit(two)).toContain("<system-out>Not determined: 1 entry. Beside that: 2 differences");
});
