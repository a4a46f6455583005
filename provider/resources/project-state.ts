/** Pure mapping between what is declared, what is recorded and what the service answers for a project. */
import { z } from "zod";
import type { ProjectAnswer, ProjectPatch } from "../api/projects";
import { type Difference, setDifferences } from "./difference";
import { matchesAny } from "./pattern";
import type { LdapGroupMappingInput, ProjectInputs } from "./project-inputs";
import {
  hasUnknown,
  inOrder,
  known,
  type Properties,
  sameSet,
  type Unsure,
  withoutUndefined,
} from "./values";

export type Origin = "created" | "adopted" | "imported";

/** Outputs beside those that hold the live value of an input. */
export const projectOutputs = z.object({
  projectId: z.string().meta({ description: "Id of the project, 24 hexadecimal digits." }),
  orgId: z.string().meta({ description: "Id of the organization in which the project lives now." }),
  name: z.string().meta({ description: "Name of the project in the service." }),
  origin: z.enum(["created", "adopted", "imported"]).meta({
    description:
      "How the project came into this stack; decides what destroying does where `onDestroy` is left out.",
  }),
  onDestroy: z.enum(["delete", "release"]).meta({ description: "What destroying will do." }),
  tagsVisible: z.boolean().meta({
    description:
      "False when the API key may not see tags: then declared tags are taken as they are, without drift.",
  }),
});

export interface ProjectState {
  readonly projectId: string;
  readonly orgId: string;
  readonly name: string;
  readonly origin: Origin;
  readonly onDestroy: "delete" | "release";
  readonly tagsVisible: boolean;
  readonly tags?: readonly string[] | undefined;
  readonly ldapGroupMappings?: readonly LdapGroupMappingInput[] | undefined;
  readonly ignoreTags?: readonly string[] | undefined;
  readonly withDefaultAlertsSettings?: boolean | undefined;
  readonly projectOwnerId?: string | undefined;
}

/** State comes from our own replies. An older one may lack what came later, so the absent is read as the harmless. */
export function asProjectState(state: Properties, id: string): ProjectState {
  const recorded = state as Partial<ProjectState>;
  const origin = recorded.origin ?? "adopted";
  return {
    ...recorded,
    projectId: recorded.projectId ?? id,
    orgId: recorded.orgId ?? "",
    name: recorded.name ?? "",
    origin,
    onDestroy: recorded.onDestroy ?? effectiveOnDestroy({}, origin),
    tagsVisible: recorded.tagsVisible ?? true,
  };
}

/** What the service says of a project, in our form: sets sorted, a mapping without groups left out. */
export interface LiveProject {
  readonly projectId: string;
  readonly orgId: string;
  readonly name: string;
  /** Absent: the answer had none, so the key may not see them. */
  readonly tags?: readonly string[] | undefined;
  /** Absent: the service is not LDAP-backed. */
  readonly ldapGroupMappings?: readonly LdapGroupMappingInput[] | undefined;
}

export function toLive(answer: ProjectAnswer): LiveProject {
  return {
    projectId: answer.id,
    orgId: answer.orgId,
    name: answer.name,
    tags: answer.tags ? [...answer.tags].sort(inOrder) : undefined,
    ldapGroupMappings: answer.ldapGroupMappings ? toMappings(answer.ldapGroupMappings) : undefined,
  };
}

function toMappings(mappings: NonNullable<ProjectAnswer["ldapGroupMappings"]>): LdapGroupMappingInput[] {
  return mappings
    .flatMap(({ roleName, ldapGroups }) =>
      ldapGroups?.length ? [{ roleName, ldapGroups: [...new Set(ldapGroups)].sort(inOrder) }] : [],
    )
    .sort((one, other) => inOrder(one.roleName, other.roleName));
}

/**
 * The live object with the recorded tags where the key cannot see them: an answer without tags is no proof that there
 * are none, and with `tagsVisible: false` recorded neither is an empty list.
 */
export function withHiddenTags(
  live: LiveProject,
  recorded: ProjectState,
): LiveProject & { tagsVisible: boolean } {
  const hidden = live.tags === undefined || (!recorded.tagsVisible && live.tags.length === 0);
  return hidden
    ? { ...live, tags: recorded.tags, tagsVisible: recorded.tagsVisible }
    : { ...live, tagsVisible: true };
}

