/** How many people of a project may be removed. */

import type { Identity } from "../../access/person";
import { effectiveRemovals, emptyListReason } from "../contract/removal-settings";
import type { ProjectContext } from "../contract/resource";
import type { Limits } from "../people/protect";
import { RemovalBudget, removalOf } from "../session/removal-budget";
import type { KnownMemberListInputs, MemberListInputs } from "./inputs";

interface Named extends Identity {
  readonly username: string;
}

export function limitsOfUpdate(
  inputs: KnownMemberListInputs,
  { session, projectId }: ProjectContext,
): Limits<Named> {
  const { maxRemovals } = effectiveRemovals(inputs);
  return {
    listed: { names: Object.keys(inputs.members), reason: () => emptyListReason("members") },
    maxRemovals: {
      most: maxRemovals,
      reason: (leaving) => {
        const refusal = tooMany(projectId, maxRemovals, leaving);
        return `${refusal} if that is intended, or add them to members or ignoreUsers.`;
      },
    },
    budget: {
      left: session.of(RemovalBudget),
      removalOf: (person) => removalOf(projectId, person),
      reason: (leaving, overall) =>
        `${namesOf(leaving)} ${leaving.length === 1 ? "was" : "were"} not removed from project ${projectId}: ${overall}`,
    },
  };
}

export function limitsOfDestroy(
  inputs: Partial<MemberListInputs>,
  { session, projectId }: ProjectContext,
): Limits<Named> {
  const { maxRemovals } = effectiveRemovals(inputs);
  return {
    listed: undefined,
    maxRemovals: {
      most: maxRemovals,
      reason: (leaving) => {
        const refusal = tooMany(projectId, maxRemovals, leaving);
        return `${refusal}, or onDestroy to "release", run pulumi up, and destroy again.`;
      },
    },
    budget: {
      left: session.of(RemovalBudget),
      removalOf: (person) => removalOf(projectId, person),
      reason: (leaving, overall) =>
        `No one was removed from project ${projectId} (${namesOf(leaving)}): ${overall}`,
    },
  };
}

/** The beginning of a sentence that ends with the other solutions. */
function tooMany(projectId: string, maxRemovals: number, leaving: readonly Named[]): string {
  return `${people(leaving)} would be removed from project ${projectId}, more than maxRemovals (${maxRemovals}), so no one is removed: ${namesOf(leaving)}. Set maxRemovals to ${leaving.length}`;
}

/** `1 person`, `3 people`. */
export function people({ length }: readonly unknown[]): string {
  return length === 1 ? "1 person" : `${length} people`;
}

export function namesOf(leaving: readonly Named[]): string {
  return leaving.map(({ username }) => username).join(", ");
}
