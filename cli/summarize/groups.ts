/** The changes of a run, in their places. Pure. */

import { visibleText } from "../../provider/text/visible-text";
import type { OwnedResource } from "../lib/access/declared";
import type { Cause, ChangedValue } from "../lib/causes";
import type { NamedPlace } from "./places";

/** What a summary tells apart, in its order. `calendar`: access whose last day is over. */
export const stories = ["program", "calendar", "outside", "unknown"] as const satisfies readonly (
  | Cause
  | "calendar"
)[];
export type Story = (typeof stories)[number];

export interface NamedHolder {
  readonly name: string;
  readonly roles: readonly string[];
  /** The access is an invitation that nobody has accepted yet, as far as the run shows. */
  readonly isInvited?: boolean | undefined;
  /** Neither the organization nor anything else of the run knows the person. */
  readonly isNewcomer?: boolean;
}

/** A holder whose access begins. */
export interface GainedHolder extends NamedHolder {
  readonly cause: Story;
  /** The ID of the organization that may not know the person: nothing else of the run does. */
  readonly newTo: string | undefined;
}

/** A holder whose access ends, with the roles that it had. */
export interface LostHolder extends NamedHolder {
  readonly cause: Story;
  /** The last day, if the calendar ends it: `2026-12-31`. */
  readonly until?: string | undefined;
}

/** What a run does to resources, in the order of the tables. */
export const operations = ["create", "change", "replace", "import", "delete", "release"] as const;

/** The columns of a table of changes. */
export const outcomes = [...operations, "failed"] as const;

export interface Change {
  readonly operation: (typeof operations)[number];
  /** The kind of one of this provider's resources, or the type of another one. */
  readonly kind: string;
  readonly name: string;
  readonly values: readonly ChangedValue[];
  /** The engine reports a difference, but not which. */
  readonly isUnclear: boolean;
  /** The operation failed, so its outcome is that of the error. */
  readonly hasFailed: boolean;
  /** As it was read, and as it was recorded before. */
  readonly resource: OwnedResource;
}

/** The changes of one story in one project, team or organization, or of all resources that are in none. */
export interface Group {
  readonly cause: Story;
  readonly what: NamedPlace["what"] | "other";
  readonly name: string;
  readonly changes: readonly Change[];
  readonly gained: readonly GainedHolder[];
  readonly lost: readonly LostHolder[];
  readonly unclear: readonly string[];
  /** The run makes the project or team again, because somebody deleted it. */
  readonly isAgain: boolean;
}

/** The count of changes of each outcome, in the order of `outcomes`. */
export function countsOf(
  changes: readonly Change[],
): readonly (readonly [(typeof outcomes)[number], number])[] {
  const all = changes.map(({ operation, hasFailed }) => (hasFailed ? "failed" : operation));
  return outcomes.map((outcome) => [outcome, all.filter((each) => each === outcome).length]);
}

export function groupName({ what, name }: Pick<Group, "what" | "name">): string {
  return what === "other" ? "other resources" : `${what} ${visibleText(name)}`;
}
