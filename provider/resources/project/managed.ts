/** The properties of a project that are compared with the service and sent to it. Pure. */

import type { ChangeableFields, ProjectPatch, ProjectResponse } from "../../api/projects";
import { setDifferences } from "../contract/difference";
import { matchesAny } from "../contract/pattern";
import { inOrder, known, sameSet } from "../contract/values";
import { managedMappings } from "../managed/mapping-properties";
import { ManagedProperties, managedName, type Values } from "../managed/properties";
import type { ProjectInputs } from "./inputs";

export const managed = new ManagedProperties<ChangeableFields, ProjectResponse, ProjectInputs>({
  name: managedName,
  tags: {
    empty: [],
    absentIsEmpty: false,
    listMayLackIt: true,
    shown: ({ tags }) => (tags ? [...tags].sort(inOrder) : undefined),
    same: sameSet,
    differences: (recorded, declared, { ignoreTags }) =>
      setDifferences(["tags"], recorded, declared, String, (tag) => matchesAny(known(ignoreTags) ?? [], tag)),
    // Nothing of what was sent can be seen. A response that shows other tags is not hiding them.
    isHidden: (sent, shown) => shown === undefined || (shown.length === 0 && sent.length > 0),
    overwrites: (sent, live) =>
      live.filter((tag) => !sent.includes(tag)).map((tag) => `tag "${tag}" is removed`),
  },
  ...managedMappings,
});

/**
 * The smallest PATCH that makes the live project as declared. Tags that match the old or the new
 * patterns of `ignoreTags` stay, so that changing the patterns never removes a tag unseen.
 *
 * @param live `undefined` if the service does not offer reading a project: then every declared
 * field is sent
 */
export function toPatch(
  live: Values<ChangeableFields> | undefined,
  inputs: ProjectInputs,
  options: { readonly isIgnored: (property: string) => boolean; readonly foreignTags: readonly string[] },
): ProjectPatch {
  const declared = managed.declared(inputs);
  const tags = declared.tags && [...new Set([...declared.tags, ...options.foreignTags])].sort(inOrder);
  return managed.patch(live, { ...declared, tags }, options.isIgnored);
}
