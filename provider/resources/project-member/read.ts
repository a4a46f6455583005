/** Reads one person: for a refresh by all recorded identities, for an import by one name or ID. */

import { type Identity, type Membership, pendingMembership } from "../../access/person";
import { getInvitation } from "../../api/invitations";
import { messageOf, RefusedError } from "../../text/errors";
import { formatNotice } from "../../text/notices";
import { importedParts, OBJECT_ID } from "../../text/object-id";
import { toProperties } from "../contract/border";
import { withForms } from "../contract/canonical";
import type { Context, ProjectContext, ReadRequest, ReadResult } from "../contract/resource";
import type { Properties } from "../contract/values";
import { meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { warnOfUnread } from "../evidence/unread-warning";
import { announceExpiry } from "../people/expired-invitations";
import { findMembership } from "../people/resolve";
import { withoutRecordedTeamRoles } from "../people/team-roles";
import { absenceOfProject } from "../reads/absence";
import { factsOf } from "../reads/project-facts";
import {
  decisiveRefusal,
  entriesOf,
  hasExpired,
  invitationsRefusal,
  type ProjectPeople,
  ProjectPeopleCache,
  toInvitation,
} from "../reads/project-people";
import { ObservationLog } from "../session/observations";
import { findRecorded } from "./find-member";
import { asMemberInputs, declaredIdentity } from "./inputs";
import {
  asMemberState,
  type MemberState,
  memberId,
  observationOf,
  toMemberState,
  withRecordedInvitation,
} from "./state";
import { lacksMemberList } from "./without-member-list";

/**
 * `unverified`: the invitation is no longer pending, and the service does not show whether it was
 * accepted. A refusal: this key or this service does not show the person.
 */
type ReadOutcome = Membership | "deleted" | Refusal | "unverified";

export async function read(request: ReadRequest): Promise<ReadResult | undefined> {
  const { id, state, oldInputs } = request;
  if (state === undefined || oldInputs === undefined) return importMember(id, request.context);
  const recorded = asMemberState(state, id);
  const inputs = asMemberInputs(oldInputs);
  const { projectId, origin } = recorded;
  const context = { ...request.context, projectId };
  context.session.of(ObservationLog).record(context.urn, observationOf(id, origin, inputs));
  const lists = await context.session.of(ProjectPeopleCache).shared(projectId, context.signal);
  const { projectPeople, who } = await findRecorded(recorded, declaredIdentity(inputs), lists, context);
  const retained = { id, state: toProperties(recorded), inputs: oldInputs };
  if (who === "unknown") {
    warnOfUnreadAccount(recorded, context);
    return retained;
  }
  const outcome = await outcomeOf(recorded, who, projectPeople, context);
  if (outcome === "deleted") return undefined;
  if (outcome instanceof Refusal) {
    warnOfUnread("people", projectId, outcome.error, context);
    return retained;
  }
  if (outcome === "unverified") {
    return { id, state: toProperties({ ...recorded, status: "unverified" }), inputs: oldInputs };
  }
  const found = await withoutRecordedTeamRoles(outcome, recorded, context);
  const facts = await factsOf(context, recorded);
  const current = toMemberState(projectId, found, inputs, origin, facts);
  const live = withRecordedInvitation(current, recorded, projectPeople, context);
  context.session.of(ObservationLog).record(context.urn, observationOf(id, origin, inputs, live));
  return { id, state: toProperties(live), inputs: withForms(oldInputs, { roles: () => found.roles }) };
}

function warnOfUnreadAccount({ projectId, userId }: MemberState, { log }: Context): void {
  log.warn(
    formatNotice(
      { code: "unreadable", subject: "people", projectId },
      `User ${userId} cannot be read with these credentials, so the provider cannot determine whether an invitation to project ${projectId} is theirs. The state retains the last known values. These credentials need the role Project User Admin in a project of this account.`,
    ),
  );
}

async function outcomeOf(
  recorded: MemberState,
  who: Identity,
  projectPeople: ProjectPeople,
  context: ProjectContext,
): Promise<ReadOutcome> {
  const { members, invitations } = projectPeople;
  const { projectId, invitationId } = recorded;
  const membership = findMembership(entriesOf(members), entriesOf(invitations), who);
  if (membership?.status === "active") return membership;
  if (members instanceof Refusal) {
    const absence = await absenceOfProject(members.error, recorded, context);
    if (absence === "deleted") return "deleted";
    return absence === "missing-operation" ? findByInvitation(recorded, members, context) : members;
  }
  if (membership) return membership;
  if (!(invitations instanceof Refusal) || recorded.status === "active") {
    announceExpiry(recorded, { projectId }, context);
    return "deleted";
  }
  if (meaningOf(invitations.error) !== "missing-operation") return invitations;
  if (invitationId === undefined) {
    const refusal = invitationsRefusal(projectId, projectPeople, false);
    if (refusal !== undefined) throw refusal.error;
    return "deleted";
  }
  const found = await findByInvitation(recorded, invitations, context);
  return found === "unverified" ? "deleted" : found;
}

/** The only read that a service with nothing but the documented operations offers. */
async function findByInvitation(
  recorded: MemberState,
  missing: Refusal,
  context: ProjectContext,
): Promise<ReadOutcome> {
  const { projectId, invitationId } = recorded;
  if (invitationId === undefined) return missing;
  try {
    const response = await getInvitation(context.session.client, projectId, invitationId, context.signal);
    const invitation = toInvitation(response);
    if (!hasExpired(invitation, context.session.client.now())) {
      return pendingMembership([invitation], recorded.userId);
    }
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning === "failure") throw error;
    // A service without this read may list people, so the warning shows the error of this read.
    if (meaning !== "deleted") return new Refusal(new RefusedError(messageOf(error), { cause: error }));
  }
  context.log.warn(
    formatNotice(
      { code: "unverified", subject: "invitation", projectId, invitationId },
      `Invitation ${invitationId} to project ${projectId} is no longer pending: it was accepted, has expired or was deleted, and this service does not show which.`,
    ),
  );
  return "unverified";
}

