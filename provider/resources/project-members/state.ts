/** The state of ProjectMembers. Pure. */
import { z } from "zod";
import { type Present, recordedAs, type StateOf } from "../contract/border";
import { effectiveRemovals } from "../contract/removal-settings";
import { roleNames } from "../contract/roles";
import { inOrder, known, type Properties } from "../contract/values";
import { type MemberDetail, memberDetail, recordedOrgId } from "../people/outputs";
import {
  activeMembership,
  foldName,
  type Invitation,
  listedName,
  type Member,
  type Membership,
  newestFirst,
  pendingMembership,
  sameName,
} from "../people/person";
import { entriesOf, type ProjectPeople } from "../people/project-people-cache";
import type { Observation } from "../session/observations";
import { isIgnoredUser, type MemberListInputs, onDestroySetting, type projectMembersInputs } from "./inputs";

/** Outputs beside those that hold the live value of an input. */
export const projectMembersOutputs = z.object({
  members: z.record(z.string(), z.array(z.string().meta(roleNames))).meta({
    description:
      "The declared people who are in the project or invited to it: roles by username, sorted. With `removeUnlisted`, also all others whom `ignoreUsers` does not match.",
  }),
  memberDetails: z.array(memberDetail).meta({
    description: "All members of the project and all invited people, with all that is known, sorted by name.",
  }),
  orgId: recordedOrgId,
  origin: z.enum(["created", "imported"]).meta({
    description: "Whether this resource was created by a program or imported.",
  }),
  onDestroy: onDestroySetting.output,
});

/** The settings have the value that applies, whether the program gives it or not. */
export type MemberListState = Present<
  StateOf<typeof projectMembersInputs, typeof projectMembersOutputs>,
  "ignoreUsers" | "maxRemovals" | "removeUnlisted"
>;

/**
 * State comes from our own replies. An older one may lack what came later, so the absent is read as
 * the harmless.
 */
export function asMemberListState(state: Properties, id: string): MemberListState {
  const recorded = recordedAs<MemberListState>(state);
  return {
    ...recorded,
    projectId: recorded.projectId ?? id,
    members: recorded.members ?? {},
    memberDetails: recorded.memberDetails ?? [],
    origin: recorded.origin ?? "imported",
    onDestroy: recorded.onDestroy ?? "release",
    ignoreUsers: recorded.ignoreUsers ?? [],
    ...effectiveRemovals(recorded),
  };
}

/** Whether the record has an invited person, which proves that the service offers invitations. */
export function recordsInvitation(recorded: readonly MemberDetail[]): boolean {
  return recorded.some(({ status, invitationId }) => status === "pending" || invitationId !== undefined);
}

/**
 * All memberships, each person once. An invitation belongs to the member of its account if the
 * record shows the account, else to the member of its name. A member who is recorded beside the
 * invitation is another account that has the name now.
 */
export function allMemberships(
  projectPeople: ProjectPeople,
  recorded: readonly MemberDetail[] = [],
): Membership[] {
  const members = entriesOf(projectPeople.members);
  const byId = new Map(members.map((member) => [member.userId, member]));
  const byName = new Map(members.map((member) => [foldName(member.username), member]));
  const known = new Set(recorded.map(({ userId }) => userId));
  const recordedInvitations = new Map(recorded.map((detail) => [detail.invitationId, detail]));
  const accountOf = ({ invitationId }: Invitation) => recordedInvitations.get(invitationId)?.userId;
  const memberOf = (invitation: Invitation): Member | undefined => {
    const userId = accountOf(invitation);
    if (userId !== undefined) return byId.get(userId);
    const named = byName.get(foldName(invitation.username));
    const isOther = recordedInvitations.has(invitation.invitationId) && known.has(named?.userId);
    return isOther ? undefined : named;
  };
  const byMember = Map.groupBy(newestFirst(entriesOf(projectPeople.invitations)), memberOf);
  const active = members.map((member) => activeMembership(member, byMember.get(member)));
  const byInvitedName = new Map<string, [Invitation, ...Invitation[]]>();
  for (const invitation of byMember.get(undefined) ?? []) {
    const name = foldName(invitation.username);
    const newer = byInvitedName.get(name);
    byInvitedName.set(name, newer ? [...newer, invitation] : [invitation]);
  }
  const invited = [...byInvitedName.values()].map((invitations) =>
    pendingMembership(invitations, accountOf(invitations[0])),
  );
  return [...active, ...invited].sort((one, other) => inOrder(one.username, other.username));
}

