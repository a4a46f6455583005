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
    const difference = new PropertyDiff();
    difference.setKind(KINDS[kind][replace ? 1 : 0]);
    difference.setInputdiff(inputDiff ?? false);
    response.getDetaileddiffMap().set(pathText(path), difference);
  }
  return response;
}
