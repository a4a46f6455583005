/** The report as one HTML file, which works offline and makes no request. */
import { createHash } from "node:crypto";
import { visibleText } from "../../../provider/text/visible-text";
import { LONGEST_VALUE } from "../../lib/markdown";
import { organizationText } from "../../lib/organization";
import { counted } from "../../lib/terminal";
import {
  type Coverage,
  countIgnored,
  countNew,
  type DriftReport,
  differenceKinds,
  type Finding,
  isCompared,
  notIgnored,
  stackCounts,
  UNMANAGED_UNKNOWN,
  type Undetermined,
  type UndeterminedRow,
  type UnmanagedEntry,
  undeterminedRows,
  unmanagedEntries,
  unmanagedKinds,
} from "../report";
import { SCRIPT, STYLE_SHEET } from "./html-page";
import {
  ageText,
  causeCount,
  causeText,
  changesSentence,
  coveragesOf,
  coverageText,
  type Dated,
  earlierSections,
  hints,
  indirectPeople,
  kindOfResource,
  lastEventText,
  projectsOfTeam,
  resultTitle,
  ruleText,
  timeText,
  undeterminedText,
  unmanagedByKind,
  unmanagedHeading,
  unmanagedNouns,
  valueText,
  wholeObjectText,
} from "./wording";

/** A page with more entries lays out only those that are visible. */
const MANY = 500;

/** More names would make the page slow, and no list of them is read. */
const MOST_SUGGESTIONS = 200;

/** The kinds of entries, as the filter offers them. */
const ITEM_KINDS = {
  changed: "changed",
  added: "added",
  removed: "removed",
  deleted: "deleted",
  undeclared: "not declared",
  undetermined: "could not be determined",
  unmanaged: "unmanaged",
  indirect: "access through a team or the organization",
} as const;

type ItemKind = keyof typeof ITEM_KINDS;

/** Markup. Text from outside becomes markup only through `escapedHtml`. */
type Html = string;

