/**
 * Which access nobody declares, and whether that counts: one answer for every command. Pure.
 *
 * A list of all people of a project or team declares its people, and that of a project its teams. Of everything else only
 * a right to own the place counts, for each kind of holder: see `provider/access/rights.ts`. In an organization it counts if
 * a file lists all owners, and of a group also if the organization itself is declared. What a federation gives in a project
 * never counts, because credentials of the project cannot read it.
 */

import { foldName, type Identity, type Member } from "../../../provider/access/person";
import { isFederated, type Place } from "../../../provider/access/places";
import { canOwn, owningRoles, ownsFromAbove, unknownRights } from "../../../provider/access/rights";
import { matchesAny } from "../../../provider/resources/contract/pattern";
import { inOrder } from "../../../provider/resources/contract/values";
import { joinId } from "../../../provider/text/object-id";
import { type Declarations, meantAmong, type PeopleDeclarer } from "./declared";
import type { LiveAccess } from "./live";

/** What the program and the states declare. */
export interface Declared {
  readonly owners: Declarations;
  /** What the program declares and no stack has yet. */
  readonly planned: Declarations;
}

export interface Rules {
  /** Whether a person owns all projects of the organization, so that a role in one of them is no news. */
  readonly ownsAbove: OwnsAbove;
  /** The credentials of the given stacks, as `identityOf` has them: they may own what they created. */
  readonly ownKeys: ReadonlySet<string>;
  /** The organizations whose owners a file lists completely. */
  readonly complete: ReadonlySet<string>;
}

export interface Judged {
  readonly access: LiveAccess;
  /** The resource that declares the people of the place, if one does. */
  readonly declarer: PeopleDeclarer | undefined;
  /** Whether a resource of a stack declares it. */
  readonly isOwned: boolean;
  /**
   * `undeclared`: a difference. `doubtful`: this version does not know whether the roles own the place. `hidden`: it would
   * count, but the program keeps secret whom it declares. `none`: declared, excepted, or without importance.
   */
  readonly verdict: "undeclared" | "doubtful" | "hidden" | "none";
  /** The roles that count, sorted: all that an undeclared holder has and is offered, or those in doubt. */
  readonly roles: readonly string[];
  /** Only the offered roles count, because the holder is declared with others. */
  readonly isOffer?: true;
}

interface RulesOfPlace extends Rules {
  /** The teams that may own a project in which people are declared. */
  readonly owningTeams: ReadonlySet<string | undefined>;
}

export type OwnsAbove = (access: LiveAccess) => boolean;

export const noOneOwnsAbove: OwnsAbove = () => false;

/** @param members of the organization */
export function ownsAboveAmong(orgId: string, members: readonly Member[]): OwnsAbove {
  const owners = members.filter(({ rolesAbove = [] }) => ownsFromAbove(rolesAbove, orgId));
  const ids = new Set(owners.map(({ userId }) => userId));
  const names = new Set(owners.map(({ username }) => foldName(username)));
  // An account is known by its ID. An invitation has only a name.
  return ({ holder, name }) =>
    holder.kind === "person" &&
    (holder.userId === undefined ? names.has(foldName(name)) : ids.has(holder.userId));
}

/** A project, an organization, or `<organization id>/<team id>`. */
export function ownerOf(place: Place): string {
  return place.kind === "team" ? joinId(place.orgId, place.id ?? place.name ?? "") : place.id;
}

/** Judges each access. What is known of the teams of a project must be among them. */
export function judge(declared: Declared, all: readonly LiveAccess[], rules: Rules): Judged[] {
  const grants = Map.groupBy(
    all.filter(({ holder }) => holder.kind === "team"),
    ({ place }) => place.id,
  );
  const owningTeams = new Set(
    all.flatMap((grant) =>
      grant.holder.kind === "team" && mayOwn(declared, grant) ? grant.holder.teamId : [],
    ),
  );
  const groups = Map.groupBy(all, ({ place, team }) => JSON.stringify([ownerOf(place), team?.id]));
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const owner = ownerOf(first.place);
    return first.team === undefined
      ? judgedIn(owner, same, declared, { ...rules, owningTeams })
      : judgedByTeam(owner, same, grants.get(first.place.id) ?? [], declared, rules);
  });
}

function judgedIn(
  owner: string,
  all: readonly LiveAccess[],
  { owners, planned }: Declared,
  rules: RulesOfPlace,
): Judged[] {
  const declarer = owners.declarerOf(owner);
  const owned = owners.among(owner, all);
  const alsoPlanned = planned.among(owner, all);
  const declaredOwners = meantAmong(
    all,
    [owners, planned].flatMap((each) => each.ownersOf(owner)),
  );
  return all.map((access) => {
    const { holder, place, roles } = access;
    const facts = { access, declarer, isOwned: owned.has(access) };
    const none = { ...facts, verdict: "none", roles: [] } as const;
    const isCompared =
      place.kind === "organization"
        ? rules.complete.has(owner) || (holder.kind === "group" && owners.organizationOf(owner) !== undefined)
        : declarer !== undefined && !(holder.kind === "group" && isFederated(holder.property));
    if (!isCompared || isBesideTheList(access, declarer, rules)) return none;
    if (facts.isOwned || alsoPlanned.has(access)) {
      if (declaredOwners.has(access) || place.kind !== "project" || canOwn(roles)) return none;
      const offered = rolesIn({ ...access, roles: [] });
      const added = offered.filter((role) => !roles.includes(role));
      return { ...facts, ...verdictOn(added, offered), isOffer: true };
    }
    if (declarer === undefined || !(holder.kind === "person" || holder.kind === "team"))
      return { ...facts, ...verdictOn(rolesIn(access)) };
    if (holder.kind === "person" && isExcepted(declarer, access)) return none;
    const isListed = declarer.exceptFor !== undefined;
    const undeclared = { ...facts, verdict: "undeclared", roles: rolesIn(access) } as const;
    return isListed ? undeclared : { ...facts, ...verdictOn(rolesIn(access)) };
  });
}

