/** The properties of a project that are compared with the service and sent to it: one entry for each. Pure. */
import type { ChangeableFields, ProjectResponse } from "../../api/projects";
import { type Difference, setDifferences } from "../contract/difference";
import { matchesAny } from "../contract/pattern";
import { inOrder, known, sameSet } from "../contract/values";
import type { LdapGroupMappingInput, ProjectInputs } from "./inputs";

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
  ldapGroupMappings: {
    empty: [],
    absentIsEmpty: true,
    listMayLackIt: true,
    shown: ({ ldapGroupMappings }) => (ldapGroupMappings ? toMappings(ldapGroupMappings) : undefined),
    same: sameMappings,
    differences: mappingDifferences,
    isHidden: (sent, shown) => sent.length > 0 && shown === undefined,
    overwrites: lostGroups,
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

/** A mapping without groups is left out. */
function toMappings(mappings: NonNullable<ProjectResponse["ldapGroupMappings"]>): LdapGroupMappingInput[] {
  return mappings
    .flatMap(({ roleName, ldapGroups }) =>
      ldapGroups?.length ? [{ roleName, ldapGroups: [...new Set(ldapGroups)].sort(inOrder) }] : [],
    )
    .sort((one, other) => inOrder(one.roleName, other.roleName));
}

export function sameMappings(
  one: readonly LdapGroupMappingInput[],
  other: readonly LdapGroupMappingInput[],
): boolean {
  const groupsByRole = new Map(other.map(({ roleName, ldapGroups }) => [roleName, ldapGroups]));
  return (
    one.length === groupsByRole.size &&
    one.every(({ roleName, ldapGroups }) => {
      const groups = groupsByRole.get(roleName);
      return groups !== undefined && sameSet(groups, ldapGroups);
    })
  );
}

/**
 * A role whose groups changed is shown group by group where it kept its place, and as a whole where
 * it moved.
 */
function mappingDifferences(
  recorded: readonly LdapGroupMappingInput[],
  declared: readonly LdapGroupMappingInput[],
): Difference[] {
  const path = ["ldapGroupMappings"];
  const inPlace = (mapping: LdapGroupMappingInput, index: number) =>
    recorded[index]?.roleName === mapping.roleName;
  const key = ({ roleName, ldapGroups }: LdapGroupMappingInput) => JSON.stringify([roleName, ldapGroups]);
  const whole = setDifferences(path, recorded, declared, key).filter(({ path: [, index] }) => {
    const mapping = declared[Number(index)];
    return mapping === undefined || !inPlace(mapping, Number(index));
  });
  const within = declared.flatMap((mapping, index) =>
    inPlace(mapping, index)
      ? setDifferences([...path, index, "ldapGroups"], recorded[index]?.ldapGroups ?? [], mapping.ldapGroups)
      : [],
  );
  return [...whole, ...within];
}

function lostGroups(
  sent: readonly LdapGroupMappingInput[],
  live: readonly LdapGroupMappingInput[],
): string[] {
  return live.flatMap(({ roleName, ldapGroups }) => {
    const groups = sent.find((mapping) => mapping.roleName === roleName)?.ldapGroups ?? [];
    const lost = ldapGroups.filter((group) => !groups.includes(group)).map((group) => `"${group}"`);
    return lost.length > 0 ? [`${roleName} is no longer mapped to ${lost.join(", ")}`] : [];
  });
}
