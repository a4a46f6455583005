/**
 * Finds the people and teams that a managed project or team has and no resource declares. These
 * are differences, where other unmanaged objects are only listed.
 */

import type { TeamName } from "../../provider/api/teams";
import { matchesAny } from "../../provider/resources/contract/pattern";
import { pathText } from "../../provider/resources/contract/property-path";
import { inOrder } from "../../provider/resources/contract/values";
import { foldName, OWNER_ROLE } from "../../provider/resources/people/person";
import { joinId, splitId } from "../../provider/text/object-id";
import type { LiveKey, LivePerson, LiveTeam } from "../organization";
import { logicalName, type PresentPerson } from "../own-resources";
import { SECRET } from "../value-differences";
import type { OwnedResource, ownership, PeopleDeclarer } from "./ownership";
import type { Finding, Undetermined } from "./report";

type Owners = ReturnType<typeof ownership>;

/** What the program and the states declare. */
export interface Declared {
  readonly owners: Owners;
  /** What the program declares and no stack has yet. */
  readonly planned: Owners;
  readonly comparison: Finding["comparison"];
}

interface Container {
  readonly id: string;
  readonly name: string;
}

type PersonInProject = Omit<PresentPerson, "status"> & { readonly status?: LivePerson["status"] };

/**
 * The people of a project who are a difference: everyone whom a ProjectMembers does not declare.
 * Beside a ProjectMember, only owners.
 *
 * @param people those who have access only through a team or the organization do not count
 */
export function undeclaredPeople<Person extends PersonInProject>(
  { owners, planned, comparison }: Declared,
  project: Container,
  people: readonly Person[],
): Map<Person, Finding> {
  const declarer = owners.declarerOf(project.id);
  if (declarer === undefined || declarer.peopleAreSecret) return new Map();
  const owned = [owners, planned].map((each) => each.peopleOwned(project.id, people));
  const counts = (person: Person) =>
    person.status !== "indirect" &&
    !owned.some((set) => set.has(person)) &&
    (declarer.exceptFor === undefined ? person.roles.includes(OWNER_ROLE) : !isExcepted(declarer, person));
  return new Map(
    people.filter(counts).map((person) => {
      const { username: name, status } = person;
      const object = {
        what: "person",
        name,
        ...(status !== "indirect" && { status }),
        in: "project",
      } as const;
      const live = [...person.roles].sort(inOrder);
      return [person, findingOf(declarer, comparison, "members", object, project, live)];
    }),
  );
}

/** The teams in a project that are a difference, by the same rules as people. */
export function undeclaredTeams(
  { owners, planned, comparison }: Declared,
  project: Container,
  teams: readonly LiveTeam[],
): Map<LiveTeam, Finding> {
  const declarer = owners.declarerOf(project.id);
  if (declarer === undefined) return new Map();
  const counts = ({ teamId, name, roles }: LiveTeam) =>
    !owners.ownsTeam(project.id, teamId) &&
    ![teamId, name ?? teamId].some((each) => planned.ownsTeam(project.id, each)) &&
    (declarer.exceptFor !== undefined || roles.includes(OWNER_ROLE));
  return new Map(
    teams.filter(counts).map((team) => {
      const { teamId: id, name = id } = team;
      const object = { what: "team", name, id, in: "project" } as const;
      return [team, findingOf(declarer, comparison, "teams", object, project, [...team.roles])];
    }),
  );
}

/**
 * The API keys with GROUP_OWNER in a project that are a difference, if the project's people are
 * declared. Other keys are unmanaged: programs of many kinds have keys.
 *
 * @param ownKeys public keys of the given stacks
 */
export function undeclaredKeys(
  { owners, planned, comparison }: Declared,
  project: Container,
  keys: readonly LiveKey[],
  ownKeys: ReadonlySet<string>,
): Map<LiveKey, Finding> {
  const declarer = owners.declarerOf(project.id);
  if (declarer === undefined) return new Map();
  const counts = (key: LiveKey) =>
    key.roles.includes(OWNER_ROLE) &&
    !ownKeys.has(key.publicKey) &&
    ![owners, planned].some((each) => each.ownsKey(project.id, key));
  return new Map(
    keys.filter(counts).map((key) => {
      const object = { what: "key", name: key.publicKey, in: "project" } as const;
      return [key, findingOf(declarer, comparison, "apiKeys", object, project, [...key.roles])];
    }),
  );
}

/** The people of a team whom its Team does not declare. */
export function undeclaredInTeam<Person extends Omit<PresentPerson, "status" | "roles">>(
  { owners, comparison }: Declared,
  orgId: string,
  { teamId, teamName }: TeamName,
  people: readonly Person[],
): Map<Person, Finding> {
  const owner = joinId(orgId, teamId);
  const declarer = owners.declarerOf(owner);
  if (declarer === undefined || declarer.peopleAreSecret) return new Map();
  const owned = owners.peopleOwned(owner, people);
  const others = people.filter((person) => !owned.has(person) && !isExcepted(declarer, person));
  return new Map(
    others.map((person) => {
      const object = { what: "person", name: person.username, in: "team" } as const;
      const team = { id: teamId, name: teamName };
      return [person, findingOf(declarer, comparison, "usernames", object, team, person.username)];
    }),
  );
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

function findingOf(
  { resource }: PeopleDeclarer,
  comparison: Finding["comparison"],
  property: "members" | "teams" | "apiKeys" | "usernames",
  object: Omit<NonNullable<Finding["object"]>, "containerId" | "containerName">,
  container: Container,
  live: unknown,
): Finding {
  return {
    ...subjectOf(resource, comparison),
    property: pathText([property, object.name]),
    live,
    object: { ...object, containerId: container.id, containerName: container.name },
  };
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
          ? undeclaredPeople(declared, { id: owner, name }, present)
          : undeclaredInTeam(declared, splitId(owner).ownerId, team, present);
      findings.push(...found.values());
    } else if (hasUndeclared) {
      findings.push({
        ...subjectOf(resource, comparison),
        property: team ? "usernames" : "members",
        live: SECRET,
      });
    } else if (hasUndeclared === undefined) {
      undetermined.push({ what: urn, reason: SECRET_PEOPLE, stack });
    }
  }
  return { findings, undetermined };
}

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
