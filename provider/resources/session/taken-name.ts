/**
 * Names of projects and teams that are taken, and those that the program gives up. A resource takes an
 * existing project or team only by its ID, because a name may belong to an object of another resource.
 */

import { components } from "../../component";
import { RefusedError } from "../../text/errors";
import { joinId } from "../../text/object-id";
import { partsOfUrn, type UrnParts } from "../../text/urn";
import type { Context } from "../contract/resource";
import { isUrn } from "./claims";
import { ObservationLog } from "./observations";

type OrganizationObject = "Project" | "Team";

interface TakenName {
  readonly kind: OrganizationObject;
  readonly orgId: string;
  readonly name: string;
  /** IDs of the objects that have the name, at least one. */
  readonly ids: readonly string[];
  /** Whether this operation has created one of them. */
  readonly isNew?: boolean;
}

/** The names that the program gives to existing objects. A name may be declared before its ID is known. */
export class GivenNames {
  /** IDs by name, by kind and place. */
  readonly #ids = new Map<string, Map<string, string>>();
  /** IDs of objects whose name only the real run knows, by kind and place. */
  readonly #unknown = new Map<string, Set<string>>();

  /** @param placeId ID of the organization, or of a project that has the team */
  give(kind: OrganizationObject, placeId: string, name: string, id: string): void {
    this.#in(kind, placeId).set(name, id);
  }

  /** The program gives the object a name that this preview does not know. */
  giveUnknown(kind: OrganizationObject, placeId: string, id: string): void {
    const key = keyOf(kind, placeId);
    this.#unknown.set(key, (this.#unknown.get(key) ?? new Set()).add(id));
  }

  /** The object for which the name of the program stands. */
  idOf(kind: OrganizationObject, placeId: string, name: string): string | undefined {
    return this.#in(kind, placeId).get(name);
  }

  /**
   * Whether the program gives another name to the object that has this one, or may do so. A preview may then take the name
   * as free: the real run renames the object first, or refuses to create one of the name.
   */
  mayBeGivenUp(kind: OrganizationObject, placeId: string, existing: ExistingObject): boolean {
    const isUnknown = this.#unknown.get(keyOf(kind, placeId))?.has(existing.id) === true;
    return isUnknown || this.isGivenUp(kind, placeId, existing);
  }

  /** Whether the program gives another name to the object that has this one. */
  isGivenUp(kind: OrganizationObject, placeId: string, existing: ExistingObject): boolean {
    return this.otherNameOf(kind, placeId, existing) !== undefined;
  }

  /** The name that the program gives to the object in place of this one. */
  otherNameOf(kind: OrganizationObject, placeId: string, { id, name }: ExistingObject): string | undefined {
    return [...this.#in(kind, placeId)].find(([given, ofId]) => ofId === id && given !== name)?.[0];
  }

  #in(kind: OrganizationObject, placeId: string): Map<string, string> {
    const key = keyOf(kind, placeId);
    const known = this.#ids.get(key) ?? new Map<string, string>();
    this.#ids.set(key, known);
    return known;
  }
}

const keyOf = (kind: OrganizationObject, placeId: string) => JSON.stringify([kind, placeId]);

interface ExistingObject {
  readonly id: string;
  readonly name: string;
}

const inTwoSteps = "make this resource depend on it, or run pulumi up without this resource first.";