export function effectiveOnDestroy(
  inputs: Pick<ProjectInputs, "onDestroy">,
  origin: Origin,
): "delete" | "release" {
  return known(inputs.onDestroy) ?? (origin === "created" ? "delete" : "release");
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
    name: live.name,
    tags: live.tags?.filter((tag) => !matchesAny(ignoreTags ?? [], tag)),
    ldapGroupMappings: live.ldapGroupMappings,
    ignoreTags,
    withDefaultAlertsSettings: known(inputs.withDefaultAlertsSettings),
    projectOwnerId: known(inputs.projectOwnerId),
    onDestroy: effectiveOnDestroy(inputs, origin),
    origin,
    tagsVisible,
  });
}

/** The properties whose live value is compared with the declared one. */
const MANAGED = ["name", "tags", "ldapGroupMappings"] as const;
/** Inputs that count when the project is created and never again. */
const CREATE_ONLY = ["withDefaultAlertsSettings", "projectOwnerId"] as const;

/** Properties that the old inputs managed and the new ones leave out. */
export function noLongerManaged(inputs: ProjectInputs, oldInputs: ProjectInputs): string[] {
  return MANAGED.filter((property) => oldInputs[property] !== undefined && inputs[property] === undefined);
}

export function changedCreateOnly(
  inputs: ProjectInputs,
  oldInputs: ProjectInputs,
): (typeof CREATE_ONLY)[number][] {
  return CREATE_ONLY.filter((property) => inputs[property] !== oldInputs[property]);
}

/**
 * Differences between the program and the recorded live values.
 *
 * @param isIgnored says which properties `ignoreChanges` names
 */
export function projectDifferences(
  state: ProjectState,
  inputs: ProjectInputs,
  oldInputs: ProjectInputs,
  isIgnored: (property: string) => boolean,
): Difference[] {
  const differences: Difference[] = [
    ...identityDifferences(state, inputs, oldInputs),
    ...nameDifferences(state, inputs),
    ...tagDifferences(state, inputs),
    ...mappingDifferences(state, inputs),
    ...noLongerManaged(inputs, oldInputs).map(
      (property): Difference => ({ path: [property], kind: "delete", inputDiff: true }),
    ),
    ...changedCreateOnly(inputs, oldInputs).map((property) => inputDifference(property, inputs, oldInputs)),
    ...listInputDifferences("ignoreTags", state.ignoreTags, inputs.ignoreTags),
    ...onDestroyDifferences(state, inputs, oldInputs),
  ];
  return differences.filter(({ path }) => !isIgnored(String(path[0])));
}

/** Another project replaces this one; the same one, however the program names it, is no change. */
function identityDifferences(
  state: ProjectState,
  inputs: ProjectInputs,
  oldInputs: ProjectInputs,
): Difference[] {
  const { projectId, orgId } = inputs;
  if (projectId !== undefined && projectId !== state.projectId) {
    return [
      {
        path: ["projectId"],
        kind: oldInputs.projectId === undefined ? "add" : "update",
        replace: !hasUnknown(projectId),
      },
    ];
  }
  if (orgId === undefined || orgId === state.orgId) return [];
  // Beside projectId it is an assertion, which Update refuses by name; a project that was moved by hand goes back by
  // hand only. Only an organization that is neither the recorded nor the live one asks for another project.
  const replace = projectId === undefined && !hasUnknown(orgId) && orgId !== oldInputs.orgId;
  return [{ path: ["orgId"], kind: oldInputs.orgId === undefined ? "add" : "update", replace }];
}

function nameDifferences(state: ProjectState, { name }: ProjectInputs): Difference[] {
  return name === undefined || name === state.name ? [] : [{ path: ["name"], kind: "update" }];
}

function tagDifferences(state: ProjectState, inputs: ProjectInputs): Difference[] {
  const ignored = known(inputs.ignoreTags) ?? [];
  return listInputDifferences("tags", state.tags, inputs.tags, (tag) => matchesAny(ignored, tag));
}

function listInputDifferences(
  property: string,
  olds: readonly string[] | undefined,
  news: Unsure<readonly string[]> | undefined,
  skipOld?: (entry: string) => boolean,
): Difference[] {
  if (news === undefined) {
    return property === "tags" || !olds?.length ? [] : [{ path: [property], kind: "delete" }];
  }
  if (hasUnknown(news)) return [{ path: [property], kind: olds === undefined ? "add" : "update" }];
  const differences = setDifferences(
    [property],
    olds ?? [],
    news as readonly string[],
    (entry) => entry,
    skipOld,
  );
  return olds === undefined && differences.length > 0 ? [{ path: [property], kind: "add" }] : differences;
}

