/** The memberships of a project as the lists show them, and the accounts that listed names mean. */

import type { Membership } from "../../access/person";
import { RefusedError } from "../../text/errors";
import type { MemberDetail } from "../contract/people-outputs";
import type { Context, ProjectContext } from "../contract/resource";
import { meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { type Account, accountByName } from "../people/accounts";
import { allMemberships, showsAllDeclared } from "../people/memberships";
import { recordOf } from "../people/resolve";
import { withoutTeamRoles } from "../people/team-roles";
import { decisiveRefusal, type ProjectPeople, ProjectPeopleCache } from "../reads/project-people";
import type { Purpose } from "../session/shared-reads";

export type AccountLookups = ReadonlyMap<string, Account | "none" | "unknown">;

export function requireMemberList(
  projectId: string,
  projectPeople: ProjectPeople,
  recordsInvitations: boolean,
): void {
  const refusal = decisiveRefusal(projectId, projectPeople, recordsInvitations);
  if (refusal === undefined) return;
  const { error } = refusal;
  if (meaningOf(error) !== "missing-operation") throw error;
  throw new RefusedError(
    `ProjectMembers of project ${projectId} cannot be managed: this service does not offer listing its people (GET /groups/{id}/users), so the provider cannot tell its members. Use ProjectMember with userId or invitationId.`,
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
): Promise<ProjectPeople> {
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
  projectPeople: ProjectPeople,
  recorded: readonly MemberDetail[],
  context: ProjectContext,
  shownAfterWrite: (membership: Membership) => readonly string[] | undefined = () => undefined,
): Promise<Membership[]> {
  const memberships = allMemberships(projectPeople, recorded);
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
