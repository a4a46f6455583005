/** Mappings of groups to roles as inputs: their shape, their rules, and who has access through them. Pure. */

import { z } from "zod";
import { OWNER_ROLES } from "../../access/person";
import { type Access, isSameHolder, type Place } from "../../access/places";
import type { GroupMappings, IdpGroupMapping, LdapGroupMapping } from "../../api/group-mappings";
import { faultsOfGroup } from "../../text/names";
import { toProperties } from "../contract/border";
import { compareUnsure, knownTexts, sortedTexts, withForms } from "../contract/canonical";
import { isListOf, isText, type LocatedFailure, listOf, repeatedValues } from "../contract/check";
import { accessOf, recordsIn } from "../contract/declared";
import { anyText, nameText } from "../contract/fields";
import { pathText } from "../contract/property-path";
import type { Log } from "../contract/resource";
import { articled, misspelledRole, type RoleKind, unknownRoles } from "../contract/roles";
import { hasUnknown, isList, isRecord, type Properties, UNKNOWN, type Value } from "../contract/values";

/** The lists of mappings, with the property of a mapping that has its groups. */
const GROUPS_OF_MAPPINGS = { ldapGroupMappings: "ldapGroups", idpGroupMappings: "idpGroups" } as const;

export const mappingLists = [
  "ldapGroupMappings",
  "idpGroupMappings",
] as const satisfies (keyof GroupMappings)[];

type MappingsProperty = (typeof mappingLists)[number];
type GroupsProperty = (typeof GROUPS_OF_MAPPINGS)[MappingsProperty];

/** The roles that the page of `POST /orgs` refuses for LDAP groups. */
const NOT_FOR_LDAP: ReadonlySet<string> = new Set(["ORG_BILLING_ADMIN"]);

const mappedGroups = (description: string) =>
  z
    .array(nameText(faultsOfGroup), "must be a list")
    .min(1, "must not be empty: leave the whole mapping out instead")
    .meta({ description });

/** One role and the groups whose members get it, for each list. */
export function mappingFields({ place, prefix, suggestions }: RoleKind) {
  const roleName = anyText().meta({
    description: `Role in the ${place} that the groups' members get, such as \`${prefix}READ_ONLY\`.`,
    ...suggestions,
  });
  const typePrefix = place === "project" ? "" : "Organization";
  const what = place === "project" ? "A project role" : "An organization role";
  return {
    ldapGroupMappings: z
      .strictObject(
        {
          roleName,
          ldapGroups: mappedGroups(
            "Distinguished names of LDAP groups, a set with at least one entry, such as `cn=developers,dc=example,dc=com`.",
          ),
        },
        "must have roleName and ldapGroups",
      )
      .meta({
        typeName: `${typePrefix}LdapGroupMapping`,
        description: `${what} and the LDAP groups whose members get it.`,
      }),
    idpGroupMappings: z
      .strictObject(
        {
          roleName,
          idpGroups: mappedGroups(
            "Groups as the identity provider names them at login, a set with at least one entry, such as `platform-developers`.",
          ),
        },
        "must have roleName and idpGroups",
      )
      .meta({
        typeName: `${typePrefix}IdpGroupMapping`,
        description: `${what} and the identity provider's groups whose members get it.`,
      }),
  };
}

/** @param clearing what `[]` does, as a sentence, for the LDAP and for the other list */
export function mappingInputs(roles: RoleKind, clearing: { readonly ldap: string; readonly idp: string }) {
  const fields = mappingFields(roles);
  const { place } = roles;
  return {
    ldapGroupMappings: z
      .array(fields.ldapGroupMappings, "must be a list")
      .optional()
      .meta({
        description: `LDAP groups by ${place} role, a set in which each role occurs at most once. If omitted, mappings are not managed. ${clearing.ldap} Only for a service that is LDAP-backed. The service requires a mapping of \`${OWNER_ROLES[place]}\`; some versions do not. A change can take an hour to reach people.`,
      }),
    idpGroupMappings: z
      .array(fields.idpGroupMappings, "must be a list")
      .optional()
      .meta({
        description: `Groups of the identity provider (SAML or OIDC) by ${place} role, a set in which each role occurs at most once. If omitted, mappings are not managed. ${clearing.idp} Requires Ops Manager 8.0.17 or later. Roles come from a person's groups at login, so a change reaches people at their next login.`,
      }),
  };
}

