/** What the pages name of the sources exists, and what a reader must find on a page is there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { resourceKinds } from "../../../provider/resources/kinds";
import { readPage } from "../../support/documents";
import { repositoryRoot } from "../../support/repository";

const read = (file: string) => readFileSync(join(repositoryRoot, file), "utf8");

/** What the first group of a pattern finds, sorted. */
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name).sort();

/** The texts of a union type or of a list of constants in a source file. */
const textsIn = (file: string, declaration: RegExp) =>
  namesIn(declaration.exec(read(`provider/text/${file}`))?.[1] ?? "", /"([^"]+)"/g);

const variables = /\b((?:OPSMANAGER|MCLI)_[A-Z_]+)\b/g;

it.each([
  {
    page: "docs/troubleshooting.md",
    what: "code of an error",
    row: /^\| `(OPSMANAGER_\w+)` \|/gm,
    known: () => textsIn("errors.ts", /type FailureCode =([^;]+);/),
  },
  {
    page: "docs/troubleshooting.md",
    what: "code of a warning",
    row: /^\| `\[([\w ]+)\]` \|/gm,
    known: () => textsIn("notices.ts", /const NOTICE_CODES = \[([^\]]+)\]/),
  },
  {
    page: "docs/settings.md",
    what: "environment variable of a setting",
    row: variables,
    known: () => namesIn(read("provider/settings/sources.ts"), variables),
  },
  {
    page: "README.md",
    what: "kind of resource",
    row: /^\| \[`(\w+)`\]\(docs\/resources\/[\w-]+\.md\) \|/gm,
    known: () => [...resourceKinds].sort(),
  },
])("$page has every $what, and no other", ({ page, row, known }) => {
  const names = [...new Set(known())];
  expect(names.length).toBeGreaterThan(1);
  expect([...new Set(namesIn(readPage(page).text, row))]).toEqual(names);
});

it("CONTRIBUTING.md names files that declare the named symbols", () => {
  const rows = [...read("CONTRIBUTING.md").matchAll(/^\| .*\? \| `([^`]+)` \| `([^`]+)` \|$/gm)];
  expect(rows.length).toBeGreaterThan(10);
  const wrong = rows.filter(([, file = "", symbol]) => {
    const declaration = `^\\s*(export )?((const|class|function|async function|async) )?${symbol}\\b\\s*[(:=<]`;
    return !existsSync(join(repositoryRoot, file)) || !new RegExp(declaration, "m").test(read(file));
  });
  expect(wrong.map(([row]) => row)).toEqual([]);
});
