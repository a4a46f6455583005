/** Converts differences to the engine's DiffResponse. */

import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { changedProperties, type Difference } from "../resources/contract/difference";
import { pathText } from "../resources/contract/property-path";

const { Kind } = PropertyDiff;
const KINDS = {
  add: [Kind.ADD, Kind.ADD_REPLACE],
  delete: [Kind.DELETE, Kind.DELETE_REPLACE],
  update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
} as const;

/**
 * Shortens paths into a secret map, so the diff shows only that the map changes: the engine prints
 * paths unchanged.
 */
export function withoutKeys(
  differences: readonly Difference[],
  isSecret: (name: string) => boolean,
): readonly Difference[] {
  const isHidden = ({ path }: Difference) => path.length > 1 && isSecret(String(path[0]));
  const names = new Set(differences.filter(isHidden).map(({ path }) => String(path[0])));
  return [
    ...differences.filter((difference) => !isHidden(difference)),
    ...[...names].map((name): Difference => ({ path: [name], kind: "update" })),
  ];
}

/**
 * The response always has an explicit response. On "unknown" the engine would compare inputs by
 * itself, including the order of sets.
 */
export function toDiffResponse(differences: readonly Difference[]): DiffResponse {
  const response = new DiffResponse();
  response.setChanges(
    differences.length > 0 ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE,
  );
  response.setDiffsList(changedProperties(differences));
  response.setReplacesList(changedProperties(differences.filter(({ replace }) => replace)));
  response.setHasdetaileddiff(true);
  for (const { path, kind, replace, inputDiff } of differences) {
    if (path.length === 0) continue;
    const difference = new PropertyDiff();
    difference.setKind(KINDS[kind][replace ? 1 : 0]);
    difference.setInputdiff(inputDiff ?? false);
    response.getDetaileddiffMap().set(pathText(path), difference);
  }
  return response;
}
