/**
 * Examples in several languages: scripts/docs.mjs writes a program in TypeScript and a `<details>` for each other language, because
 * GitHub shows no tabs. The site shows one group of tabs. Imports nothing, so that a unit test can load this file.
 */

const fence = "```\\w+\\n(?:(?!```).*\\n)*```\\n";
const details = `\\n<details><summary>.+</summary>\\n\\n${fence}\\n</details>(?:\\n|$)`;
const group = new RegExp(`^(?=\`\`\`typescript\\n)(${fence})((?:${details})+)`, "gm");

/**
 * In the syntax of vitepress-plugin-tabs. Groups with the same key show the same language, which the browser stores.
 *
 * @param {string} markdown
 */
export function withLanguageTabs(markdown) {
  return markdown.replace(group, (_, typescript, others) => {
    const tabs = others
      .replace(/^<details><summary>(.+)<\/summary>$/gm, "== $1")
      .replace(/^<\/details>$/gm, "");
    return `:::tabs key:language variant:code\n== TypeScript\n\n${typescript}${tabs}:::\n`;
  });
}

/**
 * A plugin of markdown-it.
 *
 * @typedef {{ src: string }} State
 * @param {{ core: { ruler: { before: (other: string, name: string, rule: (state: State) => void) => void } } }} md
 */
export function languageTabs(md) {
  md.core.ruler.before("block", "language-tabs", (state) => {
    state.src = withLanguageTabs(state.src);
  });
}
