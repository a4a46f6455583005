/**
 * One person in one project, invited or active.
 *
 * Each operation searches for the person first: by account, then by name, then among the pending
 * invitations. So an invitation that was accepted, deleted or has expired is never mistaken for
 * another person.
 */

import { z } from "zod";
import { memberName } from "../../access/person";
import type { CheckFailure } from "../contract/check";
import { accessOf, nothingElse, personIn, projectIn } from "../contract/declared";
import { objectId, optionalText, projectIdInput } from "../contract/fields";
import { defineListing } from "../contract/listing";
import { removeByDefault } from "../contract/on-destroy";
import { roleList, usernameText } from "../contract/people-inputs";
import {
  recordedInvitation,
  recordedOrgId,
  recordedUserId,
  shownTeamRoles,
} from "../contract/people-outputs";
import type { Context } from "../contract/resource";
import { projectRoles } from "../contract/roles";
import { endOutputs, untilInput } from "../contract/until";
import type { Properties } from "../contract/values";
import { claimDeclared, membersOf } from "../people/member-claims";
import { explainOnlyOwner } from "../people/only-owner";
import { projectPlace } from "../people/place";
import { removePerson } from "../people/removal";
import { withoutTeamRoles } from "../people/team-roles";
import { addOrInvite } from "../people/write";
import { isProjectDeleted } from "../reads/absence";
import { factsOf } from "../reads/project-facts";
import { invitationsRefusal, ProjectPeopleCache } from "../reads/project-people";
import { Claims } from "../session/claims";
import { removalOf, requireRemovals } from "../session/removal-budget";
import { memberResource } from "./engine";
import type { MemberPlace, MemberPort } from "./port";
import { findForWrite, identify, projectOf } from "./project-identity";
import { projectWithoutList } from "./project-without-list";
import { listedMembers } from "./read";
import { notRemoved } from "./record";

const onDestroy = removeByDefault(
  "What destroying does: `remove` removes the person from the project or deletes the invitation; `release` only removes the resource from the state.",
);

const inputs = z.strictObject({
  projectId: objectId("the id of a project").meta({
    description:
      "ID of the project, 24 hexadecimal digits. If it changes, the person is added to the new project first and removed from the old one last.",
  }),
  username: usernameText().optional().meta({
    description:
      "Name of the person, usually an email address; case does not count. One of `username`, `userId` and `invitationId` is needed; more than one must mean the same person.",
  }),
  userId: objectId("the id of a user").optional().meta({
    description: "ID of an existing account, 24 hexadecimal digits, in place of `username`.",
  }),
  invitationId: objectId("the id of an invitation").optional().meta({
    description: "ID of a pending invitation to take over, 24 hexadecimal digits, in place of `username`.",
  }),
  roles: roleList().optional().meta({
    description:
      "Project roles of the person, a set with at least one entry, such as `GROUP_READ_ONLY`. Required with `username`. With an ID and without `roles`, the roles are not managed.",
  }),
  until: untilInput(
    "the person in the project",
    "removes the person, whoever added them, and so does each later update if somebody brings them back",
    "adds or invites the person again",
  ),
  onDestroy: onDestroy.input,
});

/** Outputs beside those that hold the live value of an input. */
const outputs = z.object({
  status: z.enum(["active", "pending", "unverified", "ended"]).meta({
    description:
      "`active`: in the project. `pending`: invited, not yet accepted. `unverified`: not known, because the service offers no way to read it, or the read after a write failed. `ended`: not in the project, because the last day is over.",
  }),
  username: optionalText(
    "Name of the person as the service spells it; absent while `unverified` by a `userId`.",
  ),
  userId: recordedUserId,
  teamRoles: shownTeamRoles,
  ...recordedInvitation,
  groupName: optionalText("Name of the project."),
  orgId: recordedOrgId,
  origin: z.enum(["created", "adopted", "imported"]).meta({
    description: "Whether this resource added or invited the person, adopted them, or imported them.",
  }),
  onDestroy: onDestroy.output,
  ...endOutputs,
});

