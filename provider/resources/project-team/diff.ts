/** Compares the program with the recorded state of a team in a project. */

import { RefusedError } from "../../text/errors";
import {
  changeKind,
  type Difference,
  projectIdDifferences,
  unsureSetDifferences,
} from "../contract/difference";
import { ignoresProperty } from "../contract/property-path";
import type { DiffRequest } from "../contract/resource";
import { hasUnknown } from "../contract/values";
import { claimTeamId } from "../people/team-claims";
import {
  asProjectTeamInputs,
  declaredTeam,
  onDestroySetting,
  type ProjectTeamInputs,
  projectTeamConflict,
} from "./inputs";
import { asProjectTeamState, type ProjectTeamState } from "./state";

export function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asProjectTeamState(state, id);
  const declared = asProjectTeamInputs(inputs);
  const before = asProjectTeamInputs(oldInputs);
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = [
    ...projectIdDifferences(recorded.projectId, declared.projectId),
    ...teamDifferences(recorded, declared, before),
    ...unsureSetDifferences("roles", recorded.roles, declared.roles),
    ...onDestroySetting.differences(declared, before),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  const isSameTeam = !differences.some(({ path }) =>
    ["projectId", "teamId", "teamName"].includes(String(path[0])),
  );
  if (isSameTeam) {
    const { projectId, teamId } = recorded;
    const rival = claimTeamId(projectId, declaredTeam(declared), teamId, context.session);
    if (rival !== undefined) throw new RefusedError(projectTeamConflict(projectId, recorded, rival).reason);
  }
  return differences;
}

/** The same team, by its ID or by a name that it has or was declared by, is no change. */
function teamDifferences(
  recorded: ProjectTeamState,
  { teamId, teamName }: ProjectTeamInputs,
  before: ProjectTeamInputs,
): Difference[] {
  const [property, value, known] =
    teamId === undefined
      ? (["teamName", teamName, [before.teamName, recorded.teamName]] as const)
      : (["teamId", teamId, [recorded.teamId]] as const);
  if (known.some((name) => name === value)) return [];
  return [{ path: [property], kind: changeKind(before[property], value), replace: !hasUnknown(value) }];
}
