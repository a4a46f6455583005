/**
 * Differences between a program and the recorded live values of a project.
 */

import { changeKind, type Difference, setDifferences } from "../contract/difference";
import { ignoresProperty } from "../contract/property-path";
import type { DiffRequest } from "../contract/resource";
import { hasUnknown, known, type Unsure } from "../contract/values";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { GivenNames } from "../session/taken-name";
import { asProjectInputs, onDestroySetting, type ProjectInputs } from "./inputs";
import { managed } from "./managed";
import { asProjectState, observationOf, type ProjectState } from "./state";

export function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const { session, urn } = context;
  const recorded = asProjectState(state, id);
  const [before, declared] = [asProjectInputs(oldInputs), asProjectInputs(inputs)];
  session.of(ObservationLog).record(urn, observationOf(before, recorded));
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = projectDifferences(recorded, declared, before, isIgnored);
  // A refresh compares without a program. A replaced project keeps its name.
  const isNamed = session.of(Claims).isDeclared(urn) && !differences.some(({ replace }) => replace);
  if (isNamed && !isIgnored("name")) {
    const given = session.of(GivenNames);
    if (hasUnknown(declared.name)) given.giveUnknown("Project", recorded.orgId, id);
    const name = known(declared.name);
    if (name !== undefined) given.give("Project", recorded.orgId, name, id);
  }
  return differences;
}

/** Inputs that count when the project is created and never again. */
const CREATE_ONLY = ["withDefaultAlertsSettings", "projectOwnerId"] as const;

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
  const differences: Difference[] = [
    ...identityDifferences(state, inputs, oldInputs),
    ...managed.differences(state, inputs),
    ...managed.unmanaged(inputs, oldInputs),
    ...changedCreateOnly(inputs, oldInputs).map((property): Difference => {
      return { path: [property], kind: changeKind(oldInputs[property], inputs[property]), inputDiff: true };
    }),
    ...patternDifferences(state.ignoreTags, inputs.ignoreTags),
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
    return [{ path: ["projectId"], kind, replace: !hasUnknown(projectId), byProgram: true }];
  }
  if (orgId === undefined || orgId === state.orgId) return [];
  // Beside projectId, orgId is an assertion, which Update checks. The API cannot move a project. So
  // only an organization that is neither the recorded nor the live one requires another project.
  const replace = projectId === undefined && !hasUnknown(orgId) && orgId !== oldInputs.orgId;
  return [{ path: ["orgId"], kind: changeKind(oldInputs.orgId, orgId), replace }];
}

/** Outputs repeat the patterns, so an empty list of them is recorded too. */
function patternDifferences(
  olds: readonly string[] | undefined,
  news: Unsure<readonly string[]> | undefined,
): Difference[] {
  const path = ["ignoreTags"];
  if (olds === undefined || news === undefined)
    return olds === news ? [] : [{ path, kind: changeKind(olds, news) }];
  if (hasUnknown(news)) return [{ path, kind: "update" }];
  return setDifferences(path, olds, news as readonly string[]);
}
