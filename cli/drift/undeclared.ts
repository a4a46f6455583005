/**
 * Finds who and what has access to a managed project or team although no resource declares it. These
 * are differences, where other unmanaged objects are only listed. Pure.
 *
 * A list of all people of a project declares its people and teams. Of everything else, only a right to
 * own the project counts, for each kind of holder: see `provider/access/rights.ts`.
 */

import { foldName, type Identity, sameName } from "../../provider/access/person";
import { canOwn, owningRoles, ownsFromAbove, unknownRights } from "../../provider/access/rights";
import type { TeamName } from "../../provider/api/teams";
import { matchesAny } from "../../provider/resources/contract/pattern";
import type { RecordedPerson } from "../../provider/resources/contract/people-outputs";
import { pathText } from "../../provider/resources/contract/property-path";
import { inOrder } from "../../provider/resources/contract/values";
import { shortList } from "../../provider/text/list";
import { joinId, splitId } from "../../provider/text/object-id";
import {
  type Declarations,
  type OwnedResource,
  type PeopleDeclarer,
  peopleAmong,
} from "../lib/access/declared";
import type { LiveKey, LivePerson, LiveTeam, MappedGroup } from "../lib/organization";
import { logicalName, type MappingProperty } from "../lib/own-resources";
import { counted } from "../lib/terminal";
import { SECRET } from "../lib/value-differences";
import { noOneOwnsAbove, type OwnsAbove } from "./owners-above";
import type { Finding, Undetermined } from "./report/model";

/** What the program and the states declare. */
export interface Declared {
  readonly owners: Declarations;
  /** What the program declares and no stack has yet. */
  readonly planned: Declarations;
  readonly comparison: Finding["comparison"];
}

/** A person of a project or team, as a resource has read them. */
type PresentPerson = Identity & Pick<RecordedPerson, "username" | "status" | "roles">;

/** A person of a project, as a list of the service or the last read of a resource shows them. */
export type PersonInProject = Omit<PresentPerson, "status"> & {
  readonly status?: LivePerson["status"] | undefined;
} & Offered;

/** Roles that a holder gets by accepting invitations. */
interface Offered {
  readonly invitations?: readonly { readonly roles: readonly string[] }[];
}

function rolesOf({ roles, ...offered }: Offered & { readonly roles: readonly string[] }): string[] {
  return [...new Set([...roles, ...offeredTo(offered)])];
}

function offeredTo({ invitations = [] }: Offered): string[] {
  return [...new Set(invitations.flatMap(({ roles }) => roles))];
}

/** A project, and what has access to it. A list that was not read is absent. */
export interface ProjectContent<Person> {
  readonly id: string;
  readonly name: string;
  readonly orgId?: string | undefined;
  readonly people?: readonly Person[] | undefined;
  readonly teams?: readonly LiveTeam[] | undefined;
  readonly keys?: readonly LiveKey[] | undefined;
  readonly groups?: readonly MappedGroup[] | undefined;
}

/** The differences in one project. */
interface UndeclaredIn<Person> {
  readonly people: ReadonlyMap<Person, Finding>;
  readonly teams: ReadonlyMap<LiveTeam, Finding>;
  readonly keys: ReadonlyMap<LiveKey, Finding>;
  readonly groups: ReadonlyMap<MappedGroup, Finding>;
  /** Roles of undeclared holders of which this version does not know whether they own the project. */
  readonly undetermined: readonly Undetermined[];
}

export function findingsIn<Person>({ people, teams, keys, groups }: UndeclaredIn<Person>): Finding[] {
  return [...people.values(), ...teams.values(), ...keys.values(), ...groups.values()];
}

interface Excepted {
  readonly ownsAbove: OwnsAbove;
  /** Public keys of the given stacks. */
  readonly ownKeys: ReadonlySet<string>;
}

/**
 * Who and what a project has that is a difference, if its people are declared.
 *
 * @param project people who have access only through a team or the organization do not count
 */
