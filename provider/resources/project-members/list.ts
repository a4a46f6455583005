import { z } from "zod";
import { getProject } from "../../api/projects";
import { projectIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";

/** One list for each project: the people of the project are one object. */
export const memberListListing = defineListing(
  z.strictObject({ projectId: projectIdInput }),
  async ({ projectId }, { session, signal }) => {
    const { id, name } = await getProject(session.client, projectId, signal);
    return [{ id, name }];
  },
);
