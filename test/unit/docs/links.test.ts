/** Links between the documents: each leads to a file of the repository, and to a heading that exists. */
import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { allPages, type Link, type Page, parsePage } from "../../support/documents";
import { repositoryRoot } from "../../support/repository";

/** @returns the fault of the link; `undefined` if there is none or if it leads out of the repository */
function faultOf({ page, target }: Link, pages: ReadonlyMap<string, Page>): string | undefined {
  if (/^(https?|mailto):/.test(target)) return undefined;
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : join(dirname(page), path).split(sep).join("/");
  if (relative(repositoryRoot, join(repositoryRoot, file)).startsWith(".."))
    return "outside of the repository";
  if (!pages.has(file) && !existsSync(join(repositoryRoot, file))) return "no such file";
  if (anchor === undefined) return undefined;
  return pages.get(file)?.anchors.has(anchor) ? undefined : "no such heading";
}

function faultsIn(pages: readonly Page[]): string[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return pages.flatMap(({ links }) =>
    links.flatMap((link) => {
      const fault = faultOf(link, byPath);
      return fault ? [`${link.page}:${link.line}: ${link.target}: ${fault}`] : [];
    }),
  );
}

it("every link of the documents leads to a file and a heading that exist", () => {
  const pages = allPages();
  expect(pages.flatMap(({ links }) => links).length).toBeGreaterThan(150);
  expect(faultsIn(pages)).toEqual([]);
});

it("a wrong file and a wrong heading are faults; code and web addresses are not", () => {
  const page = parsePage(
    "docs/x.md",
    [
      "# A `title`: two words",
      "[1](#a-title-two-words) [2](#other) [3](missing.md) [4](../../x.md) [5](https://example.com)",
      "`[6](missing.md)`",
      "```md\n[7](missing.md)\n```",
    ].join("\n"),
  );
  expect(faultsIn([page])).toEqual([
    "docs/x.md:2: #other: no such heading",
    "docs/x.md:2: missing.md: no such file",
    "docs/x.md:2: ../../x.md: outside of the repository",
  ]);
});
