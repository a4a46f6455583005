/** One run has one verdict: every format, the JSON result and the outputs of the action agree. */
import type { IgnoreRule } from "../../../../cli/drift/ignore-rules";
import { reportOn } from "../../../../cli/drift/index";
import type { Finding, Report, Undetermined } from "../../../../cli/drift/report/model";
import { finding, formatted, report as reportWith, undeclaredPerson, unmanaged } from "./reports";

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

const table: readonly (readonly [string, Report["result"], Situation])[] = [
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

function reported(situation: Situation): Report {
  const { findings = [], rules = [], failOnUnmanaged = false } = situation;
  const state = {
    stack: "prod",
    project: "platform",
    resources: [],
    replaced: [],
    pending: [],
    components: [],
    isShared: false,
  };
  const { unmanaged: rows } = reportWith({ unmanaged });
  const beside = {
    findings,
    undetermined: situation.unreadable ?? [],
    ...(situation.unmanaged && rows && { unmanaged: rows }),
  };
  return reportOn([{ state, findings: [], undetermined: [] }], rules, {
    generatedAt: "2026-03-04T05:06:07.890Z",
    beside,
    failOnUnmanaged,
  });
}

const VERDICTS = { "No drift": "clean", Drift: "drift", "Not determined": "unknown" } as const;

/** The verdict that a title or a first line begins with. */
function verdictOf(title: string): string | undefined {
  const [words = ""] = /^(No drift|Drift|Not determined)\b/.exec(title) ?? [];
  return VERDICTS[words as keyof typeof VERDICTS];
}

function verdicts(report: Report) {
  const written = (name: Parameters<typeof formatted>[0]) => formatted(name)(report);
  const xml = written("junit");
  const results: { level: string; suppressions: unknown[] }[] = JSON.parse(written("sarif")).runs[0].results;
  const counts = (level: string) => results.some((result) => result.level === level);
  const decided = (unknown: boolean, drift: boolean) => (unknown ? "unknown" : drift ? "drift" : "clean");
  return {
    json: JSON.parse(written("json")).result,
    text: verdictOf(written("text")),
    html: verdictOf(/<h1>(.*)<\/h1>/.exec(written("html"))?.[1] ?? ""),
    markdown: verdictOf(written("markdown").split("\n")[1]?.slice("## ".length) ?? ""),
    junit: decided(xml.includes("<error"), xml.includes("<failure")),
    sarif: decided(counts("error"), counts("warning")),
  };
}

it.each(table)("%s is %s in every format", (_, result, situation) => {
  const all = verdicts(reported(situation));
  expect([...new Set(Object.values(all))]).toEqual([result]);
});
