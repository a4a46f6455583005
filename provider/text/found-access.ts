/**
 * How a resource tells `opsmanager summarize` who has access before it writes: a debug message, which
 * the engine's events contain and users do not see. A state cannot show this of what a program adopts.
 */
import type { Access } from "../access/places";

/** Begins the message; JSON follows. */
export const FOUND_ACCESS = "[found access] ";

export function foundAccess(access: readonly Access[]): string {
  return `${FOUND_ACCESS}${JSON.stringify(access)}`;
}
