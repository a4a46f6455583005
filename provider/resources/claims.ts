import type { CheckFailure } from "./check";
import { foldName, type Identity, memberName } from "./membership/membership";

/** What a program calls a project whose ID it does not know. */
export interface ProjectName {
  readonly orgId: string;
  readonly name: string;
}

type Claimed =
  | readonly ["project", projectId: string]
  | readonly ["project name", orgId: string, name: string]
  | readonly ["all members" | "any member", projectId: string]
  | readonly [keyof Identity | "unverified username", projectId: string, value: string]
  | readonly ["team", owner: string, teamId: string]
  | readonly ["team name", owner: string, teamName: string]
  | readonly ["agent key", id: string];

/** A team by its ID, by its name, or by both. */
export interface TeamIdentity {
  readonly teamId?: string | undefined;
  readonly teamName?: string | undefined;
}

/**
 * Which resource of this operation's program declares which object.
 *
 * A claim prevents two faults: a Delete that removes what another resource declares, and two
 * resources that revert each other's changes.
 */
export class Claims {
  /** URNs by the text of a `Claimed`. */
  readonly #owners = new Map<string, string>();
  /** IDs of teams by the text of a `Claimed` with the name by which the program declares them. */
  readonly #teamIds = new Map<string, string>();

  /**
   * The latest claim on a project counts. @returns another resource that claimed the project before
   */
  claimProject(urn: string, projectId: string): string | undefined {
    const owner = this.#ownerOf(["project", projectId]);
    this.#set(["project", projectId], urn);
    return owner === urn ? undefined : owner;
  }

  /** Check does not know the ID of a project that the program declares by organization and name. */
  claimProjectName(urn: string, { orgId, name }: ProjectName): void {
    this.#set(["project name", orgId, name], urn);
  }

  declarerOfProject(projectId: string, { orgId, name }: ProjectName): string | undefined {
    return this.#ownerOf(["project", projectId]) ?? this.#ownerOf(["project name", orgId, name]);
  }