/**
 * The names of people in a program or a record, and the memberships that they identify.
 */
interface Assignment {
  /** By name, those who are there. */
  readonly found: ReadonlyMap<string, Membership>;
  /** Names of people who are not there. */
  readonly missing: readonly string[];
  /** Two names for one person: the old and the new one of a renamed account. */
  readonly twice: readonly (readonly [string, string])[];
  /** People who are there without being named. */
  readonly others: readonly Membership[];
}

/**
 * Finds the named people among those in the project. The account or invitation that was declared
 * under the name decides first, then its later name, then the name without case. The result does not
 * depend on the order of the names.
 */
export function assign(
  names: readonly string[],
  memberships: readonly Membership[],
  recorded: readonly MemberDetail[],
): Assignment {
  const byName = new Map(memberships.map((membership) => [foldName(membership.username), membership]));
  const byId = new Map(
    memberships.flatMap((membership) => idsOfMembership(membership).map((id) => [id, membership] as const)),
  );
  // The recorded name of an account that was never declared is only the name that it had then.
  const meant = recorded.filter(({ declared, declaredAs }) => declared || declaredAs !== undefined);
  const details = new Map(meant.map((detail) => [foldName(detail.username), detail]));
  // A renamed account keeps its declared name, although another account may have that name now.
  const declared = new Map(
    [...meant]
      .sort((one, other) => Number(one.declaredAs !== undefined) - Number(other.declaredAs !== undefined))
      .map((detail) => [foldName(listedName(detail)), detail]),
  );
  const found = new Map<string, Membership>();
  const named = new Map<Membership, string>();
  const twice: [string, string][] = [];
  const take = (name: string, membership: Membership | undefined) => {
    const other = membership && named.get(membership);
    if (!membership) return;
    if (other !== undefined) twice.push([other, name]);
    else {
      found.set(name, membership);
      named.set(membership, name);
    }
  };
  const membershipOf = (detail: MemberDetail | undefined) => {
    if (detail === undefined) return undefined;
    const { userId, invitationId, username } = detail;
    const invited = invitationId === undefined ? undefined : byId.get(invitationId);
    if (userId !== undefined) return byId.get(userId) ?? invited;
    // The account is not known. Once it accepts the invitation, only the name to which this was
    // sent leads to it.
    return invited ?? byName.get(foldName(username));
  };
  for (const name of names) take(name, membershipOf(declared.get(foldName(name))));
  for (const name of names.filter((candidate) => !found.has(candidate))) {
    take(name, membershipOf(details.get(foldName(name))) ?? byName.get(foldName(name)));
  }
  const assigned = new Set([...found.keys(), ...twice.map(([, name]) => name)]);
  return {
    found,
    missing: names.filter((name) => !assigned.has(name)),
    twice,
    others: memberships.filter((membership) => !named.has(membership)),
  };
}

/** The account of a member, then all invitations. */
function idsOfMembership(membership: Membership): readonly string[] {
  const invitationIds = membership.invitations.map(({ invitationId }) => invitationId);
  return membership.status === "active" ? [membership.userId, ...invitationIds] : invitationIds;
}

interface Recording {
  readonly projectId: string;
  readonly memberships: readonly Membership[];
  /** Names as the program, or the last record, spells them. */
  readonly names: readonly string[];
  readonly recorded: readonly MemberDetail[];
  /**
   * Whether all named people count as declared, or, after a read, only those who were declared
   * before.
   */
  readonly declares: "names" | "as recorded";
  /**
   * People whom the service accepted, but whose membership or invitation could not be read
   * afterwards.
   */
  readonly unread?: readonly { readonly username: string; readonly roles: readonly string[] }[];
  readonly inputs: Partial<MemberListInputs>;
  readonly orgId?: string | undefined;
  readonly origin: MemberListState["origin"];
}

