import { RefusedError } from "./errors";

/** An ID of the service: 24 hexadecimal digits. */
export const OBJECT_ID = /^[0-9a-f]{24}$/i;

/** The id of no object. An operation that the service offers does not find such an object. */
export const NO_ID = "0".repeat(24);

interface IdParts {
  /** The ID of the project or organization, in lower case. */
  readonly placeId: string;
  /** The ID or the name of the object; empty if the ID names only the place. */
  readonly name: string;
}

/** The ID of a resource in a project or an organization: `<place>/<name or id>`. */
export function joinId(placeId: string, name: string): string {
  return `${placeId}/${name}`;
}

/** Splits at the first slash: a name may have slashes of its own. */
export function splitId(id: string): IdParts {
  const [placeId = "", ...rest] = id.split("/");
  return { placeId: placeId.toLowerCase(), name: rest.join("/") };
}

/**
 * Splits the ID of an import, or rejects it.
 *
 * @param object what the ID has to name, and the forms of its ID, for the error
 */
export function importedParts(id: string, object: string, namePattern = /./s): IdParts {
  const parts = splitId(id);
  if (OBJECT_ID.test(parts.placeId) && namePattern.test(parts.name)) return parts;
  throw new RefusedError(`"${id}" does not name ${object}`);
}
