import { refuse } from "../errors";
import { type FieldFault, type Fields, readItems, readObject } from "../fields";
import { globalRoleNames, orgRoleNames, projectRoleNames } from "../model";

/** Reading request bodies: the API refuses unknown and read-only fields with 400 instead of ignoring them. */

function bodyFault(readOnly: readonly string[]): FieldFault {
  return (field, problem) => {
    if (field === "") return refuse.invalidJson();
    if (problem === "missing") return refuse.missingAttribute(field);
    if (problem === "unknown" && readOnly.includes(field)) return refuse.readOnlyAttribute(field);
    return refuse.invalidAttribute(field);
  };
}

/** Reads a body that must be one object. `readOnly` names the fields that exist but cannot be written. */
export function readBody<T>(body: unknown, readOnly: readonly string[], read: (fields: Fields) => T): T {
  return readObject(body, "", bodyFault(readOnly), read);
}

/** Reads a body that must be a list of objects. */
export function readListBody<T>(body: unknown, each: (fields: Fields) => T): T[] {
  if (!Array.isArray(body)) throw refuse.invalidJson();
  return readItems(body, "", bodyFault([]), each);
}

/** Refuses role names that no project can give. */
export function checkProjectRole(roleName: string): void {
  if (projectRoleNames.includes(roleName)) return;
  if (globalRoleNames.includes(roleName)) throw refuse.globalRole(roleName);
  if (orgRoleNames.includes(roleName)) throw refuse.roleNotForGroup(roleName);
  throw refuse.invalidEnum("roleName", roleName);
}

export function checkProjectRoles(roleNames: readonly string[]): void {
  if (roleNames.length === 0) throw refuse.emptyRoles();
  roleNames.forEach(checkProjectRole);
}

/** Refuses role names that no organization can give. */
export function checkOrgRoles(roles: readonly string[]): void {
  if (roles.length === 0) throw refuse.invalidAttribute("roles");
  for (const role of roles) checkOrgRole(role);
}

export function checkOrgRole(role: string): void {
  if (orgRoleNames.includes(role)) return;
  if (projectRoleNames.includes(role)) throw refuse.roleNeedsGroupId(role);
  if (globalRoleNames.includes(role)) throw refuse.globalRole(role);
  throw refuse.invalidEnum("roles", role);
}
