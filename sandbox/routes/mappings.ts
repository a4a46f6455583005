import { refuse } from "../errors";
import { isLdapBacked } from "../ldap-people";
import { type IdpGroupMapping, type LdapGroupMapping, ldapRoleNames, orgRoleNames } from "../model";
import type { World } from "../store";
import { checkOrgRole, checkProjectRole } from "./body";

/** The rules for the group mappings of a project or an organization. */

export interface Mappings {
  readonly ldapGroupMappings?: readonly LdapGroupMapping[] | undefined;
  readonly idpGroupMappings?: readonly IdpGroupMapping[] | undefined;
}

interface MappedRoles {
  readonly check: (role: string) => void;
  readonly ofLdap: readonly string[];
  /** The role of this kind of place for one of a project. */
  readonly named: (role: string) => string;
}

const mappedRoles = {
  project: { check: checkProjectRole, ofLdap: ldapRoleNames, named: (role) => role },
  organization: {
    check: checkOrgRole,
    ofLdap: orgRoleNames,
    named: (role) => role.replace("GROUP_", "ORG_"),
  },
} satisfies Record<string, MappedRoles>;

export type MappedPlace = keyof typeof mappedRoles;

export function checkMappings(
  world: World,
  { ldapGroupMappings, idpGroupMappings }: Mappings,
  place: MappedPlace,
): void {
  if (ldapGroupMappings !== undefined) checkLdapMappings(world, ldapGroupMappings, mappedRoles[place]);
  if (idpGroupMappings !== undefined) checkIdpMappings(world, idpGroupMappings, mappedRoles[place]);
}

function checkLdapMappings(
  world: World,
  mappings: readonly LdapGroupMapping[],
  { check, ofLdap, named }: MappedRoles,
): void {
  const { emptyLdapMappings, requiredLdapRole, ldapMappingRoles } = world.switches;
  if (!isLdapBacked(world)) throw refuse.ldapIsOff("ldapGroupMappings");
  if (mappings.length === 0) {
    if (emptyLdapMappings === "refuse")
      throw refuse.ldapRoleMissing(named(requiredLdapRole || "GROUP_OWNER"));
    return;
  }
  const seen = new Set<string>();
  for (const { roleName, ldapGroups } of mappings) {
    check(roleName);
    if (ldapMappingRoles === "documented" && !ofLdap.includes(roleName))
      throw refuse.invalidEnum("roleName", roleName);
    if (seen.has(roleName)) throw refuse.ldapRoleTwice(roleName);
    if (ldapGroups.length === 0 || ldapGroups.includes("")) throw refuse.ldapRoleMissing(roleName);
    seen.add(roleName);
  }
  const required = named(requiredLdapRole);
  if (required !== "" && !seen.has(required)) throw refuse.ldapRoleMissing(required);
}

/** The rules of the tutorial on OIDC: any role of the place, once, with at least one group. */
function checkIdpMappings(world: World, mappings: readonly IdpGroupMapping[], { check }: MappedRoles): void {
  if (world.switches.idpMappings === "absent") throw refuse.invalidAttribute("idpGroupMappings");
  for (const [index, { roleName, idpGroups }] of mappings.entries()) {
    check(roleName);
    const isRepeated = mappings.findIndex((other) => other.roleName === roleName) < index;
    if (isRepeated || idpGroups.length === 0 || idpGroups.includes(""))
      throw refuse.invalidAttribute("idpGroupMappings");
  }
}

/** The mappings after a PATCH. A service without a login through an identity provider may accept theirs and not store them. */
export function storedMappings(
  { switches }: World,
  patch: Mappings,
  { ldapGroupMappings = [], idpGroupMappings = [] }: Mappings = {},
) {
  const idp = switches.idpMappings === "present" ? patch.idpGroupMappings : undefined;
  return {
    ldapGroupMappings: patch.ldapGroupMappings ?? ldapGroupMappings,
    idpGroupMappings: idp ?? idpGroupMappings,
  };
}
