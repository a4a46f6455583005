/** Renders the output of a terminal, with its ANSI colors, as an SVG image. */

/** Black to white, as SGR numbers them. The image has its own background, so it suits light and dark pages. */
const COLORS = ["#8b949e", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#c9d1d9"];
const BACKGROUND = "#0d1117";
const FOREGROUND = "#c9d1d9";
const FONT_SIZE = 14;
const CHARACTER_WIDTH = 8.43;
const LINE_HEIGHT = 20;
const MARGIN = 20;
const TITLE_BAR = 36;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences begin with this character
const SEQUENCE = /(\u001b\[[0-9;?]*[A-Za-z])/;

interface Style {
  readonly color?: string | undefined;
  readonly bold?: boolean | undefined;
}

interface Span extends Style {
  readonly text: string;
}

/**
 * @param output text with SGR sequences; other control sequences are removed
 * @param title what the image shows, for screen readers
 */
export function terminalSvg(output: string, title: string): string {
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

function lineOf(spans: readonly Span[], y: number): string {
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

function spansOf(output: string): Span[][] {
  let style: Style = {};
  const lines = output.replaceAll("\r", "").trimEnd().split("\n");
  return lines.map((line) =>
    line.split(SEQUENCE).flatMap((part) => {
      if (!part.startsWith("\u001b")) return part === "" ? [] : [{ text: part, ...style }];
      if (part.endsWith("m")) style = styleAfter(style, part.slice(2, -1).split(";").map(Number));
      return [];
    }),
  );
}

function styleAfter(style: Style, codes: readonly number[]): Style {
  // 256 colors: Pulumi uses the first 16, which equal the codes 30 to 37 and 90 to 97.
  if (codes[0] === 38 && codes[1] === 5) return { ...style, color: COLORS[(codes[2] ?? 7) % 8] };
  let { color, bold } = style;
  for (const code of codes) {
    if (code === 0 || code === 39) color = undefined;
    if (code === 0 || code === 22) bold = false;
    if (code === 1) bold = true;
    if (/^[39][0-7]$/.test(String(code))) color = COLORS[code % 10];
  }
  return { color, bold };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
