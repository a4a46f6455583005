import { describeIf } from "../../../../support";
import { judgesProblem, markdownRenderer } from "../../../../support/formats";
import { finding, formatted, fullReport, report, unmanaged } from "../reports";

const markdown = formatted("markdown");

const MANY = 1000;

it("begins with the result, and counts the differences of each stack", () => {
  const text = markdown(fullReport());
  const result = "Not determined: 2 entries; 5 differences in 4 resources; 2 unmanaged, not counted";
  expect(text.split("\n").slice(0, 4)).toEqual([
    ...["<!-- opsmanager drift -->", `## ${result}`, ""],
    "<details open><summary><code>prod</code>: 4 differences</summary>",
  ]);
  const counts = [
    "| stack | resources | changed | added | removed | deleted | undeclared | ignored |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    "| `prod` | 12 | 1 | 1 | 1 | 1 | 0 | 1 |",
    "| `` test \\| `x` `` | 3 | 1 | 0 | 0 | 0 | 0 | 0 |",
  ];
  expect(text).toContain(counts.join("\n"));
  expect(markdown(report())).toContain("## No drift\n");
});

it("stays below what a comment holds, cuts between rows, and reports how many are missing and where they are", () => {
  const many = report({
    stacks: ["prod", "test"].map((stack) => ({ stack, project: "platform", resources: MANY })),
    findings: [
      ...Array.from({ length: MANY }, (_, index) => finding({ name: `project-${index}` })),
      finding({ stack: "test", name: "last" }),
    ],
    unreadable: [{ what: "people of project billing", reason: "The key lacks a role." }],
  });
  const text = markdown(many, { wholeReport: ["drift.json", "https://example.com/runs/1"] });
  const rows = text.split("\n").filter((line) => line.startsWith("| `project-"));
  const [, missing, all] = /\*\*(\d+) of (\d+) rows are not shown\*\*/.exec(text) ?? [];
  expect(text.length).toBeLessThan(65_000);
  expect(text.length).toBeGreaterThan(60_000);
  expect(Number(all)).toBe(MANY + 1 + 2 + 1);
  expect(rows.every((line) => line.endsWith("| changed outside Pulumi |"))).toBe(true);
  const others = ["`prod`", "`test`", "billing", "`last (Project)`"].filter((word) =>
    text.split("\n").some((line) => line.startsWith("| ") && line.includes(word)),
  );
  expect(rows.length + others.length + Number(missing)).toBe(Number(all));
  expect(text).toContain("The complete report: `drift.json`, https://example.com/runs/1.");
  expect(text.match(/<details/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
});

describeIf(judgesProblem() === "", judgesProblem())("as it is rendered", () => {
  it("shows foreign text as it is", async () => {
    const render = await markdownRenderer();
    const live = "a|b `c` \\| <img src=x> @team #1 **d** https://evil.example.com ada@example.com </details>";
    const findings = [finding({ name: "x | `y` @ops", property: "tags[0]", live })];
    const html = render(markdown(report({ findings, unmanaged })));
    const cells = [...html.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell ?? "");
    const texts = cells.map((cell) => decoded(cell.replaceAll(/<\/?code>/g, "")));
    expect(texts).toContain(JSON.stringify(live));
    expect(texts).toContain("x | `y` @ops (Project)");
  });

  it("has a row for each entry, whatever is in it", async () => {
    const render = await markdownRenderer();
    const html = render(markdown(fullReport()));
    expect(html.match(/<tr>/g)).toHaveLength(7 + 2 + 2 + 5 + 1 + 1 + 1 + 1 + 1);
  });
});

function decoded(html: string): string {
  return html
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
