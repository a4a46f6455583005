import { z } from "zod";
import { listTeams } from "../api/teams";
import { requiredText } from "../resources/contract/fields";
import { organizationFailures, orgIdOrSetting } from "../resources/contract/organization";
import { inOrder } from "../resources/contract/values";
import { defineLookup } from "./lookup";

const teamSummary = z
  .object({
    teamId: requiredText("ID of the team, 24 hexadecimal digits."),
    name: requiredText("Name of the team, unique in the organization."),
  })
  .meta({ typeName: "TeamSummary", description: "A team that the API key can see." });

export const getTeams = defineLookup({
  name: "getTeams",
  description:
    "Looks up the teams of an organization that the API key can see; none is an empty list. Needs an API key with the role Organization Member.",
  inputs: z.strictObject({ orgId: orgIdOrSetting }),
  outputs: z.object({
    orgId: requiredText("ID of the organization, 24 hexadecimal digits."),
    teams: z.array(teamSummary).meta({ description: "The teams, sorted by name." }),
  }),
  check: organizationFailures,
  async invoke({ args: { orgId = "" }, context }) {
    const teams = await listTeams(context.session.client, orgId, context.signal);
    const found = teams.map(({ id, name }) => ({ teamId: id, name }));
    return { orgId, teams: found.sort((one, other) => inOrder(one.name, other.name)) };
  },
});
