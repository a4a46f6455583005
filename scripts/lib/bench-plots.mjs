/** Plots as SVG images that suit light and dark pages. */

/**
 * @typedef {{ name: string, bars: readonly { series: string, value: number, label: string }[] }} Group
 * @typedef {{ name: string, isDashed: boolean, points: readonly { x: number, y: number }[] }} Series
 */

const width = 760;
const margin = 24;
const titleHeight = 56;
const style = `
  svg { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, "DejaVu Sans", sans-serif; }
  .page { fill: #ffffff; stroke: #d1d9e0; } text { fill: #1f2328; } .weak { fill: #59636e; }
  .title { font-size: 16px; font-weight: 600; } .group { font-weight: 600; } .grid { stroke: #d1d9e0; }
  .s0 { --c: #818b98; } .s1 { --c: #0969da; } .s2 { --c: #bc4c00; } .s3 { --c: #8250df; }
  .bar { fill: var(--c); } .line { stroke: var(--c); fill: none; stroke-width: 2; } .name { fill: var(--c); font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; stroke: #3d444d; } text { fill: #f0f6fc; } .weak { fill: #9198a1; } .grid { stroke: #3d444d; }
    .s0 { --c: #9198a1; } .s1 { --c: #4493f8; } .s2 { --c: #f0883e; } .s3 { --c: #ab7df8; }
  }
`.trim();

/**
 * Horizontal bars, one for each value, with its text beside it.
 *
 * @param {string} title @param {readonly Group[]} groups
 * @returns {string} the SVG document
 */
export function barPlot(title, groups) {
  const [barHeight, groupHeight, nameWidth, labelWidth] = [22, 30, 190, 170];
  const names = [...new Set(groups.flatMap(({ bars }) => bars.map(({ series }) => series)))];
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const scale = (width - 2 * margin - nameWidth - labelWidth) / most;
  const left = margin + nameWidth;
  let y = titleHeight;
  const parts = groups.flatMap(({ name, bars }) => {
    y += groupHeight;
    const head = text(margin, y - 10, name, "group");
    const lines = bars.map(({ series, value, label }) => {
      y += barHeight;
      const middle = y - barHeight / 2 + 1;
      return [
        text(left - 10, middle, series, "", "end"),
        `<rect class="bar s${names.indexOf(series) % 4}" x="${left}" y="${y - barHeight}" width="${round(value * scale)}" height="${barHeight - 6}" rx="2"/>`,
        text(left + value * scale + 8, middle, label, "weak"),
      ].join("");
    });
    return [head, ...lines];
  });
  return documentOf(title, y + margin, parts);
}

/**
 * Lines over two logarithmic axes: linear growth is a straight line as steep as the guide.
 *
 * @param {string} title
 * @param {{ x: string, y: string, solid: string, dashed: string }} names of the axes and of the two kinds of lines
 * @param {readonly Series[]} series one color for each name
 * @returns {string} the SVG document
 */
export function linePlot(title, names, series) {
  const height = 460;
  const area = { left: margin + 60, right: width - margin - 190, top: titleHeight + 40, bottom: height - 60 };
  const points = series.flatMap((entry) => entry.points);
  const xs = [...new Set(points.map(({ x }) => x))].sort((one, other) => one - other);
  const decades = decadesOf(points.map(({ y }) => y));
  const x = axis([xs[0] ?? 1, xs.at(-1) ?? 10], [area.left, area.right]);
  const y = axis([decades[0] ?? 1, decades.at(-1) ?? 10], [area.bottom, area.top]);
  const colors = [...new Set(series.map(({ name }) => name))];
  const grid = [
    ...decades.map(
      (value) =>
        `<path class="grid" d="M${area.left} ${y(value)}H${area.right}"/>${text(area.left - 10, y(value) + 4, grouped(value), "weak", "end")}`,
    ),
    ...xs.map(
      (value) =>
        `<path class="grid" d="M${x(value)} ${area.top}V${area.bottom}"/>${text(x(value), area.bottom + 20, grouped(value), "weak", "middle")}`,
    ),
    text((area.left + area.right) / 2, area.bottom + 42, names.x, "weak", "middle"),
    text(area.left - 10, area.top - 16, names.y, "weak", "end"),
  ];
  const lines = series.map(({ name, isDashed, points: own }) => {
    const path = own.map((point, index) => `${index === 0 ? "M" : "L"}${x(point.x)} ${y(point.y)}`).join("");
    const color = `s${(colors.indexOf(name) + 1) % 4}`;
    const dots = own.map(
      (point) =>
        `<circle class="bar ${color}" cx="${x(point.x)}" cy="${y(point.y)}" r="${isDashed ? 2.5 : 4}"/>`,
    );
    return `<path class="line ${color}" d="${path}"${isDashed ? ' stroke-dasharray="5 4"' : ""}/>${dots.join("")}`;
  });
  const ends = series
    .filter(({ isDashed }) => !isDashed)
    .map(({ name, points: own }) => ({ name, y: y(own.at(-1)?.y ?? 1) }));
  const labels = apart(ends, 18).map((end) =>
    text(area.right + 14, end.y + 4, end.name, `name s${(colors.indexOf(end.name) + 1) % 4}`),
  );
  const legend = [
    `<path class="line s0" d="M${area.left} ${titleHeight + 2}h34"/>${text(area.left + 42, titleHeight + 6, names.solid)}`,
    `<path class="line s0" d="M${area.left + 190} ${titleHeight + 2}h34" stroke-dasharray="5 4"/>${text(area.left + 232, titleHeight + 6, names.dashed)}`,
  ];
  return documentOf(title, height, [...grid, ...lines, ...labels, ...legend]);
}

/** @param {[number, number]} values @param {[number, number]} positions */
function axis([low, high], [start, end]) {
  const span = Math.log(high) - Math.log(low) || 1;
  return (/** @type {number} */ value) =>
    round(start + ((Math.log(value) - Math.log(low)) / span) * (end - start));
}

/** Powers of ten around the values. @param {readonly number[]} values */
function decadesOf(values) {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(`1e${first + index}`));
}

/** Moves labels that would overlap. @param {readonly { name: string, y: number }[]} labels @param {number} least */
function apart(labels, least) {
  const sorted = [...labels].sort((one, other) => one.y - other.y);
  let lowest = Number.NEGATIVE_INFINITY;
  return sorted.map(({ name, y }) => {
    lowest = Math.max(y, lowest + least);
    return { name, y: lowest };
  });
}

/** @param {string} title @param {number} height @param {readonly string[]} parts */
function documentOf(title, height, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    `<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    text(margin, 34, title, "title"),
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

/** @param {number} x @param {number} y @param {string} content @param {string} [name] @param {string} [anchor] */
function text(x, y, content, name = "", anchor = "start") {
  const attributes = `${name && ` class="${name}"`}${anchor === "start" ? "" : ` text-anchor="${anchor}"`}`;
  return `<text x="${round(x)}" y="${round(y)}"${attributes}>${escaped(content)}</text>`;
}

/** @param {number} value */
function grouped(value) {
  return value.toLocaleString("en-US");
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}

/** @param {string} content */
function escaped(content) {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
