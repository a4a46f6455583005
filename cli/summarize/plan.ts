/** The changes of a summary as lines of a diff: a resource, and below it each value. Pure. */

import { pathText } from "../../provider/resources/contract/property-path";
import { visibleText } from "../../provider/text/visible-text";
import type { ChangedValue } from "../lib/causes";
import type { Summary } from "./changes";
import { type Change, type Story, stories } from "./groups";

/**
 * Each resource as its lines, and before the first one of each cause a mark, as a diff marks a part of a file.
 *
 * @param limited shortens a long value
 */
export function planOf({ groups }: Summary, limited = (line: string) => line): string[][] {
  const isSplit = groups.some(({ cause }) => cause !== "program");
  return stories.flatMap((cause) =>
    groups
      .filter((group) => group.cause === cause)
      .flatMap(({ changes }) => changes)
      .map((change, index) => [
        ...(isSplit && index === 0 ? [`@@ ${CAUSES[cause]} @@`] : []),
        ...changeLines(change, cause, limited),
      ]),
  );
}

/** As a diff marks a part of a file. */
const CAUSES: Readonly<Record<Story, string>> = {
  program: "by the program",
  calendar: "by the calendar",
  outside: "back to what is declared",
  unknown: "not known whether by the program or back to what is declared",
};

const SIGNS: Readonly<Record<Change["operation"], string>> = {
  create: "+",
  change: "!",
  replace: "!",
  import: "+",
  delete: "-",
  release: "-",
};

function changeLines(
  { operation, kind, name, values, isUnclear, hasFailed }: Change,
  cause: Story,
  limited: (line: string) => string,
) {
  return [
    `${SIGNS[operation]} ${operation} ${visibleText(kind)} ${visibleText(name)}${hasFailed ? " (failed)" : ""}`,
    ...values.flatMap((value) => valueLines(cause === "outside" ? reversed(value) : value).map(limited)),
    ...(isUnclear ? ["!     Pulumi reports a difference but not which property."] : []),
  ];
}

/** What the run does about what somebody did. */
function reversed({ path, ...sides }: ChangedValue): ChangedValue {
  return {
    path,
    ...("after" in sides && { before: sides.after }),
    ...("before" in sides && { after: sides.before }),
  };
}

function valueLines({ path, ...sides }: ChangedValue): string[] {
  const name = visibleText(pathText(path));
  return [
    ...("before" in sides ? [`-     ${name}: ${valueText(sides.before)}`] : []),
    ...("after" in sides ? [`+     ${name}: ${valueText(sides.after)}`] : []),
  ];
}

export function valueText(value: unknown): string {
  return visibleText(JSON.stringify(value) ?? "");
}
