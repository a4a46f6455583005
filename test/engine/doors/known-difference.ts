/**
 * What one door does and the other does not: a row of the table "Differences" of docs/providers.md. The same program is played through
 * both, so that a row goes when the difference goes.
 */
import { isDeepStrictEqual } from "node:util";
import type { Door } from "../../support";

/** Two stacks of the real engine, one after the other. */
const timeout = 240_000;

export interface KnownDifference<Seen> {
  /** Plays the program through this door, and says in a few words or numbers what came of it. */
  readonly play: (door: Door) => Promise<Seen>;
  readonly plugin: Seen;
  readonly dynamic: Seen;
}

/** @param row the first cell of the row, as in docs/providers.md; written as text, because `table.test.ts` reads it */
export function knownDifference<Seen>(row: string, { play, plugin, dynamic }: KnownDifference<Seen>): void {
  it(
    `differs between the doors: ${row}`,
    async () => {
      const seen = { plugin: await play("plugin"), dynamic: await play("dynamic") };
      if (isDeepStrictEqual(seen.dynamic, seen.plugin)) {
        throw new Error(
          `A known difference disappeared: remove the row "${row}" from the table of docs/providers.md. Both providers: ${JSON.stringify(seen.plugin)}`,
        );
      }
      expect(seen).toEqual({ plugin, dynamic });
    },
    timeout,
  );
}
