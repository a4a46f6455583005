/**
 * What the program may declare and this run does not: the engine registers nothing that depends on a resource that failed.
 * What the stack had before is known by other means (`holdings.ts`), but not what the program declares for the first time,
 * and with the dynamic provider neither. A failure in another provider is never known.
 */

import { type Access, isSameHolder } from "../../access/places";
import { own } from "../../text/own";
import { MARK } from "../../text/sentinels";
import type { Resource } from "../contract/resource";
import { withoutMark } from "../contract/until";

export class Unregistered {
  #hasFailure = false;
  readonly #ending: Access[] = [];

  failed(): void {
    this.#hasFailure = true;
  }

  /** The program declares the access, with a last day that is over for some or all of it. */
  ends(access: readonly Access[]): void {
    this.#ending.push(...access);
  }

  /** Those that the program may declare for longer. */
  among(accesses: readonly Access[]): readonly Access[] {
    return this.#hasFailure ? accesses.filter((access) => !this.#isEnding(access)) : [];
  }

  #isEnding({ place: { kind, id }, holder }: Access): boolean {
    return this.#ending.some(
      ({ place, holder: other }) => place.kind === kind && place.id === id && isSameHolder(other, holder),
    );
  }
}

/** Records what fails, and what the program ends. */
export function withFailures<Name extends string>(resource: Resource<Name>): Resource<Name> {
  const recording = async <T>(
    { context }: Pick<Parameters<Resource["read"]>[0], "context">,
    run: Promise<T>,
  ) =>
    run.catch((error: unknown) => {
      context.session.of(Unregistered).failed();
      throw error;
    });
  return {
    ...resource,
    check(request) {
      const unregistered = request.context.session.of(Unregistered);
      const result = resource.check(request);
      if (result.failures.length > 0) unregistered.failed();
      else if (own(result.inputs, MARK) !== undefined) {
        unregistered.ends(resource.declares(withoutMark(result.inputs)));
      }
      return result;
    },
    create: (request) => recording(request, resource.create(request)),
    read: (request) => recording(request, resource.read(request)),
    update: (request) => recording(request, resource.update(request)),
  };
}
