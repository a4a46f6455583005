/** Everyone and everything that has access, in what was read. Pure. */
import { inOrder } from "../../provider/resources/contract/values";
import { declarationOfMappings, type OfState } from "../lib/access/declaration";
import { accountsIn, keysIn, reachOfKey, reachOfPeople } from "../lib/access/reach";
import type { OrganizationAccess } from "../lib/access/read";
import type { Found, FoundGroup } from "../lib/access/report";
import { type MappedGroup, mappedGroups } from "../lib/organization";

/** The people, the API keys and the groups of the organizations, each sorted by name. */
export function everything(
  organizations: readonly OrganizationAccess[],
  declared: OfState,
): readonly Found[] {
  const accounts = accountsIn(organizations);
  const keys = keysIn(organizations).map(({ key }) => reachOfKey(key, organizations, declared));
  return [
    ...reachOfPeople(organizations, { accounts, declared, isSought: () => true }),
    ...keys.sort((one, other) => inOrder(one.publicKey, other.publicKey)),
    ...everyGroup(organizations, declared),
  ];
}

/** The groups to which organizations and projects give roles. */
function everyGroup(organizations: readonly OrganizationAccess[], declared: OfState): readonly FoundGroup[] {
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
