/** One run has one verdict: every format, the JSON result and the outputs of the action agree. */
import type { IgnoreRule } from "../../../../cli/drift/ignore-rules";
import { reportOn } from "../../../../cli/drift/index";
import type { Finding, Report, Unmanaged } from "../../../../cli/drift/report/model";
import { finding, formatted, undeclaredPerson, unmanaged } from "./reports";
import { stateOf } from "./stream";

interface Situation {
  readonly title: string;
  readonly result: Report["result"];
  readonly findings?: readonly Finding[];
  readonly isIncomplete?: boolean;
  readonly unmanaged?: Unmanaged;
  readonly failOnUnmanaged?: boolean;
  readonly rules?: readonly IgnoreRule[];
}

const owner = [finding({ ...undeclaredPerson, name: "people" })];
const until = { reason: "audit", expires: "2999-12-31" };
const all = { resource: "*", ...until } as const;
const byName = { resource: "people", property: "members*", kind: "undeclared", ...until } as const;
const byProject = { resource: "payments", property: "mallory@*", kind: "unmanaged", ...until } as const;
const onlyIndirect = {
  ...unmanaged,
  rows: unmanaged.rows.filter(({ status }) => status === "indirect"),
};

function reported({ findings = [], isIncomplete, failOnUnmanaged = false, ...situation }: Situation): Report {
  const { rules = [], unmanaged: beside } = situation;
  const undetermined = isIncomplete ? [{ what: "stack test", reason: "No state.", stack: "test" }] : [];
  return reportOn([{ state: { ...stateOf({}), stack: "prod" }, findings: [], undetermined: [] }], rules, {
    generatedAt: "2026-03-04T05:06:07.890Z",
    beside: { findings, undetermined, ...(beside && { unmanaged: beside }) },
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
  const results: { level: string }[] = JSON.parse(written("sarif")).runs[0].results;
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

it.each<Situation>([
  { title: "nothing", result: "clean" },
  { title: "unmanaged objects that do not count", result: "clean", unmanaged },
  { title: "unmanaged objects that count", result: "drift", unmanaged, failOnUnmanaged: true },
  {
    title: "people whom no resource could manage, although unmanaged objects count",
    result: "clean",
    unmanaged: onlyIndirect,
    failOnUnmanaged: true,
  },
  { title: "a changed property", result: "drift", findings: [finding()] },
  { title: "an undeclared owner", result: "drift", findings: owner },
  { title: "an owner accepted by the resource", result: "clean", findings: owner, rules: [byName] },
  { title: "an owner accepted by the project", result: "clean", findings: owner, rules: [byProject] },
  {
    title: "something undetermined that is accepted",
    result: "clean",
    isIncomplete: true,
    rules: [{ ...all, kind: "unreadable" }],
  },
  {
    title: "something undetermined and drift, and a rule for all else",
    result: "unknown",
    isIncomplete: true,
    findings: owner,
    rules: [all],
  },
  {
    title: "something undetermined and unmanaged objects that count",
    result: "unknown",
    isIncomplete: true,
    unmanaged,
    failOnUnmanaged: true,
  },
])("$title: $result in every format", ({ result, ...situation }) => {
  const all = verdicts(reported({ result, ...situation }));
  expect([...new Set(Object.values(all))]).toEqual([result]);
});
