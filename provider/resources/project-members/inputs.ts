/** The inputs of ProjectMembers and their validation. */

import { z } from "zod";
import { foldName } from "../../access/person";
import type { Access } from "../../access/places";
import { faultsOfUsernamePattern } from "../../text/names";
import type { InputsOf, KnownOf } from "../contract/border";
import { lowerId, sortedTexts, withForms, withoutNulls } from "../contract/canonical";
import { failuresOfProgram, type LocatedFailure, locatedShapeFailures } from "../contract/check";
import { accessOf, projectIn } from "../contract/declared";
import { patternList, projectIdInput } from "../contract/fields";
import { declareOnDestroy, REMOVAL } from "../contract/on-destroy";
import { matcherOf, patternsIn } from "../contract/pattern";
import { roleFailures, roleList, usernameText, warnOfUnknownRoles } from "../contract/people-inputs";
import { recordedPeople } from "../contract/people-outputs";
import { pathText } from "../contract/property-path";
import { emptyListFailures, maxRemovalsInput, removeUnlistedInput } from "../contract/removal-settings";
import type { CheckRequest, CheckResult } from "../contract/resource";
import { projectRoles } from "../contract/roles";
import { withMarks } from "../contract/until";
import { isRecord, type Properties, type Value } from "../contract/values";
import { listUntilFailures, listUntilInput, type Split, splitEnded } from "../lists/ends";
import { claimAll, membersOf } from "../people/member-claims";
import { personNamed } from "../people/resolve";
import { Claims } from "../session/claims";

export const onDestroySetting = declareOnDestroy(REMOVAL, () => "release", {
  defaultText: "`release`",
  description:
    "What destroying does: `release` removes no one; `remove` removes the people who were declared, except the last direct owner.",
});

export const projectMembersInputs = z.strictObject({
  projectId: projectIdInput,
  members: z.record(usernameText(), roleList(), "must be a map from username to roles").meta({
    description:
      "The declared people: roles by username. Case and Unicode form of a name do not count. Each person has a set of roles with at least one entry, such as `GROUP_READ_ONLY`.",
  }),
  ignoreUsers: patternList(faultsOfUsernamePattern).optional().meta({
    description:
      "Patterns (`*` any characters, `?` one, case does not count) of people whom others manage, a set, such as `svc-*@example.com`: these people are not changed, removed or shown as drift, except by `until`. If the project has LDAP group mappings, logins add people; without patterns, the list is then not created, and an update neither adds people nor gives more roles. Changing the patterns sends nothing.",
  }),
  until: listUntilInput(usernameText(), "members"),
  maxRemovals: maxRemovalsInput("people, members and invited ones, that one operation may remove"),
  removeUnlisted: removeUnlistedInput(
    "What happens to people whom neither `members` nor `ignoreUsers` names. `false`: an update removes people who were declared and left `members`. People whom this resource never declared stay; each preview names them, and `opsmanager drift` reports them. `true`: create and update remove everyone else.",
  ),
  onDestroy: onDestroySetting.input,
});

/** `members` without those whose last day is over. */
export type MemberListInputs = Split<InputsOf<typeof projectMembersInputs>>;

/** Inputs of which nothing is unknown. */
export type KnownMemberListInputs = Split<KnownOf<typeof projectMembersInputs>>;

export function asMemberListInputs(inputs: Properties): MemberListInputs {
  return splitEnded<InputsOf<typeof projectMembersInputs>>(inputs, "members");
}

/** Whether a pattern matches the name of a person. Case does not count. */
export function ignoredUsers(patterns: readonly string[]) {
  const matches = matcherOf(patterns.map(foldName));
  return ({ username }: { readonly username: string }) => matches(foldName(username));
}

export function check(request: CheckRequest): CheckResult {
  const { inputs, context } = request;
  const given = withForms(withoutNulls(inputs), { members: withoutNullRoles });
  const canonical = withForms(given, {
    projectId: lowerId,
    members: withSortedRoles,
    ignoreUsers: sortedTexts,
  });
  const entries = memberEntries(canonical.members);
  const shape = locatedShapeFailures(projectMembersInputs, given);
  const failures = failuresOfProgram(
    [
      ...shape,
      ...emptyListFailures(given, "members"),
      ...listUntilFailures(given, "members", shape),
      ...memberFailures(given),
    ],
    request,
  );
  if (failures.length > 0) return { inputs: given, failures };
  for (const [, roles] of entries) warnOfUnknownRoles(roles, context.log);
  const { projectId } = canonical;
  if (typeof projectId !== "string") return { inputs: canonical, failures };
  const lasting = asMemberListInputs(withMarks(canonical, {}, context.session)).members;
  const names = memberEntries(lasting).map(([username]) => ({ username }));
  context.session.of(Claims).claim(membersOf(projectId, ...names), context.urn);
  const rival = claimAll({ ...context, projectId });
  return { inputs: canonical, failures: rival ? [rival] : [] };
}

/**
 * Faults between entries: the same person twice, the same role twice, a person whom ignoreUsers
 * matches.
 *
 * @param kind the roles of the place whose people these are
 */
export function memberFailures({ members, ignoreUsers }: Properties, kind = projectRoles): LocatedFailure[] {
  const entries = memberEntries(members);
  const names = entries.map(([name]) => name);
  return [
    ...duplicateFailures(names),
    ...entries.flatMap(([name, roles]) => roleFailures(roles, ["members", name], kind)),
    ...ignoredFailures(names, patternsIn(ignoreUsers)),
  ];
}

function memberEntries(members: Value | undefined): [string, Value][] {
  return isRecord(members) ? Object.entries(members) : [];
}

/** Converts null roles to an empty list, so that a person without roles is reported as a fault. */
const withoutNullRoles = eachRoles((roles) => roles ?? []);

const withSortedRoles = eachRoles((roles) => sortedTexts(roles) ?? null);

function eachRoles(form: (roles: Value) => Value): (members: Value) => Value {
  return (members) =>
    isRecord(members)
      ? Object.fromEntries(memberEntries(members).map(([name, roles]) => [name, form(roles)]))
      : members;
}

function duplicateFailures(names: readonly string[]): LocatedFailure[] {
  return [...Map.groupBy(names, foldName).values()]
    .filter((same) => same.length > 1)
    .map((same) => ({
      property: "members",
      path: ["members", same.at(-1) ?? ""],
      reason: `members names one person more than once: ${same.map((name) => `"${name}"`).join(" and ")} are the same name.`,
    }));
}

function ignoredFailures(names: readonly string[], patterns: readonly string[]): LocatedFailure[] {
  const isIgnored = ignoredUsers(patterns);
  const ignored = names.filter((username) => isIgnored({ username }));
  return ignored.map((name) => ({
    property: "members",
    path: ["members", name],
    reason: `${pathText(["members", name])} matches ignoreUsers: remove the name from members or the pattern from ignoreUsers.`,
  }));
}

export function declares(inputs: Properties, state?: Properties): readonly Access[] {
  const { members } = asMemberListInputs(inputs);
  const place = projectIn(inputs, state);
  const people = recordedPeople(state?.memberDetails);
  const recordOf = personNamed(people, people);
  return memberEntries(members).flatMap(([username, roles]) => {
    const { userId, invitationId } = recordOf(username) ?? {};
    return accessOf({ kind: "person", userId, invitationId, username }, place, roles);
  });
}
