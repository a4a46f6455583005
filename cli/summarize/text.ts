/** The summary of a run as text for a log or a file: every change with all of its values. Pure. */

import { visibleText } from "../../provider/text/visible-text";
import type { FoundEvents } from "../lib/find-events";
import { sentence, type Words, written } from "../lib/sentence";
import { changedDayText } from "./calendar";
import type { Summary } from "./changes";
import { type Group, groupName, type NamedHolder, type Story, stories } from "./groups";
import type { OutsideChange } from "./outside";
import { planOf } from "./plan";
import {
  countTexts,
  eventOf,
  type Format,
  headingOf,
  hintsIn,
  inParentheses,
  lastDays,
  madeBy,
  NO_EVENTS,
  notesIn,
  type OwnerOfPlaces,
  ownersIn,
  ownerTitle,
  refusalText,
  titleOf,
  UNDECLARED,
  whatChanged,
  withRoles,
} from "./words";

export const text: Format = (summary, { events = NO_EVENTS }) => {
  const { refusals, errors, warnings } = summary;
  const important = [
    ...refusals.map((refusal) => visible(refusalText(refusal))),
    ...ownersIn(summary).map((owner) => `${ownerTitle(owner)}: ${ownerText(owner)}`),
  ];
  const [program = [], ...others] = stories.map((story) => storyLines(summary, story, events));
  const days = summary.changedDays.map((day) => visible(changedDayText(day)));
  const sections = [
    [titleOf(summary), ...[...important, ...program, ...days].map((line) => `  ${line}`)],
    ...others.map((lines, index) => titled(headingOf(stories[index + 1] ?? "unknown", summary), lines)),
    titled(UNDECLARED, undeclaredLines(summary, events)),
    [...hintsIn(summary), ...notesIn(summary, events).map(visible)],
    planOf(summary).flat(),
    errors.map((message) => `error: ${messageText(message)}`),
    warnings.map((message) => `warning: ${messageText(message)}`),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
};

function visible(words: Words): string {
  return written(words, visibleText);
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}

function storyLines(summary: Summary, cause: Story, events: FoundEvents): string[] {
  return summary.groups
    .filter((group) => group.cause === cause)
    .flatMap((group) => [
      groupLine(group, summary),
      ...summary.outside
        .filter((change) => change.group === group)
        .map((change) => `  ${outsideText(change)}${inParentheses(visible(eventOf(change, events)))}`),
    ]);
}

function undeclaredLines({ undeclared }: Summary, events: FoundEvents): string[] {
  return undeclared.map((who) => {
    const event = inParentheses(visible(eventOf(who, events)));
    const news = who.isNew ? "new" : who.isNew === undefined ? "not known whether new" : "";
    const since = news && `, ${news} since the last update${event}`;
    return `not declared in ${groupName(who.in)}: ${visible(withRoles(who))}${since}`;
  });
}

function groupLine(group: Group, summary: Summary): string {
  const { changes, gained, lost, unclear } = group;
  const days = lastDays(group);
  const facts = [
    ...countTexts(changes, summary),
    ...(gained.length > 0 ? [`access for ${gained.map(nameText).join(", ")}`] : []),
    ...(lost.length > 0
      ? [`no more access for ${lost.map(nameText).join(", ")}${days === "" ? "" : ` after ${days}`}`]
      : []),
    ...(unclear.length > 0 ? [`perhaps another access for ${unclear.map(visibleText).join(", ")}`] : []),
  ];
  return `${groupName(group)}: ${facts.join(", ")}`;
}

/** The values below have the roles. */
function nameText(holder: NamedHolder): string {
  return visible(withRoles({ ...holder, roles: [] }));
}

function ownerText(owner: OwnerOfPlaces): string {
  const through = owner.through === undefined ? "" : ` through ${visibleText(owner.through)}`;
  return `${visible(withRoles(owner))}${through} in ${owner.places.map(groupName).join(", ")}, made by ${madeBy(owner)}`;
}

function outsideText(change: OutsideChange): string {
  const { kind, name } = change.change;
  return visible(sentence`${kind} ${name}: ${whatChanged(change)}`);
}

function messageText({ name, text: words }: Summary["errors"][number]): string {
  const line = visibleText(words.replace(/\s+/g, " "));
  return name === undefined ? line : `${visibleText(name)}: ${line}`;
}
