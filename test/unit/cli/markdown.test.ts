/** Text from outside in the Markdown of `drift` and `summarize`, wherever a report has a text. */
import type { Report } from "../../../cli/drift/report/model";
import { differenceKinds, findingCauses, unmanagedKinds } from "../../../cli/drift/report/schema";
import type { UndeclaredHolder } from "../../../cli/summarize/access";
import { type Summary, summaryOf } from "../../../cli/summarize/changes";
import { operations, stories } from "../../../cli/summarize/groups";
import { markdown as summaryInMarkdown } from "../../../cli/summarize/markdown";
import { owningRights } from "../../../provider/access/rights";
import { isRecord } from "../../../provider/resources/contract/values";
import { describeIf } from "../../support";
import { judgesProblem, markdownRenderer } from "../../support/formats";
import { everything, finding, formatted, report, undeclaredPerson } from "./drift/reports";
import { line, runOf, urnOf } from "./drift/stream";

const OUTSIDE =
  "@team #1 GH-1 **b** [l](https://x.example.com) www.example.com ada@example.com <!-- <img src=x> </details> ~~~~~~ `c` a|b \\| \n# h";

/** What a report has beside texts from outside: words of this provider, dates and its version. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  ...[...differenceKinds, ...findingCauses, ...unmanagedKinds, ...stories, ...operations],
  ...owningRights.map(({ role }) => role),
  ...["project", "team", "organization", "other", "person", "active", "pending", "indirect"],
  ...["found", "unmanaged", "preview", "drift", "clean", ""],
]);
const DATE_OR_VERSION = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$|^\d+\.\d+\.\d+$/;

/** Replaces every text from outside, wherever it stands. */
function fromOutside(value: unknown, key = ""): unknown {
  if (typeof value === "string")
    return key === "texts" || OWN_WORDS.has(value) || DATE_OR_VERSION.test(value) ? value : OUTSIDE;
  if (Array.isArray(value)) return value.map((entry: unknown) => fromOutside(entry, key));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, fromOutside(entry, name)]));
}

const orgId = "5f00000000000000000000aa";
const projectId = "5f0000000000000000000001";

const event = {
  outcome: "found",
  time: "2026-11-24T10:02:00Z",
  username: OUTSIDE,
  address: OUTSIDE,
} as const;

/** A run with changes of each origin, new owners, refusals and messages. */
function run() {
  const step = (op: string, name: string, type: string, before?: object, after?: object) => {
    const side = (inputs: object | undefined) =>
      inputs && { id: projectId, custom: true, inputs, outputs: inputs };
    return { op, urn: urnOf(name, type), type, logical: true, old: side(before), new: side(after) };
  };
  const read = (...facts: [name: string, type: string, recorded: object, live: object]) => {
    const metadata = step("refresh", ...facts);
    return [{ resourcePreEvent: { metadata } }, { resOutputsEvent: { metadata } }];
  };
  const planned = (...facts: Parameters<typeof step>) => ({
    resOutputsEvent: { metadata: step(...facts), planning: true },
  });
  const own = (kind: string) => `opsmanager:index:${kind}`;
  const list = (...names: string[]) => ({
    projectId,
    members: Object.fromEntries(names.map((name) => [name, ["GROUP_OWNER"]])),
  });
  const [member, boss] = [
    own("ProjectMember"),
    { orgId, projectId, username: "boss", roles: ["ORG_MEMBER"] },
  ];
  const events = [
    // A provider of somebody else may find a difference and name no property.
    planned("update", "pet", "random:index:Pet", { size: 1 }, { size: 1 }),
    ...read("payments", own("Project"), { name: "a", tags: ["A"] }, { name: "b", tags: ["A"] }),
    planned("update", "payments", own("Project"), { name: "b", tags: ["A"] }, { name: "a", tags: ["B"] }),
    ...read("people", own("ProjectMembers"), list("ada"), list("ada", "eve")),
    planned("update", "people", own("ProjectMembers"), list("ada", "eve"), list("ada", "bob")),
    planned("same", "boss", member, boss, boss),
    planned("delete", "boss", own("OrganizationMember"), boss),
    ...["error", "warning"].map((severity) => ({
      diagnosticEvent: { urn: urnOf("payments"), severity, message: "text" },
    })),
  ];
  return runOf(...events.map(line));
}

function summarized(): string {
  const undeclared: UndeclaredHolder = {
    ...{ name: "eve", roles: ["GROUP_OWNER"], key: "key", isNew: true },
    ...{ place: { kind: "project", id: projectId }, in: { what: "team", name: "ops" } },
  };
  const found = summaryOf(run(), { command: "preview", stack: "prod", failure: "failed" });
  const summary = fromOutside({ ...found, undeclared: [undeclared] }) as Summary;
  const of = new Map([...summary.outside, ...summary.undeclared].map((entry) => [entry, event]));
  const unread = [{ what: OUTSIDE, reason: OUTSIDE }];
  return summaryInMarkdown(summary, { wholeReport: [OUTSIDE], events: { of, unread } });
}

function drifted(): string {
  const full = everything();
  const entry = {
    kind: "changed",
    what: "x",
    fingerprint: "x",
    since: "2026-03-01T00:00:00Z",
    stack: "x",
  } as const;
  const found = report({
    ...full,
    findings: [...full.findings, finding({ ...undeclaredPerson, lastEvent: event })],
    eventsUnread: [{ what: "project x", reason: "refused" }],
    ends: [{ stack: "x", place: "project x", username: "x", until: "2026-01-01" }],
    previous: { generatedAt: "2026-03-02T00:00:00Z", resolved: [entry], notChecked: [entry] },
  });
  return formatted("markdown")(fromOutside(found) as Report, { wholeReport: [OUTSIDE] });
}

describeIf(judgesProblem() === "", judgesProblem())("the Markdown of", () => {
  it.each([
    { command: "summarize", written: summarized, tables: 6 },
    { command: "drift", written: drifted, tables: 9 },
  ])(
    "$command takes no text from outside for Markdown, HTML, a mention or a link, and keeps rows at their columns",
    async ({ written, tables }) => {
      const render = await markdownRenderer();
      const html = render(written());
      // GitHub reads mentions and references outside of code only.
      const outside = html.replace(/^<!--.*?-->/, "").replaceAll(/<code[^>]*>.*?<\/code>/gs, "");
      expect(outside).not.toMatch(/@|#\d|GH-|<!--|<img|<a |<strong>b|<h1|~~|example\.com/);
      expect(outside.match(/<details\b/g)).toHaveLength(outside.match(/<\/details>/g)?.length ?? 0);
      const found = [...html.matchAll(/<table>.*?<\/table>/gs)];
      expect(found).toHaveLength(tables);
      for (const [table] of found) {
        const rows = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)];
        const counts = rows.map(([, row]) => row?.match(/<t[hd]>/g)?.length);
        expect(new Set(counts).size).toBe(1);
      }
    },
  );
});
