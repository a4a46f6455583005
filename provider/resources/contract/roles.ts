/**
 * Project roles known today, with their names in the service's user interface (Ops Manager
 * reference, user roles). New ones appear without notice, and fixed lists have locked people out. So
 * an unknown role is a warning, never a failure.
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

export function isKnownRole(role: string): boolean {
  return Object.hasOwn(PROJECT_ROLES, role);
}

/** `READ_ONLY` as `ReadOnly`. */
function pascalCase(name: string): string {
  return name.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
