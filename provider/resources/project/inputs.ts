/** The inputs of a Project and their validation. */

import { z } from "zod";
import type { Access } from "../../access/places";
import { faultsOfGroup } from "../../text/names";
import { own } from "../../text/own";
import { checkedAs, type InputsOf } from "../contract/border";
import {
  compareUnsure,
  knownTexts,
  lowerId,
  sortedTexts,
  withForms,
  withoutNulls,
} from "../contract/canonical";
import {
  type CheckFailure,
  failuresOfProgram,
  type LocatedFailure,
  locatedShapeFailures,
  repeatedValues,
} from "../contract/check";
import { accessOf, recordsIn, textIn } from "../contract/declared";
import { anyText, nameText, objectId, patternList } from "../contract/fields";
import { deleteIfCreated } from "../contract/on-destroy";
import { withOrganization } from "../contract/organization";
import { matcherOf, patternsIn } from "../contract/pattern";
import { pathText } from "../contract/property-path";
import type { CheckRequest, CheckResult, Log } from "../contract/resource";
import { misspelledRole, projectRoles, unknownRoles } from "../contract/roles";
import { isList, isRecord, type Properties, UNKNOWN, type Value } from "../contract/values";
import { claimProject } from "./claims";

/** Limits of the service (API document "Limits"; tag rules of the reference's PATCH page). */
export const MAX_TAGS = 10;

const TAG = /^[A-Za-z0-9._-]{1,32}$/;

/** The lists of mappings, with the property of a mapping that has its groups. */
const GROUPS_OF_MAPPINGS = { ldapGroupMappings: "ldapGroups", idpGroupMappings: "idpGroups" } as const;

const mappedRole = () =>
  anyText().meta({
    description: "Project role that the groups' members get, such as `GROUP_READ_ONLY`.",
    ...projectRoles.suggestions,
  });

const mappedGroups = (description: string) =>
  z
    .array(nameText(faultsOfGroup), "must be a list")
    .min(1, "must not be empty: leave the whole mapping out instead")
    .meta({ description });

/** One role and the LDAP groups whose members get it. */
export const ldapGroupMappingFields = z
  .strictObject(
    {
      roleName: mappedRole(),
      ldapGroups: mappedGroups(
        "Distinguished names of LDAP groups, a set with at least one entry, such as `cn=developers,dc=example,dc=com`.",
      ),
    },
    "must have roleName and ldapGroups",
  )
  .meta({
    typeName: "LdapGroupMapping",
    description: "A project role and the LDAP groups whose members get it.",
  });

/** One role and the groups of an identity provider whose members get it. */
export const idpGroupMappingFields = z
  .strictObject(
    {
      roleName: mappedRole(),
      idpGroups: mappedGroups(
        "Groups as the identity provider names them at login, a set with at least one entry, such as `platform-developers`.",
      ),
    },
    "must have roleName and idpGroups",
  )
  .meta({
    typeName: "IdpGroupMapping",
    description: "A project role and the identity provider's groups whose members get it.",
  });

export const onDestroySetting = deleteIfCreated("project");

export const projectInputs = z.strictObject({
  projectId: objectId("the id of a project").optional().meta({
    description:
      "ID of an existing project to adopt, 24 hexadecimal digits. Without it a project named `name` is created in `orgId`.",
  }),
  orgId: objectId("the id of an organization").optional().meta({
    defaultText: "the setting `orgId`, without `projectId`",
    description:
      "ID of the organization, 24 hexadecimal digits. Required to create a project; beside `projectId` it requires that the project belongs to it.",
  }),
  name: nameText().optional().meta({
    description:
      "Name of the project. Required to create a project. If omitted for an adopted project, the name is not managed.",
  }),
  tags: z
    .array(
      z.string("must be text").regex(TAG, "must have 1 to 32 characters: letters, digits, `.`, `_` and `-`"),
      "must be a list",
    )
    .optional()
    .meta({
      description:
        "Tags of the project, a set of at most 10, each of 1 to 32 letters, digits, `.`, `_` or `-`. If omitted, tags are not managed. `[]` removes all tags. Writing tags requires Project Automation Admin. Seeing them requires Project Read Only. Older versions require Global Owner (writing) and Global Owner or Global Read Only (seeing).",
    }),
  ldapGroupMappings: z.array(ldapGroupMappingFields, "must be a list").optional().meta({
    description:
      "LDAP groups by project role, a set in which each role occurs at most once. If omitted, mappings are not managed. `[]` removes all of them if the service allows it. Only for a service that is LDAP-backed. The service requires a mapping of `GROUP_OWNER`; some versions do not. A change can take an hour to reach people.",
  }),
  idpGroupMappings: z.array(idpGroupMappingFields, "must be a list").optional().meta({
    description:
      "Groups of the identity provider (SAML or OIDC) by project role, a set in which each role occurs at most once. If omitted, mappings are not managed. `[]` removes all of them. Requires Ops Manager 8.0.17 or later. Roles come from a person's groups at login, so a change reaches people at their next login.",
  }),
  ignoreTags: patternList().optional().meta({
    description:
      "Patterns (`*` any characters, `?` one) of tags that others own, a set, such as `K8S_*`: these tags are never removed and never shown as drift. Changing the patterns sends nothing.",
  }),
  withDefaultAlertsSettings: z.boolean("must be true or false").optional().meta({
    defaultText: "the service's own",
    description:
      "Whether a new project gets the default alerts. Used at creation only. Set it to `false` if the service returns BILLING_UNSUPPORTED.",
  }),
  projectOwnerId: objectId("the id of a user").optional().meta({
    description:
      "ID of the user who becomes owner of a new project, 24 hexadecimal digits. Used at creation only. If omitted, the service chooses.",
  }),
  onDestroy: onDestroySetting.input,
});

