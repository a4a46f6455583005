/** The inputs of ProjectTeam and their validation. */
import { z } from "zod";
import type { Access } from "../../access/places";
import { checkedAs, type InputsOf } from "../contract/border";
import { lowerId, sortedTexts } from "../contract/canonical";
import type { CheckFailure } from "../contract/check";
import { checkedInputs, exactlyOneFailures } from "../contract/checked-inputs";
import { accessOf, projectIn, textIn } from "../contract/declared";
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
  const forms = { projectId: lowerId, teamId: lowerId, roles: sortedTexts };
  const checked = checkedInputs(projectTeamInputs, forms, request, (given) => [
    ...exactlyOneFailures(given, "team", ["teamId", "teamName"]),
    ...roleFailures(given.roles, ["roles"]),
  ]);
  if (checked.failures.length > 0) return checked;
  warnOfUnknownRoles(checked.inputs.roles, request.context.log);
  const { projectId, ...declared } = asProjectTeamInputs(checked.inputs);
  if (typeof projectId !== "string") return checked;
  const team = declaredTeam(declared);
  const other = claimTeam(projectId, team, request.context);
  return other === undefined
    ? checked
    : { ...checked, failures: [projectTeamConflict(projectId, team, other)] };
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

export function declares(inputs: Properties, state?: Properties): readonly Access[] {
  const teamId = textIn(inputs, "teamId") ?? textIn(state, "teamId");
  const teamName = textIn(inputs, "teamName") ?? textIn(state, "teamName");
  const isKnown = teamId !== undefined || teamName !== undefined;
  const team = isKnown ? ({ kind: "team", teamId, teamName } as const) : undefined;
  return accessOf(team, projectIn(inputs, state), inputs.roles);
}
