/** Tables, plots and saved runs of `npm run bench`, and docs/performance.md, which shows the saved runs. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchImages, benchPart } from "../../../scripts/lib/bench-page.mjs";
import { barPlot, linePlot } from "../../../scripts/lib/bench-plots.mjs";
import { latestRows, readResults, saveResult } from "../../../scripts/lib/bench-results.mjs";
import { grids, markdownTable, plainTable, singles, targets } from "../../../scripts/lib/bench-tables.mjs";
import { type Figure, figure } from "../../bench/row";
import { repositoryRoot } from "../../support/repository";

const table = "10 projects, no latency";
const cell = (line: string, column: string) => ({ cell: { table, line, column } });
const near: Figure[] = [
  figure("preview, nothing", "s", [2], cell("`pulumi preview`", "do-nothing provider")),
  figure("preview, plugin", "s", [2.6, 2.4, 2.5], cell("`pulumi preview`", "provider plugin")),
  figure("preview, ratio", "times", [1.25], { ...cell("`pulumi preview`", "ratio"), target: 1.1 }),
  figure("preview, requests", "requests", [11], cell("`pulumi preview`", "requests")),
  figure("refresh, plugin", "s", [31.4], cell("`pulumi refresh`", "provider plugin")),
];
const distantTable = "`pulumi refresh` of 10 projects at 20 ms";
const distant: Figure[] = ["do-nothing provider", "provider plugin"].flatMap((line, index) => [
  figure(`${line}, time`, "s", [index + 1], { cell: { table: distantTable, line, column: "time" } }),
  figure(`${line}, requests`, "requests", [index * 11], {
    cell: { table: distantTable, line, column: "requests" },
  }),
]);
const growth: Figure[] = [10, 1_000].flatMap((count) =>
  ["do-nothing provider", "provider plugin"].map((provider) =>
    figure(`growth of ${count}`, "s", [count / 10], {
      cell: {
        table: "growth",
        line: `${count.toLocaleString("en-US")} projects`,
        column: `\`pulumi refresh\`, ${provider}`,
      },
    }),
  ),
);
const machine = { node: "24.0.0", engine: "3.259.0", cpu: "Some | CPU", cores: 2 };
const row = (name: string, date: string, figures: readonly Figure[]) => ({ name, date, seconds: 1, figures });
const result = {
  commit: "abc",
  machine,
  rows: [row("projects", "2026-01-02T00:00:00.000Z", [...near, ...distant, ...growth])],
};

describe("tables", () => {
  it("lay figures out by line and column, with the median and the unit", () => {
    const [lines = []] = grids(near).values();
    expect(markdownTable(lines)).toBe(
      [
        "| 10 projects, no latency | do-nothing provider | provider plugin | ratio | requests |",
        "|---|---|---|---|---|",
        "| `pulumi preview` | 2 s | 2.5 s | 1.25 | 11 |",
        "| `pulumi refresh` |  | 31 s |  |  |",
      ].join("\n"),
    );
  });

  it("show which targets are reached, upper and lower ones", () => {
    const figures = [
      figure("port line", "ms", [107, 109], { target: 110 }),
      figure("memory", "MB", [86], { target: 80 }),
      figure("calls", "times", [0.9], { least: 0.85 }),
      figure("speed", "times", [0.8], { least: 0.85 }),
      figure("without a target", "requests", [1001]),
    ];
    expect(plainTable(targets(figures))).toBe(
      [
        "figure     median  target         reached",
        "port line  108 ms  at most 110 ms  yes",
        "memory     86 MB   at most 80 MB   NO",
        "calls      0.90    at least 0.85   yes",
        "speed      0.80    at least 0.85   NO",
      ]
        .join("\n")
        .replace("target         ", "target          "),
    );
    expect(
      benchPart("targets", latestRows([{ ...result, rows: [row("start", "2026", figures)] }])),
    ).toContain("| memory | 86 MB | at most 80 MB | **no** |");
    expect(singles(figures).at(-1)).toEqual(["without a target", "1,001 requests", ""]);
  });
});

describe("saved runs", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-bench-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("of one commit are one file; a row that is measured again replaces the one before", () => {
    saveResult(result, folder);
    const start = row("start", "2026-01-03", [figure("start", "ms", [1, 2.000_004])]);
    saveResult({ ...result, rows: [start] }, folder);
    const again = { ...start, date: "2026-01-04" };
    const file = saveResult({ ...result, rows: [again] }, folder);
    expect(file).toBe(join(folder, "abc.json"));
    const [saved, ...others] = readResults(folder);
    expect(others).toEqual([]);
    expect(saved?.rows.map(({ name, date }) => [name, date])).toEqual([
      ["projects", "2026-01-02T00:00:00.000Z"],
      ["start", "2026-01-04"],
    ]);
    expect(saved?.rows[0]).toEqual(result.rows[0]);
    expect(saved?.rows[1]?.figures[0]).toMatchObject({ value: 1.5, samples: [1, 2] });
  });

  it("show the last measurement of each row, with its commit, in the order of their dates", () => {
    const later = { ...result, commit: "def", rows: [row("projects", "2026-02-01", near.slice(0, 1))] };
    const large = { ...result, commit: "ghi", rows: [row("large", "2026-01-01", [])] };
    const rows = latestRows([later, result, large]);
    expect([...rows.values()].map(({ name, commit }) => `${name} ${commit}`)).toEqual([
      "large ghi",
      "projects def",
    ]);
    expect(benchPart("conditions", rows)).toContain(
      "| 2026-02-01 | `def` | 2 × Some \\| CPU | 24.0.0 | 3.259.0 | projects |",
    );
  });
});

describe("plots", () => {
  /** Texts of the image, as a reader sees them. */
  const textsOf = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

  it("have a bar for each time, as long as its value, with the provider's requests", () => {
    const svg = benchImages(latestRows([result])).get("performance-near.svg") ?? "";
    expect(textsOf(svg)).toEqual([
      "Seconds without latency",
      "pulumi preview (10 projects)",
      "do-nothing provider",
      "2 s",
      "provider plugin",
      "2.5 s, 11 requests",
      "pulumi refresh (10 projects)",
      "provider plugin",
      "31 s",
    ]);
    const widths = [...svg.matchAll(/<rect class="bar s\d" [^>]*width="([\d.]+)"/g)].map(([, value]) =>
      Number(value),
    );
    expect((widths[1] ?? 0) / (widths[2] ?? 0)).toBeCloseTo(2.5 / 31.4, 1);
  });

  it("have a group for each distant command", () => {
    const svg = benchImages(latestRows([result])).get("performance-distant.svg") ?? "";
    expect(textsOf(svg)).toEqual([
      "Seconds if the service takes 20 ms to respond",
      "pulumi refresh of 10 projects at 20 ms",
      "do-nothing provider",
      "1 s, 0 requests",
      "provider plugin",
      "2 s, 11 requests",
    ]);
  });

  it("have a line for each command and provider; linear growth is a straight line", () => {
    const svg = benchImages(latestRows([result])).get("performance-growth.svg") ?? "";
    expect(textsOf(svg)).toEqual(
      expect.arrayContaining(["10", "1,000", "1", "100", "pulumi refresh", "provider plugin"]),
    );
    const points = [0, 1, 2].map((power) => ({ x: 10 ** power, y: 3 * 10 ** power }));
    const lines = linePlot("t", { x: "x", y: "y", solid: "s", dashed: "d" }, [
      { name: "straight", isDashed: false, points },
    ]);
    const positions = [...lines.matchAll(/<circle [^>]*cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    const [[x0 = 0, y0 = 0] = [], [x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = positions;
    expect(x1 - x0).toBeCloseTo(x2 - x1, 0);
    expect(y0 - y1).toBeCloseTo(y1 - y2, 0);
    expect(y0).toBeGreaterThan(y1);
  });

  it("without figures are left out, and the page reports that", () => {
    const rows = latestRows([{ ...result, rows: [row("projects", "2026", near)] }]);
    expect([...benchImages(rows).keys()]).toEqual(["performance-near.svg"]);
    expect(benchPart("near", rows)).toMatch(
      /\n\n!\[Seconds without latency\]\(images\/performance-near.svg\)$/,
    );
    expect(benchPart("distant", rows)).toBe("Not measured yet.");
  });

  it("suit dark pages and escape names", () => {
    const svg = barPlot("a < b", [{ name: "g & h", bars: [{ series: "s", value: 1, label: "1" }] }]);
    expect(svg).toContain("@media (prefers-color-scheme: dark)");
    expect(textsOf(svg)).toEqual(["a &lt; b", "g &amp; h", "s", "1"]);
  });
});

describe("docs/performance.md", () => {
  const page = readFileSync(join(repositoryRoot, "docs", "performance.md"), "utf8");
  const rows = latestRows(readResults());

  it("contains the last saved run of each row", () => {
    const parts = [...page.matchAll(/<!-- bench: (\S+) -->\n([\s\S]*?)\n<!-- end -->/g)];
    expect(parts.map(([, name = "", text]) => [name, text])).toEqual(
      parts.map(([, name = ""]) => [name, benchPart(name, rows)]),
    );
    const shown = parts.map(([, , text]) => text).join("\n");
    for (const { name, commit } of rows.values()) {
      expect(`${name}: ${shown}`).toContain(commit);
      expect(shown).toContain(name);
    }
  });

  it("shows the plots of the last saved runs", () => {
    const images = benchImages(rows);
    expect(images.size).toBeGreaterThan(0);
    for (const [name, svg] of images) {
      expect(readFileSync(join(repositoryRoot, "docs", "images", name), "utf8")).toBe(svg);
      expect(page).toContain(`](images/${name})`);
    }
  });
});
