import type { Report } from "../../../../../cli/drift/report/model";
import { finding, formatted, fullReport, ignoredUnmanaged, report, unmanaged } from "../reports";

const sarif = formatted("sarif");

interface Result {
  readonly ruleId: string;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly partialFingerprints: { readonly primaryLocationLineHash: string };
  readonly suppressions: readonly { readonly justification: string }[];
}

const resultsOf = (drift: Report, options = {}): Result[] =>
  JSON.parse(sarif(drift, options)).runs[0].results;

it("shows each finding under its rule, with its URN, at the file of the Pulumi project", () => {
  const [run] = JSON.parse(sarif(fullReport(), { programFile: "infra/my platform/Pulumi.yaml" })).runs;
  const results: Result[] = run.results;
  expect(results.map(({ ruleId, level }) => `${ruleId} ${level}`)).toEqual([
    "removed warning",
    "changed warning",
    "added warning",
    "deleted error",
    "changed warning",
    "changed note",
    "unreadable error",
    "unreadable error",
    "unmanaged note",
    "unmanaged note",
  ]);
  // SARIF1001: a name says in words what the id identifies, and does not repeat it.
  for (const { id, name } of run.tool.driver.rules) {
    expect(name).toMatch(/^([A-Z][a-z]+)+$/);
    expect(name.toLowerCase()).not.toBe(id);
  }
  for (const { ruleId, ruleIndex, locations } of run.results) {
    expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(locations[0].physicalLocation.artifactLocation.uri).toBe("infra/my%20platform/Pulumi.yaml");
  }
  expect(results[1]).toMatchObject({
    message: {
      text: 'payments (Project): name was changed: declared "payments", live "payments-by-hand" (changed outside Pulumi).',
    },
    properties: { cause: "outside" },
    locations: [{ logicalLocations: [{ fullyQualifiedName: finding().urn }] }],
  });
});

it("makes no link of a name, a value or a reason", () => {
  const link = "[Sign in](https://example.com/)";
  const results = resultsOf(
    report({
      findings: [finding({ name: link, live: `\\${link}` }), finding({ property: "tags[0]", live: link })],
      unreadable: [{ what: link, reason: `401: \\[x\\](0), ${link}`, stack: "prod" }],
      unmanaged: {
        ...unmanaged,
        rows: unmanaged.rows.map((row) => ({
          ...row,
          holder: { ...row.holder, name: link },
          place: { ...row.place, name: link },
        })),
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

it("suppresses what a rule ignores with the reason, with the level note, and nothing else", () => {
  const suppressed = (drift: Report) =>
    resultsOf(drift).flatMap(({ level, suppressions }) =>
      suppressions.map(({ justification }) => `${level}: ${justification}`),
    );
  expect(suppressed(fullReport())).toEqual(["note: accepted ]]> & <so> (until 2027-01-01)"]);
  expect(suppressed(report({ unmanaged: { ...ignoredUnmanaged, countsAsDrift: true } }))).toEqual([
    "note: a sandbox",
    "note: as bob@example.com said (until 2027-01-01)",
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
  const [one, other] = [before, after].map((drift) =>
    resultsOf(drift).map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash),
  );
  expect(other).toEqual(one);
});