  /**
   * Claims the member by each part of the identity. @returns another resource that has claimed one
   */
  claimMember(urn: string, projectId: string, who: Identity): string | undefined {
    const others = identityKeys(projectId, who).map((key) => this.#claim(key, urn));
    return others.find((other) => other !== undefined);
  }

  /** The resource that declares the member, by any part of these identities. */
  declarerOf(projectId: string, ...identities: readonly Identity[]): string | undefined {
    return this.#ownerOfAny(identities.flatMap((who) => identityKeys(projectId, who)));
  }

  /**
   * The resource that declares the member, or that may do so by a username that is not verified.
   */
  protectorOf(projectId: string, ...identities: readonly Identity[]): string | undefined {
    const unverified = identities.flatMap((who) => unverifiedKeys(projectId, who));
    return this.declarerOf(projectId, ...identities) ?? this.#ownerOfAny(unverified);
  }

  /**
   * Claims the member that a program declares. A `username` beside a `userId` may belong to another
   * account. Until it is verified, it only protects members from removal.
   *
   * @returns the conflict with another resource
   */
  claimDeclared(urn: string, projectId: string, who: Identity): CheckFailure | undefined {
    const { userId, invitationId } = who;
    if (userId === undefined) return this.claimOne(urn, projectId, who);
    for (const key of unverifiedKeys(projectId, who)) this.#claim(key, urn);
    return this.claimOne(urn, projectId, { userId, invitationId });
  }

  /**
   * @returns the conflict with another resource of this member, or of all members of the project
   */
  claimOne(urn: string, projectId: string, who: Identity): CheckFailure | undefined {
    const rival = this.declarerOfAll(projectId);
    const twin = this.claimMember(urn, projectId, who);
    if (rival) return { property: "projectId", reason: memberListConflict(projectId, urn, rival) };
    this.#claim(["any member", projectId], urn);
    if (twin && isUrn(urn)) {
      const reason = `${memberName(who)} in project ${projectId} is declared by ${twin} already: each would revert the other's changes. Remove one of them from the program.`;
      return { property: "", reason };
    }
    return undefined;
  }

  /**
   * @returns the conflict with another resource of all members of the project, or of one of them
   */
  claimAll(urn: string, projectId: string): CheckFailure | undefined {
    const other = this.#ownerOf(["any member", projectId]) ?? this.#claim(["all members", projectId], urn);
    return other ? { property: "projectId", reason: memberListConflict(projectId, urn, other) } : undefined;
  }

  /**
   * Claims a team in a project, or a team of an organization.
   *
   * @param owner ID of the project or of the organization
   * @returns another resource that has claimed it by its ID or name
   */
  claimTeam(urn: string, owner: string, team: TeamIdentity): string | undefined {
    const others = teamKeys(owner, team).map((key) => this.#claim(key, urn));
    return others.find((other) => other !== undefined);
  }

  /**
   * Claims the ID of a team for the resource that declares the team: Check may know only its name.
   *
   * @param declared what the program calls the team
   * @returns another resource that has claimed the ID
   */
  claimTeamId(owner: string, declared: TeamIdentity, teamId: string): string | undefined {
    const holder = this.declarerOfTeam(owner, declared);
    for (const key of teamKeys(owner, declared)) this.#teamIds.set(JSON.stringify(key), teamId);
    return holder === undefined ? undefined : this.#claim(["team", owner, teamId], holder);
  }

  /** Whether the program gives another name to the team that has this one. */
  givesOtherName(owner: string, teamName: string, teamId: string): boolean {
    const names = [...this.#teamIds].flatMap(([key, id]) =>
      id === teamId ? [JSON.parse(key) as Claimed] : [],
    );
    return names.some(([kind, of, name]) => kind === "team name" && of === owner && name !== teamName);
  }

  /** Claims an agent API key that the resource keeps. The latest claim counts. */
  claimAgentKey(urn: string, id: string): void {
    if (isUrn(urn)) this.#set(["agent key", id], urn);
  }

  declarerOfAgentKey(id: string): string | undefined {
    return this.#ownerOf(["agent key", id]);
  }

  /**
   * The resource that declares the team in the project or organization, by its ID or name. A name
   * that stands for a team with another ID does not count.
   *
   * @param replaced a resource whose object is deleted. Its claim on the ID does not count: the object
   * that replaces this one is found by its name
   */
  declarerOfTeam(owner: string, team: TeamIdentity, replaced?: string): string | undefined {
    const { teamId } = team;
    const counts = (key: Claimed) => {
      if (replaced !== undefined && key[0] === "team" && this.#ownerOf(key) === replaced) return false;
      const held = this.#teamIds.get(JSON.stringify(key));
      return teamId === undefined || held === undefined || held === teamId;
    };
    return this.#ownerOfAny(teamKeys(owner, team).filter(counts));
  }

  /** The ProjectMembers resource that declares the members of the project. */
  declarerOfAll(projectId: string): string | undefined {
    return this.#ownerOf(["all members", projectId]);
  }

  forget(): void {
    this.#owners.clear();
    this.#teamIds.clear();
  }

  /** The first claim counts, so a second declaration fails and the first one does not. */
  #claim(key: Claimed, urn: string): string | undefined {
    const holder = this.#ownerOf(key);
    if (holder === undefined) this.#set(key, urn);
    return holder === urn ? undefined : holder;
  }

  #set(key: Claimed, urn: string): void {
    this.#owners.set(JSON.stringify(key), urn);
  }

  #ownerOf(key: Claimed): string | undefined {
    return this.#owners.get(JSON.stringify(key));
  }

  #ownerOfAny(keys: readonly Claimed[]): string | undefined {
    return keys.map((key) => this.#ownerOf(key)).find((owner) => owner !== undefined);
  }
}

function memberListConflict(projectId: string, urn: string, other: string): string {
  return `${urn} and ${other} both declare people of project ${projectId}, and ProjectMembers owns all of them: each would revert the other's changes. Use one ProjectMembers, or only ProjectMember.`;
}

/**
 * The host of dynamic providers passes no URN. The text that replaces it describes the object, and
 * one resource may get two such texts.
 */
export function isUrn(name: string): boolean {
  return name.startsWith("urn:");
}

function teamKeys(owner: string, { teamId, teamName }: TeamIdentity): Claimed[] {
  return [
    ...(teamId === undefined ? [] : [["team", owner, teamId] as const]),
    ...(teamName === undefined ? [] : [["team name", owner, teamName] as const]),
  ];
}

function unverifiedKeys(projectId: string, { username }: Identity): Claimed[] {
  return username === undefined ? [] : [["unverified username", projectId, foldName(username)]];
}

function identityKeys(projectId: string, { userId, invitationId, username }: Identity): Claimed[] {
  return [
    ...(userId === undefined ? [] : [["userId", projectId, userId] as const]),
    ...(invitationId === undefined ? [] : [["invitationId", projectId, invitationId] as const]),
    ...(username === undefined ? [] : [["username", projectId, foldName(username)] as const]),
  ];
}
