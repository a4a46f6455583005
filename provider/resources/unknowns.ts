import type { Context } from "./resource";

/** Warns that the preview could not check rules that need an unknown value. */
export function warnOfUnknowns({ log }: Pick<Context, "log">): void {
  log.warn(
    "Some values are not known yet, so this preview checked only the others. The update checks all values before it writes.",
  );
}
