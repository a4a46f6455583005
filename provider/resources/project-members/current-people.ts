/** Reads the people of a project, finds out who is meant, and plans the changes. */

import {
  foldName,
  type Identity,
  isOwner,
  listedName,
  type Membership,
  nameOfTwo,
  OWNER_ROLE,
  sameName,
} from "../../access/person";
import type { Access, Place } from "../../access/places";
import { owningRoles, unknownRights } from "../../access/rights";
import { getProject } from "../../api/projects";
import { RefusedError } from "../../text/errors";
import type { Context, ProjectContext } from "../contract/resource";
import { meaningOf } from "../evidence/meaning";
import { claimAll, leaverFrom, membersOf } from "../people/member-claims";
import { allMemberships, showsAllDeclared } from "../people/memberships";
import type { MemberDetail } from "../people/outputs";
import { recordOf, resolve } from "../people/resolve";
import { withoutTeamRoles } from "../people/team-roles";
import { type Account, accountByName } from "../people/write";
import { decisiveRefusal, type ProjectPeople, ProjectPeopleCache } from "../reads/project-people";
import { Claims } from "../session/claims";
import type { Purpose } from "../session/shared-reads";
import { isIgnoredUser, type KnownMemberListInputs } from "./inputs";
import { namesOf, people } from "./limits";
import { endsOwnership, type MemberPlan, planMemberChanges } from "./plan";
import { recordsInvitation } from "./state";

export interface Target {
  readonly inputs: KnownMemberListInputs;
  readonly recorded: readonly MemberDetail[];
  /**
   * Patterns of the last operation. They apply once more, so a changed pattern removes no one
   * silently.
   */
  readonly oldPatterns: readonly string[];
  /** Whether `ignoreChanges` names `members`. If so, nothing is written. */
  readonly peopleAreIgnored?: boolean;
  /** Whether no resource has declared the people of the project before. */
  readonly isNew?: boolean;
}

export type AccountLookups = ReadonlyMap<string, Account | "none" | "unknown">;

/** The current memberships and the planned changes. */
export interface CurrentPeople {
  readonly memberships: readonly Membership[];
  readonly plan: MemberPlan;
  /** What is recorded, with the accounts that listed names turned out to mean. */
  readonly recorded: readonly MemberDetail[];
  /** The accounts of listed people who are not in the project, as far as they were looked up. */
  readonly accounts: AccountLookups;
  readonly orgId: string | undefined;
  /** What the plan leaves out because group mappings contradict it, in one sentence; `undefined` if nothing. */
  readonly contradicted?: string | undefined;
}

export async function readCurrentPeople(
  target: Target,
  purpose: Purpose,
  context: ProjectContext,
): Promise<CurrentPeople> {
  const { inputs } = target;
  const { session, urn, log, signal, projectId } = context;
  const claims = session.of(Claims);
  const peopleCache = session.of(ProjectPeopleCache);
  const rival = claimAll(context);
  if (rival) throw new RefusedError(rival.reason);
  const { orgId, contradiction } = await checkGroupMappings(target, context);
  const lists = await peopleCache.read(projectId, purpose, signal);
  const isComplete = showsAllDeclared(target.recorded);
  const projectPeople = await peopleCache.confirmed(projectId, lists, isComplete, signal);
  requireMemberList(projectId, projectPeople, recordsInvitation(target.recorded));
  const memberships = await directMemberships(projectPeople, target.recorded, context);
  const { missing, others } = resolve(Object.keys(inputs.members), memberships, target.recorded);
  const ignoreUsers = [...(inputs.ignoreUsers ?? []), ...target.oldPatterns];
  const members = others.flatMap((membership) =>
    membership.status === "active" && !isIgnoredUser(ignoreUsers, membership.username) ? [membership] : [],
  );
  const accounts = members.length === 0 ? new Map() : await accountsOf(missing, context);
  const recorded = [...target.recorded, ...listedOtherwise(members, accounts)];
  const declarerOf = (membership: Membership, named: MemberPlan["named"]) =>
    claims.declarerOf(leaverFrom(projectId, ownIdentity(membership, named)));
  const complete = planMemberChanges({
    declared: inputs.members,
    memberships,
    recorded,
    ignoreUsers,
    removeUnlisted: inputs.removeUnlisted === true,
    declarerOf,
  });
  for (const membership of complete.retained) {
    const owner = declarerOf(membership, complete.named);
    log.info(
      `${membership.username} in project ${projectId} was kept because ${owner} declares this person.`,
    );
  }
  refuseDuplicates(projectId, complete);
  warnOfOtherAccounts(target, complete, context);
  for (const [username, membership] of complete.named) {
    claims.claim(membersOf(projectId, membership, { username }), urn);
  }
  const place = { kind: "project", id: projectId, orgId } as const;
  const accessOfAll = (persons: readonly Membership[]) =>
    persons.map((person) => accessOfPerson(person, place));
  // Those whom another resource declares may be here because of this run.
  log.found?.(
    accessOfAll([...complete.named.values(), ...complete.removals, ...complete.staying]),
    accessOfAll(complete.removals),
  );
  const found = { memberships, recorded, accounts, orgId };
  if (target.peopleAreIgnored) return { ...found, plan: emptyPlan(complete), contradicted: undefined };
  return { ...found, ...withoutContradicted(complete, contradiction, recordOf(recorded, memberships)) };
}