type MappingsProperty = keyof typeof GROUPS_OF_MAPPINGS;

type GroupsProperty = (typeof GROUPS_OF_MAPPINGS)[MappingsProperty];

const mappingLists = ["ldapGroupMappings", "idpGroupMappings"] as const satisfies MappingsProperty[];

/** A value for each list of mappings. */
function byMappingList<Result>(of: (groups: GroupsProperty) => Result): Readonly<Record<string, Result>> {
  return Object.fromEntries(mappingLists.map((property) => [property, of(GROUPS_OF_MAPPINGS[property])]));
}

export type ProjectInputs = InputsOf<typeof projectInputs>;

export const asProjectInputs = checkedAs<ProjectInputs>;

export function check(request: CheckRequest): CheckResult {
  const { inputs, oldInputs, context } = request;
  const given = withOrganization(withoutNulls(inputs), context.session, oldInputs);
  const shape = failuresOfProgram(
    [...locatedShapeFailures(projectInputs, given), ...identityFailures(given)],
    request,
  );
  const failures = [...shape, ...failuresOfProgram(setFailures(given), request)];
  if (shape.length > 0) return { inputs: given, failures };
  const canonical = canonicalForm(given);
  if (failures.length > 0) return { inputs: canonical, failures };
  const declared = asProjectInputs(canonical);
  warnOfDoubtfulValues(declared, context.log);
  return { inputs: canonical, failures: claimProject(declared, oldInputs, context) };
}

/** Faults between entries of sets: duplicates, too many entries, tags that ignoreTags matches. */
export function setFailures(given: Properties): LocatedFailure[] {
  const wellFormed = asProjectInputs(onlyWellFormed(given));
  return [
    ...tagFailures(wellFormed),
    ...mappingLists.flatMap((property) => mappingFailures(property, wellFormed)),
    ...twoSourcesOfGroups(wellFormed),
  ];
}

/**
 * Only the properties of the right type, for rules between values. Others are reported as faults of
 * shape.
 */
function onlyWellFormed(inputs: Properties): Properties {
  const rightForm: Readonly<Record<string, (value: Value) => boolean>> = {
    tags: isListOf(isText),
    ignoreTags: isListOf(isText),
    ...byMappingList((groups) => isListOf((mapping) => isMapping(mapping, groups))),
  };
  return Object.fromEntries(
    Object.entries(inputs).filter(([property, value]) => own(rightForm, property)?.(value) ?? true),
  );
}

function isListOf(isEntry: (value: Value) => boolean): (value: Value) => boolean {
  return (value) => value === UNKNOWN || (Array.isArray(value) && (value as readonly Value[]).every(isEntry));
}

function isText(value: Value): boolean {
  return typeof value === "string" || value === UNKNOWN;
}

function isMapping(value: Value, groups: GroupsProperty): boolean {
  if (value === UNKNOWN) return true;
  return isRecord(value) && isText(value.roleName ?? null) && isListOf(isText)(value[groups] ?? null);
}

function identityFailures(inputs: Properties): CheckFailure[] {
  if (inputs.projectId !== undefined) return [];
  const missing = (["orgId", "name"] as const).filter((property) => inputs[property] === undefined);
  if (missing.length === 0) return [];
  const reason = `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing: give projectId to adopt an existing project, or orgId and name to create one.`;
  return [{ property: "", reason }];
}