export function undeclaredIn<Person extends PersonInProject>(
  { owners, planned, comparison }: Declared,
  project: ProjectContent<Person>,
  { ownsAbove, ownKeys }: Excepted,
): UndeclaredIn<Person> {
  const { id, orgId, people = [], teams = [], keys = [], groups = [] } = project;
  const declarer = owners.declarerOf(id);
  if (declarer === undefined)
    return { people: new Map(), teams: new Map(), keys: new Map(), groups: new Map(), undetermined: [] };
  const both = [owners, planned];
  const declaresAll = declarer.exceptFor !== undefined;
  const appointed = owners.appointedOwnerOf(id);
  const declaredPeople = both.map((each) => each.among(id, people));
  const findingOf = finder(declarer, comparison, project);
  const doubtful: { readonly role: string; readonly holder: string | undefined }[] = [];
  const differences = <Holder extends Offered & { readonly roles: readonly string[] }>(
    undeclared: readonly Holder[],
    isListed: boolean,
    nameOf: (holder: Holder) => string | undefined,
    toFinding: (holder: Holder, live: string[]) => Finding,
  ): Map<Holder, Finding> => {
    const isDifference = (holder: Holder) => isListed || canOwn(rolesOf(holder));
    for (const holder of undeclared.filter((each) => !isDifference(each)))
      doubtful.push(...unknownRights(rolesOf(holder)).map((role) => ({ role, holder: nameOf(holder) })));
    return new Map(
      undeclared
        .filter(isDifference)
        .map((holder) => [holder, toFinding(holder, rolesOf(holder).sort(inOrder))]),
    );
  };
  const isCompared = (person: Person) =>
    !declarer.peopleAreSecret && person.status !== "indirect" && !ownsAbove(person);
  const isDeclared = (person: Person) => declaredPeople.some((set) => set.has(person));
  const isUndeclaredPerson = (person: Person) =>
    isCompared(person) && !isDeclared(person) && !(declaresAll && isExcepted(declarer, person));
  const declaredOwners = peopleAmong(
    people,
    both.flatMap((each) => each.ownersOf(id)),
  );
  /** An invitation would give a declared person a right to own the project that the program does not give. */
  const isOfferedOwnership = (person: Person) =>
    isCompared(person) && isDeclared(person) && !declaredOwners.has(person) && !canOwn(person.roles);
  const isUndeclaredTeam = ({ teamId, name = teamId }: LiveTeam) =>
    !both.some((each) => each.declares(id, { kind: "team", teamId, teamName: name }));
  const isUndeclaredKey = (key: LiveKey) =>
    !ownKeys.has(key.publicKey) &&
    !both.some((each) => each.declares(id, { ...key, kind: "API key" })) &&
    !ownsFromAbove(key.rolesAbove ?? [], orgId);
  const isUndeclaredGroup = ({ property }: MappedGroup) =>
    !both.some((each) => each.declaringMappings(id, property).length > 0);
  const toPerson = (person: Person, live: string[]): Finding => {
    const { username: name, status, userId } = person;
    const object = {
      what: "person",
      name,
      ...(status !== "indirect" && { status }),
      ...listedAccount(declarer, name),
    } as const;
    const isAppointed = appointed !== undefined && userId === appointed;
    return { ...findingOf(["members", name], object, live), ...(isAppointed && { cause: "unknown" }) };
  };
  const toInvited = (person: Person) =>
    toPerson({ ...person, status: "pending" }, offeredTo(person).sort(inOrder));
  const found = {
    people: new Map([
      ...differences(people.filter(isUndeclaredPerson), declaresAll, unnamed, toPerson),
      ...differences(people.filter(isOfferedOwnership), false, unnamed, toInvited),
    ]),
    teams: differences(teams.filter(isUndeclaredTeam), declaresAll, teamText, (team, live) => {
      const { teamId, name = teamId } = team;
      return findingOf(["teams", name], { what: "team", name, id: teamId }, live);
    }),
    keys: differences(keys.filter(isUndeclaredKey), false, keyText, ({ publicKey: name }, live) =>
      findingOf(["apiKeys", name], { what: "key", name }, live),
    ),
    groups: differences(groups.filter(isUndeclaredGroup), false, groupText, ({ property, name }, live) =>
      findingOf([property, name], { what: "group", name }, live),
    ),
  };
  return { ...found, undetermined: unknownRoles(doubtful, project, declarer) };
}

// How a reason names a holder of a role that is not known. The names of people are left out: they are
// masked only where a report has them as such.
const unnamed = () => undefined;
const teamText = ({ teamId, name = teamId }: LiveTeam) => `team ${name}`;
const keyText = ({ publicKey }: LiveKey) => `API key ${publicKey}`;
const groupText = ({ name }: MappedGroup) => `group ${name}`;

