/**
 * What the program may declare and this run does not: the engine registers nothing that depends on a resource that failed.
 * What the stack had before is known by other means (`holdings.ts`), but not what the program declares for the first time,
 * and with the dynamic provider neither. What access depends on is the project, the team or the person that it would end
 * with. A failure in another provider, and what a failed creation would have been, is never known.
 */

import { type Access, type Deletion, endsWith, isSameHolder } from "../../access/places";
import { own } from "../../text/own";
import { MARK } from "../../text/sentinels";
import type { Resource } from "../contract/resource";
import { withoutMark } from "../contract/until";

export class Unregistered {
  readonly #failed: Deletion[] = [];
  readonly #ending: Access[] = [];

  /** @param deletion of the failed resource, which would take along what depends on it */
  failed(deletion: Deletion | undefined): void {
    if (deletion !== undefined) this.#failed.push(deletion);
  }

  /** The program declares the access, with a last day that is over for some or all of it. */
  ends(access: readonly Access[]): void {
    this.#ending.push(...access);
  }

  /** Those that the program may declare for longer. */
  among(accesses: readonly Access[]): readonly Access[] {
    return accesses.filter((access) => this.#mayDependOnFailure(access) && !this.#isEnding(access));
  }

  #mayDependOnFailure(access: Access): boolean {
    return this.#failed.some((deletion) => endsWith(access, deletion) !== false);
  }

  #isEnding({ place: { kind, id }, holder }: Access): boolean {
    return this.#ending.some(
      ({ place, holder: other }) => place.kind === kind && place.id === id && isSameHolder(other, holder),
    );
  }
}

/** Records what fails, and what the program ends. */
export function withFailures<Name extends string>(resource: Resource<Name>): Resource<Name> {
  const recording = async <T>({ state = {}, context }: Existing, run: Promise<T>) =>
    run.catch((error: unknown) => {
      context.session.of(Unregistered).failed(resource.deletes(state));
      throw error;
    });
  return {
    ...resource,
    check(request) {
      const result = resource.check(request);
      if (result.failures.length === 0 && own(result.inputs, MARK) !== undefined)
        request.context.session.of(Unregistered).ends(resource.declares(withoutMark(result.inputs)));
      return result;
    },
    read: (request) => recording(request, resource.read(request)),
    update: (request) => recording(request, resource.update(request)),
  };
}

type Existing = Pick<Parameters<Resource["read"]>[0], "state" | "context">;