/** Access that no resource of the place could declare, or that gives nothing new there. */
function isBesideTheList(
  access: LiveAccess,
  declarer: PeopleDeclarer | undefined,
  { ownsAbove, ownKeys, owningTeams }: RulesOfPlace,
): boolean {
  const { holder, place, name, way, status, rolesAbove } = access;
  const orgId = place.kind === "project" ? place.orgId : undefined;
  if (holder.kind === "API key" || holder.kind === "service account")
    return ownKeys.has(name) || (place.kind === "project" && ownsFromAbove(rolesAbove, orgId));
  if (holder.kind !== "person") return false;
  // Invitations to the organization are read only for teams that may own a project.
  if (place.kind === "team" && status === "pending" && !owningTeams.has(place.id)) return true;
  const isSecret = declarer?.peopleAreSecret === true;
  return isSecret || way === "unknown" || (place.kind === "project" && ownsAbove(access));
}

/** The people of one team, in a project that it may own. */
function judgedByTeam(
  owner: string,
  all: readonly LiveAccess[],
  grants: readonly LiveAccess[],
  declared: Declared,
  rules: Rules,
): Judged[] {
  const declarer = declared.owners.declarerOf(owner);
  const team = all[0]?.team;
  const grant = grants.find(({ holder }) => holder.kind === "team" && holder.teamId === team?.id);
  const isOwning = declarer !== undefined && grant !== undefined && mayOwn(declared, grant);
  // Whoever is in a team that a Team declares is judged there.
  const isJudged =
    team !== undefined && isDeclaredTeam(declared, team.orgId, { teamId: team.id, teamName: team.name });
  const declaredOwners = meantAmong(all, ownersDeclaredIn(owner, grants, declared));
  return all.map((access) => {
    const facts = { access, declarer, isOwned: false };
    const none = { ...facts, verdict: "none", roles: [] } as const;
    if (!isOwning || isJudged || rules.ownsAbove(access)) return none;
    if (declarer.peopleAreSecret) return { ...facts, verdict: "hidden", roles: access.roles };
    if (declaredOwners.has(access) || isExcepted(declarer, access)) return none;
    return { ...facts, ...verdictOn(access.roles, owningRoles(access.roles)) };
  });
}

/**
 * Whether the people of a team must be known to judge it: it can own the project, or may do so by a role that this version
 * does not know. Such a role of a team that is itself undeclared is in doubt with the team.
 */
export function mayOwn({ owners }: Declared, { place, holder, roles }: LiveAccess): boolean {
  if (holder.kind !== "team" || owners.declarerOf(place.id) === undefined) return false;
  return canOwn(roles) || (unknownRights(roles).length > 0 && owners.declares(place.id, holder));
}

/** Those whom a resource declares as owners of the project, also through a team that a Team declares. */
function ownersDeclaredIn(
  projectId: string,
  grants: readonly LiveAccess[],
  { owners, planned }: Declared,
): Identity[] {
  return [owners, planned].flatMap((each) => [
    ...each.ownersOf(projectId),
    ...grants
      .filter(({ roles }) => canOwn(roles))
      .flatMap(({ place, holder, name }) => {
        const orgId = place.kind === "project" ? (place.orgId ?? "") : "";
        const teamId = holder.kind === "team" ? holder.teamId : undefined;
        return [teamId ?? name, name].flatMap((team) => each.peopleIn(joinId(orgId, team)));
      }),
  ]);
}

function verdictOn(
  roles: readonly string[],
  shown: readonly string[] = roles,
): Pick<Judged, "verdict" | "roles"> {
  const unknown = unknownRights(roles);
  if (canOwn(roles)) return { verdict: "undeclared", roles: [...shown].sort(inOrder) };
  return unknown.length > 0 ? { verdict: "doubtful", roles: unknown } : { verdict: "none", roles: [] };
}

/**
 * The roles of the access, offered ones included. In an organization those by which the holder owns it or the whole
 * service, or may do so.
 */
export function rolesIn({ place, roles, invitations, rolesAbove }: LiveAccess): string[] {
  const offered = invitations.flatMap((invitation) => invitation.roles);
  if (place.kind !== "organization") return [...new Set([...roles, ...offered])].sort(inOrder);
  const ofService = rolesAbove.filter(({ orgId }) => orgId === undefined).map(({ role }) => role);
  const all = [...new Set([...roles, ...offered, ...ofService])];
  return [...owningRoles(all), ...unknownRights(all)];
}

/** Whether a Team of the stacks or of the program declares the people of a team. */
export function isDeclaredTeam(
  { owners, planned }: Declared,
  orgId: string,
  { teamId, teamName }: { readonly teamId: string; readonly teamName: string },
): boolean {
  return owners.declaresTeam(orgId, [teamId]) || planned.declaresTeam(orgId, [teamId, teamName]);
}

function isExcepted(declarer: PeopleDeclarer, access: LiveAccess): boolean {
  return declarer.ignoresChanges || isIgnoredUser(declarer, access);
}

/** Whether `ignoreUsers` of the resource that declares the people of the project matches a person. */
export function isIgnoredUser(
  { exceptFor = [] }: Pick<PeopleDeclarer, "exceptFor">,
  { name }: Pick<LiveAccess, "name">,
): boolean {
  return matchesAny(exceptFor.map(foldName), foldName(name));
}
