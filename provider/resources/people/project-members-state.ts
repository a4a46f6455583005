/** What is recorded of everybody in a project. Pure. */
import { z } from "zod";
import type { Origin } from "../project/project-state";
import { roleNames } from "../roles";
import { inOrder, type Properties, withoutUndefined } from "../values";
import {
  foldName,
  type Identity,
  type Invitation,
  identityOf,
  type Member,
  newestFirst,
  type Place,
  rolesOf,
  sameName,
  usernameOf,
} from "./person";
import { personFields, recordedUserId } from "./person-fields";
import { DEFAULT_MAX_REMOVALS, isIgnoredUser, type MembersInputs } from "./project-members-inputs";
import { entriesOf, type Roster } from "./rosters";

const memberDetail = z
  .object({
    username: z.string().meta({ description: "Name of the person as the service spells it." }),
    status: z
      .enum(["active", "pending"])
      .meta({ description: "`active`: in the project. `pending`: invited, not yet accepted." }),
    roles: z.array(z.string().meta(roleNames)).meta({ description: "Project roles, sorted." }),
    ...personFields,
    userId: recordedUserId,
    declared: z.boolean().meta({
      description: "Whether this resource declares the person, by its last create, update or import.",
    }),
    declaredAs: z.string().optional().meta({
      description: "The name in the program, where the account has been renamed since.",
    }),
    ignored: z.boolean().meta({ description: "Whether `ignoreUsers` leaves the person to others." }),
  })
  .meta({ typeName: "ProjectMemberDetail", description: "One person of a project." });

/** Outputs beside those that hold the live value of an input. */
export const projectMembersOutputs = z.object({
  members: z.record(z.string(), z.array(z.string().meta(roleNames))).meta({
    description:
      "The declared people who are in the project or invited to it: roles by username, sorted. With `removeUnlisted`, also all others whom `ignoreUsers` does not match.",
  }),
  memberDetails: z.array(memberDetail).meta({
    description: "Everybody in the project or invited to it, with all that is known, sorted by name.",
  }),
  orgId: z.string().optional().meta({
    description:
      "Id of the organization in which the project lives, 24 hexadecimal digits, where the service tells.",
  }),
  origin: z.enum(["created", "imported"]).meta({
    description: "Whether this resource was created by a program or imported.",
  }),
  onDestroy: z.enum(["release", "remove"]).meta({ description: "What destroying will do." }),
});

export interface MemberDetail extends Identity {
  readonly username: string;
  readonly status: Place["status"];
  readonly roles: readonly string[];
  readonly createdAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly declared: boolean;
  readonly declaredAs?: string | undefined;
  readonly ignored: boolean;
}

type RolesByName = Readonly<Record<string, readonly string[]>>;

export interface MembersState {
  readonly projectId: string;
  readonly members: RolesByName;
  readonly memberDetails: readonly MemberDetail[];
  readonly orgId?: string | undefined;
  readonly origin: Origin;
  readonly onDestroy: "release" | "remove";
  readonly ignoreUsers: readonly string[];
  readonly maxRemovals: number;
  readonly removeUnlisted: boolean;
}

/** State comes from our own replies. An older one may lack what came later, so the absent is read as the harmless. */
export function asMembersState(state: Properties, id: string): MembersState {
  const recorded = state as Partial<MembersState>;
  return {
    ...recorded,
    projectId: recorded.projectId ?? id,
    members: recorded.members ?? {},
    memberDetails: recorded.memberDetails ?? [],
    origin: recorded.origin ?? "imported",
    onDestroy: recorded.onDestroy ?? "release",
    ...effectiveSettings(recorded),
  };
}

/** Outputs hold the value that applies, whether the program gives it or not. */
function effectiveSettings(given: {
  readonly ignoreUsers?: unknown;
  readonly maxRemovals?: unknown;
  readonly removeUnlisted?: unknown;
}): Pick<MembersState, "ignoreUsers" | "maxRemovals" | "removeUnlisted"> {
  const { ignoreUsers, maxRemovals, removeUnlisted } = given as Partial<MembersState>;
  return {
    ignoreUsers: ignoreUsers ?? [],
    maxRemovals: maxRemovals ?? DEFAULT_MAX_REMOVALS,
    removeUnlisted: removeUnlisted ?? false,
  };
}

/** Whether the record has somebody who is invited: then the service offers invitations. */
export function recordsInvitation(recorded: readonly MemberDetail[]): boolean {
  return recorded.some(({ status, invitationId }) => status === "pending" || invitationId !== undefined);
}