function unknownRoles(
  holders: readonly { readonly role: string; readonly holder: string | undefined }[],
  { id, name }: Pick<ProjectContent<unknown>, "id" | "name">,
  { resource: { stack } }: PeopleDeclarer,
): Undetermined[] {
  const project = name === id ? id : `${name} (${id})`;
  return [...Map.groupBy(holders, ({ role }) => role)].map(([role, same]) => {
    const named = same.flatMap(({ holder }) => holder ?? []);
    const people = same.length - named.length;
    const who = [...named, ...(people > 0 ? [counted(people, "person", "people")] : [])];
    return {
      what: `role ${role} in project ${project}`,
      reason: `This version does not know whether ${role} owns the project or makes owners. Not declared, and holding it: ${shortList(who, MOST_HOLDERS_NAMED)}. Declare them, or accept the role with an ignore rule of the kind unreadable.`,
      stack,
    };
  });
}

const MOST_HOLDERS_NAMED = 5;

// Access through a team.

/**
 * A team, and the projects whose people are declared and that it can own, or may own by a role that this
 * version does not know.
 */
export interface OwningTeam {
  readonly orgId: string;
  readonly team: TeamName;
  /** Whether a Team declares its people. */
  readonly isDeclared: boolean;
  readonly projects: readonly ProjectOfTeam[];
}

interface ProjectOfTeam {
  readonly id: string;
  readonly name: string;
  readonly declarer: PeopleDeclarer;
  /** Roles of the team there. */
  readonly roles: readonly string[];
  /** All teams of the project. */
  readonly teams: readonly LiveTeam[];
}

export interface PersonOfTeam {
  /** `undefined` for who is invited and may have no account. */
  readonly userId: string | undefined;
  readonly username: string;
  /** Whoever joins the team by accepting an invitation. */
  readonly status?: "pending";
}

/** @param projects of one organization */
export function owningTeams(
  { owners, planned }: Declared,
  orgId: string,
  projects: readonly Pick<ProjectContent<unknown>, "id" | "name" | "teams">[],
): OwningTeam[] {
  const all = projects.flatMap(({ id, name: projectName, teams = [] }) => {
    const declarer = owners.declarerOf(id);
    if (declarer === undefined) return [];
    return teams
      .filter(
        ({ teamId, roles }) =>
          // The role of a team that is itself undeclared is reported with the team.
          canOwn(roles) || (unknownRights(roles).length > 0 && owners.declares(id, { kind: "team", teamId })),
      )
      .map(({ teamId, name, roles }) => ({
        team: { teamId, teamName: name ?? teamId },
        project: { id, name: projectName, declarer, roles, teams },
      }));
  });
  return [...Map.groupBy(all, ({ team }) => team.teamId).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const isDeclared = isDeclaredTeam({ owners, planned }, orgId, first.team);
    return [{ orgId, team: first.team, isDeclared, projects: same.map(({ project }) => project) }];
  });
}

/** Whether a Team of the stacks or of the program declares the people of a team. */
export function isDeclaredTeam(
  { owners, planned }: Pick<Declared, "owners" | "planned">,
  orgId: string,
  { teamId, teamName }: TeamName,
): boolean {
  return owners.declaresTeam(orgId, [teamId]) || planned.declaresTeam(orgId, [teamId, teamName]);
}

/**
 * The people of a team who can own a project through it, although no resource declares them there
 * with a right to own it. A person is one difference, in however many projects.
 */
export function undeclaredOwnersOf<Person extends PersonOfTeam>(
  declared: Declared,
  owning: OwningTeam,
  people: readonly Person[],
  ownsAbove: OwnsAbove,
): { readonly people: Map<Person, Finding>; readonly undetermined: Undetermined[] } {
  const { orgId, team, projects } = owning;
  const isSecret = ({ declarer }: ProjectOfTeam) => declarer.peopleAreSecret;
  const compared = projects
    .filter((project) => !isSecret(project))
    .map((project) => ({ ...project, owners: ownersDeclaredIn(declared, orgId, project, people) }));
  const others = people.filter((person) => !ownsAbove(person));
  const gains = (person: Person, { owners, declarer }: (typeof compared)[number]) =>
    !owners.has(person) && !isExcepted(declarer, person);
  const found = others.flatMap((person): [Person, Finding][] => {
    const owned = compared.filter((project) => canOwn(project.roles) && gains(person, project));
    const finding = ownedThroughTeam(declared, { ...owning, projects: owned }, person);
    return finding === undefined ? [] : [[person, finding]];
  });
  const doubtful = compared
    .filter(({ roles }) => !canOwn(roles))
    .flatMap((project) => {
      const count = others.filter((person) => gains(person, project)).length;
      const holder = `${counted(count, "person", "people")} of team ${team.teamName}`;
      const roles = count === 0 ? [] : unknownRights(project.roles);
      return unknownRoles(
        roles.map((role) => ({ role, holder })),
        project,
        project.declarer,
      );
    });
  const [secret] = projects.filter(isSecret);
  const reason = `The program keeps the members of project ${secret?.name} secret, so the state does not show who of the team may own it.`;
  const isUnknown = secret !== undefined && others.length > 0;
  return {
    people: new Map(found),
    undetermined: [
      ...doubtful,
      ...(isUnknown ? [{ what: peopleOfTeam(team), reason, stack: secret.declarer.resource.stack }] : []),
    ],
  };
}

