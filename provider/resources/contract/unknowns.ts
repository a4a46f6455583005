import type { Context } from "./resource";
import { UNKNOWN } from "./values";

/**
 * Warns that the preview could not check rules that need an unknown value.
 *
 * @param placeId ID of the project or organization in which something is created. If it is unknown, the
 * place does not exist yet, so there is nothing to compare with and no warning.
 */
export function warnOfUnknowns({ log }: Pick<Context, "log">, placeId?: unknown): void {
  if (placeId === UNKNOWN) return;
  log.warn(
    "Some values are not known yet, so this preview checked only the others. The update checks all values before it writes.",
  );
}