/** Imports by exact name, then by account, then by invitation. */
async function importMember(id: string, operation: Context): Promise<ReadResult | undefined> {
  const { ownerId: projectId, name: person } = importedParts(
    id,
    "a person in a project: a ProjectMember is imported by <projectId>/<username>, <projectId>/<userId> or <projectId>/<invitationId>.",
  );
  const context = { ...operation, projectId };
  const projectPeople = await context.session.of(ProjectPeopleCache).shared(projectId, context.signal);
  if (lacksMemberList(projectPeople)) return importInvitation(person.toLowerCase(), context);
  // A list of members proves that the project exists, so only its refusal means that the project
  // was deleted.
  if (projectPeople.members instanceof Refusal && meaningOf(projectPeople.members.error) === "deleted")
    return undefined;
  const refusal = decisiveRefusal(projectId, projectPeople, false);
  if (refusal !== undefined) throw refusal.error;
  const identities: Identity[] = [
    { username: person },
    { userId: person.toLowerCase() },
    { invitationId: person.toLowerCase() },
  ];
  const [membership] = identities.flatMap(
    (who) =>
      findMembership(entriesOf(projectPeople.members), entriesOf(projectPeople.invitations), who) ?? [],
  );
  return (
    membership && imported(membership, { username: membership.username, roles: membership.roles }, context)
  );
}

async function importInvitation(
  invitationId: string,
  context: ProjectContext,
): Promise<ReadResult | undefined> {
  if (!OBJECT_ID.test(invitationId)) {
    throw new RefusedError(
      `${invitationId} cannot be imported by name: this service does not offer listing the people of a project (GET /groups/{id}/users). A pending invitation can be imported by <projectId>/<invitationId>; a user is declared by userId.`,
    );
  }
  const { session, signal, projectId } = context;
  const response = await getInvitation(session.client, projectId, invitationId, signal).catch(
    (error: unknown) => {
      if (meaningOf(error) !== "deleted") throw error;
      throw new RefusedError(
        `${invitationId} is not a pending invitation to project ${projectId}, and this service does not show whether it is a user. Declare a user by userId instead of importing it.`,
        { cause: error },
      );
    },
  );
  return imported(pendingMembership([toInvitation(response)]), { invitationId }, context);
}

async function imported(
  membership: Membership,
  inputs: Properties,
  context: ProjectContext,
): Promise<ReadResult> {
  const { projectId } = context;
  const facts = await factsOf(context);
  const state = toMemberState(projectId, membership, {}, "imported", facts);
  const id = memberId(
    projectId,
    "invitationId" in inputs ? { invitationId: String(inputs.invitationId) } : state,
  );
  return { id, state: toProperties(state), inputs: { projectId, ...inputs } };
}
