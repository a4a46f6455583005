import { z } from "zod";
import { projectIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";
import { allMemberships } from "../people/memberships";
import { decisiveRefusal, ProjectPeopleCache } from "../reads/project-people";
import { memberId } from "./state";

/** Members and pending invitations, each person once. */
export const memberListing = defineListing(
  z.strictObject({ projectId: projectIdInput }),
  async ({ projectId }, { session, signal }) => {
    const projectPeople = await session.of(ProjectPeopleCache).shared(projectId, signal);
    const refusal = decisiveRefusal(projectId, projectPeople, false);
    if (refusal !== undefined) throw refusal.error;
    return allMemberships(projectPeople).map(({ username }) => ({
      id: memberId(projectId, { username }),
      name: username,
    }));
  },
);
