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
}

/** A holder whose access begins. */
export interface GainedHolder extends NamedHolder {
  readonly cause: Story;
  /** The ID of the organization that may not know the person: nothing else of the run does. */
  readonly newTo: string | undefined;
  /** Whether it does not. */
  readonly isNewcomer: boolean;
}

/** What a run does to resources, in the order of the tables. */
export const operations = ["create", "change", "replace", "import", "delete", "release"] as const;

export type Operation = (typeof operations)[number];

export interface Change {
  readonly operation: Operation;
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
  readonly lost: readonly string[];
  /** Those of `lost` who were only invited. */
  readonly uninvited: readonly string[];
  readonly unclear: readonly string[];
  /** The last days of those who lose access by the calendar: `2026-12-31`. */
  readonly days: readonly string[];
  /** The run makes the project or team again, because somebody deleted it. */
  readonly isAgain: boolean;
}

/** The count of changes of each operation, in the order of `operations`. */
export function countsOf(changes: readonly Change[]): readonly (readonly [Operation, number])[] {
  return operations.map((operation) => [
    operation,
    changes.filter((change) => change.operation === operation).length,
  ]);
}

export function groupName({ what, name }: Pick<Group, "what" | "name">): string {
  return what === "other" ? "other resources" : `${what} ${visibleText(name)}`;
}
