/** Links of the pages: they are written for the repository and have to work in the site. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { filesBelow } from "../../scripts/lib/files.mjs";
import { inRepository } from "../../scripts/lib/repository.mjs";
import { generatedFolder, sitePages, sourceLink } from "./contents.mjs";

/**
 * The parts of markdown-it that the plugin uses.
 *
 * @typedef {{ type: string, children: Token[] | null, attrGet: (name: string) => string | null, attrSet: (name: string, value: string) => void }} Token
 * @typedef {{ tokens: Token[], env: { path?: string, realPath?: string } }} State
 * @typedef {{ core: { ruler: { push: (name: string, rule: (state: State) => void) => void } } }} MarkdownIt
 */

/** Anchors as GitHub makes them from headings. @param {string} heading */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

/**
 * A plugin of markdown-it. A link to a page of the site leads to that page, and a link to any other file leads to the repository. A
 * link to a file that does not exist fails the build.
 *
 * @param {MarkdownIt} md
 */
export function repositoryLinks(md) {
  const pages = sitePages();
  const sources = new Map([...pages].map(([source, page]) => [page, source]));
  const generated = `docs/${generatedFolder}/`;
  md.core.ruler.push("repository-links", ({ tokens, env }) => {
    if (env.path === undefined) return; // The title of a page, which VitePress reads as text.
    const file = relative(inRepository(), env.realPath ?? env.path)
      .split(sep)
      .join("/");
    if (file.startsWith(`${generated}api/`)) return;
    const source = file.startsWith(generated) ? sources.get(file.slice(generated.length)) : file;
    if (source === undefined) throw new Error(`${file} is no page of the site`);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const attribute = token.type === "image" ? "src" : token.type === "link_open" ? "href" : undefined;
      const target = attribute && token.attrGet(attribute);
      if (!attribute || !target || /^([a-z]+:|#)/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const inRepo = posix.normalize(posix.join(posix.dirname(source), decodeURI(path))).replace(/\/$/, "");
      if (!existsSync(inRepository(inRepo)))
        throw new Error(`${source}: the link ${target} leads to no file`);
      const page = pages.get(inRepo);
      const hash = anchor === undefined ? "" : `#${anchor}`;
      if (page) token.attrSet(attribute, `/${page}${hash}`);
      else if (attribute === "href") token.attrSet(attribute, sourceLink(inRepo) + hash);
      else token.attrSet(attribute, `./${posix.relative(posix.dirname(file), inRepo)}`);
    }
  });
}

/**
 * Compares each link of the built pages with the files and the headings of the site.
 *
 * @param {string} folder of the built site
 * @returns {string[]} the links that lead nowhere
 */
export function deadLinks(folder) {
  const pages = new Map(filesBelow(folder, /\.html$/).map((path) => [path, readFileSync(path, "utf8")]));
  const ids = new Map([...pages].map(([path, html]) => [path, new Set(attributesOf(html, "id"))]));
  return [...pages].flatMap(([path, html]) =>
    [...attributesOf(html, "href"), ...attributesOf(html, "src")].flatMap((target) => {
      if (/^[a-z]+:/.test(target)) return [];
      const [file = "", anchor] = target.split("#");
      const name = file === "" ? path : file.startsWith("/") ? join(folder, file) : join(dirname(path), file);
      const reached = name.endsWith(sep) || name === folder ? join(name, "index.html") : name;
      const isDead = !existsSync(reached) || (anchor && !ids.get(reached)?.has(decodeURIComponent(anchor)));
      return isDead ? [`${relative(folder, path)}: ${target}`] : [];
    }),
  );
}

/** @param {string} html @param {string} name */
function attributesOf(html, name) {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&"),
  );
}
