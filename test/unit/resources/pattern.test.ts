import { matchesAny } from "../../../provider/resources/pattern";

test.each([
  ["EXTERNALLY_MANAGED", "EXTERNALLY_MANAGED", true],
  ["EXTERNALLY_MANAGED", "EXTERNALLY_MANAGED_BY", false],
  ["EXTERNALLY_MANAGED", "NOT_EXTERNALLY_MANAGED", false],
  ["EXTERNALLY_*", "EXTERNALLY_MANAGED_BY_KUBERNETES", true],
  ["EXTERNALLY_*", "EXTERNALLY_", true],
  ["*_K8S", "TEAM_K8S", true],
  ["*", "", true],
  ["*", "anything", true],
  ["K?S", "K8S", true],
  ["K?S", "KS", false],
  ["K?S", "K88S", false],
  ["*@example.com", "a.b@example.com", true],
  ["*@example.com", "a@exampleXcom", false],
  ["a.b", "aXb", false],
  ["a+b(c)[d]{e}|f^g$h\\i", "a+b(c)[d]{e}|f^g$h\\i", true],
  ["[AB]", "A", false],
  ["A|B", "A", false],
  ["tag", "TAG", false],
  ["a*c", "a\nc", true],
])("the pattern %p and %p: %p", (pattern, text, expected) => {
  expect(matchesAny([pattern], text)).toBe(expected);
});

test("one of several patterns is enough, and none never matches", () => {
  expect(matchesAny(["A", "B*"], "BC")).toBe(true);
  expect(matchesAny([], "BC")).toBe(false);
});
