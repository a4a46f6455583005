/**
 * What one provider does and the other does not: rows of the tables of "Differences" in docs/providers.md. The same program is played through
 * both, so that a row goes when the difference goes.
 */
import { isDeepStrictEqual } from "node:util";
import { keepDefault, type ProviderKind } from "../../support";

/** Two stacks of the real engine, one after the other. */
const timeout = 240_000;

export interface Difference {
  /** The first cell of the row, as in docs/providers.md; written as text, because `table.test.ts` reads it. */
  readonly row: string;
  readonly plugin: unknown;
  readonly dynamic: unknown;
}

/** What was observed, by row. */
export type Observed = Readonly<Record<string, unknown>>;

/** @param play runs the program with this provider and returns what each row is about */
export function knownDifferences(
  story: string,
  rows: readonly Difference[],
  play: (provider: ProviderKind) => Promise<Observed>,
): void {
  it(
    `differs between the providers: ${story}`,
    async () => {
      keepDefault(
        "refreshBeforeUpdate",
        "the tables describe the default, and have a row for the other value",
      );
      const observed = { plugin: await play("plugin"), dynamic: await play("dynamic") };
      const alike = rows.filter(({ row }) => isDeepStrictEqual(observed.plugin[row], observed.dynamic[row]));
      if (alike.length > 0) {
        const disappeared = alike.map(({ row }) => `"${row}": ${JSON.stringify(observed.plugin[row])}`);
        throw new Error(
          `Known differences disappeared: remove their rows from docs/providers.md. Both providers: ${disappeared.join(", ")}`,
        );
      }
      expect(observed).toEqual({
        plugin: Object.fromEntries(rows.map(({ row, plugin }) => [row, plugin])),
        dynamic: Object.fromEntries(rows.map(({ row, dynamic }) => [row, dynamic])),
      });
    },
    timeout,
  );
}
