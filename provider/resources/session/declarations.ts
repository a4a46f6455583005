/** Who has access through the resources of this operation's program, and where. */
import { type Access, type Deletion, endsWith } from "../../access/places";

/** Access that a resource declares. */
export interface Declaration {
  /** URN of the resource; the text that replaces it in the dynamic provider. */
  readonly by: string;
  readonly access: Access;
  /** False if it depends on the organization of the project, which is not known. */
  readonly isCertain: boolean;
}

/**
 * What each resource declares, from its Check on. A deletion asks for access below, which claims do not
 * show: they know one place at a time.
 */
export class Declarations {
  readonly #byResource = new Map<string, readonly Access[]>();
  /** By what the dynamic provider calls a resource that exists: what it calls it in Check and Create. */
  readonly #textOf = new Map<string, string>();

  /** Check declares anew: earlier declarations of the resource may concern another object. */
  declare(by: string, access: readonly Access[]): void {
    this.#byResource.set(by, access);
  }

  /**
   * The host of dynamic providers gives no URNs, and two resources may have one text.
   *
   * @param called what this operation calls the resource
   */
  add(by: string, access: readonly Access[], called: string): void {
    this.#byResource.set(by, [...this.of(by), ...access]);
    this.#textOf.set(called, by);
  }

  /** Whether Check has declared a resource by this URN or text. */
  isDeclaring(by: string): boolean {
    return this.#byResource.has(by);
  }

  of(by: string): readonly Access[] {
    return this.#byResource.get(by) ?? [];
  }

  all(): readonly Access[] {
    return [...this.#byResource.values()].flat();
  }

  /** What other resources declare that would end with the deletion. */
  endingWith(deletion: Deletion, deletedBy: string): Declaration[] {
    const own = [deletedBy, this.#textOf.get(deletedBy)];
    return [...this.#byResource].flatMap(([by, declared]) =>
      declared.flatMap((access) => {
        const ends = !own.includes(by) && endsWith(access, deletion);
        return ends === false ? [] : [{ by, access, isCertain: ends === true }];
      }),
    );
  }
}
