import { matchesAny } from "../../../provider/resources/contract/pattern";

// Every short pattern of letters, `*` and `?` is compared with the definition below.
test.each([
  { pattern: "*@example.com", text: "a.b@example.com", matches: true },
  { pattern: "*@example.com", text: "a@exampleXcom", matches: false },
  { pattern: "a+b(c)[d]{e}|f^g$h\\i", text: "a+b(c)[d]{e}|f^g$h\\i", matches: true },
  { pattern: "[AB]", text: "A", matches: false },
  { pattern: "A|B", text: "A", matches: false },
  { pattern: "tag", text: "TAG", matches: false },
  { pattern: "a*c", text: "a\nc", matches: true },
])("the pattern $pattern and $text: $matches", ({ pattern, text, matches }) => {
  expect(matchesAny([pattern], text)).toBe(matches);
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
