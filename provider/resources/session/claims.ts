import type { CheckFailure } from "../contract/check";
import { foldName, type Identity, memberName } from "../people/person";

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
  | readonly ["agent key", id: string]
  | readonly ["existing", owner: string, id: string];

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
  /** The resources that have claims. */
  readonly #claimants = new Set<string>();
  /** Resources that Diff, Update or Create has dealt with since their last Check. */
  readonly #holding = new Set<string>();
  /** IDs of teams by the text of a `Claimed` with the name by which the program declares them. */
  readonly #teamIds = new Map<string, string>();

  /**
   * Check declares an object that the resource may not have yet. The engine checks a resource again
   * if it replaces the object, so earlier claims of the resource may concern the old object.
   */
  declares(urn: string): void {
    if (!isUrn(urn)) return;
    if (this.#claimants.delete(urn)) {
      for (const [key, owner] of this.#owners) if (owner === urn) this.#owners.delete(key);
    }
    this.#holding.delete(urn);
  }

  /** The resource keeps its object, or Create has begun to take one. */
  holds(urn: string): void {
    this.#holding.add(urn);
  }

  /**
   * The latest claim on a project counts. @returns another resource that claimed the project before
   */
  claimProject(urn: string, projectId: string): string | undefined {
    const owner = this.#ownerOf(["project", projectId]);
    this.#set(["project", projectId], urn);
    return owner === urn ? undefined : owner;
  }

  /**
   * Check claims an object that the program gives by its ID alone. Create cannot make it again, so no
   * Delete may remove it.
   *
   * @param owner ID of the organization of a team, or of the project of an invitation. A project owns itself
   */
  claimExisting(urn: string, owner: string, id: string): void {
    this.#set(["existing", owner, id], urn);
  }

  /** Check does not know the ID of a project that the program declares by organization and name. */
  claimProjectName(urn: string, { orgId, name }: ProjectName): void {
    this.#set(["project name", orgId, name], urn);
  }

  /** @param deleted the resource whose object Delete concerns; see `#protects` */
  declarerOfProject(projectId: string, { orgId, name }: ProjectName, deleted?: string): string | undefined {
    return this.#ownerOfAny(
      [
        ["existing", projectId, projectId],
        ["project", projectId],
        ["project name", orgId, name],
      ],
      deleted,
    );
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
   *
   * @param deleted the resource whose object Delete concerns; see `#protects`
   */
  protectorOf(projectId: string, identities: readonly Identity[], deleted?: string): string | undefined {
    const verified = identities.flatMap((who) => identityKeys(projectId, who));
    const unverified = identities.flatMap((who) => unverifiedKeys(projectId, who));
    const existing = identities.flatMap(({ invitationId }) => existingKeys(projectId, invitationId));
    return this.#ownerOfAny([...existing, ...verified, ...unverified], deleted);
  }

  /**
   * Claims the member that a program declares. A `username` beside a `userId` may belong to another
   * account. Until it is verified, it only protects members from removal.
   *
   * @returns the conflict with another resource
   */
  claimDeclared(urn: string, projectId: string, who: Identity): CheckFailure | undefined {
    const { userId, invitationId, username } = who;
    if (invitationId !== undefined && (userId ?? username) === undefined) {
      this.claimExisting(urn, projectId, invitationId);
    }
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
   * @param deleted the resource whose object Delete concerns; see `#protects`
   */
  declarerOfTeam(owner: string, team: TeamIdentity, deleted?: string): string | undefined {
    const { teamId } = team;
    const counts = (key: Claimed) => {
      const held = this.#teamIds.get(JSON.stringify(key));
      return teamId === undefined || held === undefined || held === teamId;
    };
    const keys = teamKeys(owner, team).filter(counts);
    return this.#ownerOfAny([...existingKeys(owner, teamId), ...keys], deleted);
  }

  /**
   * The ProjectMembers resource that declares the members of the project.
   *
   * @param deleted the resource whose object Delete concerns; see `#protects`
   */
  declarerOfAll(projectId: string, deleted?: string): string | undefined {
    return this.#ownerOfAny([["all members", projectId]], deleted);
  }

  forget(): void {
    this.#owners.clear();
    this.#claimants.clear();
    this.#holding.clear();
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
    this.#claimants.add(urn);
  }

  #ownerOf(key: Claimed): string | undefined {
    return this.#owners.get(JSON.stringify(key));
  }

  #ownerOfAny(keys: readonly Claimed[], deleted?: string): string | undefined {
    return keys
      .map((key) => [key[0], this.#ownerOf(key)] as const)
      .find(([kind, owner]) => owner !== undefined && (kind === "existing" || this.#protects(owner, deleted)))
      ?.at(1);
  }

  /**
   * Whether a claim protects the object that Delete concerns. With `deleteBeforeReplace`, Delete runs
   * after the Check of its own resource and before Create. That claim protects nothing: if Create
   * failed, no resource would record an object that stays. In the dynamic provider, a claim may be
   * one of another resource, so each protects.
   */
  #protects(owner: string, deleted: string | undefined): boolean {
    return owner !== deleted || !isUrn(owner) || this.#holding.has(owner);
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

function existingKeys(owner: string, id: string | undefined): Claimed[] {
  return id === undefined ? [] : [["existing", owner, id]];
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
