/** The report as one HTML file, which works offline and makes no request. */
import { createHash } from "node:crypto";
import { visibleText } from "../../../provider/text/visible-text";
import { LONGEST_VALUE } from "../../lib/markdown";
import { counted } from "../../lib/terminal";
import {
  type Document,
  type Entry,
  type EntryKind,
  type Fact,
  isDifference,
  type Section,
  sectionCount,
  sectionsOf,
} from "../report/document";
import {
  type Coverage,
  countIgnored,
  differenceKinds,
  type Report,
  stackCounts,
  UNMANAGED_UNKNOWN,
} from "../report/model";
import { coveragesOf, coverageText } from "../report/unmanaged-kinds";
import type { Format } from "./format";
import { STYLE_SHEET } from "./html-style";

/** A page with more entries lays out only those that are visible. */
const MANY = 500;

/** The mark of each kind of entries; those of the earlier report have none. */
const MARKS: Readonly<Partial<Record<EntryKind, string>>> = {
  changed: "changed",
  added: "added",
  removed: "removed",
  deleted: "deleted",
  undeclared: "not declared",
  undetermined: "?",
  unmanaged: "unmanaged",
  indirect: "access through a team or the organization",
};

/** Markup. Text from outside becomes markup only through `escapedHtml`. */
type Html = string;

export const html: Format = (document) => {
  const { report, title, entries } = document;
  const sections = (areDifferences: boolean) =>
    sectionsOf(document)
      .filter(({ about }) => (about === "differences") === areDifferences)
      .flatMap(sectionElement)
      .join("");
  const isAsDeclared = report.findings.length === 0 && report.result !== "unknown";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${escapedHtml(title)}</title>
<style>${STYLE_SHEET}</style>
</head>
<body>
<header>
<h1>${escapedHtml(title)}</h1>
<p class="quiet"><time>${escapedHtml(report.generatedAt)}</time>, opsmanager ${escapedHtml([report.tool.version, ...document.changes].join(". "))}</p>
</header>
<main${entries.length > MANY ? ' class="many"' : ""}>
${sections(true)}${isAsDeclared ? "<p>Every resource is as declared.</p>\n" : ""}${paragraph(document.hints)}${sections(false)}${unmanagedNote(report)}${ignoredSection(document).join("")}${coverageFigures(report)}${stackTable(report)}</main>
</body>
</html>
`;
};

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE_SHEET).digest("base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/**
 * Text from outside as HTML, also in an attribute with quotes. Hidden characters are made visible.
 */
function escapedHtml(text: string): Html {
  return visibleText(text).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text from outside that cannot change the direction of the text around it. */
function isolated(text: string): Html {
  return `<bdi>${escapedHtml(text)}</bdi>`;
}

function codeElement(text: string): Html {
  return `<code>${escapedHtml(text)}</code>`;
}

function valueElement(text: string): Html {
  if (text.length <= LONGEST_VALUE) return codeElement(text);
  return `<details><summary>${counted(text.length, "character")}</summary> ${codeElement(text)}</details>`;
}

// What is beside the entries.

function paragraph(sentences: readonly string[]): Html {
  return sentences.length === 0 ? "" : `<p>${sentences.map(escapedHtml).join(" ")}</p>\n`;
}

function unmanagedNote({ unmanaged, unreadable }: Report): Html {
  if (unmanaged !== undefined) return "";
  const unknown = unreadable.find(({ what }) => what === UNMANAGED_UNKNOWN);
  const why = unknown
    ? isolated(unknown.reason)
    : "To check them, run the command with <code>--unmanaged</code>.";
  return `<p class="quiet">Unmanaged objects were not checked. ${why}</p>\n`;
}

function stackTable(report: Report): Html {
  if (report.stacks.length === 0) return "";
  const rows = report.stacks.map(({ stack, resources }) => {
    const { byKind, undetermined, ignored } = stackCounts(report, stack);
    const cells = [resources, ...byKind, undetermined, ignored];
    return `<tr><th scope="row">${isolated(stack)}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>\n`;
  });
  const columns = ["stack", "resources", ...differenceKinds, "not determined", "ignored"];
  return `<h2 id="stacks">Stacks</h2>
<div class="scroll" role="region" aria-labelledby="stacks" tabindex="0">
<table>
<thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join("")}</tr></thead>
<tbody>
${rows.join("")}</tbody>
</table>
</div>
`;
}

// The coverage, as bars.

function coverageFigures({ unmanaged }: Report): Html {
  if (unmanaged === undefined || unmanaged.organizations.length === 0) return "";
  const figures = unmanaged.organizations.map(
    (organization) =>
      `<figure>
