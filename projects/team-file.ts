/** The schema of one team file, made of the inputs of Team. */

import { z } from "zod";
import { checkedAs } from "../provider/resources/contract/border";
import type { Properties } from "../provider/resources/contract/values";
import { teamInputs, usernameFailures } from "../provider/resources/team/inputs";
import {
  beginningOf,
  type DeclaredFile,
  type Draft,
  type FileKind,
  fileProperties,
  missingNameFaults,
  organizationOf,
  orgIdOfFile,
  sharedFaults,
  sharedKeyFaults,
} from "./declared-file";
import type { Fault } from "./faults";

const { teamId, orgId, name, usernames, maxRemovals, removeUnlisted } = teamInputs.shape;

/** Every property is optional in one file: a file that it extends may have it. */
const teamFileSource = z.strictObject({
  ...fileProperties("team"),
  name: name.optional().meta({
    defaultText: "`key`, where that is written",
    description:
      "Name of the team, unique in the organization; not inherited. If it changes, the team is renamed. Required without `key`, to distinguish a renamed file from a new team.",
  }),
  teamId: teamId.meta({
    description:
      "Id of an existing team to adopt, 24 hexadecimal digits; not inherited. Without it, a team named `name` is created.",
  }),
  orgId: orgId.meta(orgIdOfFile),
  usernames: usernames
    .min(1, "must not be empty: a list that failed to load would remove everyone")
    .optional()
    .meta({
      description: `${usernames.meta()?.description ?? ""} A person who leaves the list leaves the team.`,
    }),
  maxRemovals,
  removeUnlisted,
  onDestroy: z.enum(["release", "delete"], 'must be "release" or "delete"').optional().meta({
    defaultText: "`release`",
    description:
      "What happens after the file is deleted: `release` leaves the team and its people in the service, `delete` deletes the team there.",
  }),
});

/** One team file with the files that it extends and with defaults: checked and complete. */
export interface TeamFile extends DeclaredFile {
  readonly name: string;
  readonly teamId?: string;
  readonly usernames: string[];
  readonly maxRemovals?: number;
  readonly removeUnlisted?: boolean;
  readonly onDestroy: "release" | "delete";
}

export const teamKind: FileKind<TeamFile> = {
  noun: "team",
  folder: "teams",
  sample: "name: operators",
  source: teamFileSource,
  endable: [{ property: "usernames", value: "username" }],
  nested: {},
  failuresIn: usernameFailures,
  faultsIn: (draft, values) => [
    ...missingNameFaults("team", draft, values),
    ...missingPeopleFaults(draft, values),
  ],
  toFile: (declared, facts) =>
    checkedAs<TeamFile>({ name: facts.key, onDestroy: "release", ...declared, ...facts }),
  shared: (files, locate) => [
    ...sharedKeyFaults(files, locate),
    ...sharedFaults(files, {
      identity: (team) => `${team.name} in ${organizationOf(team)}`,
      locationOf: (file) => locate(file, ["name"]),
      reason: ({ name }, other) =>
        `The team "${name}" is also declared by ${other}. Keep one file for each team.`,
    }),
  ],
};

function missingPeopleFaults(draft: Draft, values: Properties): Fault[] {
  if (values.usernames !== undefined || !draft.isComplete || draft.isSound?.("usernames") === false)
    return [];
  const reason =
    "usernames is missing. List the people of the team, here or in a file that this one extends.";
  return [{ location: beginningOf(draft), reason }];
}