/** As outputs of a lookup. */
export function mappingOutputs(roles: RoleKind) {
  const fields = mappingFields(roles);
  return {
    ldapGroupMappings: z
      .array(fields.ldapGroupMappings)
      .optional()
      .meta({
        description: `LDAP groups by ${roles.place} role, sorted; absent where the service is not LDAP-backed.`,
      }),
    idpGroupMappings: z
      .array(fields.idpGroupMappings)
      .optional()
      .meta({
        description: `Groups of the identity provider by ${roles.place} role, sorted; absent where the service does not show them.`,
      }),
  };
}

/** A value for each list of mappings. */
function byList<Result>(of: (groups: GroupsProperty) => Result): Readonly<Record<MappingsProperty, Result>> {
  return {
    ldapGroupMappings: of("ldapGroups"),
    idpGroupMappings: of("idpGroups"),
  };
}

/** For rules between values: the properties that are lists of mappings. Others are reported as faults of shape. */
function wellFormed(inputs: Properties): GivenMappings {
  return withForms(
    inputs,
    byList(
      (groups) => (list: Value) => (isListOf((mapping) => isMapping(mapping, groups))(list) ? list : []),
    ),
  );
}

function isMapping(value: Value, groups: GroupsProperty): boolean {
  if (value === UNKNOWN) return true;
  return isRecord(value) && isText(value.roleName ?? null) && isListOf(isText)(value[groups] ?? null);
}

/** The properties of the mappings in each list. */
export const nestedInMappings = byList((groups) => ["roleName", groups]);

export const canonicalMappings = byList((groups) => (mappings: Value): Value => {
  if (!isList(mappings)) return mappings;
  const roleOf = (mapping: Value) => (isRecord(mapping) ? (mapping.roleName ?? UNKNOWN) : UNKNOWN);
  return mappings
    .map((mapping) => (isRecord(mapping) ? withForms(mapping, { [groups]: sortedTexts }) : mapping))
    .sort((one, other) => compareUnsure(roleOf(one), roleOf(other)));
});

/** Lists as a program gives them. */
type GivenMappings = { readonly [Property in MappingsProperty]?: unknown };

/** Faults between the entries of lists. */
export function mappingFailures(given: Properties, kind: RoleKind): LocatedFailure[] {
  const inputs = wellFormed(given);
  return [
    ...mappingLists.flatMap((property) => failuresOf(property, inputs, kind)),
    ...twoSourcesOfGroups(inputs),
  ];
}

function failuresOf(property: MappingsProperty, inputs: GivenMappings, kind: RoleKind): LocatedFailure[] {
  const groupsProperty = GROUPS_OF_MAPPINGS[property];
  const mappings = listOf(inputs[property]).map((mapping) => (isRecord(mapping) ? mapping : {}));
  const roles = mappedRoles(inputs[property]);
  const positions = new Map(roles.map((role, index) => [role, index]));
  const failures: LocatedFailure[] = repeatedValues(knownTexts(roles)).map((role) => ({
    property,
    path: [property, positions.get(role) ?? 0, "roleName"],
    reason: `${property} has more than one entry for ${role}: put all its groups into one.`,
  }));
  for (const [index, role] of roles.entries()) {
    const path = [property, index, "roleName"];
    const reason = typeof role === "string" ? misspelledRole(role, pathText(path), kind) : undefined;
    if (reason !== undefined) failures.push({ property, path, reason });
  }
  for (const [index, { [groupsProperty]: groups }] of mappings.entries()) {
    for (const group of repeatedValues(knownTexts(groups))) {
      const path = [property, index, groupsProperty];
      failures.push({ property, path, reason: `${pathText(path)} contains "${group}" more than once.` });
    }
  }
  return failures;
}

