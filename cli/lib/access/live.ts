/** Every access that is there, in one form, whichever list of the service or record of a resource shows it. Pure. */

import { foldName, type Identity, type Invitation } from "../../../provider/access/person";
import type { Access, Place } from "../../../provider/access/places";
import type { RoleAbove } from "../../../provider/access/rights";
import type { TeamName } from "../../../provider/api/teams";
import type { UserResponse } from "../../../provider/api/users";
import { inOrder } from "../../../provider/resources/contract/values";
import type { LivePerson } from "../organization";
import type { ListsOfProject } from "../project-access";

/** A place that exists, with its name as far as the API key can see it, or else its ID. */
export type LivePlace = Place & { readonly id: string; readonly name: string };
export type LiveProject = Extract<LivePlace, { kind: "project" }>;
type LiveTeamPlace = Extract<LivePlace, { kind: "team" }>;

export interface LiveAccess extends Access {
  readonly place: LivePlace;
  /** How the service names the holder: a username, a public key, a client ID, a team by its ID if the name is not visible. */
  readonly name: string;
  /** Sorted; of an invited person those of the newest invitation; none for people of a team. */
  readonly roles: readonly string[];
  /** `pending`: by an invitation that was not accepted yet. */
  readonly status: "active" | "pending";
  /**
   * `own`: the holder itself has the access. `by team`: `team` gives it. `unknown`: a team gives it or a role of the
   * organization, and the service does not show which.
   */
  readonly way: "own" | "by team" | "unknown";
  readonly team?: LiveTeamPlace;
  /** What is pending for a person there. */
  readonly invitations: readonly Offer[];
  /** Of a single invitation, when it expires: ISO 8601, UTC. */
  readonly expiresAt?: string | undefined;
  /** Roles by which the holder owns organizations or the service. */
  readonly rolesAbove: readonly RoleAbove[];
  /** What an API key is for; the name of a service account, which several may have. */
  readonly description?: string | undefined;
}

/** An invitation. Only lists of the service show more than its roles. */
type Offer = Pick<Invitation, "roles"> & Partial<Invitation>;

/** An invitation of a list, or of a person with a name. */
type NamedOffer = Offer & Pick<Invitation, "username">;

/** A person of a place, as a list of the service or the last read of a resource shows them. */
export interface PersonShown extends Identity {
  readonly username: string;
  readonly status?: LivePerson["status"] | undefined;
  readonly roles: readonly string[];
  readonly invitations?: readonly Offer[];
  readonly rolesAbove?: readonly RoleAbove[] | undefined;
}

/** Who and what has access to a place, by its lists. The people may be those of a record. */
export interface ShownLists extends Partial<Omit<ListsOfProject, "people">> {
  readonly people?: readonly PersonShown[] | undefined;
}

export const OWN = { status: "active", way: "own", invitations: [], rolesAbove: [] } as const;

/** Access to a place; of a team only its people. */
export function accessIn(
  place: LivePlace,
  { people = [], teams = [], keys = [], serviceAccounts = [], groups = [] }: ShownLists,
): LiveAccess[] {
  return [
    ...people.map(({ username: name, userId, invitationId, status = "active", ...person }) => {
      const holder = { kind: "person", userId, invitationId, username: name } as const;
      const { roles, invitations = [], rolesAbove = [] } = person;
      const facts = { ...OWN, place, holder, name, roles, invitations, rolesAbove };
      return status === "indirect" ? ({ ...facts, way: "unknown" } as const) : { ...facts, status };
    }),
    ...teams.map(({ teamId, name = teamId, roles }) => {
      return { ...OWN, place, holder: { kind: "team", teamId, teamName: name } as const, name, roles };
    }),
    ...keys.map(({ keyId, publicKey: name, description, roles, rolesAbove = [] }) => {
      const holder = { kind: "API key", keyId, publicKey: name } as const;
      return { ...OWN, place, holder, name, description, roles, rolesAbove };
    }),
    ...serviceAccounts.map(({ clientId, name: description, roles, rolesAbove = [] }) => {
      const holder = { kind: "service account", clientId, name: description } as const;
      return { ...OWN, place, holder, name: clientId, description, roles, rolesAbove };
    }),
    ...groups.map(({ property, name, roles }) => {
      return { ...OWN, place, holder: { kind: "group", property, name } as const, name, roles };
    }),
  ];
}

/** The membership and each invitation by itself. */
export function apart(access: LiveAccess): LiveAccess[] {
  const { name, status, invitations } = access;
  return [
    ...(status === "active" ? [{ ...access, invitations: [] }] : []),
    ...invitations.map(({ invitationId, username = name, roles, expiresAt }): LiveAccess => {
      const holder = { kind: "person", invitationId, username } as const;
      return { ...access, holder, name: username, roles, status: "pending", expiresAt, invitations: [] };
    }),
  ];
}

/** @param name absent if the API key cannot see it */
export function placeOfOrganization(orgId: string, name = orgId): LivePlace {
  return { kind: "organization", id: orgId, name };
}

export function placeOfTeam(orgId: string, { teamId: id, teamName: name }: TeamName): LiveTeamPlace {
  return { kind: "team", id, name, orgId };
}

/** The accounts in a team, and who joins it by accepting invitations, sorted. */
export function peopleInTeam(
  users: readonly Pick<UserResponse, "id" | "username">[],
  invitations: readonly NamedOffer[],
): PersonShown[] {
  const names = new Set(users.map(({ username }) => foldName(username)));
  const joining = Map.groupBy(invitations, ({ username }) => foldName(username));
  return [
    ...users.map(({ id: userId, username }) => ({ userId, username, roles: [] })),
    ...[...joining].flatMap(([folded, same]): PersonShown[] => {
      const [first] = same;
      if (first === undefined || names.has(folded)) return [];
      const offered = same.map((each) => ({ ...each, roles: [] }));
      return [{ username: first.username, status: "pending", roles: [], invitations: offered }];
    }),
  ].sort((one, other) => inOrder(one.username, other.username));
}

/** What the roles of teams give to the people in them. */
export function accessByTeams(people: readonly LiveAccess[], grants: readonly LiveAccess[]): LiveAccess[] {
  const byTeam = Map.groupBy(grants, ({ holder }) => (holder.kind === "team" ? holder.teamId : undefined));
  return people.flatMap((person) => {
    const { place: team } = person;
    if (team.kind !== "team") return [];
    const own = byTeam.get(team.id) ?? [];
    return own.map(({ place, roles }) => ({ ...person, place, roles, way: "by team" as const, team }));
  });
}
