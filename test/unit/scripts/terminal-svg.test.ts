import { terminalSvg } from "../../../scripts/lib/terminal-svg.mjs";

/** The texts of the image with their styles, line by line. */
function textsOf(svg: string): string[][] {
  return [...svg.matchAll(/<text y="\d+">(.*?)<\/text>/g)].map(([, line = ""]) =>
    [...line.matchAll(/<tspan x="([\d.]+)" textLength="[\d.]+"([^>]*)>([^<]*)<\/tspan>/g)].map(
      ([, x, style = "", text]) => `${x}${style} ${text}`,
    ),
  );
}

it("keeps lines, indents, colors and bold text, and resets them", () => {
  const output =
    "\u001b[31m- old\u001b[0m\n  \u001b[1mbold\u001b[22m plain\n\n\u001b[38;5;2mnew\u001b[39m \u001b[1m\u001b[95mx\u001b[0m";
  expect(textsOf(terminalSvg(output, "t"))).toEqual([
    ['20 fill="#ff7b72" - old'],
    ['36.86 font-weight="bold" bold', "79.01 plain"],
    [],
    ['20 fill="#7ee787" new', '53.72 fill="#d2a8ff" font-weight="bold" x'],
  ]);
});

it("escapes markup, removes other control sequences, and is as wide as its longest line", () => {
  const svg = terminalSvg(`a < b & c\u001b[2K\r\n${"x".repeat(100)}`, 'a "title" <x>');
  expect(svg).toContain("a &lt; b &amp; c</tspan>");
  expect(svg).toContain('<title>a "title" &lt;x></title>'.replace("x></title>", "x&gt;</title>"));
  expect(svg).toContain('viewBox="0 0 883 96"');
});
