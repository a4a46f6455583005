/** The inputs of ProjectTeam and their validation. */
import { z } from "zod";
import { checkedAs, type InputsOf } from "../contract/border";
import { lowerId, sortedTexts, withForms, withoutNulls } from "../contract/canonical";
import { type CheckFailure, failuresOfProgram, locatedShapeFailures } from "../contract/check";
import { nameText, objectId } from "../contract/fields";
import { removeByDefault } from "../contract/on-destroy";
import type { CheckRequest, CheckResult } from "../contract/resource";
import { known, type Properties } from "../contract/values";
import { roleFailures, roleList, warnOfUnknownRoles } from "../people/inputs";
import { claimTeam, type TeamIdentity } from "../people/team-claims";

export const onDestroySetting = removeByDefault(
  "What destroying does: `remove` removes the team from the project; `release` only removes the resource from the state. The team itself stays in either case.",
);

export const projectTeamInputs = z.strictObject({
  projectId: objectId("the id of a project").meta({
    description:
      "ID of the project, 24 hexadecimal digits. If it changes, the team is added to the new project first and removed from the old one last.",
  }),
  teamId: objectId("the id of a team").optional().meta({
    description: "ID of the team, 24 hexadecimal digits. Exactly one of `teamId` and `teamName` is needed.",
  }),
  teamName: nameText().optional().meta({
    description:
      "Name of the team in the organization that has the project, in place of `teamId`. A team that is renamed later remains the same team.",
  }),
  roles: roleList("a team").meta({
    description:
      "Project roles of the team, a set with at least one entry, such as `GROUP_READ_ONLY`. They replace the roles that the team has.",
  }),
  onDestroy: onDestroySetting.input,
});

export type ProjectTeamInputs = InputsOf<typeof projectTeamInputs>;

export const asProjectTeamInputs = checkedAs<ProjectTeamInputs>;

/** The team that the program declares, as far as it is known. */
export function declaredTeam({ teamId, teamName }: Partial<ProjectTeamInputs>): TeamIdentity {
  return { teamId: known(teamId), teamName: known(teamName) };
}

export function check(request: CheckRequest): CheckResult {
  const { inputs, context } = request;
  const given = withoutNulls(inputs);
  const canonical = withForms(given, { projectId: lowerId, teamId: lowerId, roles: sortedTexts });
  const failures = failuresOfProgram(
    [
      ...locatedShapeFailures(projectTeamInputs, given),
      ...identityFailures(given),
      ...roleFailures(canonical.roles, ["roles"]),
    ],
    request,
  );
  if (failures.length > 0) return { inputs: given, failures };
  warnOfUnknownRoles(canonical.roles, context.log);
  const { projectId, ...declared } = asProjectTeamInputs(canonical);
  if (typeof projectId !== "string") return { inputs: canonical, failures };
  const team = declaredTeam(declared);
  const other = claimTeam(projectId, team, context);
  return {
    inputs: canonical,
    failures: other === undefined ? [] : [projectTeamConflict(projectId, team, other)],
  };
}

function identityFailures({ teamId, teamName }: Properties): CheckFailure[] {
  if ((teamId === undefined) !== (teamName === undefined)) return [];
  const reason =
    teamId === undefined
      ? "The team is missing: set teamId or teamName."
      : "teamId and teamName are both set. Remove one of them.";
  return [{ property: "", reason }];
}

/** Two resources of one team would overwrite each other's roles. */
export function projectTeamConflict(
  projectId: string,
  { teamId, teamName }: TeamIdentity,
  other: string,
): CheckFailure {
  const reason = `Team ${teamName ?? teamId} in project ${projectId} is declared by ${other} already: each would overwrite the other's roles. Remove one of them from the program.`;
  return { property: "", reason };
}