/**
 * The plan without what group mappings contradict: a login undoes what this list gives, and adds unlisted people again.
 * Removals and reductions of declared people go ahead, so a mapping that someone else added keeps no one in the project.
 *
 * @throws RefusedError if nothing is left
 */
function withoutContradicted(
  plan: MemberPlan,
  contradiction: string | undefined,
  recordedOf: (membership: Membership) => MemberDetail | undefined,
): Pick<CurrentPeople, "plan" | "contradicted"> {
  if (contradiction === undefined) return { plan, contradicted: undefined };
  const isDeclared = (membership: Membership) => recordedOf(membership)?.declared === true;
  const undone = [
    ["adding", plan.additions],
    ["giving more roles to", plan.raises.map(({ membership }) => membership)],
    ["removing, although never declared,", plan.removals.filter((membership) => !isDeclared(membership))],
  ] as const;
  const parts = undone.flatMap(([what, who]) => (who.length === 0 ? [] : [`${what} ${namesOf(who)}`]));
  if (parts.length === 0) return { plan, contradicted: undefined };
  const removals = plan.removals.filter(isDeclared);
  const contradicted = `${contradiction} Not done because of that: ${parts.join("; ")}.`;
  if (removals.length + plan.otherChanges.length === 0)
    throw new RefusedError(`${contradicted} Nothing was written.`);
  return { plan: { ...plan, additions: [], raises: [], removals }, contradicted };
}

function accessOfPerson({ userId, invitationId, username, roles }: Membership, place: Place): Access {
  return { holder: { kind: "person", userId, invitationId, username }, place, roles };
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
async function accountsOf(missing: readonly string[], context: Context): Promise<AccountLookups> {
  const lookups = missing.map(async (username) => {
    // The step that adds the person reports the failure, and the other steps run.
    const account = await accountByName(username, context).catch(() => undefined);
    return account === undefined ? [] : [[username, account] as const];
  });
  return new Map((await Promise.all(lookups)).flat());
}

/** Members who are listed under another spelling than the service's. */
function listedOtherwise(
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

/**
 * Without the name if this resource declares another account of the same name: only the IDs differ.
 * Without the account if this resource declares it by another membership: an invitation that keeps
 * the former name of the account is not the declared one.
 */
function ownIdentity(membership: Membership, named: MemberPlan["named"]): Identity {
  const { userId, invitationId, username, status } = membership;
  const others = [...named.values()];
  if (status === "pending" && userId !== undefined && others.some((other) => other.userId === userId))
    return { invitationId, username };
  const isNamesake = others.some(
    (other) =>
      sameName(other.username, username) &&
      userId !== undefined &&
      other.userId !== undefined &&
      other.userId !== userId,
  );
  return isNamesake ? { userId, invitationId } : { userId, invitationId, username };
}

/** Warns of a listed name that belongs to another account since it was recorded. */
function warnOfOtherAccounts(
  { recorded }: Target,
  plan: MemberPlan,
  { log, projectId }: ProjectContext,
): void {
  // An undeclared account may have taken the name of the declared one, which comes last and is decisive.
  const details = [
    ...recorded.filter(({ declared }) => !declared),
    ...recorded.filter(({ declared }) => declared),
  ];
  const accounts = new Map(
    details.flatMap((detail) =>
      detail.userId === undefined ? [] : [[foldName(listedName(detail)), detail.userId] as const],
    ),
  );
  for (const [name, membership] of plan.named) {
    const before = accounts.get(foldName(name));
    const { userId } = membership;
    if (before === undefined || userId === undefined || before === userId) continue;
    log.warn(
      `${name} in project ${projectId} is another account than before: user ${userId}, was user ${before}. From now on this resource declares the new one.`,
    );
  }
  const listed = new Map([...plan.named].map(([name, membership]) => [foldName(name), membership]));
  for (const membership of plan.staying) {
    const holder = listed.get(foldName(membership.username));
    if (holder === undefined) continue;
    log.warn(nameOfTwo(membership.username, `project ${projectId}`, holder.username));
  }
}

/** Two names of one person would overwrite each other's roles in each run. */
function refuseDuplicates(projectId: string, { twice, named }: MemberPlan): void {
  const sentences = twice.map(([one, other]) => {
    const membership = named.get(one);
    const now = membership ? membership.username : one;
    return `members names one person of project ${projectId} twice: "${one}" and "${other}" are both ${now}. Remove one of the names.`;
  });
  if (sentences.length > 0) throw new RefusedError(`${sentences.join(" ")} Nothing was written.`);
}

function emptyPlan({ named }: MemberPlan): MemberPlan {
  const nothing = { additions: [], raises: [], otherChanges: [], removals: [] };
  return { ...nothing, named, twice: [], staying: [], retained: [] };
}

interface GroupMappings {
  /** The project's organization, if the service shows it. */
  readonly orgId?: string;
  /** Why some of the list cannot be true, as sentences; absent if all of it can. */
  readonly contradiction?: string;
}

/**
 * Warns where the groups of LDAP or of an identity provider decide who is in the project.
 *
 * @throws RefusedError if a new list contradicts them
 */
async function checkGroupMappings(
  { inputs, isNew = false }: Target,
  { session, signal, log, projectId }: ProjectContext,
): Promise<GroupMappings> {
  const project = await getProject(session.client, projectId, signal).catch((error: unknown) => {
    if (meaningOf(error) !== "missing-operation") throw error;
    return undefined;
  });
  if (project === undefined) return {};
  const { orgId } = project;
  const ldap = project.ldapGroupMappings?.filter(({ ldapGroups }) => ldapGroups?.length) ?? [];
  const idp = project.idpGroupMappings?.filter(({ idpGroups }) => idpGroups?.length) ?? [];
  const rolesOf = (mappings: readonly { readonly roleName: string }[]) =>
    mappings.map(({ roleName }) => roleName).join(", ");
  const contradiction = `Project ${projectId} has LDAP group mappings (${rolesOf(ldap)}): each login adds people who are not listed, so this list would never be correct. Set ignoreUsers to patterns of the people who are added through LDAP, or use ProjectMember.`;
  const isContradicted = ldap.length > 0 && !inputs.ignoreUsers?.length;
  if (isContradicted && isNew) throw new RefusedError(`${contradiction} Nothing was written.`);
  if (ldap.length > 0 || idp.length > 0) {
    const mapped =
      ldap.length > 0
        ? `LDAP group mappings (${rolesOf(ldap)})`
        : `mappings of an identity provider's groups (${rolesOf(idp)})`;
    log.warn(
      `Project ${projectId} has ${mapped}: the groups of a person decide at each login, so a login can add people who are not listed and undo roles that this list gives.`,
    );
  }
  return isContradicted ? { orgId, contradiction } : { orgId };
}

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
    `ProjectMembers of project ${projectId} cannot be managed: this service does not offer listing its people (GET /groups/{id}/users), so the provider cannot determine its members. Use ProjectMember with userId or invitationId.`,
    { cause: error },
  );
}

