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
import { kindOf, logicalName, typeOf } from "../../lib/own-resources";
import { counted } from "../../lib/terminal";
import {
  type Document,
  EARLIER,
  type Entry,
  firstLine,
  isDifference,
  statement,
  undeterminedElsewhere,
} from "../report/document";
import type { Report } from "../report/model";
import type { Format } from "./format";

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

export const junit: Format = (document) => {
  const { report } = document;
  const others = undeterminedElsewhere(document);
  const suites = [
    ...report.stacks.map((stack) => suiteOfStack(document, stack)),
    ...(others.length === 0 ? [] : [{ name: "could not be determined", cases: others.map(caseOf) }]),
    suiteOfSummary(document),
    ...suitesOfEarlier(document),
    ...(report.unmanaged === undefined ? [] : [suiteOfUnmanaged(document)]),
  ];
  const everything = suites.flatMap(({ cases }) => cases);
  const attributes = { name: "opsmanager drift", ...totals(everything), time: "0" };
  const children = suites.map((suite) => suiteXml(suite, report.generatedAt)).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", attributes, `\n${children}`)}\n`;
};

/** What the other formats have beside the entries. The test case always passes: those of the stacks show the result. */
function suiteOfSummary(document: Document): Suite {
  const text = [firstLine(document), ...document.hints].join("\n");
  return { name: "summary", cases: [{ classname: "summary", name: "all stacks", outcome: "passed", text }] };
}

/**
 * What the earlier report has and this one lacks: a resolved entry passes, and one that was not
 * checked is skipped.
 */
function suitesOfEarlier({ entries }: Document): Suite[] {
  const kinds = [
    { kind: "resolved", outcome: "passed" },
    { kind: "notChecked", outcome: "skipped" },
  ] as const;
  const suites = kinds.map(({ kind, outcome }) => ({
    name: EARLIER[kind],
    cases: entries
      .filter((entry) => entry.kind === kind)
      .map(({ stack = "service", subject, sentence: text }) => ({
        classname: stack,
        name: subject,
        outcome,
        text,
      })),
  }));
  return suites.filter(({ cases }) => cases.length > 0);
}

function suiteOfStack({ report, entries }: Document, { stack, resources }: Report["stacks"][number]): Suite {
  const ofStack = entries.filter((entry) => entry.stack === stack);
  const byResource = Map.groupBy(ofStack.filter(isDifference), ({ path }) => path);
  const unreadable = report.unreadable.flatMap((entry) =>
    entry.stack === stack && isUrn(entry.what) ? [entry.what] : [],
  );
  // The report does not list unchanged resources, so all of them share one test case with a
  // constant name.
  const others = resources - new Set([...byResource.keys(), ...unreadable]).size;
  const text = `${counted(Math.max(others, 0), "resource is", "resources are")} as declared.`;
  return {
    name: `stack ${stack}`, // A stack may have the name of another suite.
    cases: [
      ...[...byResource].map(([urn, own]) => caseOfResource(urn, own)),
      ...ofStack.filter(({ kind }) => kind === "undetermined").map(caseOf),
      { classname: stack, name: "all others", outcome: "passed", text },
    ],
  };
}

/** All differences of a resource. */
function caseOfResource(urn: string, entries: readonly Entry[]): TestCase {
  const own = entries.filter(({ ignored }) => ignored === undefined);
  const type = typeOf(urn);
  const common = { classname: `${entries[0]?.stack}.${kindOf(type) ?? type}`, name: logicalName(urn) };
  if (own.length === 0) return { ...common, outcome: "skipped", text: entries.map(ignoredText).join("\n") };
  const message = counted(own.length, "difference");
  return { ...common, outcome: "failure", message, text: own.map((each) => statement(each)).join("\n") };
}

/** Something that could not be determined. */
function caseOf(entry: Entry): TestCase {
  const common = { classname: entry.stack ?? "service", name: entry.name };
  if (entry.ignored) return { ...common, outcome: "skipped", text: ignoredText(entry) };
  return { ...common, outcome: "error", message: "could not be determined", text: statement(entry) };
}

function suiteOfUnmanaged({ report, entries }: Document): Suite {
  const unmanaged = entries.filter(({ kind }) => kind === "unmanaged");
  const cases = unmanaged.map((entry): TestCase => {
    const common = { classname: `unmanaged.${entry.unmanagedKind}`, name: entry.subject };
    if (entry.ignored) return { ...common, outcome: "skipped", text: ignoredText(entry) };
    if (!report.unmanaged?.countsAsDrift) return { ...common, outcome: "skipped", text: statement(entry) };
    return { ...common, outcome: "failure", message: "owned by no resource", text: statement(entry) };
  });
  return { name: "unmanaged", cases };
}

function ignoredText(entry: Entry): string {
  return `${statement(entry)} Ignored: ${entry.ignored?.reason}`;
}

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