/** The organization has an object of the name that the program gives to a new one. */
export function nameIsTaken(
  { kind, orgId, name, ids, isNew = false }: TakenName,
  { urn, session }: Context,
): RefusedError {
  const noun = kind.toLowerCase();
  const one = ids.length === 1;
  const taken = `Organization ${orgId} already has ${one ? `a ${noun}` : `${ids.length} ${noun}s`} named "${name}": ${ids.join(", ")}. Nothing was written.`;
  if (isNew) {
    return new RefusedError(
      `${taken} This run has created it for another resource of the program: give one of the two another name.`,
    );
  }
  const holding = otherResourceWith(kind, orgId, ids, { urn, session });
  if (holding !== undefined) {
    const hint = aliasHint(kind, holding, urn);
    return new RefusedError(
      `${taken} ${hint} If ${partsOfUrn(holding).name} gives up the name, ${inTwoSteps} If both are meant to exist, give this ${noun} another name.`,
    );
  }
  const resourceName = isUrn(urn) ? partsOfUrn(urn).name : undefined;
  // The host of dynamic providers cannot import, and Pulumi imports a resource of a component only with its parent.
  const importing = partsOfUrn(urn).types.includes("$")
    ? `; of a ${noun} file, run opsmanager adopt and opsmanager import`
    : `, or import it: pulumi import opsmanager:index:${kind} ${resourceName} ${one ? recordedIds(kind, orgId, ids)[0] : "<id>"}`;
  // Without a read before it, the provider cannot recognize the object that a replacement replaces.
  const replacing =
    resourceName === undefined || session.settings.refreshBeforeUpdate
      ? []
      : ["If this run replaces the resource (--replace), add --refresh."];
  return new RefusedError(
    [
      taken,
      ...replacing,
      `If this resource was renamed in the program, give it an alias: aliases: [{ name: <old name> }]; in a ${noun} file, write key: <old name>.`,
      `If another resource of the program gives up the name, ${inTwoSteps}`,
      `To adopt an existing ${noun}, set ${noun}Id: ${one ? `"${ids[0]}"` : "<one of these>"}${resourceName === undefined ? "" : importing}.`,
    ].join(" "),
  );
}

/** Another object of the organization has the name that an update gives. */
export function renameIsTaken(
  { kind, orgId, name, ids }: TakenName,
  { urn, session }: Context,
): RefusedError {
  const noun = kind.toLowerCase();
  const holding = otherResourceWith(kind, orgId, ids, { urn, session });
  const other = holding === undefined ? "another resource of the program" : partsOfUrn(holding).name;
  return new RefusedError(
    `Organization ${orgId} has another ${noun} named "${name}": ${ids.join(", ")}. Nothing was written. If ${other} gives up the name, make this resource depend on it, or run pulumi up without the change of this name first. Otherwise choose another name.`,
  );
}

/** A resource of the stack that holds one of the objects. */
function otherResourceWith(
  kind: OrganizationObject,
  orgId: string,
  ids: readonly string[],
  { urn, session }: Pick<Context, "urn" | "session">,
): string | undefined {
  return recordedIds(kind, orgId, ids)
    .flatMap((id) => session.of(ObservationLog).otherResourceWith(kind, id, urn) ?? [])
    .find(isUrn);
}

function recordedIds(kind: OrganizationObject, orgId: string, ids: readonly string[]): string[] {
  return ids.map((id) => (kind === "Team" ? joinId(orgId, id) : id));
}

/** The error if another resource of the stack holds the team that the program adopts by its ID. */
export function heldByOther(
  orgId: string,
  teamId: string,
  { urn, session }: Context,
): RefusedError | undefined {
  const holding = otherResourceWith("Team", orgId, [teamId], { urn, session });
  if (holding === undefined) return undefined;
  return new RefusedError(
    `Team ${teamId} cannot be adopted, and nothing was written. ${aliasHint("Team", holding, urn)} Otherwise remove teamId from this resource.`,
  );
}

/** Requires URNs, which the host of dynamic providers does not pass. */
function aliasHint(kind: OrganizationObject, holding: string, urn: string): string {
  const noun = kind.toLowerCase();
  return `This stack holds it as ${holding}. If that is this resource under its old name or parent, declare the alias: in the program by aliases: ["${holding}"], ${aliasInFile(noun, partsOfUrn(holding), partsOfUrn(urn))}.`;
}

function aliasInFile(noun: string, before: UrnParts, now: UrnParts): string {
  if (before.name !== now.name) return `in a ${noun} file by key: ${before.name}`;
  const moved = componentOf(before);
  return moved === undefined
    ? `for a ${noun} file by transforms of its ${componentOf(now) ?? "AccessFolder"}`
    : `for a ${noun} file by aliases of its ${moved} with the old URN of that component`;
}

/** The component of files that declares the resource. */
function componentOf({ types }: UrnParts): string | undefined {
  const parents = types.split("$").slice(0, -1);
  return components.find(({ type }) => parents.includes(type))?.name;
}
