/** What a report of `opsmanager drift` names, read back from each of its formats. */
import type { DriftReport } from "../../../cli/drift/report/schema";

export interface Named {
  /** `Project payments tags[0] added`, `ProjectMember ada deleted`, sorted. */
  readonly drifted: readonly string[];
  /** Projects and people that no resource owns. */
  readonly unmanaged: readonly string[];
}

function named(drifted: readonly string[], unmanaged: readonly string[]): Named {
  return { drifted: [...drifted].sort(), unmanaged };
}

const whole = "The whole object no longer exists (changed outside Pulumi)";

/** `payments (Project): tags[0] was added: ...`, as SARIF and JUnit have it. */
function ofSentence(sentence: string): string {
  const [, name, type, text = ""] = /^(.+?) \((\w+)\): (.+)$/.exec(sentence) ?? [];
  if (text === `${whole}.`) return `${type} ${name} deleted`;
  const [, property, kind] = /^(.+) was (changed|added|removed): /.exec(text) ?? [];
  return `${type} ${name} ${property} ${kind}`;
}

function json(report: string): Named {
  const { findings, unmanaged }: DriftReport = JSON.parse(report);
  return named(
    findings.map(({ type, name, property, kind }) =>
      [type.split(":").at(-1), name, property, kind].filter((part) => part !== "").join(" "),
    ),
    [
      ...(unmanaged?.projects ?? []).map(({ name }) => name),
      ...(unmanaged?.people ?? [])
        .filter(({ status }) => status !== "indirect")
        .map(({ username }) => username),
    ],
  );
}

function text(report: string): Named {
  const kinds: Readonly<Record<string, string>> = { "~": "changed", "+": "added", "-": "removed" };
  let resource = "";
  const drifted: string[] = [];
  const unmanaged: string[] = [];
  const [declared = "", unmanagedText = ""] =
    report.split(/^Access only through/m)[0]?.split(/^(?=Unmanaged: )/m) ?? [];
  for (const line of declared.split("\n")) {
    const [, name, type] = /^ {2}(\S.*) \((\w+)\)$/.exec(line) ?? [];
    if (type !== undefined) resource = `${type} ${name}`;
    const [, sign = "", property] = /^ {4}([~+-]) (.+?): /.exec(line) ?? [];
    if (property !== undefined) drifted.push(`${resource} ${property} ${kinds[sign]}`);
    if (line === `    x ${whole}`) drifted.push(`${resource} deleted`);
  }
  for (const line of unmanagedText.split("\n\n").slice(1).join("\n").split("\n"))
    if (line !== "") unmanaged.push(/^ {2}(.+?) \([0-9a-f]{24}\): a project of /.exec(line)?.[1] ?? line);
  return named(drifted, unmanaged);
}

function markdown(report: string): Named {
  const tables = report.split("<details>").slice(1);
  const rows = (summary: RegExp) =>
    tables
      .filter((table) => summary.test(table))
      .flatMap((table) =>
        table
          .split("\n")
          .filter((line) => line.startsWith("| "))
          .slice(2),
      )
      .map((line) => line.slice(2, -2).split(" | "));
  const plain = (cell = "") => cell.replaceAll("`", "");
  return named(
    rows(/<summary>.*: \d+ differences?</).map(([resource, kind, property]) => {
      const [, name, type] = /^`(.+) \((\w+)\)`$/.exec(resource ?? "") ?? [];
      return [type, name, ...(property?.startsWith("`") ? [plain(property)] : []), kind].join(" ");
    }),
    rows(/(?:Projects|People) that no resource owns/).map(([name]) => plain(name)),
  );
}

interface SarifResult {
  readonly ruleId: string;
  readonly message: { readonly text: string };
  readonly locations: readonly { readonly logicalLocations: readonly { readonly name: string }[] }[];
}

function sarif(report: string): Named {
  const results: readonly SarifResult[] = JSON.parse(report).runs[0].results;
  const nameOf = ({ locations }: SarifResult) => locations[0]?.logicalLocations[0]?.name ?? "";
  return named(
    results.filter(({ ruleId }) => ruleId !== "unmanaged").map(({ message }) => ofSentence(message.text)),
    results.filter(({ ruleId }) => ruleId === "unmanaged").map(nameOf),
  );
}

function junit(report: string): Named {
  const cases = [
    ...report.matchAll(/<testcase classname="(.*?)" name="(.*?)" time="0"><([\w-]+)[^>]*>([^<]*)</g),
  ].map((match) => match.slice(1).map((part) => part.replaceAll("&quot;", '"')));
  return named(
    cases
      .filter(([, , outcome]) => outcome === "failure" || outcome === "error")
      .flatMap(([, , , lines = ""]) => lines.split("\n").map(ofSentence)),
    cases
      .filter(([classname]) => classname?.startsWith("unmanaged."))
      .map(([, name = ""]) => name.replace(/ \([0-9a-f]{24}\)$/, "")),
  );
}

/** Without the last event of a difference, which is a note beside it. */
function withoutEvents(read: (report: string) => Named): (report: string) => Named {
  return (report) => read(report.replace(/ \(last matching event: [^()]*\)/g, ""));
}

/** By the name that `--format` takes. */
export const namedIn = {
  text: withoutEvents(text),
  json,
  markdown,
  sarif: withoutEvents(sarif),
  junit: withoutEvents(junit),
} as const;
