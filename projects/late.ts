/** The order in which a component declares its resources: what ends comes last. */
import type * as pulumi from "@pulumi/pulumi";
import { isOver } from "../provider/resources/contract/until";

/**
 * Declares resources at once, except those whose last day is over. Those follow once all others have settled, and depend on
 * none of them: an owner leaves after the next one has come, also with `--parallel 1`, and a failure elsewhere keeps
 * nobody's access, as long as the engine goes on (`up --continue-on-error`).
 */
export class Declarations {
  readonly #declared: pulumi.Resource[] = [];
  readonly #late: (() => void)[] = [];

  /** @param now what ends on this day, ends together */
  constructor(private readonly now: Date) {}

  /** Declares a resource without a last day. */
  add<R extends pulumi.Resource>(resource: R): R {
    this.#declared.push(resource);
    return resource;
  }

  isOver(until: string | undefined): boolean {
    return until !== undefined && isOver(until, this.now.getTime());
  }

  /** @returns the resource, at once or late */
  declare<R extends pulumi.Resource>(until: string | undefined, make: () => R): R | Promise<R> {
    if (!this.isOver(until)) return this.add(make());
    return new Promise((resolve, reject) => {
      this.#late.push(() => {
        try {
          resolve(this.add(make()));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Declares the rest, and waits until all has settled. A failure is told by the engine. */
  async complete(): Promise<void> {
    await settled(this.#declared);
    for (const make of this.#late) make();
    await settled(this.#declared);
  }
}

async function settled(resources: readonly pulumi.Resource[]): Promise<void> {
  await Promise.allSettled(resources.map(({ urn }) => promiseOf(urn)));
}

/** Those of them that were registered, once all have settled. */
export async function succeeded<R extends pulumi.Resource>(resources: readonly R[]): Promise<R[]> {
  const settled = await Promise.allSettled(resources.map(({ urn }) => promiseOf(urn)));
  return resources.filter((_, index) => settled[index]?.status === "fulfilled");
}

/** Rejects if the resource was not registered. Part of the SDK that its type declarations omit. */
function promiseOf(urn: pulumi.Output<string>): Promise<string> {
  return (urn as unknown as { promise(): Promise<string> }).promise();
}
