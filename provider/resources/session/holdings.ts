import type { Access } from "../../access/places";
import { isUrn } from "./claims";

/**
 * Access through resources that this run has read and not checked yet: they are declared later in this run, or leave the
 * program with it. The host of dynamic providers checks before it reads, so there are none.
 */
export class Holdings {
  readonly #byUrn = new Map<string, readonly Access[]>();
  readonly #checked = new Set<string>();

  read(urn: string, access: readonly Access[]): void {
    if (isUrn(urn) && !this.#checked.has(urn)) this.#byUrn.set(urn, access);
  }

  checked(urn: string): void {
    this.#checked.add(urn);
    this.#byUrn.delete(urn);
  }

  others(urn: string): readonly Access[] {
    return [...this.#byUrn].flatMap(([by, access]) => (by === urn ? [] : access));
  }
}
