/** The teams in one project, with their roles. */
import { z } from "zod";
import type { Frozen } from "../resources/contract/border";
import { optionalText, projectIdInput, requiredText, roleTexts } from "../resources/contract/fields";
import { factsOf } from "../resources/reads/project-facts";
import { namedTeamsOfProject } from "../resources/reads/teams";
import { defineLookup } from "./lookup";

const teamRoles = z
  .object({
    teamId: requiredText("ID of the team, 24 hexadecimal digits."),
    name: optionalText("Name of the team; absent if the service does not show it to the API key."),
    roles: roleTexts("Project roles of the team, sorted."),
  })
  .meta({ typeName: "ProjectTeamRoles", description: "A team in a project." });

/** A team in a project, with its name as far as it is known. */
export type LiveTeam = Frozen<z.output<typeof teamRoles>>;

export const getProjectTeams = defineLookup({
  name: "getProjectTeams",
  description:
    "Looks up the teams in a project with their roles; none is an empty list. Needs an API key with the role Project Read Only.",
  inputs: z.strictObject({ projectId: projectIdInput }),
  outputs: z.object({
    projectId: requiredText("ID of the project, 24 hexadecimal digits."),
    teams: z.array(teamRoles).meta({ description: "The teams, sorted by name, then by id." }),
  }),
  async invoke({ args: { projectId }, context }) {
    const { orgId } = await factsOf({ ...context, projectId });
    return { projectId, teams: await namedTeamsOfProject({ projectId, orgId }, context) };
  },
});
