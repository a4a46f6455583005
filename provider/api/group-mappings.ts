/** Mappings of groups to roles, which projects and organizations have in the same form. */
import { z } from "zod";

export interface LdapGroupMapping {
  readonly roleName: string;
  readonly ldapGroups: readonly string[];
}

export interface IdpGroupMapping {
  readonly roleName: string;
  readonly idpGroups: readonly string[];
}

/** As a PATCH has them. A list replaces the current one, and `[]` clears it. */
export interface GroupMappings {
  readonly ldapGroupMappings: readonly LdapGroupMapping[];
  readonly idpGroupMappings: readonly IdpGroupMapping[];
}

const groups = z.array(z.string()).nullish();

const ldapMapping = z.object({ roleName: z.string(), ldapGroups: groups });
const idpMapping = z.object({ roleName: z.string(), idpGroups: groups });

/**
 * In responses. `ldapGroupMappings` is absent if the service is not LDAP-backed, and
 * `idpGroupMappings` before Ops Manager 8.0.17 and in Cloud Manager.
 */
export const shownMappings = {
  ldapGroupMappings: z.array(ldapMapping).nullish(),
  idpGroupMappings: z.array(idpMapping).nullish(),
};

/** One mapping in another form than the documented one is still one. */
const UNKNOWN = { roleName: "unknown role", ldapGroups: ["unknown group"], idpGroups: ["unknown group"] };

/** The same where another form must not fail the response. */
export const tolerantMappings = {
  ldapGroupMappings: z.array(ldapMapping.catch(UNKNOWN)).nullish().catch(undefined),
  idpGroupMappings: z.array(idpMapping.catch(UNKNOWN)).nullish().catch(undefined),
};

export type ShownMappings = z.output<z.ZodObject<typeof shownMappings>>;
