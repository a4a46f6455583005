/** What is new since an earlier report, and what is resolved. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { maskPeople } from "../../../../cli/drift/mask-people";
import { readEarlierReport, withEarlier } from "../../../../cli/drift/previous";
import { countNew, type Report, UNMANAGED_UNKNOWN } from "../../../../cli/drift/report/model";
import { driftReport } from "../../../../cli/drift/report/schema";
import { finding, formatted, member, report, unmanaged, unowned } from "./reports";

const days = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"].map((day) => `${day}T06:00:00.000Z`);

/** The reports of a run on each day, each compared with the one before. */
function history(...runs: readonly Partial<Report>[]): Report[] {
  const reports: Report[] = [];
  for (const [index, change] of runs.entries()) {
    const run = report({ ...change, generatedAt: days[index] ?? "" });
    reports.push(withEarlier(run, { report: reports.at(-1) }));
  }
  return reports;
}

const tags = finding({ property: "tags" });
const name = finding();
const failed = { what: "stack prod", reason: "No state.", stack: "prod" };

it("dates each finding with the first report that has it, whatever its live value is, and lists what is resolved", () => {
  const [first, second, third] = history(
    { findings: [name] },
    { findings: [finding({ live: "other", comparison: "state" }), tags] },
    { findings: [tags] },
  );
  expect(first?.findings.map(({ since }) => since)).toEqual([days[0]]);
  expect(first?.previous).toEqual({ resolved: [], notChecked: [] });
  expect(second?.findings.map(({ since }) => since)).toEqual([days[0], days[1]]);
  expect(third?.findings.map(({ since }) => since)).toEqual([days[1]]);
  expect(third?.previous).toMatchObject({
    generatedAt: days[1],
    resolved: [{ what: "payments (Project): name", kind: "changed", stack: "prod", since: days[0] }],
  });
});

it("dates unmanaged objects, and nothing that a rule ignores is resolved", () => {
  const eve = unowned("people", "eve@example.com", { status: "active" });
  const key = unowned("keys", "deploy", { holder: { name: "deploy", id: "abcdefgh" } });
  const accepted = finding({ name: "legacy", ignored: { reason: "audit" } });
  const [, second, third] = history(
    { findings: [accepted], unmanaged },
    { unmanaged: { ...unmanaged, rows: [...unmanaged.rows, eve, key] } },
    { unmanaged: { ...unmanaged, rows: unmanaged.rows.slice(1) } },
  );
  expect(second?.unmanaged?.rows.slice(1).map(({ since }) => since)).toEqual([
    days[0],
    undefined,
    days[1],
    days[1],
  ]);
  expect(second?.previous?.resolved).toEqual([]);
  expect(third?.previous?.resolved.map(({ what }) => what)).toEqual([
    "by-hand (5f0000000000000000000009) in organization 5e0000000000000000000001",
    "eve@example.com in payments (5f0000000000000000000001)",
    "API key deploy (abcdefgh) in payments (5f0000000000000000000001)",
  ]);
});

it("carries on what a run could not determine, and does not call it resolved", () => {
  const [, second, third, fourth] = history(
    { findings: [name, tags] },
    { stacks: [], unreadable: [failed] },
    { findings: [tags] },
    { findings: [tags] },
  );
  expect(second?.previous?.resolved).toEqual([]);
  expect(second?.previous?.notChecked.map(({ since }) => since)).toEqual([days[0], days[0]]);
  expect(third?.findings[0]?.since).toBe(days[0]);
  expect(third?.previous?.resolved.map(({ what }) => what)).toEqual([
    "stack prod",
    "payments (Project): name",
  ]);
  expect(fourth?.previous?.resolved).toEqual([]);
});

describe("an outage that has ended", () => {
  const resource = { what: finding({ name: "vault" }).urn, reason: "403", stack: "prod" };
  const list = { what: "people of project vault", reason: "403" };
  const usual = { findings: [name], unreadable: [resource, list], unmanaged };
  const stopped = { what: "program of stack prod", reason: "No service.", stack: "prod" };
  const noList = { what: "projects of organization Example", reason: "No service." };

  it.each([
    ["no state", { stacks: [], unreadable: [failed, { what: UNMANAGED_UNKNOWN, reason: "No state." }] }],
    ["a state", { unreadable: [stopped, noList], unmanaged: { ...unmanaged, rows: [] } }],
  ])("with %s has nothing new, and what it alone left undetermined is resolved", (_, outage) => {
    const [first, second, third] = history(usual, outage, usual) as [Report, Report, Report];
    expect(second.previous?.resolved).toEqual([]);
    expect(second.previous?.notChecked).toHaveLength(5);
    expect(third.previous?.notChecked).toEqual([]);
    expect(third.previous?.resolved.map(({ what }) => what)).toEqual(
      outage.unreadable.map(({ what }) => what),
    );
    expect(countNew(third)).toBe(0);
    const { findings, unreadable, unmanaged: objects } = third;
    expect({ findings, unreadable, unmanaged: objects }).toEqual({
      findings: first.findings,
      unreadable: first.unreadable,
      unmanaged: first.unmanaged,
    });
  });
});

it.each([
  { what: name.urn, stack: "prod", outcome: "notChecked" },
  { what: `${name.urn}2`, stack: "prod", outcome: "resolved" },
  { what: "people of project x", outcome: "resolved" },
] as const)("with $what undetermined, a missing finding is $outcome", ({ outcome, ...thing }) => {
  const [, second] = history({ findings: [name] }, { unreadable: [{ ...thing, reason: "401" }] });
  expect(second?.previous?.[outcome].map(({ urn }) => urn)).toEqual([name.urn]);
});

