/** What previews say where they cannot look at everything. */
import type { Context } from "./resource";

/** The rules that need a value are looked at again before the first write. */
export function warnOfUnknowns({ log }: Pick<Context, "log">): void {
  log.warn(
    "Some values are not known yet, so this preview could check the rest only; the real run checks all before it writes.",
  );
}
