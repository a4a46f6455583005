/**
 * Foreign text inside of Markdown. All of it is shown as code: there nothing is read as Markdown or HTML, nobody is notified
 * by `@somebody`, and no issue is linked by `#1`. Pure.
 */
import { visibleText } from "../../../visible-text";

/**
 * A code span for a table cell. A pipe ends the cell even there, unless it is escaped; and one that has a backslash before it in the
 * text cannot be escaped, so such a text is written in HTML, as is one whose spaces at the ends a span would lose.
 */
export function code(text: string): string {
  const shown = visibleText(text);
  if (/\\\|/.test(shown) || shown.trim() !== shown || shown === "") return htmlCode(shown);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const gap = /^`|`$/.test(shown) ? " " : "";
  return `${fence}${gap}${shown.replaceAll("|", "\\|")}${gap}${fence}`;
}

/** The same in HTML, for where no code span can be. Not even an address may stand there as it is: it would become a link. */
export function htmlCode(text: string): string {
  const escaped = visibleText(text).replace(
    /[^\p{L}\p{N} -]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  );
  return `<code>${escaped}</code>`;
}
