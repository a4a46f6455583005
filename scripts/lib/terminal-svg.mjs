/** Renders the output of a terminal, with its ANSI colors, as an SVG image. */

/** Colors of the image by SGR code; the image has its own background, so it suits light and dark pages. */
const COLORS = /** @type {Record<string, string>} */ ({
  30: "#8b949e",
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#56d4dd",
  37: "#c9d1d9",
});
const BACKGROUND = "#0d1117";
const FOREGROUND = "#c9d1d9";
const FONT_SIZE = 14;
const CHARACTER_WIDTH = 8.43;
const LINE_HEIGHT = 20;
const MARGIN = 20;
const TITLE_BAR = 36;

/**
 * @typedef {{ text: string, color: string | undefined, bold: boolean }} Span text of one style
 * @typedef {{ color?: string | undefined, bold?: boolean }} Style
 */

/**
 * @param {string} output text with SGR sequences; other control sequences are removed
 * @param {string} title what the image shows, for screen readers
 * @returns {string} the SVG document
 */
export function terminalSvg(output, title) {
  const lines = spansOf(output);
  const columns = Math.max(60, ...lines.map((spans) => [...spans.map(({ text }) => text).join("")].length));
  const width = Math.ceil(columns * CHARACTER_WIDTH + 2 * MARGIN);
  const height = TITLE_BAR + lines.length * LINE_HEIGHT + MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (color, index) => `<circle cx="${MARGIN + 4 + index * 20}" cy="18" r="6" fill="${color}"/>`,
    ),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}" fill="${FOREGROUND}" style="white-space: pre">`,
    ...lines.map((spans, index) => lineOf(spans, TITLE_BAR + (index + 1) * LINE_HEIGHT - 5)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** @param {Span[]} spans @param {number} y */
function lineOf(spans, y) {
  let column = 0;
  const parts = spans.map(({ text, color, bold }) => {
    const [indent = ""] = /^ */.exec(text) ?? [];
    const length = [...text.trim()].length;
    const attributes = [
      `x="${rounded(MARGIN + (column + indent.length) * CHARACTER_WIDTH)}"`,
      // Fonts differ in the width of a character; this keeps the columns aligned.
      `textLength="${rounded(length * CHARACTER_WIDTH)}"`,
      ...(color ? [`fill="${color}"`] : []),
      ...(bold ? ['font-weight="bold"'] : []),
    ];
    column += [...text].length;
    return text.trim() === "" ? "" : `<tspan ${attributes.join(" ")}>${escaped(text.trim())}</tspan>`;
  });
  return `<text y="${y}">${parts.join("")}</text>`;
}

/** @param {string} output @returns {Span[][]} lines of spans */
function spansOf(output) {
  /** @type {Style} */
  let style = {};
  return output
    .replace(/\r/g, "")
    .trimEnd()
    .split("\n")
    .map((line) => {
      /** @type {Span[]} */
      const spans = [];
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences begin with this character
      for (const part of line.split(/(\u001b\[[0-9;?]*[A-Za-z])/)) {
        if (part.startsWith("\u001b")) style = part.endsWith("m") ? styleAfter(style, part) : style;
        else if (part !== "") spans.push({ text: part, color: style.color, bold: style.bold === true });
      }
      return spans;
    });
}

/** @param {Style} style @param {string} sequence @returns {Style} */
function styleAfter(style, sequence) {
  const codes = sequence.slice(2, -1).split(";").map(Number);
  if (codes[0] === 38 && codes[1] === 5) {
    // 256 colors: Pulumi uses the first 16, which equal the codes 30 to 37 and 90 to 97.
    return { ...style, color: COLORS[String(30 + ((codes[2] ?? 7) % 8))] };
  }
  let result = style;
  for (const code of codes) {
    if (code === 0) result = {};
    else if (code === 1) result = { ...result, bold: true };
    else if (code === 22) result = { ...result, bold: false };
    else if (code === 39) result = { ...result, color: undefined };
    else if (code >= 30 && code <= 37) result = { ...result, color: COLORS[String(code)] };
    else if (code >= 90 && code <= 97) result = { ...result, color: COLORS[String(code - 60)] };
  }
  return result;
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 100) / 100;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
