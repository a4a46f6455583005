/**
 * The style of the HTML report: a constant without any text from outside, because the page's Content-Security-Policy allows
 * only a text with its hash. Of many entries, those outside the window are not laid out.
 */
export const STYLE_SHEET = `
:root {
  --page: #ffffff; --line: #c9d1d9; --text: #1b1f24; --quiet: #4d5763;
  --accent: #0b5cad; --changed: #7a4b00; --added: #14602b; --removed: #a11622; --unknown: #6b2fa0;
  --bar: #d3dae1;
}
@media screen {
  :root { color-scheme: light dark; }
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #14181d; --line: #46505b; --text: #e8ecf0; --quiet: #aab4bf;
    --accent: #74b4f5; --changed: #e8b45a; --added: #74cf8f; --removed: #ff9494; --unknown: #cfa4f5;
    --bar: #3a444f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 72rem; background: var(--page);
  color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; }
h4 { font-size: 1rem; margin: 0; font-weight: 600; }
.quiet, h2 small, h3 small, h4 small { color: var(--quiet); font-weight: normal; font-size: .875rem; }
h2 small { white-space: nowrap; }
.quiet { margin: 0; }
code { font: .875rem/1.5 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap; }
code, bdi { unicode-bidi: isolate; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: right; padding: .3rem .6rem; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
th { font-weight: 600; white-space: nowrap; }
th:first-child { text-align: left; }
tbody th { font-weight: normal; white-space: normal; min-width: 6rem; }
figure { margin: 0 0 1rem; }
figcaption { margin-bottom: .25rem; }
figure p { margin: .25rem 0 0; font-size: .9rem; }
svg { display: block; width: 100%; height: 14px; border-radius: 3px; }
.total { fill: var(--bar); }
.managed { fill: var(--accent); }
ul { list-style: none; margin: 0; padding: 0; }
.group { border-top: 1px solid var(--line); padding: .6rem 0; }
.rule { margin-bottom: 1rem; }
.entry { padding: .15rem 0 .15rem .75rem; border-left: 4px solid currentColor; margin: .35rem 0; }
.entry > * { margin-right: .5rem; }
.entry > :not(b) { color: var(--text); }
/* A name stays with its value, unless that is longer than a line. */
.entry > span, .entry > i { display: inline-block; max-width: 100%; }
.entry > span { font-size: .875rem; }
.entry i { color: var(--quiet) !important; font-size: .875rem; font-style: normal; }
.changed { color: var(--changed); }
.added { color: var(--added); }
.removed, .deleted, .undeclared { color: var(--removed); }
.undetermined { color: var(--unknown); }
.unmanaged, .indirect { color: var(--quiet); }
.entry .word { color: var(--quiet); font-size: .875rem; }
.many .group { content-visibility: auto; contain-intrinsic-size: auto 5rem; }
.many .entry { content-visibility: auto; contain-intrinsic-size: auto 1.8rem; }
details { display: inline; }
summary { display: inline; cursor: pointer; text-decoration: underline dotted; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  .many .group, .many .entry { content-visibility: visible; }
  .entry { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  details::details-content { content-visibility: visible; display: inline; }
  svg { print-color-adjust: exact; }
}
`;