function canonicalForm(inputs: Properties): Properties {
  const ids = { projectId: lowerId, orgId: lowerId, projectOwnerId: lowerId };
  const sets = { tags: sortedTexts, ignoreTags: sortedTexts };
  const mappings = byMappingList((groups) => (list: Value) => sortedMappings(list, groups));
  return withForms(inputs, { ...ids, ...sets, ...mappings });
}

function sortedMappings(mappings: Value, groups: GroupsProperty): Value {
  if (!isList(mappings)) return mappings;
  const roleOf = (mapping: Value) => (isRecord(mapping) ? (mapping.roleName ?? UNKNOWN) : UNKNOWN);
  return mappings
    .map((mapping) => (isRecord(mapping) ? withForms(mapping, { [groups]: sortedTexts }) : mapping))
    .sort((one, other) => compareUnsure(roleOf(one), roleOf(other)));
}

function tagFailures(inputs: ProjectInputs): LocatedFailure[] {
  const tags = knownTexts(inputs.tags);
  const failure = (reason: string, index?: number) => ({
    property: "tags",
    path: index === undefined ? ["tags"] : ["tags", index],
    reason,
  });
  const positions = new Map(listOf(inputs.tags).map((tag, index) => [tag, index]));
  const failures = repeatedValues(tags).map((tag) =>
    failure(`tags contains "${tag}" more than once.`, positions.get(tag)),
  );
  if (tags.length > MAX_TAGS) {
    failures.push(failure(`tags has ${tags.length} entries; a project has at most ${MAX_TAGS}.`));
  }
  const foreign = tags.filter(matcherOf(patternsIn(inputs.ignoreTags)));
  for (const tag of new Set(foreign)) {
    const reason = `tags contains "${tag}", which ignoreTags matches: remove the tag from tags or the pattern from ignoreTags.`;
    failures.push(failure(reason, positions.get(tag)));
  }
  return failures;
}

function mappingFailures(property: MappingsProperty, inputs: ProjectInputs): LocatedFailure[] {
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
    const reason = typeof role === "string" ? misspelledRole(role, pathText(path)) : undefined;
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
function twoSourcesOfGroups(inputs: ProjectInputs): LocatedFailure[] {
  if (!mappingLists.every((property) => listOf(inputs[property]).length > 0)) return [];
  const [property, other] = mappingLists;
  const reason = `${property} and ${other} both have entries, but a service takes its groups either from LDAP or from an identity provider: remove one of them, or set it to [].`;
  return [{ property: other, path: [other], reason }];
}

/** The entries as the program wrote them: messages name their indexes. */
function listOf(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [];
}

function warnOfDoubtfulValues(inputs: ProjectInputs, log: Log): void {
  for (const tag of knownTexts(inputs.tags).filter((value) => value !== value.toUpperCase())) {
    log.warn(
      `Tag "${tag}" has lower-case letters: the service's documentation lists A to Z only, and some versions store tags in capitals.`,
    );
  }
  for (const property of mappingLists) {
    for (const role of unknownRoles(knownTexts(mappedRoles(inputs[property])))) {
      log.warn(
        `Role "${role}" in ${property} is not a project role that this version knows, and is sent unchanged.`,
      );
    }
  }
  const roles = mappedRoles(inputs.ldapGroupMappings);
  // An entry that is not known yet may be the one for GROUP_OWNER.
  if (roles.length > 0 && !roles.includes(UNKNOWN) && !roles.includes("GROUP_OWNER")) {
    log.warn(
      "ldapGroupMappings has no entry for GROUP_OWNER, which the service's documentation requires: it may refuse the mappings (MISSING_ROLE_ENTRY_IN_LDAP_MAPPING). Map GROUP_OWNER to at least one LDAP group.",
    );
  }
}

/** The role of each mapping, unknown where the mapping is. */
function mappedRoles(mappings: unknown): readonly unknown[] {
  return listOf(mappings).map((mapping) => (isRecord(mapping) ? (mapping.roleName ?? UNKNOWN) : UNKNOWN));
}

/** The groups to which the project's mappings give roles. */
export function declares(inputs: Properties, state?: Properties): readonly Access[] {
  const id = textIn(inputs, "projectId") ?? textIn(state, "projectId");
  if (id === undefined) return [];
  const place = { kind: "project", id, orgId: textIn(state, "orgId") ?? textIn(inputs, "orgId") } as const;
  return mappingLists.flatMap((property) =>
    recordsIn(inputs[property]).flatMap(({ roleName, [GROUPS_OF_MAPPINGS[property]]: names }) =>
      knownTexts(names).flatMap((name) => accessOf({ kind: "group", property, name }, place, [roleName])),
    ),
  );
}
