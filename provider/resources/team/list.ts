import { z } from "zod";
import { listTeams } from "../../api/teams";
import { joinId } from "../../text/object-id";
import { objectId } from "../contract/fields";
import { defineListing } from "../contract/listing";

export const teamListing = defineListing(
  z.strictObject({
    orgId: objectId("the id of an organization").meta({
      description: "ID of the organization, 24 hexadecimal digits.",
    }),
  }),
  async ({ orgId }, { session, signal }) => {
    const teams = await listTeams(session.client, orgId, signal);
    return teams.map(({ id, name }) => ({ id: joinId(orgId, id), name }));
  },
);
