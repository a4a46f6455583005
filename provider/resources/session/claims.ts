/** Part of the identity of an object: what it is, where it is, and its ID or name there. */
type ClaimKey = readonly [what: string, ...of: string[]];

/**
 * An object that programs declare, by each part of its identity that is known. The resource kinds
 * build it.
 */
export type Subject = readonly ClaimKey[];

const EXISTING = "existing";

/**
 * An object that a program gives by its ID alone. Create cannot make it again, so no Delete may
 * remove it.
 *
 * @param placeId ID of the organization of a team, or of the project of an invitation. A project is its own place
 */
export function existing(placeId: string, id: string | undefined): Subject {
  return id === undefined ? [] : [[EXISTING, placeId, id]];
}

/**
 * Which resource of this operation's program declares which object.
 *
 * A claim prevents two faults: a Delete that removes what another resource declares, and two
 * resources that revert each other's changes.
 */
export class Claims {
  /** URNs by the text of a `ClaimKey`. */
  readonly #declarers = new Map<string, string>();
  /** The resources that have claims. */
  readonly #claimants = new Set<string>();
  /** The resources that Check has seen. */
  readonly #declared = new Set<string>();
  /** Resources that Diff, Update or Create has dealt with since their last Check. */
  readonly #holding = new Set<string>();
  /** By the text of a resource of the dynamic provider that is replaced: the text of its successor. */
  readonly #successors = new Map<string, string>();

  /**
   * Check declares an object that the resource may not have yet. The engine checks a resource again
   * if it replaces the object, so earlier claims of the resource may concern the old object.
   */
  declares(urn: string): void {
    if (!isUrn(urn)) return;
    this.#declared.add(urn);
    if (this.#claimants.delete(urn)) {
      for (const [key, declarer] of this.#declarers) if (declarer === urn) this.#declarers.delete(key);
    }
    this.#holding.delete(urn);
  }

  /**
   * Whether the program of this operation has the resource. A refresh before an update calls Diff
   * before any Check, and with the old URN of a resource that the program renames by an alias.
   */
  isDeclared(urn: string): boolean {
    return this.#declared.has(urn);
  }

  /** The resource keeps its object, or Create has begun to take one. */
  holds(urn: string): void {
    this.#holding.add(urn);
  }

  /**
   * Diff has found that another object replaces that of the resource.
   *
   * @param successor what the dynamic provider calls the resource when it creates that object
   */
  replaces(urn: string, successor: string): void {
    if (!isUrn(urn)) this.#successors.set(urn, successor);
  }

  /**
   * Whether Delete runs before Create of the same resource (`deleteBeforeReplace`). Then other resources
   * of the program may not have declared anything yet. The dynamic provider sees it only where a
   * difference of the inputs requires the replacement.
   */
  isDeletedFirst(urn: string): boolean {
    if (isUrn(urn)) return this.#declared.has(urn) && !this.#holding.has(urn);
    const successor = this.#successors.get(urn);
    return successor !== undefined && !this.#holding.has(successor);
  }

  /** Who declares the object that replaces the one of a resource: the resource, by its new text. */
  successorOf(urn: string): string {
    return this.#successors.get(urn) ?? urn;
  }

  /**
   * Claims the object. The first claim counts, so a second declaration fails and the first one does
   * not.
   *
   * @returns another resource that has claimed a part of the identity
   */
  claim(subject: Subject, urn: string): string | undefined {
    const others = subject.map((key) => {
      const declarer = this.#declarerBy(key);
      if (declarer === undefined) this.#set(key, urn);
      return declarer === urn ? undefined : declarer;
    });
    return others.find((other) => other !== undefined);
  }

  /**
   * Claims what a resource has found or recorded of its object. Check may know only a part of the
   * identity, and another resource may declare the same object by another part. A refresh calls
   * Diff before any Check, so it claims nothing.
   *
   * @param declared what the program gives
   * @returns another resource that has claimed a part of what was found
   */
  claimFound(declared: Subject, found: Subject): string | undefined {
    const urn = this.declarerOf(declared);
    return urn === undefined ? undefined : this.claim(found, urn);
  }

  /** Claims the object. The latest claim counts. @returns another resource that claimed it before */
  take(subject: Subject, urn: string): string | undefined {
    const declarer = this.declarerOf(subject);
    for (const key of subject) this.#set(key, urn);
    return declarer === urn ? undefined : declarer;
  }

  /**
   * The resource that declares the object by any part of its identity.
   *
   * @param deleted the resource whose object Delete concerns. With `deleteBeforeReplace`, Delete
   * runs after the Check of its own resource and before Create. That claim protects nothing: if
   * Create failed, no resource would record an object that stays. In the dynamic provider, a claim
   * may be one of another resource, so each protects.
   */
  declarerOf(subject: Subject, deleted?: string): string | undefined {
    const protects = (declarer: string) =>
      declarer !== deleted || !isUrn(declarer) || this.#holding.has(declarer);
    return subject
      .map((key) => [key[0], this.#declarerBy(key)] as const)
      .find(([what, declarer]) => declarer !== undefined && (what === EXISTING || protects(declarer)))
      ?.at(1);
  }

  #set(key: ClaimKey, urn: string): void {
    this.#declarers.set(JSON.stringify(key), urn);
    this.#claimants.add(urn);
  }

  #declarerBy(key: ClaimKey): string | undefined {
    return this.#declarers.get(JSON.stringify(key));
  }
}

/**
 * The host of dynamic providers passes no URN. The text that replaces it describes the object, and
 * one resource may get two such texts.
 */
export function isUrn(name: string): boolean {
  return name.startsWith("urn:");
}

/** A resource as an argument of a `pulumi` command that a message advises. */
export function urnForShell(name: string): string {
  return isUrn(name) ? `'${name}'` : "<URN>";
}
