import { matchesAny } from "../../../provider/resources/contract/pattern";

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

it("`?` stands for one character, also for one outside of the first 65,536", () => {
  expect(matchesAny(["K?S"], "K🎉S")).toBe(true);
  expect(matchesAny(["K?S"], "K🎉🎉S")).toBe(false);
});

/** What the words say, without a thought for time. */
function byDefinition(pattern: string, text: string): boolean {
  const [first, rest] = [pattern.slice(0, 1), pattern.slice(1)];
  if (first === "") return text === "";
  if (first === "*") {
    return byDefinition(rest, text) || (text !== "" && byDefinition(pattern, text.slice(1)));
  }
  return text !== "" && (first === "?" || first === text[0]) && byDefinition(rest, text.slice(1));
}

/** Every text of these characters that is no longer than `longest`. */
function allTexts(characters: string, longest: number): string[] {
  if (longest === 0) return [""];
  const shorter = allTexts(characters, longest - 1);
  const longer = shorter
    .filter((text) => text.length === longest - 1)
    .flatMap((text) => [...characters].map((character) => text + character));
  return [...shorter, ...longer];
}

it("decides as the definition does for every short pattern and text", () => {
  const texts = allTexts("ab", 5);
  const different = allTexts("ab*?", 5).flatMap((pattern) =>
    texts
      .filter((text) => matchesAny([pattern], text) !== byDefinition(pattern, text))
      .map((text) => `${pattern} ${text}`),
  );
  expect(different).toEqual([]);
});

it.each([
  ["********b", "a".repeat(60)],
  ["*-*-*-*@example.com", `${"-".repeat(3000)}@example.org`],
  [`${"*a".repeat(200)}b`, "a".repeat(20_000)],
])("a pattern is never slow: %.20s", (pattern, text) => {
  const start = performance.now();
  expect(matchesAny([pattern], text)).toBe(false);
  // Regular expressions took minutes for these.
  expect(performance.now() - start).toBeLessThan(2000);
});
