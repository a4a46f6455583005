import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { tabsMarkdownPlugin } from "vitepress-plugin-tabs";
import { filesBelow } from "../../../scripts/lib/files.mjs";
import { indexPage, registryPages } from "../../../scripts/lib/pages.mts";
import { inRepository } from "../../../scripts/lib/repository.mjs";
import { generatedFolder, manifest, sidebar } from "../contents.mjs";
import { languageTabs } from "../language-tabs.mjs";
import { anchorOf, repositoryLinks } from "../links.mjs";

const { name, license, url } = manifest();

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#3451b2"/><path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.5" stroke-linecap="round"/></svg>`;

/** @type {import("vitepress").UserConfig} */
export default {
  title: name,
  description: "Pulumi provider for the projects of MongoDB Ops Manager and Cloud Manager",
  lang: "en-US",
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: "..",
  srcExclude: [...registryPages, indexPage].map((path) => relative("docs", path)),
  outDir: "dist",
  cacheDir: "node_modules/.cache/vitepress",
  rewrites: { [`${generatedFolder}/:path*`]: ":path*" },
  vite: { plugins: [vueFromHere()] },
  markdown: {
    languageAlias: { jq: "sh" }, // Shiki has no grammar for it.
    anchor: { slugify: anchorOf },
    config: (md) => {
      md.use(repositoryLinks);
      md.use(languageTabs);
      md.use(tabsMarkdownPlugin);
      // Vue would evaluate them.
      const text = md.renderer.rules.text;
      md.renderer.rules.text = (...args) => (text?.(...args) ?? "").replaceAll("{{", "&#123;&#123;");
    },
  },
  themeConfig: {
    nav: [
      { text: "Documentation", link: "/get-started", activeMatch: "^/(?!api/|changelog)." },
      { text: "API reference", link: "/api/" },
      { text: "Changelog", link: "/changelog" },
      { text: "GitHub", link: url }, // As a word: `--dev` would load an icon from another host.
    ],
    sidebar: [...sidebar(), { text: "API reference", items: apiPages() }],
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        miniSearch: {
          options: {
            // "project members" finds ProjectMembers.
            tokenize: (text) =>
              text
                .split(/[\s\p{P}]+/u)
                .flatMap((word) => [...new Set([word, ...word.split(/(?<=[a-z])(?=[A-Z])/)])]),
          },
          searchOptions: {
            // The box shows 16 results. Generated lists name each setting often, and would fill it.
            // A resource comes before the pages that mention it.
            boostDocument: (page) =>
              /\/resources\//.test(page) ? 2 : /\/(api|changelog|messages)/.test(page) ? 0.2 : 1,
          },
        },
      },
    },
    footer: { message: `License: ${license}` },
  },
};

/** A page for each module of the package, in the order of package.json, and then those of their namespaces. */
function apiPages() {
  const folder = inRepository("docs", generatedFolder);
  const overview = `${folder}/api/index.md`;
  const modules = readFileSync(overview, "utf8");
  const positionOf = (/** @type {string} */ link) => {
    const position = modules.indexOf(`(${link.slice("/api/".length)})`);
    return position < 0 ? modules.length : position;
  };
  return filesBelow(`${folder}/api`, /\.md$/)
    .filter((path) => path !== overview)
    .map((path) => ({
      text: /^# (.+)$/m.exec(readFileSync(path, "utf8"))?.[1] ?? "",
      link: `/${relative(folder, path).split(sep).join("/")}`,
    }))
    .sort((one, other) => positionOf(one.link) - positionOf(other.link));
}

/** The pages are in a folder without this package's dependencies, so their imports are resolved as if they were here. */
function vueFromHere() {
  return {
    name: "vue-from-here",
    enforce: /** @type {const} */ ("pre"),
    resolveId(source, _importer, options) {
      if (!/^vue(\/|$)/.test(source)) return undefined;
      return this.resolve(source, inRepository("docs", "site", "package.json"), {
        ...options,
        skipSelf: true,
      });
    },
  };
}
