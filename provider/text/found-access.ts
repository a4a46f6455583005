/**
 * How a resource tells `opsmanager summarize` who has access before it writes: a debug message, which
 * the engine's events contain and users do not see. A state cannot show this of what a program adopts.
 */
import type { Access } from "../access/places";

/** Begins the message; JSON follows. */
export const FOUND_ACCESS = "[found access] ";

export interface FoundAccess {
  readonly present: readonly Access[];
  /** Those of them whom the operation removes. */
  readonly leaving: readonly Access[];
}

export function foundAccess(found: FoundAccess): string {
  return `${FOUND_ACCESS}${JSON.stringify(found)}`;
}
