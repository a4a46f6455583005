/** From what is declared to the PATCH of a project, and what came of it. Pure. */
import type { ProjectPatch } from "../../api/projects";
import { inOrder, known, sameSet, withoutUndefined } from "../contract/values";
import type { LdapGroupMappingInput, ProjectInputs } from "./inputs";
import type { LiveProject } from "./state";

type Managed = keyof ProjectPatch & keyof ProjectInputs;

/**
 * The smallest PATCH that makes the live object as declared. Tags that match the old or the new
 * patterns of `ignoreTags` stay, so that changing the patterns never removes a tag unseen.
 *
 * @param live `undefined` if the service does not offer reading a project: then every declared
 * field is sent
 */
export function toPatch(
  live: LiveProject | undefined,
  inputs: ProjectInputs,
  options: { readonly isIgnored: (property: string) => boolean; readonly foreignTags: readonly string[] },
): ProjectPatch {
  const declared = <K extends Managed>(property: K) =>
    options.isIgnored(property) ? undefined : known(inputs[property]);
  const name = declared("name");
  const tags = declared("tags");
  const mappings = declared("ldapGroupMappings") as readonly LdapGroupMappingInput[] | undefined;
  const wantedTags =
    tags && [...new Set([...(tags as readonly string[]), ...options.foreignTags])].sort(inOrder);
  return withoutUndefined({
    name: name === live?.name ? undefined : (name as string | undefined),
    tags: wantedTags && live?.tags && sameSet(wantedTags, live.tags) ? undefined : wantedTags,
    ldapGroupMappings:
      mappings && live && sameMappings(mappings, live.ldapGroupMappings ?? []) ? undefined : mappings,
  });
}

export function sameMappings(
  one: readonly LdapGroupMappingInput[],
  other: readonly LdapGroupMappingInput[],
): boolean {
  const groupsByRole = new Map(other.map(({ roleName, ldapGroups }) => [roleName, ldapGroups]));
  return (
    one.length === groupsByRole.size &&
    one.every(({ roleName, ldapGroups }) => {
      const groups = groupsByRole.get(roleName);
      return groups !== undefined && sameSet(groups, ldapGroups);
    })
  );
}

/** What the service stored other than it was sent, one sentence for each property. */
export function storedOtherwise(patch: ProjectPatch, live: LiveProject, tagsVisible: boolean): string[] {
  const reasons: string[] = [];
  const report = (property: string, sent: unknown, stored: unknown) =>
    reasons.push(
      `${property} was sent as ${JSON.stringify(sent)}, but the service stored ${JSON.stringify(stored)}.`,
    );
  if (patch.name !== undefined && patch.name !== live.name) report("name", patch.name, live.name);
  if (patch.tags && tagsVisible && !sameSet(patch.tags, live.tags ?? []))
    report("tags", patch.tags, live.tags ?? []);
  if (patch.ldapGroupMappings && !sameMappings(patch.ldapGroupMappings, live.ldapGroupMappings ?? [])) {
    report("ldapGroupMappings", patch.ldapGroupMappings, live.ldapGroupMappings ?? []);
  }
  return reasons;
}

/**
 * True when a response does not hold a field that was sent: hidden from the key, or a response that
 * is cut short.
 */
export function lacksSent(patch: ProjectPatch, live: LiveProject): boolean {
  const tags = patch.tags !== undefined && tagsHidden(patch.tags, live);
  return (
    tags ||
    (patch.ldapGroupMappings !== undefined && patch.ldapGroupMappings.length > 0 && !live.ldapGroupMappings)
  );
}

/** Nothing of what was sent can be seen. A response that shows other tags is not hiding them. */
export function tagsHidden(sent: readonly string[], live: LiveProject): boolean {
  return live.tags === undefined || (live.tags.length === 0 && sent.length > 0);
}

/** By name, each value that a PATCH takes away or overwrites. */
export function overwrites(patch: ProjectPatch, live: LiveProject): string[] {
  const sentences: string[] = [];
  if (patch.name !== undefined) sentences.push(`name "${live.name}" becomes "${patch.name}"`);
  for (const tag of live.tags ?? []) {
    if (patch.tags && !patch.tags.includes(tag)) sentences.push(`tag "${tag}" is removed`);
  }
  for (const { roleName, ldapGroups } of live.ldapGroupMappings ?? []) {
    if (!patch.ldapGroupMappings) continue;
    const groups = patch.ldapGroupMappings.find((mapping) => mapping.roleName === roleName)?.ldapGroups ?? [];
    const lost = ldapGroups.filter((group) => !groups.includes(group));
    if (lost.length > 0)
      sentences.push(`${roleName} is no longer mapped to ${lost.map((group) => `"${group}"`).join(", ")}`);
  }
  return sentences;
}
