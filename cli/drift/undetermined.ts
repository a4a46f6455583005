/** The reasons why parts of a stack could not be compared. */
import { withoutUndefined } from "../../provider/resources/contract/values";
import { refersToOther } from "../../provider/resources/session/shared-causes";
import { type ParsedNotice, parseNotice } from "../../provider/text/notices";
import { own } from "../../provider/text/own";
import { parseReference } from "../../provider/text/references";
import { createRedact } from "../../provider/transport";
import type { Diagnostic, EngineRun, Step } from "../lib/engine-events";
import { kindOf, logicalName, treatmentOf, typeOf } from "../lib/own-resources";
import type { StateResource } from "../lib/stack-export";
import type { StackState } from "../lib/stacks";
import { propertiesNotProven } from "./findings";
import type { Finding, Report, Undetermined } from "./report/model";

/** Masks addresses with a password, such as that of a database which holds the state. */
const redact = createRedact([]);

/** The errors of this provider's resources: the last message by URN. */
export function resourceErrors({ diagnostics }: EngineRun): ReadonlyMap<string, string> {
  return new Map(
    diagnostics.filter(isOfResource).map(({ urn = "", message }) => [urn, withoutPrefix(message)]),
  );
}

/**
 * Whether Pulumi failed before it read the first resource: then one reason applies to the whole
 * stack.
 */
export function neverBegan(run: EngineRun, failure: string | undefined): boolean {
  return (
    failure !== undefined && !run.steps.some(({ isRefresh }) => isRefresh) && resourceErrors(run).size === 0
  );
}

const PENDING: Readonly<Record<string, string>> = {
  creating: "created",
  updating: "updated",
  deleting: "deleted",
  importing: "imported",
};

/**
 * Unfinished operations of earlier runs, which no step of the engine shows. A resource that was
 * being created has no id, so no refresh reads it.
 */
export function undeterminedPending({ stack, pending, replaced }: StackState): Undetermined[] {
  const left = replaced.map(({ urn }) => ({
    what: urn,
    reason: "A replacement has not deleted the former object yet. Run `pulumi up`.",
    stack,
  }));
  const cutOff = pending.map(({ type, resource: { urn } }) => ({
    what: urn,
    reason: `A run was interrupted while it ${own(PENDING, type) ?? "changed"} this, or is still in progress. The outcome is not recorded. If no run is in progress, run \`pulumi refresh\` at a terminal${type === "creating" ? "" : ", and then `pulumi up`"}.`,
    stack,
  }));
  return [...left, ...cutOff];
}

export function isUnfinished({ initErrors }: StateResource): boolean {
  return (initErrors?.length ?? 0) > 0;
}

/**
 * The reason why an unfinished resource is undetermined. The live object may be as declared, but
 * the state does not prove that all of it was declared.
 */
export function whyUnfinished({ initErrors }: StateResource): string | undefined {
  if (!initErrors?.length) return undefined;
  return `The last create or update did not finish: ${messageInOneLine(initErrors.join(" "))} Run \`pulumi up\`.`;
}

/**
 * The reason if the state holds live values instead of declared ones, so no difference can be
 * detected.
 */
export function whyNotProven(step: Step, { ignoreChanges }: StateResource): string | undefined {
  const names = propertiesNotProven(step, ignoreChanges ?? []);
  if (names.length === 0) return undefined;
  return `A refresh has replaced the declared values of ${names.join(", ")} in the state with live values, and no update has followed. Compare with the program, or run \`pulumi up\`.`;
}

export const DIFFERS_SOMEWHERE = "Pulumi reports a difference but not which property.";

/**
 * The reason for a missing step. The engine ends a refresh at the first failures, so a resource
 * may have none of its own.
 */
export function whyMissing(urn: string, { diagnostics }: EngineRun, failure: string | undefined): string {
  const own = diagnostics.find((diagnostic) => diagnostic.urn === urn && isError(diagnostic));
  if (own) return withoutPrefix(own.message);
  return failure === undefined ? "Pulumi did not check it." : `Pulumi stopped before checking it: ${failure}`;
}

/** The reason why a read does not show whether the object is as declared. */
export function whyUndetermined(
  { type, old, new: live }: Step,
  found: readonly Finding[] | undefined,
): string | undefined {
  if (found === undefined) return DIFFERS_SOMEWHERE;
  return treatmentOf(type)?.whyUndetermined?.(old?.inputs ?? {}, live?.outputs ?? {});
}

/**
 * The undetermined things of a stack with the cause that several have in common. Of these, the one that
 * explains it comes first and the others last.
 */
export function withSharedCauses(
  undetermined: readonly Undetermined[],
  resources: readonly StateResource[],
): Undetermined[] {
  const idOf = new Map(resources.map(({ urn, id }) => [urn, id]));
  // The dynamic provider knows no logical names.
  const isNamed = ({ what }: Undetermined, name: string) =>
    logicalName(what) === name ||
    [logicalName(what), idOf.get(what)].some((own) => `${kindOf(typeOf(what))} ${own}` === name);
  const explaining = new Map<Undetermined, string>();
  const referring = undetermined.flatMap((thing) => {
    const reference = parseReference(thing.reason);
    if (reference === undefined) return [];
    const { cause, name } = reference;
    const other = undetermined.find((each) => !refersToOther(each.reason) && isNamed(each, name));
    if (other) explaining.set(other, cause);
    return [{ ...thing, sharedCause: withoutUndefined({ name: cause, explainedBy: other?.what }) }];
  });
  const single = undetermined.filter((thing) => !refersToOther(thing.reason) && !explaining.has(thing));
  const first = [...explaining].map(([thing, name]) => ({
    ...thing,
    sharedCause: { name, explainedBy: thing.what },
  }));
  return [...first, ...single, ...referring];
}

