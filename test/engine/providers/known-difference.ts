/**
 * What one provider does and the other does not: a row of the README's table "The two providers". The same program is played through
 * both, so that a row goes when the difference goes.
 */
import { isDeepStrictEqual } from "node:util";
import type { ProviderKind } from "../../support";

/** Two stacks of the real engine, one after the other. */
const timeout = 240_000;

export interface KnownDifference<Seen> {
  /** Plays the program through this provider, and says in a few words or numbers what came of it. */
  readonly play: (provider: ProviderKind) => Promise<Seen>;
  readonly plugin: Seen;
  readonly dynamic: Seen;
}

/** @param row the first cell of the row, as it stands in README.md; written as text, because `table.test.ts` reads it */
export function knownDifference<Seen>(row: string, { play, plugin, dynamic }: KnownDifference<Seen>): void {
  it(
    `differs between the bothProviders: ${row}`,
    async () => {
      const seen = { plugin: await play("plugin"), dynamic: await play("dynamic") };
      if (isDeepStrictEqual(seen.dynamic, seen.plugin)) {
        throw new Error(
          `A known difference disappeared: take the row "${row}" out of the table of README.md. both providers: ${JSON.stringify(seen.plugin)}`,
        );
      }
      expect(seen).toEqual({ plugin, dynamic });
    },
    timeout,
  );
}
