import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { toDiffResponse } from "../../../provider/plugin/detailed-diff";

const { Kind } = PropertyDiff;

test("no difference is returned explicitly, so that the engine does not compare by itself", () => {
  const response = toDiffResponse([]);
  expect(response.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_NONE);
  expect(response.getHasdetaileddiff()).toBe(true);
  expect(response.getDiffsList()).toEqual([]);
  expect(response.getReplacesList()).toEqual([]);
});

test.each([
  { kind: "add", inPlace: Kind.ADD, replacing: Kind.ADD_REPLACE },
  { kind: "delete", inPlace: Kind.DELETE, replacing: Kind.DELETE_REPLACE },
  { kind: "update", inPlace: Kind.UPDATE, replacing: Kind.UPDATE_REPLACE },
] as const)("$kind has a kind of its own, and another one where it replaces", (row) => {
  for (const replace of [false, true]) {
    const response = toDiffResponse([{ path: ["orgId"], kind: row.kind, replace }]);
    expect(response.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_SOME);
    const difference = response.getDetaileddiffMap().get("orgId");
    expect(difference?.getKind()).toBe(replace ? row.replacing : row.inPlace);
    expect(response.getReplacesList()).toEqual(replace ? ["orgId"] : []);
  }
});

test("each entry has its path, and each property is named once", () => {
  const response = toDiffResponse([
    { path: ["tags", 0], kind: "delete" },
    { path: ["tags", 2], kind: "add" },
    { path: ["members", "a@example.com"], kind: "update", inputDiff: true },
    { path: ["projectId"], kind: "update", replace: true },
  ]);
  expect(response.getDiffsList()).toEqual(["members", "projectId", "tags"]);
  expect(response.getReplacesList()).toEqual(["projectId"]);
  const entries = [...response.getDetaileddiffMap().entries()];
  expect(Object.fromEntries(entries.map(([path, difference]) => [path, difference.getInputdiff()]))).toEqual({
    "tags[0]": false,
    "tags[2]": false,
    'members["a@example.com"]': true,
    projectId: false,
  });
});