/**
 * What the whole run leaves undetermined. Its failure is included only if no resource reports it
 * already.
 */
export function undeterminedOfRun(
  { summary }: EngineRun,
  steps: readonly Step[],
  failure: string | undefined,
  isReported: boolean,
): string[] {
  if (failure !== undefined) return isReported ? [] : [failure];
  if (summary === undefined) {
    return ["Pulumi ended without a summary of its checks. The command requires Pulumi 3.227 or newer."];
  }
  return Object.entries(summary).flatMap(([op, count]) => {
    const found = steps.filter((step) => step.op === op).length;
    if (op === "same" || count <= found) return [];
    return [`Pulumi counts ${count} to ${op}, but its steps show ${found}.`];
  });
}

/**
 * The most informative error: of a resource, another one, or what a program wrote on its stderr
 * before it ended.
 */
export function generalError({ diagnostics }: EngineRun): string | undefined {
  const errors = diagnostics.filter(isError).filter(({ message }) => !refersToOther(withoutPrefix(message)));
  const chosen = errors.find(isOfResource) ?? errors[0];
  if (chosen) return withoutPrefix(chosen.message);
  const written = diagnostics.filter(({ severity }) => severity === "info#err").map(({ message }) => message);
  return written.length === 0 ? undefined : messageInOneLine(written.join(" "));
}

function messageInOneLine(text: string): string {
  return redact(text).replace(/\s+/g, " ").trim();
}

/** A program can print any amount of text, and a report has more readers than its log. */
const LONGEST_REASON = 1000;
const LONGEST_END = 300;

/**
 * The report with the middle of each long reason left out. The end often contains what to do. Only
 * for a report in which people are masked already: a part of a name is not recognized as one.
 */
export function withShortReasons(report: Report): Report {
  return {
    ...report,
    unreadable: report.unreadable.map((thing) => ({ ...thing, reason: shortened(thing.reason) })),
  };
}

function shortened(reason: string): string {
  const characters = [...reason];
  if (characters.length <= LONGEST_REASON) return reason;
  const start = characters.slice(0, LONGEST_REASON - LONGEST_END).join("");
  return `${start} [...] ${characters.slice(-LONGEST_END).join("")}`;
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function isOfResource(diagnostic: Diagnostic): boolean {
  return isError(diagnostic) && diagnostic.urn !== undefined && kindOf(typeOf(diagnostic.urn)) !== undefined;
}

/** The message without the prefix of the CLI. */
function withoutPrefix(message: string): string {
  return redact(message)
    .replace(/^error: /, "")
    .replace(/^Preview failed: /, "")
    .trim();
}

/** The codes of notices about what was not read. */
const UNREAD = new Set<ParsedNotice["code"]>(["unreadable", "missing operation", "unverified"]);

/**
 * Why resources were not read, by URN. The provider retains the last known state of such a
 * resource, and the engine reports it as unchanged. The provider logs one notice for each project,
 * even if several resources share its people. A notice of the dynamic provider has no URN. The
 * project therefore decides.
 */
export function unreadReasons(
  { diagnostics }: EngineRun,
  { resources }: Pick<StackState, "resources">,
): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const { message, urn } of diagnostics) {
    const notice = parseNotice(message);
    if (notice === undefined || !UNREAD.has(notice.code)) continue;
    for (const each of [...urnsOf(notice, resources), ...(urn ? [urn] : [])]) {
      reasons.set(each, notice.sentence);
    }
  }
  return reasons;
}

/** The resources about which the provider gave a notice with this code, by URN. */
export function withNotice(
  code: "undeclared" | "in doubt",
  { diagnostics }: EngineRun,
  { resources }: Pick<StackState, "resources">,
): ReadonlySet<string> {
  return new Set(
    diagnostics.flatMap(({ message, urn }) => {
      const notice = parseNotice(message);
      if (notice?.code !== code) return [];
      return urn ? [urn] : urnsOf(notice, resources);
    }),
  );
}

function urnsOf(notice: ParsedNotice, resources: readonly StateResource[]): string[] {
  const { subject, placeId, invitationId } = notice;
  const inPlace = resources.filter(
    ({ type, id = "" }) =>
      treatmentOf(type)?.subjects.includes(subject) &&
      (placeId === undefined || id.split("/")[0] === placeId),
  );
  // A secret id is an object in an exported state, so it matches nothing.
  const invited = inPlace.filter(
    ({ id = "", outputs }) =>
      invitationId !== undefined && [outputs?.invitationId, id.split("/")[1]].includes(invitationId),
  );
  return (invited.length > 0 ? invited : inPlace).map(({ urn }) => urn);
}
