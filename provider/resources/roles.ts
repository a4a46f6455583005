/**
 * Project roles known today (Ops Manager reference, user roles). New ones come without notice, and lists in clients
 * have locked people out of them before, so an unknown role is a warning, never a failure.
 */
export const PROJECT_ROLES = [
  "GROUP_AUTOMATION_ADMIN",
  "GROUP_BACKUP_ADMIN",
  "GROUP_DATA_ACCESS_ADMIN",
  "GROUP_DATA_ACCESS_READ_ONLY",
  "GROUP_DATA_ACCESS_READ_WRITE",
  "GROUP_MONITORING_ADMIN",
  "GROUP_OWNER",
  "GROUP_READ_ONLY",
  "GROUP_USER_ADMIN",
] as const;

export function isKnownRole(role: string): boolean {
  return (PROJECT_ROLES as readonly string[]).includes(role);
}