export function asProperties(state: MembersState): Properties {
  return withoutUndefined({
    ...state,
    memberDetails: state.memberDetails.map(withoutUndefined),
  }) as unknown as Properties;
}

export function effectiveOnDestroy({ onDestroy }: Partial<MembersInputs>): "release" | "remove" {
  return onDestroy === "remove" ? "remove" : "release";
}

/**
 * Everybody, each once. An invitation belongs to the member of its account, if the record shows which account this is, else to the
 * member of its name. A member who is recorded beside it is another account that has the name today.
 */
export function everybodyIn(roster: Roster, recorded: readonly MemberDetail[] = []): Place[] {
  const members = entriesOf(roster.members);
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
  const byMember = new Map<Member | undefined, Invitation[]>();
  for (const invitation of newestFirst(entriesOf(roster.invitations))) {
    const member = memberOf(invitation);
    byMember.set(member, [...(byMember.get(member) ?? []), invitation]);
  }
  const active = members.map(
    (member): Place => ({ status: "active", member, invitations: byMember.get(member) ?? [] }),
  );
  const byInvitedName = new Map<string, [Invitation, ...Invitation[]]>();
  for (const invitation of byMember.get(undefined) ?? []) {
    const name = foldName(invitation.username);
    const newer = byInvitedName.get(name);
    byInvitedName.set(name, newer ? [...newer, invitation] : [invitation]);
  }
  const invited = [...byInvitedName.values()].map(
    (invitations): Place => ({ status: "pending", userId: accountOf(invitations[0]), invitations }),
  );
  return [...active, ...invited].sort((one, other) => inOrder(usernameOf(one), usernameOf(other)));
}

/** The names under which a program or a record calls people, and who of those in the project that is. */
interface Assignment {
  /** By name, those who are there. */
  readonly found: ReadonlyMap<string, Place>;
  /** Names of people who are not there. */
  readonly missing: readonly string[];
  /** Two names for one person: the old and the new one of a renamed account. */
  readonly twice: readonly (readonly [string, string])[];
  /** People who are there without being named. */
  readonly others: readonly Place[];
}

/**
 * Finds the named people among those in the project: by the account or invitation that was declared under that name, then by the
 * name that it has got since, then by name without case. Whose name is which does not depend on the order of the names.
 */
export function assign(
  names: readonly string[],
  places: readonly Place[],
  recorded: readonly MemberDetail[],
): Assignment {
  const byName = new Map(places.map((place) => [foldName(usernameOf(place)), place]));
  const byId = new Map(places.flatMap((place) => idsOf(place).map((id) => [id, place] as const)));
  // The recorded name of somebody who was never declared is only the name that the account had then.
  const meant = recorded.filter(({ declared, declaredAs }) => declared || declaredAs !== undefined);
  const details = new Map(meant.map((detail) => [foldName(detail.username), detail]));
  // A renamed account keeps the name it was declared by, whoever has got that name since.
  const declared = new Map(
    [...meant]
      .sort((one, other) => Number(one.declaredAs !== undefined) - Number(other.declaredAs !== undefined))
      .map((detail) => [foldName(detail.declaredAs ?? detail.username), detail]),
  );
  const found = new Map<string, Place>();
  const named = new Map<Place, string>();
  const twice: [string, string][] = [];
  const take = (name: string, place: Place | undefined) => {
    const other = place && named.get(place);
    if (!place) return;
    if (other !== undefined) twice.push([other, name]);
    else {
      found.set(name, place);
      named.set(place, name);
    }
  };
  const placeOf = (detail: MemberDetail | undefined) => {
    if (detail === undefined) return undefined;
    const { userId, invitationId, username } = detail;
    const invited = invitationId === undefined ? undefined : byId.get(invitationId);
    if (userId !== undefined) return byId.get(userId) ?? invited;
    // The account is not known. Once it accepts the invitation, only the name to which this was sent leads to it.
    return invited ?? byName.get(foldName(username));
  };
  for (const name of names) take(name, placeOf(declared.get(foldName(name))));
  for (const name of names.filter((candidate) => !found.has(candidate))) {
    take(name, placeOf(details.get(foldName(name))) ?? byName.get(foldName(name)));
  }
  const placed = new Set([...found.keys(), ...twice.map(([, name]) => name)]);
  return {
    found,
    missing: names.filter((name) => !placed.has(name)),
    twice,
    others: places.filter((place) => !named.has(place)),
  };
}

