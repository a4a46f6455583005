/** The roles of one team in one project. */
import {
  changeKind,
  type Difference,
  onDestroyDifferences,
  projectDifferences,
  setDifferences,
} from "../difference";
import { ignoresProperty } from "../property-path";
import type { DiffRequest, Resource } from "../resource";
import { hasUnknown } from "../values";
import { remove } from "./delete";
import {
  asProjectTeamInputs,
  checkProjectTeam,
  declaredTeam,
  type ProjectTeamInputs,
  projectTeamInputs,
} from "./inputs";
import { readProjectTeam } from "./read";
import { asProjectTeamState, effectiveOnDestroy, type ProjectTeamState, projectTeamOutputs } from "./state";
import { create, update } from "./write";

export const projectTeam: Resource<"ProjectTeam"> = {
  name: "ProjectTeam",
  description: `The roles of one team in one project: all people of the team have them. Other teams and the people of the project are not changed.

Creating adds the team, or adopts a team that is in the project already and gives it the declared roles. Destroying removes the team from the project, unless \`onDestroy\` is \`release\`; the team stays in its organization. People who are in the project only through a team are no direct members: \`ProjectMembers\` neither lists nor removes them.`,
  importId: "`<projectId>/` and the id or the name of the team",
  inputs: projectTeamInputs,
  outputs: projectTeamOutputs,
  check: checkProjectTeam,
  diff,
  create,
  read: readProjectTeam,
  update,
  delete: remove,
  // The team is added again.
  restoredBy: () => "update",
};

function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asProjectTeamState(state, id);
  const declared = asProjectTeamInputs(inputs);
  const before = asProjectTeamInputs(oldInputs);
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = [
    ...projectDifferences(recorded.projectId, declared.projectId),
    ...teamDifferences(recorded, declared, before),
    ...roleDifferences(recorded, declared),
    ...onDestroyDifferences(declared.onDestroy, effectiveOnDestroy(before), effectiveOnDestroy(declared)),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  const isSameTeam = !differences.some(({ path }) =>
    ["projectId", "teamId", "teamName"].includes(String(path[0])),
  );
  if (isSameTeam) {
    context.session.claims.claimTeamId(recorded.projectId, declaredTeam(declared), recorded.teamId);
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

function roleDifferences({ roles: recorded }: ProjectTeamState, { roles }: ProjectTeamInputs): Difference[] {
  if (hasUnknown(roles)) return [{ path: ["roles"], kind: "update" }];
  return setDifferences(["roles"], recorded, roles as readonly string[]);
}
