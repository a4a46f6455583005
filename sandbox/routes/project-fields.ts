import { refuse } from "../errors";
import type { Project } from "../model";
import { recentlyDeleted } from "../people";
import type { World } from "../store";

/** The rules for what may be written to a project: its name and its tags. */

const maxTags = 10;

/** At most 32 letters, digits, `.`, `_`, `-`. */
const tagPattern = /^[A-Za-z0-9._-]{1,32}$/;

/** Fields of a project that only the service writes. */
export const readOnlyProjectFields: readonly string[] = [
  "id",
  "orgId",
  "hostCounts",
  "lastActiveAgent",
  "activeAgentCount",
  "replicaSetCount",
  "shardCount",
  "publicApiEnabled",
  "agentApiKey",
  "links",
];

/** Checks a name for the project with this id (undefined: a new one) in its organization. */
export function checkName(world: World, name: string, orgId: string, projectId?: string): void {
  const { maxNameLength, allowDuplicateNames, deletedProjectNameSeconds } = world.switches;
  if (name.trim() === "" || (maxNameLength > 0 && name.length > maxNameLength))
    throw refuse.invalidGroupName(name);
  if (/10gen-|-10gen/.test(name)) throw refuse.reservedGroupName(name);
  const same = (other: Project): boolean =>
    other.name === name && other.orgId === orgId && other.id !== projectId;
  const others = [...world.store.projects.all(), ...recentlyDeleted(world, deletedProjectNameSeconds)];
  if (!allowDuplicateNames && others.some(same)) throw refuse.groupExists(name);
}

/** The tags as they are to be stored: checked, in upper case where the service requires that, each once. */
export function storedTags(world: World, tags: readonly string[]): string[] {
  const { lowerCaseTags, tooManyTags } = world.switches;
  const stored = new Set<string>();
  for (const tag of tags) {
    if (!tagPattern.test(tag) || (lowerCaseTags === "refuse" && /[a-z]/.test(tag)))
      throw refuse.invalidTag(tag);
    stored.add(lowerCaseTags === "upper" ? tag.toUpperCase() : tag);
  }
  if (stored.size > maxTags) throw refuse.tooManyTags(tooManyTags, maxTags);
  return [...stored];
}
