/** The table of code locations in CONTRIBUTING.md: each file exists and declares the symbol. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../support/repository";

const ROW = /^\| .*\? \| `([^`]+)` \| `([^`]+)` \|$/gm;

function isDeclared(symbol: string, source: string): boolean {
  const declaration = new RegExp(
    `^\\s*(export )?((const|function|async function|async) )?${symbol}\\b\\s*[(:=<]`,
    "m",
  );
  return declaration.test(source);
}

it("CONTRIBUTING.md names files that declare the named symbols", () => {
  const text = readFileSync(join(repositoryRoot, "CONTRIBUTING.md"), "utf8");
  const rows = [...text.matchAll(ROW)].map(([, file = "", symbol = ""]) => ({ file, symbol }));
  expect(rows.length).toBeGreaterThan(10);
  const wrong = rows.filter(({ file, symbol }) => {
    const path = join(repositoryRoot, file);
    return !existsSync(path) || !isDeclared(symbol, readFileSync(path, "utf8"));
  });
  expect(wrong).toEqual([]);
});
