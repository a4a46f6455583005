/**
 * The report as JUnit XML, in the form that Jenkins documents and others read: a suite per stack,
 * a test case per entry.
 *
 * It is written without a library, because the element names are few. Libraries add three packages
 * and keep control characters, which XML does not allow.
 */
import { isUrn } from "../../../provider/resources/session/claims";
import { own } from "../../../provider/text/own";
import { visibleText } from "../../../provider/text/visible-text";
import { kindOf, typeOf } from "../../lib/own-resources";
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
import { ofStack, type Report } from "../report/model";
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
  const { report, entries } = document;
  const suiteOf = (name: string, own: readonly Entry[]): Suite[] =>
    own.length === 0 ? [] : [{ name, cases: own.map((entry) => caseOf(entry, report)) }];
  const ofKind = (wanted: Entry["kind"]) => entries.filter(({ kind }) => kind === wanted);
  const suites = [
    ...report.stacks.map((stack) => suiteOfStack(document, stack)),
    ...suiteOf("could not be determined", undeterminedElsewhere(document)),
    suiteOfSummary(document),
    ...suiteOf(EARLIER.resolved, ofKind("resolved")),
    ...suiteOf(EARLIER.notChecked, ofKind("notChecked")),
    ...suiteOf("unmanaged", ofKind("unmanaged")),
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

function suiteOfStack({ report, entries }: Document, { stack, resources }: Report["stacks"][number]): Suite {
  const own = entries.filter(
    (entry) => entry.stack === stack && (isDifference(entry) || entry.kind === "undetermined"),
  );
  const { findings, unreadable } = ofStack(report, stack);
  const concerned = [...findings.map(({ urn }) => urn), ...unreadable.map(({ what }) => what).filter(isUrn)];
  // The report does not list unchanged resources, so all of them share one test case with a
  // constant name.
  const others = Math.max(resources - new Set(concerned).size, 0);
  const text = `${counted(others, "resource is", "resources are")} as declared.`;
  return {
    name: `stack ${stack}`, // A stack may have the name of another suite.
    cases: [
      ...own.map((entry) => caseOf(entry, report)),
      { classname: stack, name: "all others", outcome: "passed", text },
    ],
  };
}

function caseOf(entry: Entry, { unmanaged }: Report): TestCase {
  const { kind, stack = "service", path, name, subject, facts, unmanagedKind, ignored } = entry;
  const text = statement(entry);
  const named = (classname: string, ...names: string[]) => ({ classname, name: names.join(" ") });
  const property = facts.filter((fact) => fact.name === "property" && !fact.isOurs).map((fact) => fact.text);
  const about = isDifference(entry)
    ? named(`${stack}.${kindOf(typeOf(path)) ?? typeOf(path)}`, name, ...property)
    : kind === "unmanaged"
      ? named(`unmanaged.${unmanagedKind}`, subject)
      : named(stack, name);
  if (ignored) return { ...about, outcome: "skipped", text: `${text} Ignored: ${ignored.reason}` };
  switch (kind) {
    case "resolved":
      return { ...about, outcome: "passed", text };
    case "notChecked":
      return { ...about, outcome: "skipped", text };
    case "undetermined":
      return { ...about, outcome: "error", message: "could not be determined", text };
    case "unmanaged":
      if (!unmanaged?.countsAsDrift) return { ...about, outcome: "skipped", text };
      return { ...about, outcome: "failure", message: "owned by no resource", text };
    default:
      return { ...about, outcome: "failure", message: kind, text };
  }
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
