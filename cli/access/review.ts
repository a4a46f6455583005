/** Everyone and everything that has access, in what was read. Pure. */
import { inOrder } from "../../provider/resources/contract/values";
import { declarationOfMappings, type OfState } from "../lib/access/declaration";
import { accountsIn, reachOfKey, reachOfPeople } from "../lib/access/reach";
import type { OrganizationAccess } from "../lib/access/read";
import type { FoundGroup, FoundKey, FoundPerson } from "../lib/access/report";
import { type MappedGroup, mappedGroups } from "../lib/organization";

/** The people of the organizations, each with every way of access, sorted by name. */
export function everyone(
  organizations: readonly OrganizationAccess[],
  declared: OfState,
): readonly FoundPerson[] {
  const accounts = accountsIn(organizations);
  return reachOfPeople(organizations, { accounts, declared, isSought: () => true });
}

/** The API keys of the organizations and their projects, with every role that a list shows. */
export function everyKey(
  organizations: readonly OrganizationAccess[],
  declared: OfState,
): readonly FoundKey[] {
  const listed = organizations.flatMap(({ keys = [], projects }) => [
    ...projects.flatMap((project) => project.keys ?? []),
    ...keys,
  ]);
  const byId = new Map(listed.map((key) => [key.keyId, key]));
  return [...byId.values()]
    .map((key) => reachOfKey(key, organizations, declared))
    .sort((one, other) => inOrder(one.publicKey, other.publicKey));
}

/** The groups to which organizations and projects give roles. */
export function everyGroup(
  organizations: readonly OrganizationAccess[],
  declared: OfState,
): readonly FoundGroup[] {
  const entries = organizations.flatMap(({ orgId, orgName, groups, projects }) => [
    ...groups.map((group) => {
      const declaration = declarationOfMappings(declared, orgId, group.property);
      const place = { in: "organization", orgId, orgName } as const;
      return { group, entry: { ...place, status: "active", roles: group.roles, ...declaration } as const };
    }),
    ...projects.flatMap((project) => {
      const { projectId, name: projectName } = project;
      const place = { in: "project", orgId, orgName, projectId, projectName } as const;
      return mappedGroups(project).map((group) => {
        const declaration = declarationOfMappings(declared, projectId, group.property);
        return { group, entry: { ...place, status: "active", roles: group.roles, ...declaration } as const };
      });
    }),
  ]);
  const keyOf = ({ property, name }: MappedGroup) => JSON.stringify([name, property]);
  return [...Map.groupBy(entries, ({ group }) => keyOf(group)).values()]
    .flatMap((same) => {
      const [first] = same;
      if (first === undefined) return [];
      const { name, property } = first.group;
      return [{ kind: "group", name, property, access: same.map(({ entry }) => entry) } as const];
    })
    .sort((one, other) => inOrder(one.name, other.name));
}
