/** The tables of "Differences" in docs/providers.md and the differences that tests play are one list. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../support";

/** The first cells of the tables in the section "Differences", without those of their heads, which are empty. */
function documentedRows(): string[] {
  const page = readFileSync(join(repositoryRoot, "docs", "providers.md"), "utf8");
  const [, section = ""] = page.split("\n## Differences\n");
  const [tables = ""] = section.split("\n## ");
  const rows = tables.split("\n").filter((line) => line.startsWith("| "));
  return rows.map((row) => row.split("|")[1]?.trim() ?? "").filter((cell) => cell !== "");
}

function rowsPlayed(): string[] {
  const tests = readdirSync(__dirname).filter((file) => file.endsWith(".test.ts"));
  return tests.flatMap((file) => {
    const text = readFileSync(join(__dirname, file), "utf8");
    return [...text.matchAll(/\{\s*row: "([^"]+)"/g)].map(([, row]) => row ?? "");
  });
}

it("plays every row of the tables of differences in docs/providers.md, each once, and no other", () => {
  const rows = documentedRows();
  expect(rows.length).toBeGreaterThan(10);
  expect(rowsPlayed().sort()).toEqual(rows.sort());
});