it("forgets what a run had not to check: a stack that is not given, unmanaged objects without --unmanaged", () => {
  const [, second] = history({ findings: [name], unmanaged }, { stacks: [] });
  expect(second?.previous).toEqual({ generatedAt: days[0], resolved: [], notChecked: [] });
});

describe("the formats", () => {
  const [first, second] = history(
    { findings: [name, finding(member)] },
    { findings: [name, tags], unreadable: [{ what: "list", reason: "no role" }] },
  ) as [Report, Report];
  const [, same] = history({ findings: [name] }, { findings: [name] }) as [Report, Report];

  it("the text, Markdown and HTML begin with it, and show the age of each entry", () => {
    const written = formatted("text")(second);
    for (const line of [
      "Not determined: 1 entry. Beside that: 2 differences in 1 resource (2 changed). 2 new, 1 resolved since the report of 2026-03-01 06:00 UTC.\n",
      'Resolved:\n  payments-people (ProjectMembers): members["Ada@example.com"] (removed, since 2026-03-01 06:00 UTC, stack prod)\n',
      "(changed outside Pulumi) (since 2026-03-01 06:00 UTC)\n",
      "(changed outside Pulumi) (new)\n",
      "? list (new): no role",
    ])
      expect(written).toContain(line);
    expect(formatted("text")(same)).toMatch(/^Drift: .*\. Nothing new since /);
    expect(formatted("text")(first)).toMatch(
      /^Drift: .*\. There is no earlier report, so nothing counts as new/,
    );
    const comment = formatted("markdown")(second);
    for (const part of [
      "\n## 2 new, 1 resolved. Not determined: 1 entry; 2 differences in 1 resource\n",
      "<summary>Resolved: 1</summary>",
      "| `no role` | new |",
    ])
      expect(comment).toContain(part);
    expect(comment).toMatch(/\| age \|\n.*\n.*`tags`.* \| new \|\n.*`name`.* \| since 2026-03-01/);
    expect(formatted("markdown")(first)).not.toMatch(/\| age \||\bnew\. /);
    const page = formatted("html")(second);
    for (const part of ["<h1>2 new, 1 resolved. Not determined", "<h2>Resolved <small>1</small></h2>"])
      expect(page).toContain(part);
    expect(page.match(/<i>new<\/i>/g)).toHaveLength(2);
  });

  it("SARIF has the baseline state of each result, and JSON the dates", () => {
    const states = (drift: Report) =>
      JSON.parse(formatted("sarif")(drift)).runs[0].results.map(
        ({ baselineState }: { baselineState?: string }) => baselineState,
      );
    expect(states(second)).toEqual(["unchanged", "new", "new"]);
    expect(states(first)).toEqual([undefined, undefined]);
    expect(driftReport.parse(JSON.parse(formatted("json")(second)))).toEqual(second);
  });
});

it("compares no names with pseudonyms, and says so", () => {
  const named = report({ findings: [finding(member)], unmanaged });
  const masked = maskPeople(named);
  expect(withEarlier(masked, { report: masked }).previous?.generatedAt).toBe(masked.generatedAt);
  for (const [earlier, later] of [[named, masked] as const, [masked, named] as const]) {
    const compared = withEarlier(later, { report: earlier });
    const incomparable = expect.stringContaining("--mask-people, so nothing counts as new or resolved");
    expect(compared.previous).toEqual({ incomparable, resolved: [], notChecked: [] });
    expect(countNew(compared)).toBe(0);
  }
});

describe("the file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "opsmanager-previous-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = async (content: string) => {
    const file = join(folder, "drift.json");
    await writeFile(file, content);
    return readEarlierReport(file);
  };

  it("may be missing, and may have fields of a later version", async () => {
    expect(await readEarlierReport(join(folder, "none.json"))).toEqual({ report: undefined });
    expect(await read(JSON.stringify({ ...report(), later: { field: true } }))).toEqual({ report: report() });
  });

  it("of another version of the format is not compared, and the report says so", async () => {
    const other = {
      ...report({ findings: [name] }),
      schemaVersion: 2,
      tool: { name: "opsmanager", version: "9.1.0" },
    };
    const later = withEarlier(report({ findings: [name] }), await read(JSON.stringify(other)));
    expect(later.previous).toMatchObject({ resolved: [], notChecked: [] });
    expect(countNew(later)).toBe(0);
    for (const format of ["text", "markdown", "html", "junit", "json"] as const)
      expect(formatted(format)(later)).toMatch(
        /The earlier report is one of opsmanager .*9.*1.*0.* in a format that .*, so nothing counts as new or resolved/,
      );
  });

  const damaged = JSON.stringify({ ...report(), findings: undefined });
  it.each(["{", "[]", '{ "schemaVersion": 1 }', damaged])(
    "that is no report is an error: %s",
    async (content) => {
      const message: string = await read(content).then(String, ({ message }) => message);
      expect(message).toContain(join(folder, "drift.json"));
      expect(message).toMatch(
        content === damaged ? /it is a damaged drift report/ : /JSON|it is not a drift report/,
      );
      expect(message).toContain("or delete this one to begin without an earlier report.");
    },
  );
});
