/** Roles of projects. */

import { fold, nearest } from "../../text/nearest";

/**
 * Project roles known today, with their names in the service's user interface (Ops Manager
 * reference, user roles). New ones appear without notice, and fixed lists have locked people out. So
 * an unknown role is a failure only if it is nearly a known one.
 */
const PROJECT_ROLES = {
  GROUP_AUTOMATION_ADMIN: "Project Automation Admin",
  GROUP_BACKUP_ADMIN: "Project Backup Admin",
  GROUP_DATA_ACCESS_ADMIN: "Project Data Access Admin",
  GROUP_DATA_ACCESS_READ_ONLY: "Project Data Access Read Only",
  GROUP_DATA_ACCESS_READ_WRITE: "Project Data Access Read/Write",
  GROUP_MONITORING_ADMIN: "Project Monitoring Admin",
  GROUP_OWNER: "Project Owner",
  GROUP_READ_ONLY: "Project Read Only",
  GROUP_USER_ADMIN: "Project User Admin",
} as const;

/** Metadata of the package schema for roles: any text is allowed, and these are suggested. */
export const roleNames = {
  knownValues: {
    typeName: "ProjectRole",
    description:
      "Project roles known to this version. Any other role that the service knows can be written as text.",
    values: Object.entries(PROJECT_ROLES).map(([value, description]) => ({
      name: pascalCase(value.replace("GROUP_", "")),
      value,
      description: `${description}.`,
    })),
  },
};

function isKnownRole(role: string): boolean {
  return Object.hasOwn(PROJECT_ROLES, role);
}

/** Letters by which a misspelled role differs at most. Known roles differ by more. */
const MOST_WRONG_LETTERS = 2;

/** The role that is meant: by another spelling of it, or by its name in the user interface. */
function meantRole(role: string): string | undefined {
  if (isKnownRole(role)) return undefined;
  const byName = Object.entries(PROJECT_ROLES).find(([, name]) => fold(name) === fold(role));
  return byName?.[0] ?? nearest(role, Object.keys(PROJECT_ROLES), () => MOST_WRONG_LETTERS);
}

/** @param at where the role stands, such as `roles` */
export function misspelledRole(role: string, at: string): string | undefined {
  const meant = meantRole(role);
  return meant && `${at} holds "${role}", which is not a role of a project. Did you mean ${meant}?`;
}

/** Roles that may be new ones of the service. */
export function unknownRoles(roles: readonly string[]): string[] {
  return roles.filter((role) => !isKnownRole(role) && meantRole(role) === undefined);
}

/** `READ_ONLY` as `ReadOnly`. */
function pascalCase(name: string): string {
  return name.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
