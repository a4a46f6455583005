/** What a summary says, whatever its format. Pure. */

import { pathText } from "../../provider/resources/contract/property-path";
import { inOrder } from "../../provider/resources/contract/values";
import { visibleText } from "../../provider/text/visible-text";
import { causes } from "../lib/causes";
import type { FoundEvents } from "../lib/find-events";
import { eventText, timeText } from "../lib/last-event";
import { treatmentOf } from "../lib/own-resources";
import { plain, type Sentence, sentence, shortListed, type Words } from "../lib/sentence";
import { counted } from "../lib/terminal";
import type { NewOwner } from "./access";
import type { Summary } from "./changes";
import { type Change, countsOf, type Group, type NamedHolder, type Story } from "./groups";
import type { OutsideChange } from "./outside";
import type { NamedPlace } from "./places";
import { valueText } from "./plan";
import type { Refusal } from "./simulation";

export interface FormatOptions {
  /** Locations of the complete text, for a comment that is too long: names of files, addresses. */
  readonly wholeReport: readonly string[];
  /** Who changed what outside Pulumi. */
  readonly events?: FoundEvents | undefined;
}

export type Format = (summary: Summary, options: FormatOptions) => string;

export const NO_EVENTS: FoundEvents = { of: new Map(), unread: [] };

export const INVITED = "invited";

/** `Preview of prod: 1 new owner; 2 to change, 1 gets access; 3 outside changes to reverse` */
export function titleOf(summary: Summary, quoted = visibleText): string {
  const { command, stack, hasFailed, isDone, groups } = summary;
  const subject = stack === "" ? TITLES[command] : `${TITLES[command]} of ${quoted(stack)}`;
  const early = command === "up" && !isDone ? " before its first change" : "";
  const verdict = hasFailed ? `${subject} failed${early}` : subject;
  const facts = countsIn(summary);
  if (facts.length > 0) return `${verdict}: ${facts.map((texts) => texts.join(", ")).join("; ")}`;
  return hasFailed || groups.length > 0 ? verdict : `${verdict}: no changes`;
}

const TITLES: Readonly<Record<Summary["command"], string>> = { preview: "Preview", up: "Update" };

/** What is important, what the program does, and the rest. */
function countsIn(summary: Summary): string[][] {
  const { isDone, groups, outside, undeclared, changedDays, refusals, newOwners } = summary;
  const of = <T>(cause: Story, list: (group: Group) => readonly T[]) =>
    groups.filter((group) => group.cause === cause).flatMap(list);
  const changesOf = (cause: Story) => of(cause, ({ changes }) => changes);
  const accessOf = (cause: Story) => {
    const back = cause === "outside" ? " back" : "";
    const [gaining, losing] = [
      of(cause, ({ gained }) => gained).length,
      of(cause, ({ lost }) => lost).length,
    ];
    return [
      ...(gaining === 0 ? [] : [counted(gaining, `gets access${back}`, `get access${back}`)]),
      ...(losing === 0 ? [] : [counted(losing, "loses access", "lose access")]),
    ];
  };
  const ending = of("calendar", ({ lost }) => lost).length;
  const [certain, unknown] = [refusals.filter(({ isCertain }) => isCertain), changesOf("unknown").length];
  const namesOf = (isDeclared: boolean) =>
    new Set(
      newOwners.flatMap(({ name, before, undeclared: isStrange }) =>
        before === undefined && isDeclared === !isStrange ? [name] : [],
      ),
    );
  const [declared, strange] = [namesOf(true), namesOf(false)];
  const arrived = undeclared.filter(({ isNew }) => isNew);
  const newcomers = arrived.filter(({ name }) => !strange.has(name)).length;
  const again = outside.filter(isCreatedAgain).length;
  const [changes, byCalendar] = [changesOf("program"), changesOf("calendar").length];
  const isOther = outside.length + ending + byCalendar + arrived.length > 0;
  const isNothing = changes.length + changedDays.length + unknown === 0 && isOther;
  const days = Map.groupBy(changedDays, ({ from, to }) => (!from ? "new" : to ? "moved" : "removed"));
  const daysOf = (kind: "new" | "moved" | "removed") => days.get(kind)?.length ?? 0;
  const [moved, removed, created, reversed] = isDone
    ? (["changed", "removed", "created again", "reversed"] as const)
    : (["to change", "to remove", "to create again", "to reverse"] as const);
  return [
    [
      ...countOf(certain.length, "deletion", "will fail"),
      ...countOf(refusals.length - certain.length, "deletion", "may fail"),
      ...countOf(declared.size, "new owner"),
      ...countOf(strange.size, "new owner", "whom nobody declares"),
    ],
    [
      ...(isNothing ? ["nothing by the program"] : []),
      ...countTexts(changes, summary),
      ...countOf(daysOf("new"), "new last day"),
      ...countOf(daysOf("moved"), "last day", moved),
      ...countOf(daysOf("removed"), "last day", removed),
      ...accessOf("program"),
    ],
    ending > 0
      ? [`${counted(ending, "loses access", "lose access")} by the calendar`]
      : countOf(byCalendar, "change", "by the calendar"),
    countOf(again, "deleted project", `${created}, empty`),
    [...countOf(outside.length - again, "outside change", reversed), ...accessOf("outside")],
    [...countOf(unknown, "change", "of unknown origin"), ...accessOf("unknown")],
    countOf(newcomers, "newcomer", "whom nobody declares"),
  ].filter((texts) => texts.length > 0);
}

