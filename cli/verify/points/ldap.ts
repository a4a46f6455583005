/** LDAP group mappings of a throw-away project. */

import type { ApiResponse } from "../service";
import type { Trial } from "../trial";
import { good, Undetermined, valueByCode } from "../undetermined";
import type { Points } from "./point";
import { MISSING_MAPPING, mappingsOf, namedRole, patch } from "./project";

function writeMappings(trial: Trial, ...roleNames: readonly string[]): Promise<ApiResponse> {
  return patch(trial, { ldapGroupMappings: mappingsOf(...roleNames) });
}

const ownerMapping = (trial: Trial): Promise<ApiResponse> => writeMappings(trial, "GROUP_OWNER");

async function isLdapBacked(trial: Trial): Promise<boolean> {
  const response = await trial.run(ownerMapping);
  return valueByCode(response, { DISALLOWED_ATTRIBUTE_TURN_ON_LDAP: false, [MISSING_MAPPING]: true }, true);
}

async function requireLdap(trial: Trial): Promise<void> {
  if (!(await trial.run(isLdapBacked))) throw new Undetermined("The service is not LDAP-backed.");
}

/** Tries two lists without a common role, so one of them lacks any role that is required. */
async function requiredLdapRole(trial: Trial): Promise<string> {
  await requireLdap(trial);
  for (const response of [await writeMappings(trial, "GROUP_READ_ONLY"), await trial.run(ownerMapping)]) {
    if (response.errorCode !== MISSING_MAPPING) {
      good(response);
      continue;
    }
    const role = namedRole(response);
    if (role !== undefined) return role;
    throw new Undetermined("The service requires a role and does not name it.");
  }
  return "";
}

async function ldapMappingRoles(trial: Trial): Promise<string> {
  const required = await trial.run(requiredLdapRole);
  const others = required === "" ? [] : [required];
  const response = await writeMappings(trial, "GROUP_OWNER", "GROUP_USER_ADMIN", ...others);
  return valueByCode(response, { INVALID_ENUM_VALUE: "documented" }, "any");
}

async function emptyLdapMappings(trial: Trial): Promise<string> {
  await requireLdap(trial);
  const response = await patch(trial, { ldapGroupMappings: [] });
  return valueByCode(response, { [MISSING_MAPPING]: "refuse" }, "clear");
}

export const ldapPoints: Points = {
  ldap: ["PATCH /groups/{id} with a mapping of GROUP_OWNER to a group that does not exist", isLdapBacked],
  requiredLdapRole: ["PATCH /groups/{id} with a mapping of GROUP_READ_ONLY only", requiredLdapRole],
  ldapMappingRoles: ["PATCH /groups/{id} with a mapping of GROUP_USER_ADMIN", ldapMappingRoles],
  emptyLdapMappings: ["PATCH /groups/{id} with ldapGroupMappings: []", emptyLdapMappings],
};
