import type { Resource } from "../contract/resource";
import { remove } from "./delete";
import { diff } from "./diff";
import { check, declares, projectTeamInputs } from "./inputs";
import { projectTeamListing } from "./list";
import { read } from "./read";
import { projectTeamOutputs } from "./state";
import { create, update } from "./write";

export const projectTeam: Resource<"ProjectTeam"> = {
  name: "ProjectTeam",
  description: `The roles of one team in one project: all people of the team have them. Other teams and the people of the project are not changed.

Creating adds the team, or adopts a team that is in the project already and gives it the declared roles. Destroying removes the team from the project, unless \`onDestroy\` is \`release\`; the team stays in its organization. People who are in the project only through a team are no direct members: \`ProjectMembers\` neither lists nor removes them.`,
  importId: "`<projectId>/` and the id or the name of the team",
  inputs: projectTeamInputs,
  listing: projectTeamListing,
  outputs: projectTeamOutputs,
  check,
  diff,
  declares,
  create,
  read,
  update,
  delete: remove,
  duties: {
    whenRemoved: 'the team loses its roles in the project; with `onDestroy: "release"` it keeps them',
    counted: "the team",
    whenDeletedFirst: "the team leaves the project and is added again",
    withFourOperations: "cannot be created",
    identifiedBy: ["projectId", "teamId", "teamName"],
  },
  subject: ({ projectId }) => String(projectId),
  // The team is added again.
  restoredBy: () => "update",
};