/** How messages name the people of a team: `people of team operators (5f…)` */
export function peopleOfTeam({ teamId, teamName }: TeamName): string {
  return `people of team ${teamName} (${teamId})`;
}

/** Those whom a resource declares as owners of the project, also through a team that a Team declares. */
function ownersDeclaredIn<Person extends PersonOfTeam>(
  { owners, planned }: Declared,
  orgId: string,
  { id, teams }: ProjectOfTeam,
  people: readonly Person[],
): ReadonlySet<Person> {
  const identities = [owners, planned].flatMap((each) => [
    ...each.ownersOf(id),
    ...teams
      .filter(({ roles }) => canOwn(roles))
      .flatMap(({ teamId, name = teamId }) => [teamId, name])
      .flatMap((team) => each.peopleIn(joinId(orgId, team))),
  ]);
  return peopleAmong(people, identities);
}

/** @param team the projects of the difference; none is no difference */
function ownedThroughTeam(
  { comparison }: Declared,
  { orgId, team: { teamId, teamName }, projects }: OwningTeam,
  { username, status }: PersonOfTeam,
): Finding | undefined {
  // The oldest project has the lowest ID, so a later one does not make it another difference.
  const [first] = [...projects].sort((one, other) => inOrder(one.id, other.id));
  if (first === undefined) return undefined;
  const roles = [...new Set(projects.flatMap((project) => owningRoles(project.roles)))].sort(inOrder);
  return {
    ...subjectOf(first.declarer.resource, comparison),
    property: pathText(["teams", teamName, username]),
    live: roles,
    object: {
      what: "person",
      name: username,
      ...(status && { status }),
      in: "team",
      containerId: teamId,
      containerName: teamName,
      orgId,
      projects: projects.map(({ id: projectId, name: projectName }) => ({ projectId, projectName })),
    },
  };
}

/** The people of a team whom its Team does not declare. */
export function undeclaredInTeam<Person extends Omit<PresentPerson, "roles">>(
  { owners, comparison }: Declared,
  orgId: string,
  { teamId, teamName }: TeamName,
  people: readonly Person[],
): Map<Person, Finding> {
  const owner = joinId(orgId, teamId);
  const declarer = owners.declarerOf(owner);
  if (declarer === undefined || declarer.peopleAreSecret) return new Map();
  const owned = owners.among(owner, people);
  const others = people.filter((person) => !owned.has(person) && !isExcepted(declarer, person));
  return new Map(
    others.map((person) => {
      const { username: name, status } = person;
      const finding: Finding = {
        ...subjectOf(declarer.resource, comparison),
        property: pathText(["usernames", name]),
        live: name,
        object: {
          what: "person",
          name,
          ...(status && { status }),
          ...listedAccount(declarer, name),
          in: "team",
          containerId: teamId,
          containerName: teamName,
        },
      };
      return [person, finding];
    }),
  );
}

/** The account that a list means by the name of an undeclared person: it was renamed, and this person has its former name. */
function listedAccount({ present }: PeopleDeclarer, name: string) {
  const meant = present.find((person) => person.declared && sameName(person.declaredAs, name));
  return meant !== undefined && { listedAccount: meant.username };
}

function isExcepted(declarer: PeopleDeclarer, person: { readonly username: string }): boolean {
  return declarer.ignoresChanges || isIgnoredUser(declarer, person);
}

/**
 * Whether `ignoreUsers` of the resource that declares the people of the project matches a person.
 */
export function isIgnoredUser(
  { exceptFor = [] }: Pick<PeopleDeclarer, "exceptFor">,
  { username }: { readonly username: string },
): boolean {
  return matchesAny(exceptFor.map(foldName), foldName(username));
}

