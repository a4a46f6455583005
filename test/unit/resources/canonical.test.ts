import {
  compareUnsure,
  knownTexts,
  lowerId,
  sortedTexts,
  withForms,
  withoutNulls,
} from "../../../provider/resources/contract/canonical";
import { type Properties, UNKNOWN, type Value } from "../../../provider/resources/contract/values";

test("null and absent are the same; empty, false and zero are values", () => {
  const inputs: Properties = { a: null, b: [], c: false, d: 0, e: "", f: UNKNOWN, g: { h: null } };
  expect(withoutNulls(inputs)).toEqual({ b: [], c: false, d: 0, e: "", f: UNKNOWN, g: { h: null } });
});

test("other forms replace what is there, and add nothing", () => {
  const inputs = { id: "A", roles: ["B", "A"] };
  expect(withForms(inputs, { id: () => "a", tags: () => ["X"] })).toEqual({ id: "a", roles: ["B", "A"] });
  expect(Object.keys(withForms(inputs, { roles: () => [], id: () => "a" }))).toEqual(["id", "roles"]);
});

test.each<[Value | undefined, Value | undefined]>([
  ["5F00000000000000000000A1", "5f00000000000000000000a1"],
  [UNKNOWN, UNKNOWN],
  [undefined, undefined],
  [7, 7],
])("the id %p is %p", (given, expected) => {
  expect(lowerId(given)).toBe(expected);
});

test.each<[string, Value | undefined, Value | undefined]>([
  ["texts are in order of their characters", ["b", "B", "a", "10", "9"], ["10", "9", "B", "a", "b"]],
  ["what is not known stands behind", [UNKNOWN, "b", UNKNOWN, "a"], ["a", "b", UNKNOWN, UNKNOWN]],
  ["twice stays twice", ["a", "b", "a"], ["a", "a", "b"]],
  ["an empty list stays one", [], []],
  ["what is no list stays as it is", "b, a", "b, a"],
  ["nothing stays nothing", undefined, undefined],
  ["a list that is not known yet stays one", UNKNOWN, UNKNOWN],
])("of a set: %s", (_, given, expected) => {
  expect(sortedTexts(given)).toEqual(expected);
});

test("sorting leaves the given list alone, and sorting twice changes nothing", () => {
  const given: Value[] = ["c", UNKNOWN, "a", "b"];
  const sorted = sortedTexts(given);
  expect(given).toEqual(["c", UNKNOWN, "a", "b"]);
  expect(sortedTexts(sorted)).toEqual(sorted);
});

test("comparing is the same from both sides", () => {
  const values: Value[] = ["a", "b", "B", UNKNOWN, 7, null];
  for (const one of values) {
    for (const other of values) {
      expect(Math.sign(compareUnsure(one, other))).toBe(0 - Math.sign(compareUnsure(other, one)) || 0);
    }
  }
});

test("known texts are what is text, and none where there is no list", () => {
  expect(knownTexts(["b", UNKNOWN, 7, null, "a"])).toEqual(["b", "a"]);
  for (const noList of [undefined, null, "a", UNKNOWN, { a: "b" }]) expect(knownTexts(noList)).toEqual([]);
});
