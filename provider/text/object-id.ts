import { RefusedError } from "./errors";

/** An ID of the service: 24 hexadecimal digits. */
export const OBJECT_ID = /^[0-9a-f]{24}$/i;

/** The id of no object. An operation that the service offers does not find such an object. */
export const NO_ID = "0".repeat(24);

/** The parts of the ID of a resource. */
interface IdParts {
  /** The ID of the project or organization, in lower case. */
  readonly ownerId: string;
  /** The ID or the name of the object; empty if the ID names only the owner. */
  readonly name: string;
}

/** The ID of a resource in a project or an organization: `<owner>/<name or id>`. */
export function joinId(ownerId: string, name: string): string {
  return `${ownerId}/${name}`;
}

/** Splits at the first slash: a name may have slashes of its own. */
export function splitId(id: string): IdParts {
  const [ownerId = "", ...rest] = id.split("/");
  return { ownerId: ownerId.toLowerCase(), name: rest.join("/") };
}

/**
 * Splits the ID of an import, or rejects it.
 *
 * @param object what the ID has to name, and the forms of its ID, for the error
 */
export function importedParts(id: string, object: string, namePattern = /./s): IdParts {
  const parts = splitId(id);
  if (OBJECT_ID.test(parts.ownerId) && namePattern.test(parts.name)) return parts;
  throw new RefusedError(`"${id}" does not name ${object}`);
}
