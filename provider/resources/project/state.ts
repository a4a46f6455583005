/**
 * Pure mapping between what is declared, what is recorded and what the service returns for a
 * project.
 */

import { z } from "zod";
import type { ProjectResponse } from "../../api/projects";
import { recordedAs, type StateOf } from "../contract/border";
import { requiredText } from "../contract/fields";
import type { Origin } from "../contract/on-destroy";
import { matchesAny } from "../contract/pattern";
import { known, type Properties, withoutUndefined } from "../contract/values";
import type { Observation } from "../session/observations";
import { onDestroySetting, type ProjectInputs, type projectInputs } from "./inputs";
import { managed } from "./managed";

/** The project, with its declared, its recorded and its current name. */
export function observationOf(
  declared: ProjectInputs,
  recorded: ProjectState,
  current = recorded,
): Observation {
  const names = [declared, recorded, current].map(({ orgId, name }) => ({
    orgId: known(orgId),
    name: known(name),
  }));
  return { kind: "Project", id: recorded.projectId, origin: recorded.origin, names };
}

/** Outputs beside those that hold the live value of an input. */
export const projectOutputs = z.object({
  projectId: requiredText("ID of the project, 24 hexadecimal digits."),
  orgId: requiredText("ID of the organization that has the project now, 24 hexadecimal digits."),
  name: requiredText("Name of the project in the service."),
  origin: z.enum(["created", "adopted", "imported"]).meta({
    description:
      "How the project came into this stack; decides what destroying does if `onDestroy` is absent.",
  }),
  onDestroy: onDestroySetting.output,
  tagsVisible: z.boolean().meta({
    description:
      "False when the API key may not see tags: then declared tags are taken as they are, without drift.",
  }),
});

export type ProjectState = StateOf<typeof projectInputs, typeof projectOutputs>;

/**
 * State comes from our own replies. An older one may lack what came later, so the absent is read as
 * the harmless.
 */
export function asProjectState(state: Properties, id: string): ProjectState {
  const recorded = recordedAs<ProjectState>(state);
  const origin = recorded.origin ?? "adopted";
  return {
    ...recorded,
    projectId: recorded.projectId ?? id,
    orgId: recorded.orgId ?? "",
    name: recorded.name ?? "",
    origin,
    onDestroy: recorded.onDestroy ?? onDestroySetting.effective({}, origin),
    tagsVisible: recorded.tagsVisible ?? true,
  };
}

/**
 * What the service returns about a project, in our form: sets are sorted, and a mapping without
 * groups is left out. `tags` are absent if the key may not see them, `ldapGroupMappings` if the
 * service is not LDAP-backed.
 */
export type LiveProject = Pick<ProjectState, "projectId" | "orgId" | "name" | "tags" | "ldapGroupMappings">;

export function toLive(response: ProjectResponse): LiveProject {
  return {
    projectId: response.id,
    orgId: response.orgId,
    ...managed.shown(response),
    name: response.name,
  };
}

/**
 * The live object, with the recorded tags if the key cannot see them. A response without tags does
 * not prove that there are none. If `tagsVisible: false` is recorded, an empty list proves nothing
 * either.
 */
export function withHiddenTags(
  found: LiveProject,
  recorded: ProjectState,
): { readonly live: LiveProject; readonly tagsVisible: boolean; readonly tagsShown: boolean } {
  const hidden = found.tags === undefined || (!recorded.tagsVisible && found.tags.length === 0);
  return hidden
    ? { live: { ...found, tags: recorded.tags }, tagsVisible: recorded.tagsVisible, tagsShown: false }
    : { live: found, tagsVisible: true, tagsShown: true };
}

export function toState(
  live: LiveProject,
  inputs: ProjectInputs,
  { origin, tagsVisible }: { readonly origin: Origin; readonly tagsVisible: boolean },
): ProjectState {
  const ignoreTags = known(inputs.ignoreTags);
  return withoutUndefined({
    projectId: live.projectId,
    orgId: live.orgId,
    ...managed.of(live),
    name: live.name,
    tags: live.tags?.filter((tag) => !matchesAny(ignoreTags ?? [], tag)),
    ignoreTags,
    withDefaultAlertsSettings: known(inputs.withDefaultAlertsSettings),
    projectOwnerId: known(inputs.projectOwnerId),
    onDestroy: onDestroySetting.effective(inputs, origin),
    origin,
    tagsVisible,
  });
}
