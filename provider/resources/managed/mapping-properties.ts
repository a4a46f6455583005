/** Mappings of groups to roles, as they are compared with the service and sent to it. Pure. */

import type {
  GroupMappings,
  IdpGroupMapping,
  LdapGroupMapping,
  ShownMappings,
} from "../../api/group-mappings";
import { NO_IDP_LOGIN } from "../../api/hints";
import { type Difference, setDifferences } from "../contract/difference";
import { inOrder, sameSet } from "../contract/values";
import type { ManagedProperty } from "./properties";

interface Mapping {
  readonly roleName: string;
}

interface MappingList<OneMapping extends Mapping> {
  readonly property: keyof GroupMappings;
  /** The property of a mapping that has its groups. */
  readonly groups: string;
  groupsOf(mapping: OneMapping): readonly string[];
  /** The mappings of a response, their groups sorted. */
  shown(response: ShownMappings): OneMapping[] | undefined;
}

export const managedMappings: {
  readonly [Name in keyof GroupMappings]: ManagedProperty<GroupMappings[Name], ShownMappings>;
} = {
  ldapGroupMappings: managedList<LdapGroupMapping>({
    property: "ldapGroupMappings",
    groups: "ldapGroups",
    groupsOf: ({ ldapGroups }) => ldapGroups,
    shown: ({ ldapGroupMappings }) =>
      ldapGroupMappings?.map(({ roleName, ldapGroups }) => ({ roleName, ldapGroups: asSet(ldapGroups) })),
  }),
  idpGroupMappings: {
    ...managedList<IdpGroupMapping>({
      property: "idpGroupMappings",
      groups: "idpGroups",
      groupsOf: ({ idpGroups }) => idpGroups,
      shown: ({ idpGroupMappings }) =>
        idpGroupMappings?.map(({ roleName, idpGroups }) => ({ roleName, idpGroups: asSet(idpGroups) })),
    }),
    adviceIfDropped: NO_IDP_LOGIN,
  },
};

function asSet(texts: readonly string[] | null | undefined): string[] {
  return [...new Set(texts ?? [])].sort(inOrder);
}

/** A mapping without groups is left out of what a response shows. */
function managedList<OneMapping extends Mapping>(
  list: MappingList<OneMapping>,
): ManagedProperty<readonly OneMapping[], ShownMappings> {
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
