/**
 * The properties of a project that are compared with the service and sent to it: one entry for each. The PATCH from
 * what is declared, and what came of it. Pure.
 */
import { NO_IDP_LOGIN } from "../../api/hints";
import type { ChangeableFields, ProjectPatch, ProjectResponse } from "../../api/projects";
import { type Difference, setDifferences } from "../contract/difference";
import { matchesAny } from "../contract/pattern";
import { inOrder, known, sameSet } from "../contract/values";
import type { ProjectInputs } from "./inputs";

type Managed = keyof ChangeableFields;

/** Values of a program, a record or the service. Absent: not declared, or not shown. */
export type Values = { readonly [Property in Managed]?: ChangeableFields[Property] | undefined };

interface ManagedProperty<Value> {
  readonly empty: Value;
  /** A response without the property means that it is empty. Otherwise the key may not see it. */
  readonly absentIsEmpty: boolean;
  /** An entry of the organization's list of projects may lack it. */
  readonly listMayLackIt: boolean;
  /** What a response shows: sets are sorted. */
  shown(response: ProjectResponse): Value | undefined;
  same(one: Value, other: Value): boolean;
  differences(recorded: Value, declared: Value, inputs: ProjectInputs): Difference[];
  /** Whether a response to a write does not show what was sent. */
  isHidden(sent: Value, shown: Value | undefined): boolean;
  /** By name, each live value that a write takes away or overwrites. */
  overwrites(sent: Value, live: Value): string[];
  /** What to do if the service accepts a value and does not store it. */
  readonly adviceIfDropped?: string;
}

export const managed: { readonly [Property in Managed]: ManagedProperty<ChangeableFields[Property]> } = {
  name: {
    empty: "",
    absentIsEmpty: true,
    listMayLackIt: false,
    shown: ({ name }) => name,
    same: (one, other) => one === other,
    differences: (recorded, declared) => (declared === recorded ? [] : [{ path: ["name"], kind: "update" }]),
    isHidden: () => false,
    overwrites: (sent, live) => [`name "${live}" becomes "${sent}"`],
  },
  tags: {
    empty: [],
    absentIsEmpty: false,
    listMayLackIt: true,
    shown: ({ tags }) => (tags ? [...tags].sort(inOrder) : undefined),
    same: sameSet,
    differences: (recorded, declared, { ignoreTags }) =>
      setDifferences(["tags"], recorded, declared, String, (tag) => matchesAny(known(ignoreTags) ?? [], tag)),
    // Nothing of what was sent can be seen. A response that shows other tags is not hiding them.
    isHidden: (sent, shown) => shown === undefined || (shown.length === 0 && sent.length > 0),
    overwrites: (sent, live) =>
      live.filter((tag) => !sent.includes(tag)).map((tag) => `tag "${tag}" is removed`),
  },
  ldapGroupMappings: groupMappings({
    property: "ldapGroupMappings",
    groups: "ldapGroups",
    groupsOf: ({ ldapGroups }) => ldapGroups,
    shown: ({ ldapGroupMappings }) =>
      ldapGroupMappings?.map(({ roleName, ldapGroups }) => ({ roleName, ldapGroups: asSet(ldapGroups) })),
  }),
  idpGroupMappings: {
    ...groupMappings({
      property: "idpGroupMappings",
      groups: "idpGroups",
      groupsOf: ({ idpGroups }) => idpGroups,
      shown: ({ idpGroupMappings }) =>
        idpGroupMappings?.map(({ roleName, idpGroups }) => ({ roleName, idpGroups: asSet(idpGroups) })),
    }),
    adviceIfDropped: NO_IDP_LOGIN,
  },
};

export const managedProperties = Object.keys(managed) as readonly Managed[];

/** What a program declares, without what is not known yet. */
export function declaredValues(inputs: ProjectInputs): Values {
  return Object.fromEntries(managedProperties.map((property) => [property, known(inputs[property])]));
}

/** A value for each property. */
export function byProperty(
  read: <Property extends Managed>(property: Property) => ChangeableFields[Property] | undefined,
): Values {
  return Object.fromEntries(managedProperties.map((property) => [property, read(property)]));
}

/** The results for each property that has a value. */
export function forEachValue<Result>(
  values: Values,
  each: <Property extends Managed>(
    property: Property,
    value: ChangeableFields[Property],
  ) => readonly Result[],
): Result[] {
  const resultsOf = <Property extends Managed>(property: Property) => {
    const value = values[property];
    return value === undefined ? [] : each(property, value);
  };
  return managedProperties.flatMap(resultsOf);
}

/**
 * The smallest PATCH that makes the live object as declared. Tags that match the old or the new
 * patterns of `ignoreTags` stay, so that changing the patterns never removes a tag unseen.
 *
 * @param live `undefined` if the service does not offer reading a project: then every declared
 * field is sent
 */
export function toPatch(
  live: Values | undefined,
  inputs: ProjectInputs,
  options: { readonly isIgnored: (property: string) => boolean; readonly foreignTags: readonly string[] },
): ProjectPatch {
  const { tags, ...others } = declaredValues(inputs);
  const wantedTags = tags && [...new Set([...tags, ...options.foreignTags])].sort(inOrder);
  const different = forEachValue({ ...others, tags: wantedTags }, (property, value) => {
    if (options.isIgnored(property)) return [];
    const { absentIsEmpty, empty, same } = managed[property];
    const current = live && (live[property] ?? (absentIsEmpty ? empty : undefined));
    return current !== undefined && same(value, current) ? [] : [[property, value]];
  });
  return Object.fromEntries(different);
}

