/** Compares the program with the recorded state of a team. */

import { foldName } from "../../access/person";
import { RefusedError } from "../../text/errors";
import { knownTexts } from "../contract/canonical";
import { changeKind, type Difference, setDifferences, settingDifferences } from "../contract/difference";
import type { TeamPerson } from "../contract/people-outputs";
import { ignoresProperty } from "../contract/property-path";
import { effectiveRemovals } from "../contract/removal-settings";
import type { DiffRequest, Log } from "../contract/resource";
import { hasUnknown, known } from "../contract/values";
import { isNameOf, listEndDifferences } from "../lists/ends";
import { announceEnds, remarkOn, tellOfUpdate } from "../lists/plan";
import { personNamed } from "../people/resolve";
import { ObservationLog } from "../session/observations";
import { GivenNames } from "../session/taken-name";
import { claimTeamId, declarerOfTeam } from "../session/team-claims";
import { asTeamInputs, onDestroySetting, type TeamInputs, teamConflict } from "./inputs";
import { accessIn, foreseeLastPerson, listedTeam, planTeam, unlistedInTeam } from "./plan";
import { asTeamState, observationOf, type TeamState } from "./state";

export function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asTeamState(state, id);
  const declared = asTeamInputs(inputs);
  const { session, urn } = context;
  session.of(ObservationLog).record(urn, observationOf(recorded));
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = [
    ...identityDifferences(recorded, declared, asTeamInputs(oldInputs)),
    ...(declared.name === recorded.name ? [] : [{ path: ["name"], kind: "update" } as const]),
    ...peopleDifferences(recorded, declared),
    ...listEndDifferences(declared, asTeamInputs(oldInputs), recorded.ends ?? []),
    ...settingDifferences(
      declared,
      asTeamInputs(oldInputs),
      ["maxRemovals", "removeUnlisted", "onDestroy"],
      (given) => ({
        ...effectiveRemovals(given),
        onDestroy: onDestroySetting.effective(given, recorded.origin),
      }),
    ),
  ].filter(({ path: [property] }) => property === undefined || !isIgnored(String(property)));
  // A replacement declares another team, and its Delete concerns the recorded one.
  if (declared.orgId === recorded.orgId && !differences.some(({ replace }) => replace)) {
    const rival = claimTeamId(recorded.orgId, { teamName: known(declared.name) }, recorded.teamId, session);
    if (rival !== undefined) throw new RefusedError(teamConflict({ teamName: recorded.name }, rival).reason);
    const isUnknown = hasUnknown(declared.name) && !isIgnored("name");
    if (isUnknown) session.of(GivenNames).giveUnknown("Team", recorded.orgId, recorded.teamId);
  }
  return differences;
}

/** By what the last read found. */
export function remark({ id, state, inputs, ignoreChanges, context }: DiffRequest, log: Log): void {
  const recorded = asTeamState(state, id);
  const { orgId, teamId, name, people, ends = [] } = recorded;
  const declared = asTeamInputs(inputs);
  const { usernames, ended, removeUnlisted } = declared;
  if (hasUnknown(usernames) || declared.orgId !== orgId) return;
  // What becomes of the people of a replaced team is for its Delete.
  if (identityDifferences(recorded, declared, declared).some(({ replace }) => replace)) return;
  // A refresh compares without a program, and has no claims.
  const teamName = known(declared.name);
  if (declarerOfTeam(orgId, { teamName }, context.session) === undefined) return;
  const listed = { names: knownTexts(usernames), ended, ends, people, recorded: people };
  const plan = planTeam(listed, hasUnknown(removeUnlisted) || removeUnlisted === true);
  const shownName = teamName ?? name;
  const isIgnored = ignoresProperty(ignoreChanges)("usernames");
  const place = { kind: "team", id: teamId, name, orgId } as const;
  const isLeaving = (person: TeamPerson) => person.declared || removeUnlisted === true;
  const foresee = (leaving: readonly TeamPerson[]) => foreseeLastPerson(people, plan, leaving);
  const { maxRemovals } = effectiveRemovals(declared);
  tellOfUpdate({ ...plan, foresee, isLeaving, maxRemovals }, (some) => accessIn(place, some), {
    ...{ isIgnored, session: context.session, log },
  });
  if (isIgnored) {
    announceEnds(listedTeam(orgId, shownName).text, plan, log);
    return;
  }
  const unlisted = (staying: readonly TeamPerson[]) => unlistedInTeam(shownName, staying);
  remarkOn(listedTeam(orgId, shownName), plan, unlisted, log);
}

/** The same team, also if the program begins or ceases to give its ID, is no change. */
function identityDifferences(
  recorded: TeamState,
  { teamId, orgId }: TeamInputs,
  before: TeamInputs,
): Difference[] {
  return [
    ...(teamId === undefined || teamId === recorded.teamId
      ? []
      : [{ path: ["teamId"], kind: changeKind(before.teamId, teamId), replace: !hasUnknown(teamId) }]),
    ...(orgId === recorded.orgId
      ? []
      : [{ path: ["orgId"], kind: "update", replace: !hasUnknown(orgId) } as const]),
  ];
}

function peopleDifferences(
  { usernames: recorded, people }: TeamState,
  { usernames, ended }: TeamInputs,
): Difference[] {
  if (hasUnknown(usernames)) return [{ path: ["usernames"], kind: "update" }];
  const wanted = usernames as readonly string[];
  const differences = setDifferences(["usernames"], recorded, wanted, foldName, isNameOf(ended));
  // An update records newly listed people as declared. A later name of the account then still
  // identifies them.
  const named = personNamed(people, people);
  const isNew = wanted.some((name) => named(name)?.declared === false);
  return differences.length === 0 && isNew ? [{ path: ["usernames"], kind: "update" }] : differences;
}
