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
  ["add", false, Kind.ADD],
  ["add", true, Kind.ADD_REPLACE],
  ["delete", false, Kind.DELETE],
  ["delete", true, Kind.DELETE_REPLACE],
  ["update", false, Kind.UPDATE],
  ["update", true, Kind.UPDATE_REPLACE],
] as const)("%s, replacing %p, has a kind of its own", (kind, replace, expected) => {
  const response = toDiffResponse([{ path: ["orgId"], kind, replace }]);
  expect(response.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_SOME);
  expect(response.getDetaileddiffMap().get("orgId")?.getKind()).toBe(expected);
  expect(response.getReplacesList()).toEqual(replace ? ["orgId"] : []);
});

test("each entry has its path, and each property is named once", () => {
  const response = toDiffResponse([
    { path: ["tags", 0], kind: "delete" },
    { path: ["tags", 2], kind: "add" },
    { path: ["members", "a@example.com"], kind: "update", inputDiff: true },
  ]);
  expect(response.getDiffsList()).toEqual(["members", "tags"]);
  const entries = [...response.getDetaileddiffMap().entries()];
  expect(Object.fromEntries(entries.map(([path, difference]) => [path, difference.getInputdiff()]))).toEqual({
    "tags[0]": false,
    "tags[2]": false,
    'members["a@example.com"]': true,
  });
});

test("replacing one property replaces by that one alone", () => {
  const response = toDiffResponse([
    { path: ["name"], kind: "update" },
    { path: ["projectId"], kind: "update", replace: true },
  ]);
  expect(response.getDiffsList()).toEqual(["name", "projectId"]);
  expect(response.getReplacesList()).toEqual(["projectId"]);
});
