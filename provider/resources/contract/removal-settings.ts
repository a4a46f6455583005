/** Inputs that limit whom a resource removes. ProjectMembers and Team share them. */
import { z } from "zod";
import type { LocatedFailure } from "./check";
import { isRecord, known, type Properties, type Unsure } from "./values";

const DEFAULT_MAX_REMOVALS = 5;

/** @param limited whom one operation may remove */
export function maxRemovalsInput(limited: string) {
  return z
    .int("must be a whole number")
    .min(0, "must be 0 or more")
    .optional()
    .meta({
      defaultText: `\`${DEFAULT_MAX_REMOVALS}\``,
      description: `Largest number of ${limited}. Beyond the limit, nobody is removed, and the error names everyone who would be. \`0\` means none. The setting \`maxRemovalsPerRun\` limits all resources together.`,
    });
}

/** @param description who is removed if it is `true` */
export function removeUnlistedInput(description: string) {
  return z.boolean("must be true or false").optional().meta({ defaultText: "`false`", description });
}

/** A list without anybody. */
export function emptyListFailures(given: Properties, list: "members" | "usernames"): LocatedFailure[] {
  const { [list]: people } = given;
  const names = isRecord(people) ? Object.keys(people) : people;
  if (!Array.isArray(names) || names.length > 0) return [];
  const reason = `${list} must not be empty: a list that failed to load would remove everyone. To stop managing these people, remove the resource from the program.`;
  return [{ property: list, path: [list], reason }];
}

/**
 * Why an empty list removes no one. Check rejects an empty list, except for one that the state has as
 * well. By the time of the update, people may have been added.
 */
export function emptyListReason(property: "members" | "usernames"): string {
  return `${property} is empty, so nobody is removed: a list that failed to load would remove everyone. List at least one person, or remove the resource from the program.`;
}

/** The values that apply, whether the program gives them or not. */
export function effectiveRemovals(given: {
  readonly maxRemovals?: Unsure<number> | undefined;
  readonly removeUnlisted?: Unsure<boolean> | undefined;
}) {
  return {
    maxRemovals: known(given.maxRemovals) ?? DEFAULT_MAX_REMOVALS,
    removeUnlisted: known(given.removeUnlisted) ?? false,
  };
}