/** The account of a member, then all invitations. */
function idsOf(place: Place): readonly string[] {
  const invitationIds = place.invitations.map(({ invitationId }) => invitationId);
  return place.status === "active" ? [place.member.userId, ...invitationIds] : invitationIds;
}

interface Recording {
  readonly projectId: string;
  readonly places: readonly Place[];
  /** Names as the program, or the last record, spells them. */
  readonly names: readonly string[];
  readonly recorded: readonly MemberDetail[];
  /** Who counts as declared beside those who were declared before: everybody who is named, or after a mere read no one. */
  readonly declares: "names" | "as recorded";
  /** People whom the service accepted, but whose membership or invitation could not be read afterwards. */
  readonly unread?: readonly { readonly username: string; readonly roles: readonly string[] }[];
  readonly inputs: Partial<MembersInputs>;
  readonly orgId?: string | undefined;
  readonly origin: Origin;
}

export function toMembersState(recording: Recording): MembersState {
  const { projectId, places, names, recorded, declares, unread = [], inputs, orgId, origin } = recording;
  const { found, others } = assign(names, places, recorded);
  const settings = effectiveSettings(inputs);
  const isIgnored = (place: Place) => isIgnoredUser(settings.ignoreUsers, usernameOf(place));
  const nameFor = new Map([...found].map(([name, place]) => [place, name]));
  const recordedOf = recordedDetails(recorded, places);
  // Whoever was declared stays so until they leave: a removal that failed is tried again.
  const isDeclared = (place: Place) =>
    (declares === "names" && nameFor.has(place)) ||
    (recordedOf(place)?.declared === true && (nameFor.has(place) || !isIgnored(place)));
  const named = [...found].filter(([, place]) => settings.removeUnlisted || isDeclared(place));
  // One name has one entry: an account that has got the former name of a declared one is in the details alone.
  const taken = new Set([...found.keys()].map(foldName));
  const unnamed = others
    .filter((place) => settings.removeUnlisted || isDeclared(place))
    .filter((place) => !isIgnored(place) && !taken.has(foldName(usernameOf(place))))
    .map((place) => [usernameOf(place), place] as const);
  const memberDetails = places.map((place) =>
    detailOf(place, {
      declared: isDeclared(place),
      // A name that left the program means whoever has it when it is declared again.
      name: nameFor.get(place) ?? (isDeclared(place) ? recordedOf(place)?.declaredAs : undefined),
      ignored: !nameFor.has(place) && isIgnored(place),
    }),
  );
  const unreadDetails = unread.map(
    ({ username, roles }): MemberDetail => ({
      username,
      status: "pending",
      roles,
      declared: true,
      ignored: false,
    }),
  );
  const byName = [...named, ...unnamed].sort(([one], [other]) => inOrder(one, other));
  return {
    projectId,
    members: Object.fromEntries(byName.map(([name, place]) => [name, rolesOf(place)])),
    memberDetails: [...memberDetails, ...unreadDetails],
    orgId,
    origin,
    onDestroy: effectiveOnDestroy(inputs),
    ...settings,
  };
}

/**
 * What is recorded of a person. An account or invitation that is recorded matches itself alone: another account may have the name
 * today. The name counts only for an invitation without a known account that is no longer pending.
 */
export function recordedDetails(
  recorded: readonly MemberDetail[],
  places: readonly Place[],
): (place: Place) => MemberDetail | undefined {
  const live = new Set(places.flatMap(idsOf));
  const invited = recorded.filter(({ userId }) => userId === undefined);
  const byId = new Map(
    recorded.flatMap((detail) => [detail.invitationId, detail.userId].map((id) => [id, detail] as const)),
  );
  const byName = new Map(
    invited
      .filter(({ invitationId }) => invitationId === undefined || !live.has(invitationId))
      .map((detail) => [foldName(detail.username), detail]),
  );
  return (place) => {
    const [known] = idsOf(place).flatMap((id) => byId.get(id) ?? []);
    return known ?? byName.get(foldName(usernameOf(place)));
  };
}

function detailOf(
  place: Place,
  { declared, name, ignored }: { declared: boolean; name: string | undefined; ignored: boolean },
): MemberDetail {
  const [invitation] = place.invitations;
  const username = usernameOf(place);
  return {
    username,
    status: place.status,
    roles: rolesOf(place),
    userId: identityOf(place).userId,
    invitationId: invitation?.invitationId,
    createdAt: invitation?.createdAt,
    expiresAt: invitation?.expiresAt,
    declared,
    declaredAs: name !== undefined && !sameName(name, username) ? name : undefined,
    ignored,
  };
}
