/** Inputs that limit whom a resource removes. ProjectMembers and Team share them. */
import { z } from "zod";
import { foldName } from "../../access/person";
import { knownTexts } from "./canonical";
import type { LocatedFailure } from "./check";
import { pathText } from "./property-path";
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
      description: `Largest number of ${limited}. If it would be more, nobody is removed and the error names them all. \`0\` means none. The setting \`maxRemovalsPerRun\` limits all resources together.`,
    });
}

/** @param description who is removed if it is `true` */
export function removeUnlistedInput(description: string) {
  return z.boolean("must be true or false").optional().meta({ defaultText: "`false`", description });
}

/**
 * @param names the schema of one username
 * @param list the property that lists the people
 */
export function endedUsersInput(names: z.ZodType<string>, list: "members" | "usernames") {
  return z
    .array(names, "must be a list")
    .optional()
    .meta({
      description: `Usernames of people whose access has ended, a set: an update removes them, whoever added them. None of them may be in \`${list}\`. They do not count for \`maxRemovals\`, because the program names each of them, but they do for \`maxRemovalsPerRun\`. The last direct owner stays, with an error. \`until\` in the files of a folder fills this list.`,
    });
}

/** Faults of a list of people beside those whose access has ended: one person in both, or no one in either. */
export function endedUsersFailures(given: Properties, list: "members" | "usernames"): LocatedFailure[] {
  const { endedUsers, [list]: people } = given;
  const names = isRecord(people) ? Object.keys(people) : people;
  const listed = new Set(knownTexts(names).map(foldName));
  const both = knownTexts(endedUsers).flatMap((name, index): LocatedFailure[] => {
    if (!listed.has(foldName(name))) return [];
    const path = ["endedUsers", index];
    const reason = `${pathText(path)} names ${name}, who is in ${list}: remove the name from one of them.`;
    return [{ property: "endedUsers", path, reason }];
  });
  const isEmpty = (values: unknown) => Array.isArray(values) && values.length === 0;
  if (!isEmpty(names) || !isEmpty(endedUsers ?? [])) return both;
  const reason = `${list} must not be empty: a list that failed to load would remove everyone. To stop managing these people, remove the resource from the program.`;
  return [{ property: list, path: [list], reason }];
}

/**
 * Why an empty list removes no one. Check rejects an empty list, except for one that the state has as
 * well. By the time of the update, people may have been added.
 */
export function emptyListReason(property: "members" | "usernames"): string {
  return `${property} is empty, so nobody is removed: a list that failed to load would remove everyone. List at least one person whose access has not ended, or remove the resource from the program.`;
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
