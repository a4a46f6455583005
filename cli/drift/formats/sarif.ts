/** The report as SARIF 2.1.0 (OASIS), for code scanning. */

import { withoutUndefined } from "../../../provider/resources/contract/values";
import { visibleText } from "../../../provider/text/visible-text";
import { organizationText } from "../../lib/organization";
import { fingerprintOf, physicalLocation, sarifLog, sarifRule, withoutLinks } from "../../lib/sarif";
import { propertyIdentity, undeterminedIdentity, unmanagedIdentity } from "../identity";
import {
  type DriftReport,
  type Finding,
  type FormatOptions,
  isCompared,
  isNew,
  type UndeterminedRow,
  type UnmanagedEntry,
  type UnmanagedKind,
  undeterminedRows,
  unmanagedEntries,
} from "../report";
import {
  differenceText,
  kindOfResource,
  lastEventText,
  ownerText,
  undeterminedText,
  unreadEventsText,
} from "./wording";

interface Result {
  readonly ruleId: RuleId;
  readonly level: "error" | "warning" | "note";
  readonly text: string;
  /** The object in SARIF's terms: a URN, or a path of our own for an object without a resource. */
  readonly fullyQualifiedName: string;
  readonly name: string;
  /** The values that identify the finding in the next run. */
  readonly identity: readonly unknown[];
  readonly ignored?: Finding["ignored"];
  readonly location?: Finding["location"];
  readonly cause?: Finding["cause"];
  readonly since?: Finding["since"];
  readonly lastEvent?: Finding["lastEvent"];
  /** Resources that have the result in common. */
  readonly occurrenceCount?: number | undefined;
}

