/** `--unmanaged`: what a resource could own in an organization, and whether one of the given stacks does. Pure. */

import { canOwn, unknownRights } from "../../provider/access/rights";
import { pathText } from "../../provider/resources/contract/property-path";
import { inOrder, withoutUndefined } from "../../provider/resources/contract/values";
import { type Declared, isIgnoredUser, type Judged, type OwnsAbove, rolesIn } from "../lib/access/judge";
import type { LiveAccess, LiveProject } from "../lib/access/live";
import type { Coverage, OrganizationCoverage, UnmanagedKind, UnmanagedRow } from "./report/model";

/** Something that a resource could own. */
interface Ownable {
  readonly kind: UnmanagedKind;
  readonly isManaged: boolean;
  /** Absent if it is managed, and if a difference reports it already. */
  readonly row: UnmanagedRow | undefined;
}

interface InOrganization {
  readonly orgId: string;
  readonly projects: readonly LiveProject[];
  readonly declared: Declared;
  readonly ownsAbove: OwnsAbove;
}

/** @param judged everything in the organization, its projects and its teams */
export function ownableIn(judged: readonly Judged[], organization: InOrganization): Ownable[] {
  const { orgId, projects, declared } = organization;
  const { owners } = declared;
  const inPlaces = Map.groupBy(
    judged.filter(({ access }) => access.team === undefined),
    ({ access }) => access.place.kind,
  );
  return [
    ...projects.map(({ id, name }) => {
      const place = { name, id };
      const row = { kind: "projects", holder: place, place, orgId, roles: [] } as const;
      return ownable(row, owners.ownsProject(id));
    }),
    ...(inPlaces.get("project") ?? []).flatMap((each) => inProject(each, organization)),
    ...(inPlaces.get("organization") ?? []).flatMap(ofOrganization),
    ...peopleOfTeams(judged, inPlaces.get("team") ?? [], organization),
  ];
}

function ownable(row: UnmanagedRow, isManaged: boolean, isReported = false): Ownable {
  return { kind: row.kind, isManaged, row: isManaged || isReported ? undefined : row };
}

/** A person, a team, an API key, a service account or a group of a project. */
function inProject(
  { access, declarer, isOwned, verdict }: Judged,
  { orgId, declared: { owners } }: InOrganization,
): Ownable[] {
  const { holder, name, roles, way, status } = access;
  const place = { name: access.place.name, id: access.place.id };
  const isReported = verdict === "undeclared";
  switch (holder.kind) {
    case "person": {
      const isLeftOut = !isOwned && declarer !== undefined && isIgnoredUser(declarer, access);
      if (isLeftOut || owners.hidesPeople(place.id)) return [];
      const person = { kind: "people", holder: personNamed(name), place } as const;
      const sorted = [...roles].sort(inOrder);
      const row = { ...person, status: way === "own" ? status : "indirect", roles: sorted } as const;
      return [ownable(row, isOwned, isReported)];
    }
    case "team": {
      const id = holder.teamId ?? name;
      const row = { kind: "teams", holder: { name, id }, place, roles } as const;
      // Who can change the people of a team decides who has its roles.
      const isManaged = isOwned && owners.declaresTeam(orgId, [id]);
      return [{ ...ownable(row, isOwned, isReported), isManaged }];
    }
    case "API key":
      return [ownable({ kind: "keys", ...keyNamed(access), place, roles }, isOwned, isReported)];
    case "service account": {
      if (!mayOwnByRoles(roles)) return [];
      return [ownable({ kind: "serviceAccounts", ...keyNamed(access), place, roles }, isOwned, isReported)];
    }
    case "group": {
      if (!mayOwnByRoles(roles)) return [];
      const row = { kind: "mappings", holder: groupNamed(holder.property, name), place, roles } as const;
      return [ownable(row, isOwned, isReported)];
    }
    case "agent API key":
      return [];
  }
}

/** Of what no resource declares one by one, only such roles are listed. */
function mayOwnByRoles(roles: readonly string[]): boolean {
  return canOwn(roles) || unknownRights(roles).length > 0;
}

