/** Parts of inputs and records, for `declares`: what is unknown or of another type is left out. */

import type { Identity } from "../../access/person";
import type { Access, Deletion, Holder, Place } from "../../access/places";
import { own } from "../../text/own";
import { knownTexts } from "./canonical";
import { isList, isRecord, type Properties, type Value } from "./values";

export function textIn(values: Properties | undefined, name: string): string | undefined {
  const value = own(values, name);
  return typeof value === "string" ? value : undefined;
}

/** The entries of a list that are objects. */
export function recordsIn(list: Value | undefined): readonly Properties[] {
  return isList(list) ? list.filter((entry): entry is Properties => isRecord(entry)) : [];
}

/** The roles; `undefined` if they are not all known. */
export function rolesIn(roles: unknown): readonly string[] | undefined {
  const texts = knownTexts(roles);
  return Array.isArray(roles) && texts.length === roles.length ? texts : undefined;
}

/** The project of a resource; `undefined` if it is not known yet. */
export function projectIn(inputs: Properties, state: Properties | undefined): Place | undefined {
  const id = textIn(inputs, "projectId");
  if (id === undefined) return undefined;
  // A record of another project does not show the organization of this one.
  const orgId = textIn(state, "projectId") === id ? textIn(state, "orgId") : undefined;
  return { kind: "project", id, orgId };
}

/** The organization of a resource; `undefined` if it is not known yet. */
export function organizationIn(inputs: Properties): Extract<Place, { kind: "organization" }> | undefined {
  const id = textIn(inputs, "orgId");
  return id === undefined ? undefined : { kind: "organization", id };
}

/** One holder in one place; nothing if either is not known yet. */
export function accessOf(
  holder: Holder | undefined,
  place: Place | undefined,
  roles: unknown,
): readonly Access[] {
  return holder === undefined || place === undefined ? [] : [{ holder, place, roles: rolesIn(roles) }];
}

/** Everything that the holder has in the projects and teams of the organization that is recorded. */
export function allOf(holder: Holder, state: Properties): Deletion | undefined {
  const orgId = textIn(state, "orgId");
  return orgId === undefined ? undefined : { of: "holder", holder, orgId };
}

/** For a deletion that takes away only what the resource declares. */
export function nothingElse(): undefined {}

/**
 * A person as the program gives them, with the IDs that are recorded; `undefined` if nothing is known.
 *
 * @param recorded of the same person
 */
export function personIn(given: Properties, recorded: Properties | undefined): Holder | undefined {
  const identity: Identity = {
    userId: textIn(given, "userId") ?? textIn(recorded, "userId"),
    invitationId: textIn(given, "invitationId") ?? textIn(recorded, "invitationId"),
    username: textIn(given, "username") ?? textIn(recorded, "username"),
  };
  return Object.values(identity).every((part) => part === undefined)
    ? undefined
    : { kind: "person", ...identity };
}
