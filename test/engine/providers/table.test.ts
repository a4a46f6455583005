/** The table "Differences" of docs/providers.md and the differences that tests play are one list. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../support";

/** The first cells of the table in the section "Differences". */
function documentedRows(): string[] {
  const page = readFileSync(join(repositoryRoot, "docs", "providers.md"), "utf8");
  const [, section = ""] = page.split("\n## Differences\n");
  const [table = ""] = section.split(/\n##/);
  const [, ...rows] = table.split("\n").filter((line) => line.startsWith("| "));
  return rows.map((row) => row.split("|")[1]?.trim() ?? "");
}

function rowsPlayed(): string[] {
  const tests = readdirSync(__dirname).filter((file) => file.endsWith(".test.ts"));
  return tests.flatMap((file) => {
    const text = readFileSync(join(__dirname, file), "utf8");
    return [...text.matchAll(/\{\s*row: "([^"]+)"/g)].map(([, row]) => row ?? "");
  });
}

it("plays every row of the table of differences in docs/providers.md, each once, and no other", () => {
  const rows = documentedRows();
  expect(rows.length).toBeGreaterThan(10);
  expect(rowsPlayed().sort()).toEqual(rows.sort());
});