export function toMemberListState(recording: Recording): MemberListState {
  const { projectId, memberships, names, recorded, declares, unread = [], inputs, orgId, origin } = recording;
  const { found, others } = assign(names, memberships, recorded);
  const settings = { ignoreUsers: known(inputs.ignoreUsers) ?? [], ...effectiveRemovals(inputs) };
  const isIgnored = (membership: Membership) => isIgnoredUser(settings.ignoreUsers, membership.username);
  const nameFor = new Map([...found].map(([name, membership]) => [membership, name]));
  const recordedOf = recordedDetails(recorded, memberships);
  // Declared people stay declared until they are removed, so a failed removal is repeated.
  const isDeclared = (membership: Membership) =>
    (declares === "names" && nameFor.has(membership)) ||
    (recordedOf(membership)?.declared === true && (nameFor.has(membership) || !isIgnored(membership)));
  const named = [...found].filter(([, membership]) => settings.removeUnlisted || isDeclared(membership));
  // One name has one entry: an account that has got the former name of a declared one is in the
  // details alone.
  const taken = new Set([...found.keys()].map(foldName));
  const unnamed = others
    .filter((membership) => settings.removeUnlisted || isDeclared(membership))
    .filter((membership) => !isIgnored(membership) && !taken.has(foldName(membership.username)))
    .map((membership) => [membership.username, membership] as const);
  const memberDetails = memberships.map((membership): MemberDetail => {
    const { username, status, roles, teamRoles, userId, invitationId } = membership;
    const { createdAt, expiresAt }: Partial<Invitation> = membership.invitations[0] ?? {};
    const former = recordedOf(membership);
    const declared = isDeclared(membership);
    // A read has the names of the last success: whom a failed update added keeps the name by which the program declares them.
    const name = nameFor.get(membership) ?? (declared && former ? listedName(former) : undefined);
    const declaredAs = name !== undefined && !sameName(name, username) ? name : undefined;
    const ignored = !nameFor.has(membership) && isIgnored(membership);
    const invitation = { invitationId, createdAt, expiresAt };
    return { username, status, roles, teamRoles, userId, ...invitation, declared, declaredAs, ignored };
  });
  const unreadDetails = unread.map((one): MemberDetail => {
    return { ...one, status: "pending", declared: true, ignored: false };
  });
  const byName = [...named, ...unnamed].sort(([one], [other]) => inOrder(one, other));
  return {
    projectId,
    members: Object.fromEntries(byName.map(([name, membership]) => [name, membership.roles])),
    memberDetails: [...memberDetails, ...unreadDetails],
    orgId,
    origin,
    onDestroy: onDestroySetting.effective(inputs),
    ...settings,
  };
}

/**
 * What is recorded of a person. An account or invitation that is recorded matches itself alone:
 * another account may have the name today. The name counts only for an invitation without a known
 * account that is no longer pending.
 */
export function recordedDetails(
  recorded: readonly MemberDetail[],
  memberships: readonly Membership[],
): (membership: Membership) => MemberDetail | undefined {
  const live = new Set(memberships.flatMap(idsOfMembership));
  const invited = recorded.filter(({ userId }) => userId === undefined);
  const byId = new Map(
    recorded.flatMap((detail) => [detail.invitationId, detail.userId].map((id) => [id, detail] as const)),
  );
  const byName = new Map(
    invited
      .filter(({ invitationId }) => invitationId === undefined || !live.has(invitationId))
      .map((detail) => [foldName(detail.username), detail]),
  );
  return (membership) => {
    const [known] = idsOfMembership(membership).flatMap((id) => byId.get(id) ?? []);
    return known ?? byName.get(foldName(membership.username));
  };
}

/** Whether these lists show everyone who is recorded as declared. */
export function showsAllDeclared(
  recorded: readonly MemberDetail[],
): (projectPeople: ProjectPeople) => boolean {
  return (projectPeople) => {
    const memberships = allMemberships(projectPeople, recorded);
    const shown = new Set(memberships.map(recordedDetails(recorded, memberships)));
    return recorded.every((detail) => !detail.declared || shown.has(detail));
  };
}

export function observationOf({ projectId, origin, memberDetails }: MemberListState): Observation {
  return { kind: "ProjectMembers", id: projectId, origin, names: [], recorded: memberDetails };
}