const port: MemberPort = {
  failuresIn: identityFailures,
  defaults: () => ({ status: "unverified" }),
  shownRoles: (live) => live,
  place: memberPlace,
  claim: (declared, projectId, context) => claimDeclared(declared, { ...context, projectId }),
  claimRecorded: ({ status, userId, invitationId, username }, declared, projectId, { session }) => {
    // The name of an invitation is not the account's name for ever.
    const isVerified = declared.userId === undefined || status === "active";
    const who = {
      userId: userId ?? declared.userId,
      invitationId,
      username: isVerified ? username : undefined,
    };
    session.of(Claims).claimFound(membersOf(projectId, declared), membersOf(projectId, who));
    return undefined;
  },
  identify,
  find: findForWrite,
  unlisted: projectWithoutList,
  remove: async (membership, recorded, _, place) => {
    const removal = removalOf(place.id, membership);
    requireRemovals(place.context, [removal], notRemoved(recorded, place));
    await removePerson(membership, place);
  },
  removalFailed: async (error, recorded, place) => {
    const context = projectOf(place);
    if (await isProjectDeleted(error, { projectId: place.id, orgId: recorded.orgId }, context)) return;
    throw explainOnlyOwner(memberName(recorded), context, error);
  },
};

function memberPlace(projectId: string, operation: Context): MemberPlace {
  const context = { ...operation, projectId };
  const cache = context.session.of(ProjectPeopleCache);
  return {
    ...projectPlace(context),
    sharingReads: (operation) => cache.during(projectId, operation),
    lists: (how) => cache[how](projectId, context.signal),
    unknownInvitations: (people, isRecorded) => invitationsRefusal(projectId, people, isRecorded),
    add: (who, roles) => addOrInvite(who, roles, context),
    facts: (recorded) => factsOf(context, recorded),
    ownRoles: (membership, suspected) => withoutTeamRoles(membership, suspected, context),
  };
}

function identityFailures({ username, userId, invitationId, roles }: Properties): CheckFailure[] {
  if (username === undefined && userId === undefined && invitationId === undefined) {
    const reason = "One of username, userId and invitationId is required to identify the person.";
    return [{ property: "", reason }];
  }
  if (roles !== undefined || userId !== undefined || invitationId !== undefined) return [];
  const person = typeof username === "string" ? username : "the person";
  const reason = `roles is missing: set the roles of ${person} in the project, such as ["GROUP_READ_ONLY"].`;
  return [{ property: "roles", reason }];
}

export const projectMember = memberResource(
  {
    name: "ProjectMember",
    description: `One person in one project, from the invitation to the membership. Other people of the project are left alone.

Creating adds or invites the person, or adopts one who is already in the project or invited, and gives them the declared roles. Accepting an invitation changes nothing in the program. Destroying removes the person from the project, pending invitations included, even if they were adopted, unless \`onDestroy\` is \`release\`. The account stays.

If one list decides who is in the project, use \`ProjectMembers\` instead. Never use both for one project.`,
    inputs,
    outputs,
    listing: defineListing(
      z.strictObject({ projectId: projectIdInput }),
      async ({ projectId }, { session, signal }) => {
        const people = await session.of(ProjectPeopleCache).shared(projectId, signal);
        return listedMembers(projectId, people, invitationsRefusal(projectId, people, false));
      },
    ),
    declares: (given, state) => accessOf(personIn(given, state), projectIn(given, state), given.roles),
    deletes: nothingElse,
    duties: {
      whenRemoved:
        'The person leaves the project, even if adopted, and so does every pending invitation of theirs. With `onDestroy: "release"` they stay.',
      counted: "the person",
      whenDeletedFirst:
        "The person leaves the project and is added or invited again; an invited account has to accept. One given by `invitationId` alone is retained. If the account was renamed, write its new name into the program first, because the old one would be invited.",
      withFourOperations:
        "Works with `userId` or `invitationId`, without `roles`. The `status` of a user is `unverified`. That of an invitation is `pending`, because no operation shows whether it was accepted. Destroying removes the user or revokes the invitation.",
      identifiedBy: ["projectId", "username", "userId", "invitationId"],
    },
    placeProperty: "projectId",
    importedBy: ["username", "userId", "invitationId"],
    roles: projectRoles,
    onDestroy,
  },
  port,
);
