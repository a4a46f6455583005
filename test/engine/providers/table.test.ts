/** The README's table of the two providers and the differences that are played are one list. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../support";

/** The first cells of the table in the section "The two providers". */
function rowsOfReadme(): string[] {
  const readme = readFileSync(join(repositoryRoot, "README.md"), "utf8");
  const [, section = ""] = readme.split("\n## The two doors\n");
  const [table = ""] = section.split(/\n##/);
  const [, ...rows] = table.split("\n").filter((line) => line.startsWith("| "));
  return rows.map((row) => row.split("|")[1]?.trim() ?? "");
}

function rowsPlayed(): string[] {
  const tests = readdirSync(__dirname).filter((file) => file.endsWith(".test.ts"));
  return tests.flatMap((file) => {
    const text = readFileSync(join(__dirname, file), "utf8");
    return [...text.matchAll(/\bknownDifference\(\s*"([^"]+)"/g)].map(([, row]) => row ?? "");
  });
}

it("plays every row of the README's table of the two providers, each once, and no other", () => {
  const rows = rowsOfReadme();
  expect(rows.length).toBeGreaterThan(10);
  expect(rowsPlayed().sort()).toEqual(rows.sort());
});
