/**
 * What the documentation site contains: the pages of docs/ as they are, README.md as its first page, CHANGELOG.md, and the API
 * reference. The table of docs/README.md is the sidebar. Imports Node.js only, so that a unit test can load this file.
 */
import { readFileSync } from "node:fs";
import { posix, relative, sep } from "node:path";
import { documentPages, indexPage, registryPages } from "../../scripts/lib/pages.mts";
import { inRepository, repositoryRoot } from "../../scripts/lib/repository.mjs";

/** Below `docs`. The build writes pages here that are no files of docs/: git ignores the folder. */
export const generatedFolder = "site/generated";

/** Files of the repository outside docs/ that are pages too, with their names in the site. */
const pagesOutside = { "README.md": "index.md", "CHANGELOG.md": "changelog.md" };

/** @typedef {{ text: string, link: string }} SidebarLink */
/** @typedef {{ text: string, items: SidebarLink[] }} SidebarGroup */

/** @returns {Map<string, string>} from the path in the repository to the path in the site, without the API reference */
export function sitePages() {
  const names = documentPages()
    .map((path) => relative(repositoryRoot, path).split(sep).join("/"))
    .filter((name) => name !== indexPage && !registryPages.includes(name));
  return new Map([
    ...Object.entries(pagesOutside),
    ...names.map((name) => /** @type {[string, string]} */ ([name, name.slice("docs/".length)])),
  ]);
}

/** @returns {{ name: string, license: string, url: string }} */
export function manifest() {
  const { name, license, repository } = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
  return { name, license, url: repository.url.replace(/^git\+|\.git$/g, "") };
}

/** @param {string} path of a file or folder, below the repository */
export function sourceLink(path) {
  return `${manifest().url}/blob/HEAD/${path}`;
}

/**
 * The groups of the sidebar, in the order of docs/README.md. Links to files that are no pages lead to the repository.
 *
 * @param {string} [index]
 * @returns {SidebarGroup[]}
 */
export function sidebar(index = readFileSync(inRepository(indexPage), "utf8")) {
  const pages = sitePages();
  const rows = [...index.matchAll(/^\| (\w[^|]*) \| (\[.*) \|$/gm)];
  return rows.map(([, topic = "", cell = ""]) => ({
    text: topic.replace(/^./, (letter) => letter.toUpperCase()),
    items: [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text = "", target = ""]) => {
      const [, file = "", anchor = ""] = /^([^#]*)(#.*)?$/.exec(target) ?? [];
      const path = posix.join(posix.dirname(indexPage), file);
      const page = pages.get(path);
      return { text, link: page ? `/${page}${anchor}` : sourceLink(path + anchor) };
    }),
  }));
}

/**
 * Pages of docs/ that the sidebar lacks.
 *
 * @param {SidebarGroup[]} groups
 * @returns {string[]} paths in the repository
 */
export function pagesWithoutLink(groups) {
  const linked = new Set(groups.flatMap(({ items }) => items.map(({ link }) => link)));
  return [...sitePages()]
    .filter(([path, page]) => path !== "README.md" && !linked.has(`/${page}`))
    .map(([path]) => path);
}

/** The first page: title and first paragraph of README.md as the hero, and the other parts below. */
export function homePage() {
  const { title, introduction, body } = splitReadme(readFileSync(inRepository("README.md"), "utf8"));
  const frontmatter = {
    layout: "home",
    title,
    titleTemplate: false,
    hero: {
      name: title,
      tagline: introduction.replace(/`([^`]+)`/g, "<code>$1</code>"),
      actions: [
        { theme: "brand", text: "Get started", link: "/get-started" },
        { theme: "alt", text: "Install", link: "/install" },
      ],
    },
  };
  // JSON is YAML.
  return `---\n${JSON.stringify(frontmatter)}\n---\n\n${body}`;
}

/** @param {string} readme */
function splitReadme(readme) {
  const [, title = "", introduction = "", body = ""] = /^# ([^\n]+)\n\n(.+?)\n\n(.*)$/s.exec(readme) ?? [];
  if (!title) throw new Error("README.md has no title and first paragraph");
  return { title, introduction: introduction.replaceAll("\n", " "), body };
}
