/** The teams in one project, with their roles. */
import { z } from "zod";
import { listTeamsOfProject } from "../api/teams";
import type { Frozen } from "../resources/contract/border";
import { optionalText, projectIdInput, requiredText, roleTexts } from "../resources/contract/fields";
import { inOrder } from "../resources/contract/values";
import { Refusal } from "../resources/evidence/refusal";
import { factsOf } from "../resources/people/project-facts";
import { TeamCache, toEntries } from "../resources/people/team-cache";
import { defineLookup, type LookupRequest } from "./lookup";

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
    return { projectId, teams: await lookUpProjectTeams({ projectId, orgId }, context) };
  },
});

/**
 * The teams of a project. Their names come from the list of the organization, if the API key can
 * read it.
 */
export async function lookUpProjectTeams(
  { projectId, orgId }: { readonly projectId: string; readonly orgId: string | undefined },
  { session, signal }: LookupRequest["context"],
): Promise<LiveTeam[]> {
  const { client } = session;
  const [entries, names] = await Promise.all([
    listTeamsOfProject(client, projectId, signal).then(toEntries),
    orgId === undefined ? [] : session.of(TeamCache).ofOrganization.shared(orgId, signal),
  ]);
  const byId = new Map(names instanceof Refusal ? [] : names.map(({ id, name }) => [id, name]));
  return entries
    .map(({ teamId, roles }): LiveTeam => ({ teamId, name: byId.get(teamId), roles }))
    .sort((one, other) => inOrder(one.name ?? "", other.name ?? "") || inOrder(one.teamId, other.teamId));
}
