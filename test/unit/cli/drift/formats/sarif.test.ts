import type { Report } from "../../../../../cli/drift/report/model";
import { describeIf } from "../../../../support";
import { judgesProblem, sarifValidator } from "../../../../support/formats";
import { finding, formatted, fullReport, ignoredUnmanaged, report, unmanaged } from "../reports";

const sarif = formatted("sarif");

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
    readonly logicalLocations: readonly { readonly fullyQualifiedName: string }[];
  }[];
  readonly partialFingerprints: { readonly primaryLocationLineHash: string };
  readonly suppressions: readonly { readonly justification: string }[];
  readonly properties?: { readonly cause: string };
}

function runOf(drift: Report, options = {}) {
  const { runs } = JSON.parse(sarif(drift, options));
  return runs[0] as {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly invocations: readonly { readonly executionSuccessful: boolean }[];
    readonly results: readonly Result[];
  };
}

function fingerprints(drift: Report) {
  return runOf(drift).results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash);
}

it("shows each finding under its rule, with its URN, at the file of the Pulumi project", () => {
  const { results, tool } = runOf(fullReport(), { programFile: "infra/my platform/Pulumi.yaml" });
  expect(results.map(({ ruleId, level }) => `${ruleId} ${level}`)).toEqual([
    "removed warning",
    "changed warning",
    "added warning",
    "deleted error",
    "changed note",
    "changed warning",
    "unreadable error",
    "unreadable error",
    "unmanaged note",
    "unmanaged note",
  ]);
  for (const { ruleId, ruleIndex, locations } of results) {
    expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(locations[0]?.physicalLocation.artifactLocation.uri).toBe("infra/my%20platform/Pulumi.yaml");
  }
  expect(results[1]?.message.text).toBe(
    'payments (Project): name was changed: declared "payments", live "payments-by-hand" (changed outside Pulumi).',
  );
  expect(results[1]?.properties).toEqual({ cause: "outside" });
  expect(results[1]?.locations[0]?.logicalLocations[0]?.fullyQualifiedName).toBe(
    "urn:pulumi:prod::platform::opsmanager:index:Project::payments",
  );
});

it("makes no link of a name, a value or a reason", () => {
  const link = "[Sign in](https://example.com/)";
  const { results } = runOf(
    report({
      findings: [finding({ name: link, live: `\\${link}` }), finding({ property: "tags[0]", live: link })],
      unreadable: [{ what: link, reason: `401: \\[x\\](0), ${link}`, stack: "prod" }],
      unmanaged: {
        ...unmanaged,
        projects: unmanaged.projects.map((project) => ({ ...project, name: link })),
        people: unmanaged.people.map((person) => ({ ...person, username: link, projectName: link })),
      },
    }),
  );
  const texts = results.map(({ message }) => message.text);
  expect(texts).toHaveLength(5);
  // As viewers find them; the standard's own syntax allows no more.
  for (const text of texts) expect(text).not.toMatch(/\[([^\]]*)\]\(([^)]+)\)/);
  expect(texts[1]).toBe(
    'payments (Project): tags[0] was changed: declared "payments", live "[Sign in]\\u0028https://example.com/)" (changed outside Pulumi).',
  );
});

it("suppresses what a rule ignores, with the reason, and nothing else", () => {
  const justifications = runOf(fullReport()).results.flatMap(({ suppressions }) =>
    suppressions.map(({ justification }) => justification),
  );
  expect(justifications).toEqual(["accepted ]]> & <so> (until 2027-01-01)"]);
});

it("suppresses unmanaged objects that a rule excludes, with the level note", () => {
  const { results } = runOf(report({ unmanaged: { ...ignoredUnmanaged, countsAsDrift: true } }));
  expect(
    results.map(({ level, suppressions }) => [level, ...suppressions.map((one) => one.justification)]),
  ).toEqual([
    ["note", "a sandbox"],
    ["note", "as bob@example.com said (until 2027-01-01)"],
  ]);
});

it("calls the same drift by the same fingerprint, whatever the value and the index are by then", () => {
  const before = report({
    findings: [finding(), finding({ property: "tags[0]", kind: "added", live: "X" })],
  });
  const after = report({
    generatedAt: "2026-03-05T05:06:07.890Z",
    stacks: [{ stack: "acme/platform/prod", project: "platform", resources: 13 }],
    findings: [
      finding({ stack: "acme/platform/prod", live: "renamed-again" }),
      finding({ stack: "acme/platform/prod", property: "tags[3]", kind: "added", live: "X" }),
    ],
  });
  expect(fingerprints(after)).toEqual(fingerprints(before));
});

it("leaves those out who are in only through something else, and weighs the others as the exit code does", () => {
  const levels = (countsAsDrift: boolean) =>
    runOf(report({ unmanaged: { ...unmanaged, countsAsDrift } })).results.map(({ level }) => level);
  expect(levels(false)).toEqual(["note", "note"]);
  expect(levels(true)).toEqual(["warning", "warning"]);
});

describeIf(judgesProblem() === "", judgesProblem())("against the schema of OASIS", () => {
  it.each([
    ["without findings", report()],
    ["with one of everything", fullReport()],
  ])("is valid %s", async (_, drift) => {
    const validate = await sarifValidator();
    expect(await validate(sarif(drift))).toEqual([]);
  });

  it("is a check that can fail", async () => {
    const validate = await sarifValidator();
    const broken = sarif(fullReport()).replace('"ruleId": "changed"', '"ruleId": 1');
    expect(await validate(broken)).toEqual(["/runs/0/results/1/ruleId must be string"]);
  });
});
