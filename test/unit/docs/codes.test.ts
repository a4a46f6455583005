/** Codes in docs/troubleshooting.md and variables in docs/settings.md: the pages name all of them, and no other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readPage } from "../../support/documents";
import { repositoryRoot } from "../../support/repository";

const page = readPage("docs/troubleshooting.md").text;

/** The codes in the first cells of the tables. */
const rows = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, code]) => code).sort();

/** The texts of a union type or of a list of constants in a source file. */
function textsIn(file: string, declaration: RegExp): (string | undefined)[] {
  const source = readFileSync(join(repositoryRoot, "provider", file), "utf8");
  const [, body = ""] = declaration.exec(source) ?? [];
  return [...body.matchAll(/"([^"]+)"/g)].map(([, text]) => text).sort();
}

it("has every code of the errors of this provider, and no other", () => {
  const codes = textsIn("text/errors.ts", /type FailureCode =([^;]+);/);
  expect(codes.length).toBeGreaterThan(5);
  expect(rows(/^\| `(OPSMANAGER_\w+)` \|/gm)).toEqual(codes);
});

it("has every code of a warning, and no other", () => {
  const codes = textsIn("text/notices.ts", /const NOTICE_CODES = \[([^\]]+)\]/);
  expect(codes.length).toBeGreaterThan(1);
  expect(rows(/^\| `\[([\w ]+)\]` \|/gm)).toEqual(codes);
});

it("docs/settings.md has every environment variable of a setting, and no other", () => {
  const variables = /\b(?:OPSMANAGER|MCLI)_[A-Z_]+\b/g;
  const source = readFileSync(join(repositoryRoot, "provider", "settings", "sources.ts"), "utf8");
  const known = [...new Set(source.match(variables))].sort();
  expect(known.length).toBeGreaterThan(5);
  expect([...new Set(readPage("docs/settings.md").text.match(variables))].sort()).toEqual(known);
});
