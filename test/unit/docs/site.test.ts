/** The documentation site without its build: `npm run docs:test` builds it and opens it in a browser. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homePage, pagesWithoutLink, sidebar, sitePages } from "../../../docs/site/contents.mjs";
import { withLanguageTabs } from "../../../docs/site/language-tabs.mjs";
import { deadLinks } from "../../../docs/site/links.mjs";
import { LANGUAGES } from "../../../provider/schema-examples";
import { indexPage, registryPages } from "../../../scripts/lib/pages.mts";
import { repositoryRoot } from "../../support/repository";

const readme = readFileSync(join(repositoryRoot, "README.md"), "utf8");

it("the sidebar, which is the table of docs/README.md, has every page of docs/ and the changelog", () => {
  expect(sitePages().size).toBeGreaterThan(20);
  expect(pagesWithoutLink(sidebar())).toEqual([]);
  const index = readFileSync(join(repositoryRoot, indexPage), "utf8");
  const rows = index.split("\n").filter((line) => !line.startsWith("| concepts |"));
  expect(pagesWithoutLink(sidebar(rows.join("\n")))).toContain("docs/files.md");
});

it("the pages of the Pulumi Registry are in its form, and are no pages of the site", () => {
  for (const path of registryPages) {
    const text = readFileSync(join(repositoryRoot, path), "utf8");
    expect(text).toMatch(/^---\ntitle: \S.*\nmeta_desc: \S.*\nlayout: package\n---\n/);
    // The Registry has no other page of this repository.
    expect([...text.matchAll(/\]\((?!https:)(.*?)\)/g)]).toEqual([]);
    expect(sitePages().has(path)).toBe(false);
  }
});

it("the Registry's overview has a tab for each language in each chooser", () => {
  const overview = readFileSync(join(repositoryRoot, "docs", "_index.md"), "utf8");
  const choosers = overview.match(/^\{\{< chooser .*?^\{\{< \/chooser >\}\}$/gms) ?? [];
  expect(choosers.length).toBe(2);
  for (const chooser of choosers) {
    expect(chooser).toMatch(`{{< chooser language "${LANGUAGES.join(",")}" >}}\n`);
    const tabs = [
      ...chooser.matchAll(
        /^\{\{% choosable language (\w+) %\}\}\n\n```\1\n.*?\n```\n\n\{\{% \/choosable %\}\}$/gms,
      ),
    ];
    expect(tabs.map(([, language]) => language)).toEqual(LANGUAGES);
  }
});

it("an example in several languages becomes one group of tabs, and nothing else of a page changes", () => {
  const typescript = '```typescript\nconst a = "1";\n```\n';
  const python = '```python\na = "1"\n```\n';
  const page = `# A\n\n${typescript}\nText.\n\n${typescript}\n<details><summary>Python</summary>\n\n${python}\n</details>\n\n# B\n`;
  expect(withLanguageTabs(page)).toBe(
    `# A\n\n${typescript}\nText.\n\n:::tabs key:language variant:code\n== TypeScript\n\n${typescript}\n== Python\n\n${python}\n\n:::\n\n# B\n`,
  );
});

it("the first page is README.md", () => {
  const [, frontmatter = "", body = ""] = homePage().split(/^---\n/m);
  expect(JSON.parse(frontmatter).hero).toMatchObject({
    name: "pulumi-opsmanager",
    tagline: expect.stringMatching(
      /^The Pulumi provider for .* <code>pulumi up<\/code> .* No version is released yet: .*\.$/,
    ),
  });
  expect(readme.trim().endsWith(body.trim())).toBe(true);
  expect(body).toMatch(/^\n!\[Terminal: /);
  expect(body).toContain("new opsmanager.ProjectMembers(");
});

it("a page, heading or file that a built page links to and that does not exist is a dead link", () => {
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-site-"));
  try {
    mkdirSync(join(folder, "api"));
    writeFileSync(
      join(folder, "index.html"),
      '<h1 id="top">x</h1><a href="#top"></a><a href="/api/#b"></a><a href="/api/index.html#c"></a><a href="/no.html"></a>',
    );
    writeFileSync(
      join(folder, "api", "index.html"),
      '<h1 id="b">x</h1><a href="../index.html#bottom"></a><img src="/p.png"><a href="https://example.com/"></a>',
    );
    expect(deadLinks(folder)).toEqual([
      "api/index.html: ../index.html#bottom",
      "api/index.html: /p.png",
      "index.html: /api/index.html#c",
      "index.html: /no.html",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
