/** How the people of a project differ from the program, person by person. */

import { OwnersAbove } from "../../access/owners-above";
import { foldName, listedName, sameName } from "../../access/person";
import { own } from "../../text/own";
import {
  type Difference,
  placeDifferences,
  setDifferences,
  settingDifferences,
  textSetDifferences,
} from "../contract/difference";
import type { MemberDetail } from "../contract/people-outputs";
import { ignoresProperty } from "../contract/property-path";
import { effectiveRemovals } from "../contract/removal-settings";
import type { DiffRequest, Log } from "../contract/resource";
import { hasUnknown, known, sameSet } from "../contract/values";
import { isNameOf, listEndDifferences, type Named } from "../lists/ends";
import { announceEnds, remarkOn, tellOfUpdate } from "../lists/plan";
import { allMembersOf, membersOf } from "../people/member-claims";
import { noOne } from "../people/protect";
import { personNamed } from "../people/resolve";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { asMemberListInputs, ignoredUsers, type MemberListInputs, onDestroySetting } from "./inputs";
import { listedProject, unlistedInProject } from "./messages";
import { accessIn, foreseeLastOwner, planRecorded } from "./plan";
import { asMemberListState, type MemberListState, observationOf } from "./state";

export function diff({ id, state, ignoreChanges, context, ...given }: DiffRequest): Difference[] {
  const recorded = asMemberListState(state, id);
  context.session.of(ObservationLog).record(context.urn, observationOf(recorded));
  const [inputs, oldInputs] = [asMemberListInputs(given.inputs), asMemberListInputs(given.oldInputs)];
  const { projectId, members } = inputs;
  if (projectId === recorded.projectId && typeof members === "object") {
    claimRecorded(recorded, { names: Object.keys(members), ended: inputs.ended }, context);
  }
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = [
    ...placeDifferences("projectId", recorded.projectId, projectId),
    ...memberDifferencesByName(recorded, inputs),
    ...textSetDifferences("ignoreUsers", inputs, oldInputs),
    ...listEndDifferences(inputs, oldInputs, recorded.ends ?? []),
    ...settingDifferences(inputs, oldInputs, ["maxRemovals", "removeUnlisted", "onDestroy"], (settings) => ({
      ...effectiveRemovals(settings),
      onDestroy: onDestroySetting.effective(settings),
    })),
  ];
  return differences.filter(({ path: [property] }) => property === undefined || !isIgnored(String(property)));
}

/** By what the last read found. Whoever is not listed and owns the project by a role above is left out. */
export function remark({ id, state, inputs, ignoreChanges, context }: DiffRequest, log: Log): void {
  const recorded = asMemberListState(state, id);
  const declared = asMemberListInputs(inputs);
  const { projectId, members, ignoreUsers, removeUnlisted } = declared;
  if (typeof members === "symbol" || hasUnknown(ignoreUsers)) return;
  // A refresh compares without a program, and has no claims.
  if (
    projectId !== recorded.projectId ||
    context.session.of(Claims).declarerOf(allMembersOf(projectId)) === undefined
  )
    return;
  const { memberDetails, ends = [] } = recorded;
  const isIgnored = ignoredUsers(known(ignoreUsers) ?? []);
  // Other resources are not asked: a person of theirs is not listed here either.
  const mayRemove = hasUnknown(removeUnlisted) || removeUnlisted === true;
  const wanted = { ...declared, members, removeUnlisted: mayRemove };
  const plan = planRecorded(memberDetails, wanted, ends, isIgnored, noOne);
  const ownersAbove = context.session.of(OwnersAbove);
  const isAbove = (detail: MemberDetail) => ownersAbove.has(projectId, detail);
  // Patterns of the last update count for one more.
  const isLeaving = ({ declared: own, ignored }: MemberDetail) =>
    !ignored && (own || removeUnlisted === true);
  const place = { kind: "project", id: projectId } as const;
  const foresee = (leaving: readonly MemberDetail[]) =>
    foreseeLastOwner(memberDetails, plan, members, leaving);
  const { maxRemovals } = effectiveRemovals(declared);
  tellOfUpdate({ ...plan, isAbove, foresee, isLeaving, maxRemovals }, (people) => accessIn(place, people), {
    ...{ isIgnored: ignoresProperty(ignoreChanges)("members"), session: context.session, log },
  });
  if (ignoresProperty(ignoreChanges)("members")) {
    announceEnds(listedProject(projectId).text, plan, log);
    return;
  }
  const unlisted = (staying: readonly MemberDetail[]) =>
    unlistedInProject(
      projectId,
      staying.filter((detail) => !isAbove(detail)),
    );
  remarkOn(listedProject(projectId), plan, unlisted, log);
}

/**
 * Claims the recorded identities. Check knows only the names of the program, and another resource
 * may have recorded the same person by others. A refresh calls Diff before any Check, so it claims
 * none.
 */
function claimRecorded(
  { projectId, memberDetails }: MemberListState,
  { names, ended }: Pick<Named, "names" | "ended">,
  { session }: DiffRequest["context"],
): void {
  const claims = session.of(Claims);
  const declarer = claims.declarerOf(allMembersOf(projectId));
  if (declarer === undefined) return;
  const listed = new Set(names.map(foldName));
  const isListed = (name: string | undefined) => name !== undefined && listed.has(foldName(name));
  const isEnded = isNameOf(ended);
  for (const { username, declaredAs, declared, userId, invitationId } of memberDetails) {
    // Only ids distinguish an unlisted account from a listed one that has its former name.
    if (!declared || isEnded(declaredAs ?? username)) continue;
    const who = { userId, invitationId };
    if (isListed(username)) claims.claim(membersOf(projectId, { ...who, username }), declarer);
    // Another account may have the name by now.
    else if (isListed(declaredAs)) claims.claim(membersOf(projectId, who), declarer);
  }
}

function memberDifferencesByName(state: MemberListState, inputs: MemberListInputs): Difference[] {
  const { members, ignoreUsers } = inputs;
  if (typeof members === "symbol") return [{ path: ["members"], kind: "update" }];
  const isMatched = ignoredUsers(known(ignoreUsers) ?? []);
  const isIgnored = (detail: MemberDetail) => detail.ignored || isMatched(detail);
  const { leaving, endOf } = planRecorded(state.memberDetails, inputs, state.ends ?? [], isIgnored, noOne);
  const recordedAs = personNamed(state.memberDetails, state.memberDetails);
  const named = new Set<MemberDetail>();
  const declared = Object.entries(members).flatMap(([name, roles]): Difference[] => {
    const path = ["members", name];
    const detail = recordedAs(name);
    // Two names of one account: the update refuses them.
    if (detail === undefined || named.has(detail)) return [{ path, kind: "add" }];
    named.add(detail);
    const wanted = known(roles) as readonly string[] | undefined;
    if (wanted === undefined) return [{ path, kind: "update" }];
    // By another name, the update records this one: the former name may be that of another account.
    if (detail.declared && sameSet(detail.roles, wanted) && sameName(listedName(detail), name)) return [];
    const before = own(state.members, name);
    // The engine finds old values by path: under another spelling it would find none.
    return before === undefined || sameSet(before, wanted)
      ? [{ path, kind: Object.hasOwn(state.members, listedName(detail)) ? "update" : "add" }]
      : setDifferences(path, before, wanted);
  });
  const deleted = [...new Set(leaving.filter((detail) => endOf(detail) === undefined).map(listedName))];
  return [...deleted.map((name): Difference => ({ path: ["members", name], kind: "delete" })), ...declared];
}
