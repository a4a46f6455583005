import { z } from "zod";
import { joinId } from "../../text/object-id";
import { projectIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";
import { factsOf } from "../reads/project-facts";
import { namedTeamsOfProject } from "../reads/project-teams";

export const projectTeamListing = defineListing(
  z.strictObject({ projectId: projectIdInput }),
  async ({ projectId }, context) => {
    const { orgId } = await factsOf({ ...context, projectId });
    const teams = await namedTeamsOfProject({ projectId, orgId }, context);
    return teams.map(({ teamId, name = teamId }) => ({ id: joinId(projectId, teamId), name }));
  },
);
