/** Compares the program with the recorded state of one person. */

import { type Identity, sameName } from "../../access/person";
import { changeKind, type Difference, projectIdDifferences, setDifferences } from "../contract/difference";
import { ignoresProperty } from "../contract/property-path";
import type { DiffRequest } from "../contract/resource";
import { hasUnknown } from "../contract/values";
import { membersOf } from "../people/member-claims";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { asMemberInputs, declaredIdentity, type MemberInputs, onDestroySetting } from "./inputs";
import { asMemberState, type MemberState, observationOf } from "./state";

export function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asMemberState(state, id);
  context.session
    .of(ObservationLog)
    .record(context.urn, observationOf(id, recorded.origin, asMemberInputs(oldInputs), recorded));
  const differences = memberDifferences(
    recorded,
    asMemberInputs(inputs),
    asMemberInputs(oldInputs),
    ignoresProperty(ignoreChanges),
  );
  if (staysTheSame(differences)) claimRecorded(recorded, declaredIdentity(asMemberInputs(inputs)), context);
  return differences;
}

function claimRecorded(recorded: MemberState, declared: Identity, { session }: DiffRequest["context"]): void {
  const { projectId, userId, invitationId, username } = recorded;
  // The name of an invitation is not the account's name for ever.
  const isVerified = declared.userId === undefined || recorded.status === "active";
  const who = {
    userId: userId ?? declared.userId,
    invitationId,
    username: isVerified ? username : undefined,
  };
  session.of(Claims).claimFound(membersOf(projectId, declared), membersOf(projectId, who));
}

/** Differences between the program and the recorded live values. */
export function memberDifferences(
  state: MemberState,
  inputs: MemberInputs,
  oldInputs: Partial<MemberInputs>,
  isIgnored: (property: string) => boolean,
): Difference[] {
  const differences = [
    ...projectIdDifferences(state.projectId, inputs.projectId),
    ...identityDifferences(state, inputs, oldInputs),
    ...roleDifferences(state, inputs, oldInputs),
    ...onDestroySetting.differences(inputs, oldInputs),
  ];
  return differences.filter(({ path }) => !isIgnored(String(path[0])));
}

const IDENTITY = ["userId", "username", "invitationId"] as const;

/** Whether the program still means the recorded person in the recorded project. */
function staysTheSame(differences: readonly Difference[]): boolean {
  const subject = ["projectId", ...IDENTITY];
  return !differences.some(({ path }) => subject.includes(String(path[0])));
}

/**
 * Another person replaces this one; the same one, however the program names them, is no change. An
 * invitation that was accepted, and an account that was renamed, still are who the program named
 * before.
 */
function identityDifferences(
  state: MemberState,
  inputs: MemberInputs,
  oldInputs: Partial<MemberInputs>,
): Difference[] {
  const declared = IDENTITY.filter((property) => inputs[property] !== undefined);
  const kindOf = (property: (typeof IDENTITY)[number]) => changeKind(oldInputs[property], inputs[property]);
  const unknown = declared.find((property) => hasUnknown(inputs[property]));
  if (unknown) return [{ path: [unknown], kind: kindOf(unknown) }];
  const isRecorded = (property: (typeof IDENTITY)[number]) =>
    [state[property], oldInputs[property]].some((recorded) =>
      property === "username"
        ? sameName(recorded as string | undefined, inputs.username as string)
        : recorded === inputs[property],
    );
  const unmatched = declared.filter((property) => !isRecorded(property));
  const [firstUnmatched] = unmatched;
  if (firstUnmatched === undefined) return [];
  // One matching identity is enough for an update, which verifies the others and reports a
  // conflict.
  return [
    { path: [firstUnmatched], kind: kindOf(firstUnmatched), replace: unmatched.length === declared.length },
  ];
}

function roleDifferences(
  state: MemberState,
  { roles }: MemberInputs,
  oldInputs: Partial<MemberInputs>,
): Difference[] {
  if (roles === undefined) {
    return oldInputs.roles === undefined ? [] : [{ path: ["roles"], kind: "delete", inputDiff: true }];
  }
  if (hasUnknown(roles)) return [{ path: ["roles"], kind: changeKind(oldInputs.roles, roles) }];
  if (state.roles === undefined) return [{ path: ["roles"], kind: "add" }];
  const differences = setDifferences(["roles"], state.roles, roles as readonly string[]);
  return oldInputs.roles === undefined && differences.length > 0
    ? [{ path: ["roles"], kind: "add" }]
    : differences;
}