/** A message about the people who are not listed and not removed, with their rights to own the project. */
export function unlistedInProject(
  projectId: string,
  staying: readonly { readonly username: string; readonly roles: readonly string[] }[],
): string | undefined {
  if (staying.length === 0) return undefined;
  const names = staying.map(({ username, roles }) => {
    const rights = [...owningRoles(roles), ...unknownRights(roles)];
    return rights.length > 0 ? `${username} (${rights.join(", ")})` : username;
  });
  return `${people(staying)} in project ${projectId} ${staying.length === 1 ? "is" : "are"} not listed and not changed: ${names.join(", ")}. To manage them, list them in members. To exclude them, add them to ignoreUsers. To remove them, set removeUnlisted to true.`;
}

/**
 * Names each person who would be removed or changed.
 *
 * @param refusal why the planned removals must not happen, if they must not
 * @throws RefusedError where the real run would end with an error for certain
 */
export function announce(
  { plan, memberships, contradicted }: CurrentPeople,
  refusal: string | undefined,
  { log, projectId }: ProjectContext,
): void {
  if (refusal !== undefined) throw new RefusedError(refusal);
  // The update does the rest before it fails.
  if (contradicted !== undefined) log.warn(contradicted);
  const { removals, raises, otherChanges, additions } = plan;
  for (const { membership, roles } of [...raises, ...otherChanges]) {
    log.info(
      `${membership.username} in project ${projectId}: roles ${membership.roles.join(", ")} become ${roles.join(", ")}.`,
    );
  }
  for (const membership of removals) {
    log.info(
      membership.status === "active"
        ? `${membership.username} (${membership.roles.join(", ")}) will be removed from project ${projectId}.`
        : `The invitation of ${membership.username} to project ${projectId} will be deleted.`,
    );
  }
  const leaving = new Set([
    ...otherChanges.filter(endsOwnership).map(({ membership }) => membership),
    ...removals,
  ]);
  const owners = memberships.filter(isOwner);
  if (owners.length === 0 || owners.some((owner) => !leaving.has(owner))) return;
  const raised = raises
    .concat(otherChanges)
    .some(({ membership, roles }) => membership.status === "active" && roles.includes(OWNER_ROLE));
  if (raised) return;
  const sentence = `No direct owner would be left in project ${projectId}: ${namesOf(owners)} would be removed or lose GROUP_OWNER.`;
  const invited = additions.filter(({ roles }) => roles.includes(OWNER_ROLE)).map(({ username }) => username);
  if (invited.length === 0) {
    throw new RefusedError(
      `${sentence} Give GROUP_OWNER to another member of the project. Nothing was written.`,
    );
  }
  log.warn(
    `${sentence} ${invited.join(", ")} will be owner at once only if the service adds them without an invitation. If it invites them, the last direct owner is not removed until they accept.`,
  );
}
