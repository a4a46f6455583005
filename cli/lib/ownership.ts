/** What the resources of a state own, with either provider. Pure. */

import { type Identity, sameName } from "../../provider/access/person";
import { canOwn } from "../../provider/access/rights";
import type { TeamName } from "../../provider/api/teams";
import { knownTexts } from "../../provider/resources/contract/canonical";
import { ignoresPart } from "../../provider/resources/contract/property-path";
import { inOrder } from "../../provider/resources/contract/values";
import { joinId, splitId } from "../../provider/text/object-id";
import { IGNORE_CHANGES } from "../../provider/text/sentinels";
import type { LivePerson } from "./organization";
import {
  declaredAccess,
  kindOf,
  type MappingProperty,
  type PresentPerson,
  treatmentOf,
} from "./own-resources";
import type { StateResource } from "./stack-export";

/** A resource as `pulumi stack export` writes it. */
export interface OwnedResource
  extends Pick<
    StateResource,
    "type" | "id" | "inputs" | "outputs" | "delete" | "external" | "ignoreChanges"
  > {
  readonly urn?: string;
  readonly stack?: string;
  /** The outputs of the state, where `outputs` are those of a read. */
  readonly recorded?: StateResource["outputs"];
  /** The last read of the object has succeeded. */
  readonly isRead?: boolean;
  /** Whether the provider found undeclared people; `undefined` if it did not compare them. */
  readonly hasUndeclared?: boolean | undefined;
}

/** A resource that declares people: all of a project or team, or one of a project. */
export interface PeopleDeclarer {
  readonly resource: OwnedResource;
  /** A project, or `<organization id>/<team id>`. */
  readonly owner: string;
  /** Patterns of people who are excepted; `undefined` if it declares one person. */
  readonly exceptFor: readonly string[] | undefined;
  /** The program ignores changes of the list of people. */
  readonly ignoresChanges: boolean;
  readonly peopleAreSecret: boolean;
  /** Everyone whom its last read found. */
  readonly present: readonly PresentPerson[];
}

export function ownership(resources: readonly OwnedResource[]) {
  /** Organizations of owned objects, as recorded. */
  const orgIds = new Set<string>();
  const projects = new Set<string>();
  /** Declared group mappings, as `<project id>/<property>`. */
  const mappings = new Set<string>();
  /**
   * Projects and teams (`<organization id>/<team id>`) whose resource keeps its people secret, so
   * the state does not show which people it declares.
   */
  const withSecretPeople = new Set<string>();
  /** Declared teams in projects, as `<project id>/<team id>`. */
  const teams = new Set<string>();
  /**
   * Declared API keys in projects and organizations, as `<project id>/<key id>` or `<project
   * id>/<public key>`, or with the id of an organization.
   */
  const keys = new Set<string>();
  /** Declared teams of organizations, by `<organization id>/<team id>`. */
  const teamsOfOrganizations = new Map<string, TeamName>();
  /** Declared people by project, by organization, or by `<organization id>/<team id>`. */
  const declared = new Map<string, Identity[]>();
  const declarers = new Map<string, PeopleDeclarer>();
  const projectFacts = new Map<string, { readonly name?: string; readonly orgId?: string }>();
  /** The account that the creation of a project made its owner. */
  const appointedOwners = new Map<string, string>();
  const counted = resources.filter(
    ({ type, id = "", delete: isReplaced, external }) =>
      kindOf(type) !== undefined && !isReplaced && !external && id !== "",
  );
  let declaredOwners: ReadonlyMap<string, readonly Identity[]> | undefined;
  for (const resource of counted) {
    const { type, id = "", inputs = {}, outputs = {} } = resource;
    if (typeof outputs.orgId === "string") orgIds.add(outputs.orgId.toLowerCase());
    const { placeId: projectId } = splitId(id);
    const {
      project,
      mappings: ownMappings = [],
      team,
      people = [],
      peopleOfOrganization = [],
      peopleAreSecret,
      teams: own = [],
      keys: ownKeys = [],
      exceptFor,
      present = [],
      projectName,
      appointedOwner,
    } = treatmentOf(type)?.owned(id, inputs, outputs) ?? {};
    if (project) projects.add(projectId);
    if (appointedOwner !== undefined) appointedOwners.set(projectId, appointedOwner);
    for (const property of ownMappings) mappings.add(`${projectId}/${property}`);
    for (const teamId of own) teams.add(`${projectId}/${teamId.toLowerCase()}`);
    for (const key of ownKeys) keys.add(`${projectId}/${key}`);
    // The id of a Team begins with its organization, where other ids have their project.
    const owner = team ? joinId(projectId, team.teamId.toLowerCase()) : projectId;
    if (team) {
      orgIds.add(projectId);
      teamsOfOrganizations.set(owner, team);
    }
    if (peopleAreSecret) withSecretPeople.add(owner);
    if (!team) {
      projectFacts.set(projectId, {
        ...projectFacts.get(projectId),
        ...(projectName !== undefined && { name: projectName }),
        ...(typeof outputs.orgId === "string" && { orgId: outputs.orgId }),
      });
    }
    if (people.length > 0 || exceptFor !== undefined) {
      const declarer = {
        resource,
        owner,
        exceptFor,
        ignoresChanges: isIgnored(resource),
        peopleAreSecret: peopleAreSecret === true,
        present,
      };
      // The resource with all people decides, else the first one that was read.
      const before = declarers.get(owner);
      const isBetter =
        exceptFor !== undefined ||
        (before?.exceptFor === undefined && !before?.resource.isRead && resource.isRead);
      if (before === undefined || isBetter) declarers.set(owner, declarer);
    }
    declared.set(owner, [...(declared.get(owner) ?? []), ...people, ...peopleOfOrganization]);
  }
  return {
    orgIds,
    ownsProject: (projectId: string) => projects.has(projectId.toLowerCase()),
    ownsMappings: (projectId: string, property: MappingProperty) =>
      mappings.has(`${projectId.toLowerCase()}/${property}`),
    ownsTeam: (projectId: string, teamId: string) => teams.has(`${projectId}/${teamId}`.toLowerCase()),
    /**
     * Whether a resource declares the key, by its ID or its public key.
     *
     * @param placeId a project, or an organization
     */
    ownsKey: (
      placeId: string,
      { keyId, publicKey }: { readonly keyId: string; readonly publicKey: string },
    ) => [keyId, publicKey].some((key) => keys.has(`${placeId}/${key}`)),
    /** The teams of an organization that a Team declares, sorted by name. */
    teamsOf: (orgId: string) =>
      [...teamsOfOrganizations]
        .filter(([owner]) => owner.startsWith(`${orgId}/`))
        .map(([, team]) => team)
        .sort((one, other) => inOrder(one.teamName, other.teamName) || inOrder(one.teamId, other.teamId)),
    /** The resource by which the people of a project or team are declared, if there is one. */
    declarerOf: (owner: string) => declarers.get(owner.toLowerCase()),
    declarers: (): readonly PeopleDeclarer[] => [...declarers.values()],
    teamOf: (owner: string) => teamsOfOrganizations.get(owner),
    /** Whether a Team declares the people of the team. A Team that is only planned is known by its name. */
    declaresTeam: (orgId: string, names: readonly string[]) =>
      names.some((name) => teamsOfOrganizations.has(joinId(orgId, name.toLowerCase()))),
    /** What the resources record of a project. */
    factsOf: (projectId: string) => projectFacts.get(projectId.toLowerCase()) ?? {},
    /** Whether a resource declares the project or something in it. */
    manages: (projectId: string) => projectFacts.has(projectId.toLowerCase()),
    appointedOwnerOf: (projectId: string) => appointedOwners.get(projectId.toLowerCase()),
    /** The people whom a resource declares in the project with a right to own it. */
    ownersDeclaredIn: (projectId: string): readonly Identity[] => {
      declaredOwners ??= ownersByProject(counted);
      return declaredOwners.get(projectId.toLowerCase()) ?? [];
    },
    /** The people that resources declare in a team, by `<organization id>/<team id>`. */
    declaredIn: (owner: string): readonly Identity[] => declared.get(owner.toLowerCase()) ?? [],
    /** @param owner a project, or `<organization id>/<team id>` */
    hasSecretPeople: (owner: string) => withSecretPeople.has(owner.toLowerCase()),
    /**
     * The members and invitations that a resource declares.
     *
     * @param owner a project, an organization, or `<organization id>/<team id>`
     */
    peopleOwned: <Person extends KnownPerson>(owner: string, people: readonly Person[]) =>
      peopleAmong(people, declared.get(owner.toLowerCase()) ?? []),
  };
}