function countOf(count: number, noun: string, more = ""): string[] {
  return count === 0 ? [] : [`${counted(count, noun)} ${more}`.trimEnd()];
}

const DONE: Readonly<Record<Change["operation"], string>> = {
  create: "created",
  change: "changed",
  replace: "replaced",
  import: "imported",
  delete: "deleted",
  release: "released",
};

export function countTexts(changes: readonly Change[], { isDone }: Pick<Summary, "isDone">): string[] {
  return countsOf(changes).flatMap(([outcome, count]) => {
    const text = outcome === "failed" ? outcome : isDone ? DONE[outcome] : `to ${outcome}`;
    return count === 0 ? [] : [`${count} ${text}`];
  });
}

/** What follows from the cause. */
export function headingOf(cause: Story, { isDone }: Summary): string {
  switch (cause) {
    case "program":
      return isDone ? "What the program changed" : "What the program changes";
    case "calendar":
      return `${isDone ? "Ended" : "Ends"} by the calendar: the last day is over`;
    case "outside":
      return `Changed outside Pulumi, and ${isDone ? "changed back" : "to be changed back"}`;
    case "unknown":
      return "It is not known whether the program or somebody outside Pulumi changed this";
  }
}

export const UNDECLARED = "Declared by nobody, and left as they are";

/** A new owner, with all places in which they get these roles. */
export interface OwnerOfPlaces extends NewOwner {
  readonly places: readonly NamedPlace[];
}

/** Those first whom the program makes. */
export function ownersIn({ newOwners }: Summary): OwnerOfPlaces[] {
  const rankOf = ({ cause, undeclared }: NewOwner) => causes.indexOf(cause) - (undeclared ? 0.5 : 0);
  const sorted = [...newOwners].sort((one, next) => rankOf(one) - rankOf(next));
  const same = Map.groupBy(sorted, ({ name, roles, isInvited, through, before, ...by }) =>
    JSON.stringify([name, roles, isInvited, through, before, by.cause, by.isAdopted, by.undeclared?.key]),
  );
  return [...same.values()].flatMap((owners) =>
    owners.slice(0, 1).map((owner) => ({ ...owner, places: owners.map((each) => each.in) })),
  );
}

/** What a summary calls an owner. */
export function ownerTitle({ before }: Pick<NewOwner, "before">): string {
  return before === undefined ? "new owner" : `owner ${before} before`;
}

/** Who makes someone an owner. */
export function madeBy({ cause, isAdopted, undeclared }: OwnerOfPlaces): string {
  if (undeclared) return "somebody outside Pulumi; undeclared";
  if (isAdopted) return "somebody outside Pulumi; declared now";
  switch (cause) {
    case "program":
      return "the program";
    case "outside":
      return "a correction: had it before";
    case "unknown":
      return "the program or a correction: not known";
  }
}

/** The last days of those who lose access by the calendar: `2026-11-30, 2026-12-31`. */
export function lastDays({ lost }: Group): string {
  return [...new Set(lost.flatMap(({ until }) => until ?? []))].sort(inOrder).join(", ");
}

