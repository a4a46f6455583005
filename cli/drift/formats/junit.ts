/**
 * The report as JUnit XML, in the form that Jenkins documents and others read: a suite per stack,
 * a test case per resource.
 *
 * It is written without a library, because the element names are few. Libraries add three packages
 * and keep control characters, which XML does not allow.
 */
import { isUrn } from "../../../provider/resources/session/claims";
import { own } from "../../../provider/text/own";
import { visibleText } from "../../../provider/text/visible-text";
import { organizationText } from "../../lib/organization";
import { counted } from "../../lib/terminal";
import {
  type DriftReport,
  type Finding,
  ofStack,
  type UndeterminedRow,
  type UnmanagedEntry,
  type UnmanagedKind,
  undeterminedRows,
  unmanagedEntries,
  unreadableElsewhere,
} from "../report";
import {
  differenceText,
  earlierSections,
  kindOfResource,
  remarks,
  summaryLines,
  timeText,
  undeterminedText,
  unmanagedText,
} from "./wording";

interface TestCase {
  readonly classname: string;
  readonly name: string;
  readonly outcome: "passed" | "skipped" | "failure" | "error";
  readonly message?: string;
  readonly text?: string;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

export function junit(report: DriftReport): string {
  const suites = [
    suiteOfSummary(report),
    ...suitesOfEarlier(report),
    ...report.stacks.map((stack) => suiteOfStack(report, stack)),
    ...suiteOfOthers(report),
    ...suiteOfUnmanaged(report),
  ];
  const everything = suites.flatMap(({ cases }) => cases);
  const attributes = { name: "opsmanager drift", ...totals(everything), time: "0" };
  const children = suites.map((suite) => suiteXml(suite, report.generatedAt)).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", attributes, `\n${children}`)}\n`;
}

/**
 * What the other formats begin with. The test case always passes, and those of the stacks show the
 * result.
 */
function suiteOfSummary(report: DriftReport): Suite {
  const text = summaryLines(report).join("\n");
  return { name: "summary", cases: [{ classname: "summary", name: "all stacks", outcome: "passed", text }] };
}

/**
 * What the earlier report has and this one lacks: a resolved entry passes, and one that was not
 * checked is skipped.
 */
function suitesOfEarlier(report: DriftReport): Suite[] {
  return earlierSections(report).map(({ outcome, title, entries }) => ({
    name: title,
    cases: entries.map(({ stack = "service", what, kind, since }) => ({
      classname: stack,
      name: what,
      outcome: outcome === "resolved" ? "passed" : "skipped",
      text: `${kind}, since ${timeText(since)}`,
    })),
  }));
}

function suiteOfStack(report: DriftReport, { stack, resources }: DriftReport["stacks"][number]): Suite {
  const { findings, unreadable } = ofStack(report, stack);
  const byResource = Map.groupBy(findings, ({ urn }) => urn);
  const cases = [
    ...[...byResource.values()].map((own) => caseOfResource(report, own)),
    ...undeterminedRows(report, unreadable).map((row) => caseOfUnreadable(report, row, stack)),
  ];
  const unreadableResources = unreadable.map(({ what }) => what).filter(isUrn);
  // The report does not list unchanged resources, so all of them share one test case with a
  // constant name.
  const others = resources - new Set([...byResource.keys(), ...unreadableResources]).size;
  const text = `${counted(Math.max(others, 0), "resource is", "resources are")} as declared.`;
  return {
    name: `stack ${stack}`, // A stack may have the name of another suite.
    cases: [...cases, { classname: stack, name: "all others", outcome: "passed", text }],
  };
}

function caseOfResource(report: DriftReport, findings: readonly Finding[]): TestCase {
  const [first] = findings as readonly [Finding, ...Finding[]];
  const own = findings.filter(({ ignored }) => ignored === undefined);
  const common = { classname: `${first.stack}.${kindOfResource(first)}`, name: first.name };
  if (own.length > 0) {
    const message = counted(own.length, "difference");
    const lines = own.map((finding) => `${differenceText(finding)}${remarks(report, finding)}`);
    return { ...common, outcome: "failure", message, text: lines.join("\n") };
  }
  const reasons = findings.map((finding) => `${differenceText(finding)} Ignored: ${finding.ignored?.reason}`);
  return { ...common, outcome: "skipped", text: reasons.join("\n") };
}

function caseOfUnreadable(report: DriftReport, row: UndeterminedRow, classname: string): TestCase {
  const { ignored, sharedCause, things } = row;
  // The name stays the same in the next run, whatever the number is.
  const isGroup = sharedCause !== undefined && things.length > 1;
  const common = { classname, name: isGroup ? sharedCause.name : undeterminedText(row) };
  const reason = isGroup ? `${undeterminedText(row)}: ${row.reason}` : row.reason;
  if (ignored) return { ...common, outcome: "skipped", text: `${reason} Ignored: ${ignored.reason}` };
  return {
    ...common,
    outcome: "error",
    message: "could not be determined",
    text: `${reason}${remarks(report, row)}`,
  };
}

function suiteOfOthers(report: DriftReport): Suite[] {
  const cases = undeterminedRows(report, unreadableElsewhere(report)).map((row) =>
    caseOfUnreadable(report, row, row.stack ?? "service"),
  );
  return cases.length === 0 ? [] : [{ name: "could not be determined", cases }];
}

function suiteOfUnmanaged(report: DriftReport): Suite[] {
  const { unmanaged } = report;
  if (unmanaged === undefined) return [];
  const fails = unmanaged.countsAsDrift === true;
  const failure = { outcome: "failure", message: "owned by no resource" } as const;
  const cases = unmanagedEntries(unmanaged).map((entry): TestCase => {
    const { kind, ignored } = entry;
    const text = `No resource owns this ${UNMANAGED_CASES[kind](entry)}.${remarks(report, entry)}`;
    return {
      classname: `unmanaged.${kind}`,
      name: unmanagedText(entry),
      ...(fails && !ignored ? failure : { outcome: "skipped" }),
      text: ignored ? `${text} Ignored: ${ignored.reason}` : text,
    };
  });
  return [{ name: "unmanaged", cases }];
}

const UNMANAGED_CASES: Readonly<Record<UnmanagedKind, (entry: UnmanagedEntry) => string>> = {
  projects: (entry) => `project of ${organizationText(entry)}`,
  people: ({ status, roles }) => `person: ${status}, ${roles.join(", ")}`,
  teams: ({ roles }) => `team: ${roles.join(", ")}`,
  keys: ({ roles }) => `API key: ${roles.join(", ")}`,
  mappings: ({ roles }) => `group mappings: ${roles.join(", ")}`,
  owners: ({ status, roles }) => `owner of the organization: ${[status, ...roles].join(", ")}`,
  ownerKeys: ({ roles }) => `API key of the organization: ${roles.join(", ")}`,
  teamPeople: ({ roles, ...entry }) =>
    [`member of a team of ${organizationText(entry)}`, ...roles].join(", "),
};

function totals(cases: readonly TestCase[]) {
  const count = (outcome: TestCase["outcome"]) => cases.filter((one) => one.outcome === outcome).length;
  return { tests: cases.length, failures: count("failure"), errors: count("error") };
}

function suiteXml({ name, cases }: Suite, generatedAt: string): string {
  const skipped = cases.filter(({ outcome }) => outcome === "skipped").length;
  // The time is in UTC without a time zone, as the readers of the format expect.
  const timestamp = generatedAt.slice(0, "2026-01-01T00:00:00".length);
  const attributes = { name, ...totals(cases), skipped, time: "0", timestamp };
  return `${element("testsuite", attributes, `\n${cases.map(caseXml).join("")}`)}\n`;
}

function caseXml({ classname, name, outcome, message, text = "" }: TestCase): string {
  const attributes = { classname, name, time: "0" };
  if (outcome === "passed")
    return `${element("testcase", attributes, element("system-out", {}, xml(text)))}\n`;
  const details = outcome === "skipped" ? {} : { type: outcome, message: message ?? "" };
  return `${element("testcase", attributes, element(outcome, details, xml(text)))}\n`;
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string,
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapedXml(String(value))}"`);
  return `<${name}${written.join("")}>${content}</${name}>`;
}

/** Escapes text for XML. Line ends are retained, because a failure has one line per difference. */
function xml(text: string): string {
  return text.split("\n").map(escapedXml).join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escapedXml(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => own(ENTITIES, character) ?? character);
}