/** A service takes its groups from one source. An empty list declares that it has none of that source. */
function twoSourcesOfGroups(inputs: GivenMappings): LocatedFailure[] {
  if (!mappingLists.every((property) => listOf(inputs[property]).length > 0)) return [];
  const [property, other] = mappingLists;
  const reason = `${property} and ${other} both have entries, but a service takes its groups either from LDAP or from an identity provider: remove one of them, or set it to [].`;
  return [{ property: other, path: [other], reason }];
}

export function warnOfDoubtfulMappings(inputs: GivenMappings, kind: RoleKind, log: Log): void {
  for (const property of mappingLists) {
    for (const role of unknownRoles(knownTexts(mappedRoles(inputs[property])), kind)) {
      log.warn(
        `Role "${role}" in ${property} is not ${articled(kind.place)} role that this version knows, and is sent unchanged.`,
      );
    }
  }
  const roles = mappedRoles(inputs.ldapGroupMappings);
  for (const role of knownTexts(roles).filter((name) => NOT_FOR_LDAP.has(name))) {
    log.warn(
      `ldapGroupMappings has an entry for ${role}, which the service's documentation refuses for LDAP groups.`,
    );
  }
  const owner = OWNER_ROLES[kind.place];
  // An entry that is not known yet may be the one for the owner.
  if (roles.length > 0 && !roles.includes(UNKNOWN) && !roles.includes(owner)) {
    log.warn(
      `ldapGroupMappings has no entry for ${owner}, which the service's documentation requires: it may refuse the mappings (MISSING_ROLE_ENTRY_IN_LDAP_MAPPING). Map ${owner} to at least one LDAP group.`,
    );
  }
}

/** The role of each mapping, unknown where the mapping is. */
function mappedRoles(mappings: unknown): readonly unknown[] {
  return listOf(mappings).map((mapping) => (isRecord(mapping) ? (mapping.roleName ?? UNKNOWN) : UNKNOWN));
}

export function groupsWith(
  role: string,
  mappings: readonly (LdapGroupMapping | IdpGroupMapping)[],
): readonly string[] {
  return mappings
    .filter(({ roleName }) => roleName === role)
    .flatMap((mapping) => ("ldapGroups" in mapping ? mapping.ldapGroups : mapping.idpGroups));
}

/** The groups to which mappings give roles in the place. */
export function groupsWithAccess(inputs: Properties, place: Place): readonly Access[] {
  return mappingLists.flatMap((property) =>
    recordsIn(inputs[property]).flatMap(({ roleName, [GROUPS_OF_MAPPINGS[property]]: names }) =>
      knownTexts(names).flatMap((name) => accessOf({ kind: "group", property, name }, place, [roleName])),
    ),
  );
}

/** Declared mappings replace the live ones, so groups that they lack lose their roles. */
export function tellGroups(live: GivenMappings, inputs: GivenMappings, place: Place, log: Log): void {
  const declared = Object.fromEntries(
    mappingLists.flatMap((list) => (inputs[list] === undefined ? [] : [[list, inputs[list]]])),
  );
  const present = groupsWithAccess(toProperties(live), place);
  const staying = groupsWithAccess(toProperties({ ...live, ...declared }), place);
  // Of mappings that a preview does not know, no one is known to leave.
  const isStaying = ({ holder }: Access) =>
    hasUnknown(declared) || staying.some((other) => isSameHolder(other.holder, holder));
  log.tell?.(present.map((access) => ({ ...access, fate: isStaying(access) ? "stays" : "leaves" })));
}
