/** What somebody changed outside Pulumi: what the run changes back, and who came. With the subjects of their events. Pure. */

import { pathText } from "../../provider/resources/contract/property-path";
import type { ChangedValue } from "../lib/causes";
import {
  type Difference,
  deletedProjects,
  inDeletedProject,
  organizationOf,
  subjectOf,
} from "../lib/difference-subjects";
import type { Diagnostic } from "../lib/engine-events";
import { subjectOfAccess } from "../lib/event-subjects";
import { expiredIn, expiryOf } from "../lib/expired-invitations";
import type { Sought } from "../lib/find-events";
import { treatmentOf } from "../lib/own-resources";
import type { UndeclaredHolder } from "./access";
import type { Change, Group } from "./groups";

/** One change that the run reverses. */
export interface OutsideChange {
  readonly group: Group;
  readonly change: Change;
  /** Absent if the object was deleted, or if nothing shows what was changed. */
  readonly value?: ChangedValue;
  readonly isDeleted: boolean;
  /** How many resources were deleted with the project or team. */
  readonly others: number;
  /** Nobody changed it: an invitation has expired at this time. */
  readonly expiredAt?: string;
}

export function outsideChanges(
  groups: readonly Group[],
  diagnostics: readonly Diagnostic[],
): OutsideChange[] {
  const expired = expiredIn(diagnostics);
  const changes = groups.filter(({ cause }) => cause === "outside").flatMap(changesIn);
  return changes.map((change) => {
    const { recorded = {} } = change.change.resource;
    const expiredAt = expiryOf(differenceOf(change), recorded, expired);
    return expiredAt === undefined ? change : { ...change, expiredAt };
  });
}

function changesIn(group: Group): OutsideChange[] {
  const { changes, isAgain } = group;
  const container = isAgain
    ? changes.find(({ resource }) => treatmentOf(resource.type)?.isContainer)
    : undefined;
  if (container !== undefined)
    return [{ group, change: container, isDeleted: true, others: changes.length - 1 }];
  return changes.flatMap((change): OutsideChange[] => {
    const about = { group, change, isDeleted: false, others: 0 };
    if (change.operation === "create" || (change.operation === "replace" && change.values.length === 0))
      return [{ ...about, isDeleted: true }];
    return change.isUnclear ? [about] : change.values.map((value) => ({ ...about, value }));
  });
}

/** The events that are sought, with the changes and the holders as their entries. */
export function soughtEvents(
  changes: readonly OutsideChange[],
  undeclared: readonly UndeclaredHolder[],
  stack: string,
): Sought[] {
  const made = changes.filter(({ expiredAt }) => expiredAt === undefined);
  const resources = changes.map(({ change }) => change.resource);
  const orgOf = organizationOf(resources);
  const differences = made.map((change) => [change, differenceOf(change)] as const);
  const deleted = deletedProjects(differences.map(([, difference]) => difference));
  const sought = differences.flatMap(([entry, difference]): Sought[] => {
    const found = subjectOf(difference, entry.change.resource, orgOf);
    if (found === undefined) return [];
    const subject = found === "undocumented" ? found : inDeletedProject(found, deleted, orgOf);
    return [{ entry, subject, stack, isUndeclared: false }];
  });
  const people = undeclared.flatMap((entry): Sought[] => {
    const { name: username, place } = entry;
    if (place.id === undefined) return [];
    const subject = subjectOfAccess({ holder: { kind: "person", username }, place }, "added", orgOf);
    return subject ? [{ entry, subject, stack, isUndeclared: true }] : [];
  });
  return [...sought, ...people];
}

function differenceOf({ change: { resource }, value, isDeleted }: OutsideChange): Difference {
  const { type, id } = resource;
  if (value === undefined) return { type, id, kind: isDeleted ? "deleted" : "changed", property: "" };
  const { path, before, after } = value;
  const kind = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return { type, id, kind, property: pathText(path), declared: before, live: after };
}
