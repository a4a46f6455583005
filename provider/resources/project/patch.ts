/** From what is declared to the PATCH of a project, and what came of it. Pure. */
import type { ProjectPatch } from "../../api/projects";
import { inOrder } from "../contract/values";
import type { ProjectInputs } from "./inputs";
import { declaredValues, forEachValue, managed, type Values } from "./managed";

/**
 * The smallest PATCH that makes the live object as declared. Tags that match the old or the new
 * patterns of `ignoreTags` stay, so that changing the patterns never removes a tag unseen.
 *
 * @param live `undefined` if the service does not offer reading a project: then every declared
 * field is sent
 */
export function toPatch(
  live: Values | undefined,
  inputs: ProjectInputs,
  options: { readonly isIgnored: (property: string) => boolean; readonly foreignTags: readonly string[] },
): ProjectPatch {
  const { tags, ...others } = declaredValues(inputs);
  const wantedTags = tags && [...new Set([...tags, ...options.foreignTags])].sort(inOrder);
  const different = forEachValue({ ...others, tags: wantedTags }, (property, value) => {
    if (options.isIgnored(property)) return [];
    const { absentIsEmpty, empty, same } = managed[property];
    const current = live && (live[property] ?? (absentIsEmpty ? empty : undefined));
    return current !== undefined && same(value, current) ? [] : [[property, value]];
  });
  return Object.fromEntries(different);
}

/** What the service stored other than it was sent, one sentence for each property. */
export function storedOtherwise(patch: ProjectPatch, live: Values, tagsVisible: boolean): string[] {
  return forEachValue(patch, (property, sent) => {
    const { absentIsEmpty, empty, same, adviceIfDropped } = managed[property];
    const stored = live[property] ?? empty;
    if ((!absentIsEmpty && !tagsVisible) || same(sent, stored)) return [];
    const isDropped = same(empty, stored);
    const advice = isDropped && adviceIfDropped !== undefined ? ` ${adviceIfDropped}` : "";
    return [
      `${property} was sent as ${JSON.stringify(sent)}, but the service stored ${JSON.stringify(stored)}.${advice}`,
    ];
  });
}

/**
 * True when a response does not hold a field that was sent: hidden from the key, or a response that
 * is cut short.
 */
export function lacksSent(patch: ProjectPatch, live: Values): boolean {
  return forEachValue(patch, (property, sent) => [managed[property].isHidden(sent, live[property])]).includes(
    true,
  );
}

/** By name, each value that a PATCH takes away or overwrites. */
export function overwrites(patch: ProjectPatch, live: Values): string[] {
  return forEachValue(patch, (property, sent) => {
    const { empty, overwrites: sentences } = managed[property];
    return sentences(sent, live[property] ?? empty);
  });
}
