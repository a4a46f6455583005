/** One run has one verdict: every format, the JSON result and the outputs of the action agree. */
import { html } from "../../../../cli/drift/formats/html";
import { junit } from "../../../../cli/drift/formats/junit";
import { markdown } from "../../../../cli/drift/formats/markdown";
import { sarif } from "../../../../cli/drift/formats/sarif";
import { text } from "../../../../cli/drift/formats/text";
import type { IgnoreRule } from "../../../../cli/drift/ignore-rules";
import { reportOn } from "../../../../cli/drift/index";
import { json } from "../../../../cli/drift/outputs";
import type { DriftReport, Finding, Undetermined } from "../../../../cli/drift/report";
import { finding, undeclaredPerson, unmanaged } from "./reports";

const undeclared = finding({ ...undeclaredPerson, name: "people" });

const unreadable: Undetermined = { what: "stack test", reason: "No state.", stack: "test" };
const reason = "audit";
const until = { reason, expires: "2999-12-31" };

interface Situation {
  readonly findings?: readonly Finding[];
  readonly unreadable?: readonly Undetermined[];
  readonly unmanaged?: boolean;
  readonly failOnUnmanaged?: boolean;
  readonly rules?: readonly IgnoreRule[];
}

const byName = { resource: "people", property: "members*", kind: "undeclared", ...until } as const;
const byProject = { resource: "payments", property: "mallory@*", kind: "unmanaged", ...until } as const;

const table: readonly (readonly [string, DriftReport["result"], Situation])[] = [
  ["nothing", "clean", {}],
  ["unmanaged objects that do not count", "clean", { unmanaged: true }],
  ["unmanaged objects that count", "drift", { unmanaged: true, failOnUnmanaged: true }],
  ["a changed property", "drift", { findings: [finding()] }],
  ["an undeclared owner", "drift", { findings: [undeclared] }],
  ["an undeclared owner beside unmanaged objects", "drift", { findings: [undeclared], unmanaged: true }],
  ["an owner whom a rule accepts by the resource", "clean", { findings: [undeclared], rules: [byName] }],
  ["an owner whom a rule accepts by the project", "clean", { findings: [undeclared], rules: [byProject] }],
  ["something undetermined", "unknown", { unreadable: [unreadable] }],
  ["something undetermined and drift", "unknown", { unreadable: [unreadable], findings: [undeclared] }],
];

function reported(situation: Situation): DriftReport {
  const { findings = [], rules = [], failOnUnmanaged = false } = situation;
  const state = {
    stack: "prod",
    project: "platform",
    resources: [],
    replaced: [],
    pending: [],
    projectFolders: [],
    isShared: false,
  };
  const unmanagedResult = {
    findings: [...findings],
    undetermined: [...(situation.unreadable ?? [])],
    ...(situation.unmanaged && { unmanaged }),
  };
  return reportOn([{ state, findings: [], undetermined: [] }], rules, {
    generatedAt: "2026-03-04T05:06:07.890Z",
    unmanagedResult,
    failOnUnmanaged,
  });
}

const VERDICTS = { "No drift": "clean", Drift: "drift", "Not determined": "unknown" } as const;

/** The verdict that a title or a first line begins with. */
function verdictOf(title: string): string | undefined {
  const [words = ""] = /^(No drift|Drift|Not determined)\b/.exec(title) ?? [];
  return VERDICTS[words as keyof typeof VERDICTS];
}

function verdicts(report: DriftReport) {
  const [written, page, comment] = [text(report, { hasColors: false }), html(report), markdown(report)];
  const xml = junit(report);
  const results: { level: string; suppressions: unknown[] }[] = JSON.parse(sarif(report)).runs[0].results;
  const counts = (level: string) => results.some((result) => result.level === level);
  const decided = (unknown: boolean, drift: boolean) => (unknown ? "unknown" : drift ? "drift" : "clean");
  return {
    json: JSON.parse(json(report, { hasColors: false })).result,
    text: verdictOf(written),
    html: verdictOf(/<h1>(.*)<\/h1>/.exec(page)?.[1] ?? ""),
    markdown: verdictOf(comment.split("\n")[1]?.slice("## ".length) ?? ""),
    junit: decided(xml.includes("<error"), xml.includes("<failure")),
    sarif: decided(counts("error"), counts("warning")),
  };
}

it.each(table)("%s is %s in every format", (_, result, situation) => {
  const all = verdicts(reported(situation));
  expect([...new Set(Object.values(all))]).toEqual([result]);
});
