/** The report as SARIF 2.1.0 (OASIS), for code scanning. */
import { withoutUndefined } from "../../../provider/resources/contract/values";
import { fingerprintOf, physicalLocation, sarifLog, sarifRule, withoutLinks } from "../../lib/sarif";
import { type Document, type Entry, type EntryKind, statement } from "../report/document";
import { type Finding, isCompared } from "../report/model";
import { unreadEventsText } from "../report/summary";
import type { Format } from "./format";

export const sarif: Format = (document, { programFile = "Pulumi.yaml" } = {}) => {
  const { report } = document;
  const times = new Map<string, number>();
  const results = resultsOf(document).map(({ entry, ...result }) => {
    const fingerprint = fingerprintOf(entry.identity);
    const nth = (times.get(fingerprint) ?? 0) + 1;
    times.set(fingerprint, nth);
    return {
      ...toSarif(entry, result, programFile, `${fingerprint}:${nth}`),
      // Resolved findings are left out, because code scanning shows each result as an open alert.
      ...(isCompared(report) && { baselineState: entry.isNew ? "new" : "unchanged" }),
    };
  });
  return sarifLog({
    command: "opsmanager drift",
    rules: RULES,
    results,
    // Drift is a successful result of the run; it failed if something could not be read.
    invocation: {
      executionSuccessful: report.result !== "unknown",
      startTimeUtc: report.generatedAt,
      toolExecutionNotifications: (report.eventsUnread ?? []).map((list) => ({
        level: "warning",
        message: { text: withoutLinks(unreadEventsText(list)) },
      })),
    },
  });
};

interface Result {
  readonly ruleId: RuleId;
  readonly level: "error" | "warning" | "note";
}

/** What is no result, such as an entry of the earlier report, has no rule. */
function resultsOf({ report, entries }: Document): (Result & { readonly entry: Entry })[] {
  return entries.flatMap((entry) => {
    const ruleId = ruleOf(entry.kind);
    if (ruleId === undefined) return [];
    return [{ entry, ruleId, level: levelOf(entry, ruleId, report.unmanaged?.countsAsDrift) }];
  });
}

function levelOf({ ignored }: Entry, rule: RuleId, unmanagedCounts = false): Result["level"] {
  if (ignored) return "note";
  if (rule === "deleted" || rule === "unreadable") return "error";
  return rule === "unmanaged" && !unmanagedCounts ? "note" : "warning";
}

function toSarif(entry: Entry, { ruleId, level }: Result, file: string, fingerprint: string) {
  const { remarks, path, name, location, ignored, cause, lastEvent, members = [] } = entry;
  // The cause is in a field of its own as well, and the age is the state of the baseline.
  const text = statement(
    entry,
    remarks.filter((remark) => remark.name !== "age"),
  );
  return {
    ruleId,
    ruleIndex: RULES.findIndex(({ id }) => id === ruleId),
    level,
    message: { text: withoutLinks(text) },
    locations: [
      {
        // Code scanning shows only results with a file.
        physicalLocation: physicalLocation(location?.file ?? file, regionOf(location)),
        logicalLocations: [{ name: members[0] ?? name, fullyQualifiedName: path, kind: "resource" }],
      },
    ],
    // GitHub compares only the first name. Based on the line of the file, all findings of a rule
    // would be the same.
    partialFingerprints: { primaryLocationLineHash: fingerprint, "opsmanagerDrift/v1": fingerprint },
    suppressions: ignored ? [suppressionOf(ignored)] : [],
    ...(members.length > 1 && { occurrenceCount: members.length }),
    ...((cause || lastEvent) && { properties: withoutUndefined({ cause, lastEvent }) }),
  };
}

function regionOf({ line = 1, column }: Partial<NonNullable<Finding["location"]>> = {}) {
  return { startLine: line, ...(column !== undefined && { startColumn: column }) };
}

function suppressionOf({ reason, expires }: NonNullable<Finding["ignored"]>) {
  const justification = expires === undefined ? reason : `${reason} (until ${expires})`;
  return { kind: "external", status: "accepted", justification };
}

// One SARIF rule for each kind of difference. The ids must stay the same, because they identify
// alerts.

type RuleId = Finding["kind"] | "unreadable" | "unmanaged";

function ruleOf(kind: EntryKind): RuleId | undefined {
  if (kind === "undetermined") return "unreadable";
  return kind === "indirect" || kind === "resolved" || kind === "notChecked" ? undefined : kind;
}

const RESTORE =
  "The message shows whether the object was changed outside Pulumi or the program is not applied yet. `pulumi up` restores what the program declares. To keep the live value, write it into the program. To leave the difference out of the count, add a rule with a reason to the ignore file of `opsmanager drift`.";

const rule = (id: RuleId, level: Parameters<typeof sarifRule>[1], texts: Parameters<typeof sarifRule>[2]) =>
  sarifRule(id, level, texts, "drift");

const RULES = [
  rule("changed", "warning", {
    name: "ChangedProperty",
    short: "A declared property has another value at the service.",
    help: `The live value is another one. ${RESTORE}`,
  }),
  rule("added", "warning", {
    name: "NotDeclared",
    short: "Something exists that is not declared.",
    help: `A tag, a mapping or a person exists in a property that the program owns, or a resource is no longer in the program. ${RESTORE}`,
  }),
  rule("removed", "warning", {
    name: "Missing",
    short: "Something declared does not exist.",
    help: `A declared tag, mapping, person or resource does not exist. ${RESTORE}`,
  }),
  rule("deleted", "error", {
    name: "DeletedObject",
    short: "A declared object no longer exists.",
    help: "The whole object no longer exists; its organization confirmed it. `pulumi up` creates another one, which has neither the data nor the id of the former one. If you do not need it, remove the resource from the program.",
  }),
  rule("undeclared", "warning", {
    name: "UndeclaredAccess",
    short: "Someone or something has access to a managed project and is not declared.",
    help: "A person, a team, an API key or a group was added outside Pulumi. `pulumi up` leaves them, unless their `ProjectMembers` or `Team` has `removeUnlisted: true`. To remove people, set `removeUnlisted`, or remove them in Ops Manager; an account that has taken the name of a listed one stays until the list has the new name of the renamed account. To accept them, declare them, add people to `ignoreUsers` of `ProjectMembers`, or add a rule with a reason to the ignore file.",
  }),
  rule("unreadable", "error", {
    name: "NotDetermined",
    short: "It could not be determined whether the object is as declared.",
    help: "The object could not be read, or the state does not prove what was declared. The message shows the reason; often the API key lacks a role. The report is incomplete.",
  }),
  rule("unmanaged", "note", {
    name: "UnmanagedObject",
    short: "No resource of the given stacks owns it.",
    help: "A project, a person, an invitation or a team that was created or added outside Pulumi. `opsmanager adopt` writes the files that are needed to manage what is in a project. To manage a person of a team, add the name to the `usernames` of its `Team`. To accept it, name it in the ignore file with `kind: unmanaged` and a reason.",
  }),
];