export function withRoles({ name, roles, isInvited, isNewcomer }: NamedHolder): Sentence {
  const words = [
    ...roles.map((role) => (/^[A-Z_]+$/.test(role) ? plain(role) : role)),
    ...(isInvited ? [plain(INVITED)] : []),
    ...(isNewcomer ? [plain("new to the organization")] : []),
  ];
  return words.length === 0 ? sentence`${name}` : sentence`${name} (${shortListed(words, words.length)})`;
}

export function refusalText({ resource, isCertain, reason }: Refusal): Sentence {
  return sentence`Deleting ${resource} ${plain(isCertain ? "will" : "may")} fail: ${reason}`;
}

/** Empty if no event was sought. */
export function eventOf(entry: object, { of }: FoundEvents): Words {
  const event = of.get(entry);
  switch (event?.outcome) {
    case undefined:
      return "";
    case "found":
      return eventText(event);
    case "none":
      return plain("no matching event");
    case "undocumented":
      return plain("no event; this kind is not documented");
    case "unknown":
      return plain("its event could not be read");
  }
}

export function inParentheses(words: string): string {
  return words === "" ? "" : ` (${words})`;
}

/** What somebody did, in the direction in which they did it. */
export function whatChanged(outside: OutsideChange): Sentence {
  const { change, value, isDeleted, others, expiredAt } = outside;
  if (expiredAt !== undefined) {
    const end = plain(`the invitation expired on ${timeText(expiredAt)}`);
    return value === undefined ? end : sentence`${pathText(value.path)}: ${end}`;
  }
  if (isDeleted && isRemoval(change)) return plain("removed");
  if (isDeleted) {
    const along = others === 0 ? "" : `, with ${counted(others, "other resource")}`;
    return plain(`deleted${along}${isCreatedAgain(outside) ? "; created again empty, with another ID" : ""}`);
  }
  if (value === undefined) return plain("changed; Pulumi does not report which property");
  const [path, before, after] = [pathText(value.path), valueText(value.before), valueText(value.after)];
  if (!("after" in value)) return sentence`${path}: ${before} removed`;
  if (!("before" in value)) return sentence`${path}: ${after} added`;
  return sentence`${path}: ${before} became ${after}`;
}

/** Whether somebody deleted a project that the program does not give by its ID. */
function isCreatedAgain({ change: { kind, resource }, isDeleted }: OutsideChange): boolean {
  return isDeleted && kind === "Project" && resource.inputs?.projectId === undefined;
}

/** Whether the end of an object is that of an access, such as a person's: its holder exists further. */
function isRemoval({ resource }: Change): boolean {
  const treatment = treatmentOf(resource.type);
  return treatment?.isContainer === false && Object.keys(treatment.holders).length > 0;
}

/** Beside the notes about access: why it may be unknown who made a change. */
export function notesIn({ notes }: Summary, { unread: [first, ...others] }: FoundEvents): Sentence[] {
  if (first === undefined) return [...notes];
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const missing = sentence`Some changes are shown without their author, because events could not be read: ${first.what}: ${first.reason}`;
  return [...notes, { texts: [...missing.texts.slice(0, -1), more], names: missing.names }];
}

/** What must be known to understand the rest. */
export function hintsIn({ groups, unread }: Summary): string[] {
  const isReleased = groups.some(({ changes }) => changes.some(({ operation }) => operation === "release"));
  const deletesProject = groups.some(({ changes }) =>
    changes.some(({ operation, kind }) => operation === "delete" && kind === "Project"),
  );
  const resources = counted(unread, "resource was", "resources were");
  return [
    ...(groups.some(({ cause }) => cause === "unknown")
      ? [
          "The origin of a change is unknown if a refresh or a failed update has overwritten the state since the last update, or if a value is secret.",
        ]
      : []),
    ...(isReleased
      ? [
          `Released: the resource leaves the stack, and the object stays unchanged in Ops Manager${deletesProject ? ", except in a project that is deleted" : ""}.`,
        ]
      : []),
    ...(unread > 0
      ? [`${resources} not read before this run, so changes made there outside Pulumi are missing here.`]
      : []),
  ];
}