/** What the service stored other than it was sent, one sentence for each property. */
export function storedOtherwise(patch: ProjectPatch, live: Values, tagsVisible: boolean): string[] {
  return forEachValue(patch, (property, sent) => {
    const { absentIsEmpty, empty, same, adviceIfDropped } = managed[property];
    const stored = live[property] ?? empty;
    if ((!absentIsEmpty && !tagsVisible) || same(sent, stored)) return [];
    const isDropped = same(empty, stored);
    const advice = isDropped && adviceIfDropped !== undefined ? ` ${adviceIfDropped}` : "";
    return [
      `${property} was sent as ${JSON.stringify(sent)}, but the service stored ${JSON.stringify(stored)}.${advice}`,
    ];
  });
}

/**
 * True when a response does not hold a field that was sent: hidden from the key, or a response that
 * is cut short.
 */
export function lacksSent(patch: ProjectPatch, live: Values): boolean {
  return forEachValue(patch, (property, sent) => [managed[property].isHidden(sent, live[property])]).includes(
    true,
  );
}

/** By name, each value that a PATCH takes away or overwrites. */
export function overwrites(patch: ProjectPatch, live: Values): string[] {
  return forEachValue(patch, (property, sent) => {
    const { empty, overwrites: sentences } = managed[property];
    return sentences(sent, live[property] ?? empty);
  });
}

function asSet(texts: readonly string[] | null | undefined): string[] {
  return [...new Set(texts ?? [])].sort(inOrder);
}

/** A project role, and groups whose members get it. */
interface Mapping {
  readonly roleName: string;
}

interface MappingList<OneMapping extends Mapping> {
  readonly property: Managed;
  /** The property of a mapping that has its groups. */
  readonly groups: string;
  groupsOf(mapping: OneMapping): readonly string[];
  /** The mappings of a response, their groups sorted. */
  shown(response: ProjectResponse): OneMapping[] | undefined;
}

/** Mappings of groups to roles. A mapping without groups is left out of what a response shows. */
function groupMappings<OneMapping extends Mapping>(
  list: MappingList<OneMapping>,
): ManagedProperty<readonly OneMapping[]> {
  const { groupsOf, shown } = list;
  return {
    empty: [],
    absentIsEmpty: true,
    listMayLackIt: true,
    shown: (response) =>
      shown(response)
        ?.filter((mapping) => groupsOf(mapping).length > 0)
        .sort((one, other) => inOrder(one.roleName, other.roleName)),
    same: (one, other) => sameMappings(groupsOf, one, other),
    differences: (recorded, declared) => mappingDifferences(list, recorded, declared),
    isHidden: (sent, live) => sent.length > 0 && live === undefined,
    overwrites: (sent, live) => lostGroups(groupsOf, sent, live),
  };
}

function sameMappings<OneMapping extends Mapping>(
  groupsOf: (mapping: OneMapping) => readonly string[],
  one: readonly OneMapping[],
  other: readonly OneMapping[],
): boolean {
  const groupsByRole = new Map(other.map((mapping) => [mapping.roleName, groupsOf(mapping)]));
  return (
    // A service may show a role twice. Such mappings are never those that a program can declare.
    one.length === other.length &&
    one.length === groupsByRole.size &&
    one.every((mapping) => {
      const groups = groupsByRole.get(mapping.roleName);
      return groups !== undefined && sameSet(groups, groupsOf(mapping));
    })
  );
}

/**
 * A role whose groups changed is shown group by group where it kept its place, and as a whole where
 * it moved.
 */
function mappingDifferences<OneMapping extends Mapping>(
  { property, groups, groupsOf }: MappingList<OneMapping>,
  recorded: readonly OneMapping[],
  declared: readonly OneMapping[],
): Difference[] {
  const path = [property];
  const inPlace = (mapping: OneMapping, index: number) => recorded[index]?.roleName === mapping.roleName;
  const key = (mapping: OneMapping) => JSON.stringify([mapping.roleName, groupsOf(mapping)]);
  const whole = setDifferences(path, recorded, declared, key).filter(({ path: [, index] }) => {
    const mapping = declared[Number(index)];
    return mapping === undefined || !inPlace(mapping, Number(index));
  });
  const within = declared.flatMap((mapping, index) => {
    const old = recorded[index];
    return old && inPlace(mapping, index)
      ? setDifferences([...path, index, groups], groupsOf(old), groupsOf(mapping))
      : [];
  });
  return [...whole, ...within];
}

function lostGroups<OneMapping extends Mapping>(
  groupsOf: (mapping: OneMapping) => readonly string[],
  sent: readonly OneMapping[],
  live: readonly OneMapping[],
): string[] {
  return live.flatMap((mapping) => {
    const { roleName } = mapping;
    const kept = sent.filter((other) => other.roleName === roleName).flatMap(groupsOf);
    const lost = groupsOf(mapping)
      .filter((group) => !kept.includes(group))
      .map((group) => `"${group}"`);
    return lost.length > 0 ? [`${roleName} is no longer mapped to ${lost.join(", ")}`] : [];
  });
}