/** Makes the findings about one project. */
function finder(
  { resource }: PeopleDeclarer,
  comparison: Finding["comparison"],
  { id: containerId, name: containerName }: Pick<ProjectContent<unknown>, "id" | "name">,
) {
  return (
    path: readonly [property: "members" | "teams" | "apiKeys" | MappingProperty, name: string],
    object: Pick<NonNullable<Finding["object"]>, "what" | "name" | "status" | "listedAccount" | "id">,
    live: unknown,
  ): Finding => ({
    ...subjectOf(resource, comparison),
    property: pathText(path),
    live,
    object: { ...object, in: "project", containerId, containerName },
  });
}

function subjectOf({ stack = "", urn = "", type, id }: OwnedResource, comparison: Finding["comparison"]) {
  const name = logicalName(urn);
  const facts = { stack, urn, type, name, ...(id !== undefined && { id }), comparison };
  return { ...facts, cause: "outside", kind: "undeclared" } as const;
}

/**
 * The people whom the last reads of the resources found, without any request. If the program keeps
 * the declared people secret, only the provider has compared them.
 */
export function undeclaredInReads(
  declared: Declared,
  compared: ReadonlySet<string>,
): {
  readonly findings: Finding[];
  readonly undetermined: Undetermined[];
} {
  const { owners, comparison } = declared;
  const findings: Finding[] = [];
  const undetermined: Undetermined[] = [];
  for (const declarer of owners.declarers()) {
    const { resource, owner, exceptFor, present, peopleAreSecret } = declarer;
    const { urn = "", stack, hasUndeclared, isRead } = resource;
    if (exceptFor === undefined || !isRead || compared.has(owner)) continue;
    const team = owners.teamOf(owner);
    const { name = owner } = owners.factsOf(owner);
    if (!peopleAreSecret) {
      const found =
        team === undefined
          ? undeclaredIn(declared, { id: owner, name, people: present }, NOTHING_EXCEPTED).people
          : undeclaredInTeam(declared, splitId(owner).placeId, team, present);
      findings.push(...found.values());
    } else if (hasUndeclared) {
      // With removeUnlisted, only those stay who have the name of a listed one.
      const namesake = resource.inputs?.removeUnlisted === true && {
        object: {
          ...({
            what: "person",
            name: SECRET,
            listedAccount: SECRET,
            in: team ? "team" : "project",
          } as const),
          ...{ containerId: team?.teamId ?? owner, containerName: team?.teamName ?? name },
        },
      };
      findings.push({
        ...subjectOf(resource, comparison),
        property: team ? "usernames" : "members",
        live: SECRET,
        ...namesake,
      });
    } else if (hasUndeclared === undefined) {
      undetermined.push({ what: urn, reason: SECRET_PEOPLE, stack });
    }
  }
  return { findings, undetermined };
}

const NOTHING_EXCEPTED: Excepted = { ownsAbove: noOneOwnsAbove, ownKeys: new Set() };

const SECRET_PEOPLE =
  "The program keeps the declared people secret, so the state does not show who is not declared. Compare with the program.";

/**
 * All findings once: with `removeUnlisted`, the comparison with the program has reported a person
 * as added.
 */
export function withUndeclared(findings: readonly Finding[], undeclared: readonly Finding[]): Finding[] {
  const others = findings.flatMap((finding) => {
    const same = undeclared.filter(({ urn, stack }) => urn === finding.urn && stack === finding.stack);
    if (finding.property === "usernames") return withoutPeople(finding, same);
    const isReported = same.some(({ property }) => property === finding.property);
    return finding.kind === "added" && isReported ? [] : [finding];
  });
  const byResource = (finding: Finding) => JSON.stringify([finding.stack, finding.urn]);
  // The findings of a resource stay together.
  return [...Map.groupBy([...others, ...undeclared], byResource).values()].flat();
}

/** The finding about a set of usernames without the people of other findings. */
function withoutPeople(finding: Finding, undeclared: readonly Finding[]): Finding[] {
  const { kind, live, ...facts } = finding;
  if (!Array.isArray(live)) return [finding];
  const names = new Set(undeclared.map(({ object }) => object?.name));
  const rest = live.filter((name: unknown) => typeof name !== "string" || !names.has(name));
  if (rest.length > 0) return [{ ...facts, kind, live: rest }];
  return kind === "added" ? [] : [{ ...facts, kind: "removed" }];
}
