/** Everyone and everything that has access, in what was read. Pure. */
import { foldName } from "../../provider/access/person";
import { inOrder } from "../../provider/resources/contract/values";
import { declarationOfMappings, type OfState } from "../lib/access/declaration";
import { accountsNamed, reachOfKey, reachOfPerson } from "../lib/access/reach";
import type { OrganizationAccess } from "../lib/access/read";
import type { FoundGroup, FoundKey, FoundPerson } from "../lib/access/report";
import { type MappedGroup, mappedGroups } from "../lib/organization";
import type { ProjectAccess } from "../lib/project-access";

/** The people of the organizations, each with every way of access, sorted by name. */
export function everyone(
  organizations: readonly OrganizationAccess[],
  declared: OfState,
): readonly FoundPerson[] {
  const parts = organizations.map(partsByName);
  const names = [...new Set(parts.flatMap((byName) => [...byName.keys()]))].sort(inOrder);
  return names.flatMap((name) => {
    const own = parts.flatMap((byName) => byName.get(name) ?? []);
    return reachOfPerson(own, { name, accounts: accountsNamed(name, own), declared }) ?? [];
  });
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

type Part = Omit<OrganizationAccess, "keys" | "groups">;

/**
 * What an organization has of each person, by the name without the difference of upper and lower case. So a report
 * on everyone reads each list once, however many people there are.
 */
function partsByName(organization: OrganizationAccess): ReadonlyMap<string, OrganizationAccess> {
  const { people = [], invitations = [], teams, projects } = organization;
  const parts = new Map<string, { -readonly [Key in keyof Part]: Part[Key] }>();
  const partOf = (username: string) => {
    const name = foldName(username);
    const { orgId, orgName } = organization;
    const part = parts.get(name) ?? { orgId, orgName, people: [], invitations: [], teams: [], projects: [] };
    parts.set(name, part);
    return part;
  };
  for (const person of people)
    partOf(person.username).people = [...(partOf(person.username).people ?? []), person];
  for (const invitation of invitations) {
    const part = partOf(invitation.username);
    part.invitations = [...(part.invitations ?? []), invitation];
  }
  const namesIn = new Map<string, readonly string[]>();
  for (const team of teams) {
    // An account names its teams, also those whose people the API key cannot see, and an invitation those that follow.
    const members = [
      ...(team.people ?? []),
      ...[...people, ...invitations].filter(({ teamIds }) => teamIds?.includes(team.teamId)),
    ];
    const names = [...new Set(members.map(({ username }) => foldName(username)))];
    namesIn.set(team.teamId, names);
    for (const name of names) {
      const own = team.people?.filter(({ username }) => foldName(username) === name);
      partOf(name).teams = [...partOf(name).teams, { ...team, people: own }];
    }
  }
  for (const project of projects) {
    for (const [name, own] of projectsByName(project, people, namesIn))
      partOf(name).projects = [...partOf(name).projects, own];
  }
  return new Map([...parts].map(([name, part]) => [name, { ...part, keys: [], groups: [] }]));
}

/** What a project has of each person: the entries of the list, and the teams of the person. */
function projectsByName(
  project: ProjectAccess,
  accounts: NonNullable<OrganizationAccess["people"]>,
  namesIn: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, ProjectAccess> {
  const { people, teams = [], projectId } = project;
  const direct =
    people ?? accounts.filter(({ roles }) => roles?.some(({ groupId }) => groupId === projectId));
  const names = new Set([
    ...direct.map(({ username }) => foldName(username)),
    ...teams.flatMap(({ teamId }) => namesIn.get(teamId) ?? []),
  ]);
  const byName = people && Map.groupBy(people, ({ username }) => foldName(username));
  return new Map(
    [...names].map((name) => {
      const own = teams.filter(({ teamId }) => namesIn.get(teamId)?.includes(name));
      return [name, { ...project, people: byName && (byName.get(name) ?? []), teams: own, keys: [] }];
    }),
  );
}
