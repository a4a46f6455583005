/**
 * What one provider does and the other does not: a row of the table "Differences" of docs/providers.md. The same program is played through
 * both, so that a row goes when the difference goes.
 */
import { isDeepStrictEqual } from "node:util";
import { keepDefault, type ProviderKind } from "../../support";

/** Two stacks of the real engine, one after the other. */
const timeout = 240_000;

export interface KnownDifference<Observed> {
  /** Runs the program with this provider and returns the observed difference. */
  readonly play: (provider: ProviderKind) => Promise<Observed>;
  readonly plugin: Observed;
  readonly dynamic: Observed;
}

/** @param row the first cell of the row, as in docs/providers.md; written as text, because `table.test.ts` reads it */
export function knownDifference<Observed>(
  row: string,
  { play, plugin, dynamic }: KnownDifference<Observed>,
): void {
  it(
    `differs between the providers: ${row}`,
    async () => {
      keepDefault(
        "refreshBeforeUpdate",
        "the table describes the default, and has a row for the other value",
      );
      const observed = { plugin: await play("plugin"), dynamic: await play("dynamic") };
      if (isDeepStrictEqual(observed.dynamic, observed.plugin)) {
        throw new Error(
          `A known difference disappeared: remove the row "${row}" from the table of docs/providers.md. Both providers: ${JSON.stringify(observed.plugin)}`,
        );
      }
      expect(observed).toEqual({ plugin, dynamic });
    },
    timeout,
  );
}