export function html(report: DriftReport): string {
  const title = resultTitle(report);
  const sections = [
    ...earlierParts(report),
    ...undeterminedSection(report),
    ...differenceSections(report),
    ...unmanagedSections(report),
    ...ignoredSection(report),
  ];
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
<p class="quiet"><time>${escapedHtml(report.generatedAt)}</time>, opsmanager ${escapedHtml(report.tool.version)}</p>
</header>
<main${entryCount(report) > MANY ? ' class="many"' : ""}>
${hintText(report)}${countsList(report)}${stackTable(report)}${coverageFigures(report)}${filterForm(report)}${sections.join("")}${
  sections.length === 0 ? "<p>Every resource is as declared.</p>\n" : ""
}</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

const POLICY = [
  "default-src 'none'",
  `script-src '${hashOf(SCRIPT)}'`,
  `style-src '${hashOf(STYLE_SHEET)}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** As a Content-Security-Policy names a script or a style. */
function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

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

function valueElement(content: unknown): Html {
  const text = valueText(content);
  if (text.length <= LONGEST_VALUE) return codeElement(text);
  return `<details><summary>${counted(text.length, "character")}</summary> ${codeElement(text)}</details>`;
}

// The counts.

function entryCount({ findings, unreadable, unmanaged }: DriftReport): number {
  return [findings, unreadable, ...unmanagedKinds.map((kind) => unmanaged?.[kind] ?? [])].flat().length;
}

function hintText(report: DriftReport): Html {
  const hint = [...changesSentence(report), ...hints(report)].map(escapedHtml).join(" ");
  return hint === "" ? "" : `<p>${hint}</p>\n`;
}

function countsList(report: DriftReport): Html {
  const wasChecked = report.unmanaged !== undefined;
  const counts: [number | string, string, string?][] = [
    ...(isCompared(report)
      ? ([
          [countNew(report), "new"],
          [report.previous?.resolved.length ?? 0, "resolved"],
        ] as [number, string][])
      : []),
    [notIgnored(report.findings).length, "difference", "differences"],
    [notIgnored(report.unreadable).length, "not determined"],
    [countIgnored(report), "ignored"],
    ...unmanagedByKind(notIgnored(unmanagedEntries(report.unmanaged))).map(
      ({ kind, own }): [number | string, string, string] => {
        const { one, many } = unmanagedNouns[kind];
        return [wasChecked ? own.length : "–", `unmanaged ${one}`, `unmanaged ${many}`];
      },
    ),
  ];
  const items = counts.map(
    ([count, one, many = one]) => `<div><dt>${count === 1 ? one : many}</dt><dd>${count}</dd></div>`,
  );
  const unknown = report.unreadable.find(({ what }) => what === UNMANAGED_UNKNOWN);
  const why = unknown
    ? isolated(unknown.reason)
    : "To check them, run the command with <code>--unmanaged</code>.";
  const note = wasChecked ? "" : `<p class="quiet">Unmanaged objects were not checked. ${why}</p>\n`;
  return `<dl class="counts">${items.join("")}</dl>\n${note}`;
}

function stackTable(report: DriftReport): Html {
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

function coverageFigures({ unmanaged }: DriftReport): Html {
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

// The filter. It is hidden until the script runs: without the script, the page shows everything.

function filterForm(report: DriftReport): Html {
  const stacks = [
    ...new Set(
      [...report.stacks, ...report.findings, ...report.unreadable].flatMap(({ stack }) =>
        stack === undefined ? [] : [stack],
      ),
    ),
  ];
  const names = new Set(report.findings.flatMap((finding) => [kindOfResource(finding), finding.name]));
  const suggestions = [...names]
    .slice(0, MOST_SUGGESTIONS)
    .map((name) => `<option>${escapedHtml(name)}</option>`);
  const kinds = Object.entries(ITEM_KINDS).filter(([kind]) => isInReport(kind, report));
  return `<form id="filter" role="search" aria-label="Filter" autocomplete="off" hidden>
<div><label for="stack">Stack</label><select id="stack" name="stack"><option value="">all</option>${stacks.map((stack) => `<option value="${escapedHtml(stack)}">${escapedHtml(stack)}</option>`).join("")}</select></div>
<div><label for="resource">Resource</label><input id="resource" name="resource" list="resources"><datalist id="resources">${suggestions.join("")}</datalist></div>
<div><label for="kind">Kind</label><select id="kind" name="kind"><option value="">all</option>${kinds.map(([kind, words]) => `<option value="${kind}">${words}</option>`).join("")}</select></div>
<div><label for="ignored">Ignored</label><select id="ignored" name="ignored"><option value="">shown</option><option value="hidden">hidden</option><option value="only">only these</option></select></div>
<div><label for="search">Search</label><input id="search" name="search" type="search"></div>
<div><button type="button" name="showAll">Show all</button></div>
<output id="shown" for="stack resource kind ignored search" aria-live="polite"></output>
</form>
`;
}

function isInReport(kind: string, { findings, unreadable, unmanaged }: DriftReport): boolean {
  if (kind === "undetermined") return unreadable.length > 0;
  if (kind === "indirect") return unmanaged?.people.some(({ status }) => status === "indirect") ?? false;
  if (kind === "unmanaged") return unmanagedEntries(unmanaged).length > 0;
  return findings.some((finding) => finding.kind === kind);
}

// The entries.

/** @param resource what the filter "Resource" searches */
function item(
  kind: ItemKind,
  resource: string,
  content: Html,
  { stack = "", ignored }: Pick<Undetermined, "stack" | "ignored"> = {},
): Html {
  const data = `data-kind="${kind}" data-stack="${escapedHtml(stack)}" data-resource="${escapedHtml(resource)}"`;
  return `<li class="entry ${kind}" ${data}${ignored ? " data-ignored" : ""}>${content}</li>\n`;
}

/** A group with a heading, which the script hides if it hides all entries. */
function group(heading: Html, items: readonly Html[]): Html {
  return `<div class="group holder">${heading}\n<ul>\n${items.join("")}</ul></div>\n`;
}

/** @param title without text from outside, or escaped */
function titledSection(title: Html, parts: readonly Html[]): Html[] {
  if (parts.length === 0) return [];
  return [`<section class="holder">\n<h2>${title}</h2>\n${parts.join("")}</section>\n`];
}

/** The age and the last event of an entry, as far as they are known. */
function remarkElements(report: DriftReport, thing: Dated): Html {
  const [age, event] = [ageText(report, thing), lastEventText(thing)];
  return `${age && ` <i>${age}</i>`}${event && ` <i>${isolated(event)}</i>`}`;
}

/** What is resolved, and what could not be checked. The filter leaves these lists unchanged. */
function earlierParts(report: DriftReport): Html[] {
  return earlierSections(report).flatMap(({ title, entries }) =>
    titledSection(`${title} <small>${entries.length}</small>`, [
      `<ul>\n${entries
        .map((entry) => {
          const stack = entry.stack === undefined ? "" : `, stack ${isolated(entry.stack)}`;
          return `<li>${isolated(entry.what)} <small>${entry.kind}, since ${timeText(entry.since)}${stack}</small></li>\n`;
        })
        .join("")}</ul>\n`,
    ]),
  );
}

function undeterminedSection(report: DriftReport): Html[] {
  const things = notIgnored(report.unreadable);
  return titledSection(
    `Could not be determined <small>${things.length}</small>`,
    undeterminedGroups(report, things, "h3"),
  );
}

/** One reason or one cause may apply to many things. */
function undeterminedGroups(
  report: DriftReport,
  things: readonly Undetermined[],
  level: "h3" | "h4",
): Html[] {
  const rows = undeterminedRows(report, things);
  return [...Map.groupBy(rows, headingOf)].map(([heading, same]) =>
    group(
      `<${level}>${isolated(heading)}</${level}>`,
      same.flatMap((row) => row.things.map((thing) => undeterminedItem(report, thing))),
    ),
  );
}

function headingOf({ reason, sharedCause, things }: UndeterminedRow): string {
  return sharedCause === undefined ? reason : `${causeCount(sharedCause.name, things.length)}: ${reason}`;
}

function undeterminedItem(report: DriftReport, thing: Undetermined): Html {
  const name = undeterminedText(thing);
  const stack = thing.stack === undefined ? "" : ` <i>stack ${isolated(thing.stack)}</i>`;
  return item(
    "undetermined",
    name,
    `<b>?</b> ${isolated(name)}${stack}${remarkElements(report, thing)}`,
    thing,
  );
}

function differenceSections(report: DriftReport): Html[] {
  return [...Map.groupBy(notIgnored(report.findings), ({ stack }) => stack)].flatMap(([stack, findings]) =>
    titledSection(
      `Stack ${isolated(stack)} <small>${counted(findings.length, "difference")}</small>`,
      resourceGroups(report, findings, "h3"),
    ),
  );
}

function resourceGroups(report: DriftReport, findings: readonly Finding[], level: "h3" | "h4"): Html[] {
  return [...Map.groupBy(findings, ({ stack, urn }) => `${stack} ${urn}`).values()].map((own) => {
    const [{ name, id, stack, ...first }] = own as [Finding, ...Finding[]];
    const facts = [
      escapedHtml(kindOfResource(first)),
      ...(id === undefined ? [] : [codeElement(id)]),
      ...(level === "h4" ? [`stack ${isolated(stack)}`] : []),
    ];
    return group(
      `<${level}>${isolated(name)} <small>${facts.join(", ")}</small></${level}>`,
      own.map((finding) => differenceItem(report, finding)),
    );
  });
}

function differenceItem(report: DriftReport, finding: Finding): Html {
  const { kind, name, property, declared, live, object } = finding;
  const sides = [
    kind === "added" || kind === "undeclared"
      ? ""
      : `<span><span class="word">declared</span> ${valueElement(declared)}</span>`,
    kind === "removed" ? "" : `<span><span class="word">live</span> ${valueElement(live)}</span>`,
  ].filter((side) => side !== "");
  const parts =
    property === "" ? [`<span>${wholeObjectText(finding)}</span>`] : [codeElement(property), ...sides];
  const content = [
    `<b>${ITEM_KINDS[kind]}</b>`,
    ...parts,
    ...(object?.status === undefined ? [] : [object.status]),
    ...(object?.projects === undefined ? [] : [isolated(projectsOfTeam(finding))]),
    `<i>${causeText(finding)}</i>${remarkElements(report, finding)}`,
  ].join(" ");
  return item(kind, `${name} ${kindOfResource(finding)}`, content, finding);
}

// The unmanaged objects.

function unmanagedSections(report: DriftReport): Html[] {
  const { unmanaged } = report;
  if (unmanaged === undefined) return [];
  const indirect = indirectPeople(unmanaged);
  const heading = `Access only through a team or the organization, which a project cannot manage <small>${counted(indirect.length, "person", "people")}</small>`;
  return titledSection("Unmanaged", [
    ...unmanagedGroups(report, notIgnored(unmanagedEntries(unmanaged)), "h3"),
    ...(indirect.length === 0 ? [] : [group(`<h3>${heading}</h3>`, indirect.map(indirectItem))]),
  ]);
}

function unmanagedGroups(
  report: DriftReport,
  entries: readonly UnmanagedEntry[],
  level: "h3" | "h4",
): Html[] {
  return unmanagedByKind(entries)
    .filter(({ own }) => own.length > 0)
    .map(({ kind, own }) => {
      const heading = `<${level}>${unmanagedHeading(kind)} <small>${own.length}</small></${level}>`;
      return group(
        heading,
        own.map((entry) => unmanagedItem(report, entry)),
      );
    });
}

function unmanagedItem(report: DriftReport, entry: UnmanagedEntry): Html {
  const { kind, name, container, status, orgId, roles, ignored } = entry;
  const organization = orgId === undefined ? [] : [`<i>${escapedHtml(organizationText(entry))}</i>`];
  const facts = [...organization, ...roles.map(codeElement)].join(" ");
  const key = kind === "keys" || kind === "ownerKeys" ? ` ${codeElement(entry.id)}` : "";
  const id = codeElement(container.id);
  const location =
    kind === "projects" ? id : `<span><span class="word">in</span> ${isolated(container.name)} ${id}</span>`;
  const content = `<b>${status ?? unmanagedNouns[kind].one}</b> ${isolated(name)}${key} ${location} ${facts}${remarkElements(report, entry)}`;
  return item("unmanaged", `${container.name} ${container.id}`, content, { ignored });
}

function indirectItem({ username, projects }: ReturnType<typeof indirectPeople>[number]): Html {
  const names = typeof projects === "number" ? counted(projects, "project") : projects.join(", ");
  const content = `<b>indirect</b> ${isolated(username)} <span><span class="word">in</span> ${isolated(names)}</span>`;
  return item("indirect", names, content);
}

// What rules ignore: each reason once, with everything that it excludes.

function ignoredSection(report: DriftReport): Html[] {
  const { findings, unreadable, unmanaged } = report;
  const objects = unmanagedEntries(unmanaged);
  const rules = new Set(
    [...findings, ...unreadable, ...objects].flatMap(({ ignored }) => (ignored ? [ruleText(ignored)] : [])),
  );
  const parts = [...rules].map((rule) => {
    const isOfRule = ({ ignored }: Pick<Finding, "ignored">) =>
      ignored !== undefined && ruleText(ignored) === rule;
    return `<div class="rule holder"><h3>${isolated(rule)}</h3>\n${[
      ...resourceGroups(report, findings.filter(isOfRule), "h4"),
      ...undeterminedGroups(report, unreadable.filter(isOfRule), "h4"),
      ...unmanagedGroups(report, objects.filter(isOfRule), "h4"),
    ].join("")}</div>\n`;
  });
  return titledSection(`Ignored, with the reason <small>${countIgnored(report)}</small>`, parts);
}