function mappingDifferences(state: ProjectState, { ldapGroupMappings: news }: ProjectInputs): Difference[] {
  const olds = state.ldapGroupMappings ?? [];
  const path = ["ldapGroupMappings"];
  if (news === undefined) return [];
  if (hasUnknown(news)) return [{ path, kind: state.ldapGroupMappings === undefined ? "add" : "update" }];
  const declared = news as readonly LdapGroupMappingInput[];
  // A role whose groups changed is shown group by group where it kept its place, and as a whole where it moved.
  const inPlace = (mapping: LdapGroupMappingInput, index: number) =>
    olds[index]?.roleName === mapping.roleName;
  const key = ({ roleName, ldapGroups }: LdapGroupMappingInput) => JSON.stringify([roleName, ldapGroups]);
  const within = declared.flatMap((mapping, index) =>
    inPlace(mapping, index)
      ? setDifferences(
          [...path, index, "ldapGroups"],
          olds[index]?.ldapGroups ?? [],
          mapping.ldapGroups,
          (group) => group,
        )
      : [],
  );
  const whole = setDifferences(path, olds, declared, key).filter(({ path: [, index] }) => {
    const mapping = declared[Number(index)];
    return mapping === undefined || !inPlace(mapping, Number(index));
  });
  return state.ldapGroupMappings === undefined && whole.length > 0
    ? [{ path, kind: "add" }]
    : [...whole, ...within];
}

function inputDifference(
  property: keyof ProjectInputs,
  inputs: ProjectInputs,
  oldInputs: ProjectInputs,
): Difference {
  const kind =
    oldInputs[property] === undefined ? "add" : inputs[property] === undefined ? "delete" : "update";
  return { path: [property], kind, inputDiff: true };
}

/** Writing the default down changes nothing, so the effective values are compared. */
function onDestroyDifferences(
  state: ProjectState,
  inputs: ProjectInputs,
  oldInputs: ProjectInputs,
): Difference[] {
  const { onDestroy } = inputs;
  if (
    !hasUnknown(onDestroy) &&
    effectiveOnDestroy(inputs, state.origin) === effectiveOnDestroy(oldInputs, state.origin)
  ) {
    return [];
  }
  return [{ path: ["onDestroy"], kind: onDestroy === undefined ? "delete" : "update" }];
}

/**
 * The smallest PATCH that makes the live object what the program says. Tags that match the old or the new patterns of
 * `ignoreTags` stay, so that changing the patterns never removes a tag unseen.
 *
 * @param live `undefined` where the service offers no way to look: then every declared field is sent
 */
export function toPatch(
  live: LiveProject | undefined,
  inputs: ProjectInputs,
  options: { readonly isIgnored: (property: string) => boolean; readonly foreignTags: readonly string[] },
): ProjectPatch {
  const declared = <K extends (typeof MANAGED)[number]>(property: K) =>
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
  const say = (property: string, sent: unknown, stored: unknown) =>
    reasons.push(
      `${property} was sent as ${JSON.stringify(sent)}, but the service stored ${JSON.stringify(stored)}.`,
    );
  if (patch.name !== undefined && patch.name !== live.name) say("name", patch.name, live.name);
  if (patch.tags && tagsVisible && !sameSet(patch.tags, live.tags ?? []))
    say("tags", patch.tags, live.tags ?? []);
  if (patch.ldapGroupMappings && !sameMappings(patch.ldapGroupMappings, live.ldapGroupMappings ?? [])) {
    say("ldapGroupMappings", patch.ldapGroupMappings, live.ldapGroupMappings ?? []);
  }
  return reasons;
}

/** True when an answer does not hold a field that was sent: hidden from the key, or an answer that is cut short. */
export function lacksSent(patch: ProjectPatch, live: LiveProject): boolean {
  const tags = patch.tags !== undefined && tagsHidden(patch.tags, live);
  return (
    tags ||
    (patch.ldapGroupMappings !== undefined && patch.ldapGroupMappings.length > 0 && !live.ldapGroupMappings)
  );
}

/** Nothing of what was sent can be seen. An answer that shows other tags is not hiding them. */
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
