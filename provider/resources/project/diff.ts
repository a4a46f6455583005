/**
 * Differences between a program and the recorded live values of a project.
 */

import { changeKind, type Difference, setDifferences } from "../contract/difference";
import { matchesAny } from "../contract/pattern";
import { ignoresProperty } from "../contract/property-path";
import type { DiffRequest } from "../contract/resource";
import { hasUnknown, known, type Unsure } from "../contract/values";
import { ObservationLog } from "../session/observations";
import { asProjectInputs, type LdapGroupMappingInput, onDestroySetting, type ProjectInputs } from "./inputs";
import { asProjectState, observationOf, type ProjectState } from "./state";

export function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asProjectState(state, id);
  const declared = asProjectInputs(oldInputs);
  context.session.of(ObservationLog).record(context.urn, observationOf(declared, recorded));
  return projectDifferences(recorded, asProjectInputs(inputs), declared, ignoresProperty(ignoreChanges));
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
 * @param isIgnored whether `ignoreChanges` names the property
 */
export function projectDifferences(
  state: ProjectState,
  inputs: ProjectInputs,
  oldInputs: ProjectInputs,
  isIgnored: (property: string) => boolean,
): Difference[] {
  const ignoredTags = known(inputs.ignoreTags) ?? [];
  const differences: Difference[] = [
    ...identityDifferences(state, inputs, oldInputs),
    ...nameDifferences(state, inputs),
    ...listInputDifferences("tags", state.tags, inputs.tags, (tag) => matchesAny(ignoredTags, tag)),
    ...mappingDifferences(state, inputs),
    ...noLongerManaged(inputs, oldInputs).map(
      (property): Difference => ({ path: [property], kind: "delete", inputDiff: true }),
    ),
    ...changedCreateOnly(inputs, oldInputs).map((property): Difference => {
      return { path: [property], kind: changeKind(oldInputs[property], inputs[property]), inputDiff: true };
    }),
    ...listInputDifferences("ignoreTags", state.ignoreTags, inputs.ignoreTags),
    ...onDestroySetting.differences(inputs, oldInputs, state.origin),
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
    const kind = changeKind(oldInputs.projectId, projectId);
    return [{ path: ["projectId"], kind, replace: !hasUnknown(projectId) }];
  }
  if (orgId === undefined || orgId === state.orgId) return [];
  // Beside projectId, orgId is an assertion, which Update checks. The API cannot move a project. So
  // only an organization that is neither the recorded nor the live one requires another project.
  const replace = projectId === undefined && !hasUnknown(orgId) && orgId !== oldInputs.orgId;
  return [{ path: ["orgId"], kind: changeKind(oldInputs.orgId, orgId), replace }];
}

function nameDifferences(state: ProjectState, { name }: ProjectInputs): Difference[] {
  return name === undefined || name === state.name ? [] : [{ path: ["name"], kind: "update" }];
}

function listInputDifferences(
  property: string,
  olds: readonly string[] | undefined,
  news: Unsure<readonly string[]> | undefined,
  skipOld?: (entry: string) => boolean,
): Difference[] {
  if (news === undefined) {
    return property === "tags" || olds === undefined ? [] : [{ path: [property], kind: "delete" }];
  }
  if (hasUnknown(news)) return [{ path: [property], kind: olds === undefined ? "add" : "update" }];
  const differences = setDifferences([property], olds ?? [], news as readonly string[], String, skipOld);
  // Outputs repeat the patterns, so an empty list of them is recorded too. Tags without a record
  // are hidden from the key.
  const isAdded = olds === undefined && (differences.length > 0 || property === "ignoreTags");
  return isAdded ? [{ path: [property], kind: "add" }] : differences;
}

function mappingDifferences(state: ProjectState, { ldapGroupMappings: news }: ProjectInputs): Difference[] {
  const olds = state.ldapGroupMappings ?? [];
  const path = ["ldapGroupMappings"];
  if (news === undefined) return [];
  if (hasUnknown(news)) return [{ path, kind: state.ldapGroupMappings === undefined ? "add" : "update" }];
  const declared = news as readonly LdapGroupMappingInput[];
  // A role whose groups changed is shown group by group where it kept its place, and as a whole
  // where it moved.
  const inPlace = (mapping: LdapGroupMappingInput, index: number) =>
    olds[index]?.roleName === mapping.roleName;
  const key = ({ roleName, ldapGroups }: LdapGroupMappingInput) => JSON.stringify([roleName, ldapGroups]);
  const within = declared.flatMap((mapping, index) =>
    inPlace(mapping, index)
      ? setDifferences([...path, index, "ldapGroups"], olds[index]?.ldapGroups ?? [], mapping.ldapGroups)
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
