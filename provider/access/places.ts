/**
 * Who has access where, and what a deletion takes away with it. Pure.
 *
 * Organizations contain projects and teams. People, API keys and service accounts of an organization have roles in
 * its projects, people are in its teams, and teams have roles in projects. Five requests therefore take access away
 * in other places: deleting a person, an API key or a service account of an organization, a team, and a project.
 */
import { type Identity, sameName } from "./person";

/** A place in which a holder can have access. */
export type Place =
  | { readonly kind: "organization"; readonly id: string }
  /** `orgId`: the organization that has the project, if it is known. */
  | { readonly kind: "project"; readonly id: string; readonly orgId?: string | undefined }
  /** A team that is still to be created has no ID. */
  | {
      readonly kind: "team";
      readonly id?: string | undefined;
      readonly name?: string | undefined;
      readonly orgId: string;
    };

/** Who has access, by each part of the identity that is known. */
export type Holder =
  | ({ readonly kind: "person" } & Identity)
  | {
      readonly kind: "team";
      readonly teamId?: string | undefined;
      readonly teamName?: string | undefined;
    }
  | {
      readonly kind: "API key";
      readonly keyId?: string | undefined;
      readonly publicKey?: string | undefined;
    }
  | { readonly kind: "agent API key"; readonly keyId?: string | undefined }
  /** Of Cloud Manager. Several may have one name. */
  | {
      readonly kind: "service account";
      readonly clientId: string;
      readonly name?: string | undefined;
    }
  /** A group of an LDAP server or an identity provider. Both may have one of the same name. */
  | { readonly kind: "group"; readonly property: GroupSource; readonly name: string };

/** The property of a project or an organization that gives roles to groups. */
export type MappingProperty = "ldapGroupMappings" | "idpGroupMappings";

/** Where a group gets roles: by such a property, or in the federation of an organization of Cloud Manager. */
export type GroupSource = MappingProperty | "roleMappings" | "postAuthRoleGrants";

export function isFederated(source: string): boolean {
  return source === "roleMappings" || source === "postAuthRoleGrants";
}

/** One holder in one place. */
export interface Access {
  readonly holder: Holder;
  readonly place: Place;
  /** The roles there; absent for people of a team and agent API keys, and if the roles are not known yet. */
  readonly roles?: readonly string[] | undefined;
  /** An invitation that nobody has accepted yet. */
  readonly isPending?: true | undefined;
}

/** A request that takes access away in other places as well. */
export type Deletion =
  | { readonly of: "holder"; readonly holder: Holder; readonly orgId: string }
  | { readonly of: "project"; readonly id: string };

/**
 * Whether access ends with a deletion, although another request gave it.
 *
 * @returns `unknown` if it ends only if its project belongs to the organization of the deletion
 */
export function endsWith({ holder, place }: Access, deletion: Deletion): boolean | "unknown" {
  if (deletion.of === "project") return place.kind === "project" && place.id === deletion.id;
  if (place.kind === "organization") return false;
  if (!isSameHolder(holder, deletion.holder) && !isTeam(place, deletion.holder)) return false;
  if (place.orgId !== undefined) return place.orgId === deletion.orgId;
  return "unknown";
}

function isTeam(place: Place, holder: Holder): boolean {
  return place.kind === "team" && isSameHolder(teamAt(place), holder);
}

/** The team as what has roles in projects. */
export function teamAt({ id, name }: Extract<Place, { kind: "team" }>): Holder {
  return { kind: "team", teamId: id, teamName: name };
}

/**
 * Whether both mean one holder. An ID decides alone where both have it: accounts are renamed, and other
 * accounts take their names.
 */
export function isSameHolder(one: Holder, other: Holder): boolean {
  switch (one.kind) {
    case "person": {
      if (other.kind !== "person") return false;
      const { userId, invitationId, username } = one;
      const isSameInvitation = invitationId !== undefined && invitationId === other.invitationId;
      return isSameInvitation || same(userId, other.userId, sameName(username, other.username));
    }
    case "team": {
      if (other.kind !== "team") return false;
      return same(one.teamId, other.teamId, sameText(one.teamName, other.teamName));
    }
    case "API key": {
      if (other.kind !== "API key") return false;
      return same(one.keyId, other.keyId, sameText(one.publicKey, other.publicKey));
    }
    case "agent API key":
      return other.kind === "agent API key" && sameText(one.keyId, other.keyId);
    case "service account":
      return other.kind === "service account" && one.clientId === other.clientId;
    case "group":
      return other.kind === "group" && one.property === other.property && one.name === other.name;
  }
}

function same(one: string | undefined, other: string | undefined, hasSameName: boolean): boolean {
  return one !== undefined && other !== undefined ? one === other : hasSameName;
}

function sameText(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}

/** A service account for messages: `service account deploy (mdb_sa_id_5f0000000000000000000101)`. */
export function serviceAccountText({
  clientId,
  name,
}: Omit<Extract<Holder, { kind: "service account" }>, "kind">) {
  return name === undefined ? `service account ${clientId}` : `service account ${name} (${clientId})`;
}

/** A place for messages: `project 5f0000000000000000000101`. */
export function placeText(place: Place): string {
  if (place.kind !== "team") return `${place.kind} ${place.id}`;
  return place.name === undefined ? `team ${place.id}` : `team "${place.name}"`;
}
