import { z } from "zod";
import { listTeams } from "../../api/teams";
import { joinId } from "../../text/object-id";
import { orgIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";

export const teamListing = defineListing(
  z.strictObject({
    orgId: orgIdInput,
  }),
  async ({ orgId }, { session, signal }) => {
    const teams = await listTeams(session.client, orgId, signal);
    return teams.map(({ id, name }) => ({ id: joinId(orgId, id), name }));
  },
);