<figcaption>Organization ${organization.name === undefined ? "" : `${codeElement(organization.name)} `}${codeElement(organization.orgId)}</figcaption>
${[...coveragesOf(organization)].map(([what, coverage]) => coverageBar(coverage, ` ${what} managed`)).join("")}</figure>
`,
  );
  return `<h2>Managed by these stacks</h2>\n${figures.join("")}`;
}

function coverageBar(coverage: Coverage, what: string): Html {
  const { total, managed } = coverage;
  const text = coverageText(coverage, what);
  const share = total === 0 ? 0 : (managed / total) * 100;
  return `<p>${text}</p>
<svg role="img" aria-label="${text}"><rect class="total" width="100%" height="14"/><rect class="managed" width="${share.toFixed(2)}%" height="14"/></svg>
`;
}

// The entries.

function sectionElement(section: Section): Html[] {
  const shown = section.entries.filter(({ ignored, isConsequence }) => !ignored && !isConsequence);
  if (shown.length === 0) return [];
  const { stack, title } = section;
  const heading = stack === undefined ? escapedHtml(title) : `Stack ${isolated(stack)}`;
  return titledSection(heading, sectionCount(section, shown), groupElements(shown, "h3"));
}

/** @param title without text from outside, or escaped */
function titledSection(title: Html, count: string, parts: readonly Html[]): Html[] {
  if (parts.length === 0) return [];
  return [`<section>\n<h2>${title} <small>${count}</small></h2>\n${parts.join("")}</section>\n`];
}

/** What rules ignore: each reason once, with everything that it excludes. */
function ignoredSection({ report, entries }: Document): Html[] {
  const rules = Map.groupBy(entries, ({ rule }) => rule);
  rules.delete(undefined);
  const parts = [...rules].map(
    ([rule = "", own]) =>
      `<div class="rule"><h3>${isolated(rule)}</h3>\n${groupElements(own, "h4").join("")}</div>\n`,
  );
  return titledSection("Ignored, with the reason", String(countIgnored(report)), parts);
}

/** Entries under the heading that they have in common. */
function groupElements(entries: readonly Entry[], level: "h3" | "h4"): Html[] {
  const headings = Map.groupBy(entries, (entry) => headingOf(entry, level));
  return [...headings].map(([heading, own]) => {
    const list = `<ul>\n${own.flatMap(itemElements).join("")}</ul>`;
    return `<div class="group">${heading === "" ? "" : `<${level}>${heading}</${level}>\n`}${list}</div>\n`;
  });
}

/** The resource of a difference; the reason of what could not be determined. */
function headingOf(entry: Entry, level: "h3" | "h4"): Html {
  const { kind, subject, id, stack = "", facts, name, members = [] } = entry;
  if (isDifference(entry)) {
    const more = [
      ...(id === undefined ? [] : [codeElement(id)]),
      ...(level === "h4" ? [`stack ${isolated(stack)}`] : []),
    ];
    return `${isolated(subject)} <small>${more.join(", ")}</small>`;
  }
  if (kind !== "undetermined") return "";
  const reason = facts.find((fact) => fact.name === "reason")?.text ?? "";
  const cause = members.length > 1 ? `${name}, ${counted(members.length, "resource")}: ` : "";
  return isolated(cause + reason);
}

/** An entry, or each of the resources that have it in common. */
function itemElements(entry: Entry): Html[] {
  const { kind, members, facts, line } = entry;
  if (kind === "resolved" || kind === "notChecked") return [`<li>${isolated(line)}</li>\n`];
  if (kind !== "undetermined") return [itemElement(entry, facts.map(factElement).filter(Boolean).join(" "))];
  const stack = entry.stack === undefined ? "" : ` <i>stack ${isolated(entry.stack)}</i>`;
  return (members ?? []).map((name) => itemElement(entry, `${isolated(name)}${stack}`));
}

function itemElement({ kind, remarks }: Entry, content: Html): Html {
  const more = remarks.map(({ text, words = text, isOurs }) => ` <i>${isOurs ? words : isolated(words)}</i>`);
  return `<li class="entry ${kind}"><b>${MARKS[kind]}</b> ${content}${more.join("")}</li>\n`;
}

/** A fact with its name, where that says more than the place of the fact. */
function factElement({ name, text, isOurs = false }: Fact): Html {
  if (text === "") return "";
  const value = isOurs ? escapedHtml(text) : valueElement(text);
  return name === "property" ? value : `<span><span class="word">${name}</span> ${value}</span>`;
}
