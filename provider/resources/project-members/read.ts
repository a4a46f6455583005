/** Reads the people of a project, for each operation, and the accounts that listed names mean. */

import { OwnersAbove } from "../../access/owners-above";
import { type Membership, sameName, usernamesOf } from "../../access/person";
import { RefusedError } from "../../text/errors";
import { OBJECT_ID } from "../../text/object-id";
import { toProperties } from "../contract/border";
import type { MemberDetail } from "../contract/people-outputs";
import type { Context, ProjectContext, ReadRequest, ReadResult } from "../contract/resource";
import { CHECK_BASE_URL, isPossiblyOfGateway, meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { warnOfDoubt, warnOfUnread } from "../evidence/unread-warning";
import { liveInputs, withEndsOf } from "../lists/ends";
import { type Account, accountByName } from "../people/accounts";
import { allMemberships, showsAllDeclared } from "../people/memberships";
import { announceExpiry } from "../people/place";
import { recordOf } from "../people/resolve";
import { withoutTeamRoles } from "../people/team-roles";
import { absenceOfProject } from "../reads/absence";
import { factsOf } from "../reads/project-facts";
import { decisiveRefusal, type PeopleLists, ProjectPeopleCache } from "../reads/project-people";
import { ObservationLog } from "../session/observations";
import type { Purpose } from "../session/shared-reads";
import { asMemberListInputs } from "./inputs";
import {
  asMemberListState,
  observationOf,
  recordsInvitation,
  stateAfterRead,
  stateAfterWrite,
} from "./state";

export async function read(request: ReadRequest): Promise<ReadResult | undefined> {
  const { id, state, oldInputs } = request;
  if (state === undefined || oldInputs === undefined) return readForImport(id, request.context);
  const recorded = asMemberListState(state, id);
  const { projectId, origin } = recorded;
  const context = { ...request.context, projectId };
  context.session.of(ObservationLog).record(context.urn, observationOf(recorded));
  const lists = await readProjectPeople(recorded.memberDetails, "reading", context);
  const { members } = lists;
  const refusal = decisiveRefusal(projectId, lists, recordsInvitation(recorded.memberDetails));
  if (refusal !== undefined) {
    const { error } = refusal;
    if (!(members instanceof Refusal) && meaningOf(error) === "failure") throw error;
    // A list of members proves that the project exists, so only its refusal can mean that the
    // project was deleted.
    if (members instanceof Refusal && (await absenceOfProject(error, recorded, context)) === "deleted")
      return undefined;
    warnOfUnread("people", projectId, error, context);
    return { id, state: toProperties(recorded), inputs: oldInputs };
  }
  const { invitations } = lists;
  if (invitations instanceof Refusal && isPossiblyOfGateway(invitations.error))
    warnOfDoubt(projectId, invitations.error, context);
  const inputs = asMemberListInputs(withEndsOf(state, oldInputs));
  const { orgId } = await factsOf(context, recorded);
  const memberships = await directMemberships(lists, recorded.memberDetails, context);
  context.session.of(OwnersAbove).record(projectId, orgId, memberships);
  for (const detail of recorded.memberDetails) {
    const isThere = memberships.some(
      ({ username, invitationId }) =>
        sameName(username, detail.username) || invitationId === detail.invitationId,
    );
    if (detail.declared && !isThere) announceExpiry(detail, { kind: "project", id: projectId }, context);
  }
  const liveState = stateAfterRead({
    projectId,
    memberships,
    names: Object.keys(inputs.members),
    recorded: recorded.memberDetails,
    inputs,
    orgId,
    origin,
    ends: { before: recorded.ends ?? [], session: context.session },
  });
  const live = toProperties(liveState);
  return { id, state: live, inputs: liveInputs(live, oldInputs, "members") };
}

async function readForImport(id: string, operation: Context): Promise<ReadResult | undefined> {
  const projectId = id.toLowerCase();
  if (!OBJECT_ID.test(projectId)) {
    throw new RefusedError(
      `"${id}" is not the id of a project: ProjectMembers is imported by its projectId, 24 hexadecimal digits.`,
    );
  }
  const context = { ...operation, projectId };
  const lists = await context.session.of(ProjectPeopleCache).shared(projectId, context.signal);
  if (lists.members instanceof Refusal && meaningOf(lists.members.error) === "deleted") return undefined;
  requireMemberList(projectId, lists, false);
  const { orgId } = await factsOf(context);
  const memberships = allMemberships(lists);
  // The generated inputs list all people.
  const state = stateAfterWrite({
    projectId,
    memberships,
    names: usernamesOf(memberships),
    recorded: [],
    inputs: {},
    orgId,
    origin: "imported",
  });
  return { id: projectId, state: toProperties(state), inputs: { projectId, members: state.members } };
}

export type AccountLookups = ReadonlyMap<string, Account | "none" | "unknown">;

export function requireMemberList(projectId: string, lists: PeopleLists, recordsInvitations: boolean): void {
  const refusal = decisiveRefusal(projectId, lists, recordsInvitations);
  if (refusal === undefined) return;
  const { error } = refusal;
  if (meaningOf(error) !== "missing-operation") throw error;
  throw new RefusedError(
    `ProjectMembers of project ${projectId} cannot be managed: this service does not offer listing its people (GET /groups/{id}/users), so the provider cannot tell its members. Use ProjectMember with userId or invitationId. ${CHECK_BASE_URL}`,
    { cause: error },
  );
}

/**
 * The lists of a project, read again if they lack someone who is recorded as declared. The lists are separate
 * requests: a person who accepts an invitation between them, or is removed and invited again, is in neither. Lists
 * that could not be read are left to the caller.
 */
export async function readProjectPeople(
  recorded: readonly MemberDetail[],
  purpose: Purpose,
  { session, signal, projectId }: ProjectContext,
): Promise<PeopleLists> {
  const cache = session.of(ProjectPeopleCache);
  const people = await cache.read(projectId, purpose, signal);
  const isUnread = people.members instanceof Refusal || people.invitations instanceof Refusal;
  return isUnread || showsAllDeclared(recorded, people) ? people : cache.fresh(projectId, signal);
}

/**
 * All memberships, each person once and without the roles that come through teams.
 *
 * @param shownAfterWrite of people whom this run has changed: the roles that are shown beside those
 * that were written
 */
export async function directMemberships(
  lists: PeopleLists,
  recorded: readonly MemberDetail[],
  context: ProjectContext,
  shownAfterWrite: (membership: Membership) => readonly string[] | undefined = () => undefined,
): Promise<Membership[]> {
  const memberships = allMemberships(lists, recorded);
  const recordedOf = recordOf(recorded, memberships);
  return Promise.all(
    memberships.map((membership) => {
      const suspected = shownAfterWrite(membership) ?? recordedOf(membership)?.teamRoles ?? [];
      return withoutTeamRoles(membership, suspected, context);
    }),
  );
}

/**
 * A service may resolve a name that is spelled otherwise in its list. So if the project has people
 * who are not listed, listed names without a member are looked up before any removal.
 */
export async function accountsOf(missing: readonly string[], context: Context): Promise<AccountLookups> {
  const lookups = missing.map(async (username) => {
    // The step that adds the person reports the failure, and the other steps run.
    const account = await accountByName(username, context).catch(() => undefined);
    return account === undefined ? [] : [[username, account] as const];
  });
  return new Map((await Promise.all(lookups)).flat());
}

/** Members who are listed under another spelling than the service's. */
export function listedOtherwise(
  members: readonly (Membership & { readonly status: "active" })[],
  accounts: AccountLookups,
): MemberDetail[] {
  return [...accounts].flatMap(([name, account]) =>
    members
      .filter(({ userId }) => typeof account === "object" && userId === account.userId)
      .map(({ userId, username, roles }): MemberDetail => {
        const detail = { userId, username, declaredAs: name, status: "active", roles } as const;
        return { ...detail, declared: false, ignored: false };
      }),
  );
}
