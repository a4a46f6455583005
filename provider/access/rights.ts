/**
 * Which roles own a project or can make someone its owner. Drift, previews, summaries, policy packs and
 * the documents ask this table, so that severity follows the right and not the kind of its holder. Pure.
 *
 * Sources: the pages "Ops Manager Roles" and "Cloud Manager Roles", and the roles that pages of the API
 * require. Roles are open: a role that neither list below has is reported as unknown, never as harmless.
 */

import { roleNames } from "./roles";

/** Where a role counts. `service`: in all organizations and projects. */
type PlaceOfRole = "project" | "organization" | "service";

/** A right that owns projects, or leads to owning them. */
export interface OwningRight {
  readonly role: string;
  readonly place: PlaceOfRole;
  /** Whether the holder is an owner, or can make owners. */
  readonly effect: "owns" | "makes owners";
  /** What the holder can do, as a sentence for the documents. */
  readonly meaning: string;
  /** Where that is documented, as a sentence for the documents. */
  readonly source: string;
}

export const owningRights: readonly OwningRight[] = [
  {
    role: "GROUP_OWNER",
    place: "project",
    effect: "owns",
    meaning: "Owns the project: everything in it, its people and its deletion.",
    source: "Roles page: any privilege of any project role.",
  },
  {
    role: "GROUP_USER_ADMIN",
    place: "project",
    effect: "makes owners",
    meaning:
      "Adds people, teams and API keys to the project and sets their roles, so it can make anyone an owner.",
    source: "Roles page: invites users and modifies their roles. The API pages add teams and API keys.",
  },
  {
    role: "ORG_OWNER",
    place: "organization",
    effect: "owns",
    meaning: "Owns each project of the organization, including later ones.",
    source: "Roles page: Project Owner of all projects, whatever role it has in one of them.",
  },
  {
    role: "ORG_USER_ADMIN",
    place: "organization",
    effect: "makes owners",
    meaning:
      "Invites people to the organization and sets the roles of its people and API keys, so it can make anyone its owner.",
    source:
      'API pages require "Organization User Admin" for invitations, roles and keys. No page lists that role, or its name in the API.',
  },
  {
    role: "GLOBAL_OWNER",
    place: "service",
    effect: "owns",
    meaning: "Owns each project of Ops Manager.",
    source: "Roles page: privileges from all roles except those of Data Explorer.",
  },
  {
    role: "GLOBAL_USER_ADMIN",
    place: "service",
    effect: "makes owners",
    meaning: "Project User Admin of each project and organization; also sets LDAP group mappings.",
    source: "Roles page.",
  },
];

/**
 * The other roles that the sources describe, none of which changes who has access. Of the last two,
 * only the roles page of Atlas describes what they do.
 */
const otherRoles: ReadonlySet<string> = new Set([
  ...Object.values(roleNames).flatMap((names) => Object.keys(names)),
  "ORG_BILLING_READ_ONLY",
  "GLOBAL_AUTOMATION_ADMIN",
  "GLOBAL_BACKUP_ADMIN",
  "GLOBAL_MONITORING_ADMIN",
  "GLOBAL_READ_ONLY",
  "GROUP_CLUSTER_MANAGER",
  "GROUP_SEARCH_INDEX_EDITOR",
]);

/**
 * Roles outside of projects that count in each project below, but neither own it nor make owners: they read it or
 * administer a part of it (roles page: "all projects in the organization"; a global role has the privileges of the
 * equivalent role "for all projects and organizations").
 */
const otherRolesInEachProject: ReadonlySet<string> = new Set([
  "ORG_READ_ONLY",
  "GLOBAL_AUTOMATION_ADMIN",
  "GLOBAL_BACKUP_ADMIN",
  "GLOBAL_MONITORING_ADMIN",
  "GLOBAL_READ_ONLY",
]);

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

/** Those of the roles of which this version does not know whether they own anything, in their order. */
export function unknownRights(roles: readonly string[]): string[] {
  return roles.filter((role) => !byRole.has(role) && !otherRoles.has(role));
}

/**
 * Whether a role of an organization or of the service counts in each project below.
 *
 * @returns `unknown` for a role that this version does not know
 */
export function countsInEachProject(role: string): boolean | "unknown" {
  const right = byRole.get(role);
  if (right !== undefined) return right.place !== "project";
  if (otherRolesInEachProject.has(role)) return true;
  return unknownRights([role]).length === 0 ? false : "unknown";
}

/**
 * Whether the holder of these roles of an organization owns each of its projects. Then a role in such a
 * project gives its holder nothing new.
 */
export function ownsEachProject(rolesOfOrganization: readonly string[]): boolean {
  return rolesOfOrganization.some((role) => owns(role, "organization"));
}

/** A role outside of projects: in one organization, or, without one, in the whole service. */
export interface RoleAbove {
  readonly role: string;
  readonly orgId?: string | undefined;
}

/** Whether these roles own each project of the organization. */
export function ownsFromAbove(rolesAbove: readonly RoleAbove[], orgId: string | undefined): boolean {
  return rolesAbove.some(({ role, orgId: at }) =>
    at === undefined ? owns(role, "service") : at === orgId && owns(role, "organization"),
  );
}

function owns(role: string, place: PlaceOfRole): boolean {
  const right = byRole.get(role);
  return right?.place === place && right.effect === "owns";
}