export function sarif(report: DriftReport, options: Partial<FormatOptions> = {}): string {
  const file = options.programFile ?? "Pulumi.yaml";
  const found = [
    ...report.findings.map(ofFinding),
    ...undeterminedRows(report, report.unreadable).map(ofUnreadable),
    ...ofUnmanaged(report.unmanaged),
  ];
  const times = new Map<string, number>();
  const results = found.map((result) => {
    const fingerprint = fingerprintOf(result.identity);
    const nth = (times.get(fingerprint) ?? 0) + 1;
    times.set(fingerprint, nth);
    return {
      ...toSarif(result, file, `${fingerprint}:${nth}`),
      // Resolved findings are left out, because code scanning shows each result as an open alert.
      ...(isCompared(report) && { baselineState: isNew(report, result) ? "new" : "unchanged" }),
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
}

function ofFinding(finding: Finding): Result {
  const { urn, name, kind, comparison, cause, ignored, location, since, lastEvent } = finding;
  return {
    ruleId: kind,
    level: ignored ? "note" : kind === "deleted" ? "error" : "warning",
    text: `${kindOfResource(finding)} ${visibleText(name)}: ${differenceText(finding)}`,
    fullyQualifiedName: urn,
    name,
    identity: [kind, comparison, urn, ...propertyIdentity(finding)],
    ignored,
    location,
    cause,
    since,
    lastEvent,
  };
}

function ofUnreadable(row: UndeterminedRow): Result {
  const { what, reason, ignored, location, since, sharedCause, stack, things } = row;
  const isGroup = sharedCause !== undefined && things.length > 1;
  return {
    ruleId: "unreadable",
    level: ignored ? "note" : "error",
    text: `${visibleText(undeterminedText(row))} could not be determined: ${visibleText(reason)}`,
    fullyQualifiedName: what,
    name: undeterminedText({ what }),
    // Which resource explains the cause may change from run to run.
    identity: isGroup ? ["unreadable", stack, sharedCause.name] : undeterminedIdentity(row),
    occurrenceCount: isGroup ? things.length : undefined,
    ignored,
    location,
    since,
  };
}

/** Results for unmanaged objects. */
function ofUnmanaged(unmanaged: DriftReport["unmanaged"]): Result[] {
  return unmanagedEntries(unmanaged).map((entry) => {
    const { kind, name, ignored, since, lastEvent } = entry;
    return {
      ruleId: "unmanaged",
      level: unmanaged?.countsAsDrift && !ignored ? "warning" : "note",
      ...UNMANAGED_RESULTS[kind](entry),
      name,
      identity: unmanagedIdentity(entry),
      ignored,
      since,
      lastEvent,
    };
  });
}

const UNMANAGED_RESULTS: Readonly<
  Record<UnmanagedKind, (entry: UnmanagedEntry) => Pick<Result, "text" | "fullyQualifiedName">>
> = {
  projects: ({ name, id, ...entry }) => ({
    text: `Project ${visibleText(name)} (${id}) of ${organizationText(entry)} is owned by no resource.`,
    fullyQualifiedName: `organization/${entry.orgId}/project/${id}`,
  }),
  people: ({ name, status, container }) => ({
    text: `${visibleText(name)} is ${status === "pending" ? "invited to" : "in"} project ${visibleLabel(container)}, and no resource owns that.`,
    fullyQualifiedName: `project/${container.id}/person/${name}`,
  }),
  teams: ({ name, container }) => ({
    text: `Team ${visibleText(name)} is in project ${visibleLabel(container)}, and no resource owns that.`,
    fullyQualifiedName: `project/${container.id}/team/${name}`,
  }),
  keys: ({ name, id, container }) => ({
    text: `API key ${visibleText(name)} (${id}) has roles in project ${visibleLabel(container)}, and no resource owns that.`,
    fullyQualifiedName: `project/${container.id}/key/${id}`,
  }),
  mappings: ({ name, container, roles }) => ({
    text: `${name} of project ${visibleLabel(container)} give groups ${visibleText(roles.join(", "))}, and no resource declares that.`,
    fullyQualifiedName: `project/${container.id}/${name}`,
  }),
  owners: (entry) => ({
    text: `${visibleText(entry.name)} is ${ownerText(entry)}${rolesText(entry)}, and no resource declares that.`,
    fullyQualifiedName: `organization/${entry.orgId}/owner/${entry.name}`,
  }),
  ownerKeys: (entry) => ({
    text: `API key ${visibleLabel(entry)} is ${ownerText(entry)}${rolesText(entry)}, and no resource declares that.`,
    fullyQualifiedName: `organization/${entry.orgId}/key/${entry.id}`,
  }),
  teamPeople: ({ name, container, ...entry }) => ({
    text: `${visibleText(name)} is in team ${visibleLabel(container)} of ${organizationText(entry)}${rolesText(entry)}, and no resource owns that.`,
    fullyQualifiedName: `team/${container.id}/person/${name}`,
  }),
};

function rolesText({ roles }: Pick<UnmanagedEntry, "roles">): string {
  return roles.length === 0 ? "" : ` (${visibleText(roles.join(", "))})`;
}

function visibleLabel({ name, id }: UnmanagedEntry["container"]): string {
  return `${visibleText(name)} (${id})`;
}

function toSarif(
  {
    ruleId,
    level,
    text,
    fullyQualifiedName,
    name,
    ignored,
    location,
    cause,
    lastEvent,
    occurrenceCount,
  }: Result,
  file: string,
  fingerprint: string,
) {
  const event = lastEventText({ lastEvent });
  return {
    ruleId,
    ruleIndex: RULES.findIndex(({ id }) => id === ruleId),
    level,
    message: { text: withoutLinks([text, event && `(${event})`].filter(Boolean).join(" ")) },
    locations: [
      {
        // Code scanning shows only results with a file.
        physicalLocation: physicalLocation(location?.file ?? file, regionOf(location)),
        logicalLocations: [{ name, fullyQualifiedName, kind: "resource" }],
      },
    ],
    // GitHub compares only the first name. Based on the line of the file, all findings of a rule
    // would be the same.
    partialFingerprints: { primaryLocationLineHash: fingerprint, "opsmanagerDrift/v1": fingerprint },
    suppressions: ignored ? [suppressionOf(ignored)] : [],
    ...(occurrenceCount !== undefined && { occurrenceCount }),
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
    name: "Deleted",
    short: "A declared object no longer exists.",
    help: "The whole object no longer exists; its organization confirmed it. `pulumi up` creates another one, which has neither the data nor the id of the former one. If you do not need it, remove the resource from the program.",
  }),
  rule("undeclared", "warning", {
    name: "Undeclared",
    short: "Someone or something has access to a managed project and is not declared.",
    help: "A person, a team, an API key or a group was added outside Pulumi. `pulumi up` leaves them, unless their `ProjectMembers` or `Team` has `removeUnlisted: true`. To remove people, set `removeUnlisted`, or remove them in Ops Manager. To accept them, declare them, add people to `ignoreUsers` of `ProjectMembers`, or add a rule with a reason to the ignore file.",
  }),
  rule("unreadable", "error", {
    name: "NotDetermined",
    short: "It could not be determined whether the object is as declared.",
    help: "The object could not be read, or the state does not prove what was declared. The message shows the reason; often the API key lacks a role. The report is incomplete.",
  }),
  rule("unmanaged", "note", {
    name: "Unmanaged",
    short: "No resource of the given stacks owns it.",
    help: "A project, a person, an invitation or a team that was created or added outside Pulumi. `opsmanager adopt` writes the files that are needed to manage what is in a project. To manage a person of a team, add the name to the `usernames` of its `Team`. To accept it, name it in the ignore file with `kind: unmanaged` and a reason.",
  }),
];
