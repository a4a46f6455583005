/**
 * Which roles own a project or can make someone its owner. Drift, previews, summaries, policy packs and
 * the documents ask this table, so that severity follows the right and not the kind of its holder.
 *
 * Source: the user roles of Ops Manager ("Ops Manager Roles") and the roles that its API requires for
 * changing people, teams and API keys of a project.
 */

/** Where a role counts. */
export type PlaceOfRole = "project" | "organization";

/** A right that owns projects, or leads to owning them. */
export interface OwningRight {
  readonly role: string;
  readonly place: PlaceOfRole;
  /** Whether the holder is an owner, or may give GROUP_OWNER to anyone. */
  readonly effect: "owns" | "makes owners";
  /** What the holder can do, as a sentence for the documents. */
  readonly meaning: string;
}

export const owningRights: readonly OwningRight[] = [
  {
    role: "GROUP_OWNER",
    place: "project",
    effect: "owns",
    meaning: "Owns the project: everything in it, its people and its deletion.",
  },
  {
    role: "GROUP_USER_ADMIN",
    place: "project",
    effect: "makes owners",
    meaning:
      "Adds people, teams and API keys to the project and sets their roles, so it can make anyone an owner.",
  },
  {
    role: "ORG_OWNER",
    place: "organization",
    effect: "owns",
    meaning: "Has every right of a project owner in each project of the organization, including later ones.",
  },
];

const byRole = new Map(owningRights.map((right) => [right.role, right]));

/** The right that a role gives over a project; `undefined` if it neither owns it nor makes owners. */
export function owningRight(role: string): OwningRight | undefined {
  return byRole.get(role);
}

/** Those of the roles that own a project or can make someone its owner, in their order. */
export function owningRoles(roles: readonly string[]): string[] {
  return roles.filter((role) => byRole.has(role));
}

/** Whether one of the roles owns a project or can make someone its owner. */
export function canOwn(roles: readonly string[]): boolean {
  return roles.some((role) => byRole.has(role));
}

/**
 * Whether the holder of these roles of an organization owns each of its projects. Then a role in such a
 * project gives its holder nothing new.
 */
export function ownsEachProject(rolesOfOrganization: readonly string[]): boolean {
  return rolesOfOrganization.some((role) => {
    const right = byRole.get(role);
    return right?.place === "organization" && right.effect === "owns";
  });
}