/** Who owns the organization, by roles of it or of the whole service. */
function ofOrganization({ access, isOwned, verdict }: Judged): Ownable[] {
  const { holder, name, place, status } = access;
  const roles = rolesIn(access);
  if (roles.length === 0) return [];
  const { id: orgId } = place;
  const facts = { orgId, place: { name: orgId, id: orgId }, roles };
  const rowOf = (): UnmanagedRow | undefined => {
    switch (holder.kind) {
      case "person":
        return { kind: "owners", holder: personNamed(name), ...facts, status };
      case "group":
        return { kind: "ownerGroups", holder: groupNamed(holder.property, name), ...facts };
      case "API key":
        return { kind: "ownerKeys", ...keyNamed(access), ...facts };
      case "service account":
        return { kind: "ownerServiceAccounts", ...keyNamed(access), ...facts };
      case "team":
      case "agent API key":
        return undefined;
    }
  };
  const row = rowOf();
  return row === undefined ? [] : [ownable(row, isOwned, verdict === "undeclared")];
}

/** The people of the teams that a Team declares, and of others that have roles in a managed project. */
function peopleOfTeams(
  judged: readonly Judged[],
  people: readonly Judged[],
  { orgId, declared: { owners }, ownsAbove }: InOrganization,
): Ownable[] {
  const personOf = (team: string | undefined, { holder, name }: LiveAccess) =>
    JSON.stringify([team, holder.kind === "person" ? (holder.userId ?? name) : name]);
  const grants = judged.filter(
    ({ access: { holder, place } }) => holder.kind === "team" && owners.manages(place.id),
  );
  const rolesOf = (teamId: string) => [
    ...new Set(
      grants.flatMap(({ access: { holder, roles } }) =>
        holder.kind === "team" && holder.teamId === teamId ? roles : [],
      ),
    ),
  ];
  const ownersByTeams = new Set(
    judged
      .filter(({ access, verdict }) => access.team !== undefined && verdict === "undeclared")
      .map(({ access }) => personOf(access.team?.id, access)),
  );
  return (
    people
      // What a team gives to an owner of all projects is no news.
      .filter(({ access, declarer }) => declarer !== undefined || !ownsAbove(access))
      .map(({ access, declarer, isOwned, verdict }) => {
        const { id, name } = access.place;
        const roles = declarer === undefined ? rolesOf(id).sort(inOrder) : [];
        const holder = personNamed(access.name);
        const isReported = verdict === "undeclared" || ownersByTeams.has(personOf(id, access));
        return ownable(
          { kind: "teamPeople", holder, place: { name, id }, orgId, roles },
          isOwned,
          isReported,
        );
      })
  );
}

function groupNamed(property: string, name: string): UnmanagedRow["holder"] {
  return { name, id: pathText([property, name]) };
}

function personNamed(username: string): UnmanagedRow["holder"] {
  return { name: username, id: username.toLowerCase() };
}

/** An API key or a service account. The service accepts an empty description. */
function keyNamed({ holder, name, description }: LiveAccess): Pick<UnmanagedRow, "holder" | "keyId"> {
  const keyId = holder.kind === "API key" ? holder.keyId : undefined;
  return { ...(keyId !== undefined && { keyId }), holder: { name: description || name, id: name } };
}

/**
 * How much of each kind is managed. A kind of which there is nothing is absent.
 *
 * @param isRead whether the owners and the people of teams were read, although there may be none
 */
export function coverageOf(
  all: readonly Ownable[],
  { orgId, name }: Pick<OrganizationCoverage, "orgId"> & { readonly name: string | undefined },
  isRead: { readonly owners: boolean; readonly teamPeople: boolean },
): OrganizationCoverage {
  const of = (kind: UnmanagedKind): Coverage => {
    // A project cannot manage people who are only indirectly in it.
    const same = all.filter((each) => each.kind === kind && each.row?.status !== "indirect");
    return { total: same.length, managed: same.filter(({ isManaged }) => isManaged).length };
  };
  const unlessNone = (kind: UnmanagedKind, isWanted = false) => {
    const coverage = of(kind);
    return isWanted || coverage.total > 0 ? coverage : undefined;
  };
  return {
    orgId,
    ...(name !== undefined && { name }),
    projects: of("projects"),
    people: of("people"),
    ...withoutUndefined({
      teams: unlessNone("teams"),
      keys: unlessNone("keys"),
      serviceAccounts: unlessNone("serviceAccounts"),
      mappings: unlessNone("mappings"),
      owners: unlessNone("owners", isRead.owners),
      ownerKeys: unlessNone("ownerKeys"),
      ownerGroups: unlessNone("ownerGroups"),
      ownerServiceAccounts: unlessNone("ownerServiceAccounts"),
      teamPeople: unlessNone("teamPeople", isRead.teamPeople),
    }),
  };
}
