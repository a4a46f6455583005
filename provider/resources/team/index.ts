import { z } from "zod";
import { listTeams } from "../../api/teams";
import { joinId } from "../../text/object-id";
import { allOf, textIn } from "../contract/declared";
import { orgIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";
import type { Resource } from "../contract/resource";
import { remove } from "./delete";
import { diff, remark } from "./diff";
import { check, declares, teamInputs } from "./inputs";
import { readPeople } from "./plan";
import { read } from "./read";
import { teamOutputs } from "./state";
import { create, update } from "./write";

const listing = defineListing(
  z.strictObject({ orgId: orgIdInput }),
  async ({ orgId }, { session, signal }) => {
    const teams = await listTeams(session.client, orgId, signal);
    return teams.map(({ id, name }) => ({ id: joinId(orgId, id), name }));
  },
);

export const team: Resource<"Team"> = {
  name: "Team",
  description: `A team of an organization: its name and its people. \`ProjectTeam\` gives a team roles in a project.

Give \`teamId\` to adopt an existing team. Without it, a team named \`name\` is created, which fails if the name is taken. An update adds people first, and then removes those who have left \`usernames\`, at most \`maxRemovals\`. People whom this resource never declared stay, unless \`removeUnlisted\` is \`true\`, and adopting a team removes nobody. Destroying deletes a team that this resource created, even with people in it, unless a project still has it. It releases an adopted or imported one.`,
  inputs: teamInputs,
  listing,
  outputs: teamOutputs,
  repeats: { people: "usernames", until: "usernames", ends: "usernames" },
  maps: ["until", "ended"],
  check,
  diff,
  declares,
  deletes: (state) =>
    allOf({ kind: "team", teamId: textIn(state, "teamId"), teamName: textIn(state, "name") }, state),
  readPeople,
  remark,
  create,
  read,
  update,
  delete: remove,
  duties: {
    whenRemoved:
      "A created team is deleted, unless a project still has it. An adopted or imported one stays, with its people.",
    counted: "each of its people",
    whenDeletedFirst:
      "A created one is deleted and created again, with another ID and the same accounts, even renamed ones. An adopted or imported one is released and found again. One given by `teamId` is retained.",
    withFourOperations: "Cannot be created.",
    identifiedBy: ["orgId", "teamId", "name"],
  },
  subject: ({ teamId, orgId, name }) =>
    typeof teamId === "string" ? `${String(orgId)}/${teamId}` : `${JSON.stringify(name)} in ${String(orgId)}`,
  // A team that is created again has another ID.
  restoredBy: () => ({ replacing: "orgId" }),
};
