import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { toDiffResponse } from "../../../provider/plugin/detailed-diff";

const { Kind } = PropertyDiff;

test("no difference is returned explicitly, so that the engine does not compare by itself", () => {
  const response = toDiffResponse([]);
  expect(response.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_NONE);
  expect(response.getHasdetaileddiff()).toBe(true);
});

test("each entry has its path, its kind and whether it is one of inputs, and each property is named once", () => {
  const response = toDiffResponse([
    { path: ["tags", 0], kind: "delete" },
    { path: ["tags", 2], kind: "add" },
    { path: ["members", "a@example.com"], kind: "update", inputDiff: true },
    { path: ["projectId"], kind: "update", replace: true },
  ]);
  expect(response.getDiffsList()).toEqual(["members", "projectId", "tags"]);
  expect(response.getReplacesList()).toEqual(["projectId"]);
  const entries = [...response.getDetaileddiffMap().entries()].map(
    ([path, difference]) => [path, [difference.getKind(), difference.getInputdiff()]] as const,
  );
  expect(Object.fromEntries(entries)).toEqual({
    "tags[0]": [Kind.DELETE, false],
    "tags[2]": [Kind.ADD, false],
    'members["a@example.com"]': [Kind.UPDATE, true],
    projectId: [Kind.UPDATE_REPLACE, false],
  });
});
