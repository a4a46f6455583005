/** Every access that is there, in one form, whichever list of the service or record of a resource shows it. Pure. */

import { foldName, type Identity, type Invitation, type Membership } from "../../../provider/access/person";
import type { Access, Place } from "../../../provider/access/places";
import type { RoleAbove } from "../../../provider/access/rights";
import type { TeamName } from "../../../provider/api/teams";
import type { UserResponse } from "../../../provider/api/users";
import { inOrder } from "../../../provider/resources/contract/values";
import type { LiveKey, LivePerson } from "../organization";
import type { ListsOfProject } from "../project-access";

/** A place that exists, with its name as far as the API key can see it, or else its ID. */
export type LivePlace = Place & { readonly id: string; readonly name: string };
export type LiveProject = Extract<LivePlace, { kind: "project" }>;
type LiveTeamPlace = Extract<LivePlace, { kind: "team" }>;

export interface LiveAccess extends Access {
  readonly place: LivePlace;
  /** How the service names the holder: a username, a public key, a team by its ID if the name is not visible. */
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
  readonly invitations: readonly Pick<Invitation, "roles">[];
  /** Roles by which the holder owns organizations or the service. */
  readonly rolesAbove: readonly RoleAbove[];
  /** What an API key is for. */
  readonly description?: string | undefined;
}

/** A person of a project, as a list of the service or the last read of a resource shows them. */
interface PersonInProject extends Identity {
  readonly username: string;
  readonly status?: LivePerson["status"] | undefined;
  readonly roles: readonly string[];
  readonly invitations?: readonly Pick<Invitation, "roles">[];
}

/** The lists of a project, where the people may be those of a record. */
interface ShownLists extends Omit<ListsOfProject, "people"> {
  readonly people: readonly PersonInProject[] | undefined;
}

const OWN = { status: "active", way: "own", invitations: [], rolesAbove: [] } as const;

/** Access to a project; of a team only its people. */
export function accessIn(
  place: LivePlace,
  { people = [], teams = [], keys = [], groups = [] }: ShownLists,
): LiveAccess[] {
  return [
    ...people.map(({ username: name, userId, invitationId, status = "active", roles, invitations = [] }) => {
      const holder = { kind: "person", userId, invitationId, username: name } as const;
      const facts = { ...OWN, place, holder, name, roles, invitations };
      return status === "indirect" ? ({ ...facts, way: "unknown" } as const) : { ...facts, status };
    }),
    ...teams.map(({ teamId, name = teamId, roles }) => {
      return { ...OWN, place, holder: { kind: "team", teamId, teamName: name } as const, name, roles };
    }),
    ...keys.map((key) => accessOfKey(place, key)),
    ...groups.map(({ property, name, roles }) => {
      return { ...OWN, place, holder: { kind: "group", property, name } as const, name, roles };
    }),
  ];
}

function accessOfKey(
  place: LivePlace,
  { keyId, publicKey: name, description, roles, rolesAbove = [] }: LiveKey,
): LiveAccess {
  const holder = { kind: "API key", keyId, publicKey: name } as const;
  return { ...OWN, place, holder, name, description, roles, rolesAbove };
}

export function accessInOrganization(
  orgId: string,
  people: readonly Membership[],
  keys: readonly LiveKey[],
): LiveAccess[] {
  const place = { kind: "organization", id: orgId, name: orgId } as const;
  return [
    ...people.map(({ username: name, invitationId, roles, invitations, ...person }): LiveAccess => {
      const holder = { kind: "person", userId: person.userId, invitationId, username: name } as const;
      const { status } = person;
      const rolesAbove = person.status === "active" ? (person.rolesAbove ?? []) : [];
      return { ...OWN, place, holder, name, roles, status, invitations, rolesAbove };
    }),
    ...keys.map((key) => accessOfKey(place, key)),
  ];
}

export function placeOfTeam(orgId: string, { teamId: id, teamName: name }: TeamName): LiveTeamPlace {
  return { kind: "team", id, name, orgId };
}

/** The accounts in a team, and who joins it by accepting an invitation to the organization, sorted. */
export function accessInTeam(
  place: LiveTeamPlace,
  users: readonly Pick<UserResponse, "id" | "username">[],
  invited: readonly string[],
): LiveAccess[] {
  const names = new Set(users.map(({ username }) => foldName(username)));
  const pending = new Map(invited.map((username) => [foldName(username), username]));
  return [
    ...users.map(({ id: userId, username: name }): LiveAccess => {
      return { ...OWN, place, holder: { kind: "person", userId, username: name }, name, roles: [] };
    }),
    ...[...pending]
      .filter(([folded]) => !names.has(folded))
      .map(([, name]): LiveAccess => {
        const holder = { kind: "person", username: name } as const;
        return { ...OWN, place, holder, name, roles: [], status: "pending" };
      }),
  ].sort((one, other) => inOrder(one.name, other.name));
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