/** Who is declared with a right to own a project, by its ID. */
function ownersByProject(resources: readonly OwnedResource[]): ReadonlyMap<string, readonly Identity[]> {
  const all = resources.flatMap(({ type, inputs = {}, outputs = {} }) =>
    declaredAccess(type, inputs, outputs).flatMap(({ holder, place, roles = [] }) =>
      holder.kind === "person" && place.kind === "project" && canOwn(roles)
        ? [{ projectId: place.id.toLowerCase(), holder }]
        : [],
    ),
  );
  const byProject = Map.groupBy(all, ({ projectId }) => projectId);
  return new Map([...byProject].map(([projectId, same]) => [projectId, same.map(({ holder }) => holder)]));
}

/** Whether the program ignores changes of the list of people. */
function isIgnored({ ignoreChanges, inputs }: OwnedResource): boolean {
  const named = ignoresPart([...(ignoreChanges ?? []), ...knownTexts(inputs?.[IGNORE_CHANGES])]);
  return named("members") || named("usernames");
}

/** A person of a project, or an account in a team. */
type KnownPerson = Identity & Partial<Pick<LivePerson, "status">>;

/** Those of the people who are meant by the identities. */
export function peopleAmong<Person extends KnownPerson>(
  people: readonly Person[],
  identities: readonly Identity[],
): ReadonlySet<Person> {
  return new Set(identities.flatMap((identity) => personAmong(people, identity) ?? []));
}

/**
 * Finds a person by id or name. An account with another id is another account, even if it has the
 * former name.
 */
export function personAmong<Person extends Identity & { readonly status?: string }>(
  people: readonly Person[],
  identity: Identity,
): Person | undefined {
  const direct = people.filter(({ status }) => status !== "indirect");
  const has = (name: "userId" | "invitationId") => (person: Person) =>
    person[name] !== undefined && person[name] === identity[name];
  const hasName = ({ userId, username }: Person) =>
    sameName(username, identity.username) && (userId === undefined || identity.userId === undefined);
  return direct.find(has("userId")) ?? direct.find(has("invitationId")) ?? direct.find(hasName);
}
